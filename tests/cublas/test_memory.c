/* SPDX-License-Identifier: MIT */
/*
 * test_memory - what cuBLAS's calls do with memory that they cannot use, with managed and pinned memory, and with
 * streams: this library's own promises, beyond cuBLAS's.
 *
 * Memory that is freed or too short for its shape is told and nothing is sent; a call with scalars on the device
 * returns while its stream is still held; calls of several threads, each with a handle and a stream, do not disturb
 * each other.
 */
#include "blas_check.h"

#include <cublas_v2.h>
#include <pthread.h>

#define FAILED(call) EXPECT(#call, (call) == CUBLAS_STATUS_EXECUTION_FAILED)
#define FINE(call) EXPECT(#call, (call) == CUBLAS_STATUS_SUCCESS)

static void check_bounds(cublasHandle_t handle) {
  float one = 1, *a, *gone;
  cudaMalloc((void **)&a, 16 * sizeof(float));
  cudaMalloc((void **)&gone, 1 << 20);
  cudaFree(gone);
  cudaMemset(a, 0, 16 * sizeof(float));
  FINE(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, a + 4, 2, &one, a + 8, 2));
  FAILED(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, 4, a + 1, 4, &one, a, 4));
  FAILED(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 14, a, 2, &one, a + 13, 2));
  FAILED(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, gone, 2, a, 2, &one, a, 2));
  FAILED(cublasSaxpy(handle, 17, &one, a, 1, a, 1));
  FAILED(cublasSaxpy(handle, 6, &one, a, 3, a, -4));
  FAILED(cublasSgemv(handle, CUBLAS_OP_N, 4, 4, &one, a, 5, a, 1, &one, a, 1));
  FAILED(cublasSaxpy_64(handle, INT64_MAX / 2, &one, a, INT64_MAX / 2, a, 1));
  EXPECT("cudaGetLastError", cudaGetLastError() == cudaSuccess);
  float back[16];
  from_device(back, a, sizeof back);
  for (int i = 0; i < 16; i++)
    EXPECT("nothing was sent", back[i] == 0);
  cudaFree(a);
}

/* Managed and pinned memory are operands like others. */
static void check_kinds(cublasHandle_t handle) {
  enum { N = 40 };
  float one = 1, zero = 0, *managed, *pinned, *device, *expected = calloc(N * N, sizeof(float));
  cudaMallocManaged((void **)&managed, N * N * sizeof(float), cudaMemAttachGlobal);
  cudaHostAlloc((void **)&pinned, N * N * sizeof(float), cudaHostAllocMapped);
  cudaMalloc((void **)&device, N * N * sizeof(float));
  fill_float(managed, N * N);
  fill_float(pinned, N * N);
  cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, managed, N, pinned, N, 0, expected, N);
  FINE(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &one, managed, N, pinned, N, &zero, device, N));
  compare_float("managed and pinned memory", device, expected, N * N, 1e-5);
  FINE(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &one, managed, N, pinned, N, &zero, managed, N));
  cudaDeviceSynchronize();
  cudaFree(managed);
  cudaFreeHost(pinned);
  cudaFree(device);
  free(expected);
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static void CUDART_CB wait_for_gate(void *context) {
  (void)context;
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
}

/* The stream is held by a function on the host until all calls have returned: one that waited would never. */
static void check_asynchrony(cublasHandle_t handle) {
  enum { N = 64 };
  cudaStream_t stream;
  float *x, *scalars, host[3] = { 2, 0, 0 }, values[N], got[3];
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMalloc((void **)&x, 3 * N * N * sizeof(float));
  cudaMalloc((void **)&scalars, sizeof host);
  for (int i = 0; i < N; i++)
    values[i] = 1;
  cudaMemset(x, 0, 3 * N * N * sizeof(float));
  cudaMemcpy(x, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemcpy(scalars, host, sizeof host, cudaMemcpyHostToDevice);
  cudaDeviceSynchronize();
  FINE(cublasSetStream(handle, stream));
  FINE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  pthread_mutex_lock(&gate);
  cudaLaunchHostFunc(stream, wait_for_gate, NULL);
  FINE(cublasSscal(handle, N, scalars, x, 1));
  FINE(cublasSdot(handle, N, x, 1, x, 1, scalars + 1));
  FINE(cublasSnrm2(handle, N, x, 1, scalars + 2));
  FINE(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, scalars, x, N, x + N * N, N, scalars + 1, x + 2 * N * N,
                   N));
  FINE(cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, N, N, scalars,
                   x + N * N, N, x + 2 * N * N, N));
  EXPECT("the stream is still held", cudaStreamQuery(stream) == cudaErrorNotReady);
  pthread_mutex_unlock(&gate);
  EXPECT("cudaStreamSynchronize", cudaStreamSynchronize(stream) == cudaSuccess);
  from_device(got, scalars, sizeof got);
  EXPECT("dot", got[1] == 4 * N);
  EXPECT("nrm2", got[2] == 16);
  FINE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  cudaStreamDestroy(stream);
  float one = 1;
  FAILED(cublasSscal(handle, N, &one, x, 1));
  FINE(cublasSetStream(handle, NULL));
  FINE(cublasSscal(handle, N, &one, x, 1));
  cudaFree(x);
  cudaFree(scalars);
}

enum { SIDE = 48, ROUNDS = 12 };

/* a := b b over and over, where b is a times a factor that keeps it small. */
static void *use_stream(void *context) {
  int *wrong = context;
  float *a, host[SIDE * SIDE], expected = 1, one = 1, zero = 0, by = 1.0f / SIDE;
  cudaStream_t stream;
  cublasHandle_t handle;
  *wrong += cublasCreate(&handle) != 0 || cudaStreamCreate(&stream) != 0 || cublasSetStream(handle, stream) != 0 ||
            cudaMalloc((void **)&a, 2 * sizeof host) != 0;
  for (int i = 0; i < SIDE * SIDE; i++)
    host[i] = 1;
  *wrong += cudaMemcpyAsync(a, host, sizeof host, cudaMemcpyHostToDevice, stream) != 0;
  for (int i = 0; i < ROUNDS; i++) {
    *wrong += cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, SIDE, SIDE, SIDE, &by, a, SIDE, a, SIDE, &zero,
                          a + SIDE * SIDE, SIDE) != 0;
    *wrong += cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, SIDE, SIDE, &one, a + SIDE * SIDE, SIDE, &zero, a, SIDE,
                          a, SIDE) != 0;
    float sum = 0;
    *wrong += cublasSasum(handle, SIDE * SIDE, a, 1, &sum) != 0 || fabsf(sum / (SIDE * SIDE) - expected) > 1e-3f;
  }
  *wrong += cublasDestroy(handle) != 0 || cudaStreamDestroy(stream) != 0 || cudaFree(a) != 0;
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
  cublasHandle_t handle;
  FINE(cublasCreate(&handle));
  check_bounds(handle);
  check_kinds(handle);
  check_asynchrony(handle);
  check_threads();
  FINE(cublasDestroy(handle));
  return verdict("test_memory");
}
