/* SPDX-License-Identifier: MIT */
/*
 * reduction - vectors to numbers: dot, asum, nrm2, amax and amin; see level1.h.
 *
 * A first kernel leaves a number for each block in memory of the call's own, a second one makes the result of them
 * where it is wanted: on the device, so that the host never waits for it, or in memory that is read when the stream is
 * there. Blocks and what each adds up depend on n alone, so that a result is the same each time. nrm2 keeps a scale
 * beside each sum of squares and neither overflows nor loses small numbers.
 *
 * No state, no locks. Called by programs (reduction_calls.h); and by level1_ex.c and legacy.c. Waits for the stream
 * where the result goes to the host.
 */
#include "cublas/level1.h"

#include "cublas/kernel.h"

enum { REDUCERS = 256, EACH = 8, MOST_BLOCKS = 256 };

static int64_t blocks_for(int64_t n) {
  int64_t blocks = (n - 1) / (REDUCERS * EACH) + 1;
  return n <= 0 ? 0 : blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS;
}

static vptr__blas_shape reducers(int64_t blocks) {
  return (vptr__blas_shape){ { (uint32_t)blocks, 1, 1 }, { REDUCERS, 1, 1 } };
}

cublasStatus_t vptr__blas_dot(const char *name, cublasHandle_t handle, vptr__blas_type type, bool conjugates,
                              int64_t n, const void *x, int64_t incx, const void *y, int64_t incy, void *result) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  const size_t size = vptr__blas_size(type);
  int64_t blocks = blocks_for(n);
  int turns = conjugates;
  x = vptr__blas_vector(&call, "x", x, n, incx);
  y = vptr__blas_vector(&call, "y", y, n, incy);
  void *place = vptr__blas_result(&call, result, size);
  void *sums = vptr__blas_work(&call, (size_t)blocks * size);
  if (blocks > 0)
    vptr__blas_launch(&call, VPTR__BLAS_DOT, reducers(blocks),
                      VPTR__BLAS_ARGUMENTS(&n, &x, &incx, &y, &incy, &turns, &sums));
  vptr__blas_launch(&call, VPTR__BLAS_SUM, reducers(1), VPTR__BLAS_ARGUMENTS(&blocks, &sums, &place));
  vptr__blas_deliver(&call, result, place, size);
  return vptr__blas_finish(&call);
}

/* How a vector becomes a real number: the kernel of blocks, how many numbers each leaves, and the kernel behind it. */
typedef struct reduction {
  vptr__blas_kernel blocks, whole;
  size_t each;
  vptr__blas_shape shape; /* of the second kernel */
} reduction;

static cublasStatus_t reduce_to_real(const char *name, cublasHandle_t handle, vptr__blas_type type, reduction by,
                                     int64_t n, const void *x, int64_t incx, void *result) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  const vptr__blas_type real = vptr__blas_real_type(type);
  const size_t size = vptr__blas_size(real);
  int64_t blocks = incx > 0 ? blocks_for(n) : 0;
  if (blocks > 0)
    vptr__blas_vector(&call, "x", x, n, incx);
  void *place = vptr__blas_result(&call, result, size);
  void *sums = vptr__blas_work(&call, (size_t)blocks * by.each * size);
  if (blocks > 0)
    vptr__blas_launch(&call, by.blocks, reducers(blocks), VPTR__BLAS_ARGUMENTS(&n, &x, &incx, &sums));
  vptr__blas_launch_of(&call, (vptr__blas_family)real, by.whole, by.shape,
                       VPTR__BLAS_ARGUMENTS(&blocks, &sums, &place));
  vptr__blas_deliver(&call, result, place, size);
  return vptr__blas_finish(&call);
}

cublasStatus_t vptr__blas_asum(const char *name, cublasHandle_t handle, vptr__blas_type type, int64_t n,
                               const void *x, int64_t incx, void *result) {
  const reduction by = { VPTR__BLAS_ASUM, VPTR__BLAS_SUM, 1, reducers(1) };
  return reduce_to_real(name, handle, type, by, n, x, incx, result);
}

/* A scale and squares. */
cublasStatus_t vptr__blas_nrm2(const char *name, cublasHandle_t handle, vptr__blas_type type, int64_t n,
                               const void *x, int64_t incx, void *result) {
  const reduction by = { VPTR__BLAS_NRM2, VPTR__BLAS_ROOT, 2, vptr__blas_single() };
  return reduce_to_real(name, handle, type, by, n, x, incx, result);
}

cublasStatus_t vptr__blas_extreme(const char *name, cublasHandle_t handle, vptr__blas_type type, int turns, int64_t n,
                                  const void *x, int64_t incx, void *result, bool is_wide) {
  vptr__blas_call call = vptr__blas_enter(name, handle, type);
  const vptr__blas_type real = vptr__blas_real_type(type);
  const size_t size = is_wide ? sizeof(int64_t) : sizeof(int);
  int64_t blocks = incx > 0 ? blocks_for(n) : 0, count = blocks > 0 ? n : 0;
  if (blocks > 0)
    vptr__blas_vector(&call, "x", x, n, incx);
  void *place = vptr__blas_result(&call, result, size);
  void *values = vptr__blas_work(&call, (size_t)blocks * vptr__blas_size(real));
  void *places = vptr__blas_work(&call, (size_t)blocks * sizeof(int64_t));
  void *narrow = is_wide ? NULL : place, *wide = is_wide ? place : NULL;
  if (blocks > 0)
    vptr__blas_launch(&call, VPTR__BLAS_AMAX, reducers(blocks),
                      VPTR__BLAS_ARGUMENTS(&n, &x, &incx, &turns, &values, &places));
  vptr__blas_launch_of(&call, (vptr__blas_family)real, VPTR__BLAS_PLACE, vptr__blas_single(),
                       VPTR__BLAS_ARGUMENTS(&blocks, &count, &values, &places, &narrow, &wide));
  vptr__blas_deliver(&call, result, place, size);
  return vptr__blas_finish(&call);
}

#define VPTR_CUBLAS_CALLS "cublas/reduction_calls.h"
#include "cublas/both_sizes.h"
