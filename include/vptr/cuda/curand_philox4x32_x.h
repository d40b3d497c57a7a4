/* SPDX-License-Identifier: MIT */
/*
 * curand_philox4x32_x - Philox4x32-10 of Salmon, Moraes, Dror and Shaw (2011), as cuRAND numbers its sequences: the
 * seed is the key, the upper half of the counter is the subsequence, and the lower half counts groups of four words.
 */
#if !defined(__CUDACC__) && defined(__GNUC__)
#pragma GCC system_header /* C++ of 1998, and C of 1989, have long long as an extension */
#endif
#if !defined(CURAND_PHILOX4X32_X__H_) && \
    (defined(__cplusplus) || defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L)
#define CURAND_PHILOX4X32_X__H_

#include "vptr_curand_types.h"

#define PHILOX_W32_0 (0x9E3779B9)
#define PHILOX_W32_1 (0xBB67AE85)
#define PHILOX_M4x32_0 (0xD2511F53)
#define PHILOX_M4x32_1 (0xCD9E8D57)

/* `output` are the four words of `ctr`, STATE of which have been taken. */
struct curandStatePhilox4_32_10 {
  uint4 ctr;
  uint4 output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

VPTR_CURAND_FUNCTION uint4 curand_Philox4x32_10(uint4 c, uint2 k) {
  for (int round = 0; round < 10; round++) {
    unsigned long long left = (unsigned long long)PHILOX_M4x32_0 * c.x;
    unsigned long long right = (unsigned long long)PHILOX_M4x32_1 * c.z;
    c.x = (unsigned int)(right >> 32) ^ c.y ^ k.x;
    c.y = (unsigned int)right;
    c.z = (unsigned int)(left >> 32) ^ c.w ^ k.y;
    c.w = (unsigned int)left;
    k.x += PHILOX_W32_0;
    k.y += PHILOX_W32_1;
  }
  return c;
}

/* The counter of so many groups further on. */
VPTR_CURAND_FUNCTION uint4 vptr_curand_philox_counter(uint4 counter, unsigned long long groups) {
  unsigned long long low = counter.x | (unsigned long long)counter.y << 32;
  unsigned long long sum = low + groups;
  counter.x = (unsigned int)sum;
  counter.y = (unsigned int)(sum >> 32);
  if (sum < low && ++counter.z == 0)
    counter.w++;
  return counter;
}

VPTR_CURAND_FUNCTION void vptr_curand_philox_skip(struct curandStatePhilox4_32_10 *state, unsigned long long n) {
  unsigned int taken = state->STATE + (unsigned int)(n & 3);
  state->ctr = vptr_curand_philox_counter(state->ctr, n / 4 + taken / 4);
  state->STATE = taken & 3;
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

VPTR_CURAND_FUNCTION void vptr_curand_philox_skip_sequences(struct curandStatePhilox4_32_10 *state,
                                                            unsigned long long n) {
  unsigned long long high = (state->ctr.z | (unsigned long long)state->ctr.w << 32) + n;
  state->ctr.z = (unsigned int)high;
  state->ctr.w = (unsigned int)(high >> 32);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

VPTR_CURAND_FUNCTION void vptr_curand_philox_begin(unsigned long long seed, unsigned long long subsequence,
                                                   unsigned long long offset,
                                                   struct curandStatePhilox4_32_10 *state) {
  state->ctr.x = state->ctr.y = 0;
  state->ctr.z = (unsigned int)subsequence;
  state->ctr.w = (unsigned int)(subsequence >> 32);
  state->key.x = (unsigned int)seed;
  state->key.y = (unsigned int)(seed >> 32);
  state->STATE = 0;
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
  vptr_curand_philox_skip(state, offset);
}

VPTR_CURAND_FUNCTION unsigned int vptr_curand_philox_next(struct curandStatePhilox4_32_10 *state) {
  unsigned int taken = state->STATE;
  unsigned int word = taken == 0   ? state->output.x
                      : taken == 1 ? state->output.y
                      : taken == 2 ? state->output.z
                                   : state->output.w;
  if (taken < 3)
    state->STATE = taken + 1;
  else
    vptr_curand_philox_skip(state, 1);
  return word;
}

/* The next four words, which may lie in two groups. */
VPTR_CURAND_FUNCTION uint4 vptr_curand_philox_next4(struct curandStatePhilox4_32_10 *state) {
  uint4 before = state->output, after, words = before;
  state->ctr = vptr_curand_philox_counter(state->ctr, 1);
  after = state->output = curand_Philox4x32_10(state->ctr, state->key);
  if (state->STATE == 1) {
    words.x = before.y, words.y = before.z, words.z = before.w, words.w = after.x;
  } else if (state->STATE == 2) {
    words.x = before.z, words.y = before.w, words.z = after.x, words.w = after.y;
  } else if (state->STATE == 3) {
    words.x = before.w, words.y = after.x, words.z = after.y, words.w = after.z;
  }
  return words;
}

#endif
