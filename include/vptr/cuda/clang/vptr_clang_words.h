/* SPDX-License-Identifier: MIT */
/*
 * vptr_clang_words - CUDA's words as clang's attributes, and the macros by which programs know a CUDA compiler.
 *
 * __noinline__ is missing on purpose: it is a keyword of clang's in CUDA. So is __NVCC__, which libraries take for
 * NVIDIA's front end and not for CUDA: Eigen asks it whether device code has its mathematics in std, and half's
 * operators on the host. The driver may have given any macro before.
 * Options give __CUDACC_RDC__, __CUDACC_EXTENDED_LAMBDA__ and __CUDACC_RELAXED_CONSTEXPR__.
 */
#ifndef VPTR_CUDA_CLANG_WORDS_H
#define VPTR_CUDA_CLANG_WORDS_H

#ifndef VPTR_CLANG_CHILDREN /* vptrcc gives the words then */
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#endif
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

/* clang knows managed variables for HIP alone. Here they are device variables with a mark, in both halves: the device's
 * module tells which ones are registered as managed, and the host's shadow is the variable. */
#define __managed__ __attribute__((device)) __attribute__((annotate("vptr.managed")))

/* The third bound is blocks of a cluster, which older clangs do not know and no device of vptr's has. */
#define VPTR_CLANG_BOUNDS(threads, blocks, ...) __attribute__((launch_bounds(threads, blocks)))
#define __launch_bounds__(...) VPTR_CLANG_BOUNDS(__VA_ARGS__, 0, 0, 0)

#if __has_attribute(grid_constant)
#define __grid_constant__ __attribute__((grid_constant))
#else
#define __grid_constant__
#endif
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(count)
#define __local_maxnreg__(count)

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__
#define __nv_pure__ __attribute__((pure))

/* For functions that depend on nothing but their arguments, and wait for no other thread. */
#if __has_attribute(noconvergent)
#define VPTR_CLANG_PURE __attribute__((const, nothrow, noconvergent))
#else
#define VPTR_CLANG_PURE __attribute__((const, nothrow))
#endif
#define VPTR_CLANG_DEVICE static __inline__ __attribute__((device, always_inline))
#define VPTR_CLANG_SPECIAL __inline__ __attribute__((host, device, always_inline))
#define VPTR_CLANG_BOTH static __inline__ __attribute__((host, device, always_inline))

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#endif

/* What clang's headers and this compiler give needs none of NVIDIA's own headers. */
#define __CUDA_INCLUDE_COMPILER_INTERNAL_HEADERS__ 1

#endif
