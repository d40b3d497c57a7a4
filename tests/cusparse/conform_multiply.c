/* SPDX-License-Identifier: MIT */
/*
 * conform_multiply - cusparseSpMV() beside plain loops: each type, format, operation, width of indices and base, even
 * and skewed rows, empty ones, no rows at all, long rows, and what a factor of 0 does to NaN.
 */
#include "sparse_check.h"

static const cusparseOperation_t operations[] = { CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
                                                  CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE };

/* y = alpha op(A) x + beta y */
static void multiply(matrix a, cusparseOperation_t operation, number alpha, const number *x, number beta, number *y) {
  bool turns = operation != CUSPARSE_OPERATION_NON_TRANSPOSE;
  for (int i = 0; i < (turns ? a.cols : a.rows); i++)
    y[i] = beta == 0 ? 0 : beta * y[i];
  for (int k = 0; k < a.nnz; k++)
    y[turns ? a.col[k] : a.row[k]] += alpha * conjugate_for(operation, a.value[k]) * x[turns ? a.row[k] : a.col[k]];
}

typedef struct way {
  cusparseFormat_t format;
  cusparseIndexType_t offset_type, index_type;
  cusparseIndexBase_t base;
  bool on_device, is_zero;
} way;

static void check_product(cusparseHandle_t handle, kind of, matrix a, cusparseOperation_t operation, way by) {
  bool turns = operation != CUSPARSE_OPERATION_NON_TRANSPOSE;
  int in = turns ? a.rows : a.cols, out = turns ? a.cols : a.rows;
  number alpha = random_number(of), beta = by.is_zero ? 0 : random_number(of);
  number *x = random_numbers(of, in), *y = random_numbers(of, out);
  if (by.is_zero && out > 0)
    y[out / 2] = NAN;
  stored it = store_matrix(of, a, by.format, by.offset_type, by.index_type, by.base);
  copy device_x = copy_numbers(of, x, in), device_y = copy_numbers(of, y, out);
  cusparseDnVecDescr_t vector_x, vector_y;
  factor alpha_at, beta_at;
  size_t bytes = 99;
  void *buffer = NULL;
  make_factor(&alpha_at, of, alpha, by.on_device);
  make_factor(&beta_at, of, beta, by.on_device);
  FINE(cusparseSetPointerMode(handle, by.on_device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
  FINE(cusparseCreateDnVec(&vector_x, in, device_x.at, of.type));
  FINE(cusparseCreateDnVec(&vector_y, out, device_y.at, of.type));
  FINE(cusparseSpMV_bufferSize(handle, operation, alpha_at.at, it.descr, vector_x, beta_at.at, vector_y, of.type,
                               CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
  buffer = external_buffer(bytes);
  FINE(cusparseSpMV_preprocess(handle, operation, alpha_at.at, it.descr, vector_x, beta_at.at, vector_y, of.type,
                               CUSPARSE_SPMV_ALG_DEFAULT, buffer));
  FINE(cusparseSpMV(handle, operation, alpha_at.at, it.descr, vector_x, beta_at.at, vector_y, of.type,
                    CUSPARSE_SPMV_ALG_DEFAULT, buffer));
  multiply(a, operation, alpha, x, beta, y);
  compare_numbers(of, device_y.at, y, out, sqrt(a.cols + a.rows));
  FINE(cusparseDestroyDnVec(vector_x));
  FINE(cusparseDestroyDnVec(vector_y));
  free_stored(it);
  cudaFree(buffer);
  cudaFree(device_x.base);
  cudaFree(device_y.base);
  cudaFree(alpha_at.device.base);
  cudaFree(beta_at.device.base);
  free(x);
  free(y);
}

/* Widths, bases and places of factors in turn, so that each format and operation meets all of them. */
static void check_formats(cusparseHandle_t handle, kind of, matrix a) {
  static const cusparseFormat_t formats[] = { CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_COO, CUSPARSE_FORMAT_CSC };
  static int turn;
  for (int f = 0; f < 3; f++)
    for (int o = 0; o < 3; o++) {
      bool is_wide = turn & 1;
      way by = { formats[f],
                 is_wide ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I,
                 is_wide ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I,
                 turn & 2 ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO,
                 turn & 4,
                 turn % 5 == 0 };
      checking("turn %d: type %d, format %d, operation %d, %d by %d with %d, index type %d", turn, (int)of.type,
               (int)formats[f], o, a.rows, a.cols, a.nnz, (int)by.index_type);
      turn++;
      if (has_operation(of, operations[o]))
        check_product(handle, of, a, operations[o], by);
      checked = "";
    }
}

static void check_shapes(cusparseHandle_t handle, kind of) {
  static const int sizes[][2] = { { 1, 1 }, { 40, 60 }, { 300, 7 }, { 3, 2500 }, { 333, 333 } };
  for (int form = 0; form < SHAPES; form++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      matrix a = random_matrix(of, sizes[i][0], sizes[i][1], (shape)form);
      check_formats(handle, of, a);
      free_matrix(a);
    }
}

/* Lines that end exactly where tiles do, one line over many tiles, and thousands of empty ones. */
static matrix made_matrix(const int *lengths, int rows, int cols) {
  int nnz = 0;
  for (int i = 0; i < rows; i++)
    nnz += lengths[i];
  matrix a = { rows,
               cols,
               0,
               malloc((size_t)nnz * sizeof(int) + 1),
               malloc((size_t)nnz * sizeof(int) + 1),
               malloc((size_t)(rows + 1) * sizeof(int)),
               malloc((size_t)nnz * sizeof(number) + 1) };
  for (int i = 0; i < rows; i++) {
    a.offset[i] = a.nnz;
    for (int j = 0; j < lengths[i]; j++) {
      a.row[a.nnz] = i;
      a.col[a.nnz] = j;
      a.value[a.nnz++] = random_number(kinds[1]);
    }
  }
  a.offset[rows] = a.nnz;
  return a;
}

static void check_long(cusparseHandle_t handle, cusparseOperation_t operation) {
  enum { ROWS = 5000, COLS = 30000 };
  static int lengths[ROWS];
  for (int form = 0; form < 8; form++) {
    const way by = { form < 4 ? CUSPARSE_FORMAT_CSR : CUSPARSE_FORMAT_COO,
                     CUSPARSE_INDEX_32I,
                     CUSPARSE_INDEX_32I,
                     CUSPARSE_INDEX_BASE_ZERO,
                     false,
                     false };
    for (int i = 0; i < ROWS; i++)
      lengths[i] = form % 4 == 0   ? (i % 1000 == 3 ? COLS - i : 0)
                   : form % 4 == 1 ? (i < 40 ? 895 : 0)
                   : form % 4 == 2 ? (i == ROWS - 1 ? COLS : 1)
                                   : i % 9;
    matrix a = made_matrix(lengths, ROWS, COLS);
    checking("long rows %d, operation %d", form, (int)operation);
    check_product(handle, kinds[1], a, operation, by);
    checked = "";
    free_matrix(a);
  }
}

/* One line over so many tiles that what they carry is itself carried. */
static void check_longest(cusparseHandle_t handle) {
  enum { TILES = 2000, COLS = 896 * TILES };
  int lengths[3] = { 5, COLS, 7 };
#ifdef ON_NVIDIA /* which wants indices as wide as offsets */
  const cusparseIndexType_t offset_type = CUSPARSE_INDEX_32I;
#else
  const cusparseIndexType_t offset_type = CUSPARSE_INDEX_64I;
#endif
  way by = { CUSPARSE_FORMAT_CSR, offset_type, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, false, false };
  matrix a = made_matrix(lengths, 3, COLS);
  checked = "one long row";
  check_product(handle, kinds[1], a, CUSPARSE_OPERATION_NON_TRANSPOSE, by);
  by.format = CUSPARSE_FORMAT_COO;
  check_product(handle, kinds[1], a, CUSPARSE_OPERATION_NON_TRANSPOSE, by);
  free_matrix(a);
}

static void check_none(cusparseHandle_t handle) {
#ifdef ON_NVIDIA /* which is not asked for matrices without rows or columns */
  static const int sizes[][2] = { { 6, 6 } };
#else
  static const int sizes[][2] = { { 6, 6 }, { 0, 0 }, { 0, 5 }, { 5, 0 } };
#endif
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    int lengths[6] = { 0 };
    matrix a = made_matrix(lengths, sizes[i][0], sizes[i][1]);
    check_formats(handle, kinds[i], a);
    free_matrix(a);
  }
}

int main(void) {
  cusparseHandle_t handle;
  FINE(cusparseCreate(&handle));
  for (int i = 0; i < 4; i++)
    check_shapes(handle, kinds[i]);
  for (int i = 0; i < 3 && has_operation(kinds[1], operations[i]); i++)
    check_long(handle, operations[i]);
  check_longest(handle);
  check_none(handle);
  FINE(cusparseDestroy(handle));
  return verdict("conform_multiply");
}
