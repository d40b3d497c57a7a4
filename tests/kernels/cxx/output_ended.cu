/* SPDX-License-Identifier: MIT */
/*
 * output_ended - a failed assertion and a trap end the block, in C++ too: where threads exchange values in warps, meet at
 * barriers under conditions, or meet other blocks, no thread of the block does anything behind the failure. Where one
 * work-item runs a block (VPTR_THREADS); elsewhere only the error is asked for.
 */
/* again: VPTR_THREADS=items */
#include "check.h"

#include <assert.h>
#include <cooperative_groups.h>
#include <unistd.h>

enum { THREADS = 64, FAILING = 37 };

static bool ends_block;

/* Each thread writes how far it came. */
struct record {
  int *to;
  __device__ record &operator=(int value) {
    *to = value;
    return *this;
  }
};

template <class T> __device__ __noinline__ T checked(T value, int t) {
  assert(t != FAILING);
  return value;
}

__global__ void plain(int *to) {
  int t = (int)threadIdx.x;
  to[t] = 1;
  record{ to + checked(t, t) } = 2;
}

/* Threads stop at the shuffle; those of the second warp are behind it when one of them fails. */
__global__ void in_warp(int *to) {
  int t = (int)threadIdx.x;
  to[t] = 1;
  int other = __shfl_xor_sync(0xffffffffu, t, 1);
  assert(other != (FAILING ^ 1));
  to[t] = 2 + (other == (t ^ 1));
  __syncwarp();
  to[t] = 4;
}

__global__ void at_barrier(int *to, int n) {
  __shared__ int seen[THREADS];
  int t = (int)threadIdx.x;
  seen[t] = 1;
  __syncthreads();
  to[t] = seen[t ^ 1];
  for (int i = 0; i < n; i++) {
    to[t] += checked(1, t);
    __syncthreads();
  }
  to[t] = 7;
}

/* Not all threads reach one barrier: each is in a state of its own. */
__global__ void parted(int *to) {
  int t = (int)threadIdx.x;
  to[t] = 1;
  if (t < 32) {
    __syncthreads();
    to[t] = 2;
  } else {
    if (t == FAILING)
      __trap();
    to[t] = 3;
    __syncthreads();
    to[t] = 4;
  }
}

__global__ void in_grid(int *to) {
  int t = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  to[t] = 1;
  cooperative_groups::this_grid().sync();
  assert(t != FAILING);
  to[t] = 2;
  cooperative_groups::this_grid().sync();
  to[t] = 3;
}

static int *begin() {
  int *steps;
  CALL(cudaMallocManaged(&steps, THREADS * sizeof *steps));
  memset(steps, 0, THREADS * sizeof *steps);
  return steps;
}

/* What threads before the one that fails came to, that one, and those behind. */
static void end(const int *steps, cudaError_t error, int before, int at, int behind) {
  EXPECT(cudaDeviceSynchronize() == error);
  EXPECT(cudaDeviceSynchronize() == error);
  if (ends_block)
    EXPECT_EACH(THREADS, steps[i] == (i < FAILING ? before : i == FAILING ? at : behind));
  CALL(cudaDeviceReset());
}

int main() {
  const char *threads = getenv("VPTR_THREADS"), *backend = getenv("VPTR_TEST_BACKEND");
  ends_block = (!threads || strcmp(threads, "items") != 0) && backend && strcmp(backend, "pocl") == 0;
  FILE *elsewhere = tmpfile();
  int errors = dup(2);
  dup2(fileno(elsewhere), 2);
  int *steps = begin();
  plain<<<1, THREADS>>>(steps);
  end(steps, cudaErrorAssert, 2, 1, 0);
  steps = begin();
  in_warp<<<1, THREADS>>>(steps);
  EXPECT(cudaDeviceSynchronize() == cudaErrorAssert);
  EXPECT(steps[FAILING] == 1 && steps[FAILING + 1] == 1);
  CALL(cudaDeviceReset());
  steps = begin();
  at_barrier<<<1, THREADS>>>(steps, 2);
  end(steps, cudaErrorAssert, 2, 1, 1);
  steps = begin();
  parted<<<1, THREADS>>>(steps);
  EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  EXPECT_EACH(THREADS, steps[i] == (i < 32 ? 1 : i < FAILING ? 3 : i == FAILING ? 1 : 0)); /* states in all forms */
  CALL(cudaDeviceReset());
  steps = begin();
  void *arguments[] = { &steps };
  CALL(cudaLaunchCooperativeKernel((void *)in_grid, dim3(4), dim3(THREADS / 4), arguments, 0, nullptr));
  end(steps, cudaErrorAssert, 2, 1, 1);
  char text[4096] = "";
  dup2(errors, 2);
  rewind(elsewhere);
  EXPECT(fread(text, 1, sizeof text - 1, elsewhere) > 0);
  EXPECT(strstr(text, "in_warp(int *): block: [0,0,0], thread: [37,0,0] Assertion `other") != nullptr);
  EXPECT(strstr(text, "in_grid(int *): block: [2,0,0], thread: [5,0,0] Assertion `t") != nullptr);
  if (result() != 0)
    fputs(text, stderr); /* and what was not so */
  return result();
}
