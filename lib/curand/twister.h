/* SPDX-License-Identifier: MIT */
/*
 * twister - MT19937 (mt19937.h): lanes that begin far apart in one sequence, and blocks of their numbers.
 *
 * No locks: a generator is used by one thread at a time.
 */
#ifndef VPTR_CURAND_TWISTER_H
#define VPTR_CURAND_TWISTER_H

#include "curand/call.h"
#include "curand/number.h"

/* The first lanes of the generator, as many as that or all, from the seed on if it has not begun. */
void vptr__rand_twister_begin(vptr__rand_call *it, unsigned long long lanes);

/* Numbers of the request's kind, as many as its count, into what has been checked. */
void vptr__rand_twister_fill(vptr__rand_call *it, vptr__rand_number number, const vptr_rand_request *wanted, void *to);

#endif
