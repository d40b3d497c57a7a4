/* SPDX-License-Identifier: MIT */
/*
 * triangle - triangular matrices in their place: the inverse, trtri, and the product with the conjugate transpose,
 * lauum.
 *
 * LAPACK's, on the host. The other triangle is neither looked at nor changed, nor is a diagonal that is to be ones.
 *
 * No state, no locks. Called by programs. It waits for the stream.
 */
#include "cusolver/lapack.h"
#include "cusolver/typed.h"
#include "cusolver/types.h"

static vptr__lapack_trtri *const trtri[] = VPTR__LAPACK_ALL(trtri);
static vptr__lapack_potrf *const lauum[] = VPTR__LAPACK_ALL(lauum);

/* ---- the inverse ---------------------------------------------------------------------------------------------- */

static void require_triangle(vptr__solver_call *call, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n,
                             int64_t lda) {
  vptr__solver_require_square(call, uplo, n, lda);
  vptr__solver_require(call, diag == CUBLAS_DIAG_NON_UNIT || diag == CUBLAS_DIAG_UNIT,
                       "diag is %d, neither unit nor not", (int)diag);
}

cusolverStatus_t cusolverDnXtrtri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag,
                                             int64_t n, cudaDataType dataTypeA, void *A, int64_t lda,
                                             size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost) {
  vptr__solver_call call = vptr__solver_ask_typed("cusolverDnXtrtri_bufferSize", handle, dataTypeA, dataTypeA);
  (void)A;
  require_triangle(&call, uplo, diag, n, lda);
  return vptr__solver_tell_rooms(&call, workspaceInBytesOnDevice, workspaceInBytesOnHost);
}

cusolverStatus_t cusolverDnXtrtri(cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n,
                                  cudaDataType dataTypeA, void *A, int64_t lda, void *bufferOnDevice,
                                  size_t workspaceInBytesOnDevice, void *bufferOnHost, size_t workspaceInBytesOnHost,
                                  int *devInfo) {
  vptr__solver_call call = vptr__solver_enter_typed("cusolverDnXtrtri", handle, dataTypeA, dataTypeA);
  const int order = (int)n;
  (void)bufferOnDevice, (void)bufferOnHost, (void)workspaceInBytesOnHost;
  require_triangle(&call, uplo, diag, n, lda);
  vptr__solver_require_rooms(&call, workspaceInBytesOnDevice);
  vptr__solver_info(&call, devInfo);
  vptr__solver_array *it = vptr__solver_matrix(&call, "A", VPTR__SOLVER_CHANGES, n, n, A, lda);
  if (vptr__solver_begin(&call))
    trtri[call.type](vptr__lapack_uplo(uplo == CUBLAS_FILL_MODE_LOWER), diag == CUBLAS_DIAG_UNIT ? "U" : "N", &order,
                     it->host, &it->ld, &call.info, 1, 1);
  return vptr__solver_finish(&call);
}

/* ---- products ------------------------------------------------------------------------------------------------- */

static cusolverStatus_t multiply(vptr__solver_call *call, cublasFillMode_t uplo, int n, void *a, int lda, int *info) {
  vptr__solver_require_square(call, uplo, n, lda);
  vptr__solver_info(call, info);
  vptr__solver_array *it = vptr__solver_matrix(call, "A", VPTR__SOLVER_CHANGES, n, n, a, lda);
  if (vptr__solver_begin(call))
    lauum[call->type](vptr__lapack_uplo(uplo == CUBLAS_FILL_MODE_LOWER), &n, it->host, &it->ld, &call->info, 1);
  return vptr__solver_finish(call);
}

#define TRIANGLE(letter, T, R, type)                                                                                 \
  cusolverStatus_t cusolverDn##letter##lauum_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,     \
                                                        T *A, int lda, int *lwork) {                                 \
    vptr__solver_call call = vptr__solver_ask("cusolverDn" #letter "lauum_bufferSize", handle, type);                \
    (void)A;                                                                                                         \
    vptr__solver_require_square(&call, uplo, n, lda);                                                                \
    return vptr__solver_room(&call, lwork);                                                                          \
  }                                                                                                                  \
  cusolverStatus_t cusolverDn##letter##lauum(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, \
                                             T *work, int lwork, int *devInfo) {                                     \
    vptr__solver_call call = vptr__solver_enter("cusolverDn" #letter "lauum", handle, type);                         \
    (void)work;                                                                                                      \
    vptr__solver_require_room(&call, lwork);                                                                         \
    return multiply(&call, uplo, n, A, lda, devInfo);                                                                \
  }
VPTR__SOLVER_FOR_ALL(TRIANGLE)
