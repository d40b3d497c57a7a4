/* SPDX-License-Identifier: MIT */
/*
 * warps - sums and scans by shared memory and by shuffles, and a loop of steps in one grid: microseconds a launch.
 *
 *     nvcc -O3 -std=c++17 warps.cu -o warps && ./warps 26       a line a kernel, on NVIDIA's runtime
 *     vptrcc -O3 -std=c++17 warps.cu -o warps && ./warps 20     the same lines, to be compared
 *
 * The number is the logarithm of the elements; the second, 15 if it is not given, how many samples a figure is the
 * median of. What came out is compared with the host's before anything is measured.
 */
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include "program.h"

namespace cg = cooperative_groups;

enum { BLOCK = 256, WARP = 32, WARPS = BLOCK / WARP, EACH = 8, STEPS = 1000 };

/* A block sums EACH elements of each thread, and adds its sum to the total. */
__global__ void sum_shared(const int *in, int n, int *total) {
  __shared__ int part[BLOCK];
  int t = threadIdx.x, sum = 0;
  for (int k = 0, i = blockIdx.x * BLOCK * EACH + t; k < EACH; k++, i += BLOCK)
    sum += i < n ? in[i] : 0;
  part[t] = sum;
  __syncthreads();
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (t < half)
      part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0)
    atomicAdd(total, part[0]);
}

__device__ int warp_sum(int value) {
  for (int offset = WARP / 2; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void sum_shuffles(const int *in, int n, int *total) {
  __shared__ int part[WARPS];
  int t = threadIdx.x, sum = 0;
  for (int k = 0, i = blockIdx.x * BLOCK * EACH + t; k < EACH; k++, i += BLOCK)
    sum += i < n ? in[i] : 0;
  sum = warp_sum(sum);
  if (t % WARP == 0)
    part[t / WARP] = sum;
  __syncthreads();
  if (t < WARP) {
    sum = warp_sum(t < WARPS ? part[t] : 0);
    if (t == 0)
      atomicAdd(total, sum);
  }
}

/* The inclusive scan of each block's own elements. */
__global__ void scan_shared(const int *in, int n, int *out) {
  __shared__ int part[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
  part[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int offset = 1; offset < BLOCK; offset *= 2) {
    int other = t >= offset ? part[t - offset] : 0;
    __syncthreads();
    part[t] += other;
    __syncthreads();
  }
  if (i < n)
    out[i] = part[t];
}

__global__ void scan_shuffles(const int *in, int n, int *out) {
  __shared__ int part[WARPS];
  int t = threadIdx.x, lane = t % WARP, warp = t / WARP, i = blockIdx.x * BLOCK + t;
  int value = i < n ? in[i] : 0;
  for (int offset = 1; offset < WARP; offset *= 2) {
    int other = __shfl_up_sync(0xffffffffu, value, offset);
    if (lane >= offset)
      value += other;
  }
  if (lane == WARP - 1)
    part[warp] = value;
  __syncthreads();
  int before = 0;
  for (int k = 0; k < warp; k++)
    before += part[k];
  if (i < n)
    out[i] = value + before;
}

/* STEPS steps of smoothing in one launch: all threads meet behind each. */
__global__ void steps_grid(float *from, float *to, int n) {
  cg::grid_group grid = cg::this_grid();
  for (int step = 0; step < STEPS; step++) {
    for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size())
      to[i] = 0.5f * from[i] + 0.25f * (from[i == 0 ? n - 1 : i - 1] + from[i == n - 1 ? 0 : i + 1]);
    grid.sync();
    float *swap = from;
    from = to;
    to = swap;
  }
}

static int n, samples;
static int *in, *out, *total;
static float *field;

static void row(const char *name, size_t elements, double microseconds) {
  printf("%-14s %12zu %12.2f\n", name, elements, microseconds);
  fflush(stdout);
}

static void expect(const char *name, bool holds) {
  if (holds)
    return;
  fprintf(stderr, "warps: %s: the result is not the host's\n", name);
  exit(1);
}

template <typename Kernel>
void measure_sum(const char *name, Kernel kernel, int expected) {
  int blocks = (n + BLOCK * EACH - 1) / (BLOCK * EACH), got = 0;
  must(cudaMemset(total, 0, sizeof(int)), name);
  kernel<<<blocks, BLOCK>>>(in, n, total);
  must(cudaMemcpy(&got, total, sizeof(int), cudaMemcpyDeviceToHost), name);
  expect(name, got == expected);
  row(name, n, median_of(name, samples, [&] { kernel<<<blocks, BLOCK>>>(in, n, total); }));
}

template <typename Kernel>
void measure_scan(const char *name, Kernel kernel, const std::vector<int> &expected) {
  int blocks = (n + BLOCK - 1) / BLOCK;
  std::vector<int> got(n);
  kernel<<<blocks, BLOCK>>>(in, n, out);
  must(cudaMemcpy(got.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost), name);
  expect(name, got == expected);
  row(name, n, median_of(name, samples, [&] { kernel<<<blocks, BLOCK>>>(in, n, out); }));
}

/* A field small enough for the caches, and a block for each multiprocessor, which every device has room for: what is
 * measured is the meeting. Its sum stays what it was. */
static void measure_grid() {
  const char *name = "steps in a grid";
  int count = 1 << 16, device = 0, processors = 0;
  must(cudaGetDevice(&device), name);
  must(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), name);
  int blocks = std::min(count / BLOCK, processors);
  std::vector<float> values(count, 0.0f);
  values[count / 2] = 1024.0f;
  must(cudaMemcpy(field, values.data(), count * sizeof(float), cudaMemcpyHostToDevice), name);
  float *from = field, *to = field + count;
  void *arguments[] = { &from, &to, &count };
  auto send = [&] {
    must(cudaLaunchCooperativeKernel((const void *)steps_grid, dim3(blocks), dim3(BLOCK), arguments, 0, NULL), name);
  };
  send();
  must(cudaMemcpy(values.data(), field, count * sizeof(float), cudaMemcpyDeviceToHost), name);
  double sum = 0;
  for (float value : values)
    sum += value;
  expect(name, sum > 1023.9 && sum < 1024.1 && values[count / 2] < 1024.0f);
  row(name, count, median_of(name, samples, send));
}

int main(int argc, char **argv) {
  int logarithm = argc > 1 ? atoi(argv[1]) : 20;
  samples = argc > 2 ? atoi(argv[2]) : 15;
  if (logarithm < 17 || logarithm > 30 || samples < 1) {
    fprintf(stderr, "usage: warps [LOGARITHM [SAMPLES]], LOGARITHM from 17 to 30\n");
    return 2;
  }
  n = 1 << logarithm;
  std::vector<int> values(n), scanned(n);
  int sum = 0, scan = 0;
  for (int i = 0; i < n; i++) {
    values[i] = i % 7 - 3;
    sum += values[i];
    scan = i % BLOCK == 0 ? values[i] : scan + values[i];
    scanned[i] = scan;
  }
  must(cudaMalloc((void **)&in, n * sizeof(int)), "cudaMalloc");
  must(cudaMalloc((void **)&out, n * sizeof(int)), "cudaMalloc");
  must(cudaMalloc((void **)&total, sizeof(int)), "cudaMalloc");
  must(cudaMalloc((void **)&field, (2 << 16) * sizeof(float)), "cudaMalloc");
  must(cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice), "cudaMemcpy");
  printf("%-14s %12s %12s\n", "kernel", "elements", "us");
  measure_sum("sum, shared", sum_shared, sum);
  measure_sum("sum, shuffles", sum_shuffles, sum);
  measure_scan("scan, shared", scan_shared, scanned);
  measure_scan("scan, shuffles", scan_shuffles, scanned);
  measure_grid();
  must(cudaFree(field), "cudaFree");
  must(cudaFree(total), "cudaFree");
  must(cudaFree(out), "cudaFree");
  must(cudaFree(in), "cudaFree");
  return 0;
}
