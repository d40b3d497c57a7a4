/* SPDX-License-Identifier: MIT */
/*
 * rank - products of vectors added to matrices: ger, syr, her, spr, hpr and their forms with two vectors.
 *
 * One kernel for all of them. Where alpha is 0, nothing is read or written.
 *
 * No state, no locks. Called by programs (rank_calls.h); and by legacy.c. Nothing waits.
 */
#include "cublas/kernel.h"
#include "cublas/matrix.h"

typedef struct update {
  int64_t m, n;
  vptr__blas_scalar alpha;
  const void *x, *y;
  int64_t incx, incy;
  int conjugates, twice;
  void *a;
  int64_t lda;
  int is_packed, triangle, is_hermitian;
} update;

static void send_update(vptr__blas_call *call, update it) {
  vptr__blas_launch(call, VPTR__BLAS_RANK, vptr__blas_plane(it.m, it.n),
                    VPTR__BLAS_ARGUMENTS(&it.m, &it.n, &it.alpha.value, &it.alpha.at, &it.x, &it.incx, &it.y,
                                         &it.incy, &it.conjugates, &it.twice, &it.a, &it.lda, &it.is_packed,
                                         &it.triangle, &it.is_hermitian));
}

static cublasStatus_t update_whole(const char *name, cublasHandle_t handle, vptr__blas_type type, bool conjugates,
                                   int64_t m, int64_t n, const void *alpha, const void *x, int64_t incx,
                                   const void *y, int64_t incy, void *a, int64_t lda) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  vptr__blas_require_size(&call, "m", m);
  vptr__blas_require_size(&call, "n", n);
  vptr__blas_require_increment(&call, "incx", incx);
  vptr__blas_require_increment(&call, "incy", incy);
  vptr__blas_require_leading(&call, "lda", lda, m);
  if (call.status != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0)
    return vptr__blas_finish(&call);
  vptr__blas_scalar by = vptr__blas_scalar_at(&call, "alpha", alpha);
  x = vptr__blas_vector(&call, "x", x, m, incx);
  y = vptr__blas_vector(&call, "y", y, n, incy);
  vptr__blas_matrix(&call, "A", a, m, n, lda);
  send_update(&call, (update){ .m = m,
                               .n = n,
                               .alpha = by,
                               .x = x,
                               .y = y,
                               .incx = incx,
                               .incy = incy,
                               .conjugates = conjugates,
                               .a = a,
                               .lda = lda });
  return vptr__blas_finish(&call);
}

/* y counts where that is done twice: A += alpha x op(y) + op(alpha) y op(x), else A += alpha x op(x). */
static cublasStatus_t update_triangle(const char *name, cublasHandle_t handle, vptr__blas_type type, int storage,
                                      bool is_hermitian, bool twice, cublasFillMode_t uplo, int64_t n,
                                      const void *alpha, const void *x, int64_t incx, const void *y, int64_t incy,
                                      void *a, int64_t lda) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  bool is_packed = storage == VPTR__BLAS_PACKED;
  vptr__blas_require_triangle(&call, uplo);
  vptr__blas_require_size(&call, "n", n);
  vptr__blas_require_increment(&call, "incx", incx);
  if (twice)
    vptr__blas_require_increment(&call, "incy", incy);
  if (!is_packed)
    vptr__blas_require_leading(&call, "lda", lda, n);
  if (call.status != CUBLAS_STATUS_SUCCESS || n == 0)
    return vptr__blas_finish(&call);
  x = vptr__blas_vector(&call, "x", x, n, incx);
  if (twice)
    y = vptr__blas_vector(&call, "y", y, n, incy);
  if (is_packed)
    vptr__blas_packed(&call, "AP", a, n);
  else
    vptr__blas_matrix(&call, "A", a, n, n, lda);
  vptr__blas_scalar by = is_hermitian && !twice ? vptr__blas_real_scalar_at(&call, "alpha", alpha)
                                                : vptr__blas_scalar_at(&call, "alpha", alpha);
  send_update(&call, (update){ .m = n,
                               .n = n,
                               .alpha = by,
                               .x = x,
                               .y = twice ? y : x,
                               .incx = incx,
                               .incy = twice ? incy : incx,
                               .conjugates = is_hermitian,
                               .twice = twice,
                               .a = a,
                               .lda = lda,
                               .is_packed = is_packed,
                               .triangle = vptr__blas_triangle_of(uplo),
                               .is_hermitian = is_hermitian });
  return vptr__blas_finish(&call);
}

#define VPTR_CUBLAS_CALLS "cublas/rank_calls.h"
#include "cublas/both_sizes.h"
