/* SPDX-License-Identifier: MIT */
/* groups_tile_types - shuffles of a tile and of coalesced threads move any type: numbers of 1 to 8 bytes, structs up to 32. */
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

struct three {
  char a, b, c;
  __host__ __device__ bool operator==(const three &o) const { return a == o.a && b == o.b && c == o.c; }
};
struct mixed {
  double x;
  int n;
  short s[3];
  __host__ __device__ bool operator==(const mixed &o) const { return x == o.x && n == o.n && s[2] == o.s[2]; }
};
struct wide {
  float at[8];
  __host__ __device__ bool operator==(const wide &o) const { return at[0] == o.at[0] && at[7] == o.at[7]; }
};
enum class colour : unsigned char { red, green, blue };

template <class T> __host__ __device__ T made(int i) { return (T)(i * 3 + 1); }
template <> __host__ __device__ three made<three>(int i) { return { (char)i, (char)(i + 1), (char)(i + 2) }; }
template <> __host__ __device__ mixed made<mixed>(int i) { return { i * 0.5, i, { 0, 1, (short)(i * 7) } }; }
template <> __host__ __device__ wide made<wide>(int i) { return { { (float)i, 0, 0, 0, 0, 0, 0, i + 0.25f } }; }
template <> __host__ __device__ colour made<colour>(int i) { return (colour)(i % 3); }

template <class T> __global__ void run(T *out) {
  int i = (int)threadIdx.x;
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  T x = made<T>(i);
  out[i] = tile.shfl(x, 3);
  out[64 + i] = tile.shfl_xor(x, 5);
  out[128 + i] = tile.shfl_down(x, 4);
  out[192 + i] = tile.shfl_up(x, 4);
  if (i % 4 == 1) {
    cg::coalesced_group some = cg::coalesced_threads();
    out[256 + i] = some.shfl(x, 2);
  } else {
    out[256 + i] = x;
  }
}

template <class T> void check() {
  items<T, 64 * 5> out;
  run<T><<<1, 64>>>(out.device);
  out.fetch();
  for (int i = 0; i < 64; i++) {
    const int rank = i % 16, first = i - rank;
    EXPECT(out[i] == made<T>(first + 3) && out[64 + i] == made<T>(first + (rank ^ 5)));
    EXPECT(out[128 + i] == made<T>(rank + 4 < 16 ? i + 4 : i) && out[192 + i] == made<T>(rank >= 4 ? i - 4 : i));
    EXPECT(out[256 + i] == made<T>(i % 4 == 1 ? i / 32 * 32 + 9 : i));
  }
}

int main() {
  check<char>();
  check<unsigned short>();
  check<int>();
  check<float>();
  check<double>();
  check<long long>();
  check<colour>();
  check<three>();
  check<mixed>();
  check<wide>();
  return result();
}
