/* SPDX-License-Identifier: MIT */
/*
 * blocked - a matrix of blocks, BSR or blocked ELL, as kernels see it (kernels/blocked.cuh).
 *
 * Both are rows of blocks of which each has an index; they differ in where a row begins and in where a value lies:
 *
 *     BSR           a row begins at its offset; a block's values follow each other, in rows or in columns
 *     blocked ELL   all rows have as many blocks; the values are one matrix in rows, in which blocks lie side by side
 *
 * No state and no locks.
 */
#ifndef VPTR_CUSPARSE_BLOCKED_H
#define VPTR_CUSPARSE_BLOCKED_H

#include "cusparse/kernel.h"
#include "cusparse/lines.h"

typedef struct vptr__sparse_blocked {
  int64_t rows;                          /* of blocks */
  vptr__sparse_indices offsets, indices; /* no offsets: `slots` a row */
  int64_t base, slots;
  int height, width;
  int64_t step, down, along; /* from block to block, and in a block, of values */
  const void *values;
} vptr__sparse_blocked;

/* The matrix, whose memory is checked; it has to be of the call's type, and vptr__sparse_is_blocked(). */
vptr__sparse_blocked vptr__sparse_blocked_of(vptr__sparse_call *call, const char *what,
                                             cusparseConstSpMatDescr_t matrix);

/* The first arguments of its kernels; `it` is evaluated often. */
#define VPTR__SPARSE_BLOCKED(it)                                                                                     \
  &(it)->rows, &(it)->offsets.narrow, &(it)->offsets.wide, &(it)->indices.narrow, &(it)->indices.wide, &(it)->base,  \
      &(it)->slots, &(it)->height, &(it)->width, &(it)->step, &(it)->down, &(it)->along, &(it)->values

/* A block of threads for a row of blocks that has so many elements of a result, a thread each if there are as many. */
vptr__sparse_shape vptr__sparse_blocked_shape(const vptr__sparse_call *call, const vptr__sparse_blocked *it,
                                              int64_t elements);

#endif
