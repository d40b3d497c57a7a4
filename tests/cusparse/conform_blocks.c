/* SPDX-License-Identifier: MIT */
/*
 * conform_blocks - matrices of blocks times a vector beside plain loops: each type and direction, small blocks and
 * large ones, all rows and those of a mask, factors on the host and on the device, and what is refused.
 */
#include "sparse_check.h"

#define WRONG(call) GIVES(call, CUSPARSE_STATUS_INVALID_VALUE)

typedef struct way {
  cusparseDirection_t direction;
  cusparseIndexBase_t base;
  bool is_masked, on_device, is_zero;
} way;

/* The functions of a type differ in what they point to. */
#define MULTIPLY(T, letter)                                                                                          \
  FINE(by.is_masked                                                                                                  \
           ? cusparse##letter##bsrxmv(handle, by.direction, CUSPARSE_OPERATION_NON_TRANSPOSE, listed, a.rows,        \
                                      a.cols, a.nnz, (const T *)f.at, descr, (const T *)values.at, mask.at,          \
                                      offsets.at, ends.at, columns.at, side, (const T *)x_at.at, (const T *)g.at,    \
                                      (T *)y_at.at)                                                                  \
           : cusparse##letter##bsrmv(handle, by.direction, CUSPARSE_OPERATION_NON_TRANSPOSE, a.rows, a.cols, a.nnz,  \
                                     (const T *)f.at, descr, (const T *)values.at, offsets.at, columns.at, side,     \
                                     (const T *)x_at.at, (const T *)g.at, (T *)y_at.at))

/* y = alpha A x + beta y, of the rows of blocks that are listed. */
static void multiply(matrix a, int side, const number *blocks, way by, number alpha, const number *x, number beta,
                     number *y) {
  for (int row = 0; row < a.rows; row++) {
    if (by.is_masked && row % 3 == 1)
      continue;
    for (int i = 0; i < side; i++) {
      number sum = 0;
      for (int k = a.offset[row]; k < a.offset[row + 1]; k++)
        for (int j = 0; j < side; j++)
          sum += blocks[k * side * side + (by.direction == CUSPARSE_DIRECTION_ROW ? i * side + j : j * side + i)] *
                 x[a.col[k] * side + j];
      y[row * side + i] = alpha * sum + (beta == 0 ? 0 : beta * y[row * side + i]);
    }
  }
}

static void check_product(cusparseHandle_t handle, kind of, matrix a, int side, way by) {
  number alpha = random_number(of), beta = by.is_zero ? 0 : random_number(of);
  number *x = random_numbers(of, (int64_t)a.cols * side), *y = random_numbers(of, (int64_t)a.rows * side);
  number *blocks = random_numbers(of, (int64_t)a.nnz * side * side);
  int *list = malloc((size_t)(a.rows + 1) * sizeof(int)), listed = 0;
  for (int row = 0; row < a.rows; row++)
    if (row % 3 != 1)
      list[listed++] = row;
  if (by.is_zero && a.rows > 0)
    y[0] = NAN;
  copy values = copy_numbers(of, blocks, (int64_t)a.nnz * side * side);
  copy x_at = copy_numbers(of, x, (int64_t)a.cols * side), y_at = copy_numbers(of, y, (int64_t)a.rows * side);
  copy offsets = copy_indices(CUSPARSE_INDEX_32I, a.offset, a.rows + 1, (int)by.base);
  copy ends = copy_indices(CUSPARSE_INDEX_32I, a.offset + 1, a.rows, (int)by.base);
  copy columns = copy_indices(CUSPARSE_INDEX_32I, a.col, a.nnz, (int)by.base);
  copy mask = copy_indices(CUSPARSE_INDEX_32I, list, listed, (int)by.base);
  cusparseMatDescr_t descr;
  factor f, g;
  make_factor(&f, of, alpha, by.on_device);
  make_factor(&g, of, beta, by.on_device);
  FINE(cusparseSetPointerMode(handle, by.on_device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
  FINE(cusparseCreateMatDescr(&descr));
  FINE(cusparseSetMatIndexBase(descr, by.base));
  if (of.is_double && of.is_complex)
    MULTIPLY(cuDoubleComplex, Z);
  else if (of.is_double)
    MULTIPLY(double, D);
  else if (of.is_complex)
    MULTIPLY(cuComplex, C);
  else
    MULTIPLY(float, S);
  multiply(a, side, blocks, by, alpha, x, beta, y);
  compare_numbers(of, y_at.at, y, (int64_t)a.rows * side, 2 * sqrt((double)(a.nnz + side)));
  FINE(cusparseDestroyMatDescr(descr));
  copy all[] = { values, x_at, y_at, offsets, ends, columns, mask, f.device, g.device };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    cudaFree(all[i].base);
  free(x);
  free(y);
  free(blocks);
  free(list);
}

#ifndef ON_NVIDIA
static void check_refusals(cusparseHandle_t handle) {
  kind of = kinds[1];
  matrix a = random_matrix(of, 6, 5, EVEN);
  number *zeros = calloc(1000, sizeof *zeros);
  stored it =
      store_matrix(of, a, CUSPARSE_FORMAT_CSR, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO);
  copy values = copy_numbers(of, zeros, a.nnz * 4), x = copy_numbers(of, zeros, 10), y = copy_numbers(of, zeros, 12);
  int *offsets = it.offsets.at, *columns = it.indices.at;
  double one = 1;
  cusparseMatDescr_t descr;
  const cusparseDirection_t row = CUSPARSE_DIRECTION_ROW;
  const cusparseOperation_t n = CUSPARSE_OPERATION_NON_TRANSPOSE;
  FINE(cusparseCreateMatDescr(&descr));
  FINE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
#define CALL(direction, operation, rows, side, alpha, described, to)                                                 \
  cusparseDbsrmv(handle, direction, operation, rows, 5, a.nnz, alpha, described, values.at, offsets, columns, side,  \
                 x.at, &one, to)
  FINE(CALL(row, n, 6, 2, &one, descr, y.at));
  WRONG(CALL((cusparseDirection_t)3, n, 6, 2, &one, descr, y.at));
  WRONG(CALL(row, (cusparseOperation_t)5, 6, 2, &one, descr, y.at));
  WRONG(CALL(row, n, -1, 2, &one, descr, y.at));
  WRONG(CALL(row, n, 6, 0, &one, descr, y.at));
  WRONG(CALL(row, n, 6, 2, NULL, descr, y.at));
  WRONG(CALL(row, n, 6, 2, &one, NULL, y.at));
  WRONG(CALL(row, n, 6, 2, &one, descr, NULL));
  GIVES(CALL(row, CUSPARSE_OPERATION_TRANSPOSE, 6, 2, &one, descr, y.at), CUSPARSE_STATUS_NOT_SUPPORTED);
  GIVES(CALL(row, n, 6, 4, &one, descr, y.at), CUSPARSE_STATUS_EXECUTION_FAILED);
  FINE(cusparseSetMatType(descr, CUSPARSE_MATRIX_TYPE_SYMMETRIC));
  GIVES(CALL(row, n, 6, 2, &one, descr, y.at), CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
  FINE(cusparseSetMatType(descr, CUSPARSE_MATRIX_TYPE_GENERAL));
  WRONG(cusparseDbsrxmv(handle, row, n, 2, 6, 5, a.nnz, &one, descr, values.at, NULL, offsets, offsets + 1, columns,
                        2, x.at, &one, y.at));
  WRONG(cusparseDbsrxmv(handle, row, n, 2, 6, 5, a.nnz, &one, descr, values.at, offsets, offsets, NULL, columns, 2,
                        x.at, &one, y.at));
  FINE(cusparseDbsrmv(handle, row, n, 0, 5, 0, &one, descr, NULL, NULL, NULL, 2, x.at, &one, NULL));
#undef CALL
  FINE(cusparseDestroyMatDescr(descr));
  cudaFree(values.base);
  cudaFree(x.base);
  cudaFree(y.base);
  free_stored(it);
  free_matrix(a);
  free(zeros);
}
#endif

int main(void) {
  static const int sides[] = { 2, 3, 4, 5, 8, 17, 40 };
  cusparseHandle_t handle;
  FINE(cusparseCreate(&handle));
  for (int turn = 0; turn < 84; turn++) {
    kind of = kinds[turn % 4];
    way by = { turn & 4 ? CUSPARSE_DIRECTION_COLUMN : CUSPARSE_DIRECTION_ROW,
               turn & 8 ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO, turn & 16, turn & 32, turn % 5 == 0 };
    matrix a = random_matrix(of, 1 + turn, 7 + turn % 30, (shape)(turn % SHAPES));
    checking("turn %d: type %d, %d by %d blocks of side %d, %d of them, masked %d", turn, (int)of.type, a.rows,
             a.cols, sides[turn % 7], a.nnz, by.is_masked);
    check_product(handle, of, a, sides[turn % 7], by);
    checked = "";
    free_matrix(a);
  }
#ifndef ON_NVIDIA
  check_refusals(handle);
#endif
  FINE(cusparseDestroy(handle));
  return verdict("conform_blocks");
}
