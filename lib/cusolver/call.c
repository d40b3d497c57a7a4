/* SPDX-License-Identifier: MIT */
/*
 * call - the beginning and the end of a call, and its operands; see call.h.
 *
 * Shapes are turned into numbers of bytes without overflow: what is too large for 64 bits is larger than any
 * allocation. Results are written only if nothing failed, the info last of all.
 *
 * No state and no locks. Called by the other files of this folder, for all of it. It waits for the handle's stream
 * where it reads and where it writes.
 */
#include "cusolver/call.h"

#include "base/error.h"
#include "base/memory.h"
#include "cuda/error.h"
#include "cusolver/logger.h"
#include "library/call.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include <vptr/cuda/cuda_runtime_api.h>

/* ---- beginning and end ------------------------------------------------------------------------------------ */

vptr__solver_call vptr__solver_ask(const char *name, cusolverDnHandle_t handle, vptr__solver_type type) {
  vptr__solver_call call = { .name = name, .handle = handle, .type = type };
  call.status = vptr__solver_handle_check(name, handle);
  if (call.status == CUSOLVER_STATUS_SUCCESS)
    call.mapper = handle->mapper;
  return call;
}

vptr__solver_call vptr__solver_enter(const char *name, cusolverDnHandle_t handle, vptr__solver_type type) {
  vptr__solver_call call = vptr__solver_ask(name, handle, type);
  if (call.status != CUSOLVER_STATUS_SUCCESS)
    return call;
  vptr_status status =
      vptr__library_stream(name, "the handle's stream", "handle", call.mapper, handle->stream, &call.stream);
  vptr__solver_fail(&call, vptr__solver_status_of(status));
  return call;
}

void vptr__solver_require(vptr__solver_call *call, bool is_right, const char *format, ...) {
  if (is_right || call->status != CUSOLVER_STATUS_SUCCESS)
    return;
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  call->status = vptr__solver_invalid(call->name, text);
}

/* ---- copies ----------------------------------------------------------------------------------------------- */

static void copy_rect(vptr__solver_call *call, void *to, size_t to_pitch, const void *from, size_t from_pitch,
                      size_t width, int64_t columns) {
  if (call->status != CUSOLVER_STATUS_SUCCESS || width == 0 || columns <= 0)
    return;
  cudaError_t error = columns == 1 ? cudaMemcpyAsync(to, from, width, cudaMemcpyDefault, (cudaStream_t)call->stream)
                                   : cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, (size_t)columns,
                                                       cudaMemcpyDefault, (cudaStream_t)call->stream);
  if (error != cudaSuccess)
    vptr__cuda_unrecord();
  vptr_status status = error == cudaSuccess ? vptr__stream_synchronize(call->stream) : VPTR_ERROR_OPENCL;
  vptr__solver_fail(call, error == cudaErrorMemoryAllocation ? CUSOLVER_STATUS_ALLOC_FAILED
                                                             : vptr__solver_status_of(status));
}

void vptr__solver_get(vptr__solver_call *call, void *host, int64_t host_ld, const void *device, int64_t ld,
                      int64_t rows, int64_t columns) {
  size_t size = vptr__solver_size(call->type);
  copy_rect(call, host, (size_t)host_ld * size, device, (size_t)ld * size, (size_t)rows * size, columns);
}

void vptr__solver_put(vptr__solver_call *call, const void *host, int64_t host_ld, void *device, int64_t ld,
                      int64_t rows, int64_t columns) {
  size_t size = vptr__solver_size(call->type);
  copy_rect(call, device, (size_t)ld * size, host, (size_t)host_ld * size, (size_t)rows * size, columns);
}

static void read_array(vptr__solver_call *call, vptr__solver_array *array) {
  array->host = vptr__solver_work(call, (size_t)array->ld * (size_t)array->columns, array->size);
  if (array->use != VPTR__SOLVER_WRITES)
    copy_rect(call, array->host, (size_t)array->ld * array->size, array->device,
              (size_t)array->device_ld * array->size, (size_t)array->rows * array->size, array->columns);
}

static void write_array(vptr__solver_call *call, const vptr__solver_array *array) {
  if (array->use != VPTR__SOLVER_READS)
    copy_rect(call, array->device, (size_t)array->device_ld * array->size, array->host,
              (size_t)array->ld * array->size, (size_t)array->rows * array->size, array->columns);
}

bool vptr__solver_begin(vptr__solver_call *call) {
  for (int i = 0; i < call->array_count; i++)
    read_array(call, &call->arrays[i]);
  return call->status == CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t vptr__solver_finish(vptr__solver_call *call) {
  for (int i = 0; i < call->array_count; i++)
    write_array(call, &call->arrays[i]);
  if (call->info_at != NULL)
    copy_rect(call, call->info_at, sizeof call->info, &call->info, sizeof call->info, sizeof call->info, 1);
  while (call->work_count > 0)
    vptr__memory_free(call->works[--call->work_count]);
  if (call->status != CUSOLVER_STATUS_SUCCESS && call->status != CUSOLVER_STATUS_NOT_INITIALIZED)
    vptr__library_log_tell(&vptr__solver_log, VPTR__LIBRARY_LOG_ERRORS, call->name, vptr_last_error());
  return call->status;
}

/* ---- operands --------------------------------------------------------------------------------------------- */

/* Of the host's memory, a device reaches what CUDA handed out: managed and pinned. */
static vptr_status check_host_memory(const char *call, const char *what, const void *at) {
  struct cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, at) != cudaSuccess)
    vptr__cuda_unrecord();
  else if (attributes.type != cudaMemoryTypeUnregistered)
    return VPTR_SUCCESS;
  return vptr__error(VPTR_ERROR_UNKNOWN_ADDRESS,
                     "%s: %s: %p is the host's own memory; the device reaches what cudaMalloc() and its kin hand out",
                     call, what, at);
}

static void check_memory(vptr__solver_call *call, const char *what, const void *at, size_t bytes) {
  vptr__solver_require(call, at != NULL, "%s is NULL", what);
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return;
  vptr_status status = vptr__library_memory(call->name, what, call->mapper, at, bytes);
  if (status == VPTR_SUCCESS && vptr__mapper_owning(at) == NULL)
    status = check_host_memory(call->name, what, at);
  vptr__solver_fail(call, vptr__solver_status_of(status));
}

/* SIZE_MAX if that is too large. */
static size_t bytes_of(const vptr__solver_array *array) {
  size_t elements, bytes;
  if (__builtin_mul_overflow((size_t)array->columns - 1, (size_t)array->device_ld, &elements) ||
      __builtin_add_overflow(elements, (size_t)array->rows, &elements) ||
      __builtin_mul_overflow(elements, array->size, &bytes))
    return SIZE_MAX;
  return bytes;
}

static vptr__solver_array *add_array(vptr__solver_call *call, const char *what, vptr__solver_array array) {
  vptr__solver_array *added = &call->arrays[call->status == CUSOLVER_STATUS_SUCCESS ? call->array_count++ : 0];
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return added;
  *added = array;
  added->ld = array.rows > 1 ? (int)array.rows : 1;
  if (array.rows > 0 && array.columns > 0)
    check_memory(call, what, array.device, bytes_of(&array));
  return added;
}

vptr__solver_array *vptr__solver_matrix(vptr__solver_call *call, const char *what, vptr__solver_use use, int64_t rows,
                                        int64_t columns, const void *at, int64_t ld) {
  vptr__solver_array matrix = { .device = (char *)(uintptr_t)at,
                                .size = vptr__solver_size(call->type),
                                .rows = rows,
                                .columns = columns,
                                .device_ld = ld,
                                .use = use };
  return add_array(call, what, matrix);
}

vptr__solver_array *vptr__solver_numbers(vptr__solver_call *call, const char *what, vptr__solver_use use,
                                         int64_t count, size_t size, const void *at) {
  vptr__solver_array numbers = {
    .device = (char *)(uintptr_t)at, .size = size, .rows = count, .columns = 1, .device_ld = count, .use = use
  };
  return add_array(call, what, numbers);
}

void vptr__solver_memory(vptr__solver_call *call, const char *what, int64_t rows, int64_t columns, const void *at,
                         int64_t ld) {
  vptr__solver_array matrix = {
    .size = vptr__solver_size(call->type), .rows = rows, .columns = columns, .device_ld = ld
  };
  if (rows > 0 && columns > 0)
    check_memory(call, what, at, bytes_of(&matrix));
}

void vptr__solver_info(vptr__solver_call *call, int *info) {
  check_memory(call, "info", info, sizeof *info);
  call->info_at = info;
}

void *vptr__solver_work(vptr__solver_call *call, size_t count, size_t size) {
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return NULL;
  if (call->work_count == VPTR__SOLVER_WORKS) {
    vptr__error(VPTR_ERROR_CORRUPT, "%s: it has %d areas of memory, and no place for another: report this mistake",
                call->name, call->work_count);
    vptr__solver_fail(call, CUSOLVER_STATUS_INTERNAL_ERROR);
    return NULL;
  }
  void *work = vptr__memory_calloc(count > 0 ? count : 1, size);
  if (work == NULL) {
    vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "%s: no host memory for %zu elements of %zu bytes", call->name, count,
                size);
    vptr__solver_fail(call, CUSOLVER_STATUS_ALLOC_FAILED);
    return NULL;
  }
  call->works[call->work_count++] = work;
  return work;
}

/* ---- shared checks ------------------------------------------------------------------------------------------ */

void vptr__solver_require_size(vptr__solver_call *call, const char *what, int64_t size) {
  vptr__solver_require(call, size >= 0 && size <= INT_MAX, "%s is %lld, below 0 or above %d", what, (long long)size,
                       INT_MAX);
}

void vptr__solver_require_leading(vptr__solver_call *call, const char *what, int64_t ld, int64_t rows) {
  int64_t least = rows > 1 ? rows : 1;
  vptr__solver_require(call, ld >= least, "%s is %lld, and must be at least %lld", what, (long long)ld,
                       (long long)least);
}

void vptr__solver_require_triangle(vptr__solver_call *call, cublasFillMode_t uplo) {
  vptr__solver_require(call, uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER,
                       "uplo is %d, neither the lower nor the upper part", (int)uplo);
}

void vptr__solver_require_operation(vptr__solver_call *call, cublasOperation_t trans) {
  vptr__solver_require(call, trans == CUBLAS_OP_N || trans == CUBLAS_OP_T || trans == CUBLAS_OP_C,
                       "trans is %d, no operation", (int)trans);
}

void vptr__solver_require_vectors(vptr__solver_call *call, cusolverEigMode_t jobz) {
  vptr__solver_require(call, jobz == CUSOLVER_EIG_MODE_NOVECTOR || jobz == CUSOLVER_EIG_MODE_VECTOR,
                       "jobz is %d, neither with vectors nor without", (int)jobz);
}

void vptr__solver_require_room(vptr__solver_call *call, int64_t room) {
  vptr__solver_require(call, room >= 1, "the work area has %lld elements, and bufferSize said 1", (long long)room);
}

cusolverStatus_t vptr__solver_room(vptr__solver_call *call, int *room) {
  vptr__solver_require(call, room != NULL, "there is no place for the size of the work area");
  if (call->status == CUSOLVER_STATUS_SUCCESS)
    *room = 1;
  return vptr__solver_finish(call);
}

cusolverStatus_t vptr__solver_tell_room(vptr__solver_call *call, int64_t elements, int *room) {
  vptr__solver_require(call, elements <= INT_MAX, "the work area would have %lld elements, above %d",
                       (long long)elements, INT_MAX);
  cusolverStatus_t status = vptr__solver_room(call, room);
  if (status == CUSOLVER_STATUS_SUCCESS)
    *room = (int)elements;
  return status;
}

void vptr__solver_require_area(vptr__solver_call *call, vptr__solver_area work, int64_t least) {
  vptr__solver_require(call, work.room >= least, "the work area has %lld elements, and bufferSize said %lld",
                       (long long)work.room, (long long)least);
  if (least > 1)
    vptr__solver_memory(call, "the work area", least, 1, work.at, least);
}
