/* SPDX-License-Identifier: MIT */
/*
 * conform_solutions - gesv and gels of small matrices, of all types and with factors of another type: multiplied again.
 */
#include "solver_check.h"

#define SOLVER_TESTS "solutions_type.h"
#include "solver_types.h"

static void check_refusals(cusolverDnHandle_t handle) {
  static const double zeros[64];
  double *a, *b, *x;
  size_t room = 0;
  int *info, *ipiv;
  begin_memory();
  a = on_device(zeros, sizeof zeros), b = on_device(zeros, sizeof zeros), x = on_device(zeros, sizeof zeros);
  info = new_info(), ipiv = on_device(zeros, sizeof zeros);
  WRONG(cusolverDnDDgesv_bufferSize(handle, -1, 1, a, 4, ipiv, b, 4, x, 4, NULL, &room));
  WRONG(cusolverDnDDgesv_bufferSize(handle, 4, -1, a, 4, ipiv, b, 4, x, 4, NULL, &room));
  WRONG(cusolverDnDDgesv_bufferSize(handle, 4, 1, a, 3, ipiv, b, 4, x, 4, NULL, &room));
  WRONG(cusolverDnDDgesv_bufferSize(handle, 4, 1, a, 4, ipiv, b, 3, x, 4, NULL, &room));
  WRONG(cusolverDnDDgesv_bufferSize(handle, 4, 1, a, 4, ipiv, b, 4, x, 3, NULL, &room));
  WRONG(cusolverDnDDgels_bufferSize(handle, -1, 3, 1, a, 4, b, 4, x, 4, NULL, &room));
  WRONG(cusolverDnDDgels_bufferSize(handle, 4, 3, 1, a, 3, b, 4, x, 4, NULL, &room));
#ifndef ON_NVIDIA
  int iterations = -7;
  WRONG(cusolverDnDDgels_bufferSize(handle, 3, 4, 1, a, 4, b, 4, x, 4, NULL, &room));
  WRONG(cusolverDnDDgesv_bufferSize(handle, 4, 1, a, 4, ipiv, b, 4, x, 4, NULL, NULL));
  WRONG(cusolverDnDDgesv(handle, 4, 1, a, 4, ipiv, b, 4, x, 4, NULL, 8, NULL, info));
  WRONG(cusolverDnDDgesv(handle, 4, 1, a, 4, ipiv, b, 4, x, 4, NULL, 7, &iterations, info));
  WRONG(cusolverDnDDgesv(handle, 4, 1, a, 4, ipiv, b, 4, NULL, 4, NULL, 8, &iterations, info));
  WRONG(cusolverDnDDgels(handle, 5, 4, 1, a, 5, b, 5, x, 3, NULL, 8, &iterations, info));
  EXPECT("nothing was written", iterations == -7);
#endif
  EXPECT("nothing was written", value_of(info) == -77);
}

int main(void) {
  cusolverDnHandle_t handle;
  FINE(cusolverDnCreate(&handle));
  check_solutions_s(handle);
  check_solutions_d(handle);
  check_solutions_c(handle);
  check_solutions_z(handle);
  check_refusals(handle);
  FINE(cusolverDnDestroy(handle));
  return verdict("conform_solutions");
}
