/* SPDX-License-Identifier: MIT */
/* threads_kept - what a thread has where it waits for its warp: written on ways with and without a wait, read behind others. */
#include "check.h"

enum { LANES = 32, ROUNDS = 11 };

struct values {
  int a, b, c, d;
};

/* Of each variable some writes have a wait before the next read, others have none. */
__global__ void run(int *out, const int *in, int rounds) {
  int lane = (int)threadIdx.x;
  int a = in[lane], b = a * 3, c = b ^ 5, d = lane, same = rounds * 2;
  for (int i = 0; i < rounds; i++) {
    if (in[i] & 1)
      d += __shfl_xor_sync(~0u, a, 1);
    else
      b += d;
    c ^= b + i;
    if (in[i] & 2) {
      a += __shfl_xor_sync(~0u, c, 2) + b;
      b = c - i;
    }
    for (int j = 0; j < (in[i] & 3); j++) {
      int other = __shfl_xor_sync(~0u, b + j, 4);
      if (other & 1)
        d ^= other;
      else
        c -= a;
    }
    if (lane & 4)
      same++;
  }
  out[lane] = a + 3 * b + 5 * c + 7 * d + same;
}

int main() {
  items<int, LANES> in, out;
  values v[LANES], w[LANES];
  int same[LANES];
  for (int i = 0; i < LANES; i++)
    in.host[i] = i * 7 % 23 + i % 3;
  in.send();
  run<<<1, LANES>>>(out.device, in.device, ROUNDS);
  out.fetch();
  for (int t = 0; t < LANES; t++)
    v[t] = { in[t], in[t] * 3, in[t] * 3 ^ 5, t }, same[t] = ROUNDS * 2;
  for (int i = 0; i < ROUNDS; i++) {
    memcpy(w, v, sizeof w);
    for (int t = 0; t < LANES; t++) {
      if (in[i] & 1)
        v[t].d += w[t ^ 1].a;
      else
        v[t].b += v[t].d;
      v[t].c ^= v[t].b + i;
      same[t] += (t & 4) != 0;
    }
    memcpy(w, v, sizeof w);
    for (int t = 0; t < LANES && (in[i] & 2); t++) {
      v[t].a += w[t ^ 2].c + v[t].b;
      v[t].b = v[t].c - i;
    }
    for (int j = 0; j < (in[i] & 3); j++) {
      memcpy(w, v, sizeof w);
      for (int t = 0; t < LANES; t++) {
        int other = w[t ^ 4].b + j;
        if (other & 1)
          v[t].d ^= other;
        else
          v[t].c -= v[t].a;
      }
    }
  }
  EXPECT_EACH(LANES, out[i] == v[i].a + 3 * v[i].b + 5 * v[i].c + 7 * v[i].d + same[i]);
  return result();
}
