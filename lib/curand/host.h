/* SPDX-License-Identifier: MIT */
/*
 * host - what the library's kernels do, by the host: for generators of curandCreateGeneratorHost().
 *
 * No state, no locks: lanes and output are the caller's.
 */
#ifndef VPTR_CURAND_HOST_H
#define VPTR_CURAND_HOST_H

#include "curand/generator.h"
#include "curand/lane.h"

/* Which type of numbers a call wants; in the order of the kernels' names (generate.c). */
typedef enum vptr__rand_number { VPTR__RAND_WORDS, VPTR__RAND_FLOATS, VPTR__RAND_DOUBLES } vptr__rand_number;

/* All lanes of a generator that so many units are behind of. */
void vptr__rand_host_begin(curandRngType_t type, const vptr_rand_request *request, unsigned long long units,
                           void *states);

/* The units of the first `threads` lanes from request->at on, and all that is rounds behind them. */
void vptr__rand_host_fill(curandRngType_t type, vptr__rand_number number, void *states,
                          const vptr_rand_request *request, unsigned long long threads, void *to);

#endif
