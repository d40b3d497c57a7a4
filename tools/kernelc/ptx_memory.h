/* SPDX-License-Identifier: MIT */
/* ptx_memory - PTX's loads, stores, atomic operations and reductions, and questions about addresses. */
#ifndef KERNELC_PTX_MEMORY_H
#define KERNELC_PTX_MEMORY_H

#include "ptx_value.h"

/* Each is of the instruction at work. */
void kc_ptx_load(kc_ptx_work *work);
void kc_ptx_store(kc_ptx_work *work);
void kc_ptx_atomic(kc_ptx_work *work); /* atom and red */
void kc_ptx_is_space(kc_ptx_work *work);
void kc_ptx_address(kc_ptx_work *work); /* cvta */

/* A pointer into that memory (KC_GENERIC: any) that an operand is, or that the number was. */
LLVMValueRef kc_ptx_pointer(kc_ptx_work *work, const kc_ptx_operand *operand, unsigned space);

/* Does one thing with the values: the first is a pointer. Gives NULL where there is no result. */
typedef LLVMValueRef kc_ptx_doing(kc_ptx_work *work, LLVMValueRef *values, unsigned count);

/* Does it if the guard is true; else the result is zero. */
LLVMValueRef kc_ptx_under_guard(kc_ptx_work *work, LLVMValueRef guard, LLVMTypeRef result, LLVMValueRef *values,
                                unsigned count, kc_ptx_doing *what);

#endif
