/* SPDX-License-Identifier: MIT */
/*
 * locked - atomic operations on 128 bits: loads, stores, exchanges, and what is calculated in between.
 *
 * All of them are CUDA's atomicCAS() and atomicExch() of 16 bytes, which the translator makes plain accesses under a
 * lock. So a load is one, too: it compares with zero, and stores zero where it was.
 */
#ifndef KERNELC_LOCKED_H
#define KERNELC_LOCKED_H

#include "writer.h"

/* As statements; false: it is not atomic, not of that width, or on a variable of the thread's own. */
bool kc_locked_load(kc_writer *writer, LLVMValueRef load);
bool kc_locked_store(kc_writer *writer, LLVMValueRef store);

/* As statements; false: it is of another width. */
bool kc_locked_operation(kc_writer *writer, LLVMValueRef operation);
bool kc_locked_exchange(kc_writer *writer, LLVMValueRef exchange); /* cmpxchg */

#endif
