/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_ordered - atomic operations with an order of one's own (CUDA 12.8), whose orders are numbered as the
 * compiler's. There is one scope, the device.
 */
#ifndef VPTR_CUDA_CLANG_ORDERED_H
#define VPTR_CUDA_CLANG_ORDERED_H

#define VPTR_CLANG_ORDERED template <class T> VPTR_CLANG_DEVICE

VPTR_CLANG_ORDERED void __nv_atomic_load(const T *pointer, T *result, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  __atomic_load(pointer, result, order);
}
VPTR_CLANG_ORDERED T __nv_atomic_load_n(const T *pointer, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  return __atomic_load_n(pointer, order);
}
VPTR_CLANG_ORDERED void __nv_atomic_store(T *pointer, T *value, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  __atomic_store(pointer, value, order);
}
VPTR_CLANG_ORDERED void __nv_atomic_store_n(T *pointer, T value, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  __atomic_store_n(pointer, value, order);
}
VPTR_CLANG_ORDERED void __nv_atomic_exchange(T *pointer, T *value, T *result, int order,
                                             int = __NV_THREAD_SCOPE_SYSTEM) {
  __atomic_exchange(pointer, value, result, order);
}
VPTR_CLANG_ORDERED T __nv_atomic_exchange_n(T *pointer, T value, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  return __atomic_exchange_n(pointer, value, order);
}
VPTR_CLANG_ORDERED bool __nv_atomic_compare_exchange(T *pointer, T *expected, T *desired, bool weak, int success,
                                                     int failure, int = __NV_THREAD_SCOPE_SYSTEM) {
  return __atomic_compare_exchange(pointer, expected, desired, weak, success, failure);
}
VPTR_CLANG_ORDERED bool __nv_atomic_compare_exchange_n(T *pointer, T *expected, T desired, bool weak, int success,
                                                       int failure, int = __NV_THREAD_SCOPE_SYSTEM) {
  return __atomic_compare_exchange_n(pointer, expected, desired, weak, success, failure);
}

/* what was there before, or nothing */
#define VPTR_CLANG_ORDERED_FETCH(name)                                                                                 \
  VPTR_CLANG_ORDERED T __nv_atomic_fetch_##name(T *pointer, T value, int order, int = __NV_THREAD_SCOPE_SYSTEM) {      \
    return __atomic_fetch_##name(pointer, value, order);                                                               \
  }                                                                                                                    \
  VPTR_CLANG_ORDERED void __nv_atomic_##name(T *pointer, T value, int order, int = __NV_THREAD_SCOPE_SYSTEM) {         \
    (void)__atomic_fetch_##name(pointer, value, order);                                                                \
  }
VPTR_CLANG_ORDERED_FETCH(add)
VPTR_CLANG_ORDERED_FETCH(sub)
VPTR_CLANG_ORDERED_FETCH(and)
VPTR_CLANG_ORDERED_FETCH(or)
VPTR_CLANG_ORDERED_FETCH(xor)
VPTR_CLANG_ORDERED_FETCH(min)
VPTR_CLANG_ORDERED_FETCH(max)
#undef VPTR_CLANG_ORDERED_FETCH
#undef VPTR_CLANG_ORDERED

VPTR_CLANG_DEVICE void __nv_atomic_thread_fence(int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  __atomic_thread_fence(order);
}

#endif
