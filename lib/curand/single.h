/* SPDX-License-Identifier: MIT */
/*
 * single - one number out of one word, as generators have it that are in step with their output: Sobol's and the
 * Mersenne twisters. Normal numbers are the inverse of the distribution function, since a pair of words would make two
 * dimensions of one. For the kernels and for the host.
 *
 * It is C, and CUDA C behind curand_kernel.h.
 */
#ifndef VPTR_CURAND_SINGLE_H
#define VPTR_CURAND_SINGLE_H

#include "lane.h"

/* Of words of a type: `narrow` takes the word that a float is made of. */
#define VPTR_RAND_SINGLES(name, integer, narrow, float_of, double_of, inverse_of)                                      \
  VPTR_CURAND_FUNCTION float vptr_rand_##name##_float(vptr_rand_request request, integer word) {                       \
    if (request.kind == VPTR_RAND_UNIFORM)                                                                             \
      return float_of(narrow(word));                                                                                   \
    float normal = (float)vptr_curand_inverse_of_word(narrow(word));                                                   \
    normal = (float)request.mean + (float)request.deviation * normal;                                                  \
    return request.kind == VPTR_RAND_LOG_NORMAL ? expf(normal) : normal;                                               \
  }                                                                                                                    \
  VPTR_CURAND_FUNCTION double vptr_rand_##name##_double(vptr_rand_request request, integer word) {                     \
    if (request.kind == VPTR_RAND_UNIFORM)                                                                             \
      return double_of(word);                                                                                          \
    double normal = request.mean + request.deviation * inverse_of(word);                                               \
    return request.kind == VPTR_RAND_LOG_NORMAL ? exp(normal) : normal;                                                \
  }                                                                                                                    \
  VPTR_CURAND_FUNCTION unsigned int vptr_rand_##name##_word(vptr_rand_request request, integer word) {                 \
    if (request.kind != VPTR_RAND_POISSON)                                                                             \
      return narrow(word);                                                                                             \
    return request.mean < 1000 ? vptr_curand_poisson_inverse(double_of(word), request.mean)                            \
                               : vptr_curand_rounded(inverse_of(word), request.mean, sqrt(request.mean));              \
  }                                                                                                                    \
  VPTR_CURAND_FUNCTION unsigned long long vptr_rand_##name##_long(vptr_rand_request request, integer word) {           \
    (void)request;                                                                                                     \
    return word;                                                                                                       \
  }

#define VPTR_RAND_ALL_OF(word) (word)
#define VPTR_RAND_UPPER_OF(word) ((unsigned int)((word) >> 32))

VPTR_RAND_SINGLES(single, unsigned int, VPTR_RAND_ALL_OF, vptr_curand_float, vptr_curand_double_of_word,
                  vptr_curand_inverse_of_word)
VPTR_RAND_SINGLES(wide, unsigned long long, VPTR_RAND_UPPER_OF, vptr_curand_float, vptr_curand_double_of_long,
                  vptr_curand_inverse_of_long)

#endif
