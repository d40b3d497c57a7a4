/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_index - threadIdx and its kin as vectors. clang's header declares these conversions, and could not define
 * them before uint3 and dim3 were.
 */
#ifndef VPTR_CUDA_CLANG_INDEX_H
#define VPTR_CUDA_CLANG_INDEX_H

#define VPTR_CLANG_INDEX(variable)                                                                                     \
  __device__ inline __cuda_builtin_##variable##_t::operator dim3() const { return dim3(x, y, z); }                     \
  __device__ inline __cuda_builtin_##variable##_t::operator uint3() const { return uint3{ x, y, z }; }
VPTR_CLANG_INDEX(threadIdx)
VPTR_CLANG_INDEX(blockIdx)
VPTR_CLANG_INDEX(blockDim)
VPTR_CLANG_INDEX(gridDim)
#undef VPTR_CLANG_INDEX

#endif
