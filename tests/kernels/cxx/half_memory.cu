/* SPDX-License-Identifier: MIT */
/* half_memory - numbers of 16 bits in memory and between threads: hinted loads and stores, shared memory, shuffles. */
#include "half.h"

/* Each thread's number goes through each kind of load and store: the sum of the hints is what was there. */
template <class T>
__global__ void hinted(const T *ones, const typename kind_of<T>::pair *pairs, T *one,
                       typename kind_of<T>::pair *two) {
  const int i = threadIdx.x;
  T a =
      __ldg(ones + i) + __ldcg(ones + i) + __ldca(ones + i) + __ldcs(ones + i) + __ldlu(ones + i) + __ldcv(ones + i);
  typename kind_of<T>::pair b = __ldg(pairs + i) + __ldcg(pairs + i) + __ldca(pairs + i);
  b += __ldcs(pairs + i) + __ldlu(pairs + i) + __ldcv(pairs + i);
  __stwb(one + i, a);
  __stcg(one + 32 + i, a);
  __stcs(one + 64 + i, a);
  __stwt(one + 96 + i, a);
  __stwb(two + i, b);
  __stcg(two + 32 + i, b);
  __stcs(two + 64 + i, b);
  __stwt(two + 96 + i, b);
}

template <class T> __global__ void shuffled(T *one, typename kind_of<T>::pair *two) {
  __shared__ T turned[32];
  const int i = threadIdx.x;
  const T a = T((float)i);
  const typename kind_of<T>::pair b(a, T(100.0f));
  one[i] = __shfl_sync(0xffffffff, a, i ^ 5);
  one[32 + i] = __shfl_up_sync(0xffffffff, a, 3u);
  one[64 + i] = __shfl_down_sync(0xffffffff, a, 3u, 16);
  one[96 + i] = __shfl_xor_sync(0xffffffff, a, 8);
  two[i] = __shfl_sync(0xffffffff, b, 31 - i);
  two[32 + i] = __shfl_up_sync(0xffffffff, b, 1u, 8);
  two[64 + i] = __shfl_down_sync(0xffffffff, b, 2u);
  turned[31 - i] = a;
  __syncthreads();
  two[96 + i] = __shfl_xor_sync(0xffffffff, typename kind_of<T>::pair(turned[i], a), 1);
}

template <class T> static void both(const char *name) {
  typedef typename kind_of<T>::pair P;
  items<T, 128> ones, one;
  items<P, 128> pairs, two;
  for (int i = 0; i < 128; i++) {
    ones.host[i] = T((float)i);
    pairs.host[i] = P(T((float)i), T((float)(-i)));
  }
  ones.send();
  pairs.send();
  hinted<T><<<1, 32>>>(ones.device, pairs.device, one.device, two.device);
  one.fetch();
  two.fetch();
  EXPECT_EACH(128, (float)one[i] == 6.0f * (float)(i % 32));
  EXPECT_EACH(128, (float)two[i].x == 6.0f * (float)(i % 32) && (float)two[i].y == -6.0f * (float)(i % 32));
  shuffled<T><<<1, 32>>>(one.device, two.device);
  one.fetch();
  two.fetch();
  for (int i = 0; i < 32; i++) {
    check_item((float)one[i] == (float)(i ^ 5) && (float)one[32 + i] == (float)(i < 3 ? i : i - 3), i, name, __FILE__,
               __LINE__);
    check_item((float)one[64 + i] == (float)(i % 16 < 13 ? i + 3 : i) && (float)one[96 + i] == (float)(i ^ 8), i,
               name, __FILE__, __LINE__);
    check_item((float)two[i].x == (float)(31 - i) && (float)two[i].y == 100, i, name, __FILE__, __LINE__);
    check_item((float)two[32 + i].x == (float)(i % 8 < 1 ? i : i - 1), i, name, __FILE__, __LINE__);
    check_item((float)two[64 + i].x == (float)(i < 30 ? i + 2 : i), i, name, __FILE__, __LINE__);
    check_item((float)two[96 + i].x == (float)(31 - (i ^ 1)) && (float)two[96 + i].y == (float)(i ^ 1), i, name,
               __FILE__, __LINE__);
  }
}

int main() {
  both<__half>("shuffles of __half");
  both<__nv_bfloat16>("shuffles of __nv_bfloat16");
  return result();
}
