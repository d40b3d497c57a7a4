/* SPDX-License-Identifier: MIT */
/*
 * vector_types - CUDA's short vectors and dim3, laid out as device code lays them out.
 *
 * Sizes and alignments are part of the ABI: these types lie in arrays that are copied to the device. 2 and 4
 * components are aligned for one wide access, up to 16 bytes; 1 and 3 components like their element. The types
 * ending in _16a and _32a (CUDA 13) name the alignment of the 32-byte vectors; the plain ones are the _16a ones.
 * Plain structures without methods, also in C++; but dim3, whose C++ constructor fills in ones.
 */
#ifndef VPTR_CUDA_VECTOR_TYPES_H
#define VPTR_CUDA_VECTOR_TYPES_H
#define __VECTOR_TYPES_H__

#include "host_defines.h"

typedef struct char1 { signed char x; } char1;
typedef struct __attribute__((aligned(2))) char2 { signed char x, y; } char2;
typedef struct char3 { signed char x, y, z; } char3;
typedef struct __attribute__((aligned(4))) char4 { signed char x, y, z, w; } char4;

typedef struct uchar1 { unsigned char x; } uchar1;
typedef struct __attribute__((aligned(2))) uchar2 { unsigned char x, y; } uchar2;
typedef struct uchar3 { unsigned char x, y, z; } uchar3;
typedef struct __attribute__((aligned(4))) uchar4 { unsigned char x, y, z, w; } uchar4;

typedef struct short1 { short x; } short1;
typedef struct __attribute__((aligned(4))) short2 { short x, y; } short2;
typedef struct short3 { short x, y, z; } short3;
typedef struct __attribute__((aligned(8))) short4 { short x, y, z, w; } short4;

typedef struct ushort1 { unsigned short x; } ushort1;
typedef struct __attribute__((aligned(4))) ushort2 { unsigned short x, y; } ushort2;
typedef struct ushort3 { unsigned short x, y, z; } ushort3;
typedef struct __attribute__((aligned(8))) ushort4 { unsigned short x, y, z, w; } ushort4;

typedef struct int1 { int x; } int1;
typedef struct __attribute__((aligned(8))) int2 { int x, y; } int2;
typedef struct int3 { int x, y, z; } int3;
typedef struct __attribute__((aligned(16))) int4 { int x, y, z, w; } int4;

typedef struct uint1 { unsigned int x; } uint1;
typedef struct __attribute__((aligned(8))) uint2 { unsigned int x, y; } uint2;
typedef struct uint3 { unsigned int x, y, z; } uint3;
typedef struct __attribute__((aligned(16))) uint4 { unsigned int x, y, z, w; } uint4;

typedef struct long1 { long int x; } long1;
typedef struct __attribute__((aligned(16))) long2 { long int x, y; } long2;
typedef struct long3 { long int x, y, z; } long3;
typedef struct __attribute__((aligned(16))) long4 { long int x, y, z, w; } long4;
typedef struct __attribute__((aligned(16))) long4_16a { long int x, y, z, w; } long4_16a;
typedef struct __attribute__((aligned(32))) long4_32a { long int x, y, z, w; } long4_32a;

typedef struct ulong1 { unsigned long int x; } ulong1;
typedef struct __attribute__((aligned(16))) ulong2 { unsigned long int x, y; } ulong2;
typedef struct ulong3 { unsigned long int x, y, z; } ulong3;
typedef struct __attribute__((aligned(16))) ulong4 { unsigned long int x, y, z, w; } ulong4;
typedef struct __attribute__((aligned(16))) ulong4_16a { unsigned long int x, y, z, w; } ulong4_16a;
typedef struct __attribute__((aligned(32))) ulong4_32a { unsigned long int x, y, z, w; } ulong4_32a;

typedef struct longlong1 { vptr_long_long x; } longlong1;
typedef struct __attribute__((aligned(16))) longlong2 { vptr_long_long x, y; } longlong2;
typedef struct longlong3 { vptr_long_long x, y, z; } longlong3;
typedef struct __attribute__((aligned(16))) longlong4 { vptr_long_long x, y, z, w; } longlong4;
typedef struct __attribute__((aligned(16))) longlong4_16a { vptr_long_long x, y, z, w; } longlong4_16a;
typedef struct __attribute__((aligned(32))) longlong4_32a { vptr_long_long x, y, z, w; } longlong4_32a;

typedef struct ulonglong1 { vptr_unsigned_long_long x; } ulonglong1;
typedef struct __attribute__((aligned(16))) ulonglong2 { vptr_unsigned_long_long x, y; } ulonglong2;
typedef struct ulonglong3 { vptr_unsigned_long_long x, y, z; } ulonglong3;
typedef struct __attribute__((aligned(16))) ulonglong4 { vptr_unsigned_long_long x, y, z, w; } ulonglong4;
typedef struct __attribute__((aligned(16))) ulonglong4_16a { vptr_unsigned_long_long x, y, z, w; } ulonglong4_16a;
typedef struct __attribute__((aligned(32))) ulonglong4_32a { vptr_unsigned_long_long x, y, z, w; } ulonglong4_32a;

typedef struct float1 { float x; } float1;
typedef struct __attribute__((aligned(8))) float2 { float x, y; } float2;
typedef struct float3 { float x, y, z; } float3;
typedef struct __attribute__((aligned(16))) float4 { float x, y, z, w; } float4;

typedef struct double1 { double x; } double1;
typedef struct __attribute__((aligned(16))) double2 { double x, y; } double2;
typedef struct double3 { double x, y, z; } double3;
typedef struct __attribute__((aligned(16))) double4 { double x, y, z, w; } double4;
typedef struct __attribute__((aligned(16))) double4_16a { double x, y, z, w; } double4_16a;
typedef struct __attribute__((aligned(32))) double4_32a { double x, y, z, w; } double4_32a;

/* The extent of a grid or a block of threads. In C, name all three components. */
typedef struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
#if __cplusplus >= 201103L
  constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{ x, y, z }; }
#else
  dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
  dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  operator uint3() const {
    uint3 v = { x, y, z };
    return v;
  }
#endif
#endif
} dim3;

#endif
