/* SPDX-License-Identifier: MIT */
/*
 * handle - cusolverDnCreate(), cusolverDnDestroy(), and the settings of a handle; see handle.h.
 *
 * The deterministic mode is kept and told: results are the same each time in either.
 *
 * The table of handles has its own lock (library/handle.h). Called by programs; and by call.c and parameters.c, for
 * whether a handle lives. Creating one opens the device; nothing else here waits.
 */
#include "cusolver/handle.h"

#include "cuda/device.h"
#include "cusolver/logger.h"

static vptr__library_handles handles = VPTR__LIBRARY_HANDLES("handle", struct cusolverDnContext);

static cusolverStatus_t report_handle(const char *call) {
  vptr__library_log_tell(&vptr__solver_log, VPTR__LIBRARY_LOG_ERRORS, call, vptr_last_error());
  return CUSOLVER_STATUS_NOT_INITIALIZED;
}

cusolverStatus_t vptr__solver_handle_check(const char *call, const struct cusolverDnContext *handle) {
  vptr__library_log_tell(&vptr__solver_log, VPTR__LIBRARY_LOG_CALLS, call, "called");
  return vptr__library_handle_check(&handles, call, handle) ? CUSOLVER_STATUS_SUCCESS : report_handle(call);
}

/* ---- life ------------------------------------------------------------------------------------------------- */

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle) {
  vptr_mapper *mapper;
  vptr__library_log_tell(&vptr__solver_log, VPTR__LIBRARY_LOG_CALLS, "cusolverDnCreate", "called");
  if (handle == NULL)
    return vptr__solver_invalid("cusolverDnCreate", "there is no place for the handle");
  if (vptr__cuda_current_mapper(&mapper) != cudaSuccess)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  struct cusolverDnContext fresh = { .mapper = mapper, .deterministic_mode = CUSOLVER_DETERMINISTIC_RESULTS };
  cublasStatus_t status = cublasCreate_v2(&fresh.blas);
  if (status != CUBLAS_STATUS_SUCCESS)
    return vptr__solver_status_of_blas(status);
  struct cusolverDnContext *created = vptr__library_handle_create(&handles, "cusolverDnCreate", &fresh);
  if (created == NULL) {
    cublasDestroy_v2(fresh.blas);
    return CUSOLVER_STATUS_ALLOC_FAILED;
  }
  *handle = created;
  return CUSOLVER_STATUS_SUCCESS;
}

/* The place may be another handle's once it is given back. */
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  cusolverStatus_t status = vptr__solver_handle_check("cusolverDnDestroy", handle);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  cublasHandle_t blas = handle->blas;
  if (!vptr__library_handle_end(&handles, "cusolverDnDestroy", handle))
    return report_handle("cusolverDnDestroy");
  return vptr__solver_status_of_blas(cublasDestroy_v2(blas));
}

/* ---- settings --------------------------------------------------------------------------------------------- */

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t streamId) {
  cusolverStatus_t status = vptr__solver_handle_check("cusolverDnSetStream", handle);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  cublasStatus_t blas = cublasSetStream_v2(handle->blas, streamId);
  if (blas == CUBLAS_STATUS_SUCCESS)
    handle->stream = streamId;
  return vptr__solver_status_of_blas(blas);
}

/* The handle lives, and there is a place for what is asked. */
static cusolverStatus_t check_question(const char *call, cusolverDnHandle_t handle, const void *output) {
  cusolverStatus_t status = vptr__solver_handle_check(call, handle);
  return status == CUSOLVER_STATUS_SUCCESS && output == NULL ? vptr__solver_invalid(call, "the output is NULL")
                                                             : status;
}

cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *streamId) {
  cusolverStatus_t status = check_question("cusolverDnGetStream", handle, streamId);
  if (status == CUSOLVER_STATUS_SUCCESS)
    *streamId = handle->stream;
  return status;
}

cusolverStatus_t cusolverDnSetDeterministicMode(cusolverDnHandle_t handle, cusolverDeterministicMode_t mode) {
  cusolverStatus_t status = vptr__solver_handle_check("cusolverDnSetDeterministicMode", handle);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  if (mode != CUSOLVER_DETERMINISTIC_RESULTS && mode != CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS)
    return vptr__solver_invalid("cusolverDnSetDeterministicMode", "there is no such mode");
  handle->deterministic_mode = mode;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnGetDeterministicMode(cusolverDnHandle_t handle, cusolverDeterministicMode_t *mode) {
  cusolverStatus_t status = check_question("cusolverDnGetDeterministicMode", handle, mode);
  if (status == CUSOLVER_STATUS_SUCCESS)
    *mode = handle->deterministic_mode;
  return status;
}
