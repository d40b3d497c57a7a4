// SPDX-License-Identifier: MIT
// together_library - a library with kernels in C++, of which a process has several: RUN is the function to call, FACTOR what its
// own kernels multiply by. 0: all is as it should be, else what failed first.
#ifndef FACTOR
#define FACTOR 2
#endif

namespace {

// Another one in each library, under the same name.
template <typename T> struct times {
  T factor;
  __device__ T operator()(T x) const { return factor * x; }
};

__device__ int launches;

template <typename T> __global__ void same(T *a, times<T> by) {
  a[threadIdx.x] = by(a[threadIdx.x]) + FACTOR;
  if (threadIdx.x == 0)
    atomicAdd(&launches, 1);
}

}

// The same one in each: linkers keep one of its stubs.
template <typename T> __global__ void added(T *a, T value) {
  a[threadIdx.x] += value;
}

extern "C" int RUN(int n) {
  static int before;
  int host[64], *a = nullptr, counted = 0;
  for (int i = 0; i < 64; i++)
    host[i] = i + n;
  if (cudaMalloc((void **)&a, sizeof host) != cudaSuccess ||
      cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice) != cudaSuccess)
    return 1;
  same<int><<<1, 64>>>(a, times<int>{ FACTOR });
  added<int><<<1, 64>>>(a, 7);
  if (cudaGetLastError() != cudaSuccess)
    return 2;
  if (cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess || cudaFree(a) != cudaSuccess)
    return 3;
  for (int i = 0; i < 64; i++)
    if (host[i] != FACTOR * (i + n) + FACTOR + 7)
      return 4;
  if (cudaMemcpyFromSymbol(&counted, launches, sizeof counted) != cudaSuccess || counted != ++before)
    return 5;
  return 0;
}
