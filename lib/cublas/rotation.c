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

typedef struct number {
  const char *what;
  const void *at;
  size_t bytes;
} number;

/* Whether the host is to compute it; else it was sent. All numbers have been checked. */
static bool is_on_host(vptr__blas_call *call, vptr__blas_kernel kernel, const number *numbers, int count) {
  void *arguments[5];
  for (int i = 0; i < count; i++) {
    vptr__blas_require(call, numbers[i].at != NULL, "%s is NULL", numbers[i].what);
    arguments[i] = (void *)(uintptr_t)&numbers[i].at;
  }
  if (call->status != CUBLAS_STATUS_SUCCESS || !call->scalars_on_device)
    return call->status == CUBLAS_STATUS_SUCCESS;
  for (int i = 0; i < count; i++)
    vptr__blas_memory(call, numbers[i].what, numbers[i].at, numbers[i].bytes);
  vptr__blas_launch(call, kernel, vptr__blas_single(), arguments);
  return false;
}

#define ROTG(letter, T, R, type, COMPUTE)                                                                            \
  cublasStatus_t cublas##letter##rotg_v2(cublasHandle_t handle, T *a, T *b, R *c, T *s) {                            \
    vptr__blas_call call = vptr__blas_enter("cublas" #letter "rotg", handle, type);                                  \
    const number numbers[] = {                                                                                       \
      { "a", a, sizeof *a }, { "b", b, sizeof *b }, { "c", c, sizeof *c }, { "s", s, sizeof *s }                     \
    };                                                                                                               \
    if (is_on_host(&call, VPTR__BLAS_ROTG, numbers, 4))                                                              \
      COMPUTE((R *)a, (R *)b, c, (R *)s);                                                                            \
    return vptr__blas_finish(&call);                                                                                 \
  }
ROTG(S, float, float, VPTR__BLAS_S, vptr__blas_rotg_s)
ROTG(D, double, double, VPTR__BLAS_D, vptr__blas_rotg_d)
ROTG(C, cuComplex, float, VPTR__BLAS_C, vptr__blas_rotg_complex_s)
ROTG(Z, cuDoubleComplex, double, VPTR__BLAS_Z, vptr__blas_rotg_complex_d)

#define ROTMG(letter, T, type, COMPUTE)                                                                              \
  cublasStatus_t cublas##letter##rotmg_v2(cublasHandle_t handle, T *d1, T *d2, T *x1, const T *y1, T *param) {       \
    vptr__blas_call call = vptr__blas_enter("cublas" #letter "rotmg", handle, type);                                 \
    const number numbers[] = { { "d1", d1, sizeof *d1 },                                                             \
                               { "d2", d2, sizeof *d2 },                                                             \
                               { "x1", x1, sizeof *x1 },                                                             \
                               { "y1", y1, sizeof *y1 },                                                             \
                               { "param", param, 5 * sizeof *param } };                                              \
    if (is_on_host(&call, VPTR__BLAS_ROTMG, numbers, 5))                                                             \
      COMPUTE(d1, d2, x1, *y1, param);                                                                               \
    return vptr__blas_finish(&call);                                                                                 \
  }
ROTMG(S, float, VPTR__BLAS_S, vptr__blas_rotmg_s)
ROTMG(D, double, VPTR__BLAS_D, vptr__blas_rotmg_d)
