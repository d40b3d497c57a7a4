/* SPDX-License-Identifier: MIT */
/*
 * sparse_loops - matrices in CSR on the host, and the plain loops in C that cuSPARSE's calls are measured beside.
 *
 * A loop is what a programmer writes first: one thread, row by row, as the compiler makes it. Each row of an even
 * matrix has PER_ROW entries. Of a skewed one each has half as many, but for one row in RARE, which has as many as the
 * others of its RARE together, or a full row if that is less. Columns are random, and in order.
 */
#ifndef BENCH_SPARSE_LOOPS_H
#define BENCH_SPARSE_LOOPS_H

#include <stdbool.h>
#include <stddef.h>

enum { PER_ROW = 16, RARE = 1024 };

typedef struct sparse_matrix {
  int order, entries; /* square */
  int *offsets, *columns;
  double *values;     /* of both widths, the same */
  float *narrow;
} sparse_matrix;

/* Of so many rows, PER_ROW or more. False: there is no memory; sparse_matrix_end() is due all the same. */
bool sparse_matrix_begin(sparse_matrix *matrix, int order, bool is_skewed);
void sparse_matrix_end(sparse_matrix *matrix);

/* y = A x. */
void sparse_loop_float(const sparse_matrix *a, const float *x, float *y);
void sparse_loop_double(const sparse_matrix *a, const double *x, double *y);

/* C = A B, both dense matrices in rows of so many columns. */
void sparse_loop_dense(const sparse_matrix *a, const float *b, float *c, int columns);

/* A A, with columns in order: row by row, into a row of all columns that is then gathered. */
typedef struct sparse_square {
  int *offsets, *columns;
  float *values;
  int room;         /* for entries */
  float *row;
  bool *is_there;
} sparse_square;

/* Room for the square of a matrix. False: there is no memory; sparse_square_end() is due all the same. */
bool sparse_square_begin(sparse_square *square, const sparse_matrix *a);
void sparse_square_end(sparse_square *square);
void sparse_loop_square(const sparse_matrix *a, sparse_square *square);

#endif
