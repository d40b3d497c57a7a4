/* SPDX-License-Identifier: MIT */
/*
 * curand_normal - normal numbers with mean 0 and deviation 1, of each generator for kernels. Programs include
 * curand_kernel.h.
 *
 * Pseudorandom ones come in pairs: a call for one number keeps the other in the state, and the next returns it.
 */
#if !defined(__CUDACC__) && defined(__GNUC__)
#pragma GCC system_header /* C++ of 1998, and C of 1989, have long long as an extension */
#endif
#include "curand_kernel.h"

#if defined(__cplusplus) && !defined(CURAND_NORMAL_H_)
#define CURAND_NORMAL_H_

#define EXTRA_FLAG_NORMAL 0x00000001
#define EXTRA_FLAG_LOG_NORMAL 0x00000002

VPTR_CURAND_CALL float2 curand_normal2(curandStateXORWOW_t *state) {
  unsigned int x = curand(state);
  return vptr_curand_normals(x, curand(state));
}
VPTR_CURAND_CALL float2 curand_normal2(curandStatePhilox4_32_10_t *state) {
  unsigned int x = curand(state);
  return vptr_curand_normals(x, curand(state));
}
VPTR_CURAND_CALL float2 curand_normal2(curandStateMRG32k3a_t *state) { return vptr_curand_mrg_normals(state); }

VPTR_CURAND_CALL double2 curand_normal2_double(curandStateXORWOW_t *state) {
  unsigned int x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state);
  return vptr_curand_normals_double(x0, x1, y0, y1);
}
VPTR_CURAND_CALL double2 curand_normal2_double(curandStatePhilox4_32_10_t *state) {
  uint4 x = curand4(state);
  return vptr_curand_normals_double(x.x, x.y, x.z, x.w);
}
VPTR_CURAND_CALL double2 curand_normal2_double(curandStateMRG32k3a_t *state) {
  return vptr_curand_mrg_normals_double(state);
}

VPTR_CURAND_CALL float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
  uint4 x = curand4(state);
  float2 first = vptr_curand_normals(x.x, x.y), second = vptr_curand_normals(x.z, x.w);
  float4 all;
  all.x = first.x;
  all.y = first.y;
  all.z = second.x;
  all.w = second.y;
  return all;
}
VPTR_CURAND_CALL double4 curand_normal4_double(curandStatePhilox4_32_10_t *state) {
  double2 first = curand_normal2_double(state), second = curand_normal2_double(state);
  double4 all;
  all.x = first.x;
  all.y = first.y;
  all.z = second.x;
  all.w = second.y;
  return all;
}

#define VPTR_CURAND_NORMAL_OF_PAIRS(state_type)                                                                        \
  VPTR_CURAND_CALL float curand_normal(state_type *state) {                                                            \
    if (state->boxmuller_flag != EXTRA_FLAG_NORMAL) {                                                                  \
      float2 pair = curand_normal2(state);                                                                             \
      state->boxmuller_extra = pair.y;                                                                                 \
      state->boxmuller_flag = EXTRA_FLAG_NORMAL;                                                                       \
      return pair.x;                                                                                                   \
    }                                                                                                                  \
    state->boxmuller_flag = 0;                                                                                         \
    return state->boxmuller_extra;                                                                                     \
  }                                                                                                                    \
  VPTR_CURAND_CALL double curand_normal_double(state_type *state) {                                                    \
    if (state->boxmuller_flag_double != EXTRA_FLAG_NORMAL) {                                                           \
      double2 pair = curand_normal2_double(state);                                                                     \
      state->boxmuller_extra_double = pair.y;                                                                          \
      state->boxmuller_flag_double = EXTRA_FLAG_NORMAL;                                                                \
      return pair.x;                                                                                                   \
    }                                                                                                                  \
    state->boxmuller_flag_double = 0;                                                                                  \
    return state->boxmuller_extra_double;                                                                              \
  }

VPTR_CURAND_NORMAL_OF_PAIRS(curandStateXORWOW_t)
VPTR_CURAND_NORMAL_OF_PAIRS(curandStatePhilox4_32_10_t)
VPTR_CURAND_NORMAL_OF_PAIRS(curandStateMRG32k3a_t)

#define VPTR_CURAND_SOBOL_NORMAL(state_type, shift, inverse_of)                                                        \
  VPTR_CURAND_CALL float curand_normal(state_type *state) {                                                            \
    return (float)vptr_curand_inverse_of_word((unsigned int)(curand(state) >> shift));                                 \
  }                                                                                                                    \
  VPTR_CURAND_CALL double curand_normal_double(state_type *state) { return inverse_of(curand(state)); }

VPTR_CURAND_SOBOL_NORMAL(curandStateSobol32_t, 0, vptr_curand_inverse_of_word)
VPTR_CURAND_SOBOL_NORMAL(curandStateScrambledSobol32_t, 0, vptr_curand_inverse_of_word)
VPTR_CURAND_SOBOL_NORMAL(curandStateSobol64_t, 32, vptr_curand_inverse_of_long)
VPTR_CURAND_SOBOL_NORMAL(curandStateScrambledSobol64_t, 32, vptr_curand_inverse_of_long)

#endif
