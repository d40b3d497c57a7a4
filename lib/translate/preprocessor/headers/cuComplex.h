/* SPDX-License-Identifier: MIT */
/*
 * cuComplex.h - complex numbers as the vectors float2 and double2.
 *
 * Quotients are scaled by the size of the divisor first, so that neither its square nor the products overflow or vanish
 * in between.
 */
#pragma once
#define CU_COMPLEX_H_

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

__host__ __device__ inline cuFloatComplex make_cuFloatComplex(float re, float im) { return make_float2(re, im); }
__host__ __device__ inline cuComplex make_cuComplex(float re, float im) { return make_float2(re, im); }
__host__ __device__ inline float cuCrealf(cuFloatComplex z) { return z.x; }
__host__ __device__ inline float cuCimagf(cuFloatComplex z) { return z.y; }
__host__ __device__ inline cuFloatComplex cuConjf(cuFloatComplex z) { return make_float2(z.x, -z.y); }
__host__ __device__ inline cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) {
  return make_float2(a.x + b.x, a.y + b.y);
}
__host__ __device__ inline cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) {
  return make_float2(a.x - b.x, a.y - b.y);
}
__host__ __device__ inline cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__host__ __device__ inline cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b) {
  float scale = 1.0f / (fabsf(b.x) + fabsf(b.y));
  cuFloatComplex p = make_float2(a.x * scale, a.y * scale), q = make_float2(b.x * scale, b.y * scale);
  float inverse = 1.0f / (q.x * q.x + q.y * q.y);
  return make_float2((p.x * q.x + p.y * q.y) * inverse, (p.y * q.x - p.x * q.y) * inverse);
}
__host__ __device__ inline float cuCabsf(cuFloatComplex z) { return hypotf(z.x, z.y); }
__host__ __device__ inline cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c) {
  return make_float2(a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x);
}

__host__ __device__ inline cuDoubleComplex make_cuDoubleComplex(double re, double im) { return make_double2(re, im); }
__host__ __device__ inline double cuCreal(cuDoubleComplex z) { return z.x; }
__host__ __device__ inline double cuCimag(cuDoubleComplex z) { return z.y; }
__host__ __device__ inline cuDoubleComplex cuConj(cuDoubleComplex z) { return make_double2(z.x, -z.y); }
__host__ __device__ inline cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) {
  return make_double2(a.x + b.x, a.y + b.y);
}
__host__ __device__ inline cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) {
  return make_double2(a.x - b.x, a.y - b.y);
}
__host__ __device__ inline cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) {
  return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__host__ __device__ inline cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b) {
  double scale = 1.0 / (fabs(b.x) + fabs(b.y));
  cuDoubleComplex p = make_double2(a.x * scale, a.y * scale), q = make_double2(b.x * scale, b.y * scale);
  double inverse = 1.0 / (q.x * q.x + q.y * q.y);
  return make_double2((p.x * q.x + p.y * q.y) * inverse, (p.y * q.x - p.x * q.y) * inverse);
}
__host__ __device__ inline double cuCabs(cuDoubleComplex z) { return hypot(z.x, z.y); }
__host__ __device__ inline cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
  return make_double2(a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x);
}

__host__ __device__ inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_double2(z.x, z.y); }
__host__ __device__ inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return make_float2((float)z.x, (float)z.y);
}
