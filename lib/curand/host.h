/* SPDX-License-Identifier: MIT */
/*
 * host - what the library's kernels do, by the host: for generators of curandCreateGeneratorHost().
 *
 * No state, no locks: lanes and output are the caller's.
 */
#ifndef VPTR_CURAND_HOST_H
#define VPTR_CURAND_HOST_H

#include "curand/generator.h"
#include "curand/number.h"

/* All lanes of a generator that so many units are behind of. */
void vptr__rand_host_begin(const vptr__rand_type *type, const vptr_rand_request *request, unsigned long long units,
                           void *states);

/* What so many threads of the kernel draw: of lanes, the units of the first `threads` from request->at on, and all that
 * is rounds behind them. */
void vptr__rand_host_fill(const vptr__rand_type *type, vptr__rand_number number, void *states,
                          const vptr_rand_request *request, unsigned long long threads, void *to);

#endif
