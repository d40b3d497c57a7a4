/* SPDX-License-Identifier: MIT */
/*
 * handle - cusparseCreate(), cusparseDestroy(), and the settings of a handle; see handle.h.
 *
 * The table of handles has its own lock (library/handle.h). Called by programs; and by call.c, for whether a handle
 * lives. Creating one opens the device; nothing else here waits.
 */
#include "cusparse/handle.h"

#include "cuda/device.h"

static vptr__library_handles handles = VPTR__LIBRARY_HANDLES("handle", struct cusparseContext);

cusparseStatus_t vptr__sparse_handle_check(const char *call, const struct cusparseContext *handle) {
  return vptr__library_handle_check(&handles, call, handle) ? CUSPARSE_STATUS_SUCCESS
                                                            : CUSPARSE_STATUS_NOT_INITIALIZED;
}

/* ---- life ------------------------------------------------------------------------------------------------- */

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle) {
  if (handle == NULL)
    return vptr__sparse_invalid("cusparseCreate", "there is no place for the handle");
  vptr_mapper *mapper;
  if (vptr__cuda_current_mapper(&mapper) != cudaSuccess)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  const struct cusparseContext fresh = { .mapper = mapper, .pointer_mode = CUSPARSE_POINTER_MODE_HOST };
  struct cusparseContext *created = vptr__library_handle_create(&handles, "cusparseCreate", &fresh);
  if (created == NULL)
    return CUSPARSE_STATUS_ALLOC_FAILED;
  *handle = created;
  return CUSPARSE_STATUS_SUCCESS;
}

/* What was sent goes on. */
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  return vptr__library_handle_end(&handles, "cusparseDestroy", handle) ? CUSPARSE_STATUS_SUCCESS
                                                                       : CUSPARSE_STATUS_NOT_INITIALIZED;
}

/* ---- settings --------------------------------------------------------------------------------------------- */

/* The handle lives, and there is a place for what is asked. */
static cusparseStatus_t check_question(const char *call, cusparseHandle_t handle, const void *output) {
  cusparseStatus_t status = vptr__sparse_handle_check(call, handle);
  return status == CUSPARSE_STATUS_SUCCESS && output == NULL ? vptr__sparse_invalid(call, "the output is NULL")
                                                             : status;
}

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version) {
  cusparseStatus_t status = check_question("cusparseGetVersion", handle, version);
  if (status == CUSPARSE_STATUS_SUCCESS)
    *version = CUSPARSE_VERSION;
  return status;
}

cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *streamId) {
  cusparseStatus_t status = check_question("cusparseGetStream", handle, streamId);
  if (status == CUSPARSE_STATUS_SUCCESS)
    *streamId = handle->stream;
  return status;
}

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t streamId) {
  cusparseStatus_t status = vptr__sparse_handle_check("cusparseSetStream", handle);
  if (status == CUSPARSE_STATUS_SUCCESS)
    handle->stream = streamId;
  return status;
}

cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode) {
  cusparseStatus_t status = check_question("cusparseGetPointerMode", handle, mode);
  if (status == CUSPARSE_STATUS_SUCCESS)
    *mode = handle->pointer_mode;
  return status;
}

cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  cusparseStatus_t status = vptr__sparse_handle_check("cusparseSetPointerMode", handle);
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  if (mode != CUSPARSE_POINTER_MODE_HOST && mode != CUSPARSE_POINTER_MODE_DEVICE)
    return vptr__sparse_invalid("cusparseSetPointerMode", "there is no such mode");
  handle->pointer_mode = mode;
  return CUSPARSE_STATUS_SUCCESS;
}
