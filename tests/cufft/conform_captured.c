/* SPDX-License-Identifier: MIT */
/*
 * conform_captured - transforms on a stream that is captured: a graph that does what they do, beside the same calls; of
 * complex numbers and reals, packed and in place, and of a plan that is gone when the graph is launched.
 */
#include <cuda_runtime_api.h>
#include <cufft.h>
#include <stdio.h>
#include <string.h>

#include "support/count.h"

#define EXPECT(condition) check_that((condition), "", #condition, __LINE__)
#define FINE(call) EXPECT((call) == CUFFT_SUCCESS)
#define DONE(call) EXPECT((call) == cudaSuccess)

enum { N = 64, ROWS = 4, COMPLEX = N * ROWS, BYTES = 2 * COMPLEX * 4 };

static cudaStream_t stream;
static cufftHandle complex_plan, real_plan;
static cufftComplex *x, *y;
static cufftReal *r;
static float sent[3][2 * COMPLEX], launched[3][2 * COMPLEX];

static void fill(void) {
  float values[2 * COMPLEX];
  for (int i = 0; i < 2 * COMPLEX; i++)
    values[i] = (float)(i * 37 % 101 - 50) / 16;
  DONE(cudaMemcpy(x, values, BYTES, cudaMemcpyHostToDevice));
  DONE(cudaMemcpy(y, values, BYTES, cudaMemcpyHostToDevice));
  DONE(cudaMemcpy(r, values, BYTES, cudaMemcpyHostToDevice));
}

static void read(float to[3][2 * COMPLEX]) {
  DONE(cudaStreamSynchronize(stream));
  DONE(cudaMemcpy(to[0], x, BYTES, cudaMemcpyDeviceToHost));
  DONE(cudaMemcpy(to[1], y, BYTES, cudaMemcpyDeviceToHost));
  DONE(cudaMemcpy(to[2], r, BYTES, cudaMemcpyDeviceToHost));
}

static void send(void) {
  FINE(cufftExecC2C(complex_plan, x, y, CUFFT_FORWARD));
  FINE(cufftExecC2C(complex_plan, y, y, CUFFT_INVERSE));
  FINE(cufftExecR2C(real_plan, r, x));
}

int main(void) {
  cudaGraph_t graph = NULL;
  cudaGraphExec_t exec = NULL;
  size_t nodes = 0;
  DONE(cudaMalloc((void **)&x, BYTES));
  DONE(cudaMalloc((void **)&y, BYTES));
  DONE(cudaMalloc((void **)&r, BYTES));
  DONE(cudaStreamCreate(&stream));
  FINE(cufftPlan1d(&complex_plan, N, CUFFT_C2C, ROWS));
  FINE(cufftPlan1d(&real_plan, N, CUFFT_R2C, ROWS));
  FINE(cufftSetStream(complex_plan, stream));
  FINE(cufftSetStream(real_plan, stream));
  fill();
  send();
  read(sent);
  fill();
  DONE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  send();
  DONE(cudaStreamEndCapture(stream, &graph));
  DONE(cudaGraphGetNodes(graph, NULL, &nodes));
  EXPECT(nodes >= 3);
  DONE(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 2; i++) {
    fill();
    DONE(cudaGraphLaunch(exec, stream));
    read(launched);
    EXPECT(memcmp(sent, launched, sizeof sent) == 0);
  }
  FINE(cufftDestroy(real_plan));
#ifndef ON_NVIDIA /* where a plan has to stay as long as the graph */
  EXPECT(cudaGraphLaunch(exec, stream) == cudaErrorInvalidValue);
  cudaGetLastError();
  DONE(cudaStreamSynchronize(stream));
#endif
  DONE(cudaGraphExecDestroy(exec));
  DONE(cudaGraphDestroy(graph));
  FINE(cufftDestroy(complex_plan));
  DONE(cudaStreamDestroy(stream));
  DONE(cudaFree(x));
  DONE(cudaFree(y));
  DONE(cudaFree(r));
  printf("conform_captured: %d checks, %d failed\n", checks, failures);
  return failures != 0;
}
