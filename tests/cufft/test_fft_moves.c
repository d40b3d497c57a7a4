/* SPDX-License-Identifier: MIT */
/*
 * test_fft_moves - plans of a mapper that goes to another device (VPTR_MIGRATE=1): what was planned on the one
 * transforms on the other, into work areas, in graphs, of pinned memory, and while another thread moves.
 */
#include "fft_check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <vptr/vptr.h>

enum { N = 60, BATCH = 4, MOVES = 6, LONG = 6000, TRANSFORMS = 40 };

#define FINE(call) EXPECT(#call, (call) == CUFFT_SUCCESS)
#define WORKS(call) EXPECT(#call, (call) == cudaSuccess)

static void move(void) {
  if (vptr_migrate(NULL, NULL) != VPTR_SUCCESS) {
    fprintf(stderr, "%s\n", vptr_last_error());
    EXPECT("vptr_migrate", false);
  }
}

static void fill_with(cufftComplex *numbers, int count) {
  for (int i = 0; i < count; i++)
    numbers[i] = make_cuComplex((float)(i * 37 % 101) / 50 - 1, (float)(i * 53 % 97) / 50 - 1);
}

static bool is_like(const cufftComplex *a, const cufftComplex *b, int count, float factor) {
  bool is = true;
  for (int i = 0; i < count; i++)
    is = is && fabsf(a[i].x - factor * b[i].x) < 1e-3f * factor && fabsf(a[i].y - factor * b[i].y) < 1e-3f * factor;
  return is;
}

/* There and back again is n times what it was; of each pair the device between is another one. */
static void check_pairs(cufftHandle plan, cufftComplex *at, int n, int count) {
  cufftComplex *was = malloc((size_t)count * sizeof *was), *is = malloc((size_t)count * sizeof *is);
  fill_with(was, count);
  for (int i = 0; i < MOVES; i++) {
    WORKS(cudaMemcpy(at, was, (size_t)count * sizeof *was, cudaMemcpyDefault));
    FINE(cufftExecC2C(plan, at, at, CUFFT_FORWARD));
    move();
    FINE(cufftExecC2C(plan, at, at, CUFFT_INVERSE));
    WORKS(cudaMemcpy(is, at, (size_t)count * sizeof *is, cudaMemcpyDefault));
    EXPECT("there and back", is_like(is, was, count, (float)n));
  }
  free(was);
  free(is);
}

static void check_reals(void) {
  cufftHandle there, back;
  float *reals, was[N * BATCH], is[N * BATCH];
  cufftComplex *numbers;
  for (int i = 0; i < N * BATCH; i++)
    was[i] = (float)(i * 41 % 89) / 40 - 1;
  FINE(cufftPlan1d(&there, N, CUFFT_R2C, BATCH));
  move();
  FINE(cufftPlan1d(&back, N, CUFFT_C2R, BATCH));
  WORKS(cudaMalloc((void **)&reals, sizeof was));
  WORKS(cudaMalloc((void **)&numbers, (N / 2 + 1) * BATCH * sizeof *numbers));
  for (int i = 0; i < MOVES; i++) {
    WORKS(cudaMemcpy(reals, was, sizeof was, cudaMemcpyHostToDevice));
    FINE(cufftExecR2C(there, reals, numbers));
    move();
    FINE(cufftExecC2R(back, numbers, reals));
    WORKS(cudaMemcpy(is, reals, sizeof is, cudaMemcpyDeviceToHost));
    bool is_right = true;
    for (int k = 0; k < N * BATCH; k++)
      is_right = is_right && fabsf(is[k] - N * was[k]) < 0.05f;
    EXPECT("reals, there and back", is_right);
  }
  WORKS(cudaFree(numbers));
  WORKS(cudaFree(reals));
  FINE(cufftDestroy(there));
  FINE(cufftDestroy(back));
}

/* VkFFT takes several kernels, and works in an area. */
static void check_area(void) {
  cufftHandle plan;
  size_t bytes = 0;
  void *area = NULL;
  cufftComplex *at;
  FINE(cufftCreate(&plan));
  FINE(cufftSetAutoAllocation(plan, 0));
  FINE(cufftMakePlan1d(plan, LONG, CUFFT_C2C, 1, &bytes));
  WORKS(cudaMalloc(&area, bytes > 0 ? bytes : 1));
  WORKS(cudaMalloc((void **)&at, LONG * sizeof *at));
  FINE(cufftSetWorkArea(plan, area));
  check_pairs(plan, at, LONG, LONG);
  WORKS(cudaFree(at));
  WORKS(cudaFree(area));
  FINE(cufftDestroy(plan));
}

static void check_graph(cufftHandle plan, cufftComplex *at) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cufftComplex was[N * BATCH], is[N * BATCH];
  fill_with(was, N * BATCH);
  WORKS(cudaStreamCreate(&stream));
  FINE(cufftSetStream(plan, stream));
  WORKS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  FINE(cufftExecC2C(plan, at, at, CUFFT_FORWARD));
  FINE(cufftExecC2C(plan, at, at, CUFFT_INVERSE));
  WORKS(cudaStreamEndCapture(stream, &graph));
  WORKS(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 3; i++) {
    WORKS(cudaMemcpy(at, was, sizeof was, cudaMemcpyHostToDevice));
    WORKS(cudaGraphLaunch(executable, stream));
    move();
    WORKS(cudaStreamSynchronize(stream));
    WORKS(cudaMemcpy(is, at, sizeof is, cudaMemcpyDeviceToHost));
    EXPECT("captured", is_like(is, was, N * BATCH, N));
  }
  WORKS(cudaGraphExecDestroy(executable));
  WORKS(cudaGraphDestroy(graph));
  FINE(cufftSetStream(plan, NULL));
  WORKS(cudaStreamDestroy(stream));
}

/* ---- another thread moves --------------------------------------------------------------------------------- */

static atomic_bool is_over;

static void *move_on(void *context) {
  while (!atomic_load(&is_over))
    move();
  return context;
}

static void check_threads(cufftHandle plan, cufftComplex *at) {
  pthread_t mover;
  cufftComplex was[N * BATCH], is[N * BATCH];
  fill_with(was, N * BATCH);
  EXPECT("pthread_create", pthread_create(&mover, NULL, move_on, NULL) == 0);
  for (int i = 0; i < TRANSFORMS; i++) {
    WORKS(cudaMemcpy(at, was, sizeof was, cudaMemcpyHostToDevice));
    FINE(cufftExecC2C(plan, at, at, CUFFT_FORWARD));
    FINE(cufftExecC2C(plan, at, at, CUFFT_INVERSE));
    WORKS(cudaMemcpy(is, at, sizeof is, cudaMemcpyDeviceToHost));
    EXPECT("while it moves", is_like(is, was, N * BATCH, N));
  }
  atomic_store(&is_over, true);
  pthread_join(mover, NULL);
}

int main(void) {
  cufftHandle plan;
  cufftComplex *at, *pinned;
  setenv("VPTR_MIGRATE", "1", 1);
  WORKS(cudaMalloc((void **)&at, N * BATCH * sizeof *at));
  WORKS(cudaHostAlloc((void **)&pinned, N * BATCH * sizeof *pinned, cudaHostAllocMapped));
  FINE(cufftPlan1d(&plan, N, CUFFT_C2C, BATCH));
  check_pairs(plan, at, N, N * BATCH);
  check_pairs(plan, pinned, N, N * BATCH);
  check_reals();
  check_area();
  check_graph(plan, at);
  check_threads(plan, at);
  FINE(cufftDestroy(plan));
  WORKS(cudaFreeHost(pinned));
  WORKS(cudaFree(at));
  return verdict("test_fft_moves");
}
