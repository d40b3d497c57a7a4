/* SPDX-License-Identifier: MIT */
/*
 * number - which type of numbers a call wants.
 *
 * Constant, no locks. The order is that of the kernels' names (kernel.c).
 */
#ifndef VPTR_CURAND_NUMBER_H
#define VPTR_CURAND_NUMBER_H

#include "curand/lane.h"

typedef enum vptr__rand_number {
  VPTR__RAND_WORDS,
  VPTR__RAND_FLOATS,
  VPTR__RAND_DOUBLES,
  VPTR__RAND_LONGS
} vptr__rand_number;

#endif
