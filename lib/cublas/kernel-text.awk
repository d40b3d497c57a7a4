# SPDX-License-Identifier: MIT
#
# kernel-text.awk - makes the module of libvptr-cublas's kernels into a C source that holds its bytes (kernel_text.h).
#
# Bytes are written as numbers, since string literals of that length are not portable. The module is plain ASCII.
BEGIN {
  for (i = 1; i < 128; i++)
    code[sprintf("%c", i)] = i
  print "/* Made by kernel-text.awk. */\n#include \"cublas/kernel_text.h\"\n\nconst char vptr__blas_kernel_text[] = {"
}
{
  line = $0 "\n"
  length_of += n = length(line)
  text = ""
  for (i = 1; i <= n; i++) {
    c = substr(line, i, 1)
    if (!(c in code)) {
      print FILENAME ":" FNR ": not ASCII" > "/dev/stderr"
      exit 1
    }
    text = text code[c] ","
  }
  print text
}
END { printf "0 };\nconst size_t vptr__blas_kernel_text_length = %d;\n", length_of }
