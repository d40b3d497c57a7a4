/* SPDX-License-Identifier: MIT */
/*
 * conform_typed - functions whose types are arguments, and which have no other name: multiplied out again.
 */
#include "solver_check.h"

/* Work areas of a function of 64 bits, on the device and on the host. */
typedef struct rooms {
  size_t on_device, on_host;
  void *device, *host;
} rooms;

static void take_rooms(rooms *it) {
  EXPECT("a work area", cudaMalloc(&it->device, it->on_device + 1) == cudaSuccess);
  it->host = malloc(it->on_host + 1);
}

static void give_rooms(rooms *it) {
  cudaFree(it->device);
  free(it->host);
}

#define SOLVER_TESTS "typed_type.h"
#include "solver_types.h"

static void check_refusals(cusolverDnHandle_t handle, cusolverDnParams_t params) {
  sizes("refusals");
  static const float zeros[64];
  size_t device, host;
  int64_t found = -5;
  const cusolverEigMode_t with = CUSOLVER_EIG_MODE_VECTOR, without = CUSOLVER_EIG_MODE_NOVECTOR;
  begin_memory();
  float *a = on_device(zeros, sizeof zeros), *s = on_device(zeros, sizeof zeros);
  REFUSED_BY_OURS(cusolverDnXgesvdp_bufferSize(handle, params, with, 1, -1, 3, CUDA_R_32F, a, 4, CUDA_R_32F, s,
                                               CUDA_R_32F, a, 4, CUDA_R_32F, a, 3, CUDA_R_32F, &device, &host));
  REFUSED_BY_OURS(cusolverDnXsyevdx_bufferSize(handle, params, with, CUSOLVER_EIG_RANGE_ALL, CUBLAS_FILL_MODE_LOWER,
                                               -1, CUDA_R_32F, a, 4, NULL, NULL, 0, 0, &found, CUDA_R_32F, s,
                                               CUDA_R_32F, &device, &host));
  WRONG(cusolverDnXgeev_bufferSize(handle, params, without, with, 4, CUDA_R_32F, a, 3, CUDA_R_32F, s, CUDA_R_32F, a,
                                   4, CUDA_R_32F, a, 4, CUDA_R_32F, &device, &host));
#ifndef ON_NVIDIA
  int *info = new_info();
  double error = -5;
  WRONG(cusolverDnXgesvdp(handle, params, with, 1, 4, 3, CUDA_R_32F, a, 4, CUDA_R_64F, s, CUDA_R_32F, a, 4,
                          CUDA_R_32F, a, 3, CUDA_R_32F, NULL, 4, NULL, 0, info, &error));
  WRONG(cusolverDnXgesvdp(handle, params, with, 1, 4, 3, CUDA_R_32F, a, 4, CUDA_R_32F, s, CUDA_R_32F, a, 4,
                          CUDA_R_32F, a, 3, CUDA_R_32F, NULL, 4, NULL, 0, info, NULL));
  WRONG(cusolverDnXgesvdr(handle, params, 'S', 'S', 4, 3, 2, 2, 1, CUDA_R_32F, a, 4, CUDA_R_32F, s, CUDA_R_32F, a, 4,
                          CUDA_R_32F, a, 3, CUDA_R_32F, NULL, 4, NULL, 0, info));
  WRONG(cusolverDnXgesvdr(handle, params, 'A', 'S', 4, 3, 2, 1, 1, CUDA_R_32F, a, 4, CUDA_R_32F, s, CUDA_R_32F, a, 4,
                          CUDA_R_32F, a, 3, CUDA_R_32F, NULL, 4, NULL, 0, info));
  WRONG(cusolverDnXsyevdx(handle, params, with, CUSOLVER_EIG_RANGE_V, CUBLAS_FILL_MODE_LOWER, 4, CUDA_R_32F, a, 4,
                          NULL, NULL, 0, 0, &found, CUDA_R_32F, s, CUDA_R_32F, NULL, 4, NULL, 0, info));
  WRONG(cusolverDnXgeev(handle, params, without, with, 4, CUDA_C_32F, a, 4, CUDA_R_32F, s, CUDA_C_32F, a, 4,
                        CUDA_C_32F, a, 4, CUDA_C_32F, NULL, 8, NULL, 0, info));
  WRONG(cusolverDnXlarft(handle, params, (cusolverDirectMode_t)5, CUBLAS_STOREV_COLUMNWISE, 4, 2, CUDA_R_32F, a, 4,
                         CUDA_R_32F, s, CUDA_R_32F, a, 2, CUDA_R_32F, NULL, 4, NULL, 0));
  WRONG(cusolverDnXlarft(handle, params, CUBLAS_DIRECT_FORWARD, CUBLAS_STOREV_COLUMNWISE, 4, 5, CUDA_R_32F, a, 4,
                         CUDA_R_32F, s, CUDA_R_32F, a, 5, CUDA_R_32F, NULL, 4, NULL, 0));
  EXPECT("nothing was written", value_of(info) == -77 && found == -5 && error == -5);
#endif
}

int main(void) {
  cusolverDnHandle_t handle;
  cusolverDnParams_t params;
  FINE(cusolverDnCreate(&handle));
  FINE(cusolverDnCreateParams(&params));
  check_all_typed_s(handle, params);
  check_all_typed_d(handle, params);
  check_all_typed_c(handle, params);
  check_all_typed_z(handle, params);
  check_refusals(handle, params);
  FINE(cusolverDnDestroyParams(params));
  FINE(cusolverDnDestroy(handle));
  return verdict("conform_typed");
}
