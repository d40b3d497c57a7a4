/* SPDX-License-Identifier: MIT */
/*
 * conform_captured - numbers at random on a stream that is captured: each launch of the graph has the generator's next
 * ones, beside a generator that has the same seed and is not captured; of each family of generators, also where
 * launches and plain calls take turns on two streams, and where the generator is gone when the graph is launched.
 */
#include <cuda_runtime_api.h>
#include <curand.h>
#include <stdio.h>
#include <string.h>

#include "support/count.h"

#define EXPECT(condition) check_that((condition), "", #condition, __LINE__)
#define FINE(call) EXPECT((call) == CURAND_STATUS_SUCCESS)
#define DONE(call) EXPECT((call) == cudaSuccess)

enum { COUNT = 1002, BYTES = COUNT * 4 };

static cudaStream_t stream, other;
static float *plain_at, *captured_at;

static curandGenerator_t new_generator(curandRngType_t type) {
  curandGenerator_t made = NULL;
  FINE(curandCreateGenerator(&made, type));
  if (type < CURAND_RNG_QUASI_DEFAULT)
    FINE(curandSetPseudoRandomGeneratorSeed(made, 20261129));
  FINE(curandSetStream(made, stream));
#ifdef ON_NVIDIA /* which cannot make a generator's states while the stream is captured */
  FINE(curandGenerateSeeds(made));
#endif
  return made;
}

static void send(curandGenerator_t generator, float *to) {
  FINE(curandGenerateUniform(generator, to, 500));
  FINE(curandGenerateNormal(generator, to + 500, 502, 1, 2));
}

static void expect_same(void) {
  static float plain[COUNT], captured[COUNT];
  DONE(cudaDeviceSynchronize());
  DONE(cudaMemcpy(plain, plain_at, BYTES, cudaMemcpyDeviceToHost));
  DONE(cudaMemcpy(captured, captured_at, BYTES, cudaMemcpyDeviceToHost));
  EXPECT(memcmp(plain, captured, BYTES) == 0);
  DONE(cudaMemset(captured_at, 0, BYTES));
}

static cudaGraphExec_t capture(curandGenerator_t generator) {
  cudaGraph_t graph = NULL;
  cudaGraphExec_t exec = NULL;
  size_t nodes = 0;
  DONE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  send(generator, captured_at);
  DONE(cudaStreamEndCapture(stream, &graph));
  DONE(cudaGraphGetNodes(graph, NULL, &nodes));
  EXPECT(nodes >= 2);
  DONE(cudaGraphInstantiate(&exec, graph, 0));
  DONE(cudaGraphDestroy(graph));
  return exec;
}

#ifndef ON_NVIDIA
/* A launch that cannot be leaves the stream as it was. */
static void expect_refused(cudaGraphExec_t exec) {
  EXPECT(cudaGraphLaunch(exec, stream) == cudaErrorInvalidValue);
  cudaGetLastError();
  DONE(cudaStreamSynchronize(stream));
}
#endif

/* Where a sequence stands is the host's for some of NVIDIA's generators: a graph has the same numbers each time
 * there. */
static void check_generator(curandRngType_t type) {
  curandGenerator_t plain = new_generator(type), captured = new_generator(type);
  cudaGraphExec_t exec = capture(captured);
  send(plain, plain_at);
  DONE(cudaGraphLaunch(exec, stream));
  expect_same();
#ifndef ON_NVIDIA
  for (int i = 0; i < 4; i++) {
    send(plain, plain_at);
    if (i == 2)
      send(captured, captured_at);
    else
      DONE(cudaGraphLaunch(exec, i % 2 == 0 ? stream : other));
    expect_same();
  }
  FINE(curandDestroyGenerator(captured));
  expect_refused(exec);
  captured = new_generator(type); /* most likely where the one before was */
  expect_refused(exec);
#endif
  DONE(cudaGraphExecDestroy(exec));
  FINE(curandDestroyGenerator(captured));
  FINE(curandDestroyGenerator(plain));
}

/* A generator that has left a stream has nothing to do with what is captured there. */
static void check_moved(void) {
  curandGenerator_t plain = new_generator(CURAND_RNG_PSEUDO_XORWOW);
  cudaGraph_t graph = NULL;
  send(plain, plain_at);
  FINE(curandSetStream(plain, other));
  DONE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  send(plain, plain_at);
  DONE(cudaStreamEndCapture(stream, &graph));
  DONE(cudaGraphDestroy(graph));
  FINE(curandDestroyGenerator(plain));
}

#ifndef ON_NVIDIA
/* Wrong arguments make no node; and to begin a sequence is nothing that a graph does. */
static void check_refusals(void) {
  curandGenerator_t generator = new_generator(CURAND_RNG_PSEUDO_PHILOX4_32_10);
  cudaGraph_t graph = NULL;
  size_t nodes = 7;
  DONE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  EXPECT(curandGenerateUniform(generator, NULL, 10) == CURAND_STATUS_OUT_OF_RANGE);
  EXPECT(curandGenerateLongLong(generator, (void *)captured_at, 10) == CURAND_STATUS_TYPE_ERROR);
  EXPECT(curandGenerateUniform(generator, captured_at, COUNT + 1) != CURAND_STATUS_SUCCESS);
  DONE(cudaStreamEndCapture(stream, &graph));
  DONE(cudaGraphGetNodes(graph, NULL, &nodes));
  EXPECT(nodes == 0);
  DONE(cudaGraphDestroy(graph));
  DONE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  EXPECT(curandGenerateSeeds(generator) != CURAND_STATUS_SUCCESS);
  EXPECT(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();
  FINE(curandDestroyGenerator(generator));
}
#endif

int main(void) {
  DONE(cudaMalloc((void **)&plain_at, BYTES));
  DONE(cudaMalloc((void **)&captured_at, BYTES));
  DONE(cudaStreamCreate(&stream));
  DONE(cudaStreamCreate(&other));
  check_generator(CURAND_RNG_PSEUDO_XORWOW);
  check_generator(CURAND_RNG_PSEUDO_PHILOX4_32_10);
  check_generator(CURAND_RNG_PSEUDO_MRG32K3A);
  check_generator(CURAND_RNG_PSEUDO_MT19937);
  check_generator(CURAND_RNG_QUASI_SOBOL32);
  check_moved();
#ifndef ON_NVIDIA
  check_refusals();
#endif
  DONE(cudaStreamDestroy(other));
  DONE(cudaStreamDestroy(stream));
  DONE(cudaFree(captured_at));
  DONE(cudaFree(plain_at));
  printf("conform_captured: %d checks, %d failed\n", checks, failures);
  return failures != 0;
}
