/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_atomic - atomic operations, which give back what was there before, as instructions of LLVM's.
 *
 * They are relaxed, as CUDA's are. _block and _system are device-wide: what is made of the IR has that scope alone.
 */
#ifndef VPTR_CUDA_CLANG_ATOMIC_H
#define VPTR_CUDA_CLANG_ATOMIC_H

/* One operation on one type, in all scopes: `expression` is of `pointer` and `value`. */
#define VPTR_CLANG_ATOMIC_IN(name, type, expression)                                                                   \
  VPTR_CLANG_DEVICE type name(type *pointer, type value) { return expression; }
#define VPTR_CLANG_ATOMIC(name, type, expression)                                                                      \
  VPTR_CLANG_ATOMIC_IN(name, type, expression)                                                                         \
  VPTR_CLANG_ATOMIC_IN(name##_block, type, expression)                                                                 \
  VPTR_CLANG_ATOMIC_IN(name##_system, type, expression)

#define VPTR_CLANG_ATOMIC_WORDS(name, builtin)                                                                         \
  VPTR_CLANG_ATOMIC(name, int, builtin(pointer, value, __ATOMIC_RELAXED))                                              \
  VPTR_CLANG_ATOMIC(name, unsigned int, builtin(pointer, value, __ATOMIC_RELAXED))                                     \
  VPTR_CLANG_ATOMIC(name, unsigned long long, builtin(pointer, value, __ATOMIC_RELAXED))
#define VPTR_CLANG_ATOMIC_INTEGERS(name, builtin)                                                                      \
  VPTR_CLANG_ATOMIC_WORDS(name, builtin)                                                                               \
  VPTR_CLANG_ATOMIC(name, long long, builtin(pointer, value, __ATOMIC_RELAXED))

VPTR_CLANG_ATOMIC_WORDS(atomicAdd, __atomic_fetch_add)
VPTR_CLANG_ATOMIC(atomicAdd, float, __nvvm_atom_add_gen_f(pointer, value))
VPTR_CLANG_ATOMIC(atomicAdd, double, __nvvm_atom_add_gen_d(pointer, value))
VPTR_CLANG_ATOMIC(atomicSub, int, __atomic_fetch_sub(pointer, value, __ATOMIC_RELAXED))
VPTR_CLANG_ATOMIC(atomicSub, unsigned int, __atomic_fetch_sub(pointer, value, __ATOMIC_RELAXED))
VPTR_CLANG_ATOMIC_INTEGERS(atomicMin, __atomic_fetch_min)
VPTR_CLANG_ATOMIC_INTEGERS(atomicMax, __atomic_fetch_max)
VPTR_CLANG_ATOMIC_INTEGERS(atomicAnd, __atomic_fetch_and)
VPTR_CLANG_ATOMIC_INTEGERS(atomicOr, __atomic_fetch_or)
VPTR_CLANG_ATOMIC_INTEGERS(atomicXor, __atomic_fetch_xor)
VPTR_CLANG_ATOMIC_WORDS(atomicExch, __atomic_exchange_n)
VPTR_CLANG_ATOMIC(atomicExch, float,
                  ::__uint_as_float(::atomicExch(reinterpret_cast<unsigned int *>(pointer), ::__float_as_uint(value))))
VPTR_CLANG_ATOMIC(atomicInc, unsigned int, __nvvm_atom_inc_gen_ui(pointer, value))
VPTR_CLANG_ATOMIC(atomicDec, unsigned int, __nvvm_atom_dec_gen_ui(pointer, value))

#undef VPTR_CLANG_ATOMIC_INTEGERS
#undef VPTR_CLANG_ATOMIC_WORDS
#undef VPTR_CLANG_ATOMIC
#undef VPTR_CLANG_ATOMIC_IN

#define VPTR_CLANG_ATOMIC_CAS(name, type)                                                                              \
  VPTR_CLANG_DEVICE type name(type *pointer, type expected, type value) {                                              \
    __atomic_compare_exchange_n(pointer, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                 \
    return expected;                                                                                                   \
  }
#define VPTR_CLANG_ATOMIC_CAS_ALL(type)                                                                                \
  VPTR_CLANG_ATOMIC_CAS(atomicCAS, type)                                                                               \
  VPTR_CLANG_ATOMIC_CAS(atomicCAS_block, type)                                                                         \
  VPTR_CLANG_ATOMIC_CAS(atomicCAS_system, type)
VPTR_CLANG_ATOMIC_CAS_ALL(int)
VPTR_CLANG_ATOMIC_CAS_ALL(unsigned int)
VPTR_CLANG_ATOMIC_CAS_ALL(unsigned long long)
VPTR_CLANG_ATOMIC_CAS_ALL(unsigned short)
#undef VPTR_CLANG_ATOMIC_CAS_ALL
#undef VPTR_CLANG_ATOMIC_CAS

/* Each number of a vector is added at once, not all of them, as CUDA's are. */
#define VPTR_CLANG_ATOMIC_VECTORS(name)                                                                                \
  VPTR_CLANG_DEVICE float2 name(float2 *pointer, float2 value) {                                                       \
    return make_float2(::name(&pointer->x, value.x), ::name(&pointer->y, value.y));                                    \
  }                                                                                                                    \
  VPTR_CLANG_DEVICE float4 name(float4 *pointer, float4 value) {                                                       \
    return make_float4(::name(&pointer->x, value.x), ::name(&pointer->y, value.y), ::name(&pointer->z, value.z),       \
                       ::name(&pointer->w, value.w));                                                                  \
  }
VPTR_CLANG_ATOMIC_VECTORS(atomicAdd)
VPTR_CLANG_ATOMIC_VECTORS(atomicAdd_block)
VPTR_CLANG_ATOMIC_VECTORS(atomicAdd_system)
#undef VPTR_CLANG_ATOMIC_VECTORS

/* 16 bytes at once, of any type that is as large and aligned so: under a lock (doc/kernels.md). */
#define VPTR_CLANG_ATOMIC_WIDE(name)                                                                                   \
  template <class T>                                                                                                   \
  VPTR_CLANG_DEVICE                                                                                                    \
  typename std::enable_if<sizeof(T) == 16 && alignof(T) >= 16 && std::is_trivially_copyable<T>::value, T>::type        \
  atomicExch##name(T *pointer, T value) {                                                                              \
    __atomic_exchange(pointer, &value, &value, __ATOMIC_RELAXED);                                                      \
    return value;                                                                                                      \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  VPTR_CLANG_DEVICE                                                                                                    \
  typename std::enable_if<sizeof(T) == 16 && alignof(T) >= 16 && std::is_trivially_copyable<T>::value, T>::type        \
  atomicCAS##name(T *pointer, T expected, T value) {                                                                   \
    __atomic_compare_exchange(pointer, &expected, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                  \
    return expected;                                                                                                   \
  }
VPTR_CLANG_ATOMIC_WIDE()
VPTR_CLANG_ATOMIC_WIDE(_block)
VPTR_CLANG_ATOMIC_WIDE(_system)
#undef VPTR_CLANG_ATOMIC_WIDE

#endif
