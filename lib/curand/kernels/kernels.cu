/* SPDX-License-Identifier: MIT */
/*
 * kernels - the kernels of libvptr-curand, in CUDA C; vptrcc makes a module of it when the library is built, which the
 * library carries as a text and loads when it is first needed. A thread has one lane (lane.h).
 */
#include "curand_kernel.h"

#include "../lane.h"

#define THREAD ((unsigned long long)blockIdx.x * blockDim.x + threadIdx.x)

#define BEGIN(name)                                                                                                    \
  __global__ void name##_begin(vptr_rand_##name *states, vptr_rand_request request, unsigned long long units) {        \
    if (THREAD < request.lanes)                                                                                        \
      vptr_rand_##name##_begin(request, units, THREAD, &states[THREAD]);                                               \
  }

#define FILL(name, plural, number)                                                                                     \
  __global__ void name##_##plural(vptr_rand_##name *states, vptr_rand_request request, unsigned long long threads,     \
                                  number *to) {                                                                        \
    if (THREAD < threads)                                                                                              \
      vptr_rand_fill_##name##_##plural(states, request, THREAD, to);                                                   \
  }

#define GENERATOR(name)                                                                                                \
  BEGIN(name)                                                                                                          \
  FILL(name, words, unsigned int)                                                                                      \
  FILL(name, floats, float)                                                                                            \
  FILL(name, doubles, double)

GENERATOR(xorwow)
GENERATOR(mrg)
GENERATOR(philox)
