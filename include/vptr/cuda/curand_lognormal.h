/* SPDX-License-Identifier: MIT */
/*
 * curand_lognormal - numbers whose logarithm is normal, of each generator for kernels. Programs include
 * curand_kernel.h.
 *
 * The second of a pair is kept in the state with the mean and the deviation of the first, as in cuRAND.
 */
#if !defined(__CUDACC__) && defined(__GNUC__)
#pragma GCC system_header /* C++ of 1998, and C of 1989, have long long as an extension */
#endif
#include "curand_kernel.h"

#if defined(__cplusplus) && !defined(CURAND_LOGNORMAL_H_)
#define CURAND_LOGNORMAL_H_

#define VPTR_CURAND_LOG_NORMAL_OF_PAIRS(state_type)                                                                    \
  VPTR_CURAND_CALL float2 curand_log_normal2(state_type *state, float mean, float stddev) {                            \
    float2 pair = curand_normal2(state);                                                                               \
    pair.x = expf(mean + stddev * pair.x);                                                                             \
    pair.y = expf(mean + stddev * pair.y);                                                                             \
    return pair;                                                                                                       \
  }                                                                                                                    \
  VPTR_CURAND_CALL double2 curand_log_normal2_double(state_type *state, double mean, double stddev) {                  \
    double2 pair = curand_normal2_double(state);                                                                       \
    pair.x = exp(mean + stddev * pair.x);                                                                              \
    pair.y = exp(mean + stddev * pair.y);                                                                              \
    return pair;                                                                                                       \
  }                                                                                                                    \
  VPTR_CURAND_CALL float curand_log_normal(state_type *state, float mean, float stddev) {                              \
    if (state->boxmuller_flag != EXTRA_FLAG_LOG_NORMAL) {                                                              \
      float2 pair = curand_log_normal2(state, mean, stddev);                                                           \
      state->boxmuller_extra = pair.y;                                                                                 \
      state->boxmuller_flag = EXTRA_FLAG_LOG_NORMAL;                                                                   \
      return pair.x;                                                                                                   \
    }                                                                                                                  \
    state->boxmuller_flag = 0;                                                                                         \
    return state->boxmuller_extra;                                                                                     \
  }                                                                                                                    \
  VPTR_CURAND_CALL double curand_log_normal_double(state_type *state, double mean, double stddev) {                    \
    if (state->boxmuller_flag_double != EXTRA_FLAG_LOG_NORMAL) {                                                       \
      double2 pair = curand_log_normal2_double(state, mean, stddev);                                                   \
      state->boxmuller_extra_double = pair.y;                                                                          \
      state->boxmuller_flag_double = EXTRA_FLAG_LOG_NORMAL;                                                            \
      return pair.x;                                                                                                   \
    }                                                                                                                  \
    state->boxmuller_flag_double = 0;                                                                                  \
    return state->boxmuller_extra_double;                                                                              \
  }

VPTR_CURAND_LOG_NORMAL_OF_PAIRS(curandStateXORWOW_t)
VPTR_CURAND_LOG_NORMAL_OF_PAIRS(curandStatePhilox4_32_10_t)
VPTR_CURAND_LOG_NORMAL_OF_PAIRS(curandStateMRG32k3a_t)

VPTR_CURAND_CALL float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean, float stddev) {
  float4 all = curand_normal4(state);
  all.x = expf(mean + stddev * all.x);
  all.y = expf(mean + stddev * all.y);
  all.z = expf(mean + stddev * all.z);
  all.w = expf(mean + stddev * all.w);
  return all;
}
VPTR_CURAND_CALL double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *state, double mean, double stddev) {
  double4 all = curand_normal4_double(state);
  all.x = exp(mean + stddev * all.x);
  all.y = exp(mean + stddev * all.y);
  all.z = exp(mean + stddev * all.z);
  all.w = exp(mean + stddev * all.w);
  return all;
}

#define VPTR_CURAND_SOBOL_LOG_NORMAL(state_type)                                                                       \
  VPTR_CURAND_CALL float curand_log_normal(state_type *state, float mean, float stddev) {                              \
    return expf(mean + stddev * curand_normal(state));                                                                 \
  }                                                                                                                    \
  VPTR_CURAND_CALL double curand_log_normal_double(state_type *state, double mean, double stddev) {                    \
    return exp(mean + stddev * curand_normal_double(state));                                                           \
  }

VPTR_CURAND_SOBOL_LOG_NORMAL(curandStateSobol32_t)
VPTR_CURAND_SOBOL_LOG_NORMAL(curandStateScrambledSobol32_t)
VPTR_CURAND_SOBOL_LOG_NORMAL(curandStateSobol64_t)
VPTR_CURAND_SOBOL_LOG_NORMAL(curandStateScrambledSobol64_t)

#endif
