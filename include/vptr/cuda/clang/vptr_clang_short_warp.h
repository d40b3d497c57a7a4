/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_short_warp - the older names of shuffles, without a mask, for __half, __nv_bfloat16 and their pairs. It
 * is included for each, as vptr_clang_short_float.h is: VPTR_CLANG_SHORT and VPTR_CLANG_SHORT2 name the types.
 */
#define VPTR_CLANG_SHUFFLE(name, type, lane)                                                                           \
  VPTR_CLANG_DEVICE type name(type value, lane other, int width = 32) {                                                \
    return ::name##_sync(::__activemask(), value, other, width);                                                       \
  }
#define VPTR_CLANG_SHUFFLES(type)                                                                                      \
  VPTR_CLANG_SHUFFLE(__shfl, type, int)                                                                                \
  VPTR_CLANG_SHUFFLE(__shfl_up, type, unsigned int)                                                                    \
  VPTR_CLANG_SHUFFLE(__shfl_down, type, unsigned int)                                                                  \
  VPTR_CLANG_SHUFFLE(__shfl_xor, type, int)
VPTR_CLANG_SHUFFLES(VPTR_CLANG_SHORT)
VPTR_CLANG_SHUFFLES(VPTR_CLANG_SHORT2)
#undef VPTR_CLANG_SHUFFLES
#undef VPTR_CLANG_SHUFFLE
