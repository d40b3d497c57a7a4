/* SPDX-License-Identifier: MIT */
/*
 * vptr_host - what vptrcc's output stands on, and what CUDA's compiler offers to host code beside the runtime.
 *
 * cuda_runtime.h includes it when vptrcc compiles. Functions that are __host__ __device__ may call min(), max() and
 * rsqrtf() on both sides; here they are for the host, and the greater ones in vptr_special.h. The library's headers
 * that CUDA's own bring along come too, since programs that use them say so seldom.
 */
#ifndef VPTR_CUDA_VPTR_HOST_H
#define VPTR_CUDA_VPTR_HOST_H

/* clang's CUDA has vptr_clang.h for all of this. */
#if defined(__cplusplus) && !(defined(__clang__) && defined(__CUDA__))

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>

#include "cuda_surface_types.h"
#include "cuda_texture_types.h"
#include "device_launch_parameters.h"
#include "vptr_kernel.h"
#include "vptr_launch.h"
#include "vptr_special.h"

/* ---- launching ------------------------------------------------------------------------------------------- */

/* k<<<grid, block, shared, stream>>>(...), first half. True: it was refused, and the kernel is not called. */
static inline bool vptr_cuda_configure(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0) {
  return ::vptr_cuda_push_configuration(grid, block, shared, stream) != cudaSuccess;
}

/* The second half, in a kernel's stub. What goes wrong is in cudaGetLastError(). */
static inline void vptr_cuda_launch_stub(const void *stub, void **arguments) {
  dim3 grid, block;
  size_t shared = 0;
  cudaStream_t stream = 0;
  if (::vptr_cuda_pop_configuration(&grid, &block, &shared, &stream) == cudaSuccess)
    (void)::cudaLaunchKernel(stub, grid, block, arguments, shared, stream);
}

/* What vptrcc registers comes behind the preprocessor, which would not know the macros. Initial content is the
 * module's; the host's shadow of a managed variable is the variable. */
enum {
  vptr_cuda_is_device = VPTR_CUDA_VARIABLE_ZERO,
  vptr_cuda_is_constant = VPTR_CUDA_VARIABLE_CONSTANT | VPTR_CUDA_VARIABLE_ZERO,
  vptr_cuda_is_texture = VPTR_CUDA_VARIABLE_TEXTURE,
  vptr_cuda_is_texture_of_floats = VPTR_CUDA_VARIABLE_TEXTURE | VPTR_CUDA_VARIABLE_NORMALIZED,
  vptr_cuda_is_surface = VPTR_CUDA_VARIABLE_SURFACE,
  vptr_cuda_is_managed = VPTR_CUDA_VARIABLE_MANAGED
};

/* What a variable is that looks like a reference; 0: something else of that name. */
template <class T> static inline ::size_t vptr_cuda_reference_flags(const T &) { return 0; }
#ifndef VPTR_CUDA_NO_REFERENCES
template <class T, int type, enum cudaTextureReadMode mode>
static inline ::size_t vptr_cuda_reference_flags(const struct texture<T, type, mode> &) {
  return mode == cudaReadModeNormalizedFloat ? vptr_cuda_is_texture_of_floats : vptr_cuda_is_texture;
}
template <class T, int dim> static inline ::size_t vptr_cuda_reference_flags(const struct surface<T, dim> &) {
  return vptr_cuda_is_surface;
}
#endif

/* ---- mathematics ----------------------------------------------------------------------------------------- */

#define VPTR_HOST_EXTREMES(type, left, right)                                                                \
  static inline type min(left a, right b) {                                                       \
    const type x = static_cast<type>(a), y = static_cast<type>(b);                                           \
    return x < y ? x : y;                                                                                    \
  }                                                                                                          \
  static inline type max(left a, right b) {                                                       \
    const type x = static_cast<type>(a), y = static_cast<type>(b);                                           \
    return x > y ? x : y;                                                                                    \
  }
VPTR_HOST_EXTREMES(int, int, int)
VPTR_HOST_EXTREMES(unsigned int, unsigned int, unsigned int)
VPTR_HOST_EXTREMES(unsigned int, int, unsigned int)
VPTR_HOST_EXTREMES(unsigned int, unsigned int, int)
VPTR_HOST_EXTREMES(long, long, long)
VPTR_HOST_EXTREMES(unsigned long, unsigned long, unsigned long)
VPTR_HOST_EXTREMES(unsigned long, long, unsigned long)
VPTR_HOST_EXTREMES(unsigned long, unsigned long, long)
VPTR_HOST_EXTREMES(long long, long long, long long)
VPTR_HOST_EXTREMES(unsigned long long, unsigned long long, unsigned long long)
VPTR_HOST_EXTREMES(unsigned long long, long long, unsigned long long)
VPTR_HOST_EXTREMES(unsigned long long, unsigned long long, long long)
#undef VPTR_HOST_EXTREMES

static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }
static inline double min(float a, double b) { return fmin(a, b); }
static inline double max(float a, double b) { return fmax(a, b); }
static inline double min(double a, float b) { return fmin(a, b); }
static inline double max(double a, float b) { return fmax(a, b); }

static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline double rsqrt(double x) { return 1.0 / sqrt(x); }
static inline float rsqrt(float x) { return rsqrtf(x); }
static inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
static inline double rcbrt(double x) { return 1.0 / cbrt(x); }
static inline float fdividef(float x, float y) { return x / y; }

#endif

#endif
