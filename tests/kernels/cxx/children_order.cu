/* SPDX-License-Identifier: MIT */
/* children_order - streams of kernels: default, made, tail-launch and fire-and-forget ones; work of the host's behind a parent,
 * how deep children go, and what is told of too many and of wrong ones. */
#include "check.h"

/* A log of numbers: log[0] counts. */
__global__ void note(int *log, int number) { log[atomicAdd(&log[0], 1) + 1] = number; }

/* What comes behind a launch may run beside it. */
__global__ void note_with_child(int *log, int number) {
  log[atomicAdd(&log[0], 1) + 1] = number;
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, number + 2);
  note<<<1, 1>>>(log, number + 1);
  note<<<1, 1, 0, cudaStreamFireAndForget>>>(log + 100, number);
}

__global__ void note_in_order(int *log) {
  cudaStream_t stream;
  if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess)
    return;
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 50);
  note_with_child<<<1, 1, 0, stream>>>(log, 20);
  note_with_child<<<1, 1, 0, stream>>>(log, 30);
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 51);
  note<<<1, 1, 0, stream>>>(log, cudaGetLastError() == cudaSuccess ? 40 : 41);
  cudaStreamDestroy(stream);
}

static void check_order() {
  const int wanted[] = { 20, 21, 22, 30, 31, 32, 40, 50, 51, 60 };
  items<int, 128> log;
  note_in_order<<<1, 1>>>(log.device);
  note<<<1, 1>>>(log.device, 60);
  log.fetch();
  EXPECT(log[0] == 10);
  EXPECT_EACH(10, log[1 + i] == wanted[i]);
  EXPECT(log[100] == 2);
}

template <int STEP> __global__ void descend(int *deepest, int level, int last) {
  atomicMax(deepest, level);
  if (level < last)
    descend<STEP><<<1, 1>>>(deepest, level + STEP, last);
}

static void check_depth() {
  items<int, 1> deepest;
  descend<2><<<1, 1>>>(deepest.device, 0, 20);
  deepest.fetch();
  EXPECT(deepest[0] == 20);
}

__global__ void add_one(int *sum) { atomicAdd(sum, 1); }

__global__ void launch_many(int *sum, int *error) {
  add_one<<<1, 1>>>(sum);
  if (cudaPeekAtLastError() != cudaSuccess)
    *error = cudaGetLastError();
}

static void check_many() {
  items<int, 2> sums;
  CALL(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 40));
  launch_many<<<2, 20>>>(sums.device, sums.device + 1);
  sums.fetch();
  EXPECT(sums[0] == 40);
  EXPECT(sums[1] == cudaSuccess);
}

int main() {
  check_order();
  check_depth();
  check_many();
  return result();
}
