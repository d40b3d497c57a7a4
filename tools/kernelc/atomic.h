/* SPDX-License-Identifier: MIT */
/* atomic - atomic operations as CUDA's functions. */
#ifndef KERNELC_ATOMIC_H
#define KERNELC_ATOMIC_H

#include "writer.h"

void kc_atomic_operation(kc_writer *writer, LLVMValueRef operation);
void kc_atomic_exchange(kc_writer *writer, LLVMValueRef exchange); /* cmpxchg */
void kc_atomic_fence(kc_writer *writer, LLVMValueRef fence);

/* llvm.nvvm.atomic.*: false: it is no such intrinsic. */
bool kc_atomic_intrinsic(kc_writer *writer, LLVMValueRef call, const char *name);

#endif
