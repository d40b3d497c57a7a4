/* SPDX-License-Identifier: MIT */
/* call - calls: intrinsics, functions of the device's library, printf, inline assembler. */
#ifndef KERNELC_CALL_H
#define KERNELC_CALL_H

#include "writer.h"

/* A statement, with the assignment of its value. */
void kc_call(kc_writer *writer, LLVMValueRef call);

/* Whether that statement is one assignment of an expression. */
bool kc_call_is_expression(LLVMValueRef call);

#endif
