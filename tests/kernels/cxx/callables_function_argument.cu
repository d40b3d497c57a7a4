/* SPDX-License-Identifier: MIT */
/*
 * callables_function_argument - pointers to device functions that the host reads from variables, and gives to kernels as
 * arguments and in memory.
 */
#include "check.h"
typedef int (*function)(int);
__device__ int twice(int x) {
  return 2 * x;
}
__device__ int square(int x) {
  return x * x;
}
__device__ int less(int x) {
  return x - 3;
}
__device__ function third = less;
__device__ function chosen = square;
__device__ function other = twice;
__global__ void apply(int *a, function f) {
  a[threadIdx.x] = f ? f(a[threadIdx.x]) : -1;
}
__global__ void by_table(int *a, function *f) {
  a[threadIdx.x] = f[threadIdx.x & 1](a[threadIdx.x]);
}
int main() {
  items<int, 32> a;
  function f, g, both[2], *there;
  for (int i = 0; i < 32; i++)
    a.host[i] = i;
  a.send();
  CALL(cudaMemcpyFromSymbol(&f, chosen, sizeof f));
  CALL(cudaMemcpyFromSymbol(&g, other, sizeof g));
  apply<<<1, 32>>>(a.device, f);
  a.fetch();
  EXPECT_EACH(32, a[i] == i * i);
  CALL(cudaMemcpyFromSymbol(&f, third, sizeof f));
  apply<<<1, 32>>>(a.device, f);
  a.fetch();
  EXPECT_EACH(32, a[i] == i * i - 3);
  apply<<<1, 32>>>(a.device, nullptr);
  a.fetch();
  EXPECT_EACH(32, a[i] == -1);
  a.send();
  for (int i = 0; i < 32; i++)
    a.host[i] = i;
  a.send();
  both[0] = f;
  both[1] = g;
  CALL(cudaMalloc(&there, sizeof both));
  CALL(cudaMemcpy(there, both, sizeof both, cudaMemcpyHostToDevice));
  by_table<<<1, 32>>>(a.device, there);
  a.fetch();
  EXPECT_EACH(32, a[i] == (i & 1 ? 2 * i : i - 3));
  return result();
}
