/* SPDX-License-Identifier: MIT */
/*
 * triangular - products with triangular matrices, and systems of them.
 *
 * trmm: the matrix is written out whole, with zeros, and multiplied; where C is B, of a copy. trsm: blocks on the
 * diagonal are solved by a kernel, a right-hand side a thread, and each block's unknowns are taken out of the rest by a
 * product; so the larger the matrix is, the more of it is CLBlast's work. By a factor on the device that is 0 a block
 * is made 0 without a look at A, whatever the products before left there. Many small systems are a kernel each thread
 * of which has a right-hand side of its own.
 *
 * No state, no locks. Called by programs (triangular_calls.h); and by legacy.c and cusolver/blas.c. Nothing waits.
 */
#include "cublas/kernel.h"
#include "cublas/matrix.h"
#include "cublas/product.h"

enum { SIDE = 32 /* of a block on the diagonal */, MOST_Y = 65535 };

static void require_shape(vptr__blas_call *call, cublasSideMode_t side, cublasFillMode_t uplo,
                          cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, int64_t lda,
                          int64_t ldb) {
  vptr__blas_require_side(call, side);
  vptr__blas_require_triangle(call, uplo);
  vptr__blas_require_operation(call, "trans", trans);
  vptr__blas_require_diagonal(call, diag);
  vptr__blas_require_size(call, "m", m);
  vptr__blas_require_size(call, "n", n);
  vptr__blas_require_leading(call, "lda", lda, side == CUBLAS_SIDE_LEFT ? m : n);
  vptr__blas_require_leading(call, "ldb", ldb, m);
}

/* C = alpha B; C may be B. */
static void scale_matrix(vptr__blas_call *call, vptr__blas_scalar alpha, int64_t m, int64_t n, const void *b,
                         int64_t ldb, void *c, int64_t ldc) {
  vptr__blas_operand operand = { b, ldb, CUBLAS_OP_N };
  vptr__blas_add(call, &(vptr__blas_sum){ .m = m,
                                          .n = n,
                                          .alpha = alpha,
                                          .beta = vptr__blas_constant(call->type, 0),
                                          .a = operand,
                                          .b = operand,
                                          .c = c,
                                          .ldc = ldc });
}

static cublasStatus_t multiply_triangular(const char *name, cublasHandle_t handle, vptr__blas_type type,
                                          cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
                                          cublasDiagType_t diag, int64_t m, int64_t n, const void *alpha,
                                          const void *a, int64_t lda, const void *b, int64_t ldb, void *c,
                                          int64_t ldc) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  bool is_left = side == CUBLAS_SIDE_LEFT;
  int64_t order = is_left ? m : n, ld = ldb;
  const size_t size = vptr__blas_size(type);
  require_shape(&call, side, uplo, trans, diag, m, n, lda, ldb);
  vptr__blas_require_leading(&call, "ldc", ldc, m);
  if (call.status != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0)
    return vptr__blas_finish(&call);
  vptr__blas_scalar by = vptr__blas_scalar_at(&call, "alpha", alpha);
  vptr__blas_matrix(&call, "A", a, order, order, lda);
  vptr__blas_matrix(&call, "B", b, m, n, ldb);
  vptr__blas_matrix(&call, "C", c, m, n, ldc);
  void *whole = vptr__blas_work(&call, (size_t)order * (size_t)order * size);
  vptr__blas_matrix_of it = { .at = a,
                              .ld = lda,
                              .triangle = vptr__blas_triangle_of(uplo),
                              .mirror = VPTR__BLAS_ZEROS,
                              .unit = diag == CUBLAS_DIAG_UNIT,
                              .n = order };
  vptr__blas_launch(&call, VPTR__BLAS_EXPAND, vptr__blas_plane(order, order),
                    VPTR__BLAS_ARGUMENTS(VPTR__BLAS_MATRIX(it), &whole, &order));
  if (b == c) {
    void *copy = vptr__blas_work(&call, (size_t)m * (size_t)n * size);
    scale_matrix(&call, vptr__blas_constant(type, 1), m, n, b, ldb, copy, m);
    b = copy;
    ld = m;
  }
  vptr__blas_operand first = { whole, order, trans }, second = { b, ld, CUBLAS_OP_N };
  vptr__blas_multiply(&call, &(vptr__blas_product){ .m = m,
                                                    .n = n,
                                                    .k = order,
                                                    .alpha = by,
                                                    .beta = vptr__blas_constant(type, 0),
                                                    .a = is_left ? first : second,
                                                    .b = is_left ? second : first,
                                                    .c = c,
                                                    .ldc = ldc });
  return vptr__blas_finish(&call);
}

/* ---- systems ---------------------------------------------------------------------------------------------------- */

/* op(A) X = alpha B, or X op(A) = alpha B, seen as the former: of that the transposed is solved. */
typedef struct system_of {
  int64_t order, count; /* of A; of right-hand sides */
  const void *a;
  int64_t lda;
  int64_t a_row, a_column; /* of the matrix that is solved */
  int conjugates, forward, unit;
  int64_t b_row, b_column;
} system_of;

static system_of system_for(cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
                            cublasDiagType_t diag, int64_t m, int64_t n, const void *a, int64_t lda, int64_t ldb) {
  bool is_left = side == CUBLAS_SIDE_LEFT, turns = (trans != CUBLAS_OP_N) == is_left;
  return (system_of){ .order = is_left ? m : n,
                      .count = is_left ? n : m,
                      .a = a,
                      .lda = lda,
                      .a_row = turns ? lda : 1,
                      .a_column = turns ? 1 : lda,
                      .conjugates = trans == CUBLAS_OP_C,
                      .forward = (uplo == CUBLAS_FILL_MODE_LOWER) != turns,
                      .unit = diag == CUBLAS_DIAG_UNIT,
                      .b_row = is_left ? 1 : ldb,
                      .b_column = is_left ? ldb : 1 };
}

static void solve_block(vptr__blas_call *call, const system_of *system, int64_t from, int64_t side, char *b,
                        vptr__blas_scalar alpha) {
  system_of it = *system;
  void *at = b + (size_t)(from * it.b_row) * vptr__blas_size(call->type);
  it.a = vptr__blas_element(call, it.a, it.lda, from, from);
  vptr__blas_launch(call, VPTR__BLAS_TRSM, vptr__blas_line(it.count),
                    VPTR__BLAS_ARGUMENTS(&side, &it.count, &alpha.value, &alpha.at, &it.a, &it.a_row, &it.a_column,
                                         &it.conjugates, &it.forward, &it.unit, &at, &it.b_row, &it.b_column));
}

/* Takes the unknowns of a block out of `rows` equations from `row` on: B -= op(A) X, or the transposed. */
static void eliminate_block(vptr__blas_call *call, const system_of *it, cublasSideMode_t side,
                            cublasOperation_t trans, int64_t from, int64_t width, int64_t row, int64_t rows, char *b,
                            int64_t ldb) {
  bool is_left = side == CUBLAS_SIDE_LEFT;
  const size_t size = vptr__blas_size(call->type);
  /* The part of op(A) in these rows and the block's columns, as it is stored. */
  bool is_stored_so = (trans == CUBLAS_OP_N) == is_left;
  vptr__blas_operand part = {
    vptr__blas_element(call, it->a, it->lda, is_stored_so ? row : from, is_stored_so ? from : row), it->lda, trans
  };
  vptr__blas_operand known = { b + (size_t)(from * it->b_row) * size, ldb, CUBLAS_OP_N };
  vptr__blas_multiply(call, &(vptr__blas_product){ .m = is_left ? rows : it->count,
                                                   .n = is_left ? it->count : rows,
                                                   .k = width,
                                                   .alpha = vptr__blas_constant(call->type, -1),
                                                   .beta = vptr__blas_constant(call->type, 1),
                                                   .a = is_left ? part : known,
                                                   .b = is_left ? known : part,
                                                   .c = b + (size_t)(row * it->b_row) * size,
                                                   .ldc = ldb });
}

static cublasStatus_t solve_triangular(const char *name, cublasHandle_t handle, vptr__blas_type type,
                                       cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
                                       cublasDiagType_t diag, int64_t m, int64_t n, const void *alpha, const void *a,
                                       int64_t lda, void *b, int64_t ldb) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  require_shape(&call, side, uplo, trans, diag, m, n, lda, ldb);
  if (call.status != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0)
    return vptr__blas_finish(&call);
  const system_of it = system_for(side, uplo, trans, diag, m, n, a, lda, ldb);
  vptr__blas_scalar by = vptr__blas_scalar_at(&call, "alpha", alpha);
  if (call.status == CUBLAS_STATUS_SUCCESS && !vptr__blas_scalar_is(&call, &by, 0))
    vptr__blas_matrix(&call, "A", a, it.order, it.order, lda);
  vptr__blas_matrix(&call, "B", b, m, n, ldb);
  if (!vptr__blas_scalar_is(&call, &by, 1))
    scale_matrix(&call, by, m, n, b, ldb, b, ldb);
  if (vptr__blas_scalar_is(&call, &by, 0))
    return vptr__blas_finish(&call);
  for (int64_t done = 0; done < it.order; done += SIDE) {
    int64_t width = it.order - done < SIDE ? it.order - done : SIDE, rows = it.order - done - width;
    int64_t from = it.forward ? done : it.order - done - width;
    solve_block(&call, &it, from, width, b, by);
    eliminate_block(&call, &it, side, trans, from, width, it.forward ? from + width : 0, rows, b, ldb);
  }
  return vptr__blas_finish(&call);
}

static cublasStatus_t solve_many(const char *name, cublasHandle_t handle, vptr__blas_type type, cublasSideMode_t side,
                                 cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m,
                                 int64_t n, const void *alpha, const void *as, int64_t lda, const void *bs,
                                 int64_t ldb, int64_t count) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  require_shape(&call, side, uplo, trans, diag, m, n, lda, ldb);
  vptr__blas_require_size(&call, "batchCount", count);
  if (call.status != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0 || count == 0)
    return vptr__blas_finish(&call);
  system_of it = system_for(side, uplo, trans, diag, m, n, as, lda, ldb);
  vptr__blas_scalar by = vptr__blas_scalar_at(&call, "alpha", alpha);
  vptr__blas_pointers(&call, "A", as, count);
  vptr__blas_pointers(&call, "B", bs, count);
  vptr__blas_shape shape = { { (uint32_t)((it.count - 1) / 64 + 1), (uint32_t)(count < MOST_Y ? count : MOST_Y), 1 },
                             { 64, 1, 1 } };
  vptr__blas_launch(&call, VPTR__BLAS_TRSM_BATCHED, shape,
                    VPTR__BLAS_ARGUMENTS(&it.order, &it.count, &by.value, &by.at, &as, &it.a_row, &it.a_column,
                                         &it.conjugates, &it.forward, &it.unit, &bs, &it.b_row, &it.b_column,
                                         &count));
  return vptr__blas_finish(&call);
}

#define VPTR_CUBLAS_CALLS "cublas/triangular_calls.h"
#include "cublas/both_sizes.h"
