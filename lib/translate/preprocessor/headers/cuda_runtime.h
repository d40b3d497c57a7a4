/* SPDX-License-Identifier: MIT */
/*
 * cuda_runtime.h - what every kernel has without asking: the vector types, and how they are made.
 *
 * Sizes and alignments are CUDA's: a vector of two or four aligns as a whole, up to 16 bytes; one of three as its
 * members.
 */
#pragma once

/* Helper headers ask for the guards of NVIDIA's headers. */
#define __HOST_DEFINES_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#ifndef __CUDACC_RTC__
#define __CHANNEL_DESCRIPTOR_H__
#define __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __DRIVER_FUNCTIONS_H__
#define __DRIVER_TYPES_H__
#define __SURFACE_TYPES_H__
#define __TEXTURE_TYPES_H__
#include <limits.h> /* NVIDIA's runtime header has it, and programs rely on that */
#endif

#define CUDART_VERSION 13000
#define CUDA_VERSION 13000
#define CUDART_CB
#define CUDARTAPI
#define __builtin_align__(bytes) __align__(bytes)
#define __device_builtin__
#define __cudart_builtin__
#define __inline_hint__
#define __nv_pure__
#define __specialization_static static

#include <stddef.h>
#include <assert.h>
#ifndef __CUDACC_RTC__
#include <stdint.h>
#include <math.h>
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
#endif

typedef long clock_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef unsigned long long cudaGraphConditionalHandle;
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;

struct char1 { signed char x; };
struct __align__(2) char2 { signed char x, y; };
struct char3 { signed char x, y, z; };
struct __align__(4) char4 { signed char x, y, z, w; };
struct uchar1 { unsigned char x; };
struct __align__(2) uchar2 { unsigned char x, y; };
struct uchar3 { unsigned char x, y, z; };
struct __align__(4) uchar4 { unsigned char x, y, z, w; };
struct short1 { short x; };
struct __align__(4) short2 { short x, y; };
struct short3 { short x, y, z; };
struct __align__(8) short4 { short x, y, z, w; };
struct ushort1 { unsigned short x; };
struct __align__(4) ushort2 { unsigned short x, y; };
struct ushort3 { unsigned short x, y, z; };
struct __align__(8) ushort4 { unsigned short x, y, z, w; };
struct int1 { int x; };
struct __align__(8) int2 { int x, y; };
struct int3 { int x, y, z; };
struct __align__(16) int4 { int x, y, z, w; };
struct uint1 { unsigned int x; };
struct __align__(8) uint2 { unsigned int x, y; };
struct uint3 { unsigned int x, y, z; };
struct __align__(16) uint4 { unsigned int x, y, z, w; };
struct long1 { long x; };
struct __align__(16) long2 { long x, y; };
struct long3 { long x, y, z; };
struct __align__(16) long4 { long x, y, z, w; };
struct ulong1 { unsigned long x; };
struct __align__(16) ulong2 { unsigned long x, y; };
struct ulong3 { unsigned long x, y, z; };
struct __align__(16) ulong4 { unsigned long x, y, z, w; };
struct longlong1 { long long x; };
struct __align__(16) longlong2 { long long x, y; };
struct longlong3 { long long x, y, z; };
struct __align__(16) longlong4 { long long x, y, z, w; };
struct ulonglong1 { unsigned long long x; };
struct __align__(16) ulonglong2 { unsigned long long x, y; };
struct ulonglong3 { unsigned long long x, y, z; };
struct __align__(16) ulonglong4 { unsigned long long x, y, z, w; };
struct float1 { float x; };
struct __align__(8) float2 { float x, y; };
struct float3 { float x, y, z; };
struct __align__(16) float4 { float x, y, z, w; };
struct double1 { double x; };
struct __align__(16) double2 { double x, y; };
struct double3 { double x, y, z; };
struct __align__(16) double4 { double x, y, z, w; };

struct dim3 { unsigned int x, y, z; };

enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

/* Programs hand them to kernels as they are. */
struct cudaPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };
struct cudaExtent { size_t width, height, depth; };
struct cudaPos { size_t x, y, z; };

/* Of atomic operations on 16 bytes; the runtime's, one array for each device (lib/cudart/module/lock_words.c). */
extern "C" { extern __device__ unsigned int vptr_locks[256]; }

/* Launches in kernels, and what goes with them: cudaStreamTailLaunch is looked for, all other streams are in order. The
 * room of a launch is written and read by the host, lib/cudart/module/child.c, where its numbers are told. */
typedef enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorLaunchPendingCountExceeded = 69
} cudaError_t;
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaStreamTailLaunch ((cudaStream_t)(vptr_children + 1))
#define cudaStreamFireAndForget ((cudaStream_t)(vptr_children + 2))

extern "C" { extern __device__ __align__(64) unsigned char vptr_children[64]; }

__device__ inline unsigned char *vptr_child_take(unsigned int kernel, dim3 grid, dim3 block, size_t shared,
                                                 cudaStream_t stream) {
  unsigned int *head = (unsigned int *)vptr_children;
  unsigned int number = atomicAdd(&head[0], 1u);
  if (number >= head[1])
    return 0;
  unsigned char *record = vptr_children + 64 + (size_t)number * head[2];
  unsigned int *words = (unsigned int *)record;
  words[0] = kernel;
  words[1] = stream == cudaStreamTailLaunch;
  words[2] = grid.x;
  words[3] = grid.y;
  words[4] = grid.z;
  words[5] = block.x;
  words[6] = block.y;
  words[7] = block.z;
  words[8] = (unsigned int)shared;
  words[9] = (unsigned int)(shared >> 32);
  return record + 64;
}

__device__ inline size_t vptr_child_place(size_t at, size_t alignment) {
  return (at + alignment - 1) / alignment * alignment;
}

__device__ inline cudaError_t cudaPeekAtLastError(void) {
  volatile unsigned int *head = (volatile unsigned int *)vptr_children;
  return head[0] > head[1] ? cudaErrorLaunchPendingCountExceeded : cudaSuccess;
}
__device__ inline cudaError_t cudaGetLastError(void) { return cudaPeekAtLastError(); }

__device__ inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
  if (flags != cudaStreamNonBlocking)
    return cudaErrorInvalidValue;
  *stream = (cudaStream_t)(vptr_children + 3);
  return cudaSuccess;
}
__device__ inline cudaError_t cudaStreamDestroy(cudaStream_t stream) { return cudaSuccess; }

__host__ __device__ inline char1 make_char1(signed char x) { char1 v; v.x = x; return v; }
__host__ __device__ inline char2 make_char2(signed char x, signed char y) { char2 v; v.x = x; v.y = y; return v; }
__host__ __device__ inline char3 make_char3(signed char x, signed char y, signed char z) {
  char3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
__host__ __device__ inline char4 make_char4(signed char x, signed char y, signed char z, signed char w) {
  char4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
__host__ __device__ inline uchar1 make_uchar1(unsigned char x) { uchar1 v; v.x = x; return v; }
__host__ __device__ inline uchar2 make_uchar2(unsigned char x, unsigned char y) {
  uchar2 v;
  v.x = x;
  v.y = y;
  return v;
}
__host__ __device__ inline uchar3 make_uchar3(unsigned char x, unsigned char y, unsigned char z) {
  uchar3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
__host__ __device__ inline uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) {
  uchar4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
__host__ __device__ inline short1 make_short1(short x) { short1 v; v.x = x; return v; }
__host__ __device__ inline short2 make_short2(short x, short y) { short2 v; v.x = x; v.y = y; return v; }
__host__ __device__ inline short3 make_short3(short x, short y, short z) {
  short3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
__host__ __device__ inline short4 make_short4(short x, short y, short z, short w) {
  short4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
__host__ __device__ inline ushort1 make_ushort1(unsigned short x) { ushort1 v; v.x = x; return v; }
__host__ __device__ inline ushort2 make_ushort2(unsigned short x, unsigned short y) {
  ushort2 v;
  v.x = x;
  v.y = y;
  return v;
}
__host__ __device__ inline ushort3 make_ushort3(unsigned short x, unsigned short y, unsigned short z) {
  ushort3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
__host__ __device__ inline ushort4 make_ushort4(unsigned short x, unsigned short y, unsigned short z,
                                                unsigned short w) {
  ushort4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
__host__ __device__ inline int1 make_int1(int x) { int1 v; v.x = x; return v; }
__host__ __device__ inline int2 make_int2(int x, int y) { int2 v; v.x = x; v.y = y; return v; }
__host__ __device__ inline int3 make_int3(int x, int y, int z) { int3 v; v.x = x; v.y = y; v.z = z; return v; }
__host__ __device__ inline int4 make_int4(int x, int y, int z, int w) {
  int4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
__host__ __device__ inline uint1 make_uint1(unsigned int x) { uint1 v; v.x = x; return v; }
__host__ __device__ inline uint2 make_uint2(unsigned int x, unsigned int y) { uint2 v; v.x = x; v.y = y; return v; }
__host__ __device__ inline uint3 make_uint3(unsigned int x, unsigned int y, unsigned int z) {
  uint3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
__host__ __device__ inline uint4 make_uint4(unsigned int x, unsigned int y, unsigned int z, unsigned int w) {
  uint4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
__host__ __device__ inline long1 make_long1(long x) { long1 v; v.x = x; return v; }
__host__ __device__ inline long2 make_long2(long x, long y) { long2 v; v.x = x; v.y = y; return v; }
__host__ __device__ inline long3 make_long3(long x, long y, long z) { long3 v; v.x = x; v.y = y; v.z = z; return v; }
__host__ __device__ inline long4 make_long4(long x, long y, long z, long w) {
  long4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
__host__ __device__ inline ulong1 make_ulong1(unsigned long x) { ulong1 v; v.x = x; return v; }
__host__ __device__ inline ulong2 make_ulong2(unsigned long x, unsigned long y) {
  ulong2 v;
  v.x = x;
  v.y = y;
  return v;
}
__host__ __device__ inline ulong3 make_ulong3(unsigned long x, unsigned long y, unsigned long z) {
  ulong3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
__host__ __device__ inline ulong4 make_ulong4(unsigned long x, unsigned long y, unsigned long z, unsigned long w) {
  ulong4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
__host__ __device__ inline longlong1 make_longlong1(long long x) { longlong1 v; v.x = x; return v; }
__host__ __device__ inline longlong2 make_longlong2(long long x, long long y) {
  longlong2 v;
  v.x = x;
  v.y = y;
  return v;
}
__host__ __device__ inline longlong3 make_longlong3(long long x, long long y, long long z) {
  longlong3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
__host__ __device__ inline longlong4 make_longlong4(long long x, long long y, long long z, long long w) {
  longlong4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
__host__ __device__ inline ulonglong1 make_ulonglong1(unsigned long long x) { ulonglong1 v; v.x = x; return v; }
__host__ __device__ inline ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y) {
  ulonglong2 v;
  v.x = x;
  v.y = y;
  return v;
}
__host__ __device__ inline ulonglong3 make_ulonglong3(unsigned long long x, unsigned long long y,
                                                      unsigned long long z) {
  ulonglong3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
__host__ __device__ inline ulonglong4 make_ulonglong4(unsigned long long x, unsigned long long y,
                                                      unsigned long long z, unsigned long long w) {
  ulonglong4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
__host__ __device__ inline float1 make_float1(float x) { float1 v; v.x = x; return v; }
__host__ __device__ inline float2 make_float2(float x, float y) { float2 v; v.x = x; v.y = y; return v; }
__host__ __device__ inline float3 make_float3(float x, float y, float z) {
  float3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
__host__ __device__ inline float4 make_float4(float x, float y, float z, float w) {
  float4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
__host__ __device__ inline double1 make_double1(double x) { double1 v; v.x = x; return v; }
__host__ __device__ inline double2 make_double2(double x, double y) { double2 v; v.x = x; v.y = y; return v; }
__host__ __device__ inline double3 make_double3(double x, double y, double z) {
  double3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
__host__ __device__ inline double4 make_double4(double x, double y, double z, double w) {
  double4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
__device__ inline void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
  *(volatile unsigned int *)__vptr_pointer(handle) = value;
}
