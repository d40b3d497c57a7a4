/* SPDX-License-Identifier: MIT */
/*
 * blocks - a matrix of square blocks times a vector: cusparseXbsrmv(), and cusparseXbsrxmv(), of the rows that a mask
 * lists.
 *
 * No state and no locks. Called by programs. Nothing waits.
 */
#include "cusparse/kernel.h"
#include "cusparse/lines.h"

/* The matrix, in blocks of side by side elements. The mask and the ends are NULL but of bsrxmv. */
typedef struct blocks {
  cusparseDirection_t direction;
  cusparseOperation_t operation;
  int rows, columns, entries, side, listed;
  cusparseMatDescr_t descr;
  const void *values;
  const int *offsets, *ends, *indices, *mask;
} blocks;

static int check_blocks(vptr__sparse_call *call, const blocks *it, bool is_listed) {
  vptr__sparse_require(call, it->direction == CUSPARSE_DIRECTION_ROW || it->direction == CUSPARSE_DIRECTION_COLUMN,
                       "dirA is %d, no direction", (int)it->direction);
  vptr__sparse_require_operation(call, "transA", it->operation);
  vptr__sparse_require(call, it->side > 0, "blockDim is %d, and must be above 0", it->side);
  vptr__sparse_require(call, it->rows >= 0 && it->listed >= 0, "mb is %d, and sizeOfMask %d: neither may be below 0",
                       it->rows, it->listed);
  vptr__sparse_support(call, it->operation == CUSPARSE_OPERATION_NON_TRANSPOSE, "a matrix of blocks is not turned");
  vptr__sparse_lines a = vptr__sparse_general_lines(call, "A", it->descr, is_listed ? 0 : it->rows, it->columns,
                                                    it->entries, NULL, 0, it->offsets, it->indices);
  if (is_listed) {
    vptr__sparse_memory(call, "bsrSortedMaskPtrA", it->mask, it->listed, sizeof(int));
    vptr__sparse_memory(call, "bsrSortedRowPtrA", it->offsets, it->rows, sizeof(int));
    vptr__sparse_memory(call, "bsrSortedEndPtrA", it->ends, it->rows, sizeof(int));
  }
  return (int)a.base;
}

static cusparseStatus_t multiply(const char *name, cusparseHandle_t handle, vptr__sparse_type type, const blocks *it,
                                 bool is_listed, const void *alpha, const void *x, const void *beta, void *y) {
  enum { TEAM = 32 };
  vptr__sparse_call call = vptr__sparse_enter(name, handle);
  const size_t size = vptr__sparse_size(type);
  call.type = type;
  int base = check_blocks(&call, it, is_listed), by_columns = it->direction == CUSPARSE_DIRECTION_COLUMN;
  int64_t side = it->side, rows = is_listed ? it->listed : it->rows, values = 0;
  if (__builtin_mul_overflow(side * side, (int64_t)it->entries, &values))
    values = INT64_MAX;
  vptr__sparse_scalar f = vptr__sparse_scalar_at(&call, "alpha", alpha);
  vptr__sparse_scalar g = vptr__sparse_scalar_at(&call, "beta", beta);
  vptr__sparse_memory(&call, "bsrSortedValA", it->values, values, size);
  vptr__sparse_memory(&call, "x", x, side * it->columns, size);
  vptr__sparse_memory(&call, "y", y, side * it->rows, size);
  const int *ends = is_listed ? it->ends : it->offsets + 1, *mask = is_listed ? it->mask : NULL;
  vptr__sparse_launch(&call, VPTR__SPARSE_MULTIPLY_BLOCKS, vptr__sparse_teams(&call, rows, TEAM),
                      VPTR__SPARSE_ARGUMENTS(&rows, &mask, &it->offsets, &ends, &base, &it->indices, &it->values,
                                             &it->side, &by_columns, &x, &y, &f.value, &f.at, &g.value, &g.at));
  return vptr__sparse_finish(&call);
}

#define MULTIPLY(letter, T, type)                                                                                    \
  cusparseStatus_t cusparse##letter##bsrmv(                                                                          \
      cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, int mb, int nb, int nnzb,       \
      const T *alpha, const cusparseMatDescr_t descrA, const T *bsrSortedValA, const int *bsrSortedRowPtrA,          \
      const int *bsrSortedColIndA, int blockDim, const T *x, const T *beta, T *y) {                                  \
    const blocks it = { dirA, transA,           mb,  nb, nnzb, blockDim, 0, descrA, bsrSortedValA, bsrSortedRowPtrA, \
                        NULL, bsrSortedColIndA, NULL };                                                              \
    return multiply("cusparse" #letter "bsrmv", handle, type, &it, false, alpha, x, beta, y);                        \
  }                                                                                                                  \
  cusparseStatus_t cusparse##letter##bsrxmv(                                                                         \
      cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, int sizeOfMask, int mb, int nb, \
      int nnzb, const T *alpha, const cusparseMatDescr_t descrA, const T *bsrSortedValA,                             \
      const int *bsrSortedMaskPtrA, const int *bsrSortedRowPtrA, const int *bsrSortedEndPtrA,                        \
      const int *bsrSortedColIndA, int blockDim, const T *x, const T *beta, T *y) {                                  \
    const blocks it = { dirA,                                                                                        \
                        transA,                                                                                      \
                        mb,                                                                                          \
                        nb,                                                                                          \
                        nnzb,                                                                                        \
                        blockDim,                                                                                    \
                        sizeOfMask,                                                                                  \
                        descrA,                                                                                      \
                        bsrSortedValA,                                                                               \
                        bsrSortedRowPtrA,                                                                            \
                        bsrSortedEndPtrA,                                                                            \
                        bsrSortedColIndA,                                                                            \
                        bsrSortedMaskPtrA };                                                                         \
    return multiply("cusparse" #letter "bsrxmv", handle, type, &it, true, alpha, x, beta, y);                        \
  }
MULTIPLY(S, float, VPTR__SPARSE_S)
MULTIPLY(D, double, VPTR__SPARSE_D)
MULTIPLY(C, cuComplex, VPTR__SPARSE_C)
MULTIPLY(Z, cuDoubleComplex, VPTR__SPARSE_Z)
