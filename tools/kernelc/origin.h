/* SPDX-License-Identifier: MIT */
/*
 * origin - which memories a pointer can lead into, where its type does not say: a thread's own, the block's shared, or
 * global memory.
 *
 * A pointer that is loaded is what was stored there before. Variables of a thread and of a block are seen whole: what
 * each of them can hold is the union of all that is stored to it, by pointers, by numbers that were pointers, and by
 * copies. Memory that the host knows holds pointers into global memory alone.
 */
#ifndef KERNELC_ORIGIN_H
#define KERNELC_ORIGIN_H

#include "writer.h"

/* A set of them. */
enum { KC_IN_GLOBAL = 1, KC_IN_SHARED = 2, KC_IN_PRIVATE = 4 };

typedef struct kc_origins kc_origins;

/* Gives all values of the function new names. */
kc_origins *kc_origins_of(kc_writer *writer, LLVMValueRef function);
void kc_origins_free(kc_origins *origins);

/* Of a pointer, or of a number or a struct that has pointers in it. 0: of none, as NULL is. Values that were made later
 * are what their types say. */
unsigned kc_origins_of_value(const kc_origins *origins, LLVMValueRef value);

/* The place of a value among those that have one, below kc_origins_count(); -1: it was made later. */
long kc_origins_number(const kc_origins *origins, LLVMValueRef value);
size_t kc_origins_count(const kc_origins *origins);

#endif
