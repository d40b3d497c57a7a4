/* SPDX-License-Identifier: MIT */
/* expression - instructions and constant expressions whose value is an expression of C. */
#ifndef KERNELC_EXPRESSION_H
#define KERNELC_EXPRESSION_H

#include "writer.h"

/* Parenthesized, one leaf of it. Calls and what touches memory are not here: see memory.h and call.h. */
void kc_expression(kc_writer *writer, LLVMValueRef value, unsigned leaf);

/* The pointer plus its offset. */
void kc_address(kc_writer *writer, LLVMValueRef pointer);

#endif
