/* SPDX-License-Identifier: MIT */
/*
 * sum - geam, dgmm, tpttr and trttp: matrices added, scaled by a diagonal, packed and unpacked.
 *
 * No state, no locks. Called by programs (sum_calls.h, for both types of sizes, and here for those that have one),
 * and by cusolver/blas.c. Nothing waits.
 */
#include "cublas/kernel.h"
#include "cublas/matrix.h"
#include "cublas/product.h"

/* What of op(A) is stored; not looked at where its factor is 0. */
static void check_term(vptr__blas_call *call, const char *what, const vptr__blas_scalar *factor,
                       const vptr__blas_operand *a, int64_t m, int64_t n) {
  bool turns = a->operation != CUBLAS_OP_N;
  if (call->status == CUBLAS_STATUS_SUCCESS && !vptr__blas_scalar_is(call, factor, 0))
    vptr__blas_matrix(call, what, a->at, turns ? n : m, turns ? m : n, a->ld);
}

static cublasStatus_t add_matrices(const char *name, cublasHandle_t handle, vptr__blas_type type, vptr__blas_sum sum,
                                   const void *alpha, const void *beta) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  vptr__blas_require_operation(&call, "transa", sum.a.operation);
  vptr__blas_require_operation(&call, "transb", sum.b.operation);
  vptr__blas_require_size(&call, "m", sum.m);
  vptr__blas_require_size(&call, "n", sum.n);
  vptr__blas_require_leading(&call, "lda", sum.a.ld, sum.a.operation == CUBLAS_OP_N ? sum.m : sum.n);
  vptr__blas_require_leading(&call, "ldb", sum.b.ld, sum.b.operation == CUBLAS_OP_N ? sum.m : sum.n);
  vptr__blas_require_leading(&call, "ldc", sum.ldc, sum.m);
  vptr__blas_require(&call, sum.c != sum.a.at || (sum.a.operation == CUBLAS_OP_N && sum.a.ld == sum.ldc),
                     "C is A, and A is transposed or has another leading dimension");
  vptr__blas_require(&call, sum.c != sum.b.at || (sum.b.operation == CUBLAS_OP_N && sum.b.ld == sum.ldc),
                     "C is B, and B is transposed or has another leading dimension");
  if (call.status != CUBLAS_STATUS_SUCCESS || sum.m == 0 || sum.n == 0)
    return vptr__blas_finish(&call);
  sum.alpha = vptr__blas_scalar_at(&call, "alpha", alpha);
  sum.beta = vptr__blas_scalar_at(&call, "beta", beta);
  check_term(&call, "A", &sum.alpha, &sum.a, sum.m, sum.n);
  check_term(&call, "B", &sum.beta, &sum.b, sum.m, sum.n);
  vptr__blas_matrix(&call, "C", sum.c, sum.m, sum.n, sum.ldc);
  if (vptr__blas_scalar_is(&call, &sum.alpha, 0))
    sum.a.at = sum.c;
  if (vptr__blas_scalar_is(&call, &sum.beta, 0))
    sum.b.at = sum.c;
  vptr__blas_add(&call, &sum);
  return vptr__blas_finish(&call);
}

static cublasStatus_t scale_by_diagonal(const char *name, cublasHandle_t handle, vptr__blas_type type,
                                        cublasSideMode_t mode, int64_t m, int64_t n, const void *a, int64_t lda,
                                        const void *x, int64_t incx, void *c, int64_t ldc) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  int from_right = mode == CUBLAS_SIDE_RIGHT;
  vptr__blas_require_side(&call, mode);
  vptr__blas_require_size(&call, "m", m);
  vptr__blas_require_size(&call, "n", n);
  vptr__blas_require_leading(&call, "lda", lda, m);
  vptr__blas_require_leading(&call, "ldc", ldc, m);
  if (call.status != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0)
    return vptr__blas_finish(&call);
  vptr__blas_matrix(&call, "A", a, m, n, lda);
  vptr__blas_matrix(&call, "C", c, m, n, ldc);
  x = vptr__blas_vector(&call, "x", x, from_right ? n : m, incx);
  vptr__blas_launch(&call, VPTR__BLAS_DGMM, vptr__blas_plane(m, n),
                    VPTR__BLAS_ARGUMENTS(&m, &n, &from_right, &a, &lda, &x, &incx, &c, &ldc));
  return vptr__blas_finish(&call);
}

/* Between a packed triangle and one in columns, whose other part is not touched. */
static cublasStatus_t repack(const char *name, cublasHandle_t handle, vptr__blas_type type, cublasFillMode_t uplo,
                             int64_t n, int packs, const void *packed, const void *a, int64_t lda) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  int triangle = vptr__blas_triangle_of(uplo);
  vptr__blas_require_triangle(&call, uplo);
  vptr__blas_require_size(&call, "n", n);
  vptr__blas_require_leading(&call, "lda", lda, n);
  if (call.status != CUBLAS_STATUS_SUCCESS || n == 0)
    return vptr__blas_finish(&call);
  vptr__blas_packed(&call, "AP", packed, n);
  vptr__blas_matrix(&call, "A", a, n, n, lda);
  vptr__blas_launch(&call, VPTR__BLAS_PACK, vptr__blas_plane(n, n),
                    VPTR__BLAS_ARGUMENTS(&n, &triangle, &packs, &packed, &a, &lda));
  return vptr__blas_finish(&call);
}

#define REPACK(letter, T, type)                                                                                      \
  cublasStatus_t cublas##letter##tpttr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *AP, T *A,       \
                                       int lda) {                                                                    \
    return repack("cublas" #letter "tpttr", handle, type, uplo, n, 0, AP, A, lda);                                   \
  }                                                                                                                  \
  cublasStatus_t cublas##letter##trttp(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *A, int lda,     \
                                       T *AP) {                                                                      \
    return repack("cublas" #letter "trttp", handle, type, uplo, n, 1, AP, A, lda);                                   \
  }
VPTR__BLAS_FOR_ALL(REPACK)

#define VPTR_CUBLAS_CALLS "cublas/sum_calls.h"
#include "cublas/both_sizes.h"
