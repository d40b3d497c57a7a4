/* SPDX-License-Identifier: MIT */
/*
 * curand_kernel - cuRAND's generators for kernels: XORWOW (curandState), Philox4_32_10, MRG32k3a, and Sobol's sequences
 * of 32 and 64 bits, scrambled or not. MTGP32, and states for tests, are not there.
 *
 * Integers and uniform numbers are cuRAND's to the last bit, for the same seed, subsequence and offset. Normal numbers
 * come of the same integers, by the device's logarithm, sine and cosine; Poisson's have the distribution, and other
 * values. See doc/curand.md. Functions are plain ones with many forms, no templates, so that kernels in C have them.
 */
#if !defined(__CUDACC__) && defined(__GNUC__)
#pragma GCC system_header /* C++ of 1998, and C of 1989, have long long as an extension */
#endif
/* C has one function of a name. */
#if defined(__cplusplus) && !defined(CURAND_KERNEL_H_)
#define CURAND_KERNEL_H_

/* The translator's own front end wants what kernels need alone. */
#if defined(__clang__) || !defined(__VPTR__)
#include "curand.h"
#endif

#include "curand_mrg32k3a.h"
#include "curand_philox4x32_x.h"
#include "vptr_curand_numbers.h"
#include "vptr_curand_sobol.h"
#include "vptr_curand_types.h"
#include "vptr_curand_xorwow.h"

#define VPTR_CURAND_CALL VPTR_CURAND_FUNCTION

typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

/* ---- pseudorandom ones: begin, jump, the next 32 bits --------------------------------------------------------- */

#define VPTR_CURAND_PSEUDORANDOM(state_type, kind)                                                                     \
  VPTR_CURAND_CALL void curand_init(unsigned long long seed, unsigned long long subsequence,                           \
                                    unsigned long long offset, state_type *state) {                                    \
    vptr_curand_##kind##_begin(seed, subsequence, offset, state);                                                      \
  }                                                                                                                    \
  VPTR_CURAND_CALL void skipahead(unsigned long long n, state_type *state) { vptr_curand_##kind##_skip(state, n); }    \
  VPTR_CURAND_CALL void skipahead_sequence(unsigned long long n, state_type *state) {                                  \
    vptr_curand_##kind##_skip_sequences(state, n);                                                                     \
  }                                                                                                                    \
  VPTR_CURAND_CALL unsigned int curand(state_type *state) { return vptr_curand_##kind##_next(state); }

VPTR_CURAND_PSEUDORANDOM(curandStateXORWOW_t, xorwow)
VPTR_CURAND_PSEUDORANDOM(curandStatePhilox4_32_10_t, philox)
VPTR_CURAND_PSEUDORANDOM(curandStateMRG32k3a_t, mrg)

VPTR_CURAND_CALL void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *state) {
  vptr_curand_mrg_skip_subsequences(state, n);
}

VPTR_CURAND_CALL uint4 curand4(curandStatePhilox4_32_10_t *state) { return vptr_curand_philox_next4(state); }

/* ---- Sobol's sequences --------------------------------------------------------------------------------------- */

#define VPTR_CURAND_SOBOL(state_type, integer, bits)                                                                   \
  VPTR_CURAND_CALL void skipahead(integer n, state_type *state) {                                                      \
    state->i += n;                                                                                                     \
    state->x = vptr_sobol##bits##_at(state->direction_vectors, state->c, state->i);                                    \
  }                                                                                                                    \
  VPTR_CURAND_CALL void vptr_curand_begin(const integer *vectors, integer c, integer offset, state_type *state) {      \
    for (int k = 0; k < bits; k++)                                                                                     \
      state->direction_vectors[k] = vectors[k];                                                                        \
    state->c = c;                                                                                                      \
    state->i = 0;                                                                                                      \
    skipahead(offset, state);                                                                                          \
  }                                                                                                                    \
  VPTR_CURAND_CALL integer curand(state_type *state) {                                                                 \
    integer x = state->x;                                                                                              \
    state->x ^= state->direction_vectors[vptr_sobol_next_vector(state->i, bits)];                                      \
    state->i++;                                                                                                        \
    return x;                                                                                                          \
  }

VPTR_CURAND_SOBOL(curandStateSobol32_t, unsigned int, 32)
VPTR_CURAND_SOBOL(curandStateScrambledSobol32_t, unsigned int, 32)
VPTR_CURAND_SOBOL(curandStateSobol64_t, unsigned long long, 64)
VPTR_CURAND_SOBOL(curandStateScrambledSobol64_t, unsigned long long, 64)

#define VPTR_CURAND_SOBOL_INIT(plain_type, scrambled_type, integer)                                                    \
  VPTR_CURAND_CALL void curand_init(integer *direction_vectors, integer offset, plain_type *state) {                   \
    vptr_curand_begin(direction_vectors, 0, offset, state);                                                            \
  }                                                                                                                    \
  VPTR_CURAND_CALL void curand_init(integer *direction_vectors, integer scramble_c, integer offset,                    \
                                    scrambled_type *state) {                                                           \
    vptr_curand_begin(direction_vectors, scramble_c, offset, state);                                                   \
  }

VPTR_CURAND_SOBOL_INIT(curandStateSobol32_t, curandStateScrambledSobol32_t, unsigned int)
VPTR_CURAND_SOBOL_INIT(curandStateSobol64_t, curandStateScrambledSobol64_t, unsigned long long)

#include "curand_uniform.h"
#include "curand_normal.h"
#include "curand_lognormal.h"
#include "curand_poisson.h"
#include "curand_discrete.h"
#include "curand_discrete2.h"

#endif
