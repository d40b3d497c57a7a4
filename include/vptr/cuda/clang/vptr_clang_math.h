/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_math - min(), max() for both sides, and those overloads of CUDA's mathematics for the device that clang's
 * headers lack. What CUDA offers to the host as well is in vptr_clang_host.h.
 */
#ifndef VPTR_CUDA_CLANG_MATH_H
#define VPTR_CUDA_CLANG_MATH_H

/* ---- extremes ---------------------------------------------------------------------------------------------- */

#define VPTR_CLANG_EXTREMES(type, left, right)                                                                         \
  VPTR_CLANG_BOTH type min(left a, right b) {                                                                          \
    return static_cast<type>(a) < static_cast<type>(b) ? static_cast<type>(a) : static_cast<type>(b);                  \
  }                                                                                                                    \
  VPTR_CLANG_BOTH type max(left a, right b) {                                                                          \
    return static_cast<type>(a) > static_cast<type>(b) ? static_cast<type>(a) : static_cast<type>(b);                  \
  }
VPTR_CLANG_EXTREMES(int, int, int)
VPTR_CLANG_EXTREMES(unsigned int, unsigned int, unsigned int)
VPTR_CLANG_EXTREMES(unsigned int, int, unsigned int)
VPTR_CLANG_EXTREMES(unsigned int, unsigned int, int)
VPTR_CLANG_EXTREMES(long, long, long)
VPTR_CLANG_EXTREMES(unsigned long, unsigned long, unsigned long)
VPTR_CLANG_EXTREMES(unsigned long, long, unsigned long)
VPTR_CLANG_EXTREMES(unsigned long, unsigned long, long)
VPTR_CLANG_EXTREMES(long long, long long, long long)
VPTR_CLANG_EXTREMES(unsigned long long, unsigned long long, unsigned long long)
VPTR_CLANG_EXTREMES(unsigned long long, long long, unsigned long long)
VPTR_CLANG_EXTREMES(unsigned long long, unsigned long long, long long)
#undef VPTR_CLANG_EXTREMES

VPTR_CLANG_BOTH float min(float a, float b) { return ::fminf(a, b); }
VPTR_CLANG_BOTH float max(float a, float b) { return ::fmaxf(a, b); }
VPTR_CLANG_BOTH double min(double a, double b) { return ::fmin(a, b); }
VPTR_CLANG_BOTH double max(double a, double b) { return ::fmax(a, b); }
VPTR_CLANG_BOTH double min(float a, double b) { return ::fmin(static_cast<double>(a), b); }
VPTR_CLANG_BOTH double max(float a, double b) { return ::fmax(static_cast<double>(a), b); }
VPTR_CLANG_BOTH double min(double a, float b) { return ::fmin(a, static_cast<double>(b)); }
VPTR_CLANG_BOTH double max(double a, float b) { return ::fmax(a, static_cast<double>(b)); }

/* ---- overloads for float ----------------------------------------------------------------------------------- */

#define VPTR_CLANG_FLOAT(name)                                                                                         \
  VPTR_CLANG_DEVICE float name(float x) { return ::name##f(x); }
VPTR_CLANG_FLOAT(rsqrt)
VPTR_CLANG_FLOAT(rcbrt)
VPTR_CLANG_FLOAT(sinpi)
VPTR_CLANG_FLOAT(cospi)
VPTR_CLANG_FLOAT(exp10)
VPTR_CLANG_FLOAT(erfinv)
VPTR_CLANG_FLOAT(erfcinv)
VPTR_CLANG_FLOAT(erfcx)
VPTR_CLANG_FLOAT(normcdf)
VPTR_CLANG_FLOAT(normcdfinv)
VPTR_CLANG_FLOAT(cyl_bessel_i0)
VPTR_CLANG_FLOAT(cyl_bessel_i1)
VPTR_CLANG_FLOAT(j0)
VPTR_CLANG_FLOAT(j1)
VPTR_CLANG_FLOAT(y0)
VPTR_CLANG_FLOAT(y1)
/* these clang's headers declare, and leave to NVIDIA's */
VPTR_CLANG_FLOAT(acosh)
VPTR_CLANG_FLOAT(asinh)
VPTR_CLANG_FLOAT(atanh)
VPTR_CLANG_FLOAT(cbrt)
VPTR_CLANG_FLOAT(erf)
VPTR_CLANG_FLOAT(erfc)
VPTR_CLANG_FLOAT(exp2)
VPTR_CLANG_FLOAT(expm1)
VPTR_CLANG_FLOAT(lgamma)
VPTR_CLANG_FLOAT(log1p)
VPTR_CLANG_FLOAT(log2)
VPTR_CLANG_FLOAT(logb)
VPTR_CLANG_FLOAT(nearbyint)
VPTR_CLANG_FLOAT(rint)
VPTR_CLANG_FLOAT(round)
VPTR_CLANG_FLOAT(tgamma)
VPTR_CLANG_FLOAT(trunc)
#undef VPTR_CLANG_FLOAT

#define VPTR_CLANG_FLOAT_TWO(name)                                                                                     \
  VPTR_CLANG_DEVICE float name(float x, float y) { return ::name##f(x, y); }
VPTR_CLANG_FLOAT_TWO(copysign)
VPTR_CLANG_FLOAT_TWO(fdim)
VPTR_CLANG_FLOAT_TWO(fmax)
VPTR_CLANG_FLOAT_TWO(fmin)
VPTR_CLANG_FLOAT_TWO(hypot)
VPTR_CLANG_FLOAT_TWO(nextafter)
VPTR_CLANG_FLOAT_TWO(remainder)
#undef VPTR_CLANG_FLOAT_TWO

VPTR_CLANG_DEVICE float fma(float x, float y, float z) { return ::fmaf(x, y, z); }
VPTR_CLANG_DEVICE float remquo(float x, float y, int *quotient) { return ::remquof(x, y, quotient); }
VPTR_CLANG_DEVICE float scalbn(float x, int exponent) { return ::scalbnf(x, exponent); }
VPTR_CLANG_DEVICE float scalbln(float x, long exponent) { return ::scalblnf(x, exponent); }
VPTR_CLANG_DEVICE int ilogb(float x) { return ::ilogbf(x); }
VPTR_CLANG_DEVICE long lrint(float x) { return ::lrintf(x); }
VPTR_CLANG_DEVICE long lround(float x) { return ::lroundf(x); }
VPTR_CLANG_DEVICE long long llrint(float x) { return ::llrintf(x); }
VPTR_CLANG_DEVICE long long llround(float x) { return ::llroundf(x); }

VPTR_CLANG_DEVICE float jn(int order, float x) { return ::jnf(order, x); }
VPTR_CLANG_DEVICE float yn(int order, float x) { return ::ynf(order, x); }
VPTR_CLANG_DEVICE float rhypot(float x, float y) { return ::rhypotf(x, y); }
VPTR_CLANG_DEVICE float fdivide(float x, float y) { return ::fdividef(x, y); }
VPTR_CLANG_DEVICE void sincos(float x, float *sine, float *cosine) { ::sincosf(x, sine, cosine); }
VPTR_CLANG_DEVICE void sincospi(float x, float *sine, float *cosine) { ::sincospif(x, sine, cosine); }

/* ---- classes of numbers ------------------------------------------------------------------------------------ */

VPTR_CLANG_DEVICE int finite(double x) { return ::__finite(x); }
VPTR_CLANG_DEVICE int finitef(float x) { return ::__finitef(x); }
VPTR_CLANG_DEVICE int __signbit(double x) { return ::__signbitd(x); }
VPTR_CLANG_DEVICE double nan(const char *kind) { return ::__nv_nan(reinterpret_cast<const signed char *>(kind)); }
VPTR_CLANG_DEVICE float nanf(const char *kind) { return ::__nv_nanf(reinterpret_cast<const signed char *>(kind)); }

VPTR_CLANG_DEVICE float __tanhf(float x) { return ::tanhf(x); }

#endif
