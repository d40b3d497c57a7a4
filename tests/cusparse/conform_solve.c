/* SPDX-License-Identifier: MIT */
/*
 * conform_solve - triangular systems: a solution is put into op(A) x = alpha b again, on the host. Lower and upper
 * triangles, diagonals of ones and others, each operation, type and format, long chains of rows and wide levels, one
 * right side and several, in place and not; entries on the other side of the diagonal do not count.
 */
#include "sparse_check.h"

static bool turns(cusparseOperation_t operation) {
  return operation != CUSPARSE_OPERATION_NON_TRANSPOSE;
}

/* A diagonal that rules its row, so that solutions stay small. */
static matrix system_matrix(kind of, int n, shape form, bool is_chain) {
  matrix a = random_matrix(of, n, n, form);
  matrix it = { n,
                n,
                0,
                malloc((size_t)(a.nnz + 3 * n) * sizeof(int)),
                malloc((size_t)(a.nnz + 3 * n) * sizeof(int)),
                malloc((size_t)(n + 1) * sizeof(int)),
                malloc((size_t)(a.nnz + 3 * n) * sizeof(number)) };
  for (int i = 0; i < n; i++) {
    it.offset[i] = it.nnz;
    int k = a.offset[i];
    for (int j = 0; j < n; j++) {
      bool is_there = k < a.offset[i + 1] && a.col[k] == j;
      number value = is_there ? a.value[k++] / n : 0.25;
      if (!is_there && j != i && !(is_chain && (j == i - 1 || j == i + 1)))
        continue;
      it.row[it.nnz] = i;
      it.col[it.nnz] = j;
      it.value[it.nnz++] = j == i ? 1.5 + random_number(of) / 4 : value;
    }
  }
  it.offset[n] = it.nnz;
  free_matrix(a);
  return it;
}

typedef struct way {
  cusparseFormat_t format;
  cusparseIndexType_t index_type;
  cusparseIndexBase_t base;
  cusparseOperation_t operation;
  cusparseFillMode_t fill;
  cusparseDiagType_t diagonal;
  bool on_device;
} way;

/* op(A) x of the triangle, to[i] of `n` numbers that are `step` apart. */
static number *product(matrix a, way by, const number *x) {
  number *to = calloc((size_t)a.rows + 1, sizeof *to);
  for (int i = 0; i < a.rows && by.diagonal == CUSPARSE_DIAG_TYPE_UNIT; i++)
    to[i] = x[i];
  for (int k = 0; k < a.nnz; k++) {
    int row = a.row[k], col = a.col[k];
    bool counts = row == col ? by.diagonal == CUSPARSE_DIAG_TYPE_NON_UNIT
                             : (col > row) == (by.fill == CUSPARSE_FILL_MODE_UPPER);
    if (counts)
      to[turns(by.operation) ? col : row] +=
          conjugate_for(by.operation, a.value[k]) * x[turns(by.operation) ? row : col];
  }
  return to;
}

static stored store_system(kind of, matrix a, way by) {
  stored it = store_matrix(of, a, by.format, by.index_type, by.index_type, by.base);
  FINE(cusparseSpMatSetAttribute(it.descr, CUSPARSE_SPMAT_FILL_MODE, &by.fill, sizeof by.fill));
  FINE(cusparseSpMatSetAttribute(it.descr, CUSPARSE_SPMAT_DIAG_TYPE, &by.diagonal, sizeof by.diagonal));
  return it;
}

/* Also with other values, which the descriptor is told. */
static void check_vector(cusparseHandle_t handle, kind of, matrix a, way by, bool in_place) {
  stored it = store_system(of, a, by);
  number alpha = 1 + random_number(of), *b = random_numbers(of, a.rows);
  copy from = copy_numbers(of, b, a.rows), to = copy_numbers(of, b, a.rows);
  factor f;
  cusparseDnVecDescr_t vector_b, vector_x;
  cusparseSpSVDescr_t descr;
  size_t bytes = 0;
  void *buffer = NULL;
  make_factor(&f, of, alpha, by.on_device);
  FINE(cusparseSetPointerMode(handle, by.on_device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
  FINE(cusparseCreateDnVec(&vector_b, a.rows, in_place ? to.at : from.at, of.type));
  FINE(cusparseCreateDnVec(&vector_x, a.rows, to.at, of.type));
  FINE(cusparseSpSV_createDescr(&descr));
  FINE(cusparseSpSV_bufferSize(handle, by.operation, f.at, it.descr, vector_b, vector_x, of.type,
                               CUSPARSE_SPSV_ALG_DEFAULT, descr, &bytes));
  buffer = external_buffer(bytes);
  FINE(cusparseSpSV_analysis(handle, by.operation, f.at, it.descr, vector_b, vector_x, of.type,
                             CUSPARSE_SPSV_ALG_DEFAULT, descr, buffer));
  for (int round = 0; round < 2; round++) {
    FINE(cusparseSpSV_solve(handle, by.operation, f.at, it.descr, vector_b, vector_x, of.type,
                            CUSPARSE_SPSV_ALG_DEFAULT, descr));
    number *x = read_numbers(of, to.at, a.rows), *back = product(a, by, x);
    for (int i = 0; i < a.rows; i++)
      EXPECT(is_near(of, back[i], alpha * b[i], 4));
    free(x);
    free(back);
    if (in_place || by.format == CUSPARSE_FORMAT_CSC)
      break;
    for (int k = 0; k < a.nnz; k++)
      a.value[k] *= 1.25;
    copy fresh = copy_numbers(of, a.value, a.nnz);
    cudaFree(it.values.base);
    it.values = fresh;
    FINE(cusparseSpMatSetValues(it.descr, fresh.at));
    FINE(cusparseSpSV_updateMatrix(handle, descr, fresh.at, CUSPARSE_SPSV_UPDATE_GENERAL));
  }
  FINE(cusparseSpSV_destroyDescr(descr));
  FINE(cusparseDestroyDnVec(vector_b));
  FINE(cusparseDestroyDnVec(vector_x));
  free_stored(it);
  cudaFree(buffer);
  cudaFree(from.base);
  cudaFree(to.base);
  cudaFree(f.device.base);
  free(b);
}

static void check_matrix(cusparseHandle_t handle, kind of, matrix a, way by, int sides, bool b_by_rows,
                         bool x_by_rows, cusparseOperation_t op_b) {
  stored it = store_system(of, a, by);
  int n = a.rows, b_rows = turns(op_b) ? sides : n, b_cols = turns(op_b) ? n : sides;
  number alpha = 1 + random_number(of), *b = random_numbers(of, (int64_t)n * sides);
  copy from = copy_numbers(of, b, (int64_t)n * sides), to = copy_numbers(of, b, (int64_t)n * sides);
  factor f;
  cusparseDnMatDescr_t matrix_b, matrix_x;
  cusparseSpSMDescr_t descr;
  size_t bytes = 0;
  void *buffer = NULL;
  make_factor(&f, of, alpha, false);
  FINE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  FINE(cusparseCreateDnMat(&matrix_b, b_rows, b_cols, b_by_rows ? b_cols : b_rows, from.at, of.type,
                           b_by_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
  FINE(cusparseCreateDnMat(&matrix_x, n, sides, x_by_rows ? sides : n, to.at, of.type,
                           x_by_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
  FINE(cusparseSpSM_createDescr(&descr));
  FINE(cusparseSpSM_bufferSize(handle, by.operation, op_b, f.at, it.descr, matrix_b, matrix_x, of.type,
                               CUSPARSE_SPSM_ALG_DEFAULT, descr, &bytes));
  buffer = external_buffer(bytes);
  FINE(cusparseSpSM_analysis(handle, by.operation, op_b, f.at, it.descr, matrix_b, matrix_x, of.type,
                             CUSPARSE_SPSM_ALG_DEFAULT, descr, buffer));
  FINE(cusparseSpSM_solve(handle, by.operation, op_b, f.at, it.descr, matrix_b, matrix_x, of.type,
                          CUSPARSE_SPSM_ALG_DEFAULT, descr));
  number *all = read_numbers(of, to.at, (int64_t)n * sides), *x = malloc((size_t)n * sizeof *x);
  for (int j = 0; j < sides; j++) {
    for (int i = 0; i < n; i++)
      x[i] = all[x_by_rows ? i * sides + j : i + j * n];
    number *back = product(a, by, x);
    for (int i = 0; i < n; i++) {
      int row = turns(op_b) ? j : i, col = turns(op_b) ? i : j;
      EXPECT(is_near(of, back[i], alpha * b[b_by_rows ? row * b_cols + col : row + col * b_rows], 4));
    }
    free(back);
  }
  free(all);
  free(x);
  FINE(cusparseSpSM_destroyDescr(descr));
  FINE(cusparseDestroyDnMat(matrix_b));
  FINE(cusparseDestroyDnMat(matrix_x));
  free_stored(it);
  cudaFree(buffer);
  cudaFree(from.base);
  cudaFree(to.base);
  free(b);
}

int main(void) {
  static const cusparseFormat_t formats[] = { CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_COO, CUSPARSE_FORMAT_CSC };
  static const cusparseOperation_t operations[] = { CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
                                                    CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE };
  static const int sizes[] = { 1, 40, 300, 1400 };
  cusparseHandle_t handle;
  FINE(cusparseCreate(&handle));
  for (int turn = 0; turn < 96; turn++) {
    kind of = kinds[turn % 4];
    int n = sizes[turn / 4 % 4];
    way by = { formats[turn % 3],
               turn & 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I,
               turn & 16 ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO,
               operations[turn / 3 % 3],
               turn / 2 % 2 ? CUSPARSE_FILL_MODE_UPPER : CUSPARSE_FILL_MODE_LOWER,
               turn / 5 % 2 ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT,
               turn & 4 };
#ifdef ON_NVIDIA /* whose triangles are not stored by columns */
    if (by.format == CUSPARSE_FORMAT_CSC || !has_operation(of, by.operation))
      continue;
#endif
    matrix a = system_matrix(of, n, turn % 2 ? SPARSE_ROWS : SKEWED, turn % 7 < 3);
    checking("turn %d: type %d, %d rows with %d, format %d, index type %d, operation %d, fill %d, diagonal %d", turn,
             (int)of.type, n, a.nnz, (int)by.format, (int)by.index_type, (int)by.operation, (int)by.fill,
             (int)by.diagonal);
    check_vector(handle, of, a, by, turn % 5 == 1);
    if (n < 1000)
      check_matrix(handle, of, a, by, 1 + turn % 9, turn & 1, turn & 2, operations[turn % 2]);
    free_matrix(a);
    checked = "";
  }
  FINE(cusparseDestroy(handle));
  return verdict("conform_solve");
}
