/* SPDX-License-Identifier: MIT */
/* groups_scan - inclusive and exclusive scans of tiles and coalesced threads; a scan over a block of them. */
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

#include "check.h"

namespace cg = cooperative_groups;

template <class T> __host__ __device__ T made(int i) { return (T)((i * 7 + 3) % 11 - 2); }

template <class T, unsigned Size> __global__ void run(T *out) {
  int i = (int)threadIdx.x;
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  T x = made<T>(i), *row = out + i * 5;
  row[0] = cg::inclusive_scan(tile, x);
  row[1] = cg::exclusive_scan(tile, x);
  row[2] = cg::inclusive_scan(tile, x, cg::greater<T>());
  row[3] = cg::inclusive_scan(tile, x, [](T a, T b) { return a < b ? a : b; });
  if (i % 5 < 2)
    row[4] = cg::exclusive_scan(cg::coalesced_threads(), x, cg::plus<T>());
}

template <class T, unsigned Size> void check() {
  items<T, 64 * 5> out;
  run<T, Size><<<1, 64>>>(out.device);
  out.fetch();
  for (int i = 0; i < 64; i++) {
    const int first = i / (int)Size * (int)Size;
    T before = 0, most = made<T>(first), least = most, some = 0;
    for (int k = first; k <= i; k++) {
      T x = made<T>(k);
      before = (T)(before + (k < i ? x : (T)0)), most = most < x ? x : most, least = x < least ? x : least;
    }
    for (int k = i / 32 * 32; k < i; k++)
      some = (T)(some + (k % 5 < 2 ? made<T>(k) : (T)0));
    const T *row = &out[i * 5];
    EXPECT(row[0] == (T)(before + made<T>(i)) && row[1] == before && row[2] == most && row[3] == least);
    EXPECT(i % 5 >= 2 || row[4] == some);
  }
}

/* Each block scans its part by warps, and their sums by one warp. */
__global__ void scan_block(const int *in, int *out) {
  __shared__ int sums[32];
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  int own = cg::inclusive_scan(warp, in[i]);
  if (warp.thread_rank() == 31)
    sums[warp.meta_group_rank()] = own;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    int x = warp.thread_rank() < block.size() / 32 ? sums[warp.thread_rank()] : 0;
    sums[warp.thread_rank()] = cg::exclusive_scan(warp, x);
  }
  block.sync();
  out[i] = own + sums[warp.meta_group_rank()];
}

int main() {
  check<int, 1>();
  check<int, 8>();
  check<int, 32>();
  check<float, 16>();
  check<double, 32>();
  check<long long, 4>();
  items<int, 1024> in, out;
  for (int i = 0; i < 1024; i++)
    in.host[i] = i % 13 - 5;
  in.send();
  scan_block<<<4, 256>>>(in.device, out.device);
  out.fetch();
  int sum = 0;
  for (int i = 0; i < 1024; i++) {
    sum = (i % 256 == 0 ? 0 : sum) + in.host[i];
    check_item(out[i] == sum, i, "scan of a block", __FILE__, __LINE__);
  }
  return result();
}
