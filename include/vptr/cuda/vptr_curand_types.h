/* SPDX-License-Identifier: MIT */
/*
 * vptr_curand_types - what curand.h and curand_kernel.h share: direction vectors, and how functions for host and
 * kernels are declared.
 *
 * The headers of generators (curand_philox4x32_x.h, curand_mrg32k3a.h, vptr_curand_xorwow.h, vptr_curand_sobol.h) and
 * of numbers (vptr_curand_numbers.h) are C with no two functions of one name: libvptr-curand computes its host
 * generators with them, and its kernels and those of programs are translated from them, so that all have the same
 * sequences.
 * curand_kernel.h puts CUDA's names over them.
 */
#if !defined(__CUDACC__) && defined(__GNUC__)
#pragma GCC system_header /* C++ of 1998, and C of 1989, have long long as an extension */
#endif
#ifndef VPTR_CURAND_TYPES_H_
#define VPTR_CURAND_TYPES_H_

#include "vector_types.h"

typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

#if defined(__CUDACC__)
#define VPTR_CURAND_FUNCTION static __inline__ __host__ __device__
#else
#define VPTR_CURAND_FUNCTION static __inline__
#endif

#endif
