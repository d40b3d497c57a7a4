/* SPDX-License-Identifier: MIT */
/*
 * functions - the functions that __half and __nv_bfloat16 have alike, on both sides. It is included for each of
 * them behind narrow/type.h, with the names that are defined there, and besides
 *
 *     VPTR_SHORT_NAME                   half or bfloat16, as it stands in the names of conversions
 *     VPTR_SHORT_MIDDLE                 x * y + z: vptr_odd_sum(x * y, z) or vptr_odd_product_sum(x, y, z)
 *     VPTR_SHORT_ONE                    the bits of 1
 *     VPTR_SHORT_OPERATORS, _OPERATORS2 1, or 0 where the program wants none
 */
#define VPTR_S VPTR_SHORT
#define VPTR_S2 VPTR_SHORT2
#define VPTR_JOINED(a, b, c) a##b##c
#define VPTR_JOIN(a, b, c) VPTR_JOINED(a, b, c)
#define VPTR_NAMED(before, after) VPTR_JOIN(before, VPTR_SHORT_NAME, after)
#define VPTR_OF_BITS VPTR_NAMED(__ushort_as_, )

/* ---- bits ------------------------------------------------------------------------------------------------------ */

VPTR_NARROW unsigned short VPTR_NAMED(__, _as_ushort)(const VPTR_S a) {
  return static_cast<VPTR_SHORT_RAW>(a).x;
}
VPTR_NARROW short VPTR_NAMED(__, _as_short)(const VPTR_S a) {
  return static_cast<short>(static_cast<VPTR_SHORT_RAW>(a).x);
}
VPTR_NARROW VPTR_S VPTR_OF_BITS(const unsigned short bits) {
  VPTR_SHORT_RAW raw = { bits };
  return raw;
}
VPTR_NARROW VPTR_S VPTR_NAMED(__short_as_, )(const short bits) {
  return VPTR_OF_BITS(static_cast<unsigned short>(bits));
}
VPTR_NARROW unsigned short vptr_bits(const VPTR_S a) {
  return static_cast<VPTR_SHORT_RAW>(a).x;
}
VPTR_NARROW float vptr_float(const VPTR_S a) {
  return VPTR_SHORT_TO(vptr_bits(a));
}

/* ---- conversions ----------------------------------------------------------------------------------------------- */

VPTR_NARROW VPTR_S VPTR_NAMED(__float2, )(const float a) {
  return VPTR_OF_BITS(VPTR_SHORT_OF(a));
}
VPTR_NARROW VPTR_S VPTR_NAMED(__float2, _rn)(const float a) {
  return VPTR_OF_BITS(VPTR_SHORT_OF(a));
}
#define VPTR_OF VPTR_NAMED(__float2, )
#define VPTR_OF_NUMBER(name, type, wide, rounding)                                                                   \
  VPTR_NARROW VPTR_S name(const type a) {                                                                            \
    return VPTR_OF_BITS(vptr_narrow_of_number<VPTR_SHORT_FORMAT>(static_cast<wide>(a), rounding));                   \
  }
#define VPTR_TO_INTEGER(name, type, rounding)                                                                        \
  VPTR_NARROW type name(const VPTR_S a) {                                                                            \
    return vptr_integer_of<type>(vptr_float(a), rounding);                                                           \
  }
VPTR_OF_NUMBER(VPTR_NAMED(__float2, _rz), float, float, VPTR_TO_ZERO)
VPTR_OF_NUMBER(VPTR_NAMED(__float2, _rd), float, float, VPTR_DOWNWARDS)
VPTR_OF_NUMBER(VPTR_NAMED(__float2, _ru), float, float, VPTR_UPWARDS)
VPTR_OF_NUMBER(VPTR_NAMED(__double2, ), double, double, VPTR_TO_NEAREST)
VPTR_NARROW float VPTR_NAMED(__, 2float)(const VPTR_S a) {
  return vptr_float(a);
}

#define VPTR_INTEGER(type, name, wide)                                                                               \
  VPTR_OF_NUMBER(VPTR_NAMED(__##name##2, _rn), type, wide, VPTR_TO_NEAREST)                                          \
  VPTR_OF_NUMBER(VPTR_NAMED(__##name##2, _rz), type, wide, VPTR_TO_ZERO)                                             \
  VPTR_OF_NUMBER(VPTR_NAMED(__##name##2, _rd), type, wide, VPTR_DOWNWARDS)                                           \
  VPTR_OF_NUMBER(VPTR_NAMED(__##name##2, _ru), type, wide, VPTR_UPWARDS)                                             \
  VPTR_TO_INTEGER(VPTR_NAMED(__, 2##name##_rn), type, VPTR_TO_NEAREST)                                               \
  VPTR_TO_INTEGER(VPTR_NAMED(__, 2##name##_rz), type, VPTR_TO_ZERO)                                                  \
  VPTR_TO_INTEGER(VPTR_NAMED(__, 2##name##_rd), type, VPTR_DOWNWARDS)                                                \
  VPTR_TO_INTEGER(VPTR_NAMED(__, 2##name##_ru), type, VPTR_UPWARDS)
VPTR_INTEGER(short, short, long long)
VPTR_INTEGER(unsigned short, ushort, long long)
VPTR_INTEGER(int, int, long long)
VPTR_INTEGER(unsigned int, uint, long long)
VPTR_INTEGER(long long, ll, long long)
VPTR_INTEGER(unsigned long long, ull, unsigned long long)
VPTR_TO_INTEGER(VPTR_NAMED(__, 2char_rz), signed char, VPTR_TO_ZERO)
VPTR_TO_INTEGER(VPTR_NAMED(__, 2uchar_rz), unsigned char, VPTR_TO_ZERO)
#undef VPTR_INTEGER
#undef VPTR_TO_INTEGER
#undef VPTR_OF_NUMBER

VPTR_NARROW VPTR_S2 VPTR_NAMED(make_, 2)(const VPTR_S x, const VPTR_S y) {
  return VPTR_S2(x, y);
}
VPTR_NARROW VPTR_S2 VPTR_NAMED(__halves2, 2)(const VPTR_S low, const VPTR_S high) {
  return VPTR_S2(low, high);
}
VPTR_NARROW VPTR_S2 VPTR_NAMED(__float2, 2_rn)(const float a) {
  return VPTR_S2(VPTR_OF(a), VPTR_OF(a));
}
VPTR_NARROW VPTR_S2 VPTR_NAMED(__floats2, 2_rn)(const float low, const float high) {
  return VPTR_S2(VPTR_OF(low), VPTR_OF(high));
}
VPTR_NARROW VPTR_S2 VPTR_NAMED(__float22, 2_rn)(const float2 a) {
  return VPTR_S2(VPTR_OF(a.x), VPTR_OF(a.y));
}
VPTR_NARROW float2 VPTR_NAMED(__, 22float2)(const VPTR_S2 a) {
  float2 both = { vptr_float(a.x), vptr_float(a.y) };
  return both;
}
VPTR_NARROW float __low2float(const VPTR_S2 a) {
  return vptr_float(a.x);
}
VPTR_NARROW float __high2float(const VPTR_S2 a) {
  return vptr_float(a.y);
}
VPTR_NARROW VPTR_S VPTR_NAMED(__low2, )(const VPTR_S2 a) {
  return a.x;
}
VPTR_NARROW VPTR_S VPTR_NAMED(__high2, )(const VPTR_S2 a) {
  return a.y;
}
VPTR_NARROW VPTR_S2 VPTR_NAMED(__low2, 2)(const VPTR_S2 a) {
  return VPTR_S2(a.x, a.x);
}
VPTR_NARROW VPTR_S2 VPTR_NAMED(__high2, 2)(const VPTR_S2 a) {
  return VPTR_S2(a.y, a.y);
}
VPTR_NARROW VPTR_S2 VPTR_NAMED(__lows2, 2)(const VPTR_S2 a, const VPTR_S2 b) {
  return VPTR_S2(a.x, b.x);
}
VPTR_NARROW VPTR_S2 VPTR_NAMED(__highs2, 2)(const VPTR_S2 a, const VPTR_S2 b) {
  return VPTR_S2(a.y, b.y);
}
VPTR_NARROW VPTR_S2 __lowhigh2highlow(const VPTR_S2 a) {
  return VPTR_S2(a.y, a.x);
}

/* ---- one number ------------------------------------------------------------------------------------------------ */

VPTR_NARROW bool __hisnan(const VPTR_S a) {
  return vptr_is_nan(vptr_float(a));
}
VPTR_NARROW int __hisinf(const VPTR_S a) {
  const float value = vptr_float(a);
  return !vptr_is_nan(value) && value - value != 0 ? (value > 0 ? 1 : -1) : 0;
}
VPTR_NARROW VPTR_S __hneg(const VPTR_S a) {
  return VPTR_OF(-vptr_float(a));
}
VPTR_NARROW VPTR_S __habs(const VPTR_S a) {
  return VPTR_OF(::fabsf(vptr_float(a)));
}

VPTR_NARROW VPTR_S __hadd(const VPTR_S a, const VPTR_S b) {
  return VPTR_OF(vptr_float(a) + vptr_float(b));
}
VPTR_NARROW VPTR_S __hsub(const VPTR_S a, const VPTR_S b) {
  return VPTR_OF(vptr_float(a) - vptr_float(b));
}
VPTR_NARROW VPTR_S __hmul(const VPTR_S a, const VPTR_S b) {
  return VPTR_OF(vptr_float(a) * vptr_float(b));
}
VPTR_NARROW VPTR_S __hdiv(const VPTR_S a, const VPTR_S b) {
  return VPTR_OF(vptr_float(a) / vptr_float(b));
}
VPTR_NARROW VPTR_S __hfma(const VPTR_S a, const VPTR_S b, const VPTR_S c) {
  const float x = vptr_float(a), y = vptr_float(b), z = vptr_float(c);
  return VPTR_OF(VPTR_SHORT_MIDDLE);
}

/* From 0 to 1, and no NaN; or no less than 0, with NaN. */
VPTR_NARROW VPTR_S vptr_saturated(const VPTR_S a) {
  const float value = vptr_float(a);
  return value >= 1.0f ? VPTR_OF_BITS(VPTR_SHORT_ONE) : value > 0.0f ? a : VPTR_OF_BITS(0);
}
VPTR_NARROW VPTR_S vptr_rectified(const VPTR_S a) {
  return vptr_float(a) <= 0.0f ? VPTR_OF_BITS(0) : a;
}
VPTR_NARROW VPTR_S __hadd_rn(const VPTR_S a, const VPTR_S b) {
  return __hadd(a, b);
}
VPTR_NARROW VPTR_S __hsub_rn(const VPTR_S a, const VPTR_S b) {
  return __hsub(a, b);
}
VPTR_NARROW VPTR_S __hmul_rn(const VPTR_S a, const VPTR_S b) {
  return __hmul(a, b);
}
VPTR_NARROW VPTR_S __hadd_sat(const VPTR_S a, const VPTR_S b) {
  return vptr_saturated(__hadd(a, b));
}
VPTR_NARROW VPTR_S __hsub_sat(const VPTR_S a, const VPTR_S b) {
  return vptr_saturated(__hsub(a, b));
}
VPTR_NARROW VPTR_S __hmul_sat(const VPTR_S a, const VPTR_S b) {
  return vptr_saturated(__hmul(a, b));
}
VPTR_NARROW VPTR_S __hfma_sat(const VPTR_S a, const VPTR_S b, const VPTR_S c) {
  return vptr_saturated(__hfma(a, b, c));
}
VPTR_NARROW VPTR_S __hfma_relu(const VPTR_S a, const VPTR_S b, const VPTR_S c) {
  return vptr_rectified(__hfma(a, b, c));
}

/* A number rather than a NaN, and -0 below +0; the _nan ones a NaN rather than a number. */
VPTR_NARROW VPTR_S __hmax(const VPTR_S a, const VPTR_S b) {
  const float x = vptr_float(a), y = vptr_float(b);
  if (x == y)
    return VPTR_OF_BITS(static_cast<unsigned short>(vptr_bits(a) & vptr_bits(b)));
  return vptr_is_nan(x) ? VPTR_OF(y) : vptr_is_nan(y) || x > y ? a : b;
}
VPTR_NARROW VPTR_S __hmin(const VPTR_S a, const VPTR_S b) {
  const float x = vptr_float(a), y = vptr_float(b);
  if (x == y)
    return VPTR_OF_BITS(static_cast<unsigned short>(vptr_bits(a) | vptr_bits(b)));
  return vptr_is_nan(x) ? VPTR_OF(y) : vptr_is_nan(y) || x < y ? a : b;
}
VPTR_NARROW VPTR_S __hmax_nan(const VPTR_S a, const VPTR_S b) {
  return __hisnan(a) || __hisnan(b) ? VPTR_OF_BITS(0x7fff) : __hmax(a, b);
}
VPTR_NARROW VPTR_S __hmin_nan(const VPTR_S a, const VPTR_S b) {
  return __hisnan(a) || __hisnan(b) ? VPTR_OF_BITS(0x7fff) : __hmin(a, b);
}

/* those that end with u are true for what is not ordered, too */
VPTR_NARROW bool __heq(const VPTR_S a, const VPTR_S b) {
  return vptr_float(a) == vptr_float(b);
}
VPTR_NARROW bool __hlt(const VPTR_S a, const VPTR_S b) {
  return vptr_float(a) < vptr_float(b);
}
VPTR_NARROW bool __hle(const VPTR_S a, const VPTR_S b) {
  return vptr_float(a) <= vptr_float(b);
}
VPTR_NARROW bool __hgt(const VPTR_S a, const VPTR_S b) {
  return vptr_float(a) > vptr_float(b);
}
VPTR_NARROW bool __hge(const VPTR_S a, const VPTR_S b) {
  return vptr_float(a) >= vptr_float(b);
}
VPTR_NARROW bool __hne(const VPTR_S a, const VPTR_S b) {
  return __hlt(a, b) || __hgt(a, b);
}
VPTR_NARROW bool __hequ(const VPTR_S a, const VPTR_S b) {
  return !__hne(a, b);
}
VPTR_NARROW bool __hneu(const VPTR_S a, const VPTR_S b) {
  return !__heq(a, b);
}
VPTR_NARROW bool __hltu(const VPTR_S a, const VPTR_S b) {
  return !__hge(a, b);
}
VPTR_NARROW bool __hleu(const VPTR_S a, const VPTR_S b) {
  return !__hgt(a, b);
}
VPTR_NARROW bool __hgtu(const VPTR_S a, const VPTR_S b) {
  return !__hle(a, b);
}
VPTR_NARROW bool __hgeu(const VPTR_S a, const VPTR_S b) {
  return !__hlt(a, b);
}

/* ---- pairs ----------------------------------------------------------------------------------------------------- */

#define VPTR_PAIR1(name, one)                                                                                        \
  VPTR_NARROW VPTR_S2 name(const VPTR_S2 a) {                                                                        \
    return VPTR_S2(one(a.x), one(a.y));                                                                              \
  }
#define VPTR_PAIR2(name, one)                                                                                        \
  VPTR_NARROW VPTR_S2 name(const VPTR_S2 a, const VPTR_S2 b) {                                                       \
    return VPTR_S2(one(a.x, b.x), one(a.y, b.y));                                                                    \
  }
#define VPTR_PAIR3(name, one)                                                                                        \
  VPTR_NARROW VPTR_S2 name(const VPTR_S2 a, const VPTR_S2 b, const VPTR_S2 c) {                                      \
    return VPTR_S2(one(a.x, b.x, c.x), one(a.y, b.y, c.y));                                                          \
  }
VPTR_PAIR1(__hneg2, __hneg)
VPTR_PAIR1(__habs2, __habs)
VPTR_PAIR2(__hadd2, __hadd)
VPTR_PAIR2(__hsub2, __hsub)
VPTR_PAIR2(__hmul2, __hmul)
VPTR_PAIR2(__h2div, __hdiv)
VPTR_PAIR2(__hadd2_rn, __hadd)
VPTR_PAIR2(__hsub2_rn, __hsub)
VPTR_PAIR2(__hmul2_rn, __hmul)
VPTR_PAIR2(__hadd2_sat, __hadd_sat)
VPTR_PAIR2(__hsub2_sat, __hsub_sat)
VPTR_PAIR2(__hmul2_sat, __hmul_sat)
VPTR_PAIR2(__hmax2, __hmax)
VPTR_PAIR2(__hmin2, __hmin)
VPTR_PAIR2(__hmax2_nan, __hmax_nan)
VPTR_PAIR2(__hmin2_nan, __hmin_nan)
VPTR_PAIR3(__hfma2, __hfma)
VPTR_PAIR3(__hfma2_sat, __hfma_sat)
VPTR_PAIR3(__hfma2_relu, __hfma_relu)
#undef VPTR_PAIR1
#undef VPTR_PAIR2
#undef VPTR_PAIR3

/* of complex numbers, a * b + c */
VPTR_NARROW VPTR_S2 __hcmadd(const VPTR_S2 a, const VPTR_S2 b, const VPTR_S2 c) {
  return VPTR_S2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

VPTR_NARROW VPTR_S vptr_one_if(const VPTR_S, bool is_one) {
  return VPTR_OF_BITS(static_cast<unsigned short>(is_one ? VPTR_SHORT_ONE : 0));
}

/* 1 or 0 in each; a mask; whether both hold */
#define VPTR_COMPARED(name)                                                                                          \
  VPTR_NARROW VPTR_S2 __h##name##2(const VPTR_S2 a, const VPTR_S2 b) {                                               \
    return VPTR_S2(vptr_one_if(a.x, __h##name(a.x, b.x)), vptr_one_if(a.y, __h##name(a.y, b.y)));                    \
  }                                                                                                                  \
  VPTR_NARROW unsigned int __h##name##2_mask(const VPTR_S2 a, const VPTR_S2 b) {                                     \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);                          \
  }                                                                                                                  \
  VPTR_NARROW bool __hb##name##2(const VPTR_S2 a, const VPTR_S2 b) {                                                 \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                                               \
  }
VPTR_COMPARED(eq)
VPTR_COMPARED(ne)
VPTR_COMPARED(lt)
VPTR_COMPARED(le)
VPTR_COMPARED(gt)
VPTR_COMPARED(ge)
VPTR_COMPARED(equ)
VPTR_COMPARED(neu)
VPTR_COMPARED(ltu)
VPTR_COMPARED(leu)
VPTR_COMPARED(gtu)
VPTR_COMPARED(geu)
#undef VPTR_COMPARED
VPTR_NARROW VPTR_S2 __hisnan2(const VPTR_S2 a) {
  return VPTR_S2(vptr_one_if(a.x, __hisnan(a.x)), vptr_one_if(a.y, __hisnan(a.y)));
}

/* ---- operators ------------------------------------------------------------------------------------------------- */

#define VPTR_OPERATOR(type, sign, function)                                                                          \
  VPTR_NARROW type operator sign(const type &a, const type &b) {                                                     \
    return function(a, b);                                                                                           \
  }                                                                                                                  \
  VPTR_NARROW type &operator sign##=(type &a, const type &b) {                                                       \
    return a = function(a, b);                                                                                       \
  }
#define VPTR_STEP(type, sign, function, one)                                                                         \
  VPTR_NARROW type &operator sign(type &a) {                                                                         \
    return a = function(a, one);                                                                                     \
  }                                                                                                                  \
  VPTR_NARROW type operator sign(type &a, const int) {                                                               \
    const type before = a;                                                                                           \
    a = function(a, one);                                                                                            \
    return before;                                                                                                   \
  }
#define VPTR_COMPARISON(type, sign, function)                                                                        \
  VPTR_NARROW bool operator sign(const type &a, const type &b) {                                                     \
    return function(a, b);                                                                                           \
  }
#if VPTR_SHORT_OPERATORS
VPTR_OPERATOR(VPTR_S, +, __hadd)
VPTR_OPERATOR(VPTR_S, -, __hsub)
VPTR_OPERATOR(VPTR_S, *, __hmul)
VPTR_OPERATOR(VPTR_S, /, __hdiv)
VPTR_STEP(VPTR_S, ++, __hadd, VPTR_OF_BITS(VPTR_SHORT_ONE))
VPTR_STEP(VPTR_S, --, __hsub, VPTR_OF_BITS(VPTR_SHORT_ONE))
VPTR_NARROW VPTR_S operator+(const VPTR_S &a) {
  return a;
}
VPTR_NARROW VPTR_S operator-(const VPTR_S &a) {
  return __hneg(a);
}
VPTR_COMPARISON(VPTR_S, ==, __heq)
VPTR_COMPARISON(VPTR_S, !=, __hneu)
VPTR_COMPARISON(VPTR_S, <, __hlt)
VPTR_COMPARISON(VPTR_S, <=, __hle)
VPTR_COMPARISON(VPTR_S, >, __hgt)
VPTR_COMPARISON(VPTR_S, >=, __hge)
#endif
#if VPTR_SHORT_OPERATORS2
VPTR_OPERATOR(VPTR_S2, +, __hadd2)
VPTR_OPERATOR(VPTR_S2, -, __hsub2)
VPTR_OPERATOR(VPTR_S2, *, __hmul2)
VPTR_OPERATOR(VPTR_S2, /, __h2div)
VPTR_STEP(VPTR_S2, ++, __hadd2, VPTR_S2(VPTR_OF_BITS(VPTR_SHORT_ONE), VPTR_OF_BITS(VPTR_SHORT_ONE)))
VPTR_STEP(VPTR_S2, --, __hsub2, VPTR_S2(VPTR_OF_BITS(VPTR_SHORT_ONE), VPTR_OF_BITS(VPTR_SHORT_ONE)))
VPTR_NARROW VPTR_S2 operator+(const VPTR_S2 &a) {
  return a;
}
VPTR_NARROW VPTR_S2 operator-(const VPTR_S2 &a) {
  return __hneg2(a);
}
VPTR_COMPARISON(VPTR_S2, ==, __hbeq2)
VPTR_COMPARISON(VPTR_S2, !=, __hbneu2)
VPTR_COMPARISON(VPTR_S2, <, __hblt2)
VPTR_COMPARISON(VPTR_S2, <=, __hble2)
VPTR_COMPARISON(VPTR_S2, >, __hbgt2)
VPTR_COMPARISON(VPTR_S2, >=, __hbge2)
#endif
#undef VPTR_OPERATOR
#undef VPTR_STEP
#undef VPTR_COMPARISON

#undef VPTR_S
#undef VPTR_S2
#undef VPTR_OF
#undef VPTR_OF_BITS
#undef VPTR_NAMED
#undef VPTR_JOIN
#undef VPTR_JOINED
