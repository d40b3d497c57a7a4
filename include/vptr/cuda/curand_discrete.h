/* SPDX-License-Identifier: MIT */
/*
 * curand_discrete - what curandCreatePoissonDistribution() makes in the device's memory, and how a uniform number is
 * made one of the distribution's. Programs include curand_kernel.h, and look at the pointer alone.
 */
#if !defined(__CUDACC__) && defined(__GNUC__)
#pragma GCC system_header /* C++ of 1998, and C of 1989, have long long as an extension */
#endif
#ifndef CURAND_DISCRETE_H_
#define CURAND_DISCRETE_H_

#include "vptr_curand_types.h"

/* Values from `first` on, `count` of them; sums[i] is how probable those up to the i-th are together; the last is 1. */
struct curandDiscreteDistribution_st {
  unsigned int first, count;
  double sums[1];
};
#ifndef CURAND_H_ /* which has it, too, and C of 1999 has it once */
typedef struct curandDiscreteDistribution_st *curandDiscreteDistribution_t;
#endif

/* The first value whose sum is at least u, which is at most 1: the inverse of the distribution function. */
VPTR_CURAND_FUNCTION unsigned int vptr_curand_discrete(const struct curandDiscreteDistribution_st *of, double u) {
  unsigned int low = 0, high = of->count - 1;
  while (low < high) {
    unsigned int middle = low + (high - low) / 2;
    if (of->sums[middle] >= u)
      high = middle;
    else
      low = middle + 1;
  }
  return of->first + low;
}

#endif
