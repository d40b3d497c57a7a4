/* SPDX-License-Identifier: MIT */
/*
 * sobol - how the output of Sobol's generators is drawn: for the kernels and for the host.
 *
 * A point has a number for each dimension, and the output has all numbers of the first dimension, then all of the
 * second, and so on: cuRAND's order. Threads of a dimension are 2^taken, and each steps by as many points: two such
 * points' Gray codes differ by two bits, so that a step is two sums. What a request's members mean here:
 *
 *     at, count        the first point, and how many there are
 *     lanes, taken     threads of a dimension, and the logarithm of that
 *
 * A dimension has its direction vectors, and behind them the constant that its sums begin with.
 *
 * It is C, and CUDA C behind curand_kernel.h.
 */
#ifndef VPTR_CURAND_SOBOL_H
#define VPTR_CURAND_SOBOL_H

#include "single.h"

#ifndef __CUDACC__
#include <vptr/cuda/vptr_curand_sobol.h>
#endif

typedef unsigned int vptr_rand_sobol32;
typedef unsigned long long vptr_rand_sobol64;

/* What thread `thread` of all dimensions' threads draws. */
#define VPTR_RAND_FILL_SOBOL(bits, single, plural, number, number_of)                                                  \
  VPTR_CURAND_FUNCTION void vptr_rand_fill_sobol##bits##_##plural(                                                     \
      const vptr_rand_sobol##bits *all, vptr_rand_request request, unsigned long long thread, number *to) {            \
    unsigned long long dimension = thread / request.lanes, i = thread % request.lanes;                                 \
    const vptr_rand_sobol##bits *vectors = all + dimension * (bits + 1);                                               \
    int stride = (int)request.taken;                                                                                   \
    vptr_rand_sobol##bits along = stride > 0 ? vectors[stride - 1] : 0;                                                \
    vptr_rand_sobol##bits x =                                                                                          \
        vptr_sobol##bits##_at(vectors, vectors[bits], (vptr_rand_sobol##bits)(request.at + i));                        \
    to += dimension * request.count;                                                                                   \
    for (; i < request.count; i += request.lanes) {                                                                    \
      to[i] = vptr_rand_##single##_##number_of(request, x);                                                            \
      x ^= along ^ vectors[stride + vptr_sobol_next_vector((request.at + i) >> stride, bits - stride)];                \
    }                                                                                                                  \
  }

VPTR_RAND_FILL_SOBOL(32, single, words, unsigned int, word)
VPTR_RAND_FILL_SOBOL(32, single, floats, float, float)
VPTR_RAND_FILL_SOBOL(32, single, doubles, double, double)
VPTR_RAND_FILL_SOBOL(64, wide, words, unsigned int, word)
VPTR_RAND_FILL_SOBOL(64, wide, longs, unsigned long long, long)
VPTR_RAND_FILL_SOBOL(64, wide, floats, float, float)
VPTR_RAND_FILL_SOBOL(64, wide, doubles, double, double)

#endif
