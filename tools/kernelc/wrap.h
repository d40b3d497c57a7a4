/* SPDX-License-Identifier: MIT */
/*
 * wrap - what LLVM knows of sums and of widened numbers, so that the driver's compiler may know it too.
 *
 * Integers of kernel C are unsigned and wrap. An index that is a sum of int is widened to 64 bits once more for each
 * access then, and a product of matrices took an eighth longer on an H200. Where LLVM says that a sum does not overflow
 * as a signed one (nsw), it is written as one, and a number that is known not to be negative (zext nneg) is widened by
 * its sign, which is what compilers take apart best.
 *
 * LLVM's overflow is poison, which freeze stops, and C's is undefined: a kernel with a freeze in it keeps what wraps.
 * LLVM's interface tells these flags from version 18 on.
 */
#ifndef KERNELC_WRAP_H
#define KERNELC_WRAP_H

#include "writer.h"

/* Notes of the kernel at work whether it has a freeze. Before the two others. */
void kc_wrap_begin(kc_writer *writer, LLVMValueRef function);

/* Of an instruction that adds, subtracts or multiplies integers of 32 or 64 bits. */
bool kc_wrap_is_signed(const kc_writer *writer, LLVMValueRef value);

/* Of a number that is widened from 32 bits without its sign: whether its sign would do. */
bool kc_wrap_is_positive(LLVMValueRef value);

#endif
