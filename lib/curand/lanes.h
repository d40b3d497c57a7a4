/* SPDX-License-Identifier: MIT */
/*
 * lanes - XORWOW, MRG32k3a and Philox: generators that draw from many subsequences at once (lane.h).
 *
 * No locks: a generator is used by one thread at a time.
 */
#ifndef VPTR_CURAND_LANES_H
#define VPTR_CURAND_LANES_H

#include "curand/call.h"
#include "curand/number.h"

/* Brings all lanes to where the offset says, if they are not. */
void vptr__rand_lanes_begin(vptr__rand_call *it);

/* Numbers of the request's kind, as many as its count, into what has been checked. */
void vptr__rand_lanes_fill(vptr__rand_call *it, vptr__rand_number number, const vptr_rand_request *wanted, void *to);

#endif
