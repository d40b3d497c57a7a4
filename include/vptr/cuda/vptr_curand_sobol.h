/* SPDX-License-Identifier: MIT */
/*
 * vptr_curand_sobol - Sobol's sequences of 32 and 64 bits, in the order of Antonov and Saleev (1979): number i is the
 * sum of the direction vectors at the ones of i's Gray code, so that the next differs by one of them. Scrambled ones
 * have other vectors, and begin with a constant.
 */
#if !defined(__CUDACC__) && defined(__GNUC__)
#pragma GCC system_header /* C++ of 1998, and C of 1989, have long long as an extension */
#endif
#ifndef VPTR_CURAND_SOBOL_H_
#define VPTR_CURAND_SOBOL_H_

#include "vptr_curand_types.h"

struct curandStateSobol32 {
  unsigned int i, x, c;
  unsigned int direction_vectors[32];
};
struct curandStateScrambledSobol32 {
  unsigned int i, x, c;
  unsigned int direction_vectors[32];
};
struct curandStateSobol64 {
  unsigned long long i, x, c;
  unsigned long long direction_vectors[64];
};
struct curandStateScrambledSobol64 {
  unsigned long long i, x, c;
  unsigned long long direction_vectors[64];
};
typedef struct curandStateSobol32 curandStateSobol32_t;
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef struct curandStateSobol64 curandStateSobol64_t;
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64_t;

VPTR_CURAND_FUNCTION unsigned int vptr_sobol32_at(const unsigned int *vectors, unsigned int c, unsigned int i) {
  unsigned int gray = i ^ i >> 1, x = c;
  for (int k = 0; k < 32; k++)
    x ^= vectors[k] & (0u - (gray >> k & 1));
  return x;
}

VPTR_CURAND_FUNCTION unsigned long long vptr_sobol64_at(const unsigned long long *vectors, unsigned long long c,
                                                        unsigned long long i) {
  unsigned long long gray = i ^ i >> 1, x = c;
  for (int k = 0; k < 64; k++)
    x ^= vectors[k] & (0ull - (gray >> k & 1));
  return x;
}

/* How many ones i ends with: which vector comes next. Behind the last number it is the last vector, as in cuRAND. */
VPTR_CURAND_FUNCTION int vptr_sobol_next_vector(unsigned long long i, int bits) {
  int ones = 0;
  while (ones < bits - 1 && (i >> ones & 1) != 0)
    ones++;
  return ones;
}

#endif
