/* SPDX-License-Identifier: MIT */
/*
 * cuComplex - complex numbers as the vectors float2 and double2, for the host. Kernels have a header of the same
 * contents built in.
 *
 * Quotients are scaled by the size of the divisor first, so that neither its square nor the products overflow or
 * vanish in between. cuCabs() and cuCabsf() are the C library's hypot(): C programs link -lm.
 */
#ifndef VPTR_CUDA_CUCOMPLEX_H
#define VPTR_CUDA_CUCOMPLEX_H
#define CU_COMPLEX_H_

#include "vector_functions.h"

/* For clang's CUDA they are for both sides. */
#if defined(__clang__) && defined(__CUDA__)
#pragma clang force_cuda_host_device begin
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* ---- float ------------------------------------------------------------------------------------------------- */

static __inline__ cuFloatComplex make_cuFloatComplex(float re, float im) {
  return make_float2(re, im);
}

static __inline__ float cuCrealf(cuFloatComplex z) {
  return z.x;
}

static __inline__ float cuCimagf(cuFloatComplex z) {
  return z.y;
}

static __inline__ cuFloatComplex cuConjf(cuFloatComplex z) {
  return make_float2(z.x, -z.y);
}

static __inline__ cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) {
  return make_float2(a.x + b.x, a.y + b.y);
}

static __inline__ cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) {
  return make_float2(a.x - b.x, a.y - b.y);
}

static __inline__ cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

static __inline__ cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b) {
  float scale = 1 / (__builtin_fabsf(b.x) + __builtin_fabsf(b.y));
  cuFloatComplex p = make_float2(a.x * scale, a.y * scale), q = make_float2(b.x * scale, b.y * scale);
  float inverse = 1 / (q.x * q.x + q.y * q.y);
  return make_float2((p.x * q.x + p.y * q.y) * inverse, (p.y * q.x - p.x * q.y) * inverse);
}

static __inline__ float cuCabsf(cuFloatComplex z) {
#if defined(__clang__) && defined(__CUDA__)
  return hypotf(z.x, z.y); /* of either side, which the builtin is not */
#else
  return __builtin_hypotf(z.x, z.y);
#endif
}

/* a * b + c */
static __inline__ cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c) {
  return make_float2(a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x);
}

/* ---- double ------------------------------------------------------------------------------------------------ */

static __inline__ cuDoubleComplex make_cuDoubleComplex(double re, double im) {
  return make_double2(re, im);
}

static __inline__ double cuCreal(cuDoubleComplex z) {
  return z.x;
}

static __inline__ double cuCimag(cuDoubleComplex z) {
  return z.y;
}

static __inline__ cuDoubleComplex cuConj(cuDoubleComplex z) {
  return make_double2(z.x, -z.y);
}

static __inline__ cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) {
  return make_double2(a.x + b.x, a.y + b.y);
}

static __inline__ cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) {
  return make_double2(a.x - b.x, a.y - b.y);
}

static __inline__ cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) {
  return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

static __inline__ cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b) {
  double scale = 1 / (__builtin_fabs(b.x) + __builtin_fabs(b.y));
  cuDoubleComplex p = make_double2(a.x * scale, a.y * scale), q = make_double2(b.x * scale, b.y * scale);
  double inverse = 1 / (q.x * q.x + q.y * q.y);
  return make_double2((p.x * q.x + p.y * q.y) * inverse, (p.y * q.x - p.x * q.y) * inverse);
}

static __inline__ double cuCabs(cuDoubleComplex z) {
#if defined(__clang__) && defined(__CUDA__)
  return hypot(z.x, z.y);
#else
  return __builtin_hypot(z.x, z.y);
#endif
}

/* a * b + c */
static __inline__ cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
  return make_double2(a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x);
}

/* ---- other names, and conversions ----------------------------------------------------------------------- */

static __inline__ cuComplex make_cuComplex(float re, float im) {
  return make_float2(re, im);
}

static __inline__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
  return make_double2(z.x, z.y);
}

static __inline__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return make_float2((float)z.x, (float)z.y);
}

#ifdef __cplusplus
}
#endif

#if defined(__clang__) && defined(__CUDA__)
#pragma clang force_cuda_host_device end
#endif

#endif
