/* SPDX-License-Identifier: MIT */
/*
 * template - expressions of kernel C with places for operands.
 *
 *     %0 %1 ...   the operand, unsigned or a real or a pointer
 *     %s0         the operand as signed
 *     %T          the C type of the result, %B the bits that the type has, %W those that are used
 *     %b0         the operand as 64 bits, whatever it is
 *     %%          a percent sign
 */
#ifndef KERNELC_TEMPLATE_H
#define KERNELC_TEMPLATE_H

#include "writer.h"

/* Operands are those of the call; `first` is the number in the text of the call's first (1 where $0 is the result). */
void kc_template(kc_writer *writer, const char *text, LLVMValueRef call, unsigned first);

#endif
