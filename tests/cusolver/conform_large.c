/* SPDX-License-Identifier: MIT */
/*
 * conform_large - factors of matrices that are too large for the host alone: panels there, and what is left on the
 * device. They are multiplied with vectors again.
 */
#include "solver_check.h"

#define SOLVER_TESTS "large_type.h"
#include "solver_types.h"

int main(void) {
  cusolverDnHandle_t handle;
  cudaStream_t stream;
  FINE(cusolverDnCreate(&handle));
  check_large_s(handle);
  check_large_d(handle);
  EXPECT("cudaStreamCreate", cudaStreamCreate(&stream) == cudaSuccess);
  FINE(cusolverDnSetStream(handle, stream));
  check_large_c(handle);
  check_large_z(handle);
  FINE(cusolverDnDestroy(handle));
  EXPECT("cudaStreamDestroy", cudaStreamDestroy(stream) == cudaSuccess);
  return verdict("conform_large");
}
