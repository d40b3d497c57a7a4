/* SPDX-License-Identifier: MIT */
/* assembler - PTX in line that ptx_lower left: it is refused. */
#ifndef KERNELC_ASSEMBLER_H
#define KERNELC_ASSEMBLER_H

#include "writer.h"

/* Names the instruction that has no translation. */
_Noreturn void kc_assembler(kc_writer *writer, LLVMValueRef call);

#endif
