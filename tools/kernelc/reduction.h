/* SPDX-License-Identifier: MIT */
/* reduction - llvm.vector.reduce: one number of all members of a vector. */
#ifndef KERNELC_REDUCTION_H
#define KERNELC_REDUCTION_H

#include "writer.h"

/* Writes the statements of the call; false: it is none. */
bool kc_reduction(kc_writer *writer, LLVMValueRef call, const char *name);

#endif
