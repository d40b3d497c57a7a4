/* SPDX-License-Identifier: MIT */
/*
 * curand_poisson - numbers of Poisson's distribution, of each generator for kernels. Programs include
 * curand_kernel.h.
 *
 * How they are made: vptr_curand_poisson.h. Of tables of other distributions (curand_discrete()) there are none.
 */
#if !defined(__CUDACC__) && defined(__GNUC__)
#pragma GCC system_header /* C++ of 1998, and C of 1989, have long long as an extension */
#endif
#include "curand_kernel.h"

#if defined(__cplusplus) && !defined(CURAND_POISSON_H_)
#define CURAND_POISSON_H_

#include "vptr_curand_poisson.h"

/* ---- pseudorandom ones --------------------------------------------------------------------------------------- */

#define VPTR_CURAND_POISSON(state_type)                                                                                \
  VPTR_CURAND_CALL unsigned int curand_poisson(state_type *state, double lambda) {                                     \
    VPTR_CURAND_POISSON_BODY(lambda, curand_uniform(state), curand_uniform_double(state), curand_normal_double(state)) \
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

/* ---- Sobol's ------------------------------------------------------------------------------------------------- */

#define VPTR_CURAND_SOBOL_POISSON(state_type)                                                                          \
  VPTR_CURAND_CALL unsigned int curand_poisson(state_type *state, double lambda) {                                     \
    return lambda < 1000 ? vptr_curand_poisson_inverse(curand_uniform_double(state), lambda)                           \
                         : vptr_curand_rounded(curand_normal_double(state), lambda, sqrt(lambda));                     \
  }

VPTR_CURAND_SOBOL_POISSON(curandStateSobol32_t)
VPTR_CURAND_SOBOL_POISSON(curandStateScrambledSobol32_t)
VPTR_CURAND_SOBOL_POISSON(curandStateSobol64_t)
VPTR_CURAND_SOBOL_POISSON(curandStateScrambledSobol64_t)

#endif
