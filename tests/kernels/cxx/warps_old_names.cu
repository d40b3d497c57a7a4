/* SPDX-License-Identifier: MIT */
/* warps_old_names - shuffles and votes without a mask, which compilers for newer devices no longer have: they are those of
 * the lanes that come at once. */
#include <cuda_fp16.h>

#include "check.h"

#ifdef __NVCC__
#define __shfl(...) __shfl_sync(__activemask(), __VA_ARGS__)
#define __shfl_up(...) __shfl_up_sync(__activemask(), __VA_ARGS__)
#define __shfl_down(...) __shfl_down_sync(__activemask(), __VA_ARGS__)
#define __shfl_xor(...) __shfl_xor_sync(__activemask(), __VA_ARGS__)
#define __any(...) __any_sync(__activemask(), __VA_ARGS__)
#define __all(...) __all_sync(__activemask(), __VA_ARGS__)
#define __ballot(...) __ballot_sync(__activemask(), __VA_ARGS__)
#endif

template <class T> __global__ void shuffle(T *out) {
  int i = (int)threadIdx.x;
  T x = T(i);
  out[i] = __shfl(x, 7);
  out[64 + i] = __shfl_up(x, 3, 8);
  out[128 + i] = __shfl_down(x, 2);
  out[192 + i] = __shfl_xor(x, 9, 16);
}

template <class T> void check() {
  items<T, 256> out;
  shuffle<T><<<1, 64>>>(out.device);
  out.fetch();
  for (int i = 0; i < 64; i++) {
    EXPECT((int)out[i] == i / 32 * 32 + 7 && (int)out[64 + i] == (i % 8 >= 3 ? i - 3 : i));
    EXPECT((int)out[128 + i] == (i % 32 < 30 ? i + 2 : i) && (int)out[192 + i] == (i ^ 9));
  }
}

__global__ void vote(unsigned *out) {
  unsigned i = threadIdx.x, *row = out + i * 3;
  if (i % 32 < 12) {
    row[0] = __ballot(i % 2);
    row[1] = (unsigned)(__any(i % 32 == 11) != 0);
    row[2] = (unsigned)(__all(i % 32 < 12) != 0);
  } else {
    row[0] = __ballot(i % 4 == 0);
    row[1] = (unsigned)(__any(i % 32 < 12) != 0);
    row[2] = (unsigned)(__all(i % 32 != 31) != 0);
  }
}

int main() {
  check<int>();
  check<unsigned>();
  check<float>();
  check<double>();
  check<long long>();
  check<unsigned long long>();
  items<unsigned, 64 * 3> out;
  vote<<<1, 64>>>(out.device);
  out.fetch();
  for (int i = 0; i < 64; i++) {
    const bool is_low = i % 32 < 12;
    EXPECT(out[i * 3] == (is_low ? 0xaaau : 0x11111000u));
    EXPECT(out[i * 3 + 1] == (unsigned)is_low && out[i * 3 + 2] == (unsigned)is_low);
  }
  return result();
}
