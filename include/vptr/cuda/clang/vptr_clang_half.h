/* SPDX-License-Identifier: MIT */
/* vptr_clang_half - what CUDA has for __half beyond cuda_fp16.h: conversions by each rounding, and the functions that
 * __half and __nv_bfloat16 have alike (vptr_clang_short_float.h). */
#ifndef VPTR_CUDA_CLANG_HALF_H
#define VPTR_CUDA_CLANG_HALF_H

template <class Short> VPTR_CLANG_BOTH Short vptr_clang_nearest(double value);

VPTR_CLANG_BOTH unsigned short vptr_clang_bits(__half a) { return ::__half_as_ushort(a); }
VPTR_CLANG_BOTH __half vptr_clang_of_bits(__half, unsigned short bits) { return ::__ushort_as_half(bits); }
template <> VPTR_CLANG_SPECIAL __half vptr_clang_nearest<__half>(double value) { return ::__double2half(value); }

#include "vptr_clang_round.h"

VPTR_CLANG_BOTH __half __float2half_rz(float a) { return ::vptr_clang_towards_zero<__half>(a); }
VPTR_CLANG_BOTH __half __float2half_rd(float a) { return ::vptr_clang_downwards<__half>(a); }
VPTR_CLANG_BOTH __half __float2half_ru(float a) { return ::vptr_clang_upwards<__half>(a); }

#define VPTR_CLANG_HALF_INTEGER(type, name)                                                                            \
  VPTR_CLANG_SHORT_TO_INTEGER(type, __half2##name, __half)                                                             \
  VPTR_CLANG_SHORT_OF_INTEGER(type, __##name##2half, __half)
VPTR_CLANG_HALF_INTEGER(short, short)
VPTR_CLANG_HALF_INTEGER(unsigned short, ushort)
VPTR_CLANG_HALF_INTEGER(unsigned int, uint)
VPTR_CLANG_HALF_INTEGER(long long, ll)
VPTR_CLANG_HALF_INTEGER(unsigned long long, ull)
#undef VPTR_CLANG_HALF_INTEGER
/* cuda_fp16.h has two of int's */
VPTR_CLANG_BOTH int __half2int_rn(__half a) { return static_cast<int>(::rintf(a)); }
VPTR_CLANG_BOTH int __half2int_rd(__half a) { return static_cast<int>(::floorf(a)); }
VPTR_CLANG_BOTH int __half2int_ru(__half a) { return static_cast<int>(::ceilf(a)); }
VPTR_CLANG_BOTH __half __int2half_rz(int a) { return ::vptr_clang_towards_zero<__half>(a); }
VPTR_CLANG_BOTH __half __int2half_rd(int a) { return ::vptr_clang_downwards<__half>(a); }
VPTR_CLANG_BOTH __half __int2half_ru(int a) { return ::vptr_clang_upwards<__half>(a); }
VPTR_CLANG_BOTH signed char __half2char_rz(__half a) { return static_cast<signed char>(static_cast<float>(a)); }
VPTR_CLANG_BOTH unsigned char __half2uchar_rz(__half a) { return static_cast<unsigned char>(static_cast<float>(a)); }

#define VPTR_CLANG_SHORT __half
#define VPTR_CLANG_SHORT2 __half2
#include "vptr_clang_short_float.h"
#include "vptr_clang_short_warp.h"
#undef VPTR_CLANG_SHORT
#undef VPTR_CLANG_SHORT2

#endif
