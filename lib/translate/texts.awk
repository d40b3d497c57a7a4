# SPDX-License-Identifier: MIT
#
# texts - makes files into one C source that holds their bytes: awk -v table=NAME -f texts.awk FILE... > out.c
#
# Bytes are written as numbers, since string literals of that length are not portable. Files are plain ASCII.
BEGIN {
  for (i = 1; i < 128; i++)
    code[sprintf("%c", i)] = i
  print "/* Made by texts.awk. */\n#include \"translate/source/text.h\"\n"
}
FNR == 1 {
  finish()
  name = FILENAME
  sub(/.*\//, "", name)
  names[++count] = name
  length_of[count] = 0
  printf "static const char text_%d[] = {", count
}
{
  line = $0 "\n"
  n = length(line)
  for (i = 1; i <= n; i++) {
    c = substr(line, i, 1)
    if (!(c in code)) {
      print FILENAME ":" FNR ": not ASCII" > "/dev/stderr"
      exit 1
    }
    printf "%s%d,", (length_of[count] + i) % 32 == 1 ? "\n  " : "", code[c]
  }
  length_of[count] += n
}
function finish() {
  if (count > 0)
    print "\n  0 };"
}
END {
  finish()
  print "\nconst vptr__text " table "[] = {"
  for (i = 1; i <= count; i++)
    printf "  { \"%s\", text_%d, %d },\n", names[i], i, length_of[i]
  print "  { 0, 0, 0 } };"
}
