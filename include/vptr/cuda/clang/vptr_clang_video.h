/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_video - instructions on two halves or four bytes of a word (CUDA's SIMD intrinsics).
 *
 * clang's headers call libdevice's for them if CUDA_VERSION is that old, and have assembler if not. Here are
 * libdevice's, in C++.
 */
#ifndef VPTR_CUDA_CLANG_VIDEO_H
#define VPTR_CUDA_CLANG_VIDEO_H

/* Each lane of a and b as a Lane, through an operation on ints, back into its place. */
template <class Lane, class Operation>
VPTR_CLANG_DEVICE unsigned int vptr_clang_lanes(unsigned int a, unsigned int b, Operation operation) {
  const unsigned int bits = 8 * sizeof(Lane), ones = (1u << bits) - 1u;
  unsigned int result = 0;
#pragma unroll
  for (unsigned int at = 0; at < 32; at += bits) {
    const int left = static_cast<Lane>(a >> at), right = static_cast<Lane>(b >> at);
    result |= (static_cast<unsigned int>(operation(left, right)) & ones) << at;
  }
  return result;
}

template <class Lane> VPTR_CLANG_DEVICE int vptr_clang_saturated(int value) {
  const int bits = 8 * sizeof(Lane), is_signed = static_cast<Lane>(-1) < static_cast<Lane>(0);
  const int greatest = (1 << (bits - is_signed)) - 1, least = is_signed ? -greatest - 1 : 0;
  return value < least ? least : value > greatest ? greatest : value;
}

#define VPTR_CLANG_VIDEO(name, lane, expression)                                                                       \
  extern "C" __device__ inline unsigned int __nv_##name(unsigned int a, unsigned int b) {                              \
    return ::vptr_clang_lanes<lane>(a, b, [] __device__(int x, int y) -> int { return expression; });                  \
  }
#define VPTR_CLANG_VIDEO_ONE(name, lane, expression)                                                                   \
  extern "C" __device__ inline unsigned int __nv_##name(unsigned int a) {                                              \
    return ::vptr_clang_lanes<lane>(a, 0, [] __device__(int x, int) -> int { return expression; });                    \
  }
/* the same for halves and for bytes, named so */
#define VPTR_CLANG_VIDEO_SIGNED(name, expression2, expression4)                                                        \
  VPTR_CLANG_VIDEO(name##2, short, expression2)                                                                        \
  VPTR_CLANG_VIDEO(name##4, signed char, expression4)
#define VPTR_CLANG_VIDEO_UNSIGNED(name, expression2, expression4)                                                      \
  VPTR_CLANG_VIDEO(name##2, unsigned short, expression2)                                                               \
  VPTR_CLANG_VIDEO(name##4, unsigned char, expression4)

VPTR_CLANG_VIDEO_UNSIGNED(vadd, x + y, x + y)
VPTR_CLANG_VIDEO_SIGNED(vaddss, vptr_clang_saturated<short>(x + y), vptr_clang_saturated<signed char>(x + y))
VPTR_CLANG_VIDEO_UNSIGNED(vaddus, vptr_clang_saturated<unsigned short>(x + y),
                          vptr_clang_saturated<unsigned char>(x + y))
VPTR_CLANG_VIDEO_UNSIGNED(vsub, x - y, x - y)
VPTR_CLANG_VIDEO_SIGNED(vsubss, vptr_clang_saturated<short>(x - y), vptr_clang_saturated<signed char>(x - y))
VPTR_CLANG_VIDEO_UNSIGNED(vsubus, vptr_clang_saturated<unsigned short>(x - y),
                          vptr_clang_saturated<unsigned char>(x - y))
VPTR_CLANG_VIDEO_SIGNED(vavgs, (x + y + (x + y >= 0)) >> 1, (x + y + (x + y >= 0)) >> 1)
VPTR_CLANG_VIDEO_UNSIGNED(vavgu, (x + y + 1) >> 1, (x + y + 1) >> 1)
VPTR_CLANG_VIDEO_UNSIGNED(vhaddu, (x + y) >> 1, (x + y) >> 1)
VPTR_CLANG_VIDEO_SIGNED(vmaxs, x > y ? x : y, x > y ? x : y)
VPTR_CLANG_VIDEO_UNSIGNED(vmaxu, x > y ? x : y, x > y ? x : y)
VPTR_CLANG_VIDEO_SIGNED(vmins, x < y ? x : y, x < y ? x : y)
VPTR_CLANG_VIDEO_UNSIGNED(vminu, x < y ? x : y, x < y ? x : y)
VPTR_CLANG_VIDEO_SIGNED(vabsdiffs, x > y ? x - y : y - x, x > y ? x - y : y - x)
VPTR_CLANG_VIDEO_UNSIGNED(vabsdiffu, x > y ? x - y : y - x, x > y ? x - y : y - x)

VPTR_CLANG_VIDEO_ONE(vabs2, short, x < 0 ? -x : x)
VPTR_CLANG_VIDEO_ONE(vabs4, signed char, x < 0 ? -x : x)
VPTR_CLANG_VIDEO_ONE(vabsss2, short, vptr_clang_saturated<short>(x < 0 ? -x : x))
VPTR_CLANG_VIDEO_ONE(vabsss4, signed char, vptr_clang_saturated<signed char>(x < 0 ? -x : x))
VPTR_CLANG_VIDEO_ONE(vneg2, short, -x)
VPTR_CLANG_VIDEO_ONE(vneg4, signed char, -x)
VPTR_CLANG_VIDEO_ONE(vnegss2, short, vptr_clang_saturated<short>(-x))
VPTR_CLANG_VIDEO_ONE(vnegss4, signed char, vptr_clang_saturated<signed char>(-x))

/* comparisons: all ones, or a 1 */
#define VPTR_CLANG_VIDEO_COMPARE(lanes, name, sign, operation)                                                         \
  VPTR_CLANG_VIDEO_##lanes(vcmp##name##sign, x operation y ? -1 : 0, x operation y ? -1 : 0)                           \
  VPTR_CLANG_VIDEO_##lanes(vset##name##sign, x operation y ? 1 : 0, x operation y ? 1 : 0)
VPTR_CLANG_VIDEO_COMPARE(UNSIGNED, eq, , ==)
VPTR_CLANG_VIDEO_COMPARE(UNSIGNED, ne, , !=)
VPTR_CLANG_VIDEO_COMPARE(SIGNED, ge, s, >=)
VPTR_CLANG_VIDEO_COMPARE(SIGNED, gt, s, >)
VPTR_CLANG_VIDEO_COMPARE(SIGNED, le, s, <=)
VPTR_CLANG_VIDEO_COMPARE(SIGNED, lt, s, <)
VPTR_CLANG_VIDEO_COMPARE(UNSIGNED, ge, u, >=)
VPTR_CLANG_VIDEO_COMPARE(UNSIGNED, gt, u, >)
VPTR_CLANG_VIDEO_COMPARE(UNSIGNED, le, u, <=)
VPTR_CLANG_VIDEO_COMPARE(UNSIGNED, lt, u, <)

/* the sum of the lanes' absolute differences */
#define VPTR_CLANG_VIDEO_SUM(name, difference, bits)                                                                   \
  extern "C" __device__ inline unsigned int __nv_##name(unsigned int a, unsigned int b) {                              \
    unsigned int lanes = ::__nv_##difference(a, b), sum = 0;                                                           \
    for (; lanes != 0; lanes >>= bits)                                                                                 \
      sum += lanes & ((1u << bits) - 1u);                                                                              \
    return sum;                                                                                                        \
  }
VPTR_CLANG_VIDEO_SUM(vsads2, vabsdiffs2, 16)
VPTR_CLANG_VIDEO_SUM(vsads4, vabsdiffs4, 8)
VPTR_CLANG_VIDEO_SUM(vsadu2, vabsdiffu2, 16)
VPTR_CLANG_VIDEO_SUM(vsadu4, vabsdiffu4, 8)

#undef VPTR_CLANG_VIDEO_SUM
#undef VPTR_CLANG_VIDEO_COMPARE
#undef VPTR_CLANG_VIDEO_UNSIGNED
#undef VPTR_CLANG_VIDEO_SIGNED
#undef VPTR_CLANG_VIDEO_ONE
#undef VPTR_CLANG_VIDEO

#endif
