/* SPDX-License-Identifier: MIT */
/*
 * call - the beginning and the end of a call, and what is asked of its operands; see call.h.
 *
 * Shapes are turned into numbers of bytes without overflow: what is too large for 64 bits is larger than any
 * allocation.
 *
 * No state and no locks. Called by the other files of this folder, for all of it. It waits where a result goes to the
 * host.
 */
#include "cublas/call.h"

#include "base/error.h"
#include "cublas/kernel.h"
#include "cublas/logger.h"
#include "library/call.h"
#include "library/captured.h"
#include "pool/pool.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- beginning and end ------------------------------------------------------------------------------------ */

vptr__blas_call vptr__blas_enter(const char *name, cublasHandle_t handle, vptr__blas_type type) {
  vptr__blas_call call = { .name = name, .handle = handle, .type = type };
  vptr__blas_log(name);
  call.status = vptr__blas_handle_check(name, handle);
  if (call.status != CUBLAS_STATUS_SUCCESS)
    return call;
  return vptr__blas_enter_stream(name, handle, type, handle->stream,
                                 handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE);
}

vptr__blas_call vptr__blas_enter_stream(const char *name, cublasHandle_t handle, vptr__blas_type type,
                                        cudaStream_t stream, bool scalars_on_device) {
  vptr__blas_call call = { .name = name, .handle = handle, .type = type, .scalars_on_device = scalars_on_device };
  call.status = vptr__blas_handle_check(name, handle);
  if (call.status != CUBLAS_STATUS_SUCCESS)
    return call;
  call.mapper = handle->mapper;
  vptr_status status = vptr__library_stream_or_capture(name, "the stream", "handle", call.mapper, stream,
                                                       &call.stream, &call.captures);
  vptr__blas_fail(&call, vptr__blas_status_of(status));
  return call;
}

void vptr__blas_work_end(vptr__blas_call *call) {
  if (call->work_count == 0)
    return;
  void *work = call->works[--call->work_count];
  vptr_status status = call->captures ? vptr__library_capture_free(call->name, work, call->stream)
                                      : vptr__pool_free(call->mapper, work, call->stream, call->name);
  vptr__blas_fail(call, vptr__blas_status_of(status));
}

cublasStatus_t vptr__blas_finish(vptr__blas_call *call) {
  while (call->work_count > 0)
    vptr__blas_work_end(call);
  return call->status;
}

void vptr__blas_require(vptr__blas_call *call, bool is_right, const char *format, ...) {
  if (is_right || call->status != CUBLAS_STATUS_SUCCESS)
    return;
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  call->status = vptr__blas_invalid(call->name, text);
}

/* ---- operands --------------------------------------------------------------------------------------------- */

void vptr__blas_memory(vptr__blas_call *call, const char *what, const void *ptr, size_t bytes) {
  vptr__blas_require(call, ptr != NULL, "%s is NULL", what);
  if (call->status != CUBLAS_STATUS_SUCCESS || bytes == 0)
    return;
  vptr__blas_fail(call, vptr__blas_status_of(vptr__library_memory(call->name, what, call->mapper, ptr, bytes)));
}

/* count * distance + more, in elements or in bytes; SIZE_MAX if that is too large. */
static size_t extent_of(size_t count, size_t distance, size_t more) {
  size_t extent;
  if (__builtin_mul_overflow(count, distance, &extent) || __builtin_add_overflow(extent, more, &extent))
    return SIZE_MAX;
  return extent;
}

/* Of INT64_MIN, too. */
static size_t size_of_step(int64_t step) {
  return step < 0 ? 0 - (size_t)step : (size_t)step;
}

const void *vptr__blas_vector(vptr__blas_call *call, const char *what, const void *x, int64_t n, int64_t inc) {
  if (n <= 0)
    return x;
  size_t size = vptr__blas_size(call->type);
  vptr__blas_columns(call, what, x, size, 1, n, inc);
  if (call->status != CUBLAS_STATUS_SUCCESS || inc >= 0)
    return x;
  return (const char *)x + (size_t)(n - 1) * size_of_step(inc) * size;
}

void *vptr__blas_output_vector(vptr__blas_call *call, const char *what, void *x, int64_t n, int64_t inc) {
  return (char *)x + ((const char *)vptr__blas_vector(call, what, x, n, inc) - (const char *)x);
}

void vptr__blas_strided(vptr__blas_call *call, const char *what, const void *a, size_t size, int64_t rows,
                        int64_t columns, int64_t ld, int64_t stride, int64_t count) {
  if (rows <= 0 || columns <= 0 || count <= 0)
    return;
  size_t each = extent_of((size_t)columns - 1, size_of_step(ld), (size_t)rows);
  size_t before = extent_of(extent_of((size_t)count - 1, size_of_step(stride), 0), size, 0);
  size_t bytes = extent_of(extent_of((size_t)count - 1, size_of_step(stride), each), size, 0);
  const char *lowest = stride < 0 && bytes != SIZE_MAX ? (const char *)a - before : a;
  vptr__blas_require(call, a != NULL, "%s is NULL", what);
  vptr__blas_memory(call, what, lowest, bytes);
}

void vptr__blas_columns(vptr__blas_call *call, const char *what, const void *a, size_t size, int64_t rows,
                        int64_t columns, int64_t ld) {
  vptr__blas_strided(call, what, a, size, rows, columns, ld, 0, 1);
}

void vptr__blas_matrix(vptr__blas_call *call, const char *what, const void *a, int64_t rows, int64_t columns,
                       int64_t ld) {
  vptr__blas_columns(call, what, a, vptr__blas_size(call->type), rows, columns, ld);
}

void vptr__blas_packed(vptr__blas_call *call, const char *what, const void *a, int64_t n) {
  size_t pairs = extent_of((size_t)(n / 2), (size_t)n | 1, n % 2 == 0 ? 0 : (size_t)n);
  vptr__blas_memory(call, what, a, extent_of(pairs, vptr__blas_size(call->type), 0));
}

void vptr__blas_pointers(vptr__blas_call *call, const char *what, const void *array, int64_t count) {
  vptr__blas_memory(call, what, array, extent_of((size_t)count, sizeof(void *), 0));
}

/* ---- factors ---------------------------------------------------------------------------------------------- */

vptr__blas_scalar vptr__blas_scalar_of(vptr__blas_call *call, const char *what, const void *at,
                                       vptr__blas_type type) {
  vptr__blas_scalar scalar = { .at = NULL };
  memset(&scalar.value, 0, sizeof scalar.value);
  vptr__blas_require(call, at != NULL, "%s is NULL", what);
  if (call->status != CUBLAS_STATUS_SUCCESS)
    return scalar;
  if (!call->scalars_on_device) {
    memcpy(&scalar.value, at, vptr__blas_size(type));
    return scalar;
  }
  vptr__blas_memory(call, what, at, vptr__blas_size(type));
  scalar.at = at;
  return scalar;
}

vptr__blas_scalar vptr__blas_scalar_at(vptr__blas_call *call, const char *what, const void *at) {
  return vptr__blas_scalar_of(call, what, at, call->type);
}

static vptr__blas_scalar convert_on_device(vptr__blas_call *call, const vptr__blas_scalar *scalar, bool is_real) {
  vptr__blas_scalar converted = { .at = NULL };
  void *place = vptr__blas_work(call, vptr__blas_size(call->type));
  const void *real_at = is_real ? scalar->at : NULL, *complex_at = is_real ? NULL : scalar->at;
  int conjugates = !is_real;
  memset(&converted.value, 0, sizeof converted.value);
  vptr__blas_launch(call, VPTR__BLAS_FACTOR, vptr__blas_single(),
                    VPTR__BLAS_ARGUMENTS(&real_at, &complex_at, &conjugates, &place));
  converted.at = place;
  return converted;
}

vptr__blas_scalar vptr__blas_real_scalar_at(vptr__blas_call *call, const char *what, const void *at) {
  vptr__blas_scalar scalar = vptr__blas_scalar_of(call, what, at, vptr__blas_real_type(call->type));
  if (call->status != CUBLAS_STATUS_SUCCESS || !call->scalars_on_device || !vptr__blas_is_complex(call->type))
    return scalar;
  return convert_on_device(call, &scalar, true);
}

vptr__blas_scalar vptr__blas_conjugate(vptr__blas_call *call, vptr__blas_scalar scalar) {
  if (!vptr__blas_is_complex(call->type) || call->status != CUBLAS_STATUS_SUCCESS)
    return scalar;
  if (scalar.at != NULL)
    return convert_on_device(call, &scalar, false);
  if (call->type == VPTR__BLAS_C)
    scalar.value.c[1] = -scalar.value.c[1];
  else
    scalar.value.z[1] = -scalar.value.z[1];
  return scalar;
}

vptr__blas_scalar vptr__blas_constant(vptr__blas_type type, double value) {
  vptr__blas_scalar scalar = { .at = NULL };
  memset(&scalar.value, 0, sizeof scalar.value);
  if (vptr__blas_real_type(type) == VPTR__BLAS_S)
    scalar.value.s = (float)value;
  else
    scalar.value.d = value;
  return scalar;
}

bool vptr__blas_scalar_is(const vptr__blas_call *call, const vptr__blas_scalar *scalar, double value) {
  if (scalar->at != NULL)
    return false;
  switch (call->type) {
  case VPTR__BLAS_S:
    return (double)scalar->value.s == value;
  case VPTR__BLAS_D:
    return scalar->value.d == value;
  case VPTR__BLAS_C:
    return (double)scalar->value.c[0] == value && scalar->value.c[1] == 0;
  default:
    return scalar->value.z[0] == value && scalar->value.z[1] == 0;
  }
}

/* ---- memory of the call's own, and results ------------------------------------------------------------------ */

void *vptr__blas_work(vptr__blas_call *call, size_t bytes) {
  if (call->status != CUBLAS_STATUS_SUCCESS)
    return NULL;
  if (call->work_count == VPTR__BLAS_WORKS) {
    vptr__error(VPTR_ERROR_CORRUPT, "%s: it has %d areas of memory, and no place for another: report this mistake",
                call->name, call->work_count);
    vptr__blas_fail(call, CUBLAS_STATUS_INTERNAL_ERROR);
    return NULL;
  }
  void *work;
  const void *site = __builtin_return_address(0);
  const size_t taken = bytes > 0 ? bytes : 1;
  vptr_status status = call->captures ? vptr__library_capture_alloc(call->name, taken, site, call->stream, &work)
                                      : vptr__pool_allocate(NULL, taken, call->stream, site, &work);
  if (status != VPTR_SUCCESS) {
    vptr__blas_fail(call, vptr__blas_status_of(status));
    return NULL;
  }
  call->works[call->work_count++] = work;
  return work;
}

void *vptr__blas_result(vptr__blas_call *call, void *result, size_t bytes) {
  if (call->scalars_on_device) {
    vptr__blas_memory(call, "the result", result, bytes);
    return result;
  }
  vptr__blas_require(call, result != NULL, "the result is NULL");
  if (call->status == CUBLAS_STATUS_SUCCESS && call->captures) /* the host would wait for it */
    vptr__blas_fail(call, vptr__blas_status_of(vptr__library_capture_refuse(call->name, call->stream)));
  return vptr__blas_work(call, bytes);
}

void vptr__blas_deliver(vptr__blas_call *call, void *result, const void *place, size_t bytes) {
  if (call->status != CUBLAS_STATUS_SUCCESS || call->scalars_on_device)
    return;
  char bytes_read[16];
  vptr_status status = vptr__library_read(call->stream, bytes_read, place, bytes);
  if (status == VPTR_SUCCESS)
    memcpy(result, bytes_read, bytes);
  vptr__blas_fail(call, vptr__blas_status_of(status));
}

/* ---- shared checks ------------------------------------------------------------------------------------------ */

bool vptr__blas_is_operation(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
}

void vptr__blas_require_operation(vptr__blas_call *call, const char *what, cublasOperation_t operation) {
  vptr__blas_require(call, vptr__blas_is_operation(operation), "%s is %d, no operation", what, (int)operation);
}

void vptr__blas_require_triangle(vptr__blas_call *call, cublasFillMode_t uplo) {
  vptr__blas_require(call, uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER,
                     "uplo is %d, neither the lower nor the upper part", (int)uplo);
}

void vptr__blas_require_side(vptr__blas_call *call, cublasSideMode_t side) {
  vptr__blas_require(call, side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT,
                     "side is %d, neither left nor right", (int)side);
}

void vptr__blas_require_diagonal(vptr__blas_call *call, cublasDiagType_t diag) {
  vptr__blas_require(call, diag == CUBLAS_DIAG_UNIT || diag == CUBLAS_DIAG_NON_UNIT,
                     "diag is %d, neither a unit diagonal nor any", (int)diag);
}

void vptr__blas_require_size(vptr__blas_call *call, const char *what, int64_t size) {
  vptr__blas_require(call, size >= 0, "%s is %lld, below 0", what, (long long)size);
}

void vptr__blas_require_increment(vptr__blas_call *call, const char *what, int64_t inc) {
  vptr__blas_require(call, inc != 0, "%s is 0", what);
}

void vptr__blas_require_leading(vptr__blas_call *call, const char *what, int64_t ld, int64_t rows) {
  int64_t least = rows > 1 ? rows : 1;
  vptr__blas_require(call, ld >= least, "%s is %lld, and must be at least %lld", what, (long long)ld,
                     (long long)least);
}

void vptr__blas_require_band(vptr__blas_call *call, int64_t ld, int64_t below, int64_t above) {
  vptr__blas_require(call, ld > below && ld - below > above,
                     "lda is %lld, and must be at least 1 and the %lld and %lld diagonals beside the main one",
                     (long long)ld, (long long)below, (long long)above);
}
