/* SPDX-License-Identifier: MIT */
/*
 * symmetric - products with symmetric and hermitian matrices, and such matrices as results.
 *
 * symm and hemm: the matrix is written out whole, into memory of the call's own, and multiplied. syrk and its kin: C is
 * taken by columns of blocks; what is off the diagonal is a product, and a block on it is one in memory of the call's
 * own, of which the triangle is added. So the other triangle is not touched, and little is computed twice.
 *
 * No state, no locks. Called by programs (symmetric_calls.h); and by legacy.c and cusolver/blas.c. Nothing waits.
 */
#include "cublas/kernel.h"
#include "cublas/matrix.h"
#include "cublas/product.h"

enum { SIDE = 128 /* of a block on the diagonal */ };

static cublasStatus_t multiply_symmetric(const char *name, cublasHandle_t handle, vptr__blas_type type,
                                         bool is_hermitian, cublasSideMode_t side, cublasFillMode_t uplo, int64_t m,
                                         int64_t n, const void *alpha, const void *a, int64_t lda, const void *b,
                                         int64_t ldb, const void *beta, void *c, int64_t ldc) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  bool is_left = side == CUBLAS_SIDE_LEFT;
  int64_t order = is_left ? m : n;
  vptr__blas_require_side(&call, side);
  vptr__blas_require_triangle(&call, uplo);
  vptr__blas_require_size(&call, "m", m);
  vptr__blas_require_size(&call, "n", n);
  vptr__blas_require_leading(&call, "lda", lda, order);
  vptr__blas_require_leading(&call, "ldb", ldb, m);
  vptr__blas_require_leading(&call, "ldc", ldc, m);
  if (call.status != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0)
    return vptr__blas_finish(&call);
  vptr__blas_scalar by = vptr__blas_scalar_at(&call, "alpha", alpha),
                    kept = vptr__blas_scalar_at(&call, "beta", beta);
  vptr__blas_matrix(&call, "A", a, order, order, lda);
  vptr__blas_matrix(&call, "B", b, m, n, ldb);
  vptr__blas_matrix(&call, "C", c, m, n, ldc);
  void *whole = vptr__blas_work(&call, (size_t)order * (size_t)order * vptr__blas_size(type));
  vptr__blas_matrix_of it = { .at = a,
                              .ld = lda,
                              .triangle = vptr__blas_triangle_of(uplo),
                              .mirror = is_hermitian ? VPTR__BLAS_CONJUGATE : VPTR__BLAS_SAME,
                              .n = order };
  vptr__blas_launch(&call, VPTR__BLAS_EXPAND, vptr__blas_plane(order, order),
                    VPTR__BLAS_ARGUMENTS(VPTR__BLAS_MATRIX(it), &whole, &order));
  vptr__blas_operand first = { whole, order, CUBLAS_OP_N }, second = { b, ldb, CUBLAS_OP_N };
  vptr__blas_multiply(&call, &(vptr__blas_product){ .m = m,
                                                    .n = n,
                                                    .k = order,
                                                    .alpha = by,
                                                    .beta = kept,
                                                    .a = is_left ? first : second,
                                                    .b = is_left ? second : first,
                                                    .c = c,
                                                    .ldc = ldc });
  return vptr__blas_finish(&call);
}

/* ---- results ---------------------------------------------------------------------------------------------------- */

/* The kinds of products with a transposed matrix: one matrix; alpha A op(B) + op(alpha) B op(A); alpha A op(B) alone,
 * of which the caller knows that it is symmetric. */
typedef enum rank_kind { RANK_K, RANK_2K, RANK_KX } rank_kind;

/* C += alpha A op(B), by blocks; where A is transposed, alpha op(A) B. */
typedef struct rank_product {
  int64_t n, k;
  vptr__blas_scalar alpha, beta;
  vptr__blas_operand a, b; /* rows of op(A), and columns of op(B), are those of C */
  char *c;
  int64_t ldc;
  int triangle;
  bool is_hermitian;
  void *work; /* SIDE by SIDE elements */
} rank_product;

/* op(A) from a row on; op(B) from a column on. */
static vptr__blas_operand rows_from(const vptr__blas_call *call, vptr__blas_operand a, int64_t row) {
  bool turns = a.operation != CUBLAS_OP_N;
  a.at = vptr__blas_element(call, a.at, a.ld, turns ? 0 : row, turns ? row : 0);
  return a;
}
static vptr__blas_operand columns_from(const vptr__blas_call *call, vptr__blas_operand b, int64_t column) {
  bool turns = b.operation != CUBLAS_OP_N;
  b.at = vptr__blas_element(call, b.at, b.ld, turns ? column : 0, turns ? 0 : column);
  return b;
}

static void multiply_on_diagonal(vptr__blas_call *call, const rank_product *it, int64_t from, int64_t side) {
  void *c = vptr__blas_element(call, it->c, it->ldc, from, from);
  vptr__blas_multiply(call, &(vptr__blas_product){ .m = side,
                                                   .n = side,
                                                   .k = it->k,
                                                   .alpha = vptr__blas_constant(call->type, 1),
                                                   .beta = vptr__blas_constant(call->type, 0),
                                                   .a = rows_from(call, it->a, from),
                                                   .b = columns_from(call, it->b, from),
                                                   .c = it->work,
                                                   .ldc = SIDE });
  vptr__blas_add(call, &(vptr__blas_sum){ .m = side,
                                          .n = side,
                                          .alpha = it->alpha,
                                          .beta = it->beta,
                                          .a = { it->work, SIDE, CUBLAS_OP_N },
                                          .b = { c, it->ldc, CUBLAS_OP_N },
                                          .c = c,
                                          .ldc = it->ldc,
                                          .triangle = it->triangle,
                                          .is_hermitian = it->is_hermitian });
}

static void multiply_rank(vptr__blas_call *call, const rank_product *it) {
  for (int64_t from = 0; from < it->n; from += SIDE) {
    int64_t side = it->n - from < SIDE ? it->n - from : SIDE;
    bool is_lower = it->triangle == VPTR__BLAS_LOWER;
    int64_t row = is_lower ? from + side : 0, rows = is_lower ? it->n - from - side : from;
    multiply_on_diagonal(call, it, from, side);
    vptr__blas_multiply(call, &(vptr__blas_product){ .m = rows,
                                                     .n = side,
                                                     .k = it->k,
                                                     .alpha = it->alpha,
                                                     .beta = it->beta,
                                                     .a = rows_from(call, it->a, row),
                                                     .b = columns_from(call, it->b, from),
                                                     .c = vptr__blas_element(call, it->c, it->ldc, row, from),
                                                     .ldc = it->ldc });
  }
}

/* The diagonal of a hermitian result is made real by each of both products: what each leaves out there is what the
 * other, its conjugate, would have taken away. */
static void multiply_kinds(vptr__blas_call *call, rank_kind kind, rank_product it) {
  vptr__blas_operand a = it.a, b = it.b;
  bool turns = a.operation != CUBLAS_OP_N;
  cublasOperation_t turn = it.is_hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
  it.a.operation = turns ? turn : CUBLAS_OP_N;
  it.b.operation = turns ? CUBLAS_OP_N : turn;
  multiply_rank(call, &it);
  if (kind != RANK_2K)
    return;
  it.a.at = b.at;
  it.a.ld = b.ld;
  it.b.at = a.at;
  it.b.ld = a.ld;
  if (it.is_hermitian)
    it.alpha = vptr__blas_conjugate(call, it.alpha);
  it.beta = vptr__blas_constant(call->type, 1);
  multiply_rank(call, &it);
}

static void require_rank(vptr__blas_call *call, rank_kind kind, bool is_hermitian, cublasFillMode_t uplo,
                         cublasOperation_t trans, int64_t n, int64_t k, int64_t lda, int64_t ldb, int64_t ldc) {
  bool turns = trans != CUBLAS_OP_N, is_complex = vptr__blas_is_complex(call->type);
  vptr__blas_require_triangle(call, uplo);
  vptr__blas_require_operation(call, "trans", trans);
  if (is_complex)
    vptr__blas_require(call, !turns || (trans == CUBLAS_OP_C) == is_hermitian,
                       "trans is CUBLAS_OP_%c, which is not for %s results", is_hermitian ? 'T' : 'C',
                       is_hermitian ? "hermitian" : "symmetric");
  vptr__blas_require_size(call, "n", n);
  vptr__blas_require_size(call, "k", k);
  vptr__blas_require_leading(call, "lda", lda, turns ? k : n);
  if (kind != RANK_K)
    vptr__blas_require_leading(call, "ldb", ldb, turns ? k : n);
  vptr__blas_require_leading(call, "ldc", ldc, n);
}

static cublasStatus_t multiply_transposed(const char *name, cublasHandle_t handle, vptr__blas_type type,
                                          rank_kind kind, bool is_hermitian, cublasFillMode_t uplo,
                                          cublasOperation_t trans, int64_t n, int64_t k, const void *alpha,
                                          const void *a, int64_t lda, const void *b, int64_t ldb, const void *beta,
                                          void *c, int64_t ldc) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  bool turns = trans != CUBLAS_OP_N;
  require_rank(&call, kind, is_hermitian, uplo, trans, n, k, lda, ldb, ldc);
  if (call.status != CUBLAS_STATUS_SUCCESS || n == 0)
    return vptr__blas_finish(&call);
  rank_product it = { .n = n,
                      .k = k,
                      .a = { a, lda, trans },
                      .b = { kind == RANK_K ? a : b, kind == RANK_K ? lda : ldb, trans },
                      .c = c,
                      .ldc = ldc,
                      .triangle = vptr__blas_triangle_of(uplo),
                      .is_hermitian = is_hermitian };
  it.alpha = is_hermitian && kind == RANK_K ? vptr__blas_real_scalar_at(&call, "alpha", alpha)
                                            : vptr__blas_scalar_at(&call, "alpha", alpha);
  it.beta = is_hermitian ? vptr__blas_real_scalar_at(&call, "beta", beta) : vptr__blas_scalar_at(&call, "beta", beta);
  vptr__blas_matrix(&call, "A", a, turns ? k : n, turns ? n : k, lda);
  if (kind != RANK_K)
    vptr__blas_matrix(&call, "B", b, turns ? k : n, turns ? n : k, ldb);
  vptr__blas_matrix(&call, "C", c, n, n, ldc);
  it.work = vptr__blas_work(&call, SIDE * SIDE * vptr__blas_size(type));
  multiply_kinds(&call, kind, it);
  return vptr__blas_finish(&call);
}

#define VPTR_CUBLAS_CALLS "cublas/symmetric_calls.h"
#include "cublas/both_sizes.h"
