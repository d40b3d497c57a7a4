/* SPDX-License-Identifier: MIT */
/*
 * conform_refusals - handles, streams and versions; and what cuSOLVER says of arguments that are wrong.
 */
#include "solver_check.h"

#define L CUBLAS_FILL_MODE_LOWER
#define U CUBLAS_FILL_MODE_UPPER
#define N CUBLAS_OP_N
#define VECTORS CUSOLVER_EIG_MODE_VECTOR

static void check_handles(void) {
  cusolverDnHandle_t handle;
  cudaStream_t stream, found = NULL;
  int version = 0, major = 0;
  FINE(cusolverGetVersion(&version));
  FINE(cusolverGetProperty(MAJOR_VERSION, &major));
  EXPECT("the version", version / 1000 == major && major >= 11);
#ifndef ON_NVIDIA /* which does not promise to look for NULL */
  WRONG(cusolverGetVersion(NULL));
  EXPECT("NULL", cusolverDnDestroy(NULL) == CUSOLVER_STATUS_NOT_INITIALIZED);
  EXPECT("NULL", cusolverDnSetStream(NULL, NULL) == CUSOLVER_STATUS_NOT_INITIALIZED);
#endif
  FINE(cusolverDnCreate(&handle));
  EXPECT("cudaStreamCreate", cudaStreamCreate(&stream) == cudaSuccess);
  FINE(cusolverDnSetStream(handle, stream));
  FINE(cusolverDnGetStream(handle, &found));
  EXPECT("the stream", found == stream);
  FINE(cusolverDnSetStream(handle, NULL));
  FINE(cusolverDnGetStream(handle, &found));
  EXPECT("the stream", found == NULL);
  cusolverDeterministicMode_t mode = CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS;
  FINE(cusolverDnGetDeterministicMode(handle, &mode));
  EXPECT("the mode", mode == CUSOLVER_DETERMINISTIC_RESULTS);
  FINE(cusolverDnSetDeterministicMode(handle, CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS));
  FINE(cusolverDnGetDeterministicMode(handle, &mode));
  EXPECT("the mode", mode == CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS);
  FINE(cusolverDnDestroy(handle));
  EXPECT("cudaStreamDestroy", cudaStreamDestroy(stream) == cudaSuccess);
}

/* Nothing is written for a call that is refused. */
static void check_factors(cusolverDnHandle_t handle, float *a, float *b, int *info, int *ipiv) {
  int room = 0;
  REFUSED_BY_OURS(cusolverDnSpotrf_bufferSize(handle, L, -1, a, 4, &room));
  REFUSED_BY_OURS(cusolverDnSpotrf_bufferSize(handle, L, 4, a, 3, &room));
  WRONG(cusolverDnSpotrf(handle, L, -1, a, 4, b, 8, info));
  WRONG(cusolverDnSpotrf(handle, L, 4, a, 3, b, 8, info));
  WRONG(cusolverDnSpotrs(handle, L, -1, 1, a, 4, b, 4, info));
  WRONG(cusolverDnSpotrs(handle, L, 4, -1, a, 4, b, 4, info));
  WRONG(cusolverDnSpotrs(handle, U, 4, 1, a, 3, b, 4, info));
  WRONG(cusolverDnSpotrs(handle, U, 4, 1, a, 4, b, 3, info));
  REFUSED_BY_OURS(cusolverDnSgetrf_bufferSize(handle, -1, 4, a, 4, &room));
  REFUSED_BY_OURS(cusolverDnSgetrf_bufferSize(handle, 4, -1, a, 4, &room));
  REFUSED_BY_OURS(cusolverDnSgetrf_bufferSize(handle, 4, 4, a, 3, &room));
  REFUSED_BY_OURS(cusolverDnSgetrf(handle, -1, 4, a, 4, b, ipiv, info));
  REFUSED_BY_OURS(cusolverDnSgetrf(handle, 4, -1, a, 4, b, ipiv, info));
  REFUSED_BY_OURS(cusolverDnSgetrf(handle, 4, 4, a, 3, b, ipiv, info));
  WRONG(cusolverDnSgetrs(handle, N, -1, 1, a, 4, ipiv, b, 4, info));
  WRONG(cusolverDnSgetrs(handle, N, 4, -1, a, 4, ipiv, b, 4, info));
  WRONG(cusolverDnSgetrs(handle, N, 4, 1, a, 3, ipiv, b, 4, info));
  WRONG(cusolverDnSgetrs(handle, N, 4, 1, a, 4, ipiv, b, 3, info));
  REFUSED_BY_OURS(cusolverDnSgeqrf_bufferSize(handle, -1, 4, a, 4, &room));
  REFUSED_BY_OURS(cusolverDnSgeqrf(handle, 4, -1, a, 4, b, b, 8, info));
  REFUSED_BY_OURS(cusolverDnSgeqrf(handle, 4, 4, a, 3, b, b, 8, info));
  REFUSED_BY_OURS(cusolverDnSorgqr(handle, 4, 5, 3, a, 4, b, b, 8, info));
  REFUSED_BY_OURS(cusolverDnSorgqr(handle, 4, 3, 4, a, 4, b, b, 8, info));
  REFUSED_BY_OURS(cusolverDnSormqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, 4, 2, 5, a, 4, b, b, 4, b, 8, info));
  REFUSED_BY_OURS(cusolverDnSormqr(handle, CUBLAS_SIDE_RIGHT, CUBLAS_OP_T, 4, 2, 2, a, 1, b, b, 4, b, 8, info));
  REFUSED_BY_OURS(cusolverDnSormqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, 4, 2, 2, a, 4, b, b, 3, b, 8, info));
#ifndef ON_NVIDIA /* whose info tells the argument, or nothing */
  EXPECT("nothing was written", value_of(info) == -77);
#endif
}

static void check_spectra(cusolverDnHandle_t handle, float *a, float *b, int *info) {
  int room = 0;
  WRONG(cusolverDnSsyevd_bufferSize(handle, VECTORS, L, -1, a, 4, b, &room));
  REFUSED_BY_OURS(cusolverDnSsyevd(handle, VECTORS, L, 4, a, 3, b, b, 8, info));
  REFUSED_BY_OURS(cusolverDnSgesvd_bufferSize(handle, 3, 4, &room));
  REFUSED_BY_OURS(cusolverDnSgesvd(handle, 'X', 'A', 4, 4, a, 4, b, b, 4, b, 4, b, 8, NULL, info));
  REFUSED_BY_OURS(cusolverDnSgesvd(handle, 'O', 'O', 4, 4, a, 4, b, b, 4, b, 4, b, 8, NULL, info));
  REFUSED_BY_OURS(cusolverDnSgesvd(handle, 'A', 'A', 4, 4, a, 3, b, b, 4, b, 4, b, 8, NULL, info));
  REFUSED_BY_OURS(cusolverDnSgesvd(handle, 'A', 'A', 4, 4, a, 4, b, b, 3, b, 4, b, 8, NULL, info));
#ifndef ON_NVIDIA /* whose info tells the argument, or nothing */
  EXPECT("nothing was written", value_of(info) == -77);
#endif
}

static void check_typed(cusolverDnHandle_t handle, float *a, int *info) {
  size_t room = 0, host_room = 0;
  cusolverDnParams_t params;
  FINE(cusolverDnCreateParams(&params));
  REFUSED_BY_OURS(
      cusolverDnXpotrf_bufferSize(handle, params, L, -1, CUDA_R_32F, a, 4, CUDA_R_32F, &room, &host_room));
  REFUSED_BY_OURS(cusolverDnXpotrf_bufferSize(handle, params, L, 4, CUDA_R_32F, a, 3, CUDA_R_32F, &room, &host_room));
  REFUSED_BY_OURS(
      cusolverDnXgetrf_bufferSize(handle, params, 4, -1, CUDA_R_32F, a, 4, CUDA_R_32F, &room, &host_room));
#ifndef ON_NVIDIA /* whose info tells the argument, or nothing */
  EXPECT("nothing was written", value_of(info) == -77);
#endif
  FINE(cusolverDnDestroyParams(params));
}

int main(void) {
  cusolverDnHandle_t handle;
  static float zeros[64];
  check_handles();
  FINE(cusolverDnCreate(&handle));
  begin_memory();
  float *a = on_device(zeros, sizeof zeros), *b = on_device(zeros, sizeof zeros);
  int *info = new_info(), *ipiv = on_device(zeros, 64);
  check_factors(handle, a, b, info, ipiv);
  check_spectra(handle, a, b, info);
  check_typed(handle, a, info);
  FINE(cusolverDnDestroy(handle));
  return verdict("conform_refusals");
}
