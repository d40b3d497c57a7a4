/* SPDX-License-Identifier: MIT */
/*
 * relocatable_main - C++ in a program of relocatable device code: what one file defines, kernels of the other use, in
 * both directions. relocatable_plain.cu is the other, in C.
 */
#include "check.h"
#include "relocatable.h"

template <class T> __device__ T twice(T x) { return x + x; }

static __device__ int mine = 100;
static __global__ void change(int *x) { x[threadIdx.x] += mine; }

struct scaled {
  float by;
  __device__ float operator()(float x) const { return plain_add(x * by, factors[1]); }
};
template <class F> __global__ void apply(float *x, F f) { x[threadIdx.x] = f(x[threadIdx.x]); }

__device__ float cxx_twice(float x) { return twice(x); }
extern "C" __device__ int cxx_largest(const int *x, int n) {
  int most = x[0];
  for (int i = 1; i < n; i++)
    most = x[i] > most ? x[i] : most;
  return most;
}
__global__ void from_cxx(int *x, amount a) {
  x[threadIdx.x] = twice(a.value) + (int)threadIdx.x;
  if (threadIdx.x == 0)
    atomicAdd(&launches, 1);
}

static void across(items<int, 32> &x) {
  plain::fill<<<1, 32>>>(x.device, amount{ 0.5f, 7 });
  x.fetch();
  EXPECT_EACH(32, x[i] == 7 + i);
  void (*by_address)(int *, amount) = plain::fill;
  by_address<<<1, 32>>>(x.device, amount{ 0, 20 });
  x.fetch();
  EXPECT_EACH(32, x[i] == 20 + i);
  cudaFuncAttributes attributes;
  CALL(cudaFuncGetAttributes(&attributes, plain::fill));
  plain_starts_cxx(x.device);
  x.fetch();
  EXPECT_EACH(32, x[i] == 18 + i);
}

static void of_each_file(items<int, 32> &x) {
  int value = 1000, seen = 0;
  memset(x.host, 0, sizeof x.host);
  x.send();
  CALL(cudaMemcpyToSymbol(mine, &value, sizeof value));
  change<<<1, 32>>>(x.device);
  plain_changes(x.device, 5);
  x.fetch();
  EXPECT_EACH(32, x[i] == 1000 - 5);
  CALL(cudaMemcpyFromSymbol(&seen, mine, sizeof seen));
  EXPECT(seen == 1000);
}

int main() {
  items<int, 32> x;
  items<float, 32> f;
  float given[4] = { 1, 10, 100, 1000 };
  CALL(cudaMemcpyToSymbol(factors, given, sizeof given));
  for (int i = 0; i < 32; i++)
    f.host[i] = (float)i;
  f.send();
  apply<<<1, 32>>>(f.device, scaled{ 3 });
  f.fetch();
  EXPECT_EACH(32, f[i] == (float)i * 3 + 10);
  across(x);
  of_each_file(x);
  plain_sums(x.device);
  x.fetch();
  EXPECT_EACH(32, x[i] == 2 * 31 + 31);
  CALL(cudaDeviceSynchronize());
  EXPECT(launches == 3);
  return result();
}
