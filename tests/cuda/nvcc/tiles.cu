/* SPDX-License-Identifier: MIT */
/* tiles - static shared memory, dynamic shared memory of several sizes, both, and a bound on threads. */
#include "check.h"

#include <vector>

constexpr int TILE = 16;

__global__ void multiply(const float *a, const float *b, float *c, int n) {
  __shared__ float as[TILE][TILE + 1], bs[TILE][TILE + 1];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += TILE) {
    as[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < TILE; k++)
      sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

extern __shared__ int dynamic[];

__global__ void reverse(int *values, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    dynamic[i] = values[i];
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    values[i] = dynamic[count - 1 - i];
}

__device__ __noinline__ double sum_of(int count) {
  double *numbers = reinterpret_cast<double *>(dynamic), sum = 0;
  for (int i = 0; i < count; i++)
    sum += numbers[i];
  return sum;
}

__global__ void __launch_bounds__(64) both(double *out, int count) {
  __shared__ int first;
  double *numbers = reinterpret_cast<double *>(dynamic);
  if (threadIdx.x == 0)
    first = 100;
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    numbers[i] = i;
  __syncthreads();
  if (threadIdx.x == 0)
    *out = sum_of(count) + first;
}

static void check_multiply() {
  const int n = 128;
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; i++)
    a[i] = (float)(i % 7), b[i] = (float)(i % 5);
  float *da = device_copy(a.data(), a.size()), *db = device_copy(b.data(), b.size()), *dc = device_copy(c.data(), c.size());
  multiply<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(da, db, dc, n);
  GOES(cudaMemcpy(c.data(), dc, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      CHECK(c[i * n + j] == sum);
    }
}

static void check_reverse(int count) {
  std::vector<int> values(count);
  for (int i = 0; i < count; i++)
    values[i] = i * i;
  int *memory = device_copy(values.data(), count);
  reverse<<<1, 96, count * sizeof(int)>>>(memory, count);
  GOES(cudaMemcpy(values.data(), memory, count * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < count; i++)
    CHECK(values[i] == (count - 1 - i) * (count - 1 - i));
  GOES(cudaFree(memory));
}

int main() {
  check_multiply();
  for (int count : { 1, 64, 100, 1000, 1001, 5000, 12288 })
    check_reverse(count);
  double *out, zero = 0;
  out = device_copy(&zero, 1);
  for (int count : { 10, 1000 }) {
    both<<<1, 64, count * sizeof(double)>>>(out, count);
    CHECK(value_at(out, 0) == count * (count - 1) / 2 + 100);
  }
  both<<<1, 65, 80>>>(out, 10);
  CHECK(cudaGetLastError() != cudaSuccess);
  reverse<<<1, 32, 1 << 20>>>(nullptr, 0);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  return 0;
}
