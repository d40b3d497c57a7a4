/* SPDX-License-Identifier: MIT */
/* half_bytes - numbers of 8 bits, e4m3, e5m2 and the scales e8m0: of all floats of 16 bits, of doubles, and back. */
#include "half.h"

#include <cuda_fp8.h>

enum { KINDS = 10 };

/* e4m3 has no infinity: its exponent of ones is one of numbers, and the last of them is NaN. */
static double byte_value(bool is_e4m3, unsigned bits) {
  if (is_e4m3 && (bits & 0x7f) == 0x7f)
    return NAN;
  const int width = is_e4m3 ? 3 : 2, bias = is_e4m3 ? 7 : 15;
  const int exponent = (int)(bits >> width & (is_e4m3 ? 15 : 31)), fraction = (int)(bits & ((1u << width) - 1));
  if (!is_e4m3 && exponent == 31)
    return fraction ? NAN : bits & 0x80 ? -INFINITY : INFINITY;
  const double size =
      exponent == 0 ? ldexp(fraction, 1 - bias - width) : ldexp(fraction + (1 << width), exponent - bias - width);
  return bits & 0x80 ? -size : size;
}

static unsigned byte_of(bool is_e4m3, bool is_saturated, double x) {
  const unsigned greatest = is_e4m3 ? 0x7e : 0x7b, sign = signbit(x) ? 0x80 : 0;
  if (isnan(x))
    return 0x7f;
  const double size = fabs(x), above = is_e4m3 ? 464 : 61440; /* the middle to what would be next */
  if (is_e4m3 ? size > above : size >= above)
    return sign | (is_saturated ? greatest : greatest + 1);
  unsigned best = 0;
  for (unsigned bits = 0; bits <= greatest; bits++) {
    const double apart = fabs(byte_value(is_e4m3, bits) - size), least = fabs(byte_value(is_e4m3, best) - size);
    if (apart < least || (apart == least && bits % 2 == 0))
      best = bits;
  }
  return sign | best;
}

static unsigned scale_of(double x, bool is_saturated, bool is_up) {
  if (isnan(x))
    return 255;
  const double size = fabs(x);
  if (isinf(size))
    return is_saturated ? 254 : 255;
  if (size == 0)
    return 0;
  const int exponent = ilogb(size), all = exponent + (is_up && ldexp(1, exponent) != size) + 127;
  return all > 254 ? (is_saturated || !is_up ? 254 : 255) : all < 0 ? 0 : (unsigned)all;
}

__global__ void of_floats(unsigned char *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const __nv_bfloat16 b = __ushort_as_bfloat16((unsigned short)i);
  const __half h = __ushort_as_half((unsigned short)i);
  const float f = __bfloat162float(b);
  unsigned char *at = out + i * KINDS;
  at[0] = __nv_cvt_bfloat16raw_to_fp8(b, __NV_SATFINITE, __NV_E4M3);
  at[1] = __nv_cvt_bfloat16raw_to_fp8(b, __NV_NOSAT, __NV_E4M3);
  at[2] = __nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E5M2);
  at[3] = __nv_cvt_float_to_fp8(f, __NV_NOSAT, __NV_E5M2);
  at[4] = __nv_cvt_halfraw_to_fp8(h, __NV_SATFINITE, __NV_E4M3);
  at[5] = __nv_fp8_e5m2(h).__x;
  at[6] = __nv_cvt_bfloat16raw_to_e8m0(b, __NV_SATFINITE, cudaRoundPosInf);
  at[7] = __nv_cvt_float_to_e8m0(f, __NV_NOSAT, cudaRoundZero);
  at[8] = __nv_fp8_e4m3((double)f * 1.0000000001).__x;
  at[9] = __nv_fp8_e4m3((int)i - 32768).__x;
}

static void floats() {
  items<unsigned char, KINDS *ALL> *out = new items<unsigned char, KINDS * ALL>;
  of_floats<<<ALL / 64, 64>>>(out->device);
  out->fetch();
  for (unsigned i = 0; i < ALL; i++) {
    const double b = value_of({ 7, 8 }, i), h = value_of({ 10, 5 }, i);
    const unsigned wanted[KINDS] = { byte_of(true, true, b),
                                     byte_of(true, false, b),
                                     byte_of(false, true, b),
                                     byte_of(false, false, b),
                                     byte_of(true, true, h),
                                     byte_of(false, true, h),
                                     scale_of(b, true, true),
                                     scale_of(b, false, false),
                                     byte_of(true, true, b * 1.0000000001),
                                     byte_of(true, true, (int)i - 32768) };
    for (int n = 0; n < KINDS; n++) {
      const unsigned got = out->host[(int)i * KINDS + n];
      if (got != wanted[n] && !(n == 8 && isnan(b)) && failures++ < 20)
        fprintf(stderr, "kind %d of %04x is %02x, not %02x\n", n, i, got, wanted[n]);
    }
  }
  delete out;
}

struct back {
  float e4m3, e5m2, scale;
  float2 pair;
  float4 four;
  int whole;
  unsigned char cut;
  bool is_other;
};

__global__ void of_bytes(back *out) {
  const unsigned i = threadIdx.x;
  __nv_fp8_e4m3 a;
  __nv_fp8_e5m2 b;
  __nv_fp8_e8m0 c;
  __nv_fp8x2_e5m2 two;
  __nv_fp8x4_e4m3 four;
  a.__x = b.__x = c.__x = (unsigned char)i;
  two.__x = (unsigned short)(i << 8 | (255 - i));
  four.__x = i | (255 - i) << 8 | (i ^ 0x80) << 16 | 0x38000000;
  out[i] = { (float)a, (float)b, (float)c, (float2)two, (float4)four, (int)b, (unsigned char)a, (bool)a };
  __half2_raw raw = __nv_cvt_fp8x2_to_halfraw2(two.__x, __NV_E5M2);
  if (raw.x == 0x7fff || raw.y == 0x7fff)
    return;
  if (__nv_fp8x2_e5m2(__half2(raw)).__x != two.__x && (raw.x & 0x7fff) != 0x7c00 && (raw.y & 0x7fff) != 0x7c00)
    out[i].whole = -1;
}

static bool same(double a, double b) {
  return a == b || (isnan(a) && isnan(b));
}

int main() {
  floats();
  items<back, 256> out;
  of_bytes<<<1, 256>>>(out.device);
  out.fetch();
  for (unsigned i = 0; i < 256; i++) {
    const back &at = out[(int)i];
    const double a = byte_value(true, i), b = byte_value(false, i);
    check_item(same(at.e4m3, a) && same(at.e5m2, b), (int)i, "numbers of 8 bits", __FILE__, __LINE__);
    check_item(same(at.scale, i == 255 ? NAN : ldexp(1, (int)i - 127)), (int)i, "scales", __FILE__, __LINE__);
    check_item(same(at.pair.x, byte_value(false, 255 - i)) && same(at.pair.y, b), (int)i, "pairs", __FILE__,
               __LINE__);
    check_item(same(at.four.x, a) && same(at.four.y, byte_value(true, 255 - i)) &&
                   same(at.four.z, byte_value(true, i ^ 0x80)) && at.four.w == 1,
               (int)i, "four of them", __FILE__, __LINE__);
    check_item(at.whole == (isnan(b)         ? 0
                            : b == INFINITY  ? 2147483647
                            : b == -INFINITY ? -2147483647 - 1
                                             : (int)b),
               (int)i, "integers", __FILE__, __LINE__);
    check_item(at.cut == (isnan(a) || a < 0 ? 0
                          : a > 255         ? 255
                                            : (int)a),
               (int)i, "bytes end at 255", __FILE__, __LINE__);
    check_item(at.is_other == ((i & 0x7f) != 0), (int)i, "bool", __FILE__, __LINE__);
  }
  return result();
}
