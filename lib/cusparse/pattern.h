/* SPDX-License-Identifier: MIT */
/*
 * pattern - where a product of two sparse matrices has entries: columns of its rows, in order.
 *
 * First products are counted, a row at a time; that tells how a row's columns are found (kernels/pattern.cuh). Then
 * columns are counted, and last they are written. What is counted stays in memory of the program's, between its calls.
 */
#ifndef VPTR_CUSPARSE_PATTERN_H
#define VPTR_CUSPARSE_PATTERN_H

#include "cusparse/lines.h"

typedef struct vptr__sparse_pattern {
  int64_t rows, columns;
  int64_t product_count;   /* below 0: not counted */
  int64_t nnz;             /* the same */
  int most;                /* products of a row */
  int *products, *counts;  /* on the device: of each row, products and columns */
} vptr__sparse_pattern;

/* A product of CSR matrices, A's columns being B's rows, as kernels take it: the first arguments. */
#define VPTR__SPARSE_FACTORS(a, b)                                                                                     \
  &(a)->count, &(a)->offsets.narrow, &(a)->offsets.wide, &(a)->base, &(a)->indices.narrow, &(a)->indices.wide,         \
      &(a)->index_base, &(b)->offsets.narrow, &(b)->offsets.wide, &(b)->base, &(b)->indices.narrow,                    \
      &(b)->indices.wide, &(b)->index_base

/* What the counts take of memory: never none. */
size_t vptr__sparse_pattern_bytes(int64_t rows);

/* Counts products into the memory, which is as large as that. Waits for the stream. */
void vptr__sparse_pattern_estimate(vptr__sparse_call *call, const vptr__sparse_lines *a, const vptr__sparse_lines *b,
                                   void *memory, vptr__sparse_pattern *out);

/* Counts entries; waits for the stream. */
void vptr__sparse_pattern_count(vptr__sparse_call *call, const vptr__sparse_lines *a, const vptr__sparse_lines *b,
                                vptr__sparse_pattern *pattern);

/* Writes offsets (rows + 1) and columns (nnz), both from 0 on, behind a count. */
void vptr__sparse_pattern_write(vptr__sparse_call *call, const vptr__sparse_lines *a, const vptr__sparse_lines *b,
                                const vptr__sparse_pattern *pattern, int64_t *offsets, int *columns);

#endif
