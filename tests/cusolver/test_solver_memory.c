/* SPDX-License-Identifier: MIT */
/*
 * test_solver_memory - what cuSOLVER's calls do with memory that they cannot use, with managed and pinned memory, and
 * with streams and threads: this library's own promises, beyond cuSOLVER's.
 *
 * Memory that is freed, too short for its shape or the host's own is told, and nothing is written; a call comes behind
 * what is in its stream; a destroyed handle and a destroyed stream are told; calls of several threads, each with a
 * handle and a stream, do not disturb each other.
 */
#include "solver_check.h"

#include <pthread.h>

#define FAILED(call) EXPECT(#call, (call) == CUSOLVER_STATUS_EXECUTION_FAILED)
#define L CUBLAS_FILL_MODE_LOWER

static void check_bounds(cusolverDnHandle_t handle) {
  static float own[16] = { 1 };
  float host[16] = { 4, 0, 0, 0, 0, 4, 0, 0, 0, 0, 4, 0, 0, 0, 0, 4 }, back[16], *a, *gone;
  int info_on_host, *info = new_info();
  cudaMalloc((void **)&a, sizeof host);
  cudaMalloc((void **)&gone, 1 << 20);
  cudaFree(gone);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  FAILED(cusolverDnSpotrf(handle, L, 4, a, 5, a, 1, info));
  FAILED(cusolverDnSpotrf(handle, L, 4, gone, 4, a, 1, info));
  FAILED(cusolverDnSpotrf(handle, L, 4, own, 4, a, 1, info));
  FAILED(cusolverDnSpotrf(handle, L, 4, a, 4, a, 1, &info_on_host));
  FAILED(cusolverDnSpotrf(handle, L, 4000, a, 4000, a, 1, info));
  FAILED(cusolverDnSgetrf(handle, 4, 4, a, 4, a, (int *)gone, info));
  WRONG(cusolverDnSpotrf(handle, L, 4, NULL, 4, a, 1, info));
  WRONG(cusolverDnSpotrf(handle, L, 4, a, 4, a, 1, NULL));
  WRONG(cusolverDnSpotrf(handle, L, 4, a, 4, a, 0, info));
  WRONG(cusolverDnSpotrf(handle, (cublasFillMode_t)7, 4, a, 4, a, 1, info));
  EXPECT("info is as it was", value_of(info) == -77);
  EXPECT("cudaGetLastError", cudaGetLastError() == cudaSuccess);
  from_device(back, a, sizeof back);
  EXPECT("nothing was written", memcmp(back, host, sizeof back) == 0);
  FINE(cusolverDnSpotrf(handle, L, 4, a, 4, a, 1, info));
  from_device(back, a, sizeof back);
  EXPECT("potrf", value_of(info) == 0 && back[0] == 2 && back[15] == 2);
  cudaFree(a);
}

/* Pivots are read on the host, and lead nowhere outside. */
static void check_pivots(cusolverDnHandle_t handle) {
  const float host[4] = { 1, 0, 0, 1 };
  const int pivots[2] = { 2, 3 };
  float *a = on_device(host, sizeof host), *b = on_device(host, sizeof host);
  int *ipiv = on_device(pivots, sizeof pivots), *info = new_info();
  WRONG(cusolverDnSgetrs(handle, CUBLAS_OP_N, 2, 1, a, 2, ipiv, b, 2, info));
  WRONG(cusolverDnSlaswp(handle, 2, a, 2, 1, 2, ipiv, 1));
  WRONG(cusolverDnSlaswp(handle, 2, a, 2, 0, 2, ipiv, 1));
  WRONG(cusolverDnSlaswp(handle, 2, a, 2, 1, 2, ipiv, 3));
}

/* Managed and pinned memory are operands like others. */
static void check_kinds(cusolverDnHandle_t handle) {
  double *managed, *pinned;
  int *info;
  cudaMallocManaged((void **)&managed, 4 * sizeof *managed, cudaMemAttachGlobal);
  cudaMallocManaged((void **)&info, sizeof *info, cudaMemAttachGlobal);
  cudaHostAlloc((void **)&pinned, 2 * sizeof *pinned, cudaHostAllocMapped);
  managed[0] = 4, managed[1] = 2, managed[2] = 2, managed[3] = 5;
  pinned[0] = 10, pinned[1] = 13;
  *info = -77;
  FINE(cusolverDnDpotrf(handle, L, 2, managed, 2, managed, 1, info));
  FINE(cusolverDnDpotrs(handle, L, 2, 1, managed, 2, pinned, 2, info));
  cudaDeviceSynchronize();
  EXPECT("managed", *info == 0 && managed[0] == 2 && managed[1] == 1 && managed[3] == 2);
  EXPECT("pinned", fabs(pinned[0] - 1.5) < 1e-12 && fabs(pinned[1] - 2) < 1e-12);
  cudaFree(managed);
  cudaFree(info);
  cudaFreeHost(pinned);
}

static void check_ends(void) {
  cusolverDnHandle_t handle;
  cudaStream_t stream;
  const float one = 1;
  float *a = on_device(&one, sizeof one);
  int *info = new_info();
  FINE(cusolverDnCreate(&handle));
  cudaStreamCreate(&stream);
  FINE(cusolverDnSetStream(handle, stream));
  FINE(cusolverDnSpotrf(handle, L, 1, a, 1, a, 1, info));
  cudaStreamDestroy(stream);
  FAILED(cusolverDnSpotrf(handle, L, 1, a, 1, a, 1, info));
  FINE(cusolverDnSetStream(handle, NULL));
  FINE(cusolverDnSpotrf(handle, L, 1, a, 1, a, 1, info));
  FINE(cusolverDnDestroy(handle));
  EXPECT("a destroyed handle", cusolverDnDestroy(handle) == CUSOLVER_STATUS_NOT_INITIALIZED);
  EXPECT("a destroyed handle", cusolverDnSpotrf(handle, L, 1, a, 1, a, 1, info) == CUSOLVER_STATUS_NOT_INITIALIZED);
}

enum { SIDE = 24, ROUNDS = 10 };

/* A system over and over, each behind a copy in the same stream. */
static void *use_stream(void *context) {
  int *wrong = context, *info, found;
  double host[SIDE * SIDE], sides[SIDE], got[SIDE], *a, *b;
  cudaStream_t stream;
  cusolverDnHandle_t handle;
  *wrong += cusolverDnCreate(&handle) != 0 || cudaStreamCreate(&stream) != 0 ||
            cusolverDnSetStream(handle, stream) != 0 || cudaMalloc((void **)&a, sizeof host) != 0 ||
            cudaMalloc((void **)&b, sizeof sides) != 0 || cudaMalloc((void **)&info, sizeof *info) != 0;
  for (int round = 0; round < ROUNDS && *wrong == 0; round++) {
    for (int i = 0; i < SIDE * SIDE; i++)
      host[i] = i % (SIDE + 1) == 0 ? SIDE + round : 1;
    for (int i = 0; i < SIDE; i++)
      sides[i] = 2 * SIDE + round - 1;
    *wrong += cudaMemcpyAsync(a, host, sizeof host, cudaMemcpyHostToDevice, stream) != 0;
    *wrong += cudaMemcpyAsync(b, sides, sizeof sides, cudaMemcpyHostToDevice, stream) != 0;
    *wrong += cusolverDnDpotrf(handle, L, SIDE, a, SIDE, NULL, 1, info) != 0;
    *wrong += cusolverDnDpotrs(handle, L, SIDE, 1, a, SIDE, b, SIDE, info) != 0;
    *wrong += cudaMemcpyAsync(got, b, sizeof got, cudaMemcpyDeviceToHost, stream) != 0;
    *wrong += cudaMemcpyAsync(&found, info, sizeof found, cudaMemcpyDeviceToHost, stream) != 0;
    *wrong += cudaStreamSynchronize(stream) != 0 || found != 0;
    for (int i = 0; i < SIDE; i++)
      *wrong += fabs(got[i] - 1) > 1e-9;
  }
  *wrong += cusolverDnDestroy(handle) != 0 || cudaStreamDestroy(stream) != 0 || cudaFree(a) != 0 ||
            cudaFree(b) != 0 || cudaFree(info) != 0;
  return NULL;
}

static void check_threads(void) {
  pthread_t threads[4];
  int wrong[4] = { 0 };
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, use_stream, &wrong[i]);
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
    EXPECT("a thread with a handle and a stream", wrong[i] == 0);
  }
}

int main(void) {
  cusolverDnHandle_t handle;
  begin_memory();
  FINE(cusolverDnCreate(&handle));
  check_bounds(handle);
  check_pivots(handle);
  check_kinds(handle);
  check_ends();
  check_threads();
  FINE(cusolverDnDestroy(handle));
  return verdict("test_solver_memory");
}
