/* SPDX-License-Identifier: MIT */
/* groups_tile_votes - any, all, ballot, match_any and match_all of tiles: bits count from the tile's first thread. */
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

enum { THREADS = 64, VALUES = 7 };

template <unsigned Size> __global__ void vote(unsigned *out) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  unsigned i = threadIdx.x, *row = out + i * VALUES;
  int same = -1, other = -1;
  row[0] = (unsigned)(tile.any(i == 21) != 0);
  row[1] = (unsigned)(tile.all(i != 21) != 0);
  row[2] = tile.ballot(i % 3 == 0);
  row[3] = tile.match_any((int)(tile.thread_rank() / 2));
  row[4] = tile.match_all((long long)tile.meta_group_rank(), same);
  row[5] = tile.match_all(i == 40 ? 1.5f : 2.5f, other);
  row[6] = (unsigned)(same != 0) * 2 + (unsigned)(other != 0);
}

template <unsigned Size> void check() {
  items<unsigned, THREADS * VALUES> out;
  vote<Size><<<1, THREADS>>>(out.device);
  out.fetch();
  const unsigned full = Size == 32 ? ~0u : (1u << Size % 32) - 1;
  for (unsigned i = 0; i < THREADS; i++) {
    const unsigned *row = &out[(int)i * VALUES], first = i / Size * Size;
    const bool has = 21 / Size == i / Size, is_mixed = 40 / Size == i / Size;
    unsigned thirds = 0;
    for (unsigned k = 0; k < Size; k++)
      thirds |= (unsigned)((first + k) % 3 == 0) << k;
    EXPECT(row[0] == (unsigned)has && row[1] == (unsigned)!has && row[2] == thirds);
    EXPECT(row[3] == (Size == 1 ? 1u : 3u << i % Size / 2 * 2));
    EXPECT(row[4] == full && row[5] == (is_mixed && Size > 1 ? 0u : full));
    EXPECT(row[6] == 2 + (unsigned)!(is_mixed && Size > 1));
  }
}

int main() {
  check<1>();
  check<2>();
  check<4>();
  check<8>();
  check<16>();
  check<32>();
  return result();
}
