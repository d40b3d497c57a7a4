/* SPDX-License-Identifier: MIT */
/* threads_atomics - all atomic functions on 32 bits, in global and in shared memory. */
#include "check.h"

template <class T> __device__ void apply(T *x, T i) {
  atomicAdd(x + 0, i);
  atomicSub(x + 1, i);
  atomicMin(x + 2, i);
  atomicMax(x + 3, i);
  atomicAnd(x + 4, ~(T(1) << i % 31));
  atomicOr(x + 5, T(1) << i % 31);
  atomicXor(x + 6, T(1) << i % 31);
  T seen = x[7], wanted;
  do {
    wanted = seen;
    seen = atomicCAS(x + 7, wanted, wanted * 3 + 1);
  } while (seen != wanted);
  if (atomicExch(x + 8, T(5)) == T(5))
    atomicAdd(x + 9, T(1));
}

template <class T> __global__ void run(T *global, T *copy, unsigned *wrapped) {
  __shared__ T shared[10];
  int i = (int)threadIdx.x;
  if (i < 10)
    shared[i] = i == 2 ? T(1000) : i == 4 ? T(-1) : T(0);
  __syncthreads();
  apply(global, T(i + 1));
  apply(shared, T(i + 1));
  atomicInc(wrapped, 6u);
  atomicDec(wrapped + 1, 6u);
  __syncthreads();
  if (i < 10)
    copy[i] = shared[i];
}

template <class T> void check() {
  items<T, 10> global, copy;
  items<unsigned, 2> wrapped;
  global.host[2] = T(1000), global.host[4] = T(-1);
  global.send();
  run<<<1, 48>>>(global.device, copy.device, wrapped.device);
  global.fetch(), copy.fetch(), wrapped.fetch();
  T cas = 0, bits = 0;
  for (int i = 1; i <= 48; i++)
    cas = T(unsigned(cas) * 3u + 1u), bits ^= T(1) << i % 31;
  const T wanted[] = { 1176, T(-1176), 1, 48, T(0x80000000u), T(0x7fffffff), bits, cas, 5, 47 };
  EXPECT_EACH(10, global[i] == wanted[i] && copy[i] == wanted[i]);
  EXPECT(wrapped[0] == 48 % 7 && wrapped[1] == 1);
}

int main() {
  check<int>();
  check<unsigned>();
  return result();
}
