/* SPDX-License-Identifier: MIT */
/*
 * curand_mrg32k3a - L'Ecuyer's combined recursive generator MRG32k3a, with cuRAND's seeds and subsequences, 2^76 apart.
 *
 * Jumps: the state n steps on is a polynomial of the step, x^n modulo the recurrence's own polynomial, and takes three
 * coefficients where a power of the step's matrix takes nine.
 */
#if !defined(__CUDACC__) && defined(__GNUC__)
#pragma GCC system_header /* C++ of 1998, and C of 1989, have long long as an extension */
#endif
#if !defined(CURAND_MRG32K3A_H_) && (defined(__cplusplus) || defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L)
#define CURAND_MRG32K3A_H_

#include "vptr_curand_types.h"

#define VPTR_MRG32K3A_M1 4294967087u
#define VPTR_MRG32K3A_M2 4294944443u
#define MRG32K3A_NORM (2.3283065498378288e-10)
#define MRG32K3A_BITS_NORM 1.000000048662

struct curandStateMRG32k3a {
  unsigned int s1[3];
  unsigned int s2[3];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

/* What one of the two recurrences is: x[n+3] = up1 * x[n+1] + up2 * x[n+2] - down * x[n], modulo m. */
struct vptr_mrg_recurrence {
  unsigned int m, up1, up2, down;
};

VPTR_CURAND_FUNCTION unsigned long long vptr_mrg_product(unsigned long long a, unsigned long long b, unsigned int m) {
  return a * b % m;
}

/* into = a * b, modulo the recurrence's polynomial; `into` may be either. */
VPTR_CURAND_FUNCTION void vptr_mrg_multiply(struct vptr_mrg_recurrence r, const unsigned int *a, const unsigned int *b,
                                            unsigned int *into) {
  unsigned long long c[5] = { 0, 0, 0, 0, 0 };
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      c[i + j] += vptr_mrg_product(a[i], b[j], r.m);
  for (int degree = 4; degree >= 3; degree--) {
    unsigned long long top = c[degree] % r.m;
    c[degree - 1] += vptr_mrg_product(top, r.up2, r.m);
    c[degree - 2] += vptr_mrg_product(top, r.up1, r.m);
    c[degree - 3] += r.m - vptr_mrg_product(top, r.down, r.m);
  }
  for (int i = 0; i < 3; i++)
    into[i] = (unsigned int)(c[i] % r.m);
}

VPTR_CURAND_FUNCTION unsigned int vptr_mrg_step(struct vptr_mrg_recurrence r, unsigned int *s) {
  unsigned long long next = (unsigned long long)r.down * (r.m - s[0]) +
                            ((unsigned long long)r.up1 * s[1] + (unsigned long long)r.up2 * s[2]);
  s[0] = s[1];
  s[1] = s[2];
  return s[2] = (unsigned int)(next % r.m);
}

/* n times as far as the polynomial b0 + b1 x + b2 x^2 goes. */
VPTR_CURAND_FUNCTION void vptr_mrg_jump(struct vptr_mrg_recurrence r, unsigned int b0, unsigned int b1, unsigned int b2,
                                        unsigned long long n, unsigned int *s) {
  unsigned int power[3] = { 1, 0, 0 }, base[3], from[3];
  base[0] = b0, base[1] = b1, base[2] = b2;
  if (n == 0)
    return;
  for (; n != 0; n >>= 1) {
    if (n & 1)
      vptr_mrg_multiply(r, power, base, power);
    if (n > 1)
      vptr_mrg_multiply(r, base, base, base);
  }
  from[0] = s[0], from[1] = s[1], from[2] = s[2];
  unsigned long long to[3];
  for (int i = 0; i < 3; i++) {
    to[i] = vptr_mrg_product(power[0], from[0], r.m) + vptr_mrg_product(power[1], from[1], r.m) +
            vptr_mrg_product(power[2], from[2], r.m);
    vptr_mrg_step(r, from);
  }
  for (int i = 0; i < 3; i++)
    s[i] = (unsigned int)(to[i] % r.m);
}

VPTR_CURAND_FUNCTION struct vptr_mrg_recurrence vptr_mrg_first(void) {
  struct vptr_mrg_recurrence r;
  r.m = VPTR_MRG32K3A_M1, r.up1 = 1403580u, r.up2 = 0, r.down = 810728u;
  return r;
}

VPTR_CURAND_FUNCTION struct vptr_mrg_recurrence vptr_mrg_second(void) {
  struct vptr_mrg_recurrence r;
  r.m = VPTR_MRG32K3A_M2, r.up1 = 0, r.up2 = 527612u, r.down = 1370589u;
  return r;
}

VPTR_CURAND_FUNCTION void vptr_curand_mrg_skip(struct curandStateMRG32k3a *state, unsigned long long n) {
  vptr_mrg_jump(vptr_mrg_first(), 0, 1, 0, n, state->s1);
  vptr_mrg_jump(vptr_mrg_second(), 0, 1, 0, n, state->s2);
}

/* n times 2^76 steps: the numbers are x^(2^76). */
VPTR_CURAND_FUNCTION void vptr_curand_mrg_skip_subsequences(struct curandStateMRG32k3a *state, unsigned long long n) {
  vptr_mrg_jump(vptr_mrg_first(), 82758667u, 1871391091u, 4127413238u, n, state->s1);
  vptr_mrg_jump(vptr_mrg_second(), 1511326704u, 3759209742u, 1610795712u, n, state->s2);
}

/* n times 2^127 steps. */
VPTR_CURAND_FUNCTION void vptr_curand_mrg_skip_sequences(struct curandStateMRG32k3a *state, unsigned long long n) {
  vptr_mrg_jump(vptr_mrg_first(), 2427906178u, 3580155704u, 949770784u, n, state->s1);
  vptr_mrg_jump(vptr_mrg_second(), 1464411153u, 277697599u, 1610723613u, n, state->s2);
}

/* 1 to the first modulus. */
VPTR_CURAND_FUNCTION unsigned int vptr_curand_mrg_value(struct curandStateMRG32k3a *state) {
  unsigned int first = vptr_mrg_step(vptr_mrg_first(), state->s1);
  unsigned int second = vptr_mrg_step(vptr_mrg_second(), state->s2);
  return first > second ? first - second : first - second + VPTR_MRG32K3A_M1;
}

VPTR_CURAND_FUNCTION unsigned int vptr_curand_mrg_next(struct curandStateMRG32k3a *state) {
  return (unsigned int)(vptr_curand_mrg_value(state) * MRG32K3A_BITS_NORM);
}

VPTR_CURAND_FUNCTION void vptr_curand_mrg_begin(unsigned long long seed, unsigned long long subsequence,
                                                unsigned long long offset, struct curandStateMRG32k3a *state) {
  unsigned int low = seed != 0 ? (unsigned int)seed ^ 0x55555555u : 1;
  unsigned int high = seed != 0 ? (unsigned int)(seed >> 32) ^ 0xaaaaaaaau : 1;
  for (int i = 0; i < 3; i++) {
    state->s1[i] = (unsigned int)vptr_mrg_product(i == 1 ? high : low, 12345u, VPTR_MRG32K3A_M1);
    state->s2[i] = (unsigned int)vptr_mrg_product(i == 1 ? low : high, 12345u, VPTR_MRG32K3A_M2);
  }
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
  vptr_curand_mrg_skip_subsequences(state, subsequence);
  vptr_curand_mrg_skip(state, offset);
}

#endif
