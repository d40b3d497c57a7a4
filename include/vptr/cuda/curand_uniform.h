/* SPDX-License-Identifier: MIT */
/*
 * curand_uniform - uniform numbers above 0 and up to 1, of each generator for kernels. Programs include
 * curand_kernel.h.
 *
 * Numbers in double take two words of XORWOW, and one of Philox but for those that come in pairs and fours.
 */
#if !defined(__CUDACC__) && defined(__GNUC__)
#pragma GCC system_header /* C++ of 1998, and C of 1989, have long long as an extension */
#endif
#include "curand_kernel.h"

#if defined(__cplusplus) && !defined(CURAND_UNIFORM_H_)
#define CURAND_UNIFORM_H_

VPTR_CURAND_CALL float curand_uniform(curandStateXORWOW_t *state) { return vptr_curand_float(curand(state)); }
VPTR_CURAND_CALL float curand_uniform(curandStatePhilox4_32_10_t *state) { return vptr_curand_float(curand(state)); }
VPTR_CURAND_CALL float curand_uniform(curandStateMRG32k3a_t *state) { return vptr_curand_mrg_float(state); }

VPTR_CURAND_CALL double curand_uniform_double(curandStateXORWOW_t *state) {
  unsigned int x = curand(state);
  return vptr_curand_double(x, curand(state));
}
VPTR_CURAND_CALL double curand_uniform_double(curandStatePhilox4_32_10_t *state) {
  return vptr_curand_double_of_word(curand(state));
}
VPTR_CURAND_CALL double curand_uniform_double(curandStateMRG32k3a_t *state) { return vptr_curand_mrg_double(state); }

VPTR_CURAND_CALL float4 curand_uniform4(curandStatePhilox4_32_10_t *state) {
  uint4 x = curand4(state);
  float4 all;
  all.x = vptr_curand_float(x.x);
  all.y = vptr_curand_float(x.y);
  all.z = vptr_curand_float(x.z);
  all.w = vptr_curand_float(x.w);
  return all;
}
VPTR_CURAND_CALL double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state) {
  uint4 x = curand4(state);
  double2 both;
  both.x = vptr_curand_double(x.x, x.y);
  both.y = vptr_curand_double(x.z, x.w);
  return both;
}
VPTR_CURAND_CALL double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state) {
  double2 first = curand_uniform2_double(state), second = curand_uniform2_double(state);
  double4 all;
  all.x = first.x;
  all.y = first.y;
  all.z = second.x;
  all.w = second.y;
  return all;
}

#define VPTR_CURAND_SOBOL_UNIFORM(state_type, shift, double_of)                                                        \
  VPTR_CURAND_CALL float curand_uniform(state_type *state) {                                                           \
    return vptr_curand_float((unsigned int)(curand(state) >> shift));                                                  \
  }                                                                                                                    \
  VPTR_CURAND_CALL double curand_uniform_double(state_type *state) { return double_of(curand(state)); }

VPTR_CURAND_SOBOL_UNIFORM(curandStateSobol32_t, 0, vptr_curand_double_of_word)
VPTR_CURAND_SOBOL_UNIFORM(curandStateScrambledSobol32_t, 0, vptr_curand_double_of_word)
VPTR_CURAND_SOBOL_UNIFORM(curandStateSobol64_t, 32, vptr_curand_double_of_long)
VPTR_CURAND_SOBOL_UNIFORM(curandStateScrambledSobol64_t, 32, vptr_curand_double_of_long)

#endif
