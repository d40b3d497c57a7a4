/* SPDX-License-Identifier: MIT */
/*
 * handle - cusparseCreate(), cusparseDestroy(), and the settings of a handle; see handle.h.
 *
 * Lock: `lock`, of rank LEAF, guards the list of blocks. Called by programs; and by call.c, for whether a handle lives.
 * Creating one opens the device; nothing else here waits.
 */
#include "cusparse/handle.h"

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "cuda/device.h"

#include <stdint.h>

enum { BLOCKS = 64, PLACES = 64 };

static struct {
  vptr__lock lock;
  _Atomic(struct cusparseContext *) blocks[BLOCKS]; /* of PLACES each; only grows */
} handles = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF) };

static bool is_live(const struct cusparseContext *handle) {
  for (int i = 0; i < BLOCKS; i++) {
    const struct cusparseContext *block = atomic_load_explicit(&handles.blocks[i], memory_order_acquire);
    if (block == NULL)
      return false;
    uintptr_t distance = (uintptr_t)handle - (uintptr_t)block;
    if (distance < PLACES * sizeof *block && distance % sizeof *block == 0)
      return atomic_load_explicit(&handle->is_live, memory_order_acquire);
  }
  return false;
}

cusparseStatus_t vptr__sparse_handle_check(const char *call, const struct cusparseContext *handle) {
  if (is_live(handle))
    return CUSPARSE_STATUS_SUCCESS;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no handle: it was destroyed, or never created", call,
              (const void *)handle);
  return CUSPARSE_STATUS_NOT_INITIALIZED;
}

/* ---- life ------------------------------------------------------------------------------------------------- */

/* The load acquires: cusparseDestroy() gives a place back without the lock, and what its thread read of the place comes
   before what the next owner writes. */
static struct cusparseContext *take_place_of(struct cusparseContext *block) {
  for (int i = 0; i < PLACES; i++)
    if (!atomic_load_explicit(&block[i].is_live, memory_order_acquire))
      return &block[i];
  return NULL;
}

/* A place that is free, under the lock. */
static struct cusparseContext *take_place(void) {
  for (int i = 0; i < BLOCKS; i++) {
    struct cusparseContext *block = atomic_load_explicit(&handles.blocks[i], memory_order_relaxed);
    if (block == NULL) {
      block = vptr__memory_calloc(PLACES, sizeof *block);
      atomic_store_explicit(&handles.blocks[i], block, memory_order_release);
    }
    struct cusparseContext *place = block != NULL ? take_place_of(block) : NULL;
    if (block == NULL || place != NULL)
      return place;
  }
  return NULL;
}

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle) {
  if (handle == NULL)
    return vptr__sparse_invalid("cusparseCreate", "there is no place for the handle");
  vptr_mapper *mapper;
  if (vptr__cuda_current_mapper(&mapper) != cudaSuccess)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  vptr__lock_take(&handles.lock);
  struct cusparseContext *place = take_place();
  if (place != NULL) {
    place->mapper = mapper;
    place->stream = NULL;
    place->pointer_mode = CUSPARSE_POINTER_MODE_HOST;
    atomic_store_explicit(&place->is_live, true, memory_order_release);
  }
  vptr__lock_give(&handles.lock);
  if (place == NULL) {
    vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "cusparseCreate: no host memory, or %d handles are live already",
                BLOCKS * PLACES);
    return CUSPARSE_STATUS_ALLOC_FAILED;
  }
  *handle = place;
  return CUSPARSE_STATUS_SUCCESS;
}

/* Of threads that destroy one handle at once, one succeeds. What was sent goes on. */
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  cusparseStatus_t status = vptr__sparse_handle_check("cusparseDestroy", handle);
  bool was_live = true;
  if (status != CUSPARSE_STATUS_SUCCESS)
    return status;
  return atomic_compare_exchange_strong(&handle->is_live, &was_live, false)
             ? CUSPARSE_STATUS_SUCCESS
             : vptr__sparse_handle_check("cusparseDestroy", NULL);
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
