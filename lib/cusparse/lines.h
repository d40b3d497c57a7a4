/* SPDX-License-Identifier: MIT */
/*
 * lines - a sparse matrix as kernels see it: entries in lines, which are rows, or columns of one that is turned.
 *
 * CSR is rows, CSC columns; of COO, whose entries are in the order of rows, offsets are found by the device and live as
 * long as the call.
 */
#ifndef VPTR_CUSPARSE_LINES_H
#define VPTR_CUSPARSE_LINES_H

#include "cusparse/call.h"
#include "cusparse/descriptor.h"

/* Indices of either width: one of the pointers is NULL. */
typedef struct vptr__sparse_indices {
  const void *narrow, *wide;
} vptr__sparse_indices;

typedef struct vptr__sparse_lines {
  bool is_turned;
  int64_t count, length, entries; /* lines, and how many places each has */
  vptr__sparse_indices offsets, indices;
  int64_t base, index_base;       /* of offsets; of indices */
  const void *values;
} vptr__sparse_lines;

vptr__sparse_indices vptr__sparse_indices_of(cusparseIndexType_t type, const void *memory);
static inline size_t vptr__sparse_index_size(cusparseIndexType_t type) {
  return type == CUSPARSE_INDEX_64I ? sizeof(int64_t) : sizeof(int);
}

/* The matrix, whose memory is checked; it has to be of the call's type, and of a format that there is. */
vptr__sparse_lines vptr__sparse_lines_of(vptr__sparse_call *call, const char *what, cusparseConstSpMatDescr_t matrix);
/* The same; but of COO, `offsets` are the rows of entries, from the base on. */
vptr__sparse_lines vptr__sparse_entries_of(vptr__sparse_call *call, const char *what, cusparseConstSpMatDescr_t matrix);

/* The same of a matrix as functions with names of types are given one: CSR with ints, which has to be general. Values
 * that are not looked at have no size. */
vptr__sparse_lines vptr__sparse_general_lines(vptr__sparse_call *call, const char *what, cusparseMatDescr_t descr,
                                              int rows, int columns, int nnz, const void *values, size_t value_size,
                                              const int *offsets, const int *indices);

/* A dense operand: not NULL, of the call's type, in live memory. */
void vptr__sparse_require_vector(vptr__sparse_call *call, const char *what, cusparseConstDnVecDescr_t vector,
                                 int64_t size);
void vptr__sparse_require_matrix(vptr__sparse_call *call, const char *what, cusparseConstDnMatDescr_t matrix,
                                 int64_t rows, int64_t columns);

/* How far elements are apart in a column, and in a row; the other way round for one that an operation turns. */
typedef struct vptr__sparse_steps {
  int64_t down, along;
} vptr__sparse_steps;

static inline vptr__sparse_steps vptr__sparse_steps_of(cusparseConstDnMatDescr_t matrix, bool is_turned) {
  bool is_by_columns = (matrix->order == CUSPARSE_ORDER_COL) != is_turned;
  vptr__sparse_steps by_columns = { 1, matrix->ld }, by_rows = { matrix->ld, 1 };
  return is_by_columns ? by_columns : by_rows;
}

/* A dense operand as a kernel takes it, by an operation. */
typedef struct vptr__sparse_dense {
  const void *at;
  vptr__sparse_steps steps;
  int conjugates;
} vptr__sparse_dense;

static inline vptr__sparse_dense vptr__sparse_dense_of(cusparseConstDnMatDescr_t matrix,
                                                       cusparseOperation_t operation) {
  return (vptr__sparse_dense){ matrix->values,
                               vptr__sparse_steps_of(matrix, operation != CUSPARSE_OPERATION_NON_TRANSPOSE),
                               operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE };
}

/* What vptr__sparse_require_matrix() asks, of one that is so large when the operation has turned it. */
void vptr__sparse_require_operand(vptr__sparse_call *call, const char *what, cusparseConstDnMatDescr_t matrix,
                                  cusparseOperation_t operation, int64_t rows, int64_t columns);

#endif
