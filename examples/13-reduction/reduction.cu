/* SPDX-License-Identifier: MIT */
/*
 * reduction - one sum in two ways, by shared memory and by shuffles, and where the largest number is, each checked
 * against the CPU.
 *
 *     nvcc or vptrcc -O2 -std=c++17 -o reduction reduction.cu && ./reduction
 */
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { N = 1000003, THREADS = 256, BLOCKS = 64, WARP = 32 };

static void check(cudaError_t error, const char *what) {
  if (error != cudaSuccess) {
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    exit(1);
  }
}
#define CHECK(call) check((call), #call)

/* What a thread has of all numbers: each of the grid's threads takes every so manieth. */
__device__ long long own_part(const int *in, int count) {
  long long sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    sum += in[i];
  return sum;
}

/* Halves of the block's numbers are added, again and again: log2(256) steps with a barrier behind each. */
__global__ void sum_by_shared_memory(const int *in, int count, unsigned long long *sum) {
  __shared__ long long parts[THREADS];
  parts[threadIdx.x] = own_part(in, count);
  __syncthreads();
  for (unsigned step = THREADS / 2; step > 0; step /= 2) {
    if (threadIdx.x < step)
      parts[threadIdx.x] += parts[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(sum, (unsigned long long)parts[0]);
}

__device__ long long sum_of_warp(long long own) {
  for (int step = WARP / 2; step > 0; step /= 2)
    own += __shfl_down_sync(~0u, own, step);
  return own; /* the whole sum in lane 0 */
}

/* Each warp without a barrier, then their sums by the first warp: one barrier in all. */
__global__ void sum_by_shuffles(const int *in, int count, unsigned long long *sum) {
  __shared__ long long parts[THREADS / WARP];
  const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  long long own = sum_of_warp(own_part(in, count));
  if (lane == 0)
    parts[warp] = own;
  __syncthreads();
  if (warp != 0)
    return;
  own = sum_of_warp(lane < THREADS / WARP ? parts[lane] : 0);
  if (lane == 0)
    atomicAdd(sum, (unsigned long long)own);
}

/* The first of the largest numbers. A number and its place go through the shuffles together, as one word whose order is
 * that of the numbers, and of places the other way round. */
__global__ void find_largest(const int *in, int count, unsigned long long *best) {
  unsigned long long own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const unsigned long long it = (unsigned long long)((unsigned)in[i] ^ 0x80000000u) << 32 | (unsigned)(count - i);
    own = it > own ? it : own;
  }
  for (int step = WARP / 2; step > 0; step /= 2) {
    const unsigned long long other = __shfl_xor_sync(~0u, own, step);
    own = other > own ? other : own;
  }
  if (threadIdx.x % WARP == 0)
    atomicMax(best, own);
}

static bool told(const char *what, long long seen, long long wanted) {
  printf("%-22s %lld, %s\n", what, seen, seen == wanted ? "as the CPU's" : "which is WRONG");
  return seen == wanted;
}

int main() {
  std::vector<int> in(N);
  long long sum = 0, largest = 0;
  unsigned random = 1;
  for (int i = 0; i < N; i++) {
    random = random * 1664525u + 1013904223u;
    in[i] = (int)(random >> 8) - (1 << 22);
    sum += in[i];
    largest = in[i] > in[largest] ? i : largest;
  }
  int *numbers;
  unsigned long long *results, seen[3];
  CHECK(cudaMalloc(&numbers, N * sizeof *numbers));
  CHECK(cudaMalloc(&results, sizeof seen));
  CHECK(cudaMemset(results, 0, sizeof seen));
  CHECK(cudaMemcpy(numbers, in.data(), N * sizeof *numbers, cudaMemcpyHostToDevice));
  sum_by_shared_memory<<<BLOCKS, THREADS>>>(numbers, N, &results[0]);
  sum_by_shuffles<<<BLOCKS, THREADS>>>(numbers, N, &results[1]);
  find_largest<<<BLOCKS, THREADS>>>(numbers, N, &results[2]);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(seen, results, sizeof seen, cudaMemcpyDeviceToHost));
  bool is_good = told("sum by shared memory", (long long)seen[0], sum);
  is_good &= told("sum by shuffles", (long long)seen[1], sum);
  is_good &= told("place of the largest", N - (long long)(seen[2] & 0xffffffffu), largest);
  CHECK(cudaFree(numbers));
  CHECK(cudaFree(results));
  return is_good ? 0 : 1;
}
