/* SPDX-License-Identifier: MIT */
/*
 * conform_handle - handles and their settings, transfers, and each wrong argument: what cuBLAS says, before anything is
 * sent. It needs no kernels.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include "support/count.h"

#define EXPECT(condition) check_that(condition, "", #condition, __LINE__)
#define REFUSED(call) EXPECT((call) == CUBLAS_STATUS_INVALID_VALUE)
#define FINE(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)
#ifdef ON_NVIDIA /* whose gemv, in CUDA 13.0, does not give the status that the document has for wrong arguments */
#define REFUSED_BY_OURS(call) printf("%s gives %d\n", #call, (int)(call))
#else
#define REFUSED_BY_OURS(call) REFUSED(call)
#endif

static void check_settings(cublasHandle_t handle) {
  cudaStream_t stream, told;
  cublasPointerMode_t pointers;
  cublasAtomicsMode_t atomics;
  cublasMath_t math;
  int number = 0;
  cudaStreamCreate(&stream);
  FINE(cublasGetStream(handle, &told));
  EXPECT(told == NULL);
  FINE(cublasSetStream(handle, stream));
  FINE(cublasGetStream(handle, &told));
  EXPECT(told == stream);
  FINE(cublasSetStream(handle, NULL));
  FINE(cublasGetPointerMode(handle, &pointers));
  EXPECT(pointers == CUBLAS_POINTER_MODE_HOST);
  FINE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  REFUSED(cublasSetPointerMode(handle, (cublasPointerMode_t)7));
  FINE(cublasGetPointerMode(handle, &pointers));
  EXPECT(pointers == CUBLAS_POINTER_MODE_DEVICE);
  FINE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  FINE(cublasSetAtomicsMode(handle, CUBLAS_ATOMICS_ALLOWED));
  FINE(cublasGetAtomicsMode(handle, &atomics));
  EXPECT(atomics == CUBLAS_ATOMICS_ALLOWED);
  FINE(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH));
  FINE(cublasGetMathMode(handle, &math));
  EXPECT(math == CUBLAS_TF32_TENSOR_OP_MATH);
  REFUSED(cublasSetAtomicsMode(handle, (cublasAtomicsMode_t)7));
  REFUSED(cublasSetMathMode(handle, (cublasMath_t)100));
  FINE(cublasSetSmCountTarget(handle, 2));
  REFUSED(cublasSetSmCountTarget(handle, -1));
  FINE(cublasGetSmCountTarget(handle, &number));
  EXPECT(number == 2);
  FINE(cublasGetVersion(handle, &number));
  EXPECT(number >= 110000);
  FINE(cublasGetProperty(MAJOR_VERSION, &number));
  EXPECT(number >= 11);
  REFUSED(cublasGetVersion(handle, NULL));
  FINE(cublasSetWorkspace(handle, NULL, 0));
  EXPECT(strcmp(cublasGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED), "CUBLAS_STATUS_NOT_SUPPORTED") == 0);
  EXPECT(strlen(cublasGetStatusString(CUBLAS_STATUS_ALLOC_FAILED)) > 0);
  cudaStreamDestroy(stream);
}

static void check_ends(void) {
  cublasHandle_t handle, wild = (cublasHandle_t)&handle;
  float one = 1, *x;
  cudaMalloc((void **)&x, 64);
  FINE(cublasCreate(&handle));
  FINE(cublasDestroy(handle));
  EXPECT(cublasSetStream(NULL, NULL) == CUBLAS_STATUS_NOT_INITIALIZED);
#ifndef ON_NVIDIA /* which uses what such a handle leads to */
  EXPECT(cublasDestroy(handle) == CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT(cublasSscal(handle, 4, &one, x, 1) == CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT(cublasDestroy(wild) == CUBLAS_STATUS_NOT_INITIALIZED);
#endif
  cudaFree(x);
}

static void check_arguments(cublasHandle_t handle) {
  float one = 1, *a;
  cudaMalloc((void **)&a, 4096);
  REFUSED(cublasSgemm(handle, (cublasOperation_t)9, CUBLAS_OP_N, 4, 4, 4, &one, a, 4, a, 4, &one, a, 4));
  REFUSED(cublasSgemm(handle, CUBLAS_OP_N, (cublasOperation_t)9, 4, 4, 4, &one, a, 4, a, 4, &one, a, 4));
  REFUSED(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, -1, 4, 4, &one, a, 4, a, 4, &one, a, 4));
  REFUSED(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, -1, 4, &one, a, 4, a, 4, &one, a, 4));
  REFUSED(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, -1, &one, a, 4, a, 4, &one, a, 4));
  REFUSED(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, 3, a, 4, &one, a, 4));
  REFUSED(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, 4, a, 3, &one, a, 4));
  REFUSED(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, 4, a, 4, &one, a, 3));
  REFUSED(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, 8, 4, 4, &one, a, 3, a, 4, &one, a, 8));
  REFUSED(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, NULL, a, 4, a, 4, &one, a, 4));
  REFUSED_BY_OURS(cublasSgemv(handle, (cublasOperation_t)9, 4, 4, &one, a, 4, a, 1, &one, a, 1));
  REFUSED_BY_OURS(cublasSgemv(handle, CUBLAS_OP_N, -1, 4, &one, a, 4, a, 1, &one, a, 1));
  REFUSED_BY_OURS(cublasSgemv(handle, CUBLAS_OP_N, 4, 4, &one, a, 3, a, 1, &one, a, 1));
  REFUSED_BY_OURS(cublasSgemv(handle, CUBLAS_OP_N, 4, 4, &one, a, 4, a, 0, &one, a, 1));
  REFUSED_BY_OURS(cublasSgemv(handle, CUBLAS_OP_N, 4, 4, &one, a, 4, a, 1, &one, a, 0));
  REFUSED(cublasSger(handle, 4, 4, &one, a, 0, a, 1, a, 4));
  REFUSED(cublasSger(handle, 4, 4, &one, a, 1, a, 1, a, 3));
  REFUSED(cublasSgbmv(handle, CUBLAS_OP_N, 4, 4, 1, 1, &one, a, 2, a, 1, &one, a, 1));
  REFUSED(cublasSsymv(handle, CUBLAS_FILL_MODE_FULL, 4, &one, a, 4, a, 1, &one, a, 1));
  REFUSED(cublasSsyr(handle, CUBLAS_FILL_MODE_LOWER, 4, &one, a, 1, a, 3));
  REFUSED(cublasStrsv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, (cublasDiagType_t)2, 4, a, 4, a, 1));
  REFUSED(cublasStbmv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 4, 2, a, 2, a, 1));
  REFUSED(cublasSsymm(handle, (cublasSideMode_t)2, CUBLAS_FILL_MODE_LOWER, 4, 4, &one, a, 4, a, 4, &one, a, 4));
  REFUSED(cublasSsymm(handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, 2, 4, &one, a, 2, a, 2, &one, a, 2));
  REFUSED(cublasSsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 4, 4, &one, a, 3, &one, a, 4));
  REFUSED(cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 4, 4, &one, a,
                      3, a, 4));
  REFUSED(cublasStrmm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 4, 4, &one, a,
                      4, a, 4, a, 3));
  REFUSED(cublasSgeam(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, &one, a, 3, &one, a, 4, a, 4));
  REFUSED(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 4, 4, &one, a, 4, &one, a + 16, 4, a, 4));
  REFUSED(cublasSdgmm(handle, CUBLAS_SIDE_LEFT, 4, 4, a, 4, a, 1, a, 3));
  REFUSED(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, NULL, 4, NULL, 4, &one, NULL, 4, -1));
  REFUSED(cublasIsamax(handle, 4, a, 1, NULL));
  /* Nothing to do is done, whatever the pointers are. */
  FINE(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 0, 4, 4, &one, NULL, 1, NULL, 4, &one, NULL, 1));
  FINE(cublasSgemv(handle, CUBLAS_OP_N, 4, 0, &one, NULL, 4, NULL, 1, &one, NULL, 1));
  FINE(cublasSaxpy(handle, 0, &one, NULL, 1, NULL, 1));
  FINE(cublasSaxpy(handle, -3, &one, NULL, 1, NULL, 1));
  /* An error of cuBLAS's is none of the runtime's. */
  EXPECT(cudaGetLastError() == cudaSuccess);
  cudaFree(a);
}

/* There and back, with increments and leading dimensions. */
static void check_transfers(void) {
  float host[64], back[64], *device;
  cudaMalloc((void **)&device, sizeof host);
  cudaMemset(device, 0, sizeof host);
  for (int i = 0; i < 64; i++) {
    host[i] = (float)i;
    back[i] = -1;
  }
  FINE(cublasSetVector(10, sizeof(float), host, 3, device, 2));
  FINE(cublasGetVector(10, sizeof(float), device, 2, back, 1));
  for (int i = 0; i < 10; i++)
    EXPECT(back[i] == host[3 * i]);
  EXPECT(back[10] == -1);
  FINE(cublasSetMatrix(5, 4, sizeof(float), host, 7, device, 6));
  FINE(cublasGetMatrixAsync(5, 4, sizeof(float), device, 6, back, 5, NULL));
  cudaDeviceSynchronize();
  for (int i = 0; i < 20; i++)
    EXPECT(back[i] == host[i % 5 + i / 5 * 7]);
  EXPECT(back[20] == -1);
  FINE(cublasSetVector_64(0, 4, host, 1, device, 1));
  REFUSED(cublasSetVector(10, 0, host, 1, device, 1));
  REFUSED(cublasSetVector(10, 4, host, 0, device, 1));
  REFUSED_BY_OURS(cublasSetMatrix(5, 4, 4, host, 4, device, 6));
  cudaFree(device);
}

static int told;
static void hear(const char *line) {
  told += strstr(line, "cublasCreate") != NULL;
}

static void check_logger(void) {
  cublasHandle_t handle;
  cublasLogCallback callback = NULL;
  FINE(cublasSetLoggerCallback(hear));
  FINE(cublasGetLoggerCallback(&callback));
  EXPECT(callback == hear);
  FINE(cublasCreate(&handle));
  FINE(cublasSetLoggerCallback(NULL));
  FINE(cublasDestroy(handle));
  EXPECT(told > 0);
}

/* Each thread has handles of its own, which come and go. */
static void *use_handles(void *context) {
  for (int i = 0; i < 200; i++) {
    cublasHandle_t handle, again;
    cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
    *(int *)context += cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS ||
                       cublasCreate(&again) != CUBLAS_STATUS_SUCCESS || handle == again ||
                       cublasSetPointerMode(again, CUBLAS_POINTER_MODE_DEVICE) != 0 ||
                       cublasGetPointerMode(handle, &mode) != 0 || mode != CUBLAS_POINTER_MODE_HOST ||
                       cublasDestroy(handle) != 0 || cublasDestroy(again) != 0;
  }
  return NULL;
}

static void check_threads(void) {
  pthread_t threads[4];
  int wrong[4] = { 0 };
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, use_handles, &wrong[i]);
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
    EXPECT(wrong[i] == 0);
  }
}

int main(void) {
  cublasHandle_t handle;
  FINE(cublasCreate(&handle));
  REFUSED(cublasCreate(NULL));
  check_settings(handle);
  check_ends();
  check_arguments(handle);
  check_transfers();
  check_logger();
  check_threads();
  FINE(cublasDestroy(handle));
  return verdict("conform_handle");
}
