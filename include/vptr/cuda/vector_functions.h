/* SPDX-License-Identifier: MIT */
/* vector_functions - make_float4() and its kin: a short vector from its components. Plain inline functions, for
 * host code in C and C++. */
#ifndef VPTR_CUDA_VECTOR_FUNCTIONS_H
#define VPTR_CUDA_VECTOR_FUNCTIONS_H
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

/* For clang's CUDA they are for both sides. */
#if defined(__clang__) && defined(__CUDA__)
#pragma clang force_cuda_host_device begin
#endif

static __inline__ char1 make_char1(signed char x) {
  char1 v;
  v.x = x;
  return v;
}
static __inline__ char2 make_char2(signed char x, signed char y) {
  char2 v;
  v.x = x;
  v.y = y;
  return v;
}
static __inline__ char3 make_char3(signed char x, signed char y, signed char z) {
  char3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
static __inline__ char4 make_char4(signed char x, signed char y, signed char z, signed char w) {
  char4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}

static __inline__ uchar1 make_uchar1(unsigned char x) {
  uchar1 v;
  v.x = x;
  return v;
}
static __inline__ uchar2 make_uchar2(unsigned char x, unsigned char y) {
  uchar2 v;
  v.x = x;
  v.y = y;
  return v;
}
static __inline__ uchar3 make_uchar3(unsigned char x, unsigned char y, unsigned char z) {
  uchar3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
static __inline__ uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) {
  uchar4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}

static __inline__ short1 make_short1(short x) {
  short1 v;
  v.x = x;
  return v;
}
static __inline__ short2 make_short2(short x, short y) {
  short2 v;
  v.x = x;
  v.y = y;
  return v;
}
static __inline__ short3 make_short3(short x, short y, short z) {
  short3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
static __inline__ short4 make_short4(short x, short y, short z, short w) {
  short4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}

static __inline__ ushort1 make_ushort1(unsigned short x) {
  ushort1 v;
  v.x = x;
  return v;
}
static __inline__ ushort2 make_ushort2(unsigned short x, unsigned short y) {
  ushort2 v;
  v.x = x;
  v.y = y;
  return v;
}
static __inline__ ushort3 make_ushort3(unsigned short x, unsigned short y, unsigned short z) {
  ushort3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
static __inline__ ushort4 make_ushort4(unsigned short x, unsigned short y, unsigned short z, unsigned short w) {
  ushort4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}

static __inline__ int1 make_int1(int x) {
  int1 v;
  v.x = x;
  return v;
}
static __inline__ int2 make_int2(int x, int y) {
  int2 v;
  v.x = x;
  v.y = y;
  return v;
}
static __inline__ int3 make_int3(int x, int y, int z) {
  int3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
static __inline__ int4 make_int4(int x, int y, int z, int w) {
  int4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}

static __inline__ uint1 make_uint1(unsigned int x) {
  uint1 v;
  v.x = x;
  return v;
}
static __inline__ uint2 make_uint2(unsigned int x, unsigned int y) {
  uint2 v;
  v.x = x;
  v.y = y;
  return v;
}
static __inline__ uint3 make_uint3(unsigned int x, unsigned int y, unsigned int z) {
  uint3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
static __inline__ uint4 make_uint4(unsigned int x, unsigned int y, unsigned int z, unsigned int w) {
  uint4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}

static __inline__ long1 make_long1(long int x) {
  long1 v;
  v.x = x;
  return v;
}
static __inline__ long2 make_long2(long int x, long int y) {
  long2 v;
  v.x = x;
  v.y = y;
  return v;
}
static __inline__ long3 make_long3(long int x, long int y, long int z) {
  long3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
static __inline__ long4 make_long4(long int x, long int y, long int z, long int w) {
  long4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
static __inline__ long4_16a make_long4_16a(long int x, long int y, long int z, long int w) {
  long4_16a v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
static __inline__ long4_32a make_long4_32a(long int x, long int y, long int z, long int w) {
  long4_32a v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}

static __inline__ ulong1 make_ulong1(unsigned long int x) {
  ulong1 v;
  v.x = x;
  return v;
}
static __inline__ ulong2 make_ulong2(unsigned long int x, unsigned long int y) {
  ulong2 v;
  v.x = x;
  v.y = y;
  return v;
}
static __inline__ ulong3 make_ulong3(unsigned long int x, unsigned long int y, unsigned long int z) {
  ulong3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
static __inline__ ulong4 make_ulong4(unsigned long int x, unsigned long int y, unsigned long int z,
                                 unsigned long int w) {
  ulong4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
static __inline__ ulong4_16a make_ulong4_16a(unsigned long int x, unsigned long int y, unsigned long int z,
                                         unsigned long int w) {
  ulong4_16a v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
static __inline__ ulong4_32a make_ulong4_32a(unsigned long int x, unsigned long int y, unsigned long int z,
                                         unsigned long int w) {
  ulong4_32a v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}

static __inline__ longlong1 make_longlong1(vptr_long_long x) {
  longlong1 v;
  v.x = x;
  return v;
}
static __inline__ longlong2 make_longlong2(vptr_long_long x, vptr_long_long y) {
  longlong2 v;
  v.x = x;
  v.y = y;
  return v;
}
static __inline__ longlong3 make_longlong3(vptr_long_long x, vptr_long_long y, vptr_long_long z) {
  longlong3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
static __inline__ longlong4 make_longlong4(vptr_long_long x, vptr_long_long y, vptr_long_long z, vptr_long_long w) {
  longlong4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
static __inline__ longlong4_16a make_longlong4_16a(vptr_long_long x, vptr_long_long y, vptr_long_long z,
                                               vptr_long_long w) {
  longlong4_16a v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
static __inline__ longlong4_32a make_longlong4_32a(vptr_long_long x, vptr_long_long y, vptr_long_long z,
                                               vptr_long_long w) {
  longlong4_32a v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}

static __inline__ ulonglong1 make_ulonglong1(vptr_unsigned_long_long x) {
  ulonglong1 v;
  v.x = x;
  return v;
}
static __inline__ ulonglong2 make_ulonglong2(vptr_unsigned_long_long x, vptr_unsigned_long_long y) {
  ulonglong2 v;
  v.x = x;
  v.y = y;
  return v;
}
static __inline__ ulonglong3 make_ulonglong3(vptr_unsigned_long_long x, vptr_unsigned_long_long y,
                                         vptr_unsigned_long_long z) {
  ulonglong3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
static __inline__ ulonglong4 make_ulonglong4(vptr_unsigned_long_long x, vptr_unsigned_long_long y,
                                         vptr_unsigned_long_long z, vptr_unsigned_long_long w) {
  ulonglong4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
static __inline__ ulonglong4_16a make_ulonglong4_16a(vptr_unsigned_long_long x, vptr_unsigned_long_long y,
                                                 vptr_unsigned_long_long z, vptr_unsigned_long_long w) {
  ulonglong4_16a v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
static __inline__ ulonglong4_32a make_ulonglong4_32a(vptr_unsigned_long_long x, vptr_unsigned_long_long y,
                                                 vptr_unsigned_long_long z, vptr_unsigned_long_long w) {
  ulonglong4_32a v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}

static __inline__ float1 make_float1(float x) {
  float1 v;
  v.x = x;
  return v;
}
static __inline__ float2 make_float2(float x, float y) {
  float2 v;
  v.x = x;
  v.y = y;
  return v;
}
static __inline__ float3 make_float3(float x, float y, float z) {
  float3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
static __inline__ float4 make_float4(float x, float y, float z, float w) {
  float4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}

static __inline__ double1 make_double1(double x) {
  double1 v;
  v.x = x;
  return v;
}
static __inline__ double2 make_double2(double x, double y) {
  double2 v;
  v.x = x;
  v.y = y;
  return v;
}
static __inline__ double3 make_double3(double x, double y, double z) {
  double3 v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}
static __inline__ double4 make_double4(double x, double y, double z, double w) {
  double4 v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
static __inline__ double4_16a make_double4_16a(double x, double y, double z, double w) {
  double4_16a v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}
static __inline__ double4_32a make_double4_32a(double x, double y, double z, double w) {
  double4_32a v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.w = w;
  return v;
}

#if defined(__clang__) && defined(__CUDA__)
#pragma clang force_cuda_host_device end
#endif

#endif
