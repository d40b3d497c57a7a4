/* SPDX-License-Identifier: MIT */
/*
 * indefinite - symmetric matrices that need not be positive definite: sytrf, sytri and sytrs.
 *
 * LAPACK's, on the host: Bunch and Kaufman's factors, U D U^T or L D L^T, of complex matrices that are symmetric too. A
 * pivot that is negative belongs to a block of two; those that are read are checked, because LAPACK goes where they
 * say. Only a triangle is looked at, and changed.
 *
 * No state, no locks. Called by programs. It waits for the stream.
 */
#include "cusolver/lapack.h"
#include "cusolver/typed.h"
#include "cusolver/types.h"

static vptr__lapack_sytrf *const sytrf[] = VPTR__LAPACK_ALL(sytrf);
static vptr__lapack_sytri *const sytri[] = VPTR__LAPACK_ALL(sytri);
static vptr__lapack_sytrs *const sytrs[] = VPTR__LAPACK_ALL(sytrs);

/* ---- pivots ---------------------------------------------------------------------------------------------------- */

static int64_t pivot_at(const vptr__solver_array *pivots, int64_t i) {
  return pivots->size == sizeof(int64_t) ? ((int64_t *)(void *)pivots->host)[i] : ((int *)(void *)pivots->host)[i];
}

/* From the end that LAPACK begins at: the second pivot of a block of two is as the first. */
static void load_pivots(vptr__solver_call *call, cublasFillMode_t uplo, const vptr__solver_array *from, int *pivots) {
  const int64_t n = from->rows, step = uplo == CUBLAS_FILL_MODE_LOWER ? 1 : -1;
  bool is_second = false;
  for (int64_t k = 0; k < n && call->status == CUSOLVER_STATUS_SUCCESS; k++) {
    const int64_t i = step > 0 ? k : n - 1 - k, pivot = pivot_at(from, i);
    const bool is_pair = pivot < 0 && (is_second || (k + 1 < n && pivot_at(from, i + step) == pivot));
    vptr__solver_require(call, (pivot >= 1 && pivot <= n && !is_second) || (pivot >= -n && is_pair),
                         "pivot %lld is %lld, of %lld rows", (long long)i + 1, (long long)pivot, (long long)n);
    is_second = pivot < 0 && !is_second;
    pivots[i] = (int)pivot;
  }
}

/* ---- factors and the inverse ---------------------------------------------------------------------------------- */

static cusolverStatus_t factor(vptr__solver_call *call, cublasFillMode_t uplo, int n, void *a, int lda, int *ipiv,
                               int *info) {
  const char *triangle = vptr__lapack_uplo(uplo == CUBLAS_FILL_MODE_LOWER);
  const int ask = -1;
  double answer[2] = { 0, 0 };
  vptr__solver_require_square(call, uplo, n, lda);
  vptr__solver_info(call, info);
  vptr__solver_array *it = vptr__solver_matrix(call, "A", VPTR__SOLVER_CHANGES, n, n, a, lda);
  vptr__solver_array *pivots = vptr__solver_numbers(call, "ipiv", VPTR__SOLVER_WRITES, n, sizeof *ipiv, ipiv);
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  int *rows = (int *)(void *)pivots->host;
  sytrf[call->type](triangle, &n, it->host, &it->ld, rows, answer, &ask, &call->info, 1);
  const int room = vptr__solver_asked(call, answer);
  void *work = vptr__solver_work(call, (size_t)room, vptr__solver_size(call->type));
  if (work != NULL)
    sytrf[call->type](triangle, &n, it->host, &it->ld, rows, work, &room, &call->info, 1);
  return vptr__solver_finish(call);
}

static cusolverStatus_t invert(vptr__solver_call *call, cublasFillMode_t uplo, int n, void *a, int lda,
                               const int *ipiv, int *info) {
  vptr__solver_require_square(call, uplo, n, lda);
  vptr__solver_info(call, info);
  vptr__solver_array *it = vptr__solver_matrix(call, "A", VPTR__SOLVER_CHANGES, n, n, a, lda);
  vptr__solver_array *pivots = vptr__solver_numbers(call, "ipiv", VPTR__SOLVER_READS, n, sizeof *ipiv, ipiv);
  int *rows = vptr__solver_work(call, (size_t)n, sizeof *rows);
  void *work = vptr__solver_work(call, 2 * (size_t)n, vptr__solver_size(call->type));
  if (!vptr__solver_begin(call))
    return vptr__solver_finish(call);
  load_pivots(call, uplo, pivots, rows);
  if (call->status == CUSOLVER_STATUS_SUCCESS)
    sytri[call->type](vptr__lapack_uplo(uplo == CUBLAS_FILL_MODE_LOWER), &n, it->host, &it->ld, rows, work,
                      &call->info, 1);
  return vptr__solver_finish(call);
}

#define INDEFINITE(letter, T, R, type)                                                                               \
  cusolverStatus_t cusolverDn##letter##sytrf_bufferSize(cusolverDnHandle_t handle, int n, T *A, int lda,             \
                                                        int *lwork) {                                                \
    vptr__solver_call call = vptr__solver_ask("cusolverDn" #letter "sytrf_bufferSize", handle, type);                \
    (void)A;                                                                                                         \
    vptr__solver_require_square(&call, CUBLAS_FILL_MODE_LOWER, n, lda);                                              \
    return vptr__solver_room(&call, lwork);                                                                          \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##sytrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, \
                                             int *ipiv, T *work, int lwork, int *info) {                             \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter "sytrf", handle, type);                         \
    (void)work;                                                                                                      \
    vptr__solver_require_room(&call, lwork);                                                                         \
    return factor(&call, uplo, n, A, lda, ipiv, info);                                                               \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##sytri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,     \
                                                        T *A, int lda, const int *ipiv, int *lwork) {                \
    vptr__solver_call call = vptr__solver_ask("cusolverDn" #letter "sytri_bufferSize", handle, type);                \
    (void)A, (void)ipiv;                                                                                             \
    vptr__solver_require_square(&call, uplo, n, lda);                                                                \
    return vptr__solver_room(&call, lwork);                                                                          \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##sytri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, \
                                             const int *ipiv, T *work, int lwork, int *info) {                       \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter "sytri", handle, type);                         \
    (void)work;                                                                                                      \
    vptr__solver_require_room(&call, lwork);                                                                         \
    return invert(&call, uplo, n, A, lda, ipiv, info);                                                               \
  }
VPTR__SOLVER_FOR_ALL(INDEFINITE)

/* ---- solutions ------------------------------------------------------------------------------------------------ */

static void require_sides(vptr__solver_call *call, cublasFillMode_t uplo, int64_t n, int64_t nrhs, int64_t lda,
                          int64_t ldb) {
  vptr__solver_require_square(call, uplo, n, lda);
  vptr__solver_require_size(call, "nrhs", nrhs);
  vptr__solver_require_leading(call, "ldb", ldb, n);
}

cusolverStatus_t cusolverDnXsytrs_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int64_t n,
                                             int64_t nrhs, cudaDataType dataTypeA, const void *A, int64_t lda,
                                             const int64_t *ipiv, cudaDataType dataTypeB, void *B, int64_t ldb,
                                             size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost) {
  vptr__solver_call call = vptr__solver_ask_typed("cusolverDnXsytrs_bufferSize", handle, dataTypeA, dataTypeB);
  (void)A, (void)ipiv, (void)B;
  require_sides(&call, uplo, n, nrhs, lda, ldb);
  return vptr__solver_tell_rooms(&call, workspaceInBytesOnDevice, workspaceInBytesOnHost);
}

cusolverStatus_t cusolverDnXsytrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                                  cudaDataType dataTypeA, const void *A, int64_t lda, const int64_t *ipiv,
                                  cudaDataType dataTypeB, void *B, int64_t ldb, void *bufferOnDevice,
                                  size_t workspaceInBytesOnDevice, void *bufferOnHost, size_t workspaceInBytesOnHost,
                                  int *info) {
  vptr__solver_call call = vptr__solver_enter_typed("cusolverDnXsytrs", handle, dataTypeA, dataTypeB);
  const int order = (int)n, sides = (int)nrhs;
  (void)bufferOnDevice, (void)bufferOnHost, (void)workspaceInBytesOnHost;
  require_sides(&call, uplo, n, nrhs, lda, ldb);
  vptr__solver_require_rooms(&call, workspaceInBytesOnDevice);
  vptr__solver_info(&call, info);
  vptr__solver_array *a = vptr__solver_matrix(&call, "A", VPTR__SOLVER_READS, n, n, A, lda);
  vptr__solver_array *pivots = vptr__solver_numbers(&call, "ipiv", VPTR__SOLVER_READS, n, sizeof *ipiv, ipiv);
  vptr__solver_array *b = vptr__solver_matrix(&call, "B", VPTR__SOLVER_CHANGES, n, nrhs, B, ldb);
  int *rows = vptr__solver_work(&call, (size_t)n, sizeof *rows);
  if (!vptr__solver_begin(&call))
    return vptr__solver_finish(&call);
  load_pivots(&call, uplo, pivots, rows);
  if (call.status == CUSOLVER_STATUS_SUCCESS)
    sytrs[call.type](vptr__lapack_uplo(uplo == CUBLAS_FILL_MODE_LOWER), &order, &sides, a->host, &a->ld, rows,
                     b->host, &b->ld, &call.info, 1);
  return vptr__solver_finish(&call);
}
