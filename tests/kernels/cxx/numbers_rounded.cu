/* SPDX-License-Identifier: MIT */
/* numbers_rounded - conversions and arithmetic with a direction of rounding, and reinterpreted bits. */
#include "check.h"

#include <math.h>

__global__ void run(double *out) {
  int i = (int)threadIdx.x;
  float f = 0.5f * (float)i - 7.25f;
  double d = 0.25 * i - 3.125;
  double all = __float2int_rn(f) + 3 * __float2int_rz(f) + 5 * __float2int_ru(f) + 7 * __float2int_rd(f);
  all += 11 * __double2int_rn(d) + 13 * __double2int_rz(d) + 17.0 * (double)__double2ll_rd(d) + (double)__float2uint_rz(f + 10);
  all += __int2float_rz(i) + __ll2double_rn(i) + __fadd_rn(f, 1.0f) + __fmul_rn(f, 2.0f) + __dadd_rn(d, 0.5);
  all += __fadd_ru(1.0f, 0x1p-30f) > 1.0f ? 1000 : 0;
  all += __fadd_rd(1.0f, 0x1p-30f) > 1.0f ? 5000 : 0;
  all += rintf(f) + floorf(f) * 2 + ceil(d) * 3 + trunc(d) * 5 + (double)lrintf(f) + (double)llround(d);
  all += __int_as_float(__float_as_int(f)) + __longlong_as_double(__double_as_longlong(d));
  all += __double2hiint(d) % 1000 + __double2loint(1.0 / 1024) + __hiloint2double(0x40080000, 0);
  out[i] = all + __saturatef(f) + __fdividef(4.0f, 2.0f) + __frcp_rn(4.0f) + __fsqrt_rn(16.0f) + rsqrtf(0.25f);
}

static double wanted(int i) {
  float f = 0.5f * (float)i - 7.25f;
  double d = 0.25 * i - 3.125;
  double all = (int)rintf(f) + 3 * (int)f + 5 * (int)ceilf(f) + 7 * (int)floorf(f);
  all += 11 * (int)rint(d) + 13 * (int)d + 17.0 * floor(d) + (double)(unsigned)(f + 10);
  all += (float)i + (double)i + (f + 1.0f) + f * 2.0f + (d + 0.5);
  all += 1000;
  all += rintf(f) + floorf(f) * 2 + ceil(d) * 3 + trunc(d) * 5 + rintf(f) + round(d);
  all += f + d;
  long long bits;
  memcpy(&bits, &d, sizeof bits);
  all += (int)(bits >> 32) % 1000 + 0 + 3.0;
  return all + (f < 0 ? 0 : f > 1 ? 1 : f) + 2 + 0.25 + 4 + 2;
}

int main() {
  items<double, 32> out;
  run<<<1, 32>>>(out.device);
  out.fetch();
  EXPECT_EACH(32, fabs(out[i] - wanted(i)) < 1e-3);
  return result();
}
