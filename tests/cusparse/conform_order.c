/* SPDX-License-Identifier: MIT */
/*
 * conform_order - from rows to offsets and back, from rows to columns, and sorting, beside plain loops.
 */
#include "sparse_check.h"

static void compare_ints(const void *at, const int *expected, int count, int base) {
  int *got = malloc((size_t)count * sizeof(int) + 1);
  copy_or_end(checked, got, at, (size_t)count * sizeof(int));
  for (int i = 0; i < count; i++)
    EXPECT(got[i] == expected[i] + base);
  free(got);
}

static void check_offsets(cusparseHandle_t handle, matrix a, cusparseIndexBase_t base) {
  copy rows = copy_indices(CUSPARSE_INDEX_32I, a.row, a.nnz, (int)base);
  copy offsets = copy_indices(CUSPARSE_INDEX_32I, a.offset, a.rows + 1, 77);
  checking("coo2csr, %d by %d with %d, base %d", a.rows, a.cols, a.nnz, (int)base);
  FINE(cusparseXcoo2csr(handle, rows.at, a.nnz, a.rows, offsets.at, base));
  compare_ints(offsets.at, a.offset, a.rows + 1, (int)base);
  cudaMemset(rows.at, 0, (size_t)a.nnz * sizeof(int));
  checking("csr2coo, %d by %d with %d, base %d", a.rows, a.cols, a.nnz, (int)base);
  FINE(cusparseXcsr2coo(handle, offsets.at, a.nnz, a.rows, rows.at, base));
  compare_ints(rows.at, a.row, a.nnz, (int)base);
  cudaFree(rows.base);
  cudaFree(offsets.base);
}

static void check_columns(cusparseHandle_t handle, kind of, matrix a, cusparseIndexBase_t base, bool is_numeric) {
  matrix t = transposed_matrix(a);
  stored from = store_matrix(of, a, CUSPARSE_FORMAT_CSR, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, base);
  stored to = store_matrix(of, t, CUSPARSE_FORMAT_CSR, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, base);
  cusparseAction_t action = is_numeric ? CUSPARSE_ACTION_NUMERIC : CUSPARSE_ACTION_SYMBOLIC;
  size_t bytes = 0;
  void *buffer = NULL;
  checking("csr2csc, type %d, %d by %d with %d, base %d, numeric %d", (int)of.type, a.rows, a.cols, a.nnz, (int)base,
           is_numeric);
  cudaMemset(to.offsets.at, 0, (size_t)(a.cols + 1) * sizeof(int));
  cudaMemset(to.indices.at, 0, (size_t)a.nnz * sizeof(int));
  cudaMemset(to.values.at, 0, (size_t)a.nnz * of.size);
  FINE(cusparseCsr2cscEx2_bufferSize(handle, a.rows, a.cols, a.nnz, from.values.at, from.offsets.at, from.indices.at,
                                     to.values.at, to.offsets.at, to.indices.at, of.type, action, base,
                                     CUSPARSE_CSR2CSC_ALG1, &bytes));
  buffer = external_buffer(bytes);
  FINE(cusparseCsr2cscEx2(handle, a.rows, a.cols, a.nnz, from.values.at, from.offsets.at, from.indices.at,
                          to.values.at, to.offsets.at, to.indices.at, of.type, action, base, CUSPARSE_CSR2CSC_ALG1,
                          buffer));
  compare_ints(to.offsets.at, t.offset, a.cols + 1, (int)base);
  compare_ints(to.indices.at, t.col, a.nnz, (int)base);
  for (int k = 0; k < t.nnz && !is_numeric; k++)
    t.value[k] = 0;
  compare_numbers(of, to.values.at, t.value, t.nnz, 0);
  cudaFree(buffer);
  free_stored(from);
  free_stored(to);
  free_matrix(t);
}

/* Entries in any order, or in any order within each row, and back: P tells which entry came where. */
static int *shuffled_order(matrix a, bool within_rows) {
  int *order = malloc((size_t)a.nnz * sizeof(int) + 1);
  for (int k = 0; k < a.nnz; k++)
    order[k] = k;
  for (int k = 0; k < a.nnz; k++) {
    int end = within_rows ? a.offset[a.row[k] + 1] : a.nnz, other = k + random_below(end - k), swapped = order[k];
    order[k] = order[other];
    order[other] = swapped;
  }
  return order;
}

static copy copy_picked(const int *from, const int *order, int count, int base) {
  int *picked = malloc((size_t)count * sizeof(int) + 1);
  for (int k = 0; k < count; k++)
    picked[k] = from[order[k]];
  copy made = copy_indices(CUSPARSE_INDEX_32I, picked, count, base);
  free(picked);
  return made;
}

static void check_permutation(copy p, const int *order, int count) {
  int *got = malloc((size_t)count * sizeof(int) + 1);
  copy_or_end(checked, got, p.at, (size_t)count * sizeof(int));
  for (int k = 0; k < count; k++)
    EXPECT(got[k] >= 0 && got[k] < count && order[got[k]] == k);
  free(got);
}

static void check_entries(cusparseHandle_t handle, matrix a, int base) {
  int *order = shuffled_order(a, false);
  copy rows = copy_picked(a.row, order, a.nnz, base), cols = copy_picked(a.col, order, a.nnz, base);
  copy p = copy_indices(CUSPARSE_INDEX_32I, order, a.nnz, 0);
  size_t bytes = 0;
  void *buffer = NULL;
  checking("coosortByRow, %d by %d with %d, base %d", a.rows, a.cols, a.nnz, base);
  FINE(cusparseXcoosort_bufferSizeExt(handle, a.rows, a.cols, a.nnz, rows.at, cols.at, &bytes));
  buffer = external_buffer(bytes);
  FINE(cusparseCreateIdentityPermutation(handle, a.nnz, p.at));
  FINE(cusparseXcoosortByRow(handle, a.rows, a.cols, a.nnz, rows.at, cols.at, p.at, buffer));
  compare_ints(rows.at, a.row, a.nnz, base);
  compare_ints(cols.at, a.col, a.nnz, base);
  check_permutation(p, order, a.nnz);
  checking("coosortByColumn, %d by %d with %d, base %d", a.rows, a.cols, a.nnz, base);
  matrix t = transposed_matrix(a);
  FINE(cusparseXcoosortByColumn(handle, a.rows, a.cols, a.nnz, rows.at, cols.at, p.at, buffer));
  compare_ints(cols.at, t.row, a.nnz, base);
  compare_ints(rows.at, t.col, a.nnz, base);
  free_matrix(t);
  free(order);
  cudaFree(buffer);
  cudaFree(rows.base);
  cudaFree(cols.base);
  cudaFree(p.base);
}

static void check_lines(cusparseHandle_t handle, matrix a, cusparseIndexBase_t base, bool is_csc) {
  int *order = shuffled_order(a, true);
  copy offsets = copy_indices(CUSPARSE_INDEX_32I, a.offset, a.rows + 1, (int)base);
  copy cols = copy_picked(a.col, order, a.nnz, (int)base), p = copy_indices(CUSPARSE_INDEX_32I, order, a.nnz, 0);
  cusparseMatDescr_t descr;
  size_t bytes = 0;
  void *buffer = NULL;
  checking("%s, %d by %d with %d, base %d", is_csc ? "cscsort" : "csrsort", a.rows, a.cols, a.nnz, (int)base);
  FINE(cusparseCreateMatDescr(&descr));
  FINE(cusparseSetMatIndexBase(descr, base));
  FINE(cusparseCreateIdentityPermutation(handle, a.nnz, p.at));
  if (is_csc) {
    FINE(cusparseXcscsort_bufferSizeExt(handle, a.cols, a.rows, a.nnz, offsets.at, cols.at, &bytes));
    buffer = external_buffer(bytes);
    FINE(cusparseXcscsort(handle, a.cols, a.rows, a.nnz, descr, offsets.at, cols.at, p.at, buffer));
  } else {
    FINE(cusparseXcsrsort_bufferSizeExt(handle, a.rows, a.cols, a.nnz, offsets.at, cols.at, &bytes));
    buffer = external_buffer(bytes);
    FINE(cusparseXcsrsort(handle, a.rows, a.cols, a.nnz, descr, offsets.at, cols.at, p.at, buffer));
  }
  compare_ints(cols.at, a.col, a.nnz, (int)base);
  check_permutation(p, order, a.nnz);
  FINE(cusparseDestroyMatDescr(descr));
  free(order);
  cudaFree(buffer);
  cudaFree(offsets.base);
  cudaFree(cols.base);
  cudaFree(p.base);
}

int main(void) {
  static const int sizes[][2] = { { 1, 1 }, { 50, 80 }, { 4, 700 }, { 200, 150 }, { 900, 30 } };
  cusparseHandle_t handle;
  FINE(cusparseCreate(&handle));
  for (int turn = 0; turn < 30; turn++) {
    const int *size = sizes[turn % 5];
    cusparseIndexBase_t base = turn & 1 ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO;
    matrix a = random_matrix(kinds[turn % 4], size[0], size[1], (shape)(turn % SHAPES));
    if (a.nnz > 0) {
      check_offsets(handle, a, base);
      check_columns(handle, kinds[turn % 4], a, base, turn % 3 != 0);
      check_entries(handle, a, (int)base);
      check_lines(handle, a, base, turn & 2);
    }
    free_matrix(a);
  }
  FINE(cusparseDestroy(handle));
  return verdict("conform_order");
}
