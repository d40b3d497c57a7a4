/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_warp - matches and reductions within a warp. Shuffles and votes are clang's own.
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

/* clang's headers have them for sm_80 and later ones, from clang 17 on. */
#if __clang_major__ < 17 || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800)
__device__ __attribute__((convergent)) unsigned int __reduce_add_sync(unsigned int mask, unsigned int value);
__device__ __attribute__((convergent)) unsigned int __reduce_min_sync(unsigned int mask, unsigned int value);
__device__ __attribute__((convergent)) unsigned int __reduce_max_sync(unsigned int mask, unsigned int value);
__device__ __attribute__((convergent)) unsigned int __reduce_and_sync(unsigned int mask, unsigned int value);
__device__ __attribute__((convergent)) unsigned int __reduce_or_sync(unsigned int mask, unsigned int value);
__device__ __attribute__((convergent)) unsigned int __reduce_xor_sync(unsigned int mask, unsigned int value);
__device__ __attribute__((convergent)) int __reduce_min_sync(unsigned int mask, int value);
__device__ __attribute__((convergent)) int __reduce_max_sync(unsigned int mask, int value);
#endif
VPTR_CLANG_DEVICE int __reduce_add_sync(unsigned int mask, int value) {
  return static_cast<int>(::__reduce_add_sync(mask, static_cast<unsigned int>(value)));
}

#endif
