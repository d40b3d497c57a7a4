/* SPDX-License-Identifier: MIT */
/* numbers_bfloat16 - __nv_bfloat16 of cuda_bf16.h: conversions, operators, pairs. */
#include "check.h"

#include <cuda_bf16.h>

__global__ void run(float *out, __nv_bfloat16 *stored) {
  int i = (int)threadIdx.x;
  __nv_bfloat16 a = __float2bfloat16(0.5f * (float)i - 3.0f), b = __float2bfloat16(4.0f);
  stored[i] = a * b;
  float all = __bfloat162float(a + b) + __bfloat162float(a - b) * 2 + (a < b) * 100;
  __nv_bfloat162 p = __floats2bfloat162_rn((float)i, 2.0f);
  __nv_bfloat162 q = __hadd2(p, p);
  all += __low2float(q) + __high2float(q) * 8 + __bfloat162float(__hfma(a, b, b));
  out[i] = all + (float)__bfloat16_as_ushort(b);
}

int main() {
  items<float, 16> out;
  items<__nv_bfloat16, 16> stored;
  run<<<1, 16>>>(out.device, stored.device);
  out.fetch();
  stored.fetch();
  for (int i = 0; i < 16; i++) {
    float a = 0.5f * (float)i - 3.0f, all = a + 4 + (a - 4) * 2 + (a < 4 ? 100 : 0) + 2.0f * (float)i + 32 + a * 4 + 4;
    check_item(out[i] == all + 0x4080, i, "numbers with 8 bits", __FILE__, __LINE__);
    check_item(__bfloat162float(stored[i]) == a * 4, i, "stored products", __FILE__, __LINE__);
  }
  return result();
}
