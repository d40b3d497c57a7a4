/* SPDX-License-Identifier: MIT */
/* variables - of the device, constant and managed ones: with content, written and read by the host, used by functions, and
 * tables of addresses. */
#include "check.h"

#include <cstring>

struct Pair {
  float a;
  double b;
};

__device__ int counter = 7;
__device__ float numbers[5] = { 1.5f, -2.5f, 3.0f };
__device__ Pair pair = { 0.25f, 1e100 };
static __device__ long long wide = -5;
__constant__ float table[256] = { 1, 2, 3, 4 };
__constant__ int scale = 3;
__device__ int grid[100][3];
__managed__ int managed = 11;
__managed__ float managed_row[4] = { 4, 3, 2, 1 };
__device__ int first_target = 21, second_target = 22;
__device__ int *const targets[2] = { &first_target, &second_target };
__device__ const char *const words[3] = { "one", "three", "five" };

__device__ __noinline__ int bump(int by) {
  return atomicAdd(&counter, by);
}

__global__ void use(double *out) {
  out[0] = counter;
  out[1] = numbers[1] + numbers[2] + numbers[4];
  out[2] = pair.a;
  out[3] = pair.b;
  out[4] = (double)wide;
  out[5] = table[3] + table[200];
  out[6] = scale;
  grid[7][2] = 72;
  grid[99][0] = 990;
  managed += 100;
  managed_row[2] = managed_row[0] + managed_row[1];
}

__global__ void count(int rounds) {
  for (int i = 0; i < rounds; i++)
    bump(1);
}

__global__ void sum_table(float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += table[i] * scale;
  out[threadIdx.x] = sum;
}

__global__ void follow(int *out) {
  out[0] = *targets[0] + *targets[1];
  int length = 0;
  for (const char *word = words[1]; *word != 0; word++)
    length++;
  out[1] = length;
}

template <class T> static T of(const T &symbol) {
  T value;
  GOES(cudaMemcpyFromSymbol(&value, symbol, sizeof value));
  return value;
}

int main() {
  double *out;
  GOES(cudaMalloc(&out, 10 * sizeof *out));
  CHECK(of(counter) == 7);
  use<<<1, 1>>>(out);
  GOES(cudaDeviceSynchronize());
  const double expected[] = { 7, 0.5, 0.25, 1e100, -5, 4, 3 };
  for (int i = 0; i < 7; i++)
    CHECK(value_at(out, i) == expected[i]);
  CHECK(managed == 111 && managed_row[2] == 7);
  int cells[100][3];
  GOES(cudaMemcpyFromSymbol(cells, grid, sizeof cells));
  CHECK(cells[7][2] == 72 && cells[99][0] == 990 && cells[0][0] == 0);

  count<<<10, 32>>>(5);
  CHECK(of(counter) == 7 + 10 * 32 * 5);
  int other = 1000;
  GOES(cudaMemcpyToSymbol(counter, &other, sizeof other));
  count<<<1, 1>>>(1);
  CHECK(of(counter) == 1001);
  void *address;
  size_t size;
  GOES(cudaGetSymbolAddress(&address, grid));
  GOES(cudaGetSymbolSize(&size, grid));
  CHECK(size == sizeof cells);
  GOES(cudaMemset(address, 1, size));
  GOES(cudaMemcpyFromSymbol(cells, grid, sizeof cells));
  CHECK(cells[50][1] == 0x01010101);

  float values[256], *sums;
  for (int i = 0; i < 256; i++)
    values[i] = (float)i;
  GOES(cudaMemcpyToSymbol(table, values, sizeof values));
  other = 2;
  GOES(cudaMemcpyToSymbol(scale, &other, sizeof other));
  GOES(cudaMalloc(&sums, 32 * sizeof *sums));
  sum_table<<<1, 32>>>(sums, 256);
  CHECK(value_at(sums, 31) == 255 * 256);
  const float half = 0.5f;
  GOES(cudaMemcpyToSymbol(table, &half, sizeof half, 4 * sizeof half));
  sum_table<<<1, 32>>>(sums, 256);
  CHECK(value_at(sums, 0) == 255 * 256 - 7);

  int *found;
  GOES(cudaMalloc(&found, 2 * sizeof *found));
  follow<<<1, 1>>>(found);
  CHECK(value_at(found, 0) == 43 && value_at(found, 1) == 5);
  managed = 1;
  use<<<1, 1>>>(out);
  GOES(cudaDeviceSynchronize());
  CHECK(managed == 101);
  return 0;
}
