/* SPDX-License-Identifier: MIT */
/* threads_reduction - reductions of blocks by templates over type, operation and size, with a last block that finishes. */
#include "check.h"

struct add {
  template <class T> static __host__ __device__ T start() { return T(0); }
  template <class T> __host__ __device__ T operator()(T a, T b) const { return a + b; }
};
struct greatest {
  template <class T> static __host__ __device__ T start() { return T(-1000); }
  template <class T> __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

template <int Threads, class T, class Operation> __device__ T reduce_block(T mine, Operation operation) {
  __shared__ T parts[Threads];
  parts[threadIdx.x] = mine;
  __syncthreads();
  for (int step = Threads / 2; step > 0; step /= 2) {
    if ((int)threadIdx.x < step)
      parts[threadIdx.x] = operation(parts[threadIdx.x], parts[(int)threadIdx.x + step]);
    __syncthreads();
  }
  return parts[0];
}
__device__ unsigned finished;

template <int Threads, class T, class Operation> __global__ void reduce(T *out, T *parts, const T *in, int count) {
  __shared__ bool is_last;
  Operation operation;
  T mine = Operation::template start<T>();
  for (int i = (int)(blockIdx.x * Threads + threadIdx.x); i < count; i += (int)gridDim.x * Threads)
    mine = operation(mine, in[i]);
  T sum = reduce_block<Threads>(mine, operation);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    T all = Operation::template start<T>();
    for (unsigned i = 0; i < gridDim.x; i++)
      all = operation(all, ((volatile T *)parts)[i]);
    *out = all;
  }
}

template <int Threads, class T, class Operation> void check(int blocks) {
  items<T, 1000> in;
  items<T, 8> parts;
  items<T, 1> out;
  T wanted = Operation::template start<T>();
  for (int i = 0; i < 1000; i++)
    in.host[i] = T(i * 37 % 101), wanted = Operation()(wanted, in.host[i]);
  in.send();
  reduce<Threads, T, Operation><<<blocks, Threads>>>(out.device, parts.device, in.device, 1000);
  out.fetch();
  EXPECT(out[0] == wanted);
}

int main() {
  check<64, int, add>(4);
  check<32, float, add>(8);
  check<128, double, greatest>(3);
  check<16, long long, add>(1);
  return result();
}
