/* SPDX-License-Identifier: MIT */
/*
 * conform_indefinite - symmetric matrices that need not be positive definite, and triangles, of all types: multiplied
 * out again.
 */
#include "solver_check.h"

#define SOLVER_TESTS "indefinite_type.h"
#include "solver_types.h"

static void check_refusals(cusolverDnHandle_t handle) {
  sizes("refusals");
  static const float zeros[64];
  float *a;
  int room = 0;
  size_t rooms[2];
  begin_memory();
  a = on_device(zeros, sizeof zeros);
  int *info = new_info();
  REFUSED_BY_OURS(cusolverDnSsytrf_bufferSize(handle, -1, a, 4, &room));
  REFUSED_BY_OURS(cusolverDnSsytrf_bufferSize(handle, 4, a, 3, &room));
  REFUSED_BY_OURS(cusolverDnXtrtri_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_DIAG_UNIT, -1, CUDA_R_32F, a, 4,
                                              &rooms[0], &rooms[1]));
  REFUSED_BY_OURS(cusolverDnXtrtri_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_DIAG_UNIT, 4, CUDA_R_32F, a, 3,
                                              &rooms[0], &rooms[1]));
#ifndef ON_NVIDIA
  static const int wrong[][3] = {
    { 1, 2, 4 }, { 0, 2, 3 }, { 1, 2, -3 }, { -1, -1, -1 }, { -1, 2, 3 }, { -4, -4, 3 }
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    for (int uplo = CUBLAS_FILL_MODE_LOWER; uplo <= CUBLAS_FILL_MODE_UPPER; uplo++) {
      int *ipiv = on_device(wrong[i], sizeof wrong[i]);
      WRONG(cusolverDnSsytri(handle, (cublasFillMode_t)uplo, 3, a, 3, ipiv, NULL, 1, info));
    }
  WRONG(cusolverDnSsytrf(handle, CUBLAS_FILL_MODE_LOWER, 3, a, 3, NULL, NULL, 1, info));
  WRONG(cusolverDnSsytrf(handle, CUBLAS_FILL_MODE_LOWER, 3, a, 3, info, NULL, 0, info));
  WRONG(cusolverDnXtrtri(handle, CUBLAS_FILL_MODE_LOWER, (cublasDiagType_t)7, 3, CUDA_R_32F, a, 3, NULL, 4, NULL, 0,
                         info));
  WRONG(cusolverDnXtrtri(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_DIAG_UNIT, 3, CUDA_R_16F, a, 3, NULL, 4, NULL, 0,
                         info));
#endif
#ifndef ON_NVIDIA /* whose info tells the argument, or nothing */
  EXPECT("nothing was written", value_of(info) == -77);
#endif
}

int main(void) {
  cusolverDnHandle_t handle;
  FINE(cusolverDnCreate(&handle));
  check_indefinite_s(handle);
  check_indefinite_d(handle);
  check_indefinite_c(handle);
  check_indefinite_z(handle);
  check_refusals(handle);
  FINE(cusolverDnDestroy(handle));
  return verdict("conform_indefinite");
}
