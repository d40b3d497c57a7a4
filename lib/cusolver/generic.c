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
#include "cusolver/lapack.h"
#include "cusolver/svd.h"

static vptr__lapack_larft *const larft[] = VPTR__LAPACK_ALL(larft);

/* ---- Cholesky ----------------------------------------------------------------------------------------------- */

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, const void *A,
                                             int64_t lda, cudaDataType computeType, size_t *workspaceInBytesOnDevice,
                                             size_t *workspaceInBytesOnHost) {
  vptr__solver_call call = vptr__solver_ask_typed("cusolverDnXpotrf_bufferSize", handle, dataTypeA, computeType);
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
  vptr__solver_call call = vptr__solver_ask_typed("cusolverDnXgetrf_bufferSize", handle, dataTypeA, computeType);
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
  vptr__solver_call call = vptr__solver_ask_typed("cusolverDnXgeqrf_bufferSize", handle, dataTypeA, computeType);
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

/* V has k columns of n, or k rows. Of T the other triangle stays. */
static void require_reflectors(vptr__solver_call *call, cusolverDirectMode_t direct, cusolverStorevMode_t storev,
                               int64_t n, int64_t k, int64_t ldv, int64_t ldt) {
  vptr__solver_require(call, direct == CUBLAS_DIRECT_FORWARD || direct == CUBLAS_DIRECT_BACKWARD,
                       "direct is %d, neither forward nor backward", (int)direct);
  vptr__solver_require(call, storev == CUBLAS_STOREV_COLUMNWISE || storev == CUBLAS_STOREV_ROWWISE,
                       "storev is %d, neither columns nor rows", (int)storev);
  vptr__solver_require_size(call, "n", n);
  vptr__solver_require(call, k >= 0 && k <= n, "k is %lld, below 0 or above n", (long long)k);
  vptr__solver_require_leading(call, "ldv", ldv, storev == CUBLAS_STOREV_COLUMNWISE ? n : k);
  vptr__solver_require_leading(call, "ldt", ldt, k);
}

static void require_reflector_types(vptr__solver_call *call, cudaDataType v, cudaDataType tau, cudaDataType t) {
  vptr__solver_require(call, tau == v && t == v, "the types %d of V, %d of tau and %d of T differ", (int)v, (int)tau,
                       (int)t);
}

cusolverStatus_t cusolverDnXlarft_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cusolverDirectMode_t direct, cusolverStorevMode_t storev, int64_t n,
                                             int64_t k, cudaDataType dataTypeV, const void *V, int64_t ldv,
                                             cudaDataType dataTypeTau, const void *tau, cudaDataType dataTypeT,
                                             void *T, int64_t ldt, cudaDataType computeType,
                                             size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost) {
  vptr__solver_call call = vptr__solver_ask_typed("cusolverDnXlarft_bufferSize", handle, dataTypeV, computeType);
  (void)params, (void)V, (void)tau, (void)T;
  require_reflector_types(&call, dataTypeV, dataTypeTau, dataTypeT);
  require_reflectors(&call, direct, storev, n, k, ldv, ldt);
  return vptr__solver_tell_rooms(&call, workspaceInBytesOnDevice, workspaceInBytesOnHost);
}

cusolverStatus_t cusolverDnXlarft(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverDirectMode_t direct,
                                  cusolverStorevMode_t storev, int64_t n, int64_t k, cudaDataType dataTypeV,
                                  const void *V, int64_t ldv, cudaDataType dataTypeTau, const void *tau,
                                  cudaDataType dataTypeT, void *T, int64_t ldt, cudaDataType computeType,
                                  void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
                                  size_t workspaceInBytesOnHost) {
  vptr__solver_call call = vptr__solver_enter_typed("cusolverDnXlarft", handle, dataTypeV, computeType);
  const bool by_columns = storev == CUBLAS_STOREV_COLUMNWISE;
  const int order = (int)n, count = (int)k;
  (void)params, (void)bufferOnDevice, (void)bufferOnHost, (void)workspaceInBytesOnHost;
  require_reflector_types(&call, dataTypeV, dataTypeTau, dataTypeT);
  vptr__solver_require_rooms(&call, workspaceInBytesOnDevice);
  require_reflectors(&call, direct, storev, n, k, ldv, ldt);
  vptr__solver_array *v =
      vptr__solver_matrix(&call, "V", VPTR__SOLVER_READS, by_columns ? n : k, by_columns ? k : n, V, ldv);
  vptr__solver_array *factors =
      vptr__solver_numbers(&call, "tau", VPTR__SOLVER_READS, k, vptr__solver_size(call.type), tau);
  vptr__solver_array *t = vptr__solver_matrix(&call, "T", VPTR__SOLVER_CHANGES, k, k, T, ldt);
  if (vptr__solver_begin(&call) && k > 0)
    larft[call.type](direct == CUBLAS_DIRECT_FORWARD ? "F" : "B", by_columns ? "C" : "R", &order, &count, v->host,
                     &v->ld, factors->host, t->host, &t->ld, 1, 1);
  return vptr__solver_finish(&call);
}

/* ---- eigenvalues, and singular values ------------------------------------------------------------------------- */

cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                             cudaDataType dataTypeA, const void *A, int64_t lda,
                                             cudaDataType dataTypeW, const void *W, cudaDataType computeType,
                                             size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost) {
  vptr__solver_call call = vptr__solver_ask_typed("cusolverDnXsyevd_bufferSize", handle, dataTypeA, computeType);
  (void)params, (void)A, (void)W;
  vptr__solver_require_real(&call, dataTypeW);
  const vptr__solver_eigen it = { .jobz = jobz, .uplo = uplo, .n = n, .lda = lda };
  vptr__solver_eigen_require(&call, &it);
  return vptr__solver_tell_elements(&call, vptr__solver_eigen_room(&call, &it), workspaceInBytesOnDevice,
                                    workspaceInBytesOnHost);
}

cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, void *A, int64_t lda,
                                  cudaDataType dataTypeW, void *W, cudaDataType computeType, void *bufferOnDevice,
                                  size_t workspaceInBytesOnDevice, void *bufferOnHost, size_t workspaceInBytesOnHost,
                                  int *info) {
  vptr__solver_call call = vptr__solver_enter_typed("cusolverDnXsyevd", handle, dataTypeA, computeType);
  (void)params, (void)bufferOnHost, (void)workspaceInBytesOnHost;
  vptr__solver_require_real(&call, dataTypeW);
  vptr__solver_require_rooms(&call, workspaceInBytesOnDevice);
  vptr__solver_eigen it = { .jobz = jobz, .uplo = uplo, .n = n, .lda = lda, .a = A, .w = W };
  it.area = vptr__solver_area_of(&call, bufferOnDevice, workspaceInBytesOnDevice);
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
  vptr__solver_call call = vptr__solver_ask_typed("cusolverDnXgesvd_bufferSize", handle, dataTypeA, computeType);
  (void)params, (void)A, (void)S, (void)U, (void)VT;
  require_vector_types(&call, dataTypeA, dataTypeS, dataTypeU, dataTypeVT);
  vptr__solver_svd_require(&call, &(vptr__solver_svd){ jobu, jobvt, m, n, lda, ldu, ldvt, .a = NULL });
  return vptr__solver_tell_elements(&call, vptr__solver_svd_room(&call, m, n), workspaceInBytesOnDevice,
                                    workspaceInBytesOnHost);
}

cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
                                  signed char jobvt, int64_t m, int64_t n, cudaDataType dataTypeA, void *A,
                                  int64_t lda, cudaDataType dataTypeS, void *S, cudaDataType dataTypeU, void *U,
                                  int64_t ldu, cudaDataType dataTypeVT, void *VT, int64_t ldvt,
                                  cudaDataType computeType, void *bufferOnDevice, size_t workspaceInBytesOnDevice,
                                  void *bufferOnHost, size_t workspaceInBytesOnHost, int *info) {
  vptr__solver_call call = vptr__solver_enter_typed("cusolverDnXgesvd", handle, dataTypeA, computeType);
  (void)params, (void)bufferOnHost, (void)workspaceInBytesOnHost;
  require_vector_types(&call, dataTypeA, dataTypeS, dataTypeU, dataTypeVT);
  vptr__solver_require_rooms(&call, workspaceInBytesOnDevice);
  const vptr__solver_area area = vptr__solver_area_of(&call, bufferOnDevice, workspaceInBytesOnDevice);
  return vptr__solver_svd_solve(&call, &(vptr__solver_svd){ jobu, jobvt, m, n, lda, ldu, ldvt, A, S, U, VT, area },
                                info);
}
