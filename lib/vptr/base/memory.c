/* SPDX-License-Identifier: MIT */
/*
 * memory - host allocations that tests can make fail (memory.h).
 *
 * The static counters, of live allocations (`live`) and for tests that make some fail (`fail_countdown`, `fails_on`),
 * are atomic and nothing else is shared, so there is no lock. Relaxed order is enough: a test reads them after it has
 * joined its threads, and no data is published through them. Called by the files of lib/vptr, lib/cudart, lib/curand,
 * lib/cusparse, lib/driver, lib/nvrtc and lib/nvtx, and by cublas/lt_descriptor.c and tuning.c, cufft/plan.c and
 * vkfft.c, cusolver/call.c, parameters.c and refinement.c, translate/translate.c and translate/source/arena.c. Memory
 * is its caller's.
 */
#include "base/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static atomic_long live;
static atomic_long fail_countdown; /* 1: the next allocation fails; 0: none will */
static atomic_bool fails_on;       /* and so do all that follow */

/* A compare-and-swap rather than a decrement: threads that race for the last step must not take the countdown
 * below zero, or later allocations would count as well. */
static bool must_fail(void) {
  long left = atomic_load_explicit(&fail_countdown, memory_order_relaxed);
  if (left == 1 && atomic_load_explicit(&fails_on, memory_order_relaxed))
    return true;
  while (left > 0 && !atomic_compare_exchange_weak_explicit(&fail_countdown, &left, left - 1, memory_order_relaxed,
                                                            memory_order_relaxed))
    ;
  return left == 1;
}

/* The product is checked here although calloc() would: sanitizers take its refusal for a bug of the program. */
void *vptr__memory_calloc(size_t count, size_t size) {
  size_t total;
  if (must_fail() || __builtin_mul_overflow(count, size, &total))
    return NULL;
  void *memory = calloc(count, size);
  if (memory != NULL)
    atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
  return memory;
}

void vptr__memory_free(void *memory) {
  if (memory == NULL)
    return;
  atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
  free(memory);
}

void vptr__memory_fail_nth(long n) {
  atomic_store_explicit(&fails_on, false, memory_order_relaxed);
  atomic_store_explicit(&fail_countdown, n, memory_order_relaxed);
}

void vptr__memory_fail_from(long n) {
  vptr__memory_fail_nth(n);
  atomic_store_explicit(&fails_on, n > 0, memory_order_relaxed);
}

long vptr__memory_live(void) {
  return atomic_load_explicit(&live, memory_order_relaxed);
}
