/* SPDX-License-Identifier: MIT */
/*
 * vector_product - matrices times vectors, and triangular systems with one right-hand side.
 *
 * Whole matrices have two kernels of their own, one that goes along rows and one that goes along columns; all other
 * kinds share a kernel that asks for each element (kernels/element.cuh). A triangular product is of a copy of x. A
 * triangular system is solved by one block, an unknown after the other. y is not read where beta is 0, nor A and x
 * where alpha is 0.
 *
 * No state, no locks. Called by programs (vector_product_calls.h); and by legacy.c and cusolver/blas.c.
 * Nothing waits.
 */
#include "cublas/kernel.h"
#include "cublas/matrix.h"

enum { ROWS_OF_BLOCK = 64, ROW_BLOCK = 256, COLUMN_BLOCK = 64, SOLVERS = 256, MOST_COLUMNS = 1 << 20 };

static const int64_t EVERYWHERE = INT64_MAX / 4;

static cublasStatus_t multiply_whole(const char *name, cublasHandle_t handle, vptr__blas_type type,
                                     cublasOperation_t trans, int64_t m, int64_t n, const void *alpha, const void *a,
                                     int64_t lda, const void *x, int64_t incx, const void *beta, void *y,
                                     int64_t incy) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  bool turns = trans != CUBLAS_OP_N;
  vptr__blas_require_operation(&call, "trans", trans);
  vptr__blas_require_size(&call, "m", m);
  vptr__blas_require_size(&call, "n", n);
  vptr__blas_require_leading(&call, "lda", lda, m);
  vptr__blas_require_increment(&call, "incx", incx);
  vptr__blas_require_increment(&call, "incy", incy);
  if (call.status != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0)
    return vptr__blas_finish(&call);
  vptr__blas_scalar by = vptr__blas_scalar_at(&call, "alpha", alpha),
                    kept = vptr__blas_scalar_at(&call, "beta", beta);
  vptr__blas_matrix(&call, "A", a, m, n, lda);
  x = vptr__blas_vector(&call, "x", x, turns ? m : n, incx);
  y = vptr__blas_output_vector(&call, "y", y, turns ? n : m, incy);
  int conjugates = trans == CUBLAS_OP_C;
  if (turns)
    vptr__blas_launch(
        &call, VPTR__BLAS_GEMV_T,
        (vptr__blas_shape){ { (uint32_t)(n < MOST_COLUMNS ? n : MOST_COLUMNS), 1, 1 }, { COLUMN_BLOCK, 1, 1 } },
        VPTR__BLAS_ARGUMENTS(&m, &n, &conjugates, &by.value, &by.at, &a, &lda, &x, &incx, &kept.value, &kept.at, &y,
                             &incy));
  else
    vptr__blas_launch(
        &call, VPTR__BLAS_GEMV_N,
        (vptr__blas_shape){ { (uint32_t)((m - 1) / ROWS_OF_BLOCK + 1), 1, 1 }, { ROW_BLOCK, 1, 1 } },
        VPTR__BLAS_ARGUMENTS(&m, &n, &by.value, &by.at, &a, &lda, &x, &incx, &kept.value, &kept.at, &y, &incy));
  return vptr__blas_finish(&call);
}

/* ---- all other kinds of matrices ------------------------------------------------------------------------------ */

typedef struct reach {
  int64_t below, above; /* how far a row of op(A) reaches from the diagonal */
} reach;

/* y = alpha op(A) x + beta y, of operands that were checked. */
static void multiply_vector(vptr__blas_call *call, const vptr__blas_matrix_of *matrix, cublasOperation_t trans,
                            int64_t rows, int64_t columns, reach reach, vptr__blas_scalar alpha, const void *x,
                            int64_t incx, vptr__blas_scalar beta, void *y, int64_t incy) {
  vptr__blas_matrix_of it = *matrix;
  int turns = trans != CUBLAS_OP_N, conjugates = trans == CUBLAS_OP_C;
  vptr__blas_launch(call, VPTR__BLAS_MATVEC, vptr__blas_line(rows),
                    VPTR__BLAS_ARGUMENTS(&rows, &columns, &turns, &conjugates, &reach.below, &reach.above,
                                         VPTR__BLAS_MATRIX(it), &alpha.value, &alpha.at, &x, &incx, &beta.value,
                                         &beta.at, &y, &incy));
}

static cublasStatus_t multiply_band(const char *name, cublasHandle_t handle, vptr__blas_type type,
                                    cublasOperation_t trans, int64_t m, int64_t n, int64_t kl, int64_t ku,
                                    const void *alpha, const void *a, int64_t lda, const void *x, int64_t incx,
                                    const void *beta, void *y, int64_t incy) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  bool turns = trans != CUBLAS_OP_N;
  vptr__blas_require_operation(&call, "trans", trans);
  vptr__blas_require_size(&call, "m", m);
  vptr__blas_require_size(&call, "n", n);
  vptr__blas_require_size(&call, "kl", kl);
  vptr__blas_require_size(&call, "ku", ku);
  vptr__blas_require_band(&call, lda, kl, ku);
  vptr__blas_require_increment(&call, "incx", incx);
  vptr__blas_require_increment(&call, "incy", incy);
  if (call.status != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0)
    return vptr__blas_finish(&call);
  int64_t rows = turns ? n : m, columns = turns ? m : n;
  vptr__blas_scalar by = vptr__blas_scalar_at(&call, "alpha", alpha),
                    kept = vptr__blas_scalar_at(&call, "beta", beta);
  vptr__blas_matrix(&call, "A", a, kl + ku + 1, n, lda);
  x = vptr__blas_vector(&call, "x", x, columns, incx);
  y = vptr__blas_output_vector(&call, "y", y, rows, incy);
  vptr__blas_matrix_of matrix = { .at = a, .ld = lda, .storage = VPTR__BLAS_BAND, .lower = kl, .upper = ku, .n = n };
  multiply_vector(&call, &matrix, trans, rows, columns, turns ? (reach){ ku, kl } : (reach){ kl, ku }, by, x, incx,
                  kept, y, incy);
  return vptr__blas_finish(&call);
}

/* A matrix of which a triangle is stored, checked. k: how far a band reaches. */
static vptr__blas_matrix_of triangle_at(vptr__blas_call *call, int storage, cublasFillMode_t uplo, int64_t n,
                                        int64_t k, const void *a, int64_t lda) {
  vptr__blas_matrix_of matrix = {
    .at = a, .ld = lda, .storage = storage, .triangle = vptr__blas_triangle_of(uplo), .n = n
  };
  if (storage == VPTR__BLAS_PACKED)
    vptr__blas_packed(call, "AP", a, n);
  else
    vptr__blas_matrix(call, "A", a, storage == VPTR__BLAS_BAND ? k + 1 : n, n, lda);
  matrix.lower = matrix.triangle == VPTR__BLAS_LOWER ? k : 0;
  matrix.upper = matrix.triangle == VPTR__BLAS_UPPER ? k : 0;
  return matrix;
}

static void require_triangle(vptr__blas_call *call, int storage, cublasFillMode_t uplo, int64_t n, int64_t k,
                             int64_t lda) {
  vptr__blas_require_triangle(call, uplo);
  vptr__blas_require_size(call, "n", n);
  vptr__blas_require_size(call, "k", k);
  if (storage == VPTR__BLAS_BAND)
    vptr__blas_require_band(call, lda, k, 0);
  else if (storage != VPTR__BLAS_PACKED)
    vptr__blas_require_leading(call, "lda", lda, n);
}

static cublasStatus_t multiply_symmetric(const char *name, cublasHandle_t handle, vptr__blas_type type, int storage,
                                         bool is_hermitian, cublasFillMode_t uplo, int64_t n, int64_t k,
                                         const void *alpha, const void *a, int64_t lda, const void *x, int64_t incx,
                                         const void *beta, void *y, int64_t incy) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  require_triangle(&call, storage, uplo, n, k, lda);
  vptr__blas_require_increment(&call, "incx", incx);
  vptr__blas_require_increment(&call, "incy", incy);
  if (call.status != CUBLAS_STATUS_SUCCESS || n == 0)
    return vptr__blas_finish(&call);
  vptr__blas_scalar by = vptr__blas_scalar_at(&call, "alpha", alpha),
                    kept = vptr__blas_scalar_at(&call, "beta", beta);
  vptr__blas_matrix_of matrix = triangle_at(&call, storage, uplo, n, k, a, lda);
  matrix.mirror = is_hermitian ? VPTR__BLAS_CONJUGATE : VPTR__BLAS_SAME;
  x = vptr__blas_vector(&call, "x", x, n, incx);
  y = vptr__blas_output_vector(&call, "y", y, n, incy);
  int64_t most = storage == VPTR__BLAS_BAND ? k : EVERYWHERE;
  multiply_vector(&call, &matrix, CUBLAS_OP_N, n, n, (reach){ most, most }, by, x, incx, kept, y, incy);
  return vptr__blas_finish(&call);
}

/* ---- triangles ------------------------------------------------------------------------------------------------- */

static void multiply_triangle(vptr__blas_call *call, const vptr__blas_matrix_of *matrix, cublasOperation_t trans,
                              int64_t most, void *x, int64_t incx) {
  int64_t n = matrix->n, one = 1;
  void *copy = vptr__blas_work(call, (size_t)n * vptr__blas_size(call->type));
  bool is_lower = (matrix->triangle == VPTR__BLAS_LOWER) == (trans == CUBLAS_OP_N);
  vptr__blas_launch(call, VPTR__BLAS_COPY, vptr__blas_line(n), VPTR__BLAS_ARGUMENTS(&n, &x, &incx, &copy, &one));
  multiply_vector(call, matrix, trans, n, n, is_lower ? (reach){ most, 0 } : (reach){ 0, most },
                  vptr__blas_constant(call->type, 1), copy, 1, vptr__blas_constant(call->type, 0), x, incx);
}

static cublasStatus_t multiply_or_solve(const char *name, cublasHandle_t handle, vptr__blas_type type, int storage,
                                        bool solves, cublasFillMode_t uplo, cublasOperation_t trans,
                                        cublasDiagType_t diag, int64_t n, int64_t k, const void *a, int64_t lda,
                                        void *x, int64_t incx) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  require_triangle(&call, storage, uplo, n, k, lda);
  vptr__blas_require_operation(&call, "trans", trans);
  vptr__blas_require_diagonal(&call, diag);
  vptr__blas_require_increment(&call, "incx", incx);
  if (call.status != CUBLAS_STATUS_SUCCESS || n == 0)
    return vptr__blas_finish(&call);
  vptr__blas_matrix_of matrix = triangle_at(&call, storage, uplo, n, k, a, lda);
  matrix.unit = diag == CUBLAS_DIAG_UNIT;
  x = vptr__blas_output_vector(&call, "x", x, n, incx);
  int64_t most = storage == VPTR__BLAS_BAND ? k : EVERYWHERE;
  int turns = trans != CUBLAS_OP_N, conjugates = trans == CUBLAS_OP_C;
  if (solves)
    vptr__blas_launch(&call, VPTR__BLAS_SOLVE, (vptr__blas_shape){ { 1, 1, 1 }, { SOLVERS, 1, 1 } },
                      VPTR__BLAS_ARGUMENTS(&turns, &conjugates, &most, VPTR__BLAS_MATRIX(matrix), &x, &incx));
  else
    multiply_triangle(&call, &matrix, trans, most, x, incx);
  return vptr__blas_finish(&call);
}

#define VPTR_CUBLAS_CALLS "cublas/vector_product_calls.h"
#include "cublas/both_sizes.h"
