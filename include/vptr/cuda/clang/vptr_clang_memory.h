/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_memory - loads and stores with a hint for caches, and copies.
 *
 * A hint changes nothing here but for those that ask for the newest value (__ldcg, __ldcv) or write through
 * (__stwt): they are volatile, so that a thread which waits for a value of another's reads it again.
 */
#ifndef VPTR_CUDA_CLANG_MEMORY_H
#define VPTR_CUDA_CLANG_MEMORY_H

/* Words of the alignment that all types of that size have. */
typedef unsigned char __attribute__((may_alias)) vptr_clang_word1;
typedef unsigned short __attribute__((may_alias)) vptr_clang_word2;
typedef unsigned int __attribute__((may_alias)) vptr_clang_word4;
typedef unsigned long long __attribute__((may_alias)) vptr_clang_word8;

template <size_t Align> struct vptr_clang_word { typedef vptr_clang_word8 type; };
template <> struct vptr_clang_word<1> { typedef vptr_clang_word1 type; };
template <> struct vptr_clang_word<2> { typedef vptr_clang_word2 type; };
template <> struct vptr_clang_word<4> { typedef vptr_clang_word4 type; };

template <class T> VPTR_CLANG_DEVICE T vptr_clang_load(const T *pointer) {
  typedef typename vptr_clang_word<alignof(T)>::type word;
  T value;
#pragma unroll
  for (size_t i = 0; i < sizeof(T) / sizeof(word); i++)
    reinterpret_cast<word *>(&value)[i] = reinterpret_cast<const volatile word *>(pointer)[i];
  return value;
}

template <class T> VPTR_CLANG_DEVICE void vptr_clang_store(T *pointer, T value) {
  typedef typename vptr_clang_word<alignof(T)>::type word;
#pragma unroll
  for (size_t i = 0; i < sizeof(T) / sizeof(word); i++)
    reinterpret_cast<volatile word *>(pointer)[i] = reinterpret_cast<const word *>(&value)[i];
}

template <class T> struct vptr_clang_same { typedef T type; }; /* what is stored converts to what is pointed to */

template <class T> VPTR_CLANG_DEVICE T __ldca(const T *pointer) { return *pointer; }
template <class T> VPTR_CLANG_DEVICE T __ldcs(const T *pointer) { return *pointer; }
template <class T> VPTR_CLANG_DEVICE T __ldlu(const T *pointer) { return *pointer; }
template <class T> VPTR_CLANG_DEVICE T __ldcg(const T *pointer) { return ::vptr_clang_load(pointer); }
template <class T> VPTR_CLANG_DEVICE T __ldcv(const T *pointer) { return ::vptr_clang_load(pointer); }

#define VPTR_CLANG_STORE(name)                                                                                         \
  template <class T> VPTR_CLANG_DEVICE void name(T *pointer, typename vptr_clang_same<T>::type value) {                \
    *pointer = value;                                                                                                  \
  }
VPTR_CLANG_STORE(__stwb)
VPTR_CLANG_STORE(__stcg)
VPTR_CLANG_STORE(__stcs)
#undef VPTR_CLANG_STORE
template <class T> VPTR_CLANG_DEVICE void __stwt(T *pointer, typename vptr_clang_same<T>::type value) {
  ::vptr_clang_store<T>(pointer, value);
}

/* clang's headers have memcpy() and memset(). */
VPTR_CLANG_DEVICE void *memmove(void *to, const void *from, size_t size) { return __builtin_memmove(to, from, size); }

VPTR_CLANG_DEVICE void __prefetch_global_l1(const void *) {}
VPTR_CLANG_DEVICE void __prefetch_global_l2(const void *) {}

#endif
