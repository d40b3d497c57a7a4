/* SPDX-License-Identifier: MIT */
/*
 * call - the beginning and the end of a call, and what is asked of its operands; see call.h.
 *
 * Numbers of elements are turned into numbers of bytes without overflow: what is too large for 64 bits is larger than
 * any allocation.
 *
 * No state and no locks. Called by the other files of this folder, for all of it. It waits where something is read.
 */
#include "cusparse/call.h"

#include "base/error.h"
#include "library/call.h"
#include "library/captured.h"
#include "pool/pool.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- beginning and end ------------------------------------------------------------------------------------ */

vptr__sparse_call vptr__sparse_enter(const char *name, cusparseHandle_t handle) {
  vptr__sparse_call call = { .name = name, .handle = handle };
  call.status = vptr__sparse_handle_check(name, handle);
  if (!vptr__sparse_is_well(&call))
    return call;
  call.mapper = handle->mapper;
  call.scalars_on_device = handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE;
  vptr_status status = vptr__library_stream_or_capture(name, "the handle's stream", "handle", call.mapper,
                                                       handle->stream, &call.stream, &call.captures);
  vptr__sparse_fail(&call, vptr__sparse_status_of(status));
  return call;
}

cusparseStatus_t vptr__sparse_finish(vptr__sparse_call *call) {
  while (call->work_count > 0) {
    void *work = call->works[--call->work_count];
    vptr_status status = call->captures ? vptr__library_capture_free(call->name, work, call->stream)
                                        : vptr__pool_free(call->mapper, work, call->stream, call->name);
    vptr__sparse_fail(call, vptr__sparse_status_of(status));
  }
  return call->status;
}

static void refuse_call(vptr__sparse_call *call, cusparseStatus_t as, const char *format, va_list arguments) {
  char text[256];
  vsnprintf(text, sizeof text, format, arguments);
  call->status = vptr__sparse_invalid(call->name, text);
  if (as != CUSPARSE_STATUS_INVALID_VALUE)
    call->status = as;
}

void vptr__sparse_require(vptr__sparse_call *call, bool is_right, const char *format, ...) {
  if (is_right || !vptr__sparse_is_well(call))
    return;
  va_list arguments;
  va_start(arguments, format);
  refuse_call(call, CUSPARSE_STATUS_INVALID_VALUE, format, arguments);
  va_end(arguments);
}

void vptr__sparse_support(vptr__sparse_call *call, bool is_there, const char *format, ...) {
  if (is_there || !vptr__sparse_is_well(call))
    return;
  va_list arguments;
  va_start(arguments, format);
  refuse_call(call, CUSPARSE_STATUS_NOT_SUPPORTED, format, arguments);
  va_end(arguments);
}

/* ---- operands --------------------------------------------------------------------------------------------- */

static const cudaDataType data_types[] = { [VPTR__SPARSE_S] = CUDA_R_32F,
                                           [VPTR__SPARSE_D] = CUDA_R_64F,
                                           [VPTR__SPARSE_C] = CUDA_C_32F,
                                           [VPTR__SPARSE_Z] = CUDA_C_64F };

static bool find_type(vptr__sparse_call *call, cudaDataType type) {
  for (int i = 0; i < 4; i++)
    if (data_types[i] == type) {
      call->type = (vptr__sparse_type)i;
      call->data_type = type;
      return true;
    }
  return false;
}

void vptr__sparse_compute_in(vptr__sparse_call *call, cudaDataType type) {
  vptr__sparse_support(call, find_type(call, type),
                       "it computes in CUDA_R_32F, CUDA_R_64F, CUDA_C_32F and CUDA_C_64F, not in type %d", (int)type);
}

void vptr__sparse_move(vptr__sparse_call *call, cudaDataType type) {
  if (vptr__sparse_is_narrow(type)) {
    call->type = VPTR__SPARSE_H;
    call->data_type = type;
    return;
  }
  vptr__sparse_support(
      call, find_type(call, type),
      "it moves values of 16 bits, CUDA_R_32F, CUDA_R_64F, CUDA_C_32F and CUDA_C_64F, not of type %d", (int)type);
}

void vptr__sparse_require_type(vptr__sparse_call *call, const char *what, cudaDataType type) {
  bool is_narrow = call->takes_narrow && call->type == VPTR__SPARSE_S && vptr__sparse_is_narrow(type);
  vptr__sparse_support(call, is_narrow || call->data_type == type,
                       "%s has values of type %d, and the call is in type %d: they have to be one", what, (int)type,
                       (int)call->data_type);
}

void vptr__sparse_require_operation(vptr__sparse_call *call, const char *what, cusparseOperation_t operation) {
  vptr__sparse_require(call,
                       operation == CUSPARSE_OPERATION_NON_TRANSPOSE || operation == CUSPARSE_OPERATION_TRANSPOSE ||
                           operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
                       "%s is %d, no operation", what, (int)operation);
}

void vptr__sparse_memory(vptr__sparse_call *call, const char *what, const void *ptr, int64_t count, size_t size) {
  if (count <= 0)
    return;
  vptr__sparse_require(call, ptr != NULL, "%s is NULL", what);
  if (!vptr__sparse_is_well(call))
    return;
  size_t bytes;
  if (__builtin_mul_overflow((size_t)count, size, &bytes))
    bytes = SIZE_MAX;
  vptr__sparse_fail(call, vptr__sparse_status_of(vptr__library_memory(call->name, what, call->mapper, ptr, bytes)));
}

vptr__sparse_scalar vptr__sparse_scalar_at(vptr__sparse_call *call, const char *what, const void *at) {
  vptr__sparse_scalar scalar = { .at = NULL };
  memset(&scalar.value, 0, sizeof scalar.value);
  vptr__sparse_require(call, at != NULL, "%s is NULL", what);
  if (!vptr__sparse_is_well(call))
    return scalar;
  if (!call->scalars_on_device) {
    memcpy(&scalar.value, at, vptr__sparse_size(call->type));
    return scalar;
  }
  vptr__sparse_memory(call, what, at, 1, vptr__sparse_size(call->type));
  scalar.at = at;
  return scalar;
}

vptr__sparse_scalar vptr__sparse_constant(vptr__sparse_type type, double value) {
  vptr__sparse_scalar scalar = { .at = NULL };
  memset(&scalar.value, 0, sizeof scalar.value);
  if (type == VPTR__SPARSE_S || type == VPTR__SPARSE_C)
    scalar.value.s = (float)value;
  else
    scalar.value.d = value;
  return scalar;
}

/* ---- memory of the call's own ------------------------------------------------------------------------------- */

void *vptr__sparse_work(vptr__sparse_call *call, int64_t count, size_t size) {
  size_t bytes;
  if (!vptr__sparse_is_well(call))
    return NULL;
  if (call->work_count == VPTR__SPARSE_WORKS) {
    vptr__error(VPTR_ERROR_CORRUPT, "%s: it has %d areas of memory, and no place for another: report this mistake",
                call->name, call->work_count);
    vptr__sparse_fail(call, CUSPARSE_STATUS_INTERNAL_ERROR);
    return NULL;
  }
  if (__builtin_mul_overflow((size_t)count, size, &bytes))
    bytes = SIZE_MAX;
  void *work = NULL;
  const void *site = __builtin_return_address(0);
  const size_t taken = bytes > 0 ? bytes : 1;
  vptr_status status = call->captures ? vptr__library_capture_alloc(call->name, taken, site, call->stream, &work)
                                      : vptr__pool_allocate(NULL, taken, call->stream, site, &work);
  if (status != VPTR_SUCCESS) {
    vptr__sparse_fail(call, vptr__sparse_status_of(status));
    return NULL;
  }
  call->works[call->work_count++] = work;
  return work;
}

void vptr__sparse_read(vptr__sparse_call *call, void *to, const void *from, size_t bytes) {
  if (!vptr__sparse_is_well(call) || bytes == 0)
    return;
  vptr_status status = call->captures ? vptr__library_capture_refuse(call->name, call->stream)
                                      : vptr__library_read(call->stream, to, from, bytes);
  vptr__sparse_fail(call, vptr__sparse_status_of(status));
}
