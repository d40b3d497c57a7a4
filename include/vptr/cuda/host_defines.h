/* SPDX-License-Identifier: MIT */
/*
 * host_defines - the words that CUDA code puts in front of functions, variables and types.
 *
 * A host compiler knows nothing of `__device__` and its kin, so they expand to nothing here: shared headers that
 * mark their functions with them compile as plain C and C++. Where a compiler for device code is at work it has
 * given them a meaning of its own; a word that is defined already is left alone.
 *
 * `__noinline__` is missing on purpose: as a macro it breaks every system header that says
 * `__attribute__((__noinline__))`.
 */
#ifndef VPTR_CUDA_HOST_DEFINES_H
#define VPTR_CUDA_HOST_DEFINES_H
/* The guards of NVIDIA's headers are defined too, in each header: others ask for them to see which headers came
 * before. */
#define __HOST_DEFINES_H__

/* C89 and C++98 have neither macros with any number of arguments nor long long, and there is no other spelling. What
 * needs them stands here, so that no other header is excused from warnings. */
#ifdef __GNUC__
#pragma GCC system_header
#endif

typedef long long vptr_long_long;
typedef unsigned long long vptr_unsigned_long_long;

/* Calling convention of runtime functions: the platform's own. Interposers repeat it. */
#ifndef CUDARTAPI
#define CUDARTAPI
#endif
#ifndef CUDARTAPI_CDECL
#define CUDARTAPI_CDECL
#endif
#ifndef CUDART_CB
#define CUDART_CB
#endif

/* What the CUDA libraries of vptr export, whatever the including code's -fvisibility says. */
#ifndef VPTR_CUDA_API
#define VPTR_CUDA_API __attribute__((visibility("default")))
#endif

#ifndef __align__
#define __align__(n) __attribute__((aligned(n)))
#endif
#ifndef __builtin_align__
#define __builtin_align__(n) __align__(n)
#endif
#ifndef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif

#ifndef __host__
#define __host__
#endif
#ifndef __device__
#define __device__
#endif
#ifndef __global__
#define __global__
#endif
#ifndef __shared__
#define __shared__
#endif
#ifndef __constant__
#define __constant__
#endif
#ifndef __managed__
#define __managed__
#endif
#ifndef __grid_constant__
#define __grid_constant__
#endif
#ifndef __launch_bounds__
#define __launch_bounds__(...)
#endif
#ifndef __cluster_dims__
#define __cluster_dims__(...)
#endif

/* Marks of NVIDIA's compiler that third-party headers repeat. */
#ifndef __device_builtin__
#define __device_builtin__
#endif
#ifndef __cudart_builtin__
#define __cudart_builtin__
#endif

/* The default of an argument, which C++ programs may leave out. */
#ifdef __cplusplus
#define VPTR_CUDA_DEFAULT(value) = value
#else
#define VPTR_CUDA_DEFAULT(value)
#endif

#endif
