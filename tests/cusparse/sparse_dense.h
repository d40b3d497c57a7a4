/* SPDX-License-Identifier: MIT */
/* sparse_dense - dense matrices of the tests of cuSPARSE: by rows or by columns, each longer by three than need be. */
#ifndef VPTR_TESTS_SPARSE_DENSE_H
#define VPTR_TESTS_SPARSE_DENSE_H

#include "sparse_check.h"

typedef struct dense {
  int rows, cols, ld;
  bool by_rows;
  number *value;
  copy memory;
  cusparseDnMatDescr_t descr;
} dense;

static int64_t extent(const dense *it) {
  return (int64_t)it->ld * (it->by_rows ? it->rows : it->cols);
}
static number *element(const dense *it, int i, int j) {
  return &it->value[it->by_rows ? (int64_t)i * it->ld + j : i + (int64_t)j * it->ld];
}

static dense make_dense(kind of, int rows, int cols, bool by_rows) {
  dense it = { rows, cols, (by_rows ? cols : rows) + 3, by_rows, NULL, { NULL, NULL }, NULL };
  it.value = random_numbers(of, extent(&it));
  it.memory = copy_numbers(of, it.value, extent(&it));
  FINE(cusparseCreateDnMat(&it.descr, rows, cols, it.ld, it.memory.at, of.type,
                           by_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
  return it;
}

static void free_dense(dense it) {
  FINE(cusparseDestroyDnMat(it.descr));
  cudaFree(it.memory.base);
  free(it.value);
}

#endif
