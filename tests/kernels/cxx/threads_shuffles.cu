/* SPDX-License-Identifier: MIT */
/* threads_shuffles - warp shuffles in templates: of all types of 4 and 8 bytes, with widths, down, up, xor, by index. */
#include "check.h"

template <class T> __device__ T warp_sum(T x) {
  for (int step = 16; step > 0; step /= 2)
    x += __shfl_xor_sync(0xffffffffu, x, step);
  return x;
}
template <class T> __device__ T warp_scan(T x) {
  for (int step = 1; step < 32; step *= 2) {
    T before = __shfl_up_sync(0xffffffffu, x, (unsigned)step);
    if ((int)(threadIdx.x % 32) >= step)
      x += before;
  }
  return x;
}

template <class T> __global__ void run(T *out) {
  int i = (int)threadIdx.x;
  T x = T(i + 1);
  T *row = out + i * 6;
  row[0] = warp_sum(x);
  row[1] = warp_scan(x);
  row[2] = __shfl_sync(0xffffffffu, x, 5);
  row[3] = __shfl_down_sync(0xffffffffu, x, 3, 8);
  row[4] = __shfl_sync(0xffffffffu, x, i * 7, 16);
  row[5] = __shfl_up_sync(0xffffffffu, x, 2, 4);
}

template <class T> void check() {
  items<T, 64 * 6> out;
  run<<<1, 64>>>(out.device);
  out.fetch();
  for (int i = 0; i < 64; i++) {
    int first = i / 32 * 32, lane = i % 32;
    const T *row = &out[i * 6];
    EXPECT(row[0] == T(first * 32 + 528) && row[1] == T((lane + 1) * first + (lane + 1) * (lane + 2) / 2));
    EXPECT(row[2] == T(first + 6) && row[3] == T(i % 8 + 3 < 8 ? i + 4 : i + 1));
    EXPECT(row[4] == T(i / 16 * 16 + i * 7 % 16 + 1) && row[5] == T(i % 4 >= 2 ? i - 1 : i + 1));
  }
}

int main() {
  check<int>();
  check<unsigned>();
  check<float>();
  check<double>();
  check<long long>();
  check<unsigned long long>();
  return result();
}
