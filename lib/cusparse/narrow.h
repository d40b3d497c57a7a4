/* SPDX-License-Identifier: MIT */
/*
 * narrow - operands of half and bfloat16, for calls that compute in float: copies of them in floats are what kernels
 * read and write, and results are rounded once, at the end.
 *
 * A copy is memory of the call's own. A call says that it takes such operands (takes_narrow), checks them as they are,
 * and makes copies when all has been checked. Of an operand of another type, the copy is itself.
 */
#ifndef VPTR_CUSPARSE_NARROW_H
#define VPTR_CUSPARSE_NARROW_H

#include "cusparse/call.h"
#include "cusparse/descriptor.h"

/* So many lines of n elements, whose beginnings are `distance` apart. */
typedef struct vptr__sparse_extent {
  int64_t n, count, distance;
} vptr__sparse_extent;

static inline vptr__sparse_extent vptr__sparse_extent_of(int64_t n) {
  return (vptr__sparse_extent){ n, 1, n };
}

static inline vptr__sparse_extent vptr__sparse_extent_of_matrix(cusparseConstDnMatDescr_t matrix) {
  bool is_by_columns = matrix->order == CUSPARSE_ORDER_COL;
  return is_by_columns ? (vptr__sparse_extent){ matrix->rows, matrix->cols, matrix->ld }
                       : (vptr__sparse_extent){ matrix->cols, matrix->rows, matrix->ld };
}

/* The copy in floats. */
void *vptr__sparse_widen(vptr__sparse_call *call, cudaDataType type, const void *from, vptr__sparse_extent extent);

/* Writes what is in the copy to the operand. */
void vptr__sparse_narrow(vptr__sparse_call *call, cudaDataType type, const void *copy, void *to,
                         vptr__sparse_extent extent);

#endif
