/* SPDX-License-Identifier: MIT */
/* kernels_by_pointer - pointers to kernels on the host: tables, choices, cudaLaunchKernel, attributes of instances. */
#include "check.h"

template <class T> __global__ void add(T *x, T by) {
  x[blockIdx.x * blockDim.x + threadIdx.x] += by;
}
template <class T> __global__ void multiply(T *x, T by) {
  x[blockIdx.x * blockDim.x + threadIdx.x] *= by;
}
template <class T> __global__ void __launch_bounds__(64) subtract(T *x, T by) {
  x[blockIdx.x * blockDim.x + threadIdx.x] -= by;
}

template <class T> void check() {
  using kernel = void (*)(T *, T);
  const kernel table[] = { add<T>, multiply<T>, subtract<T>, &add<T> };
  items<T, 64> x;
  T wanted = 0;
  for (int i = 0; i < 4; i++) {
    T by = T(i + 2);
    table[i]<<<2, 32>>>(x.device, by);
    wanted = i == 1 ? wanted * by : i == 2 ? wanted - by : wanted + by;
  }
  T by = 10;
  void *arguments[] = { &x.device, &by };
  kernel last = x.device == nullptr ? multiply<T> : add<T>;
  CALL(cudaLaunchKernel((const void *)last, dim3(4), dim3(16), arguments, 0, nullptr));
  CALL(cudaLaunchKernel(subtract<T>, dim3(4), dim3(16), arguments, 0, nullptr));
  x.fetch();
  EXPECT_EACH(64, x[i] == wanted);
  EXPECT(table[0] == table[3] && table[0] != table[1]);
  cudaFuncAttributes attributes;
  CALL(cudaFuncGetAttributes(&attributes, subtract<T>));
  EXPECT(attributes.maxThreadsPerBlock == 64);
  int blocks = 0;
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, multiply<T>, 32, 0));
  EXPECT(blocks > 0);
}

int main() {
  check<int>();
  check<float>();
  check<double>();
  return result();
}
