// SPDX-License-Identifier: MIT
// half - half precision on the host, by CUDA's names, beside kernels that move its bits.
#include <cuda_fp16.h>

#include "kernels.h"

enum { COUNT = 1024 };

__global__ void swap_pairs(unsigned short *bits) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  unsigned short low = bits[i];
  bits[i] = bits[i + 1];
  bits[i + 1] = low;
}

static void pairs(void) {
  __half2 values[COUNT / 2];
  unsigned short *bits;
  for (int i = 0; i < COUNT / 2; i++)
    values[i] = __floats2half2_rn(i * 0.25f, -i);
  CHECK(cudaMalloc(&bits, sizeof values));
  CHECK(cudaMemcpy(bits, values, sizeof values, cudaMemcpyHostToDevice));
  swap_pairs<<<COUNT / 128, 64>>>(bits);
  CHECK(cudaMemcpy(values, bits, sizeof values, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(bits));
  for (int i = 0; i < COUNT / 2; i++) {
    EXPECT(__low2float(values[i]) == -i, true);
    EXPECT(__high2float(values[i]) == i * 0.25f, true);
  }
}

static void conversions(void) {
  EXPECT(sizeof(__half) == 2 && alignof(__half) == 2 && sizeof(__half2) == 4 && alignof(__half2) == 4, true);
  EXPECT(__half_as_ushort(__float2half(1.0f)), 0x3c00);
  EXPECT(__half_as_ushort(__float2half_rn(-65519.0f)), 0xfbff);
  EXPECT(__half_as_ushort(__float2half(65520.0f)), 0x7c00);
  EXPECT(__half_as_ushort(__float2half(2049.0f)), 0x6800); // in the middle: the even one
  EXPECT(__half_as_ushort(__float2half(2051.0f)), 0x6802);
  EXPECT(__half_as_ushort(__double2half(2049.0 + 1e-10)), 0x6801); // above the middle, though no float says so
  EXPECT(__half_as_ushort(__double2half(2051.0 - 1e-10)), 0x6801);
  EXPECT(__half_as_ushort(__double2half(1e300)), 0x7c00);
  EXPECT(__half2float(__ushort_as_half(1)) == 1.0f / 16777216, true);
  __half2 both = __float22half2_rn(make_float2(3.0f, -0.5f)), one = __half2half2(__low2half(both));
  float2 back = __half22float2(both);
  EXPECT(back.x == 3.0f && back.y == -0.5f, true);
  EXPECT(__high2float(one) == 3.0f, true);
  EXPECT(__half2float(__high2half(__halves2half2(__float2half(1), __float2half(2)))) == 2.0f, true);
}

static void arithmetic(void) {
  __half a = __float2half(1.5f), b = __float2half(-2.0f), c = a * b;
  c += a;
  EXPECT(__half2float(c) == -1.5f, true);
  EXPECT(__half2float(a / b) == -0.75f, true);
  EXPECT(__half2float(__hadd(a, b)) == -0.5f && __half2float(__hmul(a, b)) == -3.0f, true);
  EXPECT(a > b && !(a == b) && a != b && __hlt(b, a) && __half2float(__habs(b)) == 2.0f, true);
  EXPECT(__half_as_ushort(__hadd(__float2half(2048.0f), __float2half(1.0f))), 0x6800);
  __half_raw raw = a;
  EXPECT(raw.x, 0x3e00);
}

int main(void) {
  pairs();
  conversions();
  arithmetic();
  return verdict("half");
}
