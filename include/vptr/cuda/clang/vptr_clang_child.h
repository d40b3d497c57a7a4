/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_child - what kernels that launch kernels call, in files that have some: vptrcc defines VPTR_CLANG_CHILDREN
 * for them.
 *
 * k<<<grid, block>>>(a) is vptr_cuda_configure(grid, block) ? (void)0 : k(a) where it is the device's. vptr-kernelc
 * makes records of the two, and knows the named streams by their numbers, which are CUDA's; others may be any.
 */
#ifndef VPTR_CUDA_CLANG_CHILD_H
#define VPTR_CUDA_CLANG_CHILD_H

#define cudaStreamTailLaunch (reinterpret_cast<cudaStream_t>(3ul))
#define cudaStreamFireAndForget (reinterpret_cast<cudaStream_t>(4ul))

extern "C" {
__host__ __device__ unsigned int vptr_cuda_configure(dim3 grid, dim3 block, size_t shared = 0,
                                                     cudaStream_t stream = 0);

__device__ cudaError_t cudaGetLastError(void);
__device__ cudaError_t cudaPeekAtLastError(void);

__device__ inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
  if (flags != cudaStreamNonBlocking)
    return cudaErrorInvalidValue;
  *stream = reinterpret_cast<cudaStream_t>(5ul);
  return cudaSuccess;
}
__device__ inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
}

/* A kernel to clang, which in relocatable code puts the word for what is the unit's own behind its name. */
#if defined(__CUDA_ARCH__) && defined(__CUDACC_RDC__)
static __attribute__((global)) void vptr_own_names() {}
#endif

/* In device code of the host's half, where clang refuses a kernel's name: takes all by value, as kernels do, lists in
 * braces, too. */
struct vptr_cuda_any {
  template <class... T> __host__ __device__ vptr_cuda_any(T...) {}
};
#define VPTR_CLANG_ANY_4 vptr_cuda_any = {}, vptr_cuda_any = {}, vptr_cuda_any = {}, vptr_cuda_any = {}
#define VPTR_CLANG_ANY_16 VPTR_CLANG_ANY_4, VPTR_CLANG_ANY_4, VPTR_CLANG_ANY_4, VPTR_CLANG_ANY_4
__host__ __device__ inline void vptr_cuda_ignore(VPTR_CLANG_ANY_16, VPTR_CLANG_ANY_16) {}
#undef VPTR_CLANG_ANY_4
#undef VPTR_CLANG_ANY_16

#endif
