/* SPDX-License-Identifier: MIT */
/*
 * call - a call of cuBLAS's on its way: checked first, then sent to a stream.
 *
 * A call is a variable of its thread's. It remembers the first thing that went wrong: checks behind that do nothing,
 * and nothing is sent, so a function asks for all its operands in a row and looks at `status` once. What it takes of
 * memory for itself comes from the device's pool in the stream's order and goes back when the call is finished.
 *
 *     vptr__blas_call call = vptr__blas_enter("cublasSaxpy", handle, VPTR__BLAS_S);
 *     ... vptr__blas_vector(), vptr__blas_matrix(), vptr__blas_scalar_at() ...
 *     if (call.status == CUBLAS_STATUS_SUCCESS) vptr__blas_launch(&call, ...);
 *     return vptr__blas_finish(&call);
 *
 * No locks of its own. What is wrong with an argument is INVALID_VALUE; with memory (freed, too short for its shape, of
 * another device) EXECUTION_FAILED: cuBLAS, which does not look, would run a kernel that fails.
 */
#ifndef VPTR_CUBLAS_CALL_H
#define VPTR_CUBLAS_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cublas/handle.h"
#include "cublas/status.h"
#include "cublas/types.h"
#include "stream/stream.h"

/* In the order of vptr__blas_size(), and of the kernels' families (kernel.h). */
typedef enum vptr__blas_type { VPTR__BLAS_S, VPTR__BLAS_D, VPTR__BLAS_C, VPTR__BLAS_Z } vptr__blas_type;

enum { VPTR__BLAS_WORKS = 6 };

typedef struct vptr__blas_call {
  const char *name;
  cublasHandle_t handle;
  vptr_mapper *mapper;
  vptr__stream *stream;
  vptr__blas_type type;
  bool scalars_on_device;
  bool captures; /* the stream is captured: nodes are made, and nothing is sent */
  cublasStatus_t status;
  void *works[VPTR__BLAS_WORKS];
  int work_count;
} vptr__blas_call;

/* A factor: a value, or where the device has it if `at` is not NULL. */
typedef struct vptr__blas_scalar {
  union {
    float s, c[2];
    double d, z[2];
  } value;
  const void *at;
} vptr__blas_scalar;

static inline size_t vptr__blas_size(vptr__blas_type type) {
  static const size_t sizes[] = { 4, 8, 8, 16 };
  return sizes[type];
}
static inline bool vptr__blas_is_complex(vptr__blas_type type) { return type >= VPTR__BLAS_C; }
/* The type of a complex number's parts. */
static inline vptr__blas_type vptr__blas_real_type(vptr__blas_type type) {
  return type == VPTR__BLAS_C ? VPTR__BLAS_S : type == VPTR__BLAS_Z ? VPTR__BLAS_D : type;
}

vptr__blas_call vptr__blas_enter(const char *name, cublasHandle_t handle, vptr__blas_type type);
/* For functions that are told a stream and a pointer mode, and look at neither of the handle's. */
vptr__blas_call vptr__blas_enter_stream(const char *name, cublasHandle_t handle, vptr__blas_type type,
                                        cudaStream_t stream, bool scalars_on_device);
cublasStatus_t vptr__blas_finish(vptr__blas_call *call);

/* Notes a failure, which has been said. */
static inline void vptr__blas_fail(vptr__blas_call *call, cublasStatus_t status) {
  if (call->status == CUBLAS_STATUS_SUCCESS)
    call->status = status;
}

/* Says what is wrong, and notes it, unless is_right. */
void vptr__blas_require(vptr__blas_call *call, bool is_right, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- operands --------------------------------------------------------------------------------------------- */

/* The bytes are live memory that the device reaches. */
void vptr__blas_memory(vptr__blas_call *call, const char *what, const void *ptr, size_t bytes);

/* n elements, and the first one in the vector's order: of a negative increment the last in memory. Increment 0 is
 * allowed here, and is one element. */
const void *vptr__blas_vector(vptr__blas_call *call, const char *what, const void *x, int64_t n, int64_t inc);

/* As above, for vectors that are written. */
void *vptr__blas_output_vector(vptr__blas_call *call, const char *what, void *x, int64_t n, int64_t inc);

/* `count` matrices of rows by columns elements of `size` bytes, in columns that are |ld| apart. One matrix is `stride`
 * elements behind the one before, or in front of it; all of them lie in one allocation, with what is in between. */
void vptr__blas_strided(vptr__blas_call *call, const char *what, const void *a, size_t size, int64_t rows,
                        int64_t columns, int64_t ld, int64_t stride, int64_t count);

/* One of them. */
void vptr__blas_columns(vptr__blas_call *call, const char *what, const void *a, size_t size, int64_t rows,
                        int64_t columns, int64_t ld);

/* The same of the call's type. */
void vptr__blas_matrix(vptr__blas_call *call, const char *what, const void *a, int64_t rows, int64_t columns,
                       int64_t ld);

/* A packed triangle of order n, of the call's type. */
void vptr__blas_packed(vptr__blas_call *call, const char *what, const void *a, int64_t n);

/* `count` pointers on the device; what they lead to is not looked at. */
void vptr__blas_pointers(vptr__blas_call *call, const char *what, const void *array, int64_t count);

/* A factor of a type, by the handle's pointer mode. */
vptr__blas_scalar vptr__blas_scalar_of(vptr__blas_call *call, const char *what, const void *at, vptr__blas_type type);
vptr__blas_scalar vptr__blas_scalar_at(vptr__blas_call *call, const char *what, const void *at);

/* A real factor as one of the call's complex type; on the device it is converted there. */
vptr__blas_scalar vptr__blas_real_scalar_at(vptr__blas_call *call, const char *what, const void *at);
vptr__blas_scalar vptr__blas_conjugate(vptr__blas_call *call, vptr__blas_scalar scalar);

vptr__blas_scalar vptr__blas_constant(vptr__blas_type type, double value);

/* Whether it is known here to be this number. */
bool vptr__blas_scalar_is(const vptr__blas_call *call, const vptr__blas_scalar *scalar, double value);

/* ---- memory of the call's own, and results ------------------------------------------------------------------ */

/* NULL if there is none: noted. And gives the latest back before the call is finished, for loops. */
void *vptr__blas_work(vptr__blas_call *call, size_t bytes);
void vptr__blas_work_end(vptr__blas_call *call);

/* Where the device puts a result of so many bytes that the program wants at `result`; and brings it there, behind the
 * kernel, which waits for the stream if that is memory of the host. */
void *vptr__blas_result(vptr__blas_call *call, void *result, size_t bytes);
void vptr__blas_deliver(vptr__blas_call *call, void *result, const void *place, size_t bytes);

/* ---- shared checks ------------------------------------------------------------------------------------------ */

bool vptr__blas_is_operation(cublasOperation_t operation);
void vptr__blas_require_operation(vptr__blas_call *call, const char *what, cublasOperation_t operation);
void vptr__blas_require_triangle(vptr__blas_call *call, cublasFillMode_t uplo);
void vptr__blas_require_side(vptr__blas_call *call, cublasSideMode_t side);
void vptr__blas_require_diagonal(vptr__blas_call *call, cublasDiagType_t diag);
void vptr__blas_require_size(vptr__blas_call *call, const char *what, int64_t size);
void vptr__blas_require_increment(vptr__blas_call *call, const char *what, int64_t inc);
/* At least 1, and the rows that are stored. */
void vptr__blas_require_leading(vptr__blas_call *call, const char *what, int64_t ld, int64_t rows);
/* lda of a band matrix that reaches so far from the diagonal, of numbers that are not below 0. */
void vptr__blas_require_band(vptr__blas_call *call, int64_t ld, int64_t below, int64_t above);

#endif
