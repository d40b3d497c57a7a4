/* SPDX-License-Identifier: MIT */
/* threads_votes - votes of warps: any, all, ballot, active threads, matches; counts and places of chosen threads. */
#include "check.h"

template <class Predicate> __global__ void run(unsigned *out, Predicate chosen) {
  unsigned i = threadIdx.x, lane = i % 32;
  bool is_chosen = chosen((int)i);
  unsigned ballot = __ballot_sync(0xffffffffu, is_chosen);
  unsigned *row = out + i * 5;
  row[0] = ballot;
  row[1] = (unsigned)__popc(ballot & ((1u << lane) - 1u));
  row[2] = (unsigned)__any_sync(0xffffffffu, is_chosen) | (unsigned)__all_sync(0xffffffffu, is_chosen) << 1;
  row[3] = __match_any_sync(0xffffffffu, i / 5);
  row[4] = __activemask();
  __syncwarp();
}

struct every_third {
  __host__ __device__ bool operator()(int i) const { return i % 3 == 0; }
};
struct below {
  int limit;
  __host__ __device__ bool operator()(int i) const { return i < limit; }
};

template <class Predicate> void check(Predicate chosen) {
  items<unsigned, 64 * 5> out;
  run<<<1, 64>>>(out.device, chosen);
  out.fetch();
  for (int i = 0; i < 64; i++) {
    unsigned ballot = 0, place = 0, same = 0;
    for (int k = 0; k < 32; k++) {
      int other = i / 32 * 32 + k;
      ballot |= (unsigned)chosen(other) << k;
      place += other < i && chosen(other);
      same |= (unsigned)(other / 5 == i / 5) << k;
    }
    const unsigned *row = &out[i * 5];
    EXPECT(row[0] == ballot && row[1] == place && row[3] == same && row[4] == ~0u);
    EXPECT(row[2] == ((ballot != 0) | (unsigned)(ballot == ~0u) << 1));
  }
}

int main() {
  check(every_third());
  check(below{ 40 });
  check(below{ 0 });
  check(below{ 64 });
  return result();
}
