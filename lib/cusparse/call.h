/* SPDX-License-Identifier: MIT */
/*
 * call - a call of cuSPARSE's on its way: checked first, then sent to a stream.
 *
 * A call is a variable of its thread's. It remembers the first thing that went wrong: checks behind that do nothing,
 * and nothing is sent, so a function asks for all its operands in a row. What it takes of memory for itself comes from
 * the device's pool in the stream's order and goes back when the call is finished.
 *
 *     vptr__sparse_call call = vptr__sparse_enter("cusparseAxpby", handle);
 *     ... vptr__sparse_require(), vptr__sparse_memory(), vptr__sparse_scalar_at() ...
 *     vptr__sparse_launch(&call, ...);
 *     return vptr__sparse_finish(&call);
 *
 * No locks of its own. What is wrong with an argument is INVALID_VALUE, what there is not is NOT_SUPPORTED; with memory
 * (freed, too short, of another device) it is EXECUTION_FAILED: cuSPARSE, which does not look, would run a kernel that
 * fails.
 */
#ifndef VPTR_CUSPARSE_CALL_H
#define VPTR_CUSPARSE_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cusparse/handle.h"
#include "stream/stream.h"

/* In the order of vptr__sparse_size(), and of the kernels' families (kernel.h). H is 16 bits, which are moved alone. */
typedef enum vptr__sparse_type {
  VPTR__SPARSE_S,
  VPTR__SPARSE_D,
  VPTR__SPARSE_C,
  VPTR__SPARSE_Z,
  VPTR__SPARSE_H
} vptr__sparse_type;

enum { VPTR__SPARSE_WORKS = 16 };

typedef struct vptr__sparse_call {
  const char *name;
  cusparseHandle_t handle;
  vptr_mapper *mapper;
  vptr__stream *stream;
  vptr__sparse_type type;
  cudaDataType data_type; /* the same, as the program says it */
  bool scalars_on_device;
  bool captures; /* the stream is captured: nodes are made, and nothing is sent */
  bool takes_narrow; /* operands of half and bfloat16 beside floats, in which it computes; see narrow.h */
  cusparseStatus_t status;
  void *works[VPTR__SPARSE_WORKS];
  int work_count;
} vptr__sparse_call;

/* A factor: a value, or where the device has it if `at` is not NULL. */
typedef struct vptr__sparse_scalar {
  union {
    float s, c[2];
    double d, z[2];
  } value;
  const void *at;
} vptr__sparse_scalar;

static inline size_t vptr__sparse_size(vptr__sparse_type type) {
  static const size_t sizes[] = { 4, 8, 8, 16, 2 };
  return sizes[type];
}

static inline bool vptr__sparse_is_narrow(cudaDataType type) {
  return type == CUDA_R_16F || type == CUDA_R_16BF;
}

/* Bytes of an element of an operand that the call takes. */
static inline size_t vptr__sparse_operand_size(vptr__sparse_type type, cudaDataType of) {
  return vptr__sparse_is_narrow(of) ? 2 : vptr__sparse_size(type);
}

vptr__sparse_call vptr__sparse_enter(const char *name, cusparseHandle_t handle);
cusparseStatus_t vptr__sparse_finish(vptr__sparse_call *call);

/* Notes a failure, which has been said. */
static inline void vptr__sparse_fail(vptr__sparse_call *call, cusparseStatus_t status) {
  if (call->status == CUSPARSE_STATUS_SUCCESS)
    call->status = status;
}
static inline bool vptr__sparse_is_well(const vptr__sparse_call *call) {
  return call->status == CUSPARSE_STATUS_SUCCESS;
}

/* Says what is wrong, and notes it, unless is_right: INVALID_VALUE; and NOT_SUPPORTED. */
void vptr__sparse_require(vptr__sparse_call *call, bool is_right, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void vptr__sparse_support(vptr__sparse_call *call, bool is_there, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The call computes in this type, which its operands have to have, or a narrower one if the call takes such. */
void vptr__sparse_compute_in(vptr__sparse_call *call, cudaDataType type);
/* The call moves values of this type, which is one of those or of 16 bits, and its operands have it, too. */
void vptr__sparse_move(vptr__sparse_call *call, cudaDataType type);
void vptr__sparse_require_type(vptr__sparse_call *call, const char *what, cudaDataType type);
void vptr__sparse_require_operation(vptr__sparse_call *call, const char *what, cusparseOperation_t operation);

/* So many elements are live memory that the device reaches. None may be NULL. */
void vptr__sparse_memory(vptr__sparse_call *call, const char *what, const void *ptr, int64_t count, size_t size);

/* A factor of the call's type, by the handle's pointer mode; and one from here. */
vptr__sparse_scalar vptr__sparse_scalar_at(vptr__sparse_call *call, const char *what, const void *at);
vptr__sparse_scalar vptr__sparse_constant(vptr__sparse_type type, double value);

/* Memory of the call's own, of VPTR__SPARSE_WORKS areas at most; NULL if there is none: noted. */
void *vptr__sparse_work(vptr__sparse_call *call, int64_t count, size_t size);

/* Brings bytes from the device, behind what was sent: waits for the stream. */
void vptr__sparse_read(vptr__sparse_call *call, void *to, const void *from, size_t bytes);

#endif
