/* SPDX-License-Identifier: MIT */
/*
 * uniform - whether all threads of a block come to a kernel's barriers together.
 *
 * The translator proves that of the text (lib/translate/lower/uniform.h) and refuses what it cannot prove; then all
 * would have to be written and translated once more. So the same question is asked here, of LLVM's values, by the same
 * rules: a value differs between threads if it is made of threadIdx, of an atomic operation or of what differs; a
 * branch on it lets threads part until all ways from it have met again. What is guessed wrong costs time: nothing here
 * is relied on.
 */
#ifndef KERNELC_UNIFORM_H
#define KERNELC_UNIFORM_H

#include "writer.h"

/* Gives all values and blocks of the function new names. May refuse the kernel at work. */
bool kc_uniform_barriers(kc_writer *writer, LLVMValueRef function);

/* The same; of all instructions with a value, in the order of the function's blocks, whether it differs. */
const bool *kc_uniform_values(kc_writer *writer, LLVMValueRef function);

#endif
