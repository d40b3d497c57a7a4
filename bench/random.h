/* SPDX-License-Identifier: MIT */
/* random - reproducible random numbers (splitmix64), so that two runs, and two structures in one run, see the same. */
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint64_t random_next(uint64_t *state) {
  uint64_t mixed = *state += UINT64_C(0x9e3779b97f4a7c15);
  mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
  return mixed ^ (mixed >> 31);
}

/* A number of 0 .. bound - 1, bound below 2^32. */
static inline uint64_t random_below(uint64_t *state, uint64_t bound) {
  return ((random_next(state) >> 32) * bound) >> 32;
}

/* So many numbers from -0.5 to 0.5, of doubles or floats: always the same ones. */
static inline void random_fill(void *to, bool is_wide, size_t count) {
  uint64_t state = 1;
  for (size_t i = 0; i < count; i++) {
    const double value = (double)random_below(&state, 4096) / 4096 - 0.5;
    if (is_wide)
      ((double *)to)[i] = value;
    else
      ((float *)to)[i] = (float)value;
  }
}

#endif
