/* SPDX-License-Identifier: MIT */
/* grids - grids and blocks of three dimensions, large grids, __launch_bounds__, streams, the clock. */
#include "kernels.h"

__global__ void where(unsigned long long *out, dim3 grid, dim3 block) {
  unsigned long long at = ((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x);
  at = at * (blockDim.x * blockDim.y * blockDim.z) + (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  bool right = gridDim.x == grid.x && gridDim.y == grid.y && gridDim.z == grid.z && blockDim.x == block.x &&
               blockDim.y == block.y && blockDim.z == block.z && warpSize == 32;
  out[at] = right ? at * 3 + 1 : 0;
}

static void shapes(void) {
  const dim3 grids[] = { dim3(1), dim3(5, 3, 2), dim3(2, 7), dim3(1, 1, 9) };
  const dim3 blocks[] = { dim3(1), dim3(4, 3, 5), dim3(1, 1, 6), dim3(33) };
  unsigned long long *out, *seen = (unsigned long long *)malloc(65536 * sizeof *seen);
  CHECK(cudaMalloc((void **)&out, 65536 * sizeof *out));
  for (int i = 0; i < 4; i++) {
    dim3 grid = grids[i], block = blocks[(i * 3 + 1) % 4];
    unsigned count = grid.x * grid.y * grid.z * block.x * block.y * block.z;
    CHECK(cudaMemset(out, 0, 65536 * sizeof *out));
    where<<<grid, block>>>(out, grid, block);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(seen, out, 65536 * sizeof *out, cudaMemcpyDeviceToHost));
    for (unsigned k = 0; k < 65536; k++)
      EXPECT(seen[k], k < count ? k * 3ull + 1 : 0);
  }
  CHECK(cudaFree(out));
  free(seen);
}

__global__ void count_up(unsigned long long *sum, unsigned *most) {
  if (threadIdx.x == 0 && blockIdx.x % 1000 == 7)
    atomicAdd(sum, (unsigned long long)blockIdx.x + blockIdx.y);
  if (blockIdx.x == gridDim.x - 1)
    atomicMax(most, blockIdx.x);
}

static void large(void) {
  const unsigned blocks = 300000;
  unsigned long long *sum, seen[2], expected = 0;
  CHECK(cudaMalloc((void **)&sum, sizeof seen));
  CHECK(cudaMemset(sum, 0, sizeof seen));
  count_up<<<dim3(blocks, 2), 1>>>(sum, (unsigned *)(sum + 1));
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(seen, sum, sizeof seen, cudaMemcpyDeviceToHost));
  for (unsigned i = 7; i < blocks; i += 1000)
    expected += 2 * i + 1;
  EXPECT(seen[0], expected);
  EXPECT((unsigned)seen[1], blocks - 1);
  CHECK(cudaFree(sum));
}

/* ---- bounds, and faults ---------------------------------------------------------------------------------- */

__global__ void __launch_bounds__(64, 2) bounded(int *out) { out[threadIdx.x] = threadIdx.x; }

static void bounds(void) {
  int *out, seen[64];
  CHECK(cudaMalloc((void **)&out, sizeof seen));
  bounded<<<1, 64>>>(out);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  EXPECT(seen[63], 63);
  bounded<<<0, 64>>>(out);
  EXPECT(cudaGetLastError(), cudaErrorInvalidValue);
  int most;
  CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerBlock, 0));
  bounded<<<1, dim3(most, 2)>>>(out);
  EXPECT(cudaGetLastError(), cudaErrorInvalidValue);
  bounded<<<1, 32, 1 << 30>>>(out);
  EXPECT(cudaGetLastError(), cudaErrorInvalidValue);
  struct cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, bounded));
  EXPECT(attributes.maxThreadsPerBlock, 64);
  CHECK(cudaFree(out));
}

/* ---- order in streams ------------------------------------------------------------------------------------ */

__global__ void step(int *value, int by) { *value = *value * 3 + by; }

static void streams(void) {
  cudaStream_t stream[2];
  int *values, seen[2], expected = 1;
  CHECK(cudaMalloc((void **)&values, sizeof seen));
  for (int s = 0; s < 2; s++) {
    CHECK(cudaStreamCreate(&stream[s]));
    CHECK(cudaMemsetAsync(values + s, 0, sizeof(int), stream[s]));
  }
  expected = 0;
  for (int i = 0; i < 15; i++) {
    for (int s = 0; s < 2; s++)
      step<<<1, 1, 0, stream[s]>>>(values + s, i);
    expected = expected * 3 + i;
  }
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(seen, values, sizeof seen, cudaMemcpyDeviceToHost));
  EXPECT(seen[0], expected);
  EXPECT(seen[1], expected);
  for (int s = 0; s < 2; s++)
    CHECK(cudaStreamDestroy(stream[s]));
  CHECK(cudaFree(values));
}

/* ---- clock ----------------------------------------------------------------------------------------------- */

__global__ void ticks(long long *out, volatile int *memory) {
  long long begin = clock64();
  for (int i = 0; i < 1000; i++)
    *memory = *memory + 1;
  out[0] = clock64() - begin;
  clock_t shorter = clock();
  out[1] = shorter != 0;
}

static void clocks(void) {
  long long *out, seen[2];
  CHECK(cudaMalloc((void **)&out, sizeof seen + sizeof(int)));
  ticks<<<1, 1>>>(out, (int *)(out + 2));
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  EXPECT(seen[0] > 0, 1);
  CHECK(cudaFree(out));
}

int main(void) {
  shapes();
  large();
  bounds();
  streams();
  clocks();
  return verdict("grids");
}
