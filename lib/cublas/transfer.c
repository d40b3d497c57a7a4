/* SPDX-License-Identifier: MIT */
/*
 * transfer - cublasSetVector(), cublasGetMatrix() and their kin: the runtime's copies, of elements of any size.
 *
 * A vector with an increment is a matrix of one element a column. What a copy checks, waits for, and makes of an
 * address is said of cudaMemcpy2D(); its error, which is not the runtime's last one, becomes MAPPING_ERROR. Calls
 * without a stream use the legacy stream of the current device, as cuBLAS's.
 *
 * No state, no locks. Called by programs. Waits as the runtime's copies do.
 */
#include "base/error.h"
#include "cublas/logger.h"
#include "cublas/status.h"
#include "cuda/error.h"

#include <stdbool.h>

#include <vptr/cuda/cuda_runtime_api.h>

typedef struct rows {
  const char *name;
  int64_t width, height; /* elements of a column, and columns */
  int64_t size, from_ld, to_ld;
  const void *from;
  void *to;
  enum cudaMemcpyKind kind;
  bool is_async;
  cudaStream_t stream;
} rows;

/* Whether all the bytes from the first column to behind the last are a number that there is. */
static bool has_extent(const rows *it) {
  int64_t ld = it->from_ld > it->to_ld ? it->from_ld : it->to_ld, elements, bytes;
  return !__builtin_mul_overflow(ld, it->height, &elements) && !__builtin_mul_overflow(elements, it->size, &bytes);
}

static cublasStatus_t copy_rows(const rows *it) {
  const size_t size = (size_t)it->size;
  const size_t from_pitch = (size_t)it->from_ld * size, to_pitch = (size_t)it->to_ld * size;
  const size_t width = (size_t)it->width * size, height = (size_t)it->height;
  cudaError_t error;
  if (it->is_async)
    error = cudaMemcpy2DAsync(it->to, to_pitch, it->from, from_pitch, width, height, it->kind, it->stream);
  else
    error = cudaMemcpy2D(it->to, to_pitch, it->from, from_pitch, width, height, it->kind);
  if (error == cudaSuccess)
    return CUBLAS_STATUS_SUCCESS;
  vptr__cuda_unrecord();
  return CUBLAS_STATUS_MAPPING_ERROR;
}

static cublasStatus_t copy_matrix(rows it) {
  vptr__blas_log(it.name);
  if (it.width < 0 || it.height < 0 || it.size <= 0)
    return vptr__blas_invalid(it.name, "rows, cols or elemSize is negative, or elemSize is 0");
  if (it.from_ld < it.width || it.to_ld < it.width || it.from_ld <= 0 || it.to_ld <= 0)
    return vptr__blas_invalid(it.name, "lda and ldb must be at least rows, and 1");
  if (it.width == 0 || it.height == 0)
    return CUBLAS_STATUS_SUCCESS;
  if (!has_extent(&it))
    return vptr__blas_invalid(it.name, "the matrix has more bytes than any memory: look at cols, lda and ldb");
  /* Columns without a gap are one. */
  if (it.from_ld == it.width && it.to_ld == it.width) {
    it.width *= it.height;
    it.from_ld = it.to_ld = it.width;
    it.height = 1;
  }
  return copy_rows(&it);
}

static cublasStatus_t copy_vector(rows it) {
  vptr__blas_log(it.name);
  if (it.height < 0 || it.size <= 0 || it.from_ld <= 0 || it.to_ld <= 0)
    return vptr__blas_invalid(it.name, "n is negative, or elemSize, incx or incy is not positive");
  it.width = 1;
  if (it.height == 0)
    return CUBLAS_STATUS_SUCCESS;
  if (!has_extent(&it))
    return vptr__blas_invalid(it.name, "the vector has more bytes than any memory: look at n, incx and incy");
  return it.from_ld == 1 && it.to_ld == 1 ? copy_matrix(it) : copy_rows(&it);
}

#define VPTR_CUBLAS_CALLS "cublas/transfer_calls.h"
#include "cublas/both_sizes.h"
