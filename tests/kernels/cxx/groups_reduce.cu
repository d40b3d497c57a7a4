/* SPDX-License-Identifier: MIT */
/* groups_reduce - reduce() of tiles and coalesced threads: CUDA's operations, lambdas, types of 2 to 16 bytes. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "check.h"

namespace cg = cooperative_groups;

template <class T> __host__ __device__ T made(int i) { return (T)((i * 29 + 7) % 41 - 11); }

template <class T, unsigned Size> __global__ void run(T *out) {
  int i = (int)threadIdx.x;
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  T x = made<T>(i), *row = out + i * 5;
  row[0] = cg::reduce(tile, x, cg::plus<T>());
  row[1] = cg::reduce(tile, x, cg::less<T>());
  row[2] = cg::reduce(tile, x, cg::greater<T>());
  row[3] = cg::reduce(tile, x, [](T a, T b) { return (T)(a * (T)2 < b * (T)2 ? b : a); });
  if (i % 3 == 0)
    row[4] = cg::reduce(cg::coalesced_threads(), x, cg::plus<T>());
}

template <class T, unsigned Size> void check() {
  items<T, 64 * 5> out;
  run<T, Size><<<1, 64>>>(out.device);
  out.fetch();
  for (int i = 0; i < 64; i++) {
    const int first = i / (int)Size * (int)Size;
    T sum = 0, least = made<T>(first), most = least, some = 0;
    for (int k = first; k < first + (int)Size; k++) {
      T x = made<T>(k);
      sum = (T)(sum + x), least = x < least ? x : least, most = most < x ? x : most;
    }
    for (int k = i / 32 * 32; k < i / 32 * 32 + 32; k++)
      some = (T)(some + (k % 3 == 0 ? made<T>(k) : (T)0));
    const T *row = &out[i * 5];
    EXPECT(row[0] == sum && row[1] == least && row[2] == most);
    EXPECT(row[3] == most);
    EXPECT(i % 3 != 0 || row[4] == some);
  }
}

__global__ void bits(unsigned *out, unsigned long long *wide) {
  unsigned i = threadIdx.x, x = i * 2654435761u;
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  out[i * 3] = cg::reduce(tile, x | 3u, cg::bit_and<unsigned>());
  out[i * 3 + 1] = cg::reduce(tile, x & 0xffff00ffu, cg::bit_or<unsigned>());
  out[i * 3 + 2] = cg::reduce(tile, x, cg::bit_xor<unsigned>());
  wide[i] = cg::reduce(tile, 1ull << (i % 32 + 20), cg::bit_or<unsigned long long>());
}

/* The least and where it is. */
struct found {
  float value;
  int at;
};
__global__ void least(found *out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int i = (int)threadIdx.x;
  found own = { (float)((i * 13 + 5) % 17), i };
  out[i] = cg::reduce(tile, own, [](const found &a, const found &b) { return b.value < a.value ? b : a; });
}

int main() {
  check<int, 1>();
  check<int, 4>();
  check<int, 32>();
  check<short, 8>();
  check<float, 32>();
  check<double, 16>();
  check<long long, 32>();
  items<unsigned, 64 * 3> out;
  items<unsigned long long, 64> wide;
  bits<<<1, 64>>>(out.device, wide.device);
  out.fetch();
  wide.fetch();
  for (int warp = 0; warp < 2; warp++) {
    unsigned all = ~0u, any = 0, odd = 0;
    for (unsigned i = (unsigned)warp * 32; i < (unsigned)warp * 32 + 32; i++) {
      unsigned x = i * 2654435761u;
      all &= x | 3u, any |= x & 0xffff00ffu, odd ^= x;
    }
    for (int i = warp * 32; i < warp * 32 + 32; i++)
      EXPECT(out[i * 3] == all && out[i * 3 + 1] == any && out[i * 3 + 2] == odd && wide[i] == 0xffffffffull << 20);
  }
  items<found, 64> places;
  least<<<1, 64>>>(places.device);
  places.fetch();
  for (int i = 0; i < 64; i++) {
    int best = i / 16 * 16;
    for (int k = best; k < i / 16 * 16 + 16; k++)
      best = (k * 13 + 5) % 17 < (best * 13 + 5) % 17 ? k : best;
    EXPECT(places[i].at == best && places[i].value == (float)((best * 13 + 5) % 17));
  }
  return result();
}
