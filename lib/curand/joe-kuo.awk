# SPDX-License-Identifier: MIT
#
# joe-kuo.awk - makes the table joe-kuo-6.txt into a C source that holds its lines (direction.h): awk -f joe-kuo.awk
# joe-kuo-6.txt > out.c
#
# An array of lines, since string literals of that length are not portable, and pointers to them would be relocated.
BEGIN {
  print "/* Made by joe-kuo.awk of joe-kuo-6.txt, which has its licence: Copyright (c) 2008, Frances Y. Kuo and Stephen"
  print "   Joe. */\n#include \"curand/direction.h\"\n\nconst char vptr__rand_joe_kuo[][VPTR__RAND_JOE_KUO_LINE + 1] = {"
}
/^#/ { next }
{ printf "\"%s\",\n", $0 }
END { print "};" }
