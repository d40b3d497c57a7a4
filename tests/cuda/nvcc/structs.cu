/* SPDX-License-Identifier: MIT */
/* structs - by value, with pointers in them, nested, beside numbers that look like halves of addresses. */
#include "check.h"

struct View {
  const float *data;
  int rows, columns;
};

struct Work {
  View in[2];
  float *out;
  unsigned low, high;
  char tag;
  double weight;
};

__global__ void add(Work work, int unused) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = work.in[0].rows * work.in[0].columns;
  if (i < n)
    work.out[i] = work.in[0].data[i] + (float)(work.weight * work.in[1].data[i]) + work.tag + unused;
  if (i == 0)
    work.out[n] = (float)work.low, work.out[n + 1] = (float)work.high;
}

/* The parameter's own address is taken. */
__device__ __noinline__ float pick(const Work *work, int which, int i) {
  return work->in[which].data[i];
}

__global__ void choose(const __grid_constant__ Work work, int which) {
  work.out[threadIdx.x] = pick(&work, which, threadIdx.x);
}

struct Adder {
  float *to;
  float by;
  __device__ void operator()(int i) const { to[i] += by; }
};

template <class F> __global__ void each(F f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    f(i);
}

int main() {
  enum { N = 64 };
  float x[N], y[N], z[N + 2] = { 0 };
  for (int i = 0; i < N; i++)
    x[i] = (float)i, y[i] = 100.0f * i;
  float *dx = device_copy(x, N), *dy = device_copy(y, N), *dz = device_copy(z, N + 2);
  const unsigned high = (unsigned)((size_t)dx >> 32), low = (unsigned)(size_t)dx;
  const Work work = { { { dx, 8, 8 }, { dy, 8, 8 } }, dz, low, high, 5, 0.5 };
  add<<<2, 32>>>(work, 1);
  for (int i = 0; i < N; i += 9)
    CHECK(value_at(dz, i) == x[i] + 0.5f * y[i] + 6);
  CHECK(value_at(dz, N) == (float)low && value_at(dz, N + 1) == (float)high);
  choose<<<1, N>>>(work, 1);
  CHECK(value_at(dz, 3) == 300);
  choose<<<1, N>>>(work, 0);
  CHECK(value_at(dz, 3) == 3);
  each<<<2, 32>>>(Adder{ dz, 0.25f }, N);
  CHECK(value_at(dz, 3) == 3.25f);
  float *captured = dz;
  int by = 2;
  each<<<2, 32>>>([=] __device__(int i) { captured[i] *= by; }, N);
  CHECK(value_at(dz, 3) == 6.5f);
  return 0;
}
