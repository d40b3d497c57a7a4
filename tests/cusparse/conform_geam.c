/* SPDX-License-Identifier: MIT */
/*
 * conform_geam - sums of two sparse matrices beside plain loops: each type, bases that differ, rows that are in both,
 * in one or in none, factors and totals on the host and on the device, and what is refused.
 */
#include "sparse_check.h"

#define WRONG(call) GIVES(call, CUSPARSE_STATUS_INVALID_VALUE)

static matrix sum_of(matrix a, matrix b, number alpha, number beta) {
  matrix c = { a.rows, a.cols, 0, NULL, NULL, malloc((size_t)(a.rows + 1) * sizeof(int)), NULL };
  size_t room = (size_t)(a.nnz + b.nnz) + 1;
  c.row = malloc(room * sizeof(int));
  c.col = malloc(room * sizeof(int));
  c.value = malloc(room * sizeof(number));
  for (int i = 0; i < a.rows; i++) {
    int k = a.offset[i], m = b.offset[i];
    c.offset[i] = c.nnz;
    while (k < a.offset[i + 1] || m < b.offset[i + 1]) {
      int in_a = k < a.offset[i + 1] ? a.col[k] : a.cols, in_b = m < b.offset[i + 1] ? b.col[m] : a.cols;
      int j = in_a < in_b ? in_a : in_b;
      number value = 0;
      if (in_a == j)
        value += alpha * a.value[k++];
      if (in_b == j)
        value += beta * b.value[m++];
      c.row[c.nnz] = i;
      c.col[c.nnz] = j;
      c.value[c.nnz++] = value;
    }
  }
  c.offset[a.rows] = c.nnz;
  return c;
}

typedef struct summand {
  stored at;
  cusparseMatDescr_t descr;
} summand;

static summand make_summand(kind of, matrix a, cusparseIndexBase_t base) {
  summand it = { store_matrix(of, a, CUSPARSE_FORMAT_CSR, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, base), NULL };
  FINE(cusparseCreateMatDescr(&it.descr));
  FINE(cusparseSetMatIndexBase(it.descr, base));
  return it;
}

static void free_summand(summand it) {
  FINE(cusparseDestroyMatDescr(it.descr));
  free_stored(it.at);
}

static void compare_ints(const void *at, const int *expected, int count, int base) {
  int *got = malloc((size_t)count * sizeof(int) + 1), wrong = 0;
  copy_or_end(checked, got, at, (size_t)count * sizeof(int));
  for (int i = 0; i < count; i++)
    wrong += got[i] != expected[i] + base;
  EXPECT(wrong == 0);
  free(got);
}

/* The functions of a type differ in what they point to. */
#define SUM_OF(T, letter)                                                                                            \
  do {                                                                                                               \
    FINE(cusparse##letter##csrgeam2_bufferSizeExt(                                                                   \
        handle, a.rows, a.cols, (const T *)f.at, x.descr, a.nnz, (const T *)x.at.values.at, x.at.offsets.at,         \
        x.at.indices.at, (const T *)g.at, y.descr, b.nnz, (const T *)y.at.values.at, y.at.offsets.at,                \
        y.at.indices.at, descr, (const T *)values, offsets, columns, &bytes));                                       \
    buffer = external_buffer(bytes);                                                                                 \
    FINE(cusparseXcsrgeam2Nnz(handle, a.rows, a.cols, x.descr, a.nnz, x.at.offsets.at, x.at.indices.at, y.descr,     \
                              b.nnz, y.at.offsets.at, y.at.indices.at, descr, offsets, total_at, buffer));           \
    if (on_device)                                                                                                   \
      copy_or_end(checked, &total, total_at, sizeof total);                                                          \
    EXPECT(total == c.nnz);                                                                                          \
    FINE(cusparse##letter##csrgeam2(handle, a.rows, a.cols, (const T *)f.at, x.descr, a.nnz,                         \
                                    (const T *)x.at.values.at, x.at.offsets.at, x.at.indices.at, (const T *)g.at,    \
                                    y.descr, b.nnz, (const T *)y.at.values.at, y.at.offsets.at, y.at.indices.at,     \
                                    descr, (T *)values, offsets, columns, buffer));                                  \
  } while (0)

static void check_sum(cusparseHandle_t handle, kind of, matrix a, matrix b, const cusparseIndexBase_t bases[3],
                      bool on_device) {
  number alpha = random_number(of), beta = random_number(of);
  matrix c = sum_of(a, b, alpha, beta);
  summand x = make_summand(of, a, bases[0]), y = make_summand(of, b, bases[1]);
  cusparseMatDescr_t descr;
  factor f, g;
  int *offsets, *columns, total = -7, *total_at = &total;
  size_t bytes = 99;
  void *buffer = NULL, *values;
  cudaMalloc((void **)&offsets, (size_t)(a.rows + 1) * sizeof(int));
  cudaMalloc((void **)&columns, (size_t)(c.nnz + 1) * sizeof(int));
  cudaMalloc(&values, (size_t)(c.nnz + 1) * of.size);
  if (on_device)
    cudaMalloc((void **)&total_at, sizeof total);
  make_factor(&f, of, alpha, on_device);
  make_factor(&g, of, beta, on_device);
  FINE(cusparseSetPointerMode(handle, on_device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
  FINE(cusparseCreateMatDescr(&descr));
  FINE(cusparseSetMatIndexBase(descr, bases[2]));
  if (of.is_double && of.is_complex)
    SUM_OF(cuDoubleComplex, Z);
  else if (of.is_double)
    SUM_OF(double, D);
  else if (of.is_complex)
    SUM_OF(cuComplex, C);
  else
    SUM_OF(float, S);
  compare_ints(offsets, c.offset, a.rows + 1, (int)bases[2]);
  compare_ints(columns, c.col, c.nnz, (int)bases[2]);
  compare_numbers(of, values, c.value, c.nnz, 2);
  FINE(cusparseDestroyMatDescr(descr));
  free_summand(x);
  free_summand(y);
  free_matrix(c);
  cudaFree(buffer);
  cudaFree(offsets);
  cudaFree(columns);
  cudaFree(values);
  cudaFree(f.device.base);
  cudaFree(g.device.base);
  if (on_device)
    cudaFree(total_at);
}

#ifndef ON_NVIDIA
static void check_refusals(cusparseHandle_t handle) {
  kind of = kinds[0];
  matrix a = random_matrix(of, 10, 10, EVEN);
  summand x = make_summand(of, a, CUSPARSE_INDEX_BASE_ZERO);
  int *offsets = x.at.offsets.at, *columns = x.at.indices.at, *result, total = 5;
  float one = 1, *values = x.at.values.at;
  size_t bytes;
  cudaMalloc((void **)&result, 11 * sizeof(int));
  FINE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
#define NNZ(rows_of, described, entries, at_offsets, to, all)                                                        \
  cusparseXcsrgeam2Nnz(handle, rows_of, 10, described, entries, at_offsets, columns, x.descr, a.nnz, offsets,        \
                       columns, x.descr, to, all, NULL)
  WRONG(NNZ(-1, x.descr, a.nnz, offsets, result, &total));
  WRONG(NNZ(10, NULL, a.nnz, offsets, result, &total));
  WRONG(NNZ(10, x.descr, -1, offsets, result, &total));
  WRONG(NNZ(10, x.descr, a.nnz, NULL, result, &total));
  WRONG(NNZ(10, x.descr, a.nnz, offsets, NULL, &total));
  WRONG(NNZ(10, x.descr, a.nnz, offsets, result, NULL));
  GIVES(NNZ(11, x.descr, a.nnz, offsets, result, &total), CUSPARSE_STATUS_EXECUTION_FAILED);
  EXPECT(total == 5);
  WRONG(cusparseScsrgeam2_bufferSizeExt(handle, 10, 10, &one, x.descr, a.nnz, values, offsets, columns, &one, x.descr,
                                        a.nnz, values, offsets, columns, x.descr, values, offsets, columns, NULL));
  WRONG(cusparseScsrgeam2(handle, 10, 10, NULL, x.descr, a.nnz, values, offsets, columns, &one, x.descr, a.nnz,
                          values, offsets, columns, x.descr, values, offsets, columns, NULL));
  WRONG(cusparseScsrgeam2(handle, 10, 10, &one, x.descr, a.nnz, values, offsets, columns, &one, x.descr, a.nnz,
                          values, offsets, columns, x.descr, NULL, offsets, columns, NULL));
  FINE(cusparseSetMatType(x.descr, CUSPARSE_MATRIX_TYPE_HERMITIAN));
  GIVES(NNZ(10, x.descr, a.nnz, offsets, result, &total), CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
  GIVES(cusparseScsrgeam2_bufferSizeExt(handle, 10, 10, &one, x.descr, a.nnz, values, offsets, columns, &one, x.descr,
                                        a.nnz, values, offsets, columns, x.descr, values, offsets, columns, &bytes),
        CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
#undef NNZ
  cudaFree(result);
  free_summand(x);
  free_matrix(a);
}
#endif

int main(void) {
  static const int sizes[][2] = { { 1, 1 }, { 30, 50 }, { 5, 2000 }, { 300, 90 }, { 9, 9 } };
  cusparseHandle_t handle;
  FINE(cusparseCreate(&handle));
  for (int turn = 0; turn < 60; turn++) {
    kind of = kinds[turn % 4];
    const int *size = sizes[turn % 5];
    const cusparseIndexBase_t bases[] = { turn & 4 ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO,
                                          turn & 8 ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO,
                                          turn & 16 ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO };
#ifdef ON_NVIDIA /* which merges wrongly where bases differ */
    if (bases[0] != bases[1] || bases[0] != bases[2])
      continue;
#endif
    matrix a = random_matrix(of, size[0], size[1], (shape)(turn % SHAPES));
    matrix b = random_matrix(of, size[0], size[1], (shape)(turn / 3 % SHAPES));
    checking("turn %d: type %d, %d by %d with %d and %d, bases %d, %d, %d", turn, (int)of.type, a.rows, a.cols, a.nnz,
             b.nnz, (int)bases[0], (int)bases[1], (int)bases[2]);
    check_sum(handle, of, a, b, bases, turn & 1);
    if (turn % 7 == 0)
      check_sum(handle, of, a, a, bases, false);
    checked = "";
    free_matrix(a);
    free_matrix(b);
  }
#ifndef ON_NVIDIA
  matrix none = random_matrix(kinds[1], 0, 4, EVEN);
  check_sum(handle, kinds[1], none, none, (const cusparseIndexBase_t[3]){ 0, 0, 1 }, false);
  free_matrix(none);
  check_refusals(handle);
#endif
  FINE(cusparseDestroy(handle));
  return verdict("conform_geam");
}
