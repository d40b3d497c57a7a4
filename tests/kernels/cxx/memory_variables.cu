/* SPDX-License-Identifier: MIT */
/* memory_variables - __device__ and __constant__ variables: structs, arrays, of templates, of namespaces, by symbol. */
#include "check.h"

struct setting {
  int mode;
  double scale[2];
};
__constant__ setting constants;
__device__ setting variable = { 3, { 0.5, 0.25 } };
__device__ int table[4][3] = { { 1, 2, 3 }, { 4 }, {}, { 7, 8, 9 } };
__device__ unsigned calls;
template <class T> __device__ T last = T(5);
namespace inner {
__constant__ float factors[4] = { 1, 2, 4, 8 };
}
template <class T> struct reader {
  static __device__ T value(int i) { return T(inner::factors[i % 4]) + last<T>; }
};

template <class T> __global__ void run(double *out) {
  int i = (int)threadIdx.x;
  atomicAdd(&calls, 1u);
  out[i] = constants.mode * constants.scale[i % 2] + variable.scale[1] + table[i % 4][i % 3] + double(reader<T>::value(i));
  __syncthreads();
  if (i == 0)
    variable.mode++, last<T> = T(50);
}

int main() {
  items<double, 12> out;
  setting given = { 10, { 2, 3 } }, seen;
  CALL(cudaMemcpyToSymbol(constants, &given, sizeof given));
  CALL(cudaMemcpyFromSymbol(&seen, variable, sizeof seen));
  EXPECT(seen.mode == 3 && seen.scale[0] == 0.5);
  float other = 7;
  CALL(cudaMemcpyToSymbol(last<float>, &other, sizeof other));
  const int rows[4][3] = { { 1, 2, 3 }, { 4 }, {}, { 7, 8, 9 } };
  run<float><<<1, 12>>>(out.device);
  out.fetch();
  EXPECT_EACH(12, out[i] == 20 + i % 2 * 10 + 0.25 + rows[i % 4][i % 3] + (1 << i % 4) + 7);
  run<int><<<1, 12>>>(out.device);
  CALL(cudaMemcpyFromSymbol(&seen, variable, sizeof seen));
  CALL(cudaMemcpyFromSymbol(&other, last<float>, sizeof other));
  unsigned count = 0;
  CALL(cudaMemcpyFromSymbol(&count, calls, sizeof count));
  EXPECT(seen.mode == 5 && other == 50 && count == 24);
  void *address = nullptr;
  size_t size = 0;
  CALL(cudaGetSymbolAddress(&address, table));
  CALL(cudaGetSymbolSize(&size, table));
  EXPECT(address != nullptr && size == sizeof(int) * 12);
  return result();
}
