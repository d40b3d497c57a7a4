/* SPDX-License-Identifier: MIT */
/*
 * generic - the functions whose types are arguments, and whose sizes have 64 bits.
 *
 * All types of a call are one: A, B, tau, U and VT of the same, W and S of its parts, and computed in it. Sizes are at
 * most INT_MAX, which LAPACK counts up to. Parameters may be NULL.
 *
 * No state, no locks. Called by programs. It waits for the stream.
 */
#include "cusolver/typed.h"

#include "cusolver/eigen.h"
#include "cusolver/factor.h"
#include "cusolver/svd.h"

/* ---- Cholesky ----------------------------------------------------------------------------------------------- */

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, const void *A,
                                             int64_t lda, cudaDataType computeType, size_t *workspaceInBytesOnDevice,
                                             size_t *workspaceInBytesOnHost) {
  vptr__solver_call call = vptr__solver_enter_typed("cusolverDnXpotrf_bufferSize", handle, dataTypeA, computeType);
  (void)params, (void)A;
  vptr__solver_require_square(&call, uplo, n, lda);
  return vptr__solver_tell_rooms(&call, workspaceInBytesOnDevice, workspaceInBytesOnHost);
}

cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
                                  int64_t n, cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType computeType,
                                  void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
                                  size_t workspaceInBytesOnHost, int *info) {
  vptr__solver_call call = vptr__solver_enter_typed("cusolverDnXpotrf", handle, dataTypeA, computeType);
  (void)params, (void)bufferOnDevice, (void)bufferOnHost, (void)workspaceInBytesOnHost;
  vptr__solver_require_rooms(&call, workspaceInBytesOnDevice);
  return vptr__solver_potrf(&call, uplo, n, A, lda, info);
}

cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
                                  int64_t n, int64_t nrhs, cudaDataType dataTypeA, const void *A, int64_t lda,
                                  cudaDataType dataTypeB, void *B, int64_t ldb, int *info) {
  vptr__solver_call call = vptr__solver_enter_typed("cusolverDnXpotrs", handle, dataTypeA, dataTypeB);
  (void)params;
  return vptr__solver_potrs(&call, uplo, n, nrhs, A, lda, B, ldb, info);
}

/* ---- LU ------------------------------------------------------------------------------------------------------- */

cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                             int64_t n, cudaDataType dataTypeA, const void *A, int64_t lda,
                                             cudaDataType computeType, size_t *workspaceInBytesOnDevice,
                                             size_t *workspaceInBytesOnHost) {
  vptr__solver_call call = vptr__solver_enter_typed("cusolverDnXgetrf_bufferSize", handle, dataTypeA, computeType);
  (void)params, (void)A;
  vptr__solver_require_oblong(&call, m, n, lda);
  return vptr__solver_tell_rooms(&call, workspaceInBytesOnDevice, workspaceInBytesOnHost);
}

cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                  cudaDataType dataTypeA, void *A, int64_t lda, int64_t *ipiv,
                                  cudaDataType computeType, void *bufferOnDevice, size_t workspaceInBytesOnDevice,
                                  void *bufferOnHost, size_t workspaceInBytesOnHost, int *info) {
  vptr__solver_call call = vptr__solver_enter_typed("cusolverDnXgetrf", handle, dataTypeA, computeType);
  (void)params, (void)bufferOnDevice, (void)bufferOnHost, (void)workspaceInBytesOnHost;
  vptr__solver_require_rooms(&call, workspaceInBytesOnDevice);
  return vptr__solver_getrf(&call, m, n, A, lda, ipiv, sizeof *ipiv, info);
}

cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasOperation_t trans,
                                  int64_t n, int64_t nrhs, cudaDataType dataTypeA, const void *A, int64_t lda,
                                  const int64_t *ipiv, cudaDataType dataTypeB, void *B, int64_t ldb, int *info) {
  vptr__solver_call call = vptr__solver_enter_typed("cusolverDnXgetrs", handle, dataTypeA, dataTypeB);
  (void)params;
  return vptr__solver_getrs(&call, trans, n, nrhs, A, lda, ipiv, sizeof *ipiv, B, ldb, info);
}

/* ---- QR ------------------------------------------------------------------------------------------------------- */

cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                             int64_t n, cudaDataType dataTypeA, const void *A, int64_t lda,
                                             cudaDataType dataTypeTau, const void *tau, cudaDataType computeType,
                                             size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost) {
  vptr__solver_call call = vptr__solver_enter_typed("cusolverDnXgeqrf_bufferSize", handle, dataTypeA, computeType);
  (void)params, (void)A, (void)tau;
  vptr__solver_require(&call, dataTypeTau == dataTypeA, "the types %d of A and %d of tau differ", (int)dataTypeA,
                       (int)dataTypeTau);
  vptr__solver_require_oblong(&call, m, n, lda);
  return vptr__solver_tell_elements(&call, vptr__solver_geqrf_room(m, n), workspaceInBytesOnDevice,
                                    workspaceInBytesOnHost);
}

cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                  cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType dataTypeTau, void *tau,
                                  cudaDataType computeType, void *bufferOnDevice, size_t workspaceInBytesOnDevice,
                                  void *bufferOnHost, size_t workspaceInBytesOnHost, int *info) {
  vptr__solver_call call = vptr__solver_enter_typed("cusolverDnXgeqrf", handle, dataTypeA, computeType);
  (void)params, (void)bufferOnHost, (void)workspaceInBytesOnHost;
  vptr__solver_require(&call, dataTypeTau == dataTypeA, "the types %d of A and %d of tau differ", (int)dataTypeA,
                       (int)dataTypeTau);
  return vptr__solver_geqrf(&call, m, n, A, lda, tau,
                            vptr__solver_area_of(&call, bufferOnDevice, workspaceInBytesOnDevice), info);
}

/* ---- eigenvalues, and singular values --------------------------------------------------------------------------- */

cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                             cudaDataType dataTypeA, const void *A, int64_t lda,
                                             cudaDataType dataTypeW, const void *W, cudaDataType computeType,
                                             size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost) {
  vptr__solver_call call = vptr__solver_enter_typed("cusolverDnXsyevd_bufferSize", handle, dataTypeA, computeType);
  (void)params, (void)A, (void)W;
  vptr__solver_require_real(&call, dataTypeW);
  vptr__solver_require_vectors(&call, jobz);
  vptr__solver_require_square(&call, uplo, n, lda);
  return vptr__solver_tell_rooms(&call, workspaceInBytesOnDevice, workspaceInBytesOnHost);
}

cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, void *A, int64_t lda,
                                  cudaDataType dataTypeW, void *W, cudaDataType computeType, void *bufferOnDevice,
                                  size_t workspaceInBytesOnDevice, void *bufferOnHost, size_t workspaceInBytesOnHost,
                                  int *info) {
  vptr__solver_call call = vptr__solver_enter_typed("cusolverDnXsyevd", handle, dataTypeA, computeType);
  (void)params, (void)bufferOnDevice, (void)bufferOnHost, (void)workspaceInBytesOnHost;
  vptr__solver_require_real(&call, dataTypeW);
  vptr__solver_require_rooms(&call, workspaceInBytesOnDevice);
  vptr__solver_eigen it = { .jobz = jobz, .uplo = uplo, .n = n, .lda = lda, .a = A, .w = W };
  return vptr__solver_eigen_solve(&call, &it, info, NULL);
}

static void require_vector_types(vptr__solver_call *call, cudaDataType a, cudaDataType s, cudaDataType u,
                                 cudaDataType vt) {
  vptr__solver_require_real(call, s);
  vptr__solver_require(call, u == a && vt == a, "the types %d of A, %d of U and %d of VT differ", (int)a, (int)u,
                       (int)vt);
}

cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
                                             signed char jobvt, int64_t m, int64_t n, cudaDataType dataTypeA,
                                             const void *A, int64_t lda, cudaDataType dataTypeS, const void *S,
                                             cudaDataType dataTypeU, const void *U, int64_t ldu,
                                             cudaDataType dataTypeVT, const void *VT, int64_t ldvt,
                                             cudaDataType computeType, size_t *workspaceInBytesOnDevice,
                                             size_t *workspaceInBytesOnHost) {
  vptr__solver_call call = vptr__solver_enter_typed("cusolverDnXgesvd_bufferSize", handle, dataTypeA, computeType);
  (void)params, (void)A, (void)S, (void)U, (void)VT;
  require_vector_types(&call, dataTypeA, dataTypeS, dataTypeU, dataTypeVT);
  vptr__solver_svd_require(&call, &(vptr__solver_svd){ jobu, jobvt, m, n, lda, ldu, ldvt, NULL, NULL, NULL, NULL });
  return vptr__solver_tell_rooms(&call, workspaceInBytesOnDevice, workspaceInBytesOnHost);
}

cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
                                  signed char jobvt, int64_t m, int64_t n, cudaDataType dataTypeA, void *A,
                                  int64_t lda, cudaDataType dataTypeS, void *S, cudaDataType dataTypeU, void *U,
                                  int64_t ldu, cudaDataType dataTypeVT, void *VT, int64_t ldvt,
                                  cudaDataType computeType, void *bufferOnDevice, size_t workspaceInBytesOnDevice,
                                  void *bufferOnHost, size_t workspaceInBytesOnHost, int *info) {
  vptr__solver_call call = vptr__solver_enter_typed("cusolverDnXgesvd", handle, dataTypeA, computeType);
  (void)params, (void)bufferOnDevice, (void)bufferOnHost, (void)workspaceInBytesOnHost;
  require_vector_types(&call, dataTypeA, dataTypeS, dataTypeU, dataTypeVT);
  vptr__solver_require_rooms(&call, workspaceInBytesOnDevice);
  return vptr__solver_svd_solve(&call, &(vptr__solver_svd){ jobu, jobvt, m, n, lda, ldu, ldvt, A, S, U, VT }, info);
}
