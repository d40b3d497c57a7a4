/* SPDX-License-Identifier: MIT */
/*
 * byte - the classes of one kind of number of 8 bits: one, two and four. cuda_fp8.h includes it for each kind, with
 *
 *     VPTR_FP8, VPTR_FP8X2, VPTR_FP8X4  the classes
 *     VPTR_FP8_OF, VPTR_FP8_TO          the bits of a float or a double, and the float of bits
 *     VPTR_FP8_LONG                     what a whole number becomes in front of that: float, or a vptr_magnitude
 *
 * Constructors end at the largest number, and are explicit, as conversions are. Bits of bool are all but the sign's.
 */
#define VPTR_FP8_MADE(type, wide)                                                                                    \
  explicit VPTR_FP8(const type value) : __x(VPTR_FP8_OF(static_cast<wide>(value))) {}
#define VPTR_FP8_WHOLE(type)                                                                                         \
  explicit operator type() const {                                                                                   \
    return vptr_integer_of<type>(VPTR_FP8_TO(__x), VPTR_TO_ZERO);                                                    \
  }

struct __align__(1) VPTR_FP8 {
  __nv_fp8_storage_t __x;

  VPTR_FP8() = default;
#ifndef __CUDA_NO_FP8_CONVERSIONS__
  explicit VPTR_FP8(const __half value) : __x(VPTR_FP8_OF(vptr_float(value))) {}
  explicit VPTR_FP8(const __nv_bfloat16 value) : __x(VPTR_FP8_OF(vptr_float(value))) {}
  VPTR_FP8_MADE(float, float)
  VPTR_FP8_MADE(double, double)
  VPTR_FP8_MADE(unsigned short, float)
  VPTR_FP8_MADE(unsigned int, VPTR_FP8_LONG)
  VPTR_FP8_MADE(unsigned long, VPTR_FP8_LONG)
  VPTR_FP8_MADE(unsigned long long, VPTR_FP8_LONG)
  VPTR_FP8_MADE(short, float)
  VPTR_FP8_MADE(int, VPTR_FP8_LONG)
  VPTR_FP8_MADE(long, VPTR_FP8_LONG)
  VPTR_FP8_MADE(long long, VPTR_FP8_LONG)
#ifndef __CUDA_NO_FP8_CONVERSION_OPERATORS__
  explicit operator __half() const {
    return __float2half(VPTR_FP8_TO(__x));
  }
  explicit operator __nv_bfloat16() const {
    return __float2bfloat16(VPTR_FP8_TO(__x));
  }
  explicit operator float() const {
    return VPTR_FP8_TO(__x);
  }
  explicit operator double() const {
    return static_cast<double>(VPTR_FP8_TO(__x));
  }
  VPTR_FP8_WHOLE(unsigned char)
  VPTR_FP8_WHOLE(unsigned short)
  VPTR_FP8_WHOLE(unsigned int)
  VPTR_FP8_WHOLE(unsigned long)
  VPTR_FP8_WHOLE(unsigned long long)
  VPTR_FP8_WHOLE(signed char)
  VPTR_FP8_WHOLE(char)
  VPTR_FP8_WHOLE(short)
  VPTR_FP8_WHOLE(int)
  VPTR_FP8_WHOLE(long)
  VPTR_FP8_WHOLE(long long)
  explicit operator bool() const {
    return VPTR_FP8_TO(__x) != 0;
  }
#endif
#endif
};

/* The first in the low byte. */
struct __align__(2) VPTR_FP8X2 {
  __nv_fp8x2_storage_t __x;

  VPTR_FP8X2() = default;
#ifndef __CUDA_NO_FP8_CONVERSIONS__
  explicit VPTR_FP8X2(const __half2 pair)
      : __x(vptr_fp8x2_of(VPTR_FP8_OF(vptr_float(pair.x)), VPTR_FP8_OF(vptr_float(pair.y)))) {}
  explicit VPTR_FP8X2(const __nv_bfloat162 pair)
      : __x(vptr_fp8x2_of(VPTR_FP8_OF(vptr_float(pair.x)), VPTR_FP8_OF(vptr_float(pair.y)))) {}
  explicit VPTR_FP8X2(const float2 pair) : __x(vptr_fp8x2_of(VPTR_FP8_OF(pair.x), VPTR_FP8_OF(pair.y))) {}
  explicit VPTR_FP8X2(const double2 pair) : __x(vptr_fp8x2_of(VPTR_FP8_OF(pair.x), VPTR_FP8_OF(pair.y))) {}
#ifndef __CUDA_NO_FP8_CONVERSION_OPERATORS__
  explicit operator float2() const {
    float2 both = { VPTR_FP8_TO(static_cast<__nv_fp8_storage_t>(__x)),
                    VPTR_FP8_TO(static_cast<__nv_fp8_storage_t>(__x >> 8)) };
    return both;
  }
  explicit operator __half2() const {
    return __float22half2_rn(static_cast<float2>(*this));
  }
  VPTR_FP8X2_TO_BFLOAT16
#endif
#endif
};

struct __align__(4) VPTR_FP8X4 {
  __nv_fp8x4_storage_t __x;

  VPTR_FP8X4() = default;
#ifndef __CUDA_NO_FP8_CONVERSIONS__
#define VPTR_FP8_FOUR(type)                                                                                          \
  explicit VPTR_FP8X4(const type four)                                                                               \
      : __x(vptr_fp8x4_of(vptr_fp8x2_of(VPTR_FP8_OF(four.x), VPTR_FP8_OF(four.y)),                                   \
                          vptr_fp8x2_of(VPTR_FP8_OF(four.z), VPTR_FP8_OF(four.w)))) {}
  explicit VPTR_FP8X4(const __half2 low, const __half2 high)
      : __x(vptr_fp8x4_of(VPTR_FP8X2(low).__x, VPTR_FP8X2(high).__x)) {}
  explicit VPTR_FP8X4(const __nv_bfloat162 low, const __nv_bfloat162 high)
      : __x(vptr_fp8x4_of(VPTR_FP8X2(low).__x, VPTR_FP8X2(high).__x)) {}
  VPTR_FP8_FOUR(float4)
  VPTR_FP8_FOUR(double4)
  VPTR_FP8_FOUR(double4_16a)
  VPTR_FP8_FOUR(double4_32a)
#undef VPTR_FP8_FOUR
#ifndef __CUDA_NO_FP8_CONVERSION_OPERATORS__
  explicit operator float4() const {
    float4 all = { VPTR_FP8_TO(static_cast<__nv_fp8_storage_t>(__x)),
                   VPTR_FP8_TO(static_cast<__nv_fp8_storage_t>(__x >> 8)),
                   VPTR_FP8_TO(static_cast<__nv_fp8_storage_t>(__x >> 16)),
                   VPTR_FP8_TO(static_cast<__nv_fp8_storage_t>(__x >> 24)) };
    return all;
  }
#endif
#endif
};

#undef VPTR_FP8_MADE
#undef VPTR_FP8_WHOLE
