/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_space - which memory a pointer points into, and its address there.
 *
 * clang's intrinsics ask for some of them, so they come before: these are written in address spaces of clang's (1
 * global, 3 shared, 4 constant, 5 local).
 */
#ifndef VPTR_CUDA_CLANG_SPACE_H
#define VPTR_CUDA_CLANG_SPACE_H

VPTR_CLANG_DEVICE VPTR_CLANG_PURE unsigned int __isGlobal(const void *pointer) {
  return __nvvm_isspacep_global(pointer);
}
VPTR_CLANG_DEVICE VPTR_CLANG_PURE unsigned int __isShared(const void *pointer) {
  return __nvvm_isspacep_shared(pointer);
}
VPTR_CLANG_DEVICE VPTR_CLANG_PURE unsigned int __isConstant(const void *pointer) {
  return __nvvm_isspacep_const(pointer);
}
VPTR_CLANG_DEVICE VPTR_CLANG_PURE unsigned int __isLocal(const void *pointer) { return __nvvm_isspacep_local(pointer); }
VPTR_CLANG_DEVICE VPTR_CLANG_PURE unsigned int __isGridConstant(const void *) { return 0; }

#define VPTR_CLANG_SPACE(name, number)                                                                                 \
  VPTR_CLANG_DEVICE VPTR_CLANG_PURE size_t __cvta_generic_to_##name(const void *pointer) {                             \
    return (size_t)(__attribute__((address_space(number))) const void *)pointer;                                       \
  }                                                                                                                    \
  VPTR_CLANG_DEVICE VPTR_CLANG_PURE void *__cvta_##name##_to_generic(size_t address) {                                 \
    return (void *)(__attribute__((address_space(number))) void *)address;                                             \
  }
VPTR_CLANG_SPACE(global, 1)
VPTR_CLANG_SPACE(shared, 3)
VPTR_CLANG_SPACE(constant, 4)
VPTR_CLANG_SPACE(local, 5)
#undef VPTR_CLANG_SPACE

#endif
