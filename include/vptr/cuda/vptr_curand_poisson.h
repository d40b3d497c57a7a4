/* SPDX-License-Identifier: MIT */
/*
 * vptr_curand_poisson - numbers of Poisson's distribution, made of uniform and normal ones.
 *
 * Of a pseudorandom generator as many draws as it takes: products of uniform numbers for small means (Knuth),
 * Hoermann's transformed rejection (PTRS, 1993) up to 4000, and a rounded normal number beyond. Of Sobol's one number
 * each, so that they stay in step: the inverse of the distribution function, and from 1000 on a rounded normal number.
 * The distribution is Poisson's; the values are not cuRAND's.
 */
#if !defined(__CUDACC__) && defined(__GNUC__)
#pragma GCC system_header /* C++ of 1998, and C of 1989, have long long as an extension */
#endif
#ifndef VPTR_CURAND_POISSON_H_
#define VPTR_CURAND_POISSON_H_

#include <math.h>

#include "vptr_curand_types.h"

/* ---- from one number ----------------------------------------------------------------------------------------- */

VPTR_CURAND_FUNCTION unsigned int vptr_curand_rounded(double normal, double mean, double stddev) {
  double rounded = floor(stddev * normal + mean + 0.5);
  return rounded > 0 ? (unsigned int)rounded : 0;
}

/* For u up to 1 and means below 1000: goes up from 0, by logarithms, since the first probability may be no double. It
 * ends where terms are too small to change the sum. */
VPTR_CURAND_FUNCTION unsigned int vptr_curand_poisson_inverse(double u, double lambda) {
  unsigned int k = 0;
  double log_term = -lambda, sum = exp(log_term), before = -1, log_lambda = log(lambda);
  while (sum < u && (k < lambda || sum > before)) {
    k++;
    log_term += log_lambda - log((double)k);
    before = sum;
    sum += exp(log_term);
  }
  return k;
}

/* ---- from as many as it takes ------------------------------------------------------------------------------- */

/* What Hoermann's rejection knows of a mean. */
struct vptr_curand_ptrs {
  double a, b, inverse_alpha, quick, log_lambda, lambda;
};

VPTR_CURAND_FUNCTION struct vptr_curand_ptrs vptr_curand_ptrs_of(double lambda) {
  struct vptr_curand_ptrs it;
  it.b = 0.931 + 2.53 * sqrt(lambda);
  it.a = -0.059 + 0.02483 * it.b;
  it.inverse_alpha = 1.1239 + 1.1328 / (it.b - 3.4);
  it.quick = 0.9277 - 3.6224 / (it.b - 2);
  it.log_lambda = log(lambda);
  it.lambda = lambda;
  return it;
}

/* The number that u and v, both uniform, make, or -1: draw again. */
VPTR_CURAND_FUNCTION double vptr_curand_ptrs_try(struct vptr_curand_ptrs it, double u, double v) {
  double edge = 0.5 - fabs(u - 0.5);
  double k = floor((2 * it.a / edge + it.b) * (u - 0.5) + it.lambda + 0.43);
  if (edge >= 0.07 && v <= it.quick)
    return k;
  if (k < 0 || (edge < 0.013 && v > edge))
    return -1;
  return log(v * it.inverse_alpha / (it.a / (edge * edge) + it.b)) <=
                 k * it.log_lambda - it.lambda - lgamma(k + 1)
             ? k
             : -1;
}

/* The statements of a function whose result is such a number, with mean lambda: `uniform` and the others are
 * expressions that draw. */
#define VPTR_CURAND_POISSON_BODY(lambda, uniform, uniform_double, normal_double)                                       \
  if (lambda > 4000)                                                                                                   \
    return vptr_curand_rounded(normal_double, lambda, sqrt(lambda));                                                   \
  if (lambda < 64) {                                                                                                   \
    double product = exp(lambda) * uniform;                                                                            \
    unsigned int count = 0;                                                                                            \
    for (; product > 1; count++)                                                                                       \
      product *= uniform;                                                                                              \
    return count;                                                                                                      \
  }                                                                                                                    \
  struct vptr_curand_ptrs it = vptr_curand_ptrs_of(lambda);                                                            \
  double k = -1;                                                                                                       \
  while (k < 0) {                                                                                                      \
    double u = uniform_double;                                                                                         \
    k = vptr_curand_ptrs_try(it, u, uniform_double);                                                                   \
  }                                                                                                                    \
  return (unsigned int)k;

#endif
