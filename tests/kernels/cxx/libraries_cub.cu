/* SPDX-License-Identifier: MIT */
/* needs: cub/version.cuh */
/* libraries_cub - CUB as Debian has it: reductions and scans of a block and of a warp. */
#include "check.h"

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>

template <class T, int THREADS> __global__ void run(const T *in, T *out) {
  typedef cub::BlockReduce<T, THREADS> reduce;
  typedef cub::BlockScan<T, THREADS> scan;
  typedef cub::WarpReduce<T> warp_reduce;
  __shared__ typename reduce::TempStorage for_reduce;
  __shared__ typename scan::TempStorage for_scan;
  __shared__ typename warp_reduce::TempStorage for_warp[THREADS / 32];
  T x = in[threadIdx.x], before;
  T sum = reduce(for_reduce).Sum(x);
  scan(for_scan).ExclusiveSum(x, before);
  T of_warp = warp_reduce(for_warp[threadIdx.x / 32]).Sum(x);
  out[threadIdx.x] = before;
  if (threadIdx.x == 0)
    out[THREADS] = sum;
  if (threadIdx.x % 32 == 0)
    out[THREADS + 1 + threadIdx.x / 32] = of_warp;
}

template <class T> void check() {
  const int threads = 128;
  items<T, threads> in;
  items<T, threads + 5> out;
  for (int i = 0; i < threads; i++)
    in.host[i] = T(i % 11);
  in.send();
  run<T, threads><<<1, threads>>>(in.device, out.device);
  out.fetch();
  T sum = 0, of_warp = 0;
  for (int i = 0; i < threads; i++) {
    EXPECT(out[i] == sum);
    sum += in.host[i];
    of_warp = i % 32 == 0 ? in.host[i] : of_warp + in.host[i];
    EXPECT(i % 32 != 31 || out[threads + 1 + i / 32] == of_warp);
  }
  EXPECT(out[threads] == sum);
}

int main() {
  check<int>();
  check<float>();
  check<double>();
  return failures > 0;
}
