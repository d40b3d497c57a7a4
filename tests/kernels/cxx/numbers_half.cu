/* SPDX-License-Identifier: MIT */
/* numbers_half - __half of cuda_fp16.h in templates: operators, conversions, functions, pairs. */
#include "check.h"

#include <cuda_fp16.h>

template <class T> __device__ T polynomial(T x) {
  return x * x * T(2.0f) + x - T(0.5f);
}

__global__ void run(float *out, __half *halves, const __half2 *pairs) {
  int i = (int)threadIdx.x;
  __half h = __float2half(0.25f * (float)i - 2.0f), k = __int2half_rn(i);
  halves[i] = polynomial(h);
  float all = __half2float(h + k) + __half2float(h * k) * 2 + (h < k) * 100 + (h == k) * 200 + __half2float(-h);
  __half2 p = pairs[i], q = __halves2half2(h, k);
  __half2 sum = __hadd2(p, q), product = __hmul2(p, q);
  all += __low2float(sum) + __high2float(product) * 4 + __half2float(__hfma(h, k, h)) + (float)(int)h;
  all += __half2float(hsqrt(__float2half(4.0f))) + __half2float(__habs(h)) + __half2float(__hmax(h, k));
  all += (float)__half_as_ushort(__float2half(1.0f)) + __half2float(h / __float2half(4.0f));
  out[i] = all;
}

int main() {
  items<float, 16> out;
  items<__half, 16> halves;
  items<__half2, 16> pairs;
  for (int i = 0; i < 16; i++)
    pairs.host[i] = __floats2half2_rn((float)i * 0.5f, -2.0f);
  pairs.send();
  run<<<1, 16>>>(out.device, halves.device, pairs.device);
  out.fetch();
  halves.fetch();
  for (int i = 0; i < 16; i++) {
    float h = 0.25f * (float)i - 2.0f, k = (float)i;
    float all = h + k + h * k * 2 + (h < k ? 100 : 0) + (h == k ? 200 : 0) - h + (float)i * 0.5f + h + -2 * k * 4;
    all += h * k + h + (float)(int)h + 2 + (h < 0 ? -h : h) + (h < k ? k : h) + 15360 + h / 4;
    check_item(out[i] == all, i, "numbers of half precision", __FILE__, __LINE__);
    check_item(__half2float(halves[i]) == h * h * 2 + h - 0.5f, i, "a polynomial", __FILE__, __LINE__);
  }
  return result();
}
