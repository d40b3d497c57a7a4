/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_warp - matches, reductions and __fns() of a warp, and the older names without a mask. Shuffles and votes
 * with one are clang's own.
 */
#ifndef VPTR_CUDA_CLANG_WARP_H
#define VPTR_CUDA_CLANG_WARP_H

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700

#define VPTR_CLANG_MATCH(type, bits, number)                                                                           \
  VPTR_CLANG_DEVICE unsigned int __match_any_sync(unsigned int mask, type value) {                                     \
    return ::__match##bits##_any_sync(mask, number);                                                                   \
  }                                                                                                                    \
  VPTR_CLANG_DEVICE unsigned int __match_all_sync(unsigned int mask, type value, int *is_same) {                       \
    return ::__match##bits##_all_sync(mask, number, is_same);                                                          \
  }
VPTR_CLANG_MATCH(unsigned int, 32, value)
VPTR_CLANG_MATCH(int, 32, static_cast<unsigned int>(value))
VPTR_CLANG_MATCH(unsigned long, 64, value)
VPTR_CLANG_MATCH(long, 64, static_cast<unsigned long long>(value))
VPTR_CLANG_MATCH(unsigned long long, 64, value)
VPTR_CLANG_MATCH(long long, 64, static_cast<unsigned long long>(value))
VPTR_CLANG_MATCH(float, 32, ::__float_as_uint(value))
VPTR_CLANG_MATCH(double, 64, static_cast<unsigned long long>(::__double_as_longlong(value)))
#undef VPTR_CLANG_MATCH

#endif

/* clang's headers have them for sm_80 and later ones, and give the mask as the value there (to clang 19 at least). */
__device__ __attribute__((convergent)) unsigned int __reduce_add_sync(unsigned int mask, unsigned int value);
__device__ __attribute__((convergent)) unsigned int __reduce_min_sync(unsigned int mask, unsigned int value);
__device__ __attribute__((convergent)) unsigned int __reduce_max_sync(unsigned int mask, unsigned int value);
__device__ __attribute__((convergent)) unsigned int __reduce_and_sync(unsigned int mask, unsigned int value);
__device__ __attribute__((convergent)) unsigned int __reduce_or_sync(unsigned int mask, unsigned int value);
__device__ __attribute__((convergent)) unsigned int __reduce_xor_sync(unsigned int mask, unsigned int value);
__device__ __attribute__((convergent)) int __reduce_min_sync(unsigned int mask, int value);
__device__ __attribute__((convergent)) int __reduce_max_sync(unsigned int mask, int value);
VPTR_CLANG_DEVICE int __reduce_add_sync(unsigned int mask, int value) {
  return static_cast<int>(::__reduce_add_sync(mask, static_cast<unsigned int>(value)));
}

/* The bit that is so many set ones up from the base, or down where that is negative; ~0: there is none. */
VPTR_CLANG_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
  if (offset == 0)
    return (mask >> (base & 31u) & 1u) != 0 ? base : ~0u;
  int left = offset < 0 ? -offset : offset;
  for (unsigned int at = base; at < 32; at = offset < 0 ? at - 1u : at + 1u)
    if ((mask >> at & 1u) != 0 && --left == 0)
      return at;
  return ~0u;
}

/* Without a mask they are of those lanes that come to them at once. */
VPTR_CLANG_DEVICE int __all(int predicate) { return ::__all_sync(::__activemask(), predicate); }
VPTR_CLANG_DEVICE int __any(int predicate) { return ::__any_sync(::__activemask(), predicate); }
VPTR_CLANG_DEVICE unsigned int __ballot(int predicate) { return ::__ballot_sync(::__activemask(), predicate); }

#define VPTR_CLANG_SHUFFLE(name, type, lane)                                                                           \
  VPTR_CLANG_DEVICE type name(type value, lane other, int width = 32) {                                                \
    return ::name##_sync(::__activemask(), value, other, width);                                                       \
  }
#define VPTR_CLANG_SHUFFLES(type)                                                                                      \
  VPTR_CLANG_SHUFFLE(__shfl, type, int)                                                                                \
  VPTR_CLANG_SHUFFLE(__shfl_up, type, unsigned int)                                                                    \
  VPTR_CLANG_SHUFFLE(__shfl_down, type, unsigned int)                                                                  \
  VPTR_CLANG_SHUFFLE(__shfl_xor, type, int)
VPTR_CLANG_SHUFFLES(int)
VPTR_CLANG_SHUFFLES(unsigned int)
VPTR_CLANG_SHUFFLES(long)
VPTR_CLANG_SHUFFLES(unsigned long)
VPTR_CLANG_SHUFFLES(long long)
VPTR_CLANG_SHUFFLES(unsigned long long)
VPTR_CLANG_SHUFFLES(float)
VPTR_CLANG_SHUFFLES(double)
#undef VPTR_CLANG_SHUFFLES
#undef VPTR_CLANG_SHUFFLE

#endif
