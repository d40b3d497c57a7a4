/* SPDX-License-Identifier: MIT */
/* atomics_shared - atomic operations on shared memory, static and dynamic, of all types, many threads at one word. */
#include "check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum { THREADS = 96, BLOCKS = 4 };

struct totals {
  int i, least, most, taken;
  unsigned u, wrapped, ors;
  unsigned long long wide, widest;
  long long signed_least;
  float f;
  double d;
  unsigned short counted;
  float h, b, h2[2], b2[2];
};

__global__ void run(totals *out) {
  extern __shared__ unsigned long long dynamic[];
  __shared__ totals t;
  __shared__ __half h[2];
  __shared__ __nv_bfloat16 b[2];
  __shared__ __half2 h2;
  __shared__ __nv_bfloat162 b2;
  const int i = (int)threadIdx.x;
  if (i == 0) {
    t = totals();
    h[0] = h[1] = 0.0f;
    b[0] = b[1] = 0.0f;
    h2 = __half2(0.0f, 0.0f);
    b2 = __nv_bfloat162(0.0f, 0.0f);
    dynamic[0] = dynamic[1] = 0;
  }
  __syncthreads();
  atomicAdd(&t.i, i);
  atomicMin(&t.least, -i);
  atomicMax_block(&t.most, i * 3);
  if (atomicCAS(&t.taken, 0, i + 1) == 0)
    atomicAdd_block(&t.i, 100000);
  atomicSub(&t.u, 2u);
  atomicInc(&t.wrapped, 10);
  atomicOr(&t.ors, 1u << i % 32);
  atomicAdd(&dynamic[0], 1ull << 32);
  atomicMax(&dynamic[1], (unsigned long long)i << 40);
  atomicMin(&t.signed_least, -(long long)i << 33);
  atomicAdd(&t.f, 0.5f);
  atomicAdd(&t.d, 0.125);
  unsigned short seen = t.counted, wanted;
  do {
    wanted = seen;
    seen = atomicCAS(&t.counted, wanted, (unsigned short)(wanted + 7));
  } while (seen != wanted);
  atomicAdd(&h[i % 2], __half(1.0f));
  atomicAdd(&b[i % 2], __nv_bfloat16(1.0f));
  atomicAdd(&h2, __half2(1.0f, -2.0f));
  atomicAdd(&b2, __nv_bfloat162(-1.0f, 2.0f));
  __syncthreads();
  if (i == 0) {
    t.wide = dynamic[0];
    t.widest = dynamic[1];
    t.h = (float)h[0] * 1000 + (float)h[1];
    t.b = (float)b[0] * 1000 + (float)b[1];
    t.h2[0] = (float)h2.x, t.h2[1] = (float)h2.y;
    t.b2[0] = (float)b2.x, t.b2[1] = (float)b2.y;
    out[blockIdx.x] = t;
  }
}

int main() {
  items<totals, BLOCKS> out;
  run<<<BLOCKS, THREADS, 16>>>(out.device);
  out.fetch();
  const int sum = THREADS * (THREADS - 1) / 2;
  EXPECT_EACH(BLOCKS, out[i].i == sum + 100000 && out[i].least == 1 - THREADS && out[i].most == 3 * (THREADS - 1));
  EXPECT_EACH(BLOCKS, out[i].taken >= 1 && out[i].taken <= THREADS);
  EXPECT_EACH(BLOCKS, out[i].u == 0u - 2u * THREADS && out[i].wrapped == THREADS % 11 && out[i].ors == ~0u);
  EXPECT_EACH(BLOCKS, out[i].wide == (unsigned long long)THREADS << 32 && out[i].widest == (THREADS - 1ull) << 40);
  EXPECT_EACH(BLOCKS, out[i].signed_least == -(long long)(THREADS - 1) * (1ll << 33));
  EXPECT_EACH(BLOCKS, out[i].f == 0.5f * THREADS && out[i].d == 0.125 * THREADS && out[i].counted == 7 * THREADS);
  EXPECT_EACH(BLOCKS, out[i].h == THREADS / 2 * 1001 && out[i].b == THREADS / 2 * 1001);
  EXPECT_EACH(BLOCKS, out[i].h2[0] == THREADS && out[i].h2[1] == -2 * THREADS);
  EXPECT_EACH(BLOCKS, out[i].b2[0] == -THREADS && out[i].b2[1] == 2 * THREADS);
  return result();
}
