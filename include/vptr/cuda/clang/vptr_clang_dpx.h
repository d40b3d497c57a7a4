/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_dpx - CUDA's functions for dynamic programming: the extremes of sums and of three, of words and of halves,
 * for both sides. _relu: and of 0.
 */
#ifndef VPTR_CUDA_CLANG_DPX_H
#define VPTR_CUDA_CLANG_DPX_H

/* An expression of x, y and z, of words, and of the halves of words. */
#define VPTR_CLANG_DPX_WORD(name, type, expression)                                                                    \
  VPTR_CLANG_BOTH type name(const type x, const type y, const type z) { return expression; }
#define VPTR_CLANG_DPX_HALVES(name, half, expression)                                                                  \
  VPTR_CLANG_BOTH half vptr_clang_half##name(const half x, const half y, const half z) {                               \
    return static_cast<half>(expression);                                                                              \
  }                                                                                                                    \
  VPTR_CLANG_BOTH unsigned int name(const unsigned int a, const unsigned int b, const unsigned int c) {                \
    const half low = vptr_clang_half##name(static_cast<half>(a), static_cast<half>(b), static_cast<half>(c));          \
    const half high =                                                                                                  \
        vptr_clang_half##name(static_cast<half>(a >> 16), static_cast<half>(b >> 16), static_cast<half>(c >> 16));     \
    return static_cast<unsigned int>(static_cast<unsigned short>(high)) << 16 | static_cast<unsigned short>(low);      \
  }

#define VPTR_CLANG_DPX(name, extreme)                                                                                  \
  VPTR_CLANG_DPX_WORD(__viadd##name##_s32, int, extreme(static_cast<int>(static_cast<unsigned>(x) + y), z))            \
  VPTR_CLANG_DPX_WORD(__viadd##name##_s32_relu, int,                                                                   \
                      max(extreme(static_cast<int>(static_cast<unsigned>(x) + y), z), 0))                              \
  VPTR_CLANG_DPX_WORD(__viadd##name##_u32, unsigned int, extreme(x + y, z))                                            \
  VPTR_CLANG_DPX_HALVES(__viadd##name##_s16x2, short, extreme(int(static_cast<short>(x + y)), int(z)))                 \
  VPTR_CLANG_DPX_HALVES(__viadd##name##_s16x2_relu, short, max(extreme(int(static_cast<short>(x + y)), int(z)), 0))    \
  VPTR_CLANG_DPX_HALVES(__viadd##name##_u16x2, unsigned short,                                                         \
                        extreme(int(static_cast<unsigned short>(x + y)), int(z)))                                      \
  VPTR_CLANG_DPX_WORD(__vi##name##3_s32, int, extreme(extreme(x, y), z))                                               \
  VPTR_CLANG_DPX_WORD(__vi##name##3_s32_relu, int, max(extreme(extreme(x, y), z), 0))                                  \
  VPTR_CLANG_DPX_WORD(__vi##name##3_u32, unsigned int, extreme(extreme(x, y), z))                                      \
  VPTR_CLANG_DPX_HALVES(__vi##name##3_s16x2, short, extreme(extreme(int(x), int(y)), int(z)))                          \
  VPTR_CLANG_DPX_HALVES(__vi##name##3_s16x2_relu, short, max(extreme(extreme(int(x), int(y)), int(z)), 0))             \
  VPTR_CLANG_DPX_HALVES(__vi##name##3_u16x2, unsigned short, extreme(extreme(int(x), int(y)), int(z)))                 \
  VPTR_CLANG_BOTH int __vi##name##_s32_relu(const int x, const int y) { return max(extreme(x, y), 0); }                \
  VPTR_CLANG_BOTH unsigned int __vi##name##_s16x2_relu(const unsigned int x, const unsigned int y) {                   \
    return ::__vi##name##3_s16x2_relu(x, y, y);                                                                        \
  }
VPTR_CLANG_DPX(max, max)
VPTR_CLANG_DPX(min, min)
#undef VPTR_CLANG_DPX
#undef VPTR_CLANG_DPX_HALVES
#undef VPTR_CLANG_DPX_WORD

/* and whether the first one was taken */
#define VPTR_CLANG_DPX_CHOICE(name, comparison)                                                                        \
  VPTR_CLANG_BOTH int __vib##name##_s32(const int x, const int y, bool *const first) {                                 \
    *first = x comparison y;                                                                                           \
    return *first ? x : y;                                                                                             \
  }                                                                                                                    \
  VPTR_CLANG_BOTH unsigned int __vib##name##_u32(const unsigned int x, const unsigned int y, bool *const first) {      \
    *first = x comparison y;                                                                                           \
    return *first ? x : y;                                                                                             \
  }                                                                                                                    \
  VPTR_CLANG_BOTH unsigned int __vib##name##_s16x2(const unsigned int x, const unsigned int y, bool *const high,       \
                                                   bool *const low) {                                                  \
    *high = static_cast<short>(x >> 16) comparison static_cast<short>(y >> 16);                                        \
    *low = static_cast<short>(x) comparison static_cast<short>(y);                                                     \
    return ((*high ? x : y) & 0xffff0000u) | ((*low ? x : y) & 0xffffu);                                               \
  }                                                                                                                    \
  VPTR_CLANG_BOTH unsigned int __vib##name##_u16x2(const unsigned int x, const unsigned int y, bool *const high,       \
                                                   bool *const low) {                                                  \
    *high = (x >> 16)comparison(y >> 16);                                                                              \
    *low = (x & 0xffffu)comparison(y & 0xffffu);                                                                       \
    return ((*high ? x : y) & 0xffff0000u) | ((*low ? x : y) & 0xffffu);                                               \
  }
VPTR_CLANG_DPX_CHOICE(max, >=)
VPTR_CLANG_DPX_CHOICE(min, <=)
#undef VPTR_CLANG_DPX_CHOICE

#endif
