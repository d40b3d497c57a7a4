/* SPDX-License-Identifier: MIT */
/* number - the smaller, the larger, and the next multiple of sizes, addresses and serial numbers. Pure arithmetic: no
 * data, no locks. Used by folders of lib/vptr, lib/cudart and lib/translate. */
#ifndef VPTR_BASE_NUMBER_H
#define VPTR_BASE_NUMBER_H

#include <stdint.h>

static inline uint64_t vptr__smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static inline uint64_t vptr__larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* The least multiple of alignment, a power of two, that is not below n. */
static inline uint64_t vptr__align_up(uint64_t n, uint64_t alignment) {
  return (n + alignment - 1) & ~(alignment - 1);
}

#endif
