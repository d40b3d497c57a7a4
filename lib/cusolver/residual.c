/* SPDX-License-Identifier: MIT */
/*
 * residual - norms of differences, by BLAS on the host; see residual.h.
 *
 * No state, no locks. Called by eigen.c, svd.c and svd_batch.c. Nothing waits.
 */
#include "cusolver/residual.h"

#include "cusolver/lapack.h"

#include <math.h>

static vptr__lapack_hemm *const hemm[] = { ssymm_, dsymm_, chemm_, zhemm_ };
static vptr__lapack_gemm *const gemm[] = VPTR__LAPACK_ALL(gemm);

/* A factor of any type: its real part lies first. */
typedef union factor {
  float s[2];
  double d[2];
} factor;

static factor factor_of(const vptr__solver_call *call, double value) {
  factor made = { .d = { 0, 0 } };
  if (vptr__solver_real_size(call->type) == sizeof(float))
    made.s[0] = (float)value;
  else
    made.d[0] = value;
  return made;
}

static double real_at(const vptr__solver_call *call, const void *reals, size_t i) {
  return vptr__solver_real_size(call->type) == sizeof(float) ? (double)((const float *)reals)[i]
                                                             : ((const double *)reals)[i];
}

static void set_real(const vptr__solver_call *call, void *reals, size_t i, double value) {
  if (vptr__solver_real_size(call->type) == sizeof(float))
    ((float *)reals)[i] = (float)value;
  else
    ((double *)reals)[i] = value;
}

/* Of an element of the call's type: 1, or 2 of a complex number. */
static size_t parts_of(const vptr__solver_call *call) {
  return vptr__solver_is_complex(call->type) ? 2 : 1;
}

static double norm_of(const vptr__solver_call *call, const void *a, size_t elements) {
  double sum = 0;
  for (size_t i = 0; i < elements * parts_of(call); i++)
    sum += real_at(call, a, i) * real_at(call, a, i);
  return sqrt(sum);
}

/* A copy with each column times a number. */
static void scale_columns(const vptr__solver_call *call, size_t rows, size_t columns, const void *a, size_t lda,
                          const void *by, void *scaled) {
  size_t parts = parts_of(call);
  for (size_t j = 0; j < columns; j++)
    for (size_t i = 0; i < rows * parts; i++)
      set_real(call, scaled, j * rows * parts + i, real_at(call, a, j * lda * parts + i) * real_at(call, by, j));
}

double vptr__solver_eigen_residual(vptr__solver_call *call, cublasFillMode_t uplo, int n, const void *a, int lda,
                                   const void *v, const void *w) {
  const factor one = factor_of(call, 1), minus = factor_of(call, -1);
  void *difference = vptr__solver_work(call, (size_t)n * (size_t)n, vptr__solver_size(call->type));
  if (difference == NULL)
    return -1;
  scale_columns(call, (size_t)n, (size_t)n, v, (size_t)lda, w, difference);
  hemm[call->type]("L", vptr__lapack_uplo(uplo == CUBLAS_FILL_MODE_LOWER), &n, &n, &one, a, &lda, v, &lda, &minus,
                   difference, &lda, 1, 1);
  return norm_of(call, difference, (size_t)n * (size_t)n);
}

double vptr__solver_svd_residual(const vptr__solver_call *call, const vptr__solver_factors *it) {
  const factor one = factor_of(call, 1), minus = factor_of(call, -1);
  const int ld = it->m > 1 ? it->m : 1;
  scale_columns(call, (size_t)it->m, (size_t)it->k, it->u, (size_t)it->ldu, it->s, it->scaled);
  gemm[call->type]("N", "N", &it->m, &it->n, &it->k, &minus, it->scaled, &ld, it->vt, &it->ldvt, &one, it->a,
                   &it->lda, 1, 1);
  return norm_of(call, it->a, (size_t)it->m * (size_t)it->n);
}
