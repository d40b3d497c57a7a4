/* SPDX-License-Identifier: MIT */
/*
 * rotation - rotg and rotmg: computed here where their numbers are on the host, by one thread of the device where they
 * are there.
 *
 * No state, no locks. Called by programs; and by legacy.c. Nothing waits: on the host there is nothing to wait for.
 */
#include "cublas/rotation.h"

#include "cublas/call.h"
#include "cublas/kernel.h"

#include <math.h>

VPTR__BLAS_ROTATION(static, float, s, sqrtf)
VPTR__BLAS_ROTATION(static, double, d, sqrt)

/* Whether the host is to compute it; else it was sent. Both have been checked. */
static bool is_on_host(vptr__blas_call *call, void *a, void *b, void *c, void *s) {
  const size_t size = vptr__blas_size(call->type), real_size = vptr__blas_size(vptr__blas_real_type(call->type));
  vptr__blas_require(call, a != NULL && b != NULL && c != NULL && s != NULL, "an argument is NULL");
  if (call->status != CUBLAS_STATUS_SUCCESS || !call->scalars_on_device)
    return call->status == CUBLAS_STATUS_SUCCESS;
  vptr__blas_memory(call, "a", a, size);
  vptr__blas_memory(call, "b", b, size);
  vptr__blas_memory(call, "c", c, real_size);
  vptr__blas_memory(call, "s", s, size);
  vptr__blas_launch(call, VPTR__BLAS_ROTG, vptr__blas_single(), VPTR__BLAS_ARGUMENTS(&a, &b, &c, &s));
  return false;
}

#define ROTG(letter, T, R, type, COMPUTE)                                                                            \
  cublasStatus_t cublas##letter##rotg_v2(cublasHandle_t handle, T *a, T *b, R *c, T *s) {                            \
    vptr__blas_call call = vptr__blas_enter("cublas" #letter "rotg", handle, type);                                  \
    if (is_on_host(&call, a, b, c, s))                                                                               \
      COMPUTE((R *)a, (R *)b, c, (R *)s);                                                                            \
    return vptr__blas_finish(&call);                                                                                 \
  }
ROTG(S, float, float, VPTR__BLAS_S, vptr__blas_rotg_s)
ROTG(D, double, double, VPTR__BLAS_D, vptr__blas_rotg_d)
ROTG(C, cuComplex, float, VPTR__BLAS_C, vptr__blas_rotg_complex_s)
ROTG(Z, cuDoubleComplex, double, VPTR__BLAS_Z, vptr__blas_rotg_complex_d)

static bool is_modified_on_host(vptr__blas_call *call, void *d1, void *d2, void *x1, const void *y1, void *param) {
  const size_t size = vptr__blas_size(call->type);
  vptr__blas_require(call, d1 != NULL && d2 != NULL && x1 != NULL && y1 != NULL && param != NULL,
                     "an argument is NULL");
  if (call->status != CUBLAS_STATUS_SUCCESS || !call->scalars_on_device)
    return call->status == CUBLAS_STATUS_SUCCESS;
  vptr__blas_memory(call, "d1", d1, size);
  vptr__blas_memory(call, "d2", d2, size);
  vptr__blas_memory(call, "x1", x1, size);
  vptr__blas_memory(call, "y1", y1, size);
  vptr__blas_memory(call, "param", param, 5 * size);
  vptr__blas_launch(call, VPTR__BLAS_ROTMG, vptr__blas_single(), VPTR__BLAS_ARGUMENTS(&d1, &d2, &x1, &y1, &param));
  return false;
}

#define ROTMG(letter, T, type, COMPUTE)                                                                              \
  cublasStatus_t cublas##letter##rotmg_v2(cublasHandle_t handle, T *d1, T *d2, T *x1, const T *y1, T *param) {       \
    vptr__blas_call call = vptr__blas_enter("cublas" #letter "rotmg", handle, type);                                 \
    if (is_modified_on_host(&call, d1, d2, x1, y1, param))                                                           \
      COMPUTE(d1, d2, x1, *y1, param);                                                                               \
    return vptr__blas_finish(&call);                                                                                 \
  }
ROTMG(S, float, VPTR__BLAS_S, vptr__blas_rotmg_s)
ROTMG(D, double, VPTR__BLAS_D, vptr__blas_rotmg_d)
