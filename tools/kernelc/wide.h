/* SPDX-License-Identifier: MIT */
/*
 * wide - integers of 128 bits: two leaves of 64, the low one first (type.h).
 *
 * What moves them whole (loads, stores, phis, choices, structs) sees two leaves as in any struct. Here is what computes
 * with them: each leaf of a result is an expression of its own, and the driver's compiler finds what both have in
 * common.
 */
#ifndef KERNELC_WIDE_H
#define KERNELC_WIDE_H

#include "writer.h"

bool kc_is_wide(LLVMTypeRef type);

/* A text about an instruction: %0 and %1 are the halves of its first operand, %2 and %3 those of the second, and so on;
 * of a narrower one there is the first alone. %s0 is the first operand as signed, %T the type of the result. */
void kc_wide_text(kc_writer *writer, const char *text, LLVMValueRef value);

/* That leaf of an instruction, if it computes with such integers; false: it does not. */
bool kc_wide_expression(kc_writer *writer, LLVMValueRef value, LLVMOpcode opcode, unsigned leaf);

/* A call of one of LLVM's functions on such integers, as statements; refuses those that are not known. False: it has
 * none. */
bool kc_wide_call(kc_writer *writer, LLVMValueRef call);

/* One half of a constant. */
LLVMValueRef kc_wide_half(kc_writer *writer, LLVMValueRef constant, unsigned leaf);

#endif
