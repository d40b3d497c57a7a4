/* SPDX-License-Identifier: MIT */
/*
 * generic_eigen - eigenvalues of hermitian matrices by functions whose types are arguments: a part of a spectrum, and
 * many matrices at once.
 *
 * No state, no locks. Called by programs. It waits for the stream.
 */
#include "cusolver/eigen_batch.h"
#include "cusolver/typed.h"

/* ---- a part ---------------------------------------------------------------------------------------------------- */

/* A bound on the host, of the call's parts. */
static double bound_at(vptr__solver_call *call, cusolverEigRange_t range, const void *bound) {
  vptr__solver_require(call, range != CUSOLVER_EIG_RANGE_V || bound != NULL, "a bound is NULL");
  if (range != CUSOLVER_EIG_RANGE_V || bound == NULL)
    return 0;
  return vptr__solver_real_size(call->type) == sizeof(float) ? (double)*(const float *)bound : *(const double *)bound;
}

static void require_part(vptr__solver_call *call, cusolverEigRange_t range, const int64_t *found) {
  vptr__solver_require(call, (int)range != 0, "range is 0, and must be all, by numbers or by values");
  vptr__solver_require(call, found != NULL, "there is no place for the number of values");
}

cusolverStatus_t cusolverDnXsyevdx_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                              cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo,
                                              int64_t n, cudaDataType dataTypeA, const void *A, int64_t lda, void *vl,
                                              void *vu, int64_t il, int64_t iu, int64_t *h_meig,
                                              cudaDataType dataTypeW, const void *W, cudaDataType computeType,
                                              size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost) {
  vptr__solver_call call = vptr__solver_ask_typed("cusolverDnXsyevdx_bufferSize", handle, dataTypeA, computeType);
  vptr__solver_eigen it = { .jobz = jobz, .uplo = uplo, .n = n, .lda = lda, .range = range, .il = il, .iu = iu };
  (void)params, (void)A, (void)W;
  vptr__solver_require_real(&call, dataTypeW);
  require_part(&call, range, h_meig);
  it.vl = bound_at(&call, range, vl), it.vu = bound_at(&call, range, vu);
  vptr__solver_eigen_require(&call, &it);
  return vptr__solver_tell_elements(&call, vptr__solver_eigen_room(&call, &it), workspaceInBytesOnDevice,
                                    workspaceInBytesOnHost);
}

cusolverStatus_t cusolverDnXsyevdx(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                   cusolverEigRange_t range, cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA,
                                   void *A, int64_t lda, void *vl, void *vu, int64_t il, int64_t iu, int64_t *meig64,
                                   cudaDataType dataTypeW, void *W, cudaDataType computeType, void *bufferOnDevice,
                                   size_t workspaceInBytesOnDevice, void *bufferOnHost, size_t workspaceInBytesOnHost,
                                   int *info) {
  vptr__solver_call call = vptr__solver_enter_typed("cusolverDnXsyevdx", handle, dataTypeA, computeType);
  vptr__solver_eigen it = {
    .jobz = jobz, .uplo = uplo, .n = n, .lda = lda, .a = A, .w = W, .range = range, .il = il, .iu = iu
  };
  (void)params, (void)bufferOnHost, (void)workspaceInBytesOnHost;
  vptr__solver_require_real(&call, dataTypeW);
  vptr__solver_require_rooms(&call, workspaceInBytesOnDevice);
  it.area = vptr__solver_area_of(&call, bufferOnDevice, workspaceInBytesOnDevice);
  require_part(&call, range, meig64);
  it.vl = bound_at(&call, range, vl), it.vu = bound_at(&call, range, vu);
  cusolverStatus_t status = vptr__solver_eigen_solve(&call, &it, info, NULL);
  if (status == CUSOLVER_STATUS_SUCCESS)
    *meig64 = it.found;
  return status;
}

/* ---- many ----------------------------------------------------------------------------------------------------- */

cusolverStatus_t cusolverDnXsyevBatched_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                                   cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                                   cudaDataType dataTypeA, const void *A, int64_t lda,
                                                   cudaDataType dataTypeW, const void *W, cudaDataType computeType,
                                                   size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost,
                                                   int64_t batchSize) {
  vptr__solver_call call =
      vptr__solver_ask_typed("cusolverDnXsyevBatched_bufferSize", handle, dataTypeA, computeType);
  (void)params, (void)A, (void)W;
  vptr__solver_require_real(&call, dataTypeW);
  vptr__solver_eigen_batch_require(&call, &(vptr__solver_eigen){ .jobz = jobz, .uplo = uplo, .n = n, .lda = lda },
                                   batchSize);
  return vptr__solver_tell_rooms(&call, workspaceInBytesOnDevice, workspaceInBytesOnHost);
}

cusolverStatus_t cusolverDnXsyevBatched(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                        cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, void *A,
                                        int64_t lda, cudaDataType dataTypeW, void *W, cudaDataType computeType,
                                        void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,
                                        size_t workspaceInBytesOnHost, int *info, int64_t batchSize) {
  vptr__solver_call call = vptr__solver_enter_typed("cusolverDnXsyevBatched", handle, dataTypeA, computeType);
  (void)params, (void)bufferOnDevice, (void)bufferOnHost, (void)workspaceInBytesOnHost;
  vptr__solver_require_real(&call, dataTypeW);
  vptr__solver_require_rooms(&call, workspaceInBytesOnDevice);
  return vptr__solver_eigen_batch_solve(
      &call, &(vptr__solver_eigen){ .jobz = jobz, .uplo = uplo, .n = n, .lda = lda, .a = A, .w = W }, info,
      batchSize);
}
