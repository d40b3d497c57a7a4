/* SPDX-License-Identifier: MIT */
/*
 * call - a call of cuSOLVER's on its way: checked first, then its turn in the stream, then results.
 *
 * A call is a variable of its thread's. It remembers the first thing that went wrong: checks behind that do nothing,
 * and nothing is read, so a function asks for all its operands in a row and looks at vptr__solver_begin() once, which
 * reads what LAPACK is to have. vptr__solver_finish() writes results, waits, and gives host memory back.
 *
 *     vptr__solver_call call = vptr__solver_enter("cusolverDnSpotrf", handle, VPTR__SOLVER_S);
 *     vptr__solver_require(&call, ...);
 *     vptr__solver_array *it = vptr__solver_matrix(&call, "A", VPTR__SOLVER_CHANGES, n, n, a, lda);
 *     vptr__solver_info(&call, info);
 *     if (vptr__solver_begin(&call)) spotrf_(..., it->host, &it->ld, &call.info);
 *     return vptr__solver_finish(&call);
 *
 * No locks of its own. What is wrong with an argument is INVALID_VALUE; with memory (freed, too short for its shape, of
 * another device) EXECUTION_FAILED.
 */
#ifndef VPTR_CUSOLVER_CALL_H
#define VPTR_CUSOLVER_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cusolver/handle.h"
#include "stream/stream.h"

/* In the order of LAPACK's routines in tables (lapack.h). */
typedef enum vptr__solver_type { VPTR__SOLVER_S, VPTR__SOLVER_D, VPTR__SOLVER_C, VPTR__SOLVER_Z } vptr__solver_type;

static inline size_t vptr__solver_size(vptr__solver_type type) {
  static const size_t sizes[] = { 4, 8, 8, 16 };
  return sizes[type];
}
static inline bool vptr__solver_is_complex(vptr__solver_type type) { return type >= VPTR__SOLVER_C; }
static inline size_t vptr__solver_real_size(vptr__solver_type type) {
  return type == VPTR__SOLVER_S || type == VPTR__SOLVER_C ? 4 : 8;
}

/* What a call does with an operand. */
typedef enum vptr__solver_use { VPTR__SOLVER_READS, VPTR__SOLVER_WRITES, VPTR__SOLVER_CHANGES } vptr__solver_use;

/* An operand on the device, and its copy on the host, whose columns lie side by side: ld is at least 1. */
typedef struct vptr__solver_array {
  char *device, *host;
  size_t size;
  int64_t rows, columns, device_ld;
  int ld;
  vptr__solver_use use;
} vptr__solver_array;

enum { VPTR__SOLVER_ARRAYS = 6, VPTR__SOLVER_WORKS = 40 };

typedef struct vptr__solver_call {
  const char *name;
  cusolverDnHandle_t handle;
  vptr_mapper *mapper;
  vptr__stream *stream;
  vptr__solver_type type;
  cusolverStatus_t status;
  int info, *info_at; /* LAPACK's, and where it goes on the device */
  vptr__solver_array arrays[VPTR__SOLVER_ARRAYS];
  void *works[VPTR__SOLVER_WORKS];
  int array_count, work_count;
} vptr__solver_call;

/* The stream is looked at: one that is captured is refused, and the capture is invalid, for the host waits in all
 * calls. */
vptr__solver_call vptr__solver_enter(const char *name, cusolverDnHandle_t handle, vptr__solver_type type);

/* The same of one that only tells a size: it has no stream, so that it may be made while that is captured. */
vptr__solver_call vptr__solver_ask(const char *name, cusolverDnHandle_t handle, vptr__solver_type type);

/* Whether the call may compute: all checks passed, and what it reads is on the host. */
bool vptr__solver_begin(vptr__solver_call *call);
cusolverStatus_t vptr__solver_finish(vptr__solver_call *call);

/* Notes a failure, which has been said. */
static inline void vptr__solver_fail(vptr__solver_call *call, cusolverStatus_t status) {
  if (call->status == CUSOLVER_STATUS_SUCCESS)
    call->status = status;
}
static inline void vptr__solver_blas(vptr__solver_call *call, cublasStatus_t status) {
  vptr__solver_fail(call, vptr__solver_status_of_blas(status));
}

/* Says what is wrong, and notes it, unless is_right. */
void vptr__solver_require(vptr__solver_call *call, bool is_right, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- operands --------------------------------------------------------------------------------------------- */

/* A matrix of the call's type, of another size, and numbers in a row. */
vptr__solver_array *vptr__solver_matrix(vptr__solver_call *call, const char *what, vptr__solver_use use, int64_t rows,
                                        int64_t columns, const void *at, int64_t ld);
vptr__solver_array *vptr__solver_numbers(vptr__solver_call *call, const char *what, vptr__solver_use use,
                                         int64_t count, size_t size, const void *at);

/* The same of memory that stays on the device: whether it is there, for what a call copies by itself. */
void vptr__solver_memory(vptr__solver_call *call, const char *what, int64_t rows, int64_t columns, const void *at,
                         int64_t ld);

/* Where LAPACK's info goes on the device when the call finishes. */
void vptr__solver_info(vptr__solver_call *call, int *info);

/* Zeroed memory of the host's, until the call finishes, of VPTR__SOLVER_WORKS areas at most; NULL if there is none:
 * noted. */
void *vptr__solver_work(vptr__solver_call *call, size_t count, size_t size);

/* Rows by columns elements of the call's type between host and device, in the stream's order; it waits. */
void vptr__solver_get(vptr__solver_call *call, void *host, int64_t host_ld, const void *device, int64_t ld,
                      int64_t rows, int64_t columns);
void vptr__solver_put(vptr__solver_call *call, const void *host, int64_t host_ld, void *device, int64_t ld,
                      int64_t rows, int64_t columns);

/* Element (row, column) of a matrix of the call's type. */
static inline void *vptr__solver_element(const vptr__solver_call *call, const void *a, int64_t ld, int64_t row,
                                         int64_t column) {
  return (char *)(uintptr_t)a + (row + column * ld) * (int64_t)vptr__solver_size(call->type);
}

/* ---- shared checks ------------------------------------------------------------------------------------------ */

/* Not below 0, and an int, which LAPACK counts with. */
void vptr__solver_require_size(vptr__solver_call *call, const char *what, int64_t size);
/* At least 1, and the rows that are stored. */
void vptr__solver_require_leading(vptr__solver_call *call, const char *what, int64_t ld, int64_t rows);
void vptr__solver_require_triangle(vptr__solver_call *call, cublasFillMode_t uplo);
void vptr__solver_require_operation(vptr__solver_call *call, cublasOperation_t trans);
void vptr__solver_require_vectors(vptr__solver_call *call, cusolverEigMode_t jobz);
/* What a program's work area has, in elements: as many as bufferSize said. */
void vptr__solver_require_room(vptr__solver_call *call, int64_t room);

/* A work area of the program's, of `room` elements; whether it has as many as are needed: it is looked at where that is
 * more than one. */
typedef struct vptr__solver_area {
  void *at;
  int64_t room;
} vptr__solver_area;

void vptr__solver_require_area(vptr__solver_call *call, vptr__solver_area work, int64_t least);

/* What bufferSize says of more; the call ends. */
cusolverStatus_t vptr__solver_tell_room(vptr__solver_call *call, int64_t elements, int *room);

/* What bufferSize says: one element, for programs that take 0 for a failure. Nothing is done in it. */
cusolverStatus_t vptr__solver_room(vptr__solver_call *call, int *room);

#endif
