/* SPDX-License-Identifier: MIT */
/*
 * quasi - Sobol's generators, scrambled or not, of 32 and 64 bits (sobol.h): direction vectors where the output is, and
 * a point's number.
 *
 * No locks: a generator is used by one thread at a time.
 */
#ifndef VPTR_CURAND_QUASI_H
#define VPTR_CURAND_QUASI_H

#include "curand/call.h"
#include "curand/number.h"

/* The direction vectors of the generator's dimensions, if they are not there. */
void vptr__rand_quasi_begin(vptr__rand_call *it);

/* Numbers of the request's kind, its count by the dimensions of each, into what has been checked. */
void vptr__rand_quasi_fill(vptr__rand_call *it, vptr__rand_number number, const vptr_rand_request *wanted, void *to);

#endif
