/* SPDX-License-Identifier: MIT */
/*
 * curand_poisson - numbers of Poisson's distribution, of each generator for kernels. Programs include
 * curand_kernel.h.
 *
 * How they are made: vptr_curand_poisson.h. curand_discrete() looks them up in a table that
 * curandCreatePoissonDistribution() has made.
 */
#include "curand_kernel.h"

#if defined(__cplusplus) && !defined(CURAND_POISSON_H_)
#define CURAND_POISSON_H_

#include "vptr_curand_poisson.h"

/* What a curandDiscreteDistribution_t points to, in device memory: probability[i] is that of at most shift + i. None
 * are there for means so large that the normal distribution serves. */
struct curandDiscreteDistribution_st {
  double mean, stddev;
  unsigned int shift, length;
  double probability[1];
};
typedef struct curandDiscreteDistribution_st *curandDiscreteDistribution_t;

/* ---- pseudorandom ones --------------------------------------------------------------------------------------- */

VPTR_CURAND_CALL unsigned int vptr_curand_look_up(curandDiscreteDistribution_t distribution, double u) {
  unsigned int low = 0, high = distribution->length - 1;
  while (low < high) {
    unsigned int middle = (low + high) / 2;
    if (u <= distribution->probability[middle])
      high = middle;
    else
      low = middle + 1;
  }
  return distribution->shift + low;
}

#define VPTR_CURAND_POISSON(state_type)                                                                                \
  VPTR_CURAND_CALL unsigned int curand_poisson(state_type *state, double lambda) {                                     \
    VPTR_CURAND_POISSON_BODY(lambda, curand_uniform(state), curand_uniform_double(state), curand_normal_double(state)) \
  }                                                                                                                    \
  VPTR_CURAND_CALL unsigned int curand_discrete(state_type *state, curandDiscreteDistribution_t distribution) {        \
    return distribution->length == 0                                                                                   \
               ? vptr_curand_rounded(curand_normal_double(state), distribution->mean, distribution->stddev)            \
               : vptr_curand_look_up(distribution, curand_uniform_double(state));                                      \
  }

VPTR_CURAND_POISSON(curandStateXORWOW_t)
VPTR_CURAND_POISSON(curandStatePhilox4_32_10_t)
VPTR_CURAND_POISSON(curandStateMRG32k3a_t)

VPTR_CURAND_CALL uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double lambda) {
  uint4 all;
  all.x = curand_poisson(state, lambda);
  all.y = curand_poisson(state, lambda);
  all.z = curand_poisson(state, lambda);
  all.w = curand_poisson(state, lambda);
  return all;
}
VPTR_CURAND_CALL uint4 curand_discrete4(curandStatePhilox4_32_10_t *state, curandDiscreteDistribution_t distribution) {
  uint4 all;
  all.x = curand_discrete(state, distribution);
  all.y = curand_discrete(state, distribution);
  all.z = curand_discrete(state, distribution);
  all.w = curand_discrete(state, distribution);
  return all;
}

/* ---- Sobol's ------------------------------------------------------------------------------------------------- */

#define VPTR_CURAND_SOBOL_POISSON(state_type)                                                                          \
  VPTR_CURAND_CALL unsigned int curand_poisson(state_type *state, double lambda) {                                     \
    return lambda < 1000 ? vptr_curand_poisson_inverse(curand_uniform_double(state), lambda)                           \
                         : vptr_curand_rounded(curand_normal_double(state), lambda, sqrt(lambda));                     \
  }                                                                                                                    \
  VPTR_CURAND_CALL unsigned int curand_discrete(state_type *state, curandDiscreteDistribution_t distribution) {        \
    return distribution->length == 0                                                                                   \
               ? vptr_curand_rounded(curand_normal_double(state), distribution->mean, distribution->stddev)            \
               : vptr_curand_look_up(distribution, curand_uniform_double(state));                                      \
  }

VPTR_CURAND_SOBOL_POISSON(curandStateSobol32_t)
VPTR_CURAND_SOBOL_POISSON(curandStateScrambledSobol32_t)
VPTR_CURAND_SOBOL_POISSON(curandStateSobol64_t)
VPTR_CURAND_SOBOL_POISSON(curandStateScrambledSobol64_t)

#endif
