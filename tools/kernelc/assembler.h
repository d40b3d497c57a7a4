/* SPDX-License-Identifier: MIT */
/* assembler - PTX in line, by a table of what programs really write. */
#ifndef KERNELC_ASSEMBLER_H
#define KERNELC_ASSEMBLER_H

#include "writer.h"

/* A statement. Refuses, with the instruction, what the table has not. */
void kc_assembler(kc_writer *writer, LLVMValueRef call);

#endif
