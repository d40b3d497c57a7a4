/* SPDX-License-Identifier: MIT */
/* threads_atomics_wide - atomic functions on 64 bits, on float and double, on 16 bits, and of block and system scope. */
#include "check.h"

__global__ void run(unsigned long long *x, long long *s, float *f, double *d, unsigned short *h, int *scoped) {
  unsigned long long i = threadIdx.x + 1;
  atomicAdd(x, i << 33);
  atomicMin(x + 1, i << 40);
  atomicMax(x + 2, i << 40);
  atomicAnd(x + 3, ~(1ull << i));
  atomicOr(x + 4, 1ull << i);
  atomicXor(x + 5, 3ull << i);
  atomicExch(x + 6, 77ull);
  unsigned long long seen = x[7], wanted;
  do {
    wanted = seen;
    seen = atomicCAS(x + 7, wanted, wanted + (1ull << 32));
  } while (seen != wanted);
  atomicMin(s, -(long long)i << 35);
  atomicMax(s + 1, -(long long)i << 35);
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.25);
  atomicExch(f + 1, 2.5f);
  unsigned short before = h[1], now;
  do {
    now = before;
    before = atomicCAS(h + 1, now, (unsigned short)(now + 3));
  } while (before != now);
  atomicAdd_block(scoped, 1);
  atomicMax_system(scoped + 1, (int)i);
  atomicCAS_block(scoped + 2, 0, 9);
}

int main() {
  items<unsigned long long, 8> x;
  items<long long, 2> s;
  items<float, 2> f;
  items<double, 1> d;
  items<unsigned short, 4> h;
  items<int, 3> scoped;
  x.host[1] = x.host[3] = ~0ull, s.host[1] = -(1ll << 60);
  x.send(), s.send();
  run<<<1, 40>>>(x.device, s.device, f.device, d.device, h.device, scoped.device);
  x.fetch(), s.fetch(), f.fetch(), d.fetch(), h.fetch(), scoped.fetch();
  unsigned long long some = ((1ull << 40) - 1) << 1;
  EXPECT(x[0] == 820ull << 33 && x[1] == 1ull << 40 && x[2] == 40ull << 40 && x[3] == ~some && x[4] == some);
  EXPECT(x[5] == ((1ull << 1) | (1ull << 41)) && x[6] == 77 && x[7] == 40ull << 32);
  EXPECT(s[0] == -(40ll << 35) && s[1] == -(1ll << 35) && f[0] == 20 && f[1] == 2.5f && d[0] == 10);
  EXPECT(h[0] == 0 && h[1] == 120 && h[2] == 0 && scoped[0] == 40 && scoped[1] == 40 && scoped[2] == 9);
  return result();
}
