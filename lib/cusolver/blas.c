/* SPDX-License-Identifier: MIT */
/*
 * blas - calls of cuBLAS's by type; see blas.h.
 *
 * Constant; no locks. Called by bidiagonal.c, cholesky.c, lu.c, reflectors.c, solve.c and
 * tridiagonal.c. Nothing waits, but for the
 * first kernels of a device.
 */
#include "cusolver/blas.h"

/* A factor of any type: its real part lies first. */
typedef union factor {
  float s[2];
  double d[2];
} factor;

static factor factor_of(vptr__solver_type type, double value) {
  factor made = { .d = { 0, 0 } };
  if (type == VPTR__SOLVER_S || type == VPTR__SOLVER_C)
    made.s[0] = (float)value;
  else
    made.d[0] = value;
  return made;
}

/* One of four calls, each a macro's of its letter and type. */
#define BY_TYPE(call, CALL)                                                                                          \
  if ((call)->status != CUSOLVER_STATUS_SUCCESS)                                                                     \
    return;                                                                                                          \
  switch ((call)->type) {                                                                                            \
  case VPTR__SOLVER_S:                                                                                               \
    vptr__solver_blas(call, CALL(S, float, float));                                                                  \
    break;                                                                                                           \
  case VPTR__SOLVER_D:                                                                                               \
    vptr__solver_blas(call, CALL(D, double, double));                                                                \
    break;                                                                                                           \
  case VPTR__SOLVER_C:                                                                                               \
    vptr__solver_blas(call, CALL(C, cuComplex, float));                                                              \
    break;                                                                                                           \
  default:                                                                                                           \
    vptr__solver_blas(call, CALL(Z, cuDoubleComplex, double));                                                       \
    break;                                                                                                           \
  }

#define GEMM(letter, T, R)                                                                                           \
  cublas##letter##gemm_v2_64(call->handle->blas, transa, transb, m, n, k, (const T *)&by, (const T *)a, lda,         \
                             (const T *)b, ldb, (const T *)&keep, (T *)c, ldc)

void vptr__solver_multiply(vptr__solver_call *call, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
                           int64_t n, int64_t k, double alpha, const void *a, int64_t lda, const void *b, int64_t ldb,
                           double beta, void *c, int64_t ldc) {
  const factor by = factor_of(call->type, alpha), keep = factor_of(call->type, beta);
  if (m <= 0 || n <= 0 || k <= 0)
    return;
  BY_TYPE(call, GEMM)
}

void vptr__solver_subtract_product(vptr__solver_call *call, cublasOperation_t transa, cublasOperation_t transb,
                                   int64_t m, int64_t n, int64_t k, const void *a, int64_t lda, const void *b,
                                   int64_t ldb, void *c, int64_t ldc) {
  vptr__solver_multiply(call, transa, transb, m, n, k, -1, a, lda, b, ldb, 1, c, ldc);
}

#define GEMV(letter, T, R)                                                                                           \
  cublas##letter##gemv_v2_64(call->handle->blas, trans, m, n, (const T *)&one, (const T *)a, lda, (const T *)x, 1,   \
                             (const T *)&none, (T *)y, 1)

void vptr__solver_multiply_vector(vptr__solver_call *call, cublasOperation_t trans, int64_t m, int64_t n,
                                  const void *a, int64_t lda, const void *x, void *y) {
  const factor one = factor_of(call->type, 1), none = factor_of(call->type, 0);
  BY_TYPE(call, GEMV)
}

#define GEAM(letter, T, R)                                                                                           \
  cublas##letter##geam_64(call->handle->blas, CUBLAS_OP_C, CUBLAS_OP_N, n, m, (const T *)&one, (const T *)a, lda,    \
                          (const T *)&none, NULL, n, (T *)to, n)

void vptr__solver_turn(vptr__solver_call *call, int64_t m, int64_t n, const void *a, int64_t lda, void *to) {
  const factor one = factor_of(call->type, 1), none = factor_of(call->type, 0);
  BY_TYPE(call, GEAM)
}

#define TRSM(letter, T, R)                                                                                           \
  cublas##letter##trsm_v2_64(call->handle->blas, side, uplo, trans, diag, m, n, (const T *)&one, (const T *)a, lda,  \
                             (T *)b, ldb)

void vptr__solver_solve(vptr__solver_call *call, cublasSideMode_t side, cublasFillMode_t uplo,
                        cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const void *a,
                        int64_t lda, void *b, int64_t ldb) {
  const factor one = factor_of(call->type, 1);
  BY_TYPE(call, TRSM)
}

#define cublasSherk_v2_64 cublasSsyrk_v2_64
#define cublasDherk_v2_64 cublasDsyrk_v2_64
#define HERK(letter, T, R)                                                                                           \
  cublas##letter##herk_v2_64(call->handle->blas, uplo, trans, n, k, (const R *)&minus, (const T *)a, lda,            \
                             (const R *)&one, (T *)c, ldc)

void vptr__solver_subtract_square(vptr__solver_call *call, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n,
                                  int64_t k, const void *a, int64_t lda, void *c, int64_t ldc) {
  const factor minus = factor_of(call->type, -1), one = factor_of(call->type, 1);
  BY_TYPE(call, HERK)
}

#define SWAP(letter, T, R) cublas##letter##swap_v2_64(call->handle->blas, n, (T *)x, incx, (T *)y, incy)

void vptr__solver_swap(vptr__solver_call *call, int64_t n, void *x, int64_t incx, void *y, int64_t incy) {
  BY_TYPE(call, SWAP)
}
