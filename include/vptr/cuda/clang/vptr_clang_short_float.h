/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_short_float - the functions that __half and __nv_bfloat16, and pairs of them, have alike. It is included
 * for each: VPTR_CLANG_SHORT and VPTR_CLANG_SHORT2 name the types.
 *
 * All is calculated in float and rounded once more, which is the same as rounding once for +, -, *, / and sqrt. __hfma
 * is calculated in double, where a product of two is exact.
 */
#define VPTR_CLANG_S VPTR_CLANG_SHORT
#define VPTR_CLANG_S2 VPTR_CLANG_SHORT2

/* ---- one number ------------------------------------------------------------------------------------------------ */

VPTR_CLANG_BOTH VPTR_CLANG_S __hfma(VPTR_CLANG_S a, VPTR_CLANG_S b, VPTR_CLANG_S c) {
  return ::vptr_clang_nearest<VPTR_CLANG_S>(static_cast<double>(static_cast<float>(a)) * static_cast<float>(b) +
                                            static_cast<float>(c));
}
VPTR_CLANG_BOTH VPTR_CLANG_S vptr_clang_saturate(VPTR_CLANG_S a) {
  const float value = a;
  return value > 1.0f ? 1.0f : value > 0.0f ? value : 0.0f;
}
VPTR_CLANG_BOTH VPTR_CLANG_S vptr_clang_relu(VPTR_CLANG_S a) {
  return static_cast<float>(a) < 0.0f ? VPTR_CLANG_S(0.0f) : a;
}
VPTR_CLANG_BOTH VPTR_CLANG_S __hadd_rn(VPTR_CLANG_S a, VPTR_CLANG_S b) { return ::__hadd(a, b); }
VPTR_CLANG_BOTH VPTR_CLANG_S __hsub_rn(VPTR_CLANG_S a, VPTR_CLANG_S b) { return ::__hsub(a, b); }
VPTR_CLANG_BOTH VPTR_CLANG_S __hmul_rn(VPTR_CLANG_S a, VPTR_CLANG_S b) { return ::__hmul(a, b); }
VPTR_CLANG_BOTH VPTR_CLANG_S __hadd_sat(VPTR_CLANG_S a, VPTR_CLANG_S b) {
  return ::vptr_clang_saturate(::__hadd(a, b));
}
VPTR_CLANG_BOTH VPTR_CLANG_S __hsub_sat(VPTR_CLANG_S a, VPTR_CLANG_S b) {
  return ::vptr_clang_saturate(::__hsub(a, b));
}
VPTR_CLANG_BOTH VPTR_CLANG_S __hmul_sat(VPTR_CLANG_S a, VPTR_CLANG_S b) {
  return ::vptr_clang_saturate(::__hmul(a, b));
}
VPTR_CLANG_BOTH VPTR_CLANG_S __hfma_sat(VPTR_CLANG_S a, VPTR_CLANG_S b, VPTR_CLANG_S c) {
  return ::vptr_clang_saturate(::__hfma(a, b, c));
}
VPTR_CLANG_BOTH VPTR_CLANG_S __hfma_relu(VPTR_CLANG_S a, VPTR_CLANG_S b, VPTR_CLANG_S c) {
  return ::vptr_clang_relu(::__hfma(a, b, c));
}

/* a number rather than a NaN; the _nan ones the other way round */
VPTR_CLANG_BOTH VPTR_CLANG_S __hmax(VPTR_CLANG_S a, VPTR_CLANG_S b) { return ::fmaxf(a, b); }
VPTR_CLANG_BOTH VPTR_CLANG_S __hmin(VPTR_CLANG_S a, VPTR_CLANG_S b) { return ::fminf(a, b); }
VPTR_CLANG_BOTH VPTR_CLANG_S __hmax_nan(VPTR_CLANG_S a, VPTR_CLANG_S b) {
  return ::__hisnan(a) ? a : ::__hisnan(b) ? b : ::__hmax(a, b);
}
VPTR_CLANG_BOTH VPTR_CLANG_S __hmin_nan(VPTR_CLANG_S a, VPTR_CLANG_S b) {
  return ::__hisnan(a) ? a : ::__hisnan(b) ? b : ::__hmin(a, b);
}

/* true for what is not ordered, too */
VPTR_CLANG_BOTH bool __hequ(VPTR_CLANG_S a, VPTR_CLANG_S b) { return ::__hisnan(a) || ::__hisnan(b) || ::__heq(a, b); }
VPTR_CLANG_BOTH bool __hneu(VPTR_CLANG_S a, VPTR_CLANG_S b) { return !::__heq(a, b); }
VPTR_CLANG_BOTH bool __hltu(VPTR_CLANG_S a, VPTR_CLANG_S b) { return !::__hge(a, b); }
VPTR_CLANG_BOTH bool __hleu(VPTR_CLANG_S a, VPTR_CLANG_S b) { return !::__hgt(a, b); }
VPTR_CLANG_BOTH bool __hgtu(VPTR_CLANG_S a, VPTR_CLANG_S b) { return !::__hle(a, b); }
VPTR_CLANG_BOTH bool __hgeu(VPTR_CLANG_S a, VPTR_CLANG_S b) { return !::__hlt(a, b); }

/* ---- pairs ----------------------------------------------------------------------------------------------------- */

#define VPTR_CLANG_PAIR1(name, one)                                                                                    \
  VPTR_CLANG_BOTH VPTR_CLANG_S2 name(VPTR_CLANG_S2 a) { return VPTR_CLANG_S2(one(a.x), one(a.y)); }
#define VPTR_CLANG_PAIR2(name, one)                                                                                    \
  VPTR_CLANG_BOTH VPTR_CLANG_S2 name(VPTR_CLANG_S2 a, VPTR_CLANG_S2 b) {                                               \
    return VPTR_CLANG_S2(one(a.x, b.x), one(a.y, b.y));                                                                \
  }
#define VPTR_CLANG_PAIR3(name, one)                                                                                    \
  VPTR_CLANG_BOTH VPTR_CLANG_S2 name(VPTR_CLANG_S2 a, VPTR_CLANG_S2 b, VPTR_CLANG_S2 c) {                              \
    return VPTR_CLANG_S2(one(a.x, b.x, c.x), one(a.y, b.y, c.y));                                                      \
  }
VPTR_CLANG_PAIR1(__hneg2, ::__hneg)
VPTR_CLANG_PAIR1(__habs2, ::__habs)
VPTR_CLANG_PAIR2(__hadd2, ::__hadd)
VPTR_CLANG_PAIR2(__hsub2, ::__hsub)
VPTR_CLANG_PAIR2(__hmul2, ::__hmul)
VPTR_CLANG_PAIR2(__h2div, ::__hdiv)
VPTR_CLANG_PAIR2(__hadd2_rn, ::__hadd)
VPTR_CLANG_PAIR2(__hsub2_rn, ::__hsub)
VPTR_CLANG_PAIR2(__hmul2_rn, ::__hmul)
VPTR_CLANG_PAIR2(__hadd2_sat, ::__hadd_sat)
VPTR_CLANG_PAIR2(__hsub2_sat, ::__hsub_sat)
VPTR_CLANG_PAIR2(__hmul2_sat, ::__hmul_sat)
VPTR_CLANG_PAIR2(__hmax2, ::__hmax)
VPTR_CLANG_PAIR2(__hmin2, ::__hmin)
VPTR_CLANG_PAIR2(__hmax2_nan, ::__hmax_nan)
VPTR_CLANG_PAIR2(__hmin2_nan, ::__hmin_nan)
VPTR_CLANG_PAIR3(__hfma2, ::__hfma)
VPTR_CLANG_PAIR3(__hfma2_sat, ::__hfma_sat)
VPTR_CLANG_PAIR3(__hfma2_relu, ::__hfma_relu)

/* 1 or 0 in each; a mask; whether both hold */
#define VPTR_CLANG_COMPARED(name)                                                                                      \
  VPTR_CLANG_BOTH VPTR_CLANG_S2 __h##name##2(VPTR_CLANG_S2 a, VPTR_CLANG_S2 b) {                                       \
    return VPTR_CLANG_S2(VPTR_CLANG_S(::__h##name(a.x, b.x) ? 1.0f : 0.0f),                                            \
                         VPTR_CLANG_S(::__h##name(a.y, b.y) ? 1.0f : 0.0f));                                           \
  }                                                                                                                    \
  VPTR_CLANG_BOTH unsigned int __h##name##2_mask(VPTR_CLANG_S2 a, VPTR_CLANG_S2 b) {                                   \
    return (::__h##name(a.x, b.x) ? 0xffffu : 0u) | (::__h##name(a.y, b.y) ? 0xffff0000u : 0u);                        \
  }                                                                                                                    \
  VPTR_CLANG_BOTH bool __hb##name##2(VPTR_CLANG_S2 a, VPTR_CLANG_S2 b) {                                               \
    return ::__h##name(a.x, b.x) && ::__h##name(a.y, b.y);                                                             \
  }
VPTR_CLANG_COMPARED(eq)
VPTR_CLANG_COMPARED(ne)
VPTR_CLANG_COMPARED(lt)
VPTR_CLANG_COMPARED(le)
VPTR_CLANG_COMPARED(gt)
VPTR_CLANG_COMPARED(ge)
VPTR_CLANG_COMPARED(equ)
VPTR_CLANG_COMPARED(neu)
VPTR_CLANG_COMPARED(ltu)
VPTR_CLANG_COMPARED(leu)
VPTR_CLANG_COMPARED(gtu)
VPTR_CLANG_COMPARED(geu)
#undef VPTR_CLANG_COMPARED

VPTR_CLANG_BOTH VPTR_CLANG_S2 __hisnan2(VPTR_CLANG_S2 a) {
  return VPTR_CLANG_S2(VPTR_CLANG_S(::__hisnan(a.x) ? 1.0f : 0.0f), VPTR_CLANG_S(::__hisnan(a.y) ? 1.0f : 0.0f));
}
VPTR_CLANG_BOTH VPTR_CLANG_S2 __low2half2(VPTR_CLANG_S2 a) { return VPTR_CLANG_S2(a.x, a.x); }
VPTR_CLANG_BOTH VPTR_CLANG_S2 __high2half2(VPTR_CLANG_S2 a) { return VPTR_CLANG_S2(a.y, a.y); }
VPTR_CLANG_BOTH VPTR_CLANG_S2 __lows2half2(VPTR_CLANG_S2 a, VPTR_CLANG_S2 b) { return VPTR_CLANG_S2(a.x, b.x); }
VPTR_CLANG_BOTH VPTR_CLANG_S2 __highs2half2(VPTR_CLANG_S2 a, VPTR_CLANG_S2 b) { return VPTR_CLANG_S2(a.y, b.y); }

#ifndef __CUDA_NO_HALF2_OPERATORS__
VPTR_CLANG_BOTH VPTR_CLANG_S2 operator+(const VPTR_CLANG_S2 &a, const VPTR_CLANG_S2 &b) { return ::__hadd2(a, b); }
VPTR_CLANG_BOTH VPTR_CLANG_S2 operator-(const VPTR_CLANG_S2 &a, const VPTR_CLANG_S2 &b) { return ::__hsub2(a, b); }
VPTR_CLANG_BOTH VPTR_CLANG_S2 operator*(const VPTR_CLANG_S2 &a, const VPTR_CLANG_S2 &b) { return ::__hmul2(a, b); }
VPTR_CLANG_BOTH VPTR_CLANG_S2 operator/(const VPTR_CLANG_S2 &a, const VPTR_CLANG_S2 &b) { return ::__h2div(a, b); }
VPTR_CLANG_BOTH VPTR_CLANG_S2 operator-(const VPTR_CLANG_S2 &a) { return ::__hneg2(a); }
VPTR_CLANG_BOTH VPTR_CLANG_S2 &operator+=(VPTR_CLANG_S2 &a, const VPTR_CLANG_S2 &b) { return a = ::__hadd2(a, b); }
VPTR_CLANG_BOTH VPTR_CLANG_S2 &operator-=(VPTR_CLANG_S2 &a, const VPTR_CLANG_S2 &b) { return a = ::__hsub2(a, b); }
VPTR_CLANG_BOTH VPTR_CLANG_S2 &operator*=(VPTR_CLANG_S2 &a, const VPTR_CLANG_S2 &b) { return a = ::__hmul2(a, b); }
VPTR_CLANG_BOTH VPTR_CLANG_S2 &operator/=(VPTR_CLANG_S2 &a, const VPTR_CLANG_S2 &b) { return a = ::__h2div(a, b); }
VPTR_CLANG_BOTH bool operator==(const VPTR_CLANG_S2 &a, const VPTR_CLANG_S2 &b) { return ::__hbeq2(a, b); }
VPTR_CLANG_BOTH bool operator!=(const VPTR_CLANG_S2 &a, const VPTR_CLANG_S2 &b) { return ::__hbneu2(a, b); }
VPTR_CLANG_BOTH bool operator<(const VPTR_CLANG_S2 &a, const VPTR_CLANG_S2 &b) { return ::__hblt2(a, b); }
VPTR_CLANG_BOTH bool operator<=(const VPTR_CLANG_S2 &a, const VPTR_CLANG_S2 &b) { return ::__hble2(a, b); }
VPTR_CLANG_BOTH bool operator>(const VPTR_CLANG_S2 &a, const VPTR_CLANG_S2 &b) { return ::__hbgt2(a, b); }
VPTR_CLANG_BOTH bool operator>=(const VPTR_CLANG_S2 &a, const VPTR_CLANG_S2 &b) { return ::__hbge2(a, b); }
#endif

/* ---- mathematics, on the device -------------------------------------------------------------------------------- */

#define VPTR_CLANG_SHORT_MATH(name, expression)                                                                        \
  VPTR_CLANG_DEVICE VPTR_CLANG_S h##name(VPTR_CLANG_S a) {                                                             \
    const float x = a;                                                                                                 \
    return VPTR_CLANG_S(expression);                                                                                   \
  }                                                                                                                    \
  VPTR_CLANG_DEVICE VPTR_CLANG_S2 h2##name(VPTR_CLANG_S2 a) { return VPTR_CLANG_S2(::h##name(a.x), ::h##name(a.y)); }
VPTR_CLANG_SHORT_MATH(ceil, ::ceilf(x))
VPTR_CLANG_SHORT_MATH(floor, ::floorf(x))
VPTR_CLANG_SHORT_MATH(rint, ::rintf(x))
VPTR_CLANG_SHORT_MATH(trunc, ::truncf(x))
VPTR_CLANG_SHORT_MATH(cos, ::cosf(x))
VPTR_CLANG_SHORT_MATH(sin, ::sinf(x))
VPTR_CLANG_SHORT_MATH(exp, ::expf(x))
VPTR_CLANG_SHORT_MATH(exp2, ::exp2f(x))
VPTR_CLANG_SHORT_MATH(exp10, ::exp10f(x))
VPTR_CLANG_SHORT_MATH(log, ::logf(x))
VPTR_CLANG_SHORT_MATH(log2, ::log2f(x))
VPTR_CLANG_SHORT_MATH(log10, ::log10f(x))
VPTR_CLANG_SHORT_MATH(sqrt, ::sqrtf(x))
VPTR_CLANG_SHORT_MATH(rsqrt, ::rsqrtf(x))
VPTR_CLANG_SHORT_MATH(rcp, 1.0f / x)
VPTR_CLANG_SHORT_MATH(tanh, ::tanhf(x))
VPTR_CLANG_SHORT_MATH(tanh_approx, ::tanhf(x))
#undef VPTR_CLANG_SHORT_MATH

/* ---- memory and warps, on the device --------------------------------------------------------------------------- */

VPTR_CLANG_DEVICE VPTR_CLANG_S __ldg(const VPTR_CLANG_S *pointer) { return *pointer; }
VPTR_CLANG_DEVICE VPTR_CLANG_S2 __ldg(const VPTR_CLANG_S2 *pointer) { return *pointer; }

/* Two lie in one word of memory: another's half of it stays as it is. */
VPTR_CLANG_DEVICE VPTR_CLANG_S atomicAdd(VPTR_CLANG_S *pointer, VPTR_CLANG_S value) {
  unsigned short *const bits = reinterpret_cast<unsigned short *>(pointer);
  unsigned short seen = *bits, expected;
  do {
    expected = seen;
    const VPTR_CLANG_S sum = ::__hadd(::vptr_clang_of_bits(value, expected), value);
    seen = ::atomicCAS(bits, expected, ::vptr_clang_bits(sum));
  } while (seen != expected);
  return ::vptr_clang_of_bits(value, seen);
}
/* Each of the two is added at once, not both, as CUDA's. */
VPTR_CLANG_DEVICE VPTR_CLANG_S2 atomicAdd(VPTR_CLANG_S2 *pointer, VPTR_CLANG_S2 value) {
  const VPTR_CLANG_S low = ::atomicAdd(&pointer->x, value.x), high = ::atomicAdd(&pointer->y, value.y);
  return VPTR_CLANG_S2(low, high);
}

#define VPTR_CLANG_SHUFFLE(name, lane)                                                                                 \
  VPTR_CLANG_DEVICE VPTR_CLANG_S name(unsigned int mask, VPTR_CLANG_S value, lane at, int width = warpSize) {          \
    const int got = ::name(mask, static_cast<int>(::vptr_clang_bits(value)), at, width);                               \
    return ::vptr_clang_of_bits(value, static_cast<unsigned short>(got));                                              \
  }                                                                                                                    \
  VPTR_CLANG_DEVICE VPTR_CLANG_S2 name(unsigned int mask, VPTR_CLANG_S2 value, lane at, int width = warpSize) {        \
    const unsigned int got =                                                                                           \
        ::name(mask, static_cast<unsigned int>(::vptr_clang_bits(value.y)) << 16 | ::vptr_clang_bits(value.x), at,     \
               width);                                                                                                 \
    return VPTR_CLANG_S2(::vptr_clang_of_bits(value.x, static_cast<unsigned short>(got)),                              \
                         ::vptr_clang_of_bits(value.y, static_cast<unsigned short>(got >> 16)));                       \
  }
VPTR_CLANG_SHUFFLE(__shfl_sync, int)
VPTR_CLANG_SHUFFLE(__shfl_up_sync, unsigned int)
VPTR_CLANG_SHUFFLE(__shfl_down_sync, unsigned int)
VPTR_CLANG_SHUFFLE(__shfl_xor_sync, int)
#undef VPTR_CLANG_SHUFFLE

#undef VPTR_CLANG_PAIR3
#undef VPTR_CLANG_PAIR2
#undef VPTR_CLANG_PAIR1
#undef VPTR_CLANG_S2
#undef VPTR_CLANG_S
