# SPDX-License-Identifier: MIT
#
# cudart-static.awk - from what nm says of lib/cudart/cuda's objects to the C file of libcudart_static.a: each function that
# libvptr-cudart exports, as a jump through a table (lib/cudart_static/static.h). The names are weak, so that a program may
# have its own in their place. The jump takes no register that a caller or a callee may use.
BEGIN {
  print "/* SPDX-License-Identifier: MIT */"
  print "#include \"cudart_static/static.h\"\n"
  print "#if defined __x86_64__"
  print "#define JUMP(i) \"endbr64\\njmp *vptr__static_table+8*\" #i \"(%rip)\\n\""
  print "#elif defined __aarch64__"
  print "#define JUMP(i) \"hint #34\\nadrp x16, vptr__static_table+8*\" #i \"\\nldr x16, [x16, :lo12:vptr__static_table+8*\" #i \"]\\nbr x16\\n\""
  print "#endif"
  print "#define NAME(name, i) __asm__(\".text\\n.p2align 4\\n.weak \" #name \"\\n.type \" #name \", %function\\n\" #name \":\\n\" JUMP(i) \".size \" #name \", .-\" #name \"\\n\");\n"
}

$2 == "T" && $3 ~ /^((__)?cuda[A-Z]|vptr_cuda_|vptr_usm_)/ && !($3 in seen) {
  seen[$3] = 1
  names[count++] = $3
}

END {
  printf "__attribute__((visibility(\"hidden\"))) void *vptr__static_table[%d];\n", count
  print "static const char *const names[] = {"
  for (i = 0; i < count; i++)
    printf "  \"%s\",\n", names[i]
  print "};\n"
  for (i = 0; i < count; i++)
    printf "NAME(%s, %d)\n", names[i], i
  print "\n__attribute__((constructor(101))) static void begin(void) {"
  printf "  vptr__static_open(names, vptr__static_table, %d);\n}\n", count
}
