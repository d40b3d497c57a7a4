/* SPDX-License-Identifier: MIT */
/*
 * memory - the library's own small host allocations.
 *
 * A thin door in front of calloc() and free(), for one reason: tests must be able to make the n-th allocation
 * fail and see that nothing breaks, without failing the drivers' allocations too.
 *
 * Any thread may call. No locks: counters are atomic, and memory is its caller's. Used by nearly every folder of lib.
 */
#ifndef VPTR_BASE_MEMORY_H
#define VPTR_BASE_MEMORY_H

#include <stddef.h>

#include <vptr/vptr.h>

/* count * size zeroed bytes, or NULL (also when the product overflows). Free with vptr__memory_free(). */
VPTR_API void *vptr__memory_calloc(size_t count, size_t size);

/* NULL is allowed. */
VPTR_API void vptr__memory_free(void *memory);

/* For tests: the n-th allocation from now on fails (1: the next), once; 0 switches this off. Any thread. */
void vptr__memory_fail_nth(long n);

/* For tests: the same, and so do all that follow. */
void vptr__memory_fail_from(long n);

/* For tests: how many allocations are live now. */
long vptr__memory_live(void);

#endif
