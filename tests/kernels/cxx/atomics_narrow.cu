/* SPDX-License-Identifier: MIT */
/* options: -arch=sm_90 */
/*
 * atomics_narrow - atomic additions of __half, __nv_bfloat16, their pairs, float2 and float4 on global memory: neighbours in one
 * word are added to at the same time, and none is lost.
 */
#include "check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum { THREADS = 64, BLOCKS = 16, ALL = THREADS * BLOCKS };

__global__ void run(__half *h, __nv_bfloat16 *b, __half2 *h2, __nv_bfloat162 *b2, float2 *f2, float4 *f4,
                    float *before) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), at = i % 8;
  before[i] = (float)atomicAdd(h + at, __half(1.0f));
  atomicAdd(b + at, __nv_bfloat16(1.0f));
  atomicAdd(h2, __half2(1.0f, -1.0f));
  atomicAdd(b2 + i % 4, __nv_bfloat162(0.5f, -0.5f));
  const float2 x = atomicAdd(f2, make_float2(1.0f, 2.0f));
  before[ALL + i] = x.x;
  atomicAdd_block(f4 + blockIdx.x, make_float4(1, 2, 3, 4));
  atomicAdd_system(f4 + BLOCKS, make_float4(1, -2, 3, -4));
}

int main() {
  items<__half, 8> h;
  items<__nv_bfloat16, 8> b;
  items<__half2, 1> h2;
  items<__nv_bfloat162, 4> b2;
  items<float2, 1> f2;
  items<float4, BLOCKS + 1> f4;
  items<float, 2 * ALL> before;
  run<<<BLOCKS, THREADS>>>(h.device, b.device, h2.device, b2.device, f2.device, f4.device, before.device);
  h.fetch(), b.fetch(), h2.fetch(), b2.fetch(), f2.fetch(), f4.fetch(), before.fetch();
  EXPECT_EACH(8, (float)h[i] == ALL / 8 && (float)b[i] == ALL / 8);
  EXPECT((float)h2[0].x == ALL && (float)h2[0].y == -ALL);
  EXPECT_EACH(4, (float)b2[i].x == ALL / 8 && (float)b2[i].y == -ALL / 8);
  EXPECT(f2[0].x == ALL && f2[0].y == 2 * ALL);
  EXPECT_EACH(BLOCKS,
              f4[i].x == THREADS && f4[i].y == 2 * THREADS && f4[i].z == 3 * THREADS && f4[i].w == 4 * THREADS);
  EXPECT(f4[BLOCKS].x == ALL && f4[BLOCKS].y == -2 * ALL && f4[BLOCKS].z == 3 * ALL && f4[BLOCKS].w == -4 * ALL);
  static int halves[8][ALL / 8], floats[ALL];
  for (int i = 0; i < ALL; i++) {
    halves[i % 8][(int)before[i]]++;
    floats[(int)before[ALL + i]]++;
  }
  EXPECT_EACH(ALL, halves[i % 8][i / 8] == 1 && floats[i] == 1);
  return result();
}
