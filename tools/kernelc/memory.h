/* SPDX-License-Identifier: MIT */
/* memory - loads, stores, copies and sets: statements of kernel C, in which memory is bytes. */
#ifndef KERNELC_MEMORY_H
#define KERNELC_MEMORY_H

#include "writer.h"

void kc_load(kc_writer *writer, LLVMValueRef load);
void kc_store(kc_writer *writer, LLVMValueRef store);

/* Where a byte is that is accessed, so many behind a pointer. */
void kc_byte_at(kc_writer *writer, LLVMValueRef pointer, unsigned long long offset);

/* llvm.memcpy, memmove and memset. */
void kc_copy(kc_writer *writer, LLVMValueRef call);
void kc_set(kc_writer *writer, LLVMValueRef call);

#endif
