/* SPDX-License-Identifier: MIT */
/*
 * kernels - the kernels of libvptr-curand, in CUDA C; vptrcc makes a module of it when the library is built, which the
 * library carries as a text and loads when it is first needed. A thread has one lane (lane.h), or
 * numbers of one dimension (sobol.h).
 */
#include "curand_kernel.h"

#include "../mt19937.h"
#include "../sobol.h"

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

FILL(sobol32, words, unsigned int)
FILL(sobol32, floats, float)
FILL(sobol32, doubles, double)
FILL(sobol64, words, unsigned int)
FILL(sobol64, floats, float)
FILL(sobol64, doubles, double)
FILL(sobol64, longs, unsigned long long)

FILL(mt19937, words, unsigned int)
FILL(mt19937, floats, float)
FILL(mt19937, doubles, double)

__global__ void mt19937_advance(unsigned int *states) {
  if (THREAD < VPTR_RAND_MT_LANES)
    vptr_rand_mt19937_advance(states + THREAD, VPTR_RAND_MT_LANES);
}
