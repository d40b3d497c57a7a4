/* SPDX-License-Identifier: MIT */
/*
 * rect - the arithmetic of pitched memory: rows of bytes, at equal distances, in slices at equal distances.
 *
 *     offset --> |<- region[0] ->|......|               |......|          row:   from one | to the next
 *                |               |......|               |......|  ...     slice: from one rect of rows to the next
 *                 region[1] rows          region[2] slices                dots:  gaps, which nobody touches
 *
 * Pure functions of their arguments: no locks.
 */
#ifndef VPTR_TRANSFER_RECT_H
#define VPTR_TRANSFER_RECT_H

#include <stdbool.h>
#include <stddef.h>

#include "transfer/async.h"
#include "transfer/endpoint.h"

/* An operand whose bytes are held: an endpoint with its pitches. */
typedef struct vptr__pitched_endpoint {
  vptr__endpoint memory;
  size_t row, slice;
  bool pinned;
} vptr__pitched_endpoint;

static inline bool vptr__rect_is_empty(const size_t region[3]) {
  return region[0] == 0 || region[1] == 0 || region[2] == 0;
}

static inline bool vptr__rect_is_line(const size_t region[3]) {
  return region[1] == 1 && region[2] == 1;
}

/* How a transfer uses all from the first to behind the last byte of its destination, flattened: gaps keep what they
 * have. */
static inline vptr_access vptr__rect_access(const size_t region[3]) {
  return vptr__rect_is_line(region) ? VPTR_ACCESS_DISCARD_WRITE : VPTR_ACCESS_WRITE;
}

/* The bytes in the rect itself, gaps left out. The rect has passed vptr__rect_check(). */
static inline size_t vptr__rect_bytes(const size_t region[3]) {
  return region[0] * region[1] * region[2];
}

/* Whether a rect that is not empty fits its pitches; *reach_out: from its first byte to behind its last. Says what is
 * wrong. Errors: INVALID_ARGUMENT (rows or slices overlap), INVALID_SIZE (it runs past the end of the address
 * space). */
vptr_status vptr__rect_check(const vptr__operand *operand, const size_t region[3], size_t *reach_out);

/* Describes the same bytes with fewer dimensions where there are no gaps in either endpoint (the second may be NULL),
 * and gives pitches that are not needed their least value. */
void vptr__rect_flatten(vptr__pitched_endpoint *pitched, vptr__pitched_endpoint *other, size_t region[3]);

/* Whether two rects of one buffer, with equal pitches, have a byte in common. */
bool vptr__rect_overlap(const vptr__pitched_endpoint *a, const vptr__pitched_endpoint *b, const size_t region[3]);

/* How a rect falls into pieces of at most `limit` bytes each, in the order of addresses. */
typedef struct vptr__cut {
  size_t region[3];
  size_t step[3];
  size_t count; /* of pieces */
} vptr__cut;

vptr__cut vptr__cut_make(const size_t region[3], size_t limit);

/* The index-th piece: where it begins, in bytes, rows and slices from the start, and its own region. */
void vptr__cut_piece(const vptr__cut *cut, size_t index, size_t at[3], size_t piece[3]);

/* What the largest piece takes. */
size_t vptr__cut_bytes(const vptr__cut *cut);

#endif
