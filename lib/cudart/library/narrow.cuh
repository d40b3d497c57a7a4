/* SPDX-License-Identifier: MIT */
/*
 * narrow - numbers of 16 bits as they lie in memory, from and to float, rounded to nearest, ties to even: what kernels of
 * several libraries read and write.
 *
 * By integers, so that no device needs half precision of its own.
 */
static __device__ float float_of_half(unsigned short bits) {
  unsigned sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31u, rest = bits & 0x3ffu;
  if (exponent == 31u)
    return __uint_as_float(sign | 0x7f800000u | rest << 13);
  if (exponent != 0)
    return __uint_as_float(sign | (exponent + 112u) << 23 | rest << 13);
  float value = (float)rest * 5.9604644775390625e-8f;
  return sign != 0 ? -value : value;
}

static __device__ unsigned short half_of_float(float value) {
  unsigned bits = __float_as_uint(value), sign = bits >> 16 & 0x8000u, rest = bits & 0x7fffffffu;
  if (rest > 0x7f800000u)
    return 0x7fff;
  if (rest >= 0x477ff000u)
    return (unsigned short)(sign | 0x7c00u);
  if (rest < 0x33000000u)
    return (unsigned short)sign;
  unsigned shift = 13;
  if (rest >= 0x38800000u) {
    rest -= 0x38000000u;
  } else {
    shift = 126u - (rest >> 23);
    rest = (rest & 0x7fffffu) | 0x800000u;
  }
  unsigned half = rest >> shift, lost = rest & ((1u << shift) - 1u), middle = 1u << (shift - 1u);
  if (lost > middle || (lost == middle && (half & 1u) != 0))
    half++;
  return (unsigned short)(sign | half);
}

static __device__ float float_of_bfloat16(unsigned short bits) { return __uint_as_float((unsigned)bits << 16); }

static __device__ unsigned short bfloat16_of_float(float value) {
  unsigned bits = __float_as_uint(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return 0x7fff;
  return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
