/* SPDX-License-Identifier: MIT */
/* warps_short_types - shuffles of half precision and bfloat16, single and in pairs. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.h"

template <class T> __device__ T made(int i);
template <> __device__ __half made<__half>(int i) { return __float2half((float)i + 0.5f); }
template <> __device__ __nv_bfloat16 made<__nv_bfloat16>(int i) { return __float2bfloat16((float)i); }
__device__ float number(__half x) { return __half2float(x) - 0.5f; }
__device__ float number(__nv_bfloat16 x) { return __bfloat162float(x); }

template <class T> __global__ void single(float *out) {
  int i = (int)threadIdx.x;
  T x = made<T>(i);
  out[i * 4] = number(__shfl_sync(~0u, x, 9));
  out[i * 4 + 1] = number(__shfl_up_sync(~0u, x, 4u, 16));
  out[i * 4 + 2] = number(__shfl_down_sync(~0u, x, 1u));
  out[i * 4 + 3] = number(__shfl_xor_sync(~0u, x, 3, 8));
}
__global__ void pairs(float *out) {
  int i = (int)threadIdx.x;
  __half2 x = __halves2half2(__float2half((float)i), __float2half((float)-i));
  __nv_bfloat162 y = __halves2bfloat162(__float2bfloat16((float)i), __float2bfloat16((float)(2 * i)));
  __half2 a = __shfl_sync(~0u, x, 3), b = __shfl_xor_sync(~0u, x, 16);
  __nv_bfloat162 c = __shfl_down_sync(~0u, y, 2u), d = __shfl_up_sync(~0u, y, 2u);
  out[i * 4] = __low2float(a) * 100 + __high2float(a);
  out[i * 4 + 1] = __low2float(b) * 100 + __high2float(b);
  out[i * 4 + 2] = __low2float(c) * 100 + __high2float(c);
  out[i * 4 + 3] = __low2float(d) * 100 + __high2float(d);
}

int main() {
  for (int which = 0; which < 2; which++) {
    items<float, 64 * 4> out;
    if (which == 0)
      single<__half><<<1, 64>>>(out.device);
    else
      single<__nv_bfloat16><<<1, 64>>>(out.device);
    out.fetch();
    for (int i = 0; i < 64; i++) {
      const float *row = &out[i * 4];
      EXPECT(row[0] == (float)(i / 32 * 32 + 9) && row[1] == (float)(i % 16 >= 4 ? i - 4 : i));
      EXPECT(row[2] == (float)(i % 32 < 31 ? i + 1 : i) && row[3] == (float)(i ^ 3));
    }
  }
  items<float, 64 * 4> out;
  pairs<<<1, 64>>>(out.device);
  out.fetch();
  for (int i = 0; i < 64; i++) {
    const float *row = &out[i * 4];
    const int first = i / 32 * 32 + 3, down = i % 32 < 30 ? i + 2 : i, up = i % 32 >= 2 ? i - 2 : i;
    EXPECT(row[0] == (float)(first * 99) && row[1] == (float)((i ^ 16) * 99));
    EXPECT(row[2] == (float)(down * 102) && row[3] == (float)(up * 102));
  }
  return result();
}
