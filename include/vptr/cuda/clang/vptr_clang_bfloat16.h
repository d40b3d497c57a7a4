/* SPDX-License-Identifier: MIT */
/* vptr_clang_bfloat16 - the rest of cuda_bf16.h, as vptr_clang_half.h is for cuda_fp16.h. */
#ifndef VPTR_CUDA_CLANG_BFLOAT16_H
#define VPTR_CUDA_CLANG_BFLOAT16_H

VPTR_CLANG_BOTH unsigned short vptr_clang_bits(__nv_bfloat16 a) { return ::__bfloat16_as_ushort(a); }
VPTR_CLANG_BOTH __nv_bfloat16 vptr_clang_of_bits(__nv_bfloat16, unsigned short bits) {
  return ::__ushort_as_bfloat16(bits);
}
template <> VPTR_CLANG_SPECIAL __nv_bfloat16 vptr_clang_nearest<__nv_bfloat16>(double value) { return value; }

VPTR_CLANG_BOTH __nv_bfloat16 __float2bfloat16_rz(float a) { return ::vptr_clang_towards_zero<__nv_bfloat16>(a); }
VPTR_CLANG_BOTH __nv_bfloat16 __float2bfloat16_rd(float a) { return ::vptr_clang_downwards<__nv_bfloat16>(a); }
VPTR_CLANG_BOTH __nv_bfloat16 __float2bfloat16_ru(float a) { return ::vptr_clang_upwards<__nv_bfloat16>(a); }

#define VPTR_CLANG_BFLOAT16_INTEGER(type, name)                                                                        \
  VPTR_CLANG_SHORT_TO_INTEGER(type, __bfloat162##name, __nv_bfloat16)                                                  \
  VPTR_CLANG_SHORT_OF_INTEGER(type, __##name##2bfloat16, __nv_bfloat16)
VPTR_CLANG_BFLOAT16_INTEGER(short, short)
VPTR_CLANG_BFLOAT16_INTEGER(unsigned short, ushort)
VPTR_CLANG_BFLOAT16_INTEGER(int, int)
VPTR_CLANG_BFLOAT16_INTEGER(unsigned int, uint)
VPTR_CLANG_BFLOAT16_INTEGER(long long, ll)
VPTR_CLANG_BFLOAT16_INTEGER(unsigned long long, ull)
#undef VPTR_CLANG_BFLOAT16_INTEGER

#define VPTR_CLANG_SHORT __nv_bfloat16
#define VPTR_CLANG_SHORT2 __nv_bfloat162
#include "vptr_clang_short_float.h"
#include "vptr_clang_short_warp.h"
#undef VPTR_CLANG_SHORT
#undef VPTR_CLANG_SHORT2

#endif
