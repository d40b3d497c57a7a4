/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_libdevice - those of libdevice's functions that are an instruction or two of LLVM's: bits, integers,
 * extremes, conversions of integers to the nearest number. The optimiser sees through them, and nobody has to know
 * their names. What rounds, approximates or has cases stays a call (__nv_sinf, __nv_fadd_rn, __nv_float2int_rz).
 */
#ifndef VPTR_CUDA_CLANG_LIBDEVICE_H
#define VPTR_CUDA_CLANG_LIBDEVICE_H

#define VPTR_CLANG_LIBDEVICE extern "C" __device__ __attribute__((always_inline)) inline

/* ---- bits ------------------------------------------------------------------------------------------------------ */

VPTR_CLANG_LIBDEVICE int __nv_brev(int a) {
  return static_cast<int>(__builtin_bitreverse32(static_cast<unsigned>(a)));
}
VPTR_CLANG_LIBDEVICE long long __nv_brevll(long long a) {
  return static_cast<long long>(__builtin_bitreverse64(static_cast<unsigned long long>(a)));
}
VPTR_CLANG_LIBDEVICE int __nv_clz(int a) { return a == 0 ? 32 : __builtin_clz(static_cast<unsigned>(a)); }
VPTR_CLANG_LIBDEVICE int __nv_clzll(long long a) {
  return a == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(a));
}
VPTR_CLANG_LIBDEVICE int __nv_ffs(int a) { return __builtin_ffs(a); }
VPTR_CLANG_LIBDEVICE int __nv_ffsll(long long a) { return __builtin_ffsll(a); }
VPTR_CLANG_LIBDEVICE int __nv_popc(unsigned a) { return __builtin_popcount(a); }
VPTR_CLANG_LIBDEVICE int __nv_popcll(unsigned long long a) { return __builtin_popcountll(a); }

VPTR_CLANG_LIBDEVICE int __nv_float_as_int(float a) { return __builtin_bit_cast(int, a); }
VPTR_CLANG_LIBDEVICE unsigned __nv_float_as_uint(float a) { return __builtin_bit_cast(unsigned, a); }
VPTR_CLANG_LIBDEVICE float __nv_int_as_float(int a) { return __builtin_bit_cast(float, a); }
VPTR_CLANG_LIBDEVICE float __nv_uint_as_float(unsigned a) { return __builtin_bit_cast(float, a); }
VPTR_CLANG_LIBDEVICE unsigned long long __nv_double_as_longlong(double a) {
  return __builtin_bit_cast(unsigned long long, a);
}
VPTR_CLANG_LIBDEVICE double __nv_longlong_as_double(long long a) { return __builtin_bit_cast(double, a); }
VPTR_CLANG_LIBDEVICE int __nv_double2hiint(double a) {
  return static_cast<int>(__builtin_bit_cast(long long, a) >> 32);
}
VPTR_CLANG_LIBDEVICE int __nv_double2loint(double a) { return static_cast<int>(__builtin_bit_cast(long long, a)); }
VPTR_CLANG_LIBDEVICE double __nv_hiloint2double(int high, int low) {
  return __builtin_bit_cast(double, static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 |
                                        static_cast<unsigned>(low));
}

/* ---- integers -------------------------------------------------------------------------------------------------- */

VPTR_CLANG_LIBDEVICE int __nv_abs(int a) { return __builtin_abs(a); }
VPTR_CLANG_LIBDEVICE long long __nv_llabs(long long a) { return __builtin_llabs(a); }
VPTR_CLANG_LIBDEVICE int __nv_min(int a, int b) { return a < b ? a : b; }
VPTR_CLANG_LIBDEVICE int __nv_max(int a, int b) { return a > b ? a : b; }
VPTR_CLANG_LIBDEVICE unsigned __nv_umin(unsigned a, unsigned b) { return a < b ? a : b; }
VPTR_CLANG_LIBDEVICE unsigned __nv_umax(unsigned a, unsigned b) { return a > b ? a : b; }
VPTR_CLANG_LIBDEVICE long long __nv_llmin(long long a, long long b) { return a < b ? a : b; }
VPTR_CLANG_LIBDEVICE long long __nv_llmax(long long a, long long b) { return a > b ? a : b; }
VPTR_CLANG_LIBDEVICE unsigned long long __nv_ullmin(unsigned long long a, unsigned long long b) {
  return a < b ? a : b;
}
VPTR_CLANG_LIBDEVICE unsigned long long __nv_ullmax(unsigned long long a, unsigned long long b) {
  return a > b ? a : b;
}
VPTR_CLANG_LIBDEVICE int __nv_mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
VPTR_CLANG_LIBDEVICE unsigned __nv_umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}

/* ---- numbers --------------------------------------------------------------------------------------------------- */

VPTR_CLANG_LIBDEVICE float __nv_int2float_rn(int a) { return static_cast<float>(a); }
VPTR_CLANG_LIBDEVICE float __nv_uint2float_rn(unsigned a) { return static_cast<float>(a); }
VPTR_CLANG_LIBDEVICE float __nv_ll2float_rn(long long a) { return static_cast<float>(a); }
VPTR_CLANG_LIBDEVICE float __nv_ull2float_rn(unsigned long long a) { return static_cast<float>(a); }
VPTR_CLANG_LIBDEVICE double __nv_int2double_rn(int a) { return a; }
VPTR_CLANG_LIBDEVICE double __nv_uint2double_rn(unsigned a) { return a; }
VPTR_CLANG_LIBDEVICE double __nv_ll2double_rn(long long a) { return static_cast<double>(a); }
VPTR_CLANG_LIBDEVICE double __nv_ull2double_rn(unsigned long long a) { return static_cast<double>(a); }
VPTR_CLANG_LIBDEVICE float __nv_double2float_rn(double a) { return static_cast<float>(a); }

VPTR_CLANG_LIBDEVICE float __nv_fabsf(float a) { return __builtin_fabsf(a); }
VPTR_CLANG_LIBDEVICE double __nv_fabs(double a) { return __builtin_fabs(a); }
VPTR_CLANG_LIBDEVICE float __nv_copysignf(float a, float b) { return __builtin_copysignf(a, b); }
VPTR_CLANG_LIBDEVICE double __nv_copysign(double a, double b) { return __builtin_copysign(a, b); }
VPTR_CLANG_LIBDEVICE int __nv_isnanf(float a) { return a != a; }
VPTR_CLANG_LIBDEVICE int __nv_isnand(double a) { return a != a; }
VPTR_CLANG_LIBDEVICE int __nv_isinff(float a) { return __builtin_fabsf(a) == __builtin_inff(); }
VPTR_CLANG_LIBDEVICE int __nv_isinfd(double a) { return __builtin_fabs(a) == __builtin_inf(); }
VPTR_CLANG_LIBDEVICE int __nv_finitef(float a) { return __builtin_fabsf(a) < __builtin_inff(); }
VPTR_CLANG_LIBDEVICE int __nv_isfinited(double a) { return __builtin_fabs(a) < __builtin_inf(); }
VPTR_CLANG_LIBDEVICE int __nv_signbitf(float a) { return __builtin_bit_cast(int, a) < 0; }
VPTR_CLANG_LIBDEVICE int __nv_signbitd(double a) { return __builtin_bit_cast(long long, a) < 0; }

#undef VPTR_CLANG_LIBDEVICE

#endif
