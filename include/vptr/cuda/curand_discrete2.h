/* SPDX-License-Identifier: MIT */
/*
 * curand_discrete2 - numbers of a distribution that curandCreatePoissonDistribution() made, of each generator for
 * kernels: one uniform number in double for each. Programs include curand_kernel.h.
 */
#if !defined(__CUDACC__) && defined(__GNUC__)
#pragma GCC system_header /* C++ of 1998, and C of 1989, have long long as an extension */
#endif
#include "curand_kernel.h"

#if defined(__cplusplus) && !defined(CURAND_DISCRETE2_H_)
#define CURAND_DISCRETE2_H_

#define VPTR_CURAND_DISCRETE(state_type)                                                                               \
  VPTR_CURAND_CALL unsigned int curand_discrete(state_type *state,                                                     \
                                                curandDiscreteDistribution_t discrete_distribution) {                  \
    return vptr_curand_discrete(discrete_distribution, curand_uniform_double(state));                                  \
  }

VPTR_CURAND_DISCRETE(curandStateXORWOW_t)
VPTR_CURAND_DISCRETE(curandStatePhilox4_32_10_t)
VPTR_CURAND_DISCRETE(curandStateMRG32k3a_t)
VPTR_CURAND_DISCRETE(curandStateSobol32_t)
VPTR_CURAND_DISCRETE(curandStateScrambledSobol32_t)
VPTR_CURAND_DISCRETE(curandStateSobol64_t)
VPTR_CURAND_DISCRETE(curandStateScrambledSobol64_t)

VPTR_CURAND_CALL uint4 curand_discrete4(curandStatePhilox4_32_10_t *state,
                                        curandDiscreteDistribution_t discrete_distribution) {
  uint4 all;
  all.x = curand_discrete(state, discrete_distribution);
  all.y = curand_discrete(state, discrete_distribution);
  all.z = curand_discrete(state, discrete_distribution);
  all.w = curand_discrete(state, discrete_distribution);
  return all;
}

#endif
