/* SPDX-License-Identifier: MIT */
/* assembler - see assembler.h. */
#include "assembler.h"

#include <string.h>

#include "ptx_lower.h"

void kc_assembler(kc_writer *writer, LLVMValueRef call) {
  size_t length = 0;
  const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &length);
  const char *problem = kc_ptx_problem(kc_ptx_read(text));
  if (problem != NULL && strchr(problem, ' ') != NULL)
    kc_refuse(writer, "%s in inline assembler: write it as CUDA C++", problem);
  if (problem != NULL)
    kc_refuse(writer, "'%s' of inline assembler is not translated: write it as CUDA C++", problem);
  kc_refuse(writer, "the inline assembler '%s' is not translated here: write it as CUDA C++", text);
}
