/* SPDX-License-Identifier: MIT */
/*
 * test_fft_memory - what cuFFT's calls do with memory that they cannot use, with managed and pinned memory, with work
 * areas, streams and threads: this library's own promises, beyond cuFFT's.
 *
 * One length for all, so that a driver that is slow at compiling has few kernels to build.
 */
#include "fft_check.h"

#include <pthread.h>

enum { N = 4, BATCH = 3 };

#define GIVES(result, call) EXPECT(#call, (call) == (result))
#define FINE(call) GIVES(CUFFT_SUCCESS, call)

static void check_bounds(cufftHandle plan) {
  cufftComplex *a, *gone, back[N * BATCH + 1];
  cudaMalloc((void **)&a, sizeof back);
  cudaMalloc((void **)&gone, 1 << 20);
  cudaFree(gone);
  cudaMemset(a, 0x11, sizeof back);
  GIVES(CUFFT_EXEC_FAILED, cufftExecC2C(plan, a + 2, a + 2, CUFFT_FORWARD));
  GIVES(CUFFT_EXEC_FAILED, cufftExecC2C(plan, a, a + 2, CUFFT_FORWARD));
  GIVES(CUFFT_EXEC_FAILED, cufftExecC2C(plan, gone, a, CUFFT_FORWARD));
  GIVES(CUFFT_EXEC_FAILED, cufftExecC2C(plan, a, gone, CUFFT_FORWARD));
  GIVES(CUFFT_INVALID_TYPE, cufftExecR2C(plan, (cufftReal *)a, a));
  EXPECT("cudaGetLastError", cudaGetLastError() == cudaSuccess);
  cudaMemcpy(back, a, sizeof back, cudaMemcpyDeviceToHost);
  for (size_t i = 0; i < sizeof back; i++)
    EXPECT("nothing was sent", ((char *)back)[i] == 0x11);
  cudaFree(a);
}

/* All numbers are 1: the first of each transform is their sum, and the others are 0. */
static bool is_of_ones(const cufftComplex *got) {
  bool is = true;
  for (int i = 0; i < N * BATCH; i++)
    is = is && fabsf(got[i].x - (i % N == 0 ? N : 0)) < 1e-6f && fabsf(got[i].y) < 1e-6f;
  return is;
}

static void fill_ones(cufftComplex *numbers) {
  for (int i = 0; i < N * BATCH; i++)
    numbers[i] = make_cuComplex(1, 0);
}

static void check_kinds(cufftHandle plan) {
  cufftComplex *managed, *pinned, *device, got[N * BATCH];
  cudaMallocManaged((void **)&managed, sizeof got, cudaMemAttachGlobal);
  cudaHostAlloc((void **)&pinned, sizeof got, cudaHostAllocMapped);
  cudaMalloc((void **)&device, sizeof got);
  fill_ones(managed);
  fill_ones(pinned);
  FINE(cufftExecC2C(plan, managed, device, CUFFT_FORWARD));
  cudaMemcpy(got, device, sizeof got, cudaMemcpyDeviceToHost);
  EXPECT("managed memory", is_of_ones(got));
  FINE(cufftExecC2C(plan, pinned, pinned, CUFFT_FORWARD));
  cudaDeviceSynchronize();
  EXPECT("pinned memory", is_of_ones(pinned));
  FINE(cufftExecC2C(plan, managed, managed, CUFFT_FORWARD));
  cudaDeviceSynchronize();
  EXPECT("managed memory in place", is_of_ones(managed));
  cudaFree(managed);
  cudaFreeHost(pinned);
  cudaFree(device);
}

/* Transforms that lie in columns are packed, so they work in memory of N * BATCH numbers. */
static void check_work_area(void) {
  int n[1] = { N };
  size_t size = 0;
  cufftHandle plan;
  cufftComplex *a, *area, got[N * BATCH], ones[N * BATCH];
  fill_ones(ones);
  cudaMalloc((void **)&a, sizeof got);
  FINE(cufftCreate(&plan));
  FINE(cufftSetAutoAllocation(plan, 0));
  FINE(cufftMakePlanMany(plan, 1, n, n, BATCH, 1, n, BATCH, 1, CUFFT_C2C, BATCH, &size));
  EXPECT("columns are packed", size >= sizeof got);
  GIVES(CUFFT_NO_WORKSPACE, cufftExecC2C(plan, a, a, CUFFT_FORWARD));
  cudaMalloc((void **)&area, size);
  FINE(cufftSetWorkArea(plan, area));
  cudaMemcpy(a, ones, sizeof got, cudaMemcpyHostToDevice);
  FINE(cufftExecC2C(plan, a, a, CUFFT_FORWARD));
  cudaMemcpy(got, a, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N * BATCH; i++)
    EXPECT("columns", fabsf(got[i].x - (i < BATCH ? N : 0)) < 1e-6f);
  FINE(cufftSetWorkArea(plan, (char *)area + 8));
  EXPECT("not aligned, or too short", cufftExecC2C(plan, a, a, CUFFT_FORWARD) != CUFFT_SUCCESS);
  cudaFree(area);
  FINE(cufftSetWorkArea(plan, area));
  GIVES(CUFFT_EXEC_FAILED, cufftExecC2C(plan, a, a, CUFFT_FORWARD));
  FINE(cufftDestroy(plan));
  cudaFree(a);
}

/* A stream that is gone is told, and one that is another's order is kept. */
static void check_streams(cufftHandle plan) {
  cudaStream_t stream;
  cufftComplex *a, got[N * BATCH], ones[N * BATCH];
  fill_ones(ones);
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMalloc((void **)&a, sizeof got);
  FINE(cufftSetStream(plan, stream));
  cudaMemcpyAsync(a, ones, sizeof got, cudaMemcpyHostToDevice, stream);
  FINE(cufftExecC2C(plan, a, a, CUFFT_FORWARD));
  cudaMemcpyAsync(got, a, sizeof got, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  EXPECT("in the stream's order", is_of_ones(got));
  cudaStreamDestroy(stream);
  GIVES(CUFFT_EXEC_FAILED, cufftExecC2C(plan, a, a, CUFFT_FORWARD));
  FINE(cufftSetStream(plan, NULL));
  FINE(cufftExecC2C(plan, a, a, CUFFT_FORWARD));
  cudaFree(a);
}

/* Threads with a plan of their own, and one that all share. */
static cufftHandle shared;

static void *transform_often(void *failed) {
  enum { ROUNDS = 8 };
  cufftHandle own;
  cufftComplex *a, got[N * BATCH], ones[N * BATCH];
  fill_ones(ones);
  bool is_good = cufftPlan1d(&own, N, CUFFT_C2C, BATCH) == CUFFT_SUCCESS;
  is_good = cudaMalloc((void **)&a, sizeof got) == cudaSuccess && is_good;
  for (int i = 0; i < ROUNDS && is_good; i++) {
    cudaMemcpy(a, ones, sizeof got, cudaMemcpyHostToDevice);
    is_good = cufftExecC2C(i % 2 == 0 ? own : shared, a, a, CUFFT_FORWARD) == CUFFT_SUCCESS;
    cudaMemcpy(got, a, sizeof got, cudaMemcpyDeviceToHost);
    is_good = is_good && is_of_ones(got);
  }
  is_good = cufftDestroy(own) == CUFFT_SUCCESS && is_good;
  cudaFree(a);
  *(bool *)failed = !is_good;
  return NULL;
}

static void check_threads(cufftHandle plan) {
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  bool failed[THREADS];
  shared = plan;
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, transform_often, &failed[i]);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    EXPECT("a thread", !failed[i]);
  }
}

int main(void) {
  cufftHandle plan;
  FINE(cufftPlan1d(&plan, N, CUFFT_C2C, BATCH));
  check_bounds(plan);
  check_kinds(plan);
  check_work_area();
  check_streams(plan);
  check_threads(plan);
  FINE(cufftDestroy(plan));
  return verdict("test_fft_memory");
}
