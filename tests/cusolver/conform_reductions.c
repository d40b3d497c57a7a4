/* SPDX-License-Identifier: MIT */
/*
 * conform_reductions - tridiagonal and bidiagonal forms and what reduces to them, of all types: multiplied out again.
 */
#include "solver_check.h"

#define SOLVER_TESTS "reductions_type.h"
#include "solver_types.h"

static void check_refusals(cusolverDnHandle_t handle) {
  sizes("refusals");
  static const float zeros[64];
  int room = 0;
  begin_memory();
  float *a = on_device(zeros, sizeof zeros);
  const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
  REFUSED_BY_OURS(cusolverDnSsytrd_bufferSize(handle, lower, -1, a, 4, a, a, a, &room));
  REFUSED_BY_OURS(cusolverDnSsytrd_bufferSize(handle, lower, 4, a, 3, a, a, a, &room));
  REFUSED_BY_OURS(cusolverDnSorgtr_bufferSize(handle, lower, 4, a, 3, a, &room));
  REFUSED_BY_OURS(cusolverDnSgebrd_bufferSize(handle, -1, 4, &room));
  REFUSED_BY_OURS(cusolverDnSorgbr_bufferSize(handle, CUBLAS_SIDE_LEFT, 4, 3, 3, a, 3, a, &room));
#ifndef ON_NVIDIA
  int *info = new_info();
  WRONG(cusolverDnSsytrd(handle, lower, 4, a, 4, a, a, a, NULL, 0, info));
  WRONG(cusolverDnSsytrd(handle, lower, 4, a, 4, NULL, a, a, NULL, 1, info));
  WRONG(cusolverDnSorgbr(handle, CUBLAS_SIDE_LEFT, 3, 4, 3, a, 3, a, NULL, 1, info));
  WRONG(cusolverDnSorgbr(handle, CUBLAS_SIDE_RIGHT, 4, 3, 4, a, 4, a, NULL, 1, info));
  WRONG(cusolverDnSorgbr(handle, CUBLAS_SIDE_LEFT, 4, 2, 3, a, 4, a, NULL, 1, info));
  WRONG(cusolverDnSormtr(handle, CUBLAS_SIDE_LEFT, lower, (cublasOperation_t)9, 4, 2, a, 4, a, a, 4, NULL, 1, info));
  WRONG(cusolverDnSormtr(handle, CUBLAS_SIDE_RIGHT, lower, CUBLAS_OP_N, 2, 4, a, 3, a, a, 2, NULL, 1, info));
  EXPECT("nothing was written", value_of(info) == -77);
#endif
}

int main(void) {
  cusolverDnHandle_t handle;
  FINE(cusolverDnCreate(&handle));
  check_reductions_s(handle);
  check_reductions_d(handle);
  check_reductions_c(handle);
  check_reductions_z(handle);
  check_refusals(handle);
  FINE(cusolverDnDestroy(handle));
  return verdict("conform_reductions");
}
