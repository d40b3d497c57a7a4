/* SPDX-License-Identifier: MIT */
/*
 * sequence - what conform_sequence.c has a generator do, and what cuRAND's 10.4 gave for it: a hash of all bits of
 * numbers that are cuRAND's own, or six of them, where they stand on a device's logarithm.
 */
#ifndef SEQUENCE_H
#define SEQUENCE_H

#include <curand.h>

enum { WORDS, FLOATS, DOUBLES, NORMALS, NORMALS_DOUBLE, LOG_NORMALS, LONGS };

/* Two calls, one behind the other, of so many numbers. Sobol's sequences have dimensions for a seed; MT19937 has no
 * offset. */
typedef struct sequence {
  curandRngType_t type;
  curandOrdering_t ordering;
  unsigned long long seed, offset;
  int number;
  size_t first, then;
  unsigned long long hash;
  double some[6];
} sequence;

static const sequence sequences[] = {
#include "golden.h"
};

#endif
