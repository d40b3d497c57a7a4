/* SPDX-License-Identifier: MIT */
/*
 * triangle - the order in which rows of a triangular system can be solved: level by level.
 *
 * It is found on the host, of a copy of the indices, and kept on the device: the entries beside the diagonal that
 * count, where their values are, and rows in the order of levels. Values are read when it is used, so that others of
 * the same pattern need no new analysis.
 *
 * No locks: it belongs to a descriptor of the program's.
 */
#ifndef VPTR_CUSPARSE_TRIANGLE_H
#define VPTR_CUSPARSE_TRIANGLE_H

#include "cusparse/kernel.h"
#include "cusparse/lines.h"

typedef struct vptr__sparse_triangle {
  vptr_mapper *mapper;
  int rows, level_count;
  int *level_starts; /* on the host: level_count + 1 */
  int missing;       /* the first row without a diagonal entry; INT_MAX: none */
  void *memory;      /* on the device: what follows, and `pivot` */
  int *level_offsets, *order, *offsets, *columns, *places, *diagonal, *pivot;
} vptr__sparse_triangle;

/* Of a square matrix, or of one that is transposed; waits for the stream. NULL: noted. */
vptr__sparse_triangle *vptr__sparse_triangle_make(vptr__sparse_call *call, const vptr__sparse_lines *lines,
                                                  bool is_transposed, cusparseFillMode_t fill);
void vptr__sparse_triangle_free(vptr__sparse_triangle *triangle);

/* The first places of `arguments`: levels from *first to the one before *last, and the triangle. */
enum { VPTR__SPARSE_TRIANGLE_ARGUMENTS = 8 };
void vptr__sparse_triangle_fill(const vptr__sparse_triangle *triangle, const int *first, const int *last,
                                const void **arguments);

/* Sends what a level takes for each, a thread a row. The first places of `arguments` are filled in here. */
void vptr__sparse_triangle_launch(vptr__sparse_call *call, const vptr__sparse_triangle *triangle,
                                  vptr__sparse_kernel kernel, int64_t sides, const void **arguments);

#endif
