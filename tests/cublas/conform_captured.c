/* SPDX-License-Identifier: MIT */
/*
 * conform_captured - cuBLAS's calls on a stream that is captured: graphs that do what the calls do, launched twice,
 * beside the same calls sent twice; all three levels, batches, scalars of the host and of the device, and memory that
 * calls take for themselves. A result for the host cannot be captured.
 */
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/count.h"

#define EXPECT(condition) check_that((condition), "", #condition, __LINE__)
#define FINE(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)
#define DONE(call) EXPECT((call) == cudaSuccess)

enum { N = 160, ELEMENTS = N * N, MATRICES = 4, LAUNCHES = 2 };

static cublasHandle_t handle;
static cudaStream_t stream;
static float *a, *b, *c, *device_scalars; /* one behind the other */
static float *host, *expected;

typedef void sending(void);

static void fill(void) {
  srand(7);
  for (int i = 0; i < MATRICES * ELEMENTS; i++)
    host[i] = (float)(rand() % 64 - 32) / 64;
  for (int i = 0; i < N; i++) /* a triangle of it is solved with */
    host[i * (N + 1)] = 4;
  const float scalars[2] = { 0.5f, 0.25f };
  DONE(cudaMemcpy(a, host, (size_t)MATRICES * ELEMENTS * sizeof *a, cudaMemcpyHostToDevice));
  DONE(cudaMemcpy(device_scalars, scalars, sizeof scalars, cudaMemcpyHostToDevice));
}

static void read(float *to) {
  DONE(cudaStreamSynchronize(stream));
  DONE(cudaMemcpy(to, a, (size_t)MATRICES * ELEMENTS * sizeof *a, cudaMemcpyDeviceToHost));
}

static cudaGraphExec_t capture(sending *send) {
  cudaGraph_t graph = NULL;
  cudaGraphExec_t exec = NULL;
  size_t nodes = 0;
  DONE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  send();
  DONE(cudaStreamEndCapture(stream, &graph));
  DONE(cudaGraphGetNodes(graph, NULL, &nodes));
  EXPECT(nodes > 0);
  DONE(cudaGraphInstantiate(&exec, graph, 0));
  DONE(cudaGraphDestroy(graph));
  return exec;
}

/* By the same kernels in the same order, so the bits are the same. */
static void hold_beside(const char *what, sending *send) {
  fill();
  cudaGraphExec_t exec = capture(send);
  read(expected); /* nothing was sent */
  check_that(memcmp(expected, host, (size_t)MATRICES * ELEMENTS * sizeof *host) == 0, what, "nothing was sent",
             __LINE__);
  for (int i = 0; i < LAUNCHES; i++)
    send();
  read(expected);
  fill();
  for (int i = 0; i < LAUNCHES; i++)
    DONE(cudaGraphLaunch(exec, stream));
  read(host);
  int wrong = 0;
  for (int i = 0; i < MATRICES * ELEMENTS; i++)
    wrong += !(host[i] == expected[i]) && !(isnan(host[i]) && isnan(expected[i]));
  check_that(wrong == 0, what, "the graph does what the calls do", __LINE__);
  DONE(cudaGraphExecDestroy(exec));
}

static void send_level1(void) {
  const float two = 2, half = 0.5f, cosine = 0.75f, sine = 0.5f;
  FINE(cublasSaxpy(handle, N, &two, a, 1, b, 1));
  FINE(cublasSscal(handle, N, &half, b, 2));
  FINE(cublasScopy(handle, N, b, 1, c, 3));
  FINE(cublasSswap(handle, N, a, 1, c, 1));
  FINE(cublasSrot(handle, N, a, 1, b, -1, &cosine, &sine));
}

static void send_level2(void) {
  const float alpha = 0.5f, beta = -0.25f;
  FINE(cublasSgemv(handle, CUBLAS_OP_N, N, N, &alpha, a, N, b, 1, &beta, c, 1));
  FINE(cublasSgemv(handle, CUBLAS_OP_T, N, N, &alpha, a, N, c, 1, &beta, b, 1));
  FINE(cublasSger(handle, N, N, &alpha, b, 1, c, 1, a, N));
  FINE(cublasSsymv(handle, CUBLAS_FILL_MODE_LOWER, N, &alpha, a, N, b, 1, &beta, c, 1));
  FINE(cublasSsyr(handle, CUBLAS_FILL_MODE_UPPER, N, &alpha, b, 1, a, N));
  FINE(cublasStrmv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, N, a, N, b, 1));
}

/* One that CLBlast is asked for, and a small one. */
static void send_gemm(void) {
  const float alpha = 0.5f, beta = 0.25f, nothing = 0;
  FINE(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, N, N, N, &alpha, a, N, b, N, &beta, c, N));
  FINE(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, 8, 9, 10, &alpha, c, N, b, N, &beta, a, N));
  FINE(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &nothing, a, N, b, N, &beta, c, N));
}

static void send_level3(void) {
  const float alpha = 0.5f, beta = 0.25f;
  FINE(cublasSsymm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, N, N, &alpha, a, N, b, N, &beta, c, N));
  FINE(cublasSsyrk(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, N, N, &alpha, b, N, &beta, c, N));
  FINE(cublasStrmm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, N, N, &alpha,
                   a, N, b, N, c, N));
  FINE(cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, N, N, &alpha,
                   a, N, b, N));
  FINE(cublasSgeam(handle, CUBLAS_OP_N, CUBLAS_OP_T, N, N, &alpha, b, N, &beta, c, N, a, N));
}

static void send_batch(void) {
  const float alpha = 0.5f, beta = 0.25f;
  FINE(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 16, 16, 16, &alpha, a, 16, 256, b, 16, 256, &beta,
                                 c, 16, 256, 20));
}

/* Results that stay on the device, and factors that are there. */
static void send_device(void) {
  FINE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  FINE(cublasSdot(handle, N, a, 1, b, 1, c));
  FINE(cublasSnrm2(handle, N, b, 1, c + 1));
  FINE(cublasSasum(handle, N, a, 1, c + 2));
  FINE(cublasSaxpy(handle, N, device_scalars, a, 1, b, 1));
  FINE(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, device_scalars, a, N, b, N, device_scalars + 1,
                   c + 2 * N, N));
  FINE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
}

static void results_for_the_host_are_refused(void) {
  cudaGraph_t graph = NULL;
  float result = 7;
  DONE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  EXPECT(cublasSdot(handle, N, a, 1, b, 1, &result) != CUBLAS_STATUS_SUCCESS);
  EXPECT(result == 7);
  EXPECT(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();
  FINE(cublasSdot(handle, N, a, 1, b, 1, &result));
}

/* Two products, the second of which has lost an operand: the graph's launch says so, and the graph can be changed. */
static void memory_that_was_freed_is_found(void) {
  const float alpha = 1, beta = 0;
  float *gone = NULL;
  cudaGraph_t graph = NULL;
  cudaGraphExec_t exec = NULL;
  DONE(cudaMalloc((void **)&gone, ELEMENTS * sizeof *gone));
  DONE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  FINE(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &alpha, gone, N, b, N, &beta, c, N));
  DONE(cudaStreamEndCapture(stream, &graph));
  DONE(cudaGraphInstantiate(&exec, graph, 0));
  DONE(cudaGraphLaunch(exec, stream));
  DONE(cudaStreamSynchronize(stream));
  DONE(cudaFree(gone));
#ifndef ON_NVIDIA /* which does not look */
  EXPECT(cudaGraphLaunch(exec, stream) != cudaSuccess);
  cudaGetLastError();
  DONE(cudaStreamSynchronize(stream));
#endif
  DONE(cudaGraphExecDestroy(exec));
  DONE(cudaGraphDestroy(graph));
}

int main(void) {
  host = malloc((size_t)MATRICES * ELEMENTS * sizeof *host);
  expected = malloc((size_t)MATRICES * ELEMENTS * sizeof *expected);
  DONE(cudaMalloc((void **)&a, (size_t)MATRICES * ELEMENTS * sizeof *a));
  DONE(cudaMalloc((void **)&device_scalars, 2 * sizeof *device_scalars));
  DONE(cudaStreamCreate(&stream));
  FINE(cublasCreate(&handle));
  FINE(cublasSetStream(handle, stream));
  b = a + ELEMENTS;
  c = b + ELEMENTS; /* two of them, for what is not plain */
  hold_beside("level 1", send_level1);
  hold_beside("level 2", send_level2);
  hold_beside("gemm", send_gemm);
  hold_beside("level 3", send_level3);
  hold_beside("a batch", send_batch);
  hold_beside("results on the device", send_device);
  results_for_the_host_are_refused();
  memory_that_was_freed_is_found();
  FINE(cublasDestroy(handle));
  DONE(cudaStreamDestroy(stream));
  DONE(cudaFree(a));
  DONE(cudaFree(device_scalars));
  free(host);
  free(expected);
  printf("conform_captured: %d checks, %d failed\n", checks, failures);
  return failures != 0;
}
