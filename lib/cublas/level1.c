/* SPDX-License-Identifier: MIT */
/*
 * level1 - vectors that are changed: scal, axpy, copy, swap, rot and rotm; see level1.h.
 *
 * All of them are kernels of the library's own: CLBlast takes neither negative increments nor scalars on the device.
 *
 * No state, no locks. Called by programs (level1_calls.h has their functions, for both types of sizes); and by
 * level1_ex.c, legacy.c and cusolver/blas.c. Nothing waits.
 */
#include "cublas/level1.h"

#include "base/error.h"
#include "cublas/kernel.h"

cublasStatus_t vptr__blas_scal(const char *name, cublasHandle_t handle, vptr__blas_type type, bool by_real, int64_t n,
                               const void *alpha, void *x, int64_t incx) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  if (n <= 0 || incx <= 0)
    return vptr__blas_finish(&call);
  bool is_apart = by_real && vptr__blas_is_complex(type);
  vptr__blas_scalar by = vptr__blas_scalar_of(&call, "alpha", alpha, is_apart ? vptr__blas_real_type(type) : type);
  vptr__blas_vector(&call, "x", x, n, incx);
  vptr__blas_launch(&call, is_apart ? VPTR__BLAS_RSCAL : VPTR__BLAS_SCAL, vptr__blas_line(n),
                    VPTR__BLAS_ARGUMENTS(&n, &by.value, &by.at, &x, &incx));
  return vptr__blas_finish(&call);
}

cublasStatus_t vptr__blas_axpy(const char *name, cublasHandle_t handle, vptr__blas_type type, int64_t n,
                               const void *alpha, const void *x, int64_t incx, void *y, int64_t incy) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  if (n <= 0)
    return vptr__blas_finish(&call);
  vptr__blas_scalar by = vptr__blas_scalar_at(&call, "alpha", alpha);
  x = vptr__blas_vector(&call, "x", x, n, incx);
  y = vptr__blas_output_vector(&call, "y", y, n, incy);
  vptr__blas_launch(&call, VPTR__BLAS_AXPY, vptr__blas_line(n),
                    VPTR__BLAS_ARGUMENTS(&n, &by.value, &by.at, &x, &incx, &y, &incy));
  return vptr__blas_finish(&call);
}

cublasStatus_t vptr__blas_copy(const char *name, cublasHandle_t handle, vptr__blas_type type, int64_t n,
                               const void *x, int64_t incx, void *y, int64_t incy) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  if (n <= 0)
    return vptr__blas_finish(&call);
  x = vptr__blas_vector(&call, "x", x, n, incx);
  y = vptr__blas_output_vector(&call, "y", y, n, incy);
  vptr__blas_launch(&call, VPTR__BLAS_COPY, vptr__blas_line(n), VPTR__BLAS_ARGUMENTS(&n, &x, &incx, &y, &incy));
  return vptr__blas_finish(&call);
}

cublasStatus_t vptr__blas_swap(const char *name, cublasHandle_t handle, vptr__blas_type type, int64_t n, void *x,
                               int64_t incx, void *y, int64_t incy) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  if (n <= 0)
    return vptr__blas_finish(&call);
  x = vptr__blas_output_vector(&call, "x", x, n, incx);
  y = vptr__blas_output_vector(&call, "y", y, n, incy);
  vptr__blas_launch(&call, VPTR__BLAS_SWAP, vptr__blas_line(n), VPTR__BLAS_ARGUMENTS(&n, &x, &incx, &y, &incy));
  return vptr__blas_finish(&call);
}

static cublasStatus_t rotate_plain(const char *name, cublasHandle_t handle, vptr__blas_type type, bool real_sine,
                                   int64_t n, void *x, int64_t incx, void *y, int64_t incy, const void *c,
                                   const void *s) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  if (n <= 0)
    return vptr__blas_finish(&call);
  vptr__blas_scalar cosine = vptr__blas_scalar_of(&call, "c", c, vptr__blas_real_type(type));
  x = vptr__blas_output_vector(&call, "x", x, n, incx);
  y = vptr__blas_output_vector(&call, "y", y, n, incy);
  vptr__blas_scalar sine = real_sine ? vptr__blas_real_scalar_at(&call, "s", s) : vptr__blas_scalar_at(&call, "s", s);
  vptr__blas_launch(&call, VPTR__BLAS_ROT, vptr__blas_line(n),
                    VPTR__BLAS_ARGUMENTS(&n, &x, &incx, &y, &incy, &cosine.value, &cosine.at, &sine.value, &sine.at));
  return vptr__blas_finish(&call);
}

/* The five numbers of a modified rotation are read here, or by the kernel. */
static cublasStatus_t rotate_modified(const char *name, cublasHandle_t handle, vptr__blas_type type, int64_t n,
                                      void *x, int64_t incx, void *y, int64_t incy, const void *param) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  if (n <= 0)
    return vptr__blas_finish(&call);
  const size_t size = vptr__blas_size(type);
  static const double none[5] = { 0 };
  vptr__blas_require(&call, param != NULL, "param is NULL");
  if (call.scalars_on_device)
    vptr__blas_memory(&call, "param", param, 5 * size);
  x = vptr__blas_output_vector(&call, "x", x, n, incx);
  y = vptr__blas_output_vector(&call, "y", y, n, incy);
  if (call.status != CUBLAS_STATUS_SUCCESS)
    return vptr__blas_finish(&call);
  const char *h = call.scalars_on_device ? (const char *)none : param;
  const void *at = call.scalars_on_device ? param : NULL;
  vptr__blas_launch(&call, VPTR__BLAS_ROTM, vptr__blas_line(n),
                    (void *[]){ &n, &x, &incx, &y, &incy, (void *)(uintptr_t)h, (void *)(uintptr_t)(h + size),
                                (void *)(uintptr_t)(h + 2 * size), (void *)(uintptr_t)(h + 3 * size),
                                (void *)(uintptr_t)(h + 4 * size), &at });
  return vptr__blas_finish(&call);
}

#define VPTR_CUBLAS_CALLS "cublas/level1_calls.h"
#include "cublas/both_sizes.h"
