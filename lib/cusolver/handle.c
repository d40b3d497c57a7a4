/* SPDX-License-Identifier: MIT */
/*
 * handle - cusolverDnCreate(), cusolverDnDestroy(), and the settings of a handle; see handle.h.
 *
 * The deterministic mode is kept and told: results are the same each time in either.
 *
 * Lock: `lock`, of rank LEAF, guards the list of handles. Called by programs; and by call.c and parameters.c, for
 * whether a handle lives. Creating one opens the device; nothing else here waits.
 */
#include "cusolver/handle.h"

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "cuda/device.h"

#include <stdbool.h>

static struct {
  vptr__lock lock;
  struct cusolverDnContext *first;
} handles = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF) };

/* Where the list has it, under the lock; NULL: it does not. */
static struct cusolverDnContext **find_link(const struct cusolverDnContext *handle) {
  for (struct cusolverDnContext **link = &handles.first; *link != NULL; link = &(*link)->next)
    if (*link == handle)
      return link;
  return NULL;
}

static cusolverStatus_t refuse_handle(const char *call, const struct cusolverDnContext *handle) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no handle: it was destroyed, or never created", call,
              (const void *)handle);
  return CUSOLVER_STATUS_NOT_INITIALIZED;
}

cusolverStatus_t vptr__solver_handle_check(const char *call, const struct cusolverDnContext *handle) {
  vptr__lock_take(&handles.lock);
  bool is_live = find_link(handle) != NULL;
  vptr__lock_give(&handles.lock);
  return is_live ? CUSOLVER_STATUS_SUCCESS : refuse_handle(call, handle);
}

/* ---- life ------------------------------------------------------------------------------------------------- */

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle) {
  vptr_mapper *mapper;
  if (handle == NULL)
    return vptr__solver_invalid("cusolverDnCreate", "there is no place for the handle");
  if (vptr__cuda_current_mapper(&mapper) != cudaSuccess)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  struct cusolverDnContext *created = vptr__memory_calloc(1, sizeof *created);
  if (created == NULL) {
    vptr__error_host_memory(sizeof *created);
    return CUSOLVER_STATUS_ALLOC_FAILED;
  }
  cublasStatus_t status = cublasCreate_v2(&created->blas);
  if (status != CUBLAS_STATUS_SUCCESS) {
    vptr__memory_free(created);
    return vptr__solver_status_of_blas(status);
  }
  created->mapper = mapper;
  created->deterministic_mode = CUSOLVER_DETERMINISTIC_RESULTS;
  vptr__lock_take(&handles.lock);
  created->next = handles.first;
  handles.first = created;
  vptr__lock_give(&handles.lock);
  *handle = created;
  return CUSOLVER_STATUS_SUCCESS;
}

/* Of threads that destroy one handle at once, one succeeds. */
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  vptr__lock_take(&handles.lock);
  struct cusolverDnContext **link = find_link(handle);
  if (link != NULL)
    *link = handle->next;
  vptr__lock_give(&handles.lock);
  if (link == NULL)
    return refuse_handle("cusolverDnDestroy", handle);
  cublasStatus_t status = cublasDestroy_v2(handle->blas);
  vptr__memory_free(handle);
  return vptr__solver_status_of_blas(status);
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
