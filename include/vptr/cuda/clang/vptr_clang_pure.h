/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_pure - libdevice's functions, declared once more as what they are: their result depends on their arguments
 * alone. clang's header does not say so, and a call would end all that the optimiser knows of memory.
 *
 * Those that are given a pointer are not among them (sincos, frexp, modf, remquo, nan).
 */
#ifndef VPTR_CUDA_CLANG_PURE_H
#define VPTR_CUDA_CLANG_PURE_H

#if __has_attribute(noconvergent)
#define VPTR_CLANG_DECLARED extern "C" __device__ __attribute__((const, noconvergent))
#else
#define VPTR_CLANG_DECLARED extern "C" __device__ __attribute__((const))
#endif

/* float(float) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED float __nv_##name(float);
VPTR_CLANG_NAME(acosf) VPTR_CLANG_NAME(acoshf) VPTR_CLANG_NAME(asinf) VPTR_CLANG_NAME(asinhf) VPTR_CLANG_NAME(atanf)
VPTR_CLANG_NAME(atanhf) VPTR_CLANG_NAME(cbrtf) VPTR_CLANG_NAME(ceilf) VPTR_CLANG_NAME(cosf) VPTR_CLANG_NAME(coshf)
VPTR_CLANG_NAME(cospif) VPTR_CLANG_NAME(cyl_bessel_i0f) VPTR_CLANG_NAME(cyl_bessel_i1f) VPTR_CLANG_NAME(erfcf)
VPTR_CLANG_NAME(erfcinvf) VPTR_CLANG_NAME(erfcxf) VPTR_CLANG_NAME(erff) VPTR_CLANG_NAME(erfinvf)
VPTR_CLANG_NAME(exp10f) VPTR_CLANG_NAME(exp2f) VPTR_CLANG_NAME(expf) VPTR_CLANG_NAME(expm1f)
VPTR_CLANG_NAME(fast_cosf) VPTR_CLANG_NAME(fast_exp10f) VPTR_CLANG_NAME(fast_expf) VPTR_CLANG_NAME(fast_log10f)
VPTR_CLANG_NAME(fast_log2f) VPTR_CLANG_NAME(fast_logf) VPTR_CLANG_NAME(fast_sinf) VPTR_CLANG_NAME(fast_tanf)
VPTR_CLANG_NAME(floorf) VPTR_CLANG_NAME(frcp_rd) VPTR_CLANG_NAME(frcp_rn) VPTR_CLANG_NAME(frcp_ru)
VPTR_CLANG_NAME(frcp_rz) VPTR_CLANG_NAME(frsqrt_rn) VPTR_CLANG_NAME(fsqrt_rd) VPTR_CLANG_NAME(fsqrt_rn)
VPTR_CLANG_NAME(fsqrt_ru) VPTR_CLANG_NAME(fsqrt_rz) VPTR_CLANG_NAME(j0f) VPTR_CLANG_NAME(j1f)
VPTR_CLANG_NAME(lgammaf) VPTR_CLANG_NAME(log10f) VPTR_CLANG_NAME(log1pf) VPTR_CLANG_NAME(log2f)
VPTR_CLANG_NAME(logbf) VPTR_CLANG_NAME(logf) VPTR_CLANG_NAME(nearbyintf) VPTR_CLANG_NAME(normcdff)
VPTR_CLANG_NAME(normcdfinvf) VPTR_CLANG_NAME(rcbrtf) VPTR_CLANG_NAME(rintf) VPTR_CLANG_NAME(roundf)
VPTR_CLANG_NAME(rsqrtf) VPTR_CLANG_NAME(saturatef) VPTR_CLANG_NAME(sinf) VPTR_CLANG_NAME(sinhf)
VPTR_CLANG_NAME(sinpif) VPTR_CLANG_NAME(sqrtf) VPTR_CLANG_NAME(tanf) VPTR_CLANG_NAME(tanhf) VPTR_CLANG_NAME(tgammaf)
VPTR_CLANG_NAME(truncf) VPTR_CLANG_NAME(y0f) VPTR_CLANG_NAME(y1f)
#undef VPTR_CLANG_NAME

/* double(double) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED double __nv_##name(double);
VPTR_CLANG_NAME(acos) VPTR_CLANG_NAME(acosh) VPTR_CLANG_NAME(asin) VPTR_CLANG_NAME(asinh) VPTR_CLANG_NAME(atan)
VPTR_CLANG_NAME(atanh) VPTR_CLANG_NAME(cbrt) VPTR_CLANG_NAME(ceil) VPTR_CLANG_NAME(cos) VPTR_CLANG_NAME(cosh)
VPTR_CLANG_NAME(cospi) VPTR_CLANG_NAME(cyl_bessel_i0) VPTR_CLANG_NAME(cyl_bessel_i1) VPTR_CLANG_NAME(drcp_rd)
VPTR_CLANG_NAME(drcp_rn) VPTR_CLANG_NAME(drcp_ru) VPTR_CLANG_NAME(drcp_rz) VPTR_CLANG_NAME(dsqrt_rd)
VPTR_CLANG_NAME(dsqrt_rn) VPTR_CLANG_NAME(dsqrt_ru) VPTR_CLANG_NAME(dsqrt_rz) VPTR_CLANG_NAME(erf)
VPTR_CLANG_NAME(erfc) VPTR_CLANG_NAME(erfcinv) VPTR_CLANG_NAME(erfcx) VPTR_CLANG_NAME(erfinv) VPTR_CLANG_NAME(exp)
VPTR_CLANG_NAME(exp10) VPTR_CLANG_NAME(exp2) VPTR_CLANG_NAME(expm1) VPTR_CLANG_NAME(floor) VPTR_CLANG_NAME(j0)
VPTR_CLANG_NAME(j1) VPTR_CLANG_NAME(lgamma) VPTR_CLANG_NAME(log) VPTR_CLANG_NAME(log10) VPTR_CLANG_NAME(log1p)
VPTR_CLANG_NAME(log2) VPTR_CLANG_NAME(logb) VPTR_CLANG_NAME(nearbyint) VPTR_CLANG_NAME(normcdf)
VPTR_CLANG_NAME(normcdfinv) VPTR_CLANG_NAME(rcbrt) VPTR_CLANG_NAME(rcp64h) VPTR_CLANG_NAME(rint)
VPTR_CLANG_NAME(round) VPTR_CLANG_NAME(rsqrt) VPTR_CLANG_NAME(sin) VPTR_CLANG_NAME(sinh) VPTR_CLANG_NAME(sinpi)
VPTR_CLANG_NAME(sqrt) VPTR_CLANG_NAME(tan) VPTR_CLANG_NAME(tanh) VPTR_CLANG_NAME(tgamma) VPTR_CLANG_NAME(trunc)
VPTR_CLANG_NAME(y0) VPTR_CLANG_NAME(y1)
#undef VPTR_CLANG_NAME

/* float(float, float) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED float __nv_##name(float, float);
VPTR_CLANG_NAME(atan2f) VPTR_CLANG_NAME(fadd_rd) VPTR_CLANG_NAME(fadd_rn) VPTR_CLANG_NAME(fadd_ru)
VPTR_CLANG_NAME(fadd_rz) VPTR_CLANG_NAME(fast_fdividef) VPTR_CLANG_NAME(fast_powf) VPTR_CLANG_NAME(fdimf)
VPTR_CLANG_NAME(fdiv_rd) VPTR_CLANG_NAME(fdiv_rn) VPTR_CLANG_NAME(fdiv_ru) VPTR_CLANG_NAME(fdiv_rz)
VPTR_CLANG_NAME(fmaxf) VPTR_CLANG_NAME(fminf) VPTR_CLANG_NAME(fmodf) VPTR_CLANG_NAME(fmul_rd)
VPTR_CLANG_NAME(fmul_rn) VPTR_CLANG_NAME(fmul_ru) VPTR_CLANG_NAME(fmul_rz) VPTR_CLANG_NAME(fsub_rd)
VPTR_CLANG_NAME(fsub_rn) VPTR_CLANG_NAME(fsub_ru) VPTR_CLANG_NAME(fsub_rz) VPTR_CLANG_NAME(hypotf)
VPTR_CLANG_NAME(nextafterf) VPTR_CLANG_NAME(powf) VPTR_CLANG_NAME(remainderf) VPTR_CLANG_NAME(rhypotf)
#undef VPTR_CLANG_NAME

/* double(double, double) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED double __nv_##name(double, double);
VPTR_CLANG_NAME(atan2) VPTR_CLANG_NAME(dadd_rd) VPTR_CLANG_NAME(dadd_rn) VPTR_CLANG_NAME(dadd_ru)
VPTR_CLANG_NAME(dadd_rz) VPTR_CLANG_NAME(ddiv_rd) VPTR_CLANG_NAME(ddiv_rn) VPTR_CLANG_NAME(ddiv_ru)
VPTR_CLANG_NAME(ddiv_rz) VPTR_CLANG_NAME(dmul_rd) VPTR_CLANG_NAME(dmul_rn) VPTR_CLANG_NAME(dmul_ru)
VPTR_CLANG_NAME(dmul_rz) VPTR_CLANG_NAME(dsub_rd) VPTR_CLANG_NAME(dsub_rn) VPTR_CLANG_NAME(dsub_ru)
VPTR_CLANG_NAME(dsub_rz) VPTR_CLANG_NAME(fdim) VPTR_CLANG_NAME(fmax) VPTR_CLANG_NAME(fmin) VPTR_CLANG_NAME(fmod)
VPTR_CLANG_NAME(hypot) VPTR_CLANG_NAME(nextafter) VPTR_CLANG_NAME(pow) VPTR_CLANG_NAME(remainder)
VPTR_CLANG_NAME(rhypot)
#undef VPTR_CLANG_NAME

/* float(float, float, float) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED float __nv_##name(float, float, float);
VPTR_CLANG_NAME(fmaf) VPTR_CLANG_NAME(fmaf_ieee_rd) VPTR_CLANG_NAME(fmaf_ieee_rn) VPTR_CLANG_NAME(fmaf_ieee_ru)
VPTR_CLANG_NAME(fmaf_ieee_rz) VPTR_CLANG_NAME(fmaf_rd) VPTR_CLANG_NAME(fmaf_rn) VPTR_CLANG_NAME(fmaf_ru)
VPTR_CLANG_NAME(fmaf_rz) VPTR_CLANG_NAME(norm3df) VPTR_CLANG_NAME(rnorm3df)
#undef VPTR_CLANG_NAME

/* double(double, double, double) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED double __nv_##name(double, double, double);
VPTR_CLANG_NAME(fma) VPTR_CLANG_NAME(fma_rd) VPTR_CLANG_NAME(fma_rn) VPTR_CLANG_NAME(fma_ru) VPTR_CLANG_NAME(fma_rz)
VPTR_CLANG_NAME(norm3d) VPTR_CLANG_NAME(rnorm3d)
#undef VPTR_CLANG_NAME

/* long long(double) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED long long __nv_##name(double);
VPTR_CLANG_NAME(double2ll_rd) VPTR_CLANG_NAME(double2ll_rn) VPTR_CLANG_NAME(double2ll_ru)
VPTR_CLANG_NAME(double2ll_rz) VPTR_CLANG_NAME(llrint) VPTR_CLANG_NAME(llround)
#undef VPTR_CLANG_NAME

/* long long(float) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED long long __nv_##name(float);
VPTR_CLANG_NAME(float2ll_rd) VPTR_CLANG_NAME(float2ll_rn) VPTR_CLANG_NAME(float2ll_ru) VPTR_CLANG_NAME(float2ll_rz)
VPTR_CLANG_NAME(llrintf) VPTR_CLANG_NAME(llroundf)
#undef VPTR_CLANG_NAME

/* int(double) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED int __nv_##name(double);
VPTR_CLANG_NAME(double2int_rd) VPTR_CLANG_NAME(double2int_rn) VPTR_CLANG_NAME(double2int_ru)
VPTR_CLANG_NAME(double2int_rz) VPTR_CLANG_NAME(ilogb)
#undef VPTR_CLANG_NAME

/* int(float) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED int __nv_##name(float);
VPTR_CLANG_NAME(float2int_rd) VPTR_CLANG_NAME(float2int_rn) VPTR_CLANG_NAME(float2int_ru)
VPTR_CLANG_NAME(float2int_rz) VPTR_CLANG_NAME(ilogbf)
#undef VPTR_CLANG_NAME

/* unsigned int(double) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED unsigned int __nv_##name(double);
VPTR_CLANG_NAME(double2uint_rd) VPTR_CLANG_NAME(double2uint_rn) VPTR_CLANG_NAME(double2uint_ru)
VPTR_CLANG_NAME(double2uint_rz)
#undef VPTR_CLANG_NAME

/* unsigned long long(double) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED unsigned long long __nv_##name(double);
VPTR_CLANG_NAME(double2ull_rd) VPTR_CLANG_NAME(double2ull_rn) VPTR_CLANG_NAME(double2ull_ru)
VPTR_CLANG_NAME(double2ull_rz)
#undef VPTR_CLANG_NAME

/* unsigned int(float) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED unsigned int __nv_##name(float);
VPTR_CLANG_NAME(float2uint_rd) VPTR_CLANG_NAME(float2uint_rn) VPTR_CLANG_NAME(float2uint_ru)
VPTR_CLANG_NAME(float2uint_rz)
#undef VPTR_CLANG_NAME

/* unsigned long long(float) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED unsigned long long __nv_##name(float);
VPTR_CLANG_NAME(float2ull_rd) VPTR_CLANG_NAME(float2ull_rn) VPTR_CLANG_NAME(float2ull_ru)
VPTR_CLANG_NAME(float2ull_rz)
#undef VPTR_CLANG_NAME

/* float(double) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED float __nv_##name(double);
VPTR_CLANG_NAME(double2float_rd) VPTR_CLANG_NAME(double2float_ru) VPTR_CLANG_NAME(double2float_rz)
#undef VPTR_CLANG_NAME

/* int(int, int) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED int __nv_##name(int, int);
VPTR_CLANG_NAME(hadd) VPTR_CLANG_NAME(mul24) VPTR_CLANG_NAME(rhadd)
#undef VPTR_CLANG_NAME

/* float(int) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED float __nv_##name(int);
VPTR_CLANG_NAME(int2float_rd) VPTR_CLANG_NAME(int2float_ru) VPTR_CLANG_NAME(int2float_rz)
#undef VPTR_CLANG_NAME

/* double(double, int) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED double __nv_##name(double, int);
VPTR_CLANG_NAME(ldexp) VPTR_CLANG_NAME(powi) VPTR_CLANG_NAME(scalbn)
#undef VPTR_CLANG_NAME

/* float(float, int) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED float __nv_##name(float, int);
VPTR_CLANG_NAME(ldexpf) VPTR_CLANG_NAME(powif) VPTR_CLANG_NAME(scalbnf)
#undef VPTR_CLANG_NAME

/* double(long long) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED double __nv_##name(long long);
VPTR_CLANG_NAME(ll2double_rd) VPTR_CLANG_NAME(ll2double_ru) VPTR_CLANG_NAME(ll2double_rz)
#undef VPTR_CLANG_NAME

/* float(long long) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED float __nv_##name(long long);
VPTR_CLANG_NAME(ll2float_rd) VPTR_CLANG_NAME(ll2float_ru) VPTR_CLANG_NAME(ll2float_rz)
#undef VPTR_CLANG_NAME

/* float(unsigned int) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED float __nv_##name(unsigned int);
VPTR_CLANG_NAME(uint2float_rd) VPTR_CLANG_NAME(uint2float_ru) VPTR_CLANG_NAME(uint2float_rz)
#undef VPTR_CLANG_NAME

/* double(unsigned long long) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED double __nv_##name(unsigned long long);
VPTR_CLANG_NAME(ull2double_rd) VPTR_CLANG_NAME(ull2double_ru) VPTR_CLANG_NAME(ull2double_rz)
#undef VPTR_CLANG_NAME

/* float(unsigned long long) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED float __nv_##name(unsigned long long);
VPTR_CLANG_NAME(ull2float_rd) VPTR_CLANG_NAME(ull2float_ru) VPTR_CLANG_NAME(ull2float_rz)
#undef VPTR_CLANG_NAME

/* int(int, int, int) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED int __nv_##name(int, int, int);
VPTR_CLANG_NAME(byte_perm) VPTR_CLANG_NAME(sad)
#undef VPTR_CLANG_NAME

/* double(int, double) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED double __nv_##name(int, double);
VPTR_CLANG_NAME(jn) VPTR_CLANG_NAME(yn)
#undef VPTR_CLANG_NAME

/* float(int, float) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED float __nv_##name(int, float);
VPTR_CLANG_NAME(jnf) VPTR_CLANG_NAME(ynf)
#undef VPTR_CLANG_NAME

/* double(double, double, double, double) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED double __nv_##name(double, double, double, double);
VPTR_CLANG_NAME(norm4d) VPTR_CLANG_NAME(rnorm4d)
#undef VPTR_CLANG_NAME

/* float(float, float, float, float) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED float __nv_##name(float, float, float, float);
VPTR_CLANG_NAME(norm4df) VPTR_CLANG_NAME(rnorm4df)
#undef VPTR_CLANG_NAME

/* unsigned int(unsigned int, unsigned int) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED unsigned int __nv_##name(unsigned int, unsigned int);
VPTR_CLANG_NAME(umul24) VPTR_CLANG_NAME(urhadd)
#undef VPTR_CLANG_NAME

/* unsigned short(float) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED unsigned short __nv_##name(float);
VPTR_CLANG_NAME(float2half_rn)
#undef VPTR_CLANG_NAME

/* float(unsigned short) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED float __nv_##name(unsigned short);
VPTR_CLANG_NAME(half2float)
#undef VPTR_CLANG_NAME

/* long long(long long, long long) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED long long __nv_##name(long long, long long);
VPTR_CLANG_NAME(mul64hi)
#undef VPTR_CLANG_NAME

/* int(unsigned int, unsigned int) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED int __nv_##name(unsigned int, unsigned int);
VPTR_CLANG_NAME(uhadd)
#undef VPTR_CLANG_NAME

/* unsigned long long(unsigned long long, unsigned long long) */
#define VPTR_CLANG_NAME(name)                                                                                          \
  VPTR_CLANG_DECLARED unsigned long long __nv_##name(unsigned long long, unsigned long long);
VPTR_CLANG_NAME(umul64hi)
#undef VPTR_CLANG_NAME

/* unsigned int(unsigned int, unsigned int, unsigned int) */
#define VPTR_CLANG_NAME(name) VPTR_CLANG_DECLARED unsigned int __nv_##name(unsigned int, unsigned int, unsigned int);
VPTR_CLANG_NAME(usad)
#undef VPTR_CLANG_NAME

#undef VPTR_CLANG_DECLARED

#endif
