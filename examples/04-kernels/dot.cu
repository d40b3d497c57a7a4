/* SPDX-License-Identifier: MIT */
/* dot - dot products by several host threads at once, each on a stream of its own, with pinned memory and copies that do
 * not wait. A block adds up its part in shared memory; the host adds the blocks' sums. */
#include "check.h"

#include <thread>
#include <vector>

enum { LENGTH = 100003, THREADS = 4, BLOCK = 256, BLOCKS = (LENGTH + BLOCK - 1) / BLOCK };

__global__ void dot_of_block(const float *x, const float *y, float *sums, int length) {
  __shared__ float part[BLOCK];
  unsigned i = blockIdx.x * BLOCK + threadIdx.x;
  part[threadIdx.x] = i < length ? x[i] * y[i] : 0;
  __syncthreads();
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = part[0];
}

/* One of the threads: its own vectors, stream and result. */
static void work(int number, double *result) {
  float *x, *y, *sums, *on_device;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocHost((void **)&x, LENGTH * sizeof *x));
  CHECK(cudaMallocHost((void **)&y, LENGTH * sizeof *y));
  CHECK(cudaMallocHost((void **)&sums, BLOCKS * sizeof *sums));
  for (int i = 0; i < LENGTH; i++) {
    x[i] = (float)((i + number) % 5);
    y[i] = (float)(i % 3) - 1;
  }
  CHECK(cudaMalloc((void **)&on_device, (2 * LENGTH + BLOCKS) * sizeof *on_device));
  float *second = on_device + LENGTH, *third = second + LENGTH;
  CHECK(cudaMemcpyAsync(on_device, x, LENGTH * sizeof *x, cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemcpyAsync(second, y, LENGTH * sizeof *y, cudaMemcpyHostToDevice, stream));
  dot_of_block<<<BLOCKS, BLOCK, 0, stream>>>(on_device, second, third, LENGTH);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpyAsync(sums, third, BLOCKS * sizeof *sums, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  *result = 0;
  for (int i = 0; i < BLOCKS; i++)
    *result += sums[i];
  CHECK(cudaFree(on_device));
  CHECK(cudaFreeHost(sums));
  CHECK(cudaFreeHost(y));
  CHECK(cudaFreeHost(x));
  CHECK(cudaStreamDestroy(stream));
}

/* All values are small integers, so every order of adding gives the same. */
static double dot_on_host(int number) {
  double sum = 0;
  for (int i = 0; i < LENGTH; i++)
    sum += ((i + number) % 5) * (double)(i % 3 - 1);
  return sum;
}

int main() {
  double results[THREADS];
  std::vector<std::thread> threads;
  for (int i = 0; i < THREADS; i++)
    threads.emplace_back(work, i, &results[i]);
  for (auto &thread : threads)
    thread.join();
  int wrong = 0;
  for (int i = 0; i < THREADS; i++)
    wrong += results[i] != dot_on_host(i);
  return verdict("dot", wrong);
}
