/* SPDX-License-Identifier: MIT */
/*
 * rotation - the numbers of plane rotations, where they lie on the device: one thread runs the host's text.
 */
#include "../rotation.h"

VPTR__BLAS_ROTATION(static __device__, float, s, sqrtf)
VPTR__BLAS_ROTATION(static __device__, double, d, sqrt)

__global__ void s_rotg(float *a, float *b, float *c, float *s) { vptr__blas_rotg_s(a, b, c, s); }
__global__ void d_rotg(double *a, double *b, double *c, double *s) { vptr__blas_rotg_d(a, b, c, s); }
__global__ void c_rotg(float *a, const float *b, float *c, float *s) { vptr__blas_rotg_complex_s(a, b, c, s); }
__global__ void z_rotg(double *a, const double *b, double *c, double *s) { vptr__blas_rotg_complex_d(a, b, c, s); }
__global__ void s_rotmg(float *d1, float *d2, float *x1, const float *y1, float *param) {
  vptr__blas_rotmg_s(d1, d2, x1, *y1, param);
}
__global__ void d_rotmg(double *d1, double *d2, double *x1, const double *y1, double *param) {
  vptr__blas_rotmg_d(d1, d2, x1, *y1, param);
}
