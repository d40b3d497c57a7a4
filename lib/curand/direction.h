/* SPDX-License-Identifier: MIT */
/*
 * direction - the direction vectors of Sobol's sequences, of Joe and Kuo's set for 20,000 dimensions, and their
 * scrambled ones with constants.
 *
 * They are made of the set's initial numbers (joe-kuo-6.txt) and of primitive polynomials, for as many dimensions as
 * were asked for so far, and stay where they are: a program may keep pointers to them. Vectors of 32 bits are the upper
 * halves of those of 64.
 *
 * Lock: `lock` of direction.c, of rank LEAF, while vectors are made. What was asked for is constant then.
 */
#ifndef VPTR_CURAND_DIRECTION_H
#define VPTR_CURAND_DIRECTION_H

#include <stdbool.h>

#include <vptr/cuda/curand.h>
#include <vptr/vptr.h>

enum { VPTR__RAND_DIMENSIONS = 20000, VPTR__RAND_JOE_KUO_LINE = 104 };

/* The table, as joe-kuo.awk makes it when the library is built. */
extern const char vptr__rand_joe_kuo[][VPTR__RAND_JOE_KUO_LINE + 1];

typedef struct vptr__rand_directions {
  curandDirectionVectors64_t *vectors;
  unsigned long long *constants; /* zeros, if not scrambled */
} vptr__rand_directions;

/* Of the first `dimensions`, at most 20,000. */
vptr_status vptr__rand_directions_of(const char *call, bool is_scrambled, unsigned int dimensions,
                                     vptr__rand_directions *directions_out);

#endif
