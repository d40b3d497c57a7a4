/* SPDX-License-Identifier: MIT */
/*
 * conform_legacy - cublas.h against BLAS on the host: no handles, letters, scalars and results by value, one kept
 * error.
 */
#include "blas_check.h"

#include <cublas.h>

enum { N = 24 };

static void check_levels(void) {
  double a[N * N], b[N * N], c[N * N], x[N], y[N], *da, *db, *dc, *dx, *dy;
  fill_double(a, N * N);
  fill_double(b, N * N);
  fill_double(c, N * N);
  fill_double(x, N);
  fill_double(y, N);
  for (int i = 0; i < N; i++)
    a[i * (N + 1)] += N;
  begin_memory();
  da = on_device(a, sizeof a);
  db = on_device(b, sizeof b);
  dc = on_device(c, sizeof c);
  dx = on_device(x, sizeof x);
  dy = on_device(y, sizeof y);
  EXPECT("Ddot", is_near(cublasDdot(N, dx, 1, dy, -1), cblas_ddot(N, x, 1, y, -1), 1e-12));
  EXPECT("Dnrm2", is_near(cublasDnrm2(N, dx, 1), cblas_dnrm2(N, x, 1), 1e-12));
  EXPECT("Dasum", is_near(cublasDasum(N, dx, 1), cblas_dasum(N, x, 1), 1e-12));
  EXPECT("Idamax", cublasIdamax(N, dx, 1) == (int)cblas_idamax(N, x, 1) + 1);
  cublasDaxpy(N, 0.5, dx, 1, dy, 1);
  cblas_daxpy(N, 0.5, x, 1, y, 1);
  cublasDscal(N, -2, dx, 1);
  cblas_dscal(N, -2, x, 1);
  cublasDrot(N, dx, 1, dy, 1, 0.6, 0.8);
  cblas_drot(N, x, 1, y, 1, 0.6, 0.8);
  compare_double("Drot", dx, x, N, 1e-12);
  cublasDgemv('T', N, N, 2, da, N, dx, 1, -1, dy, 1);
  cblas_dgemv(CblasColMajor, CblasTrans, N, N, 2, a, N, x, 1, -1, y, 1);
  compare_double("Dgemv", dy, y, N, 1e-12);
  cublasDgemm('n', 'T', N, N, N, 0.5, da, N, db, N, 2, dc, N);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, N, N, N, 0.5, a, N, b, N, 2, c, N);
  compare_double("Dgemm", dc, c, N * N, 1e-12);
  cublasDsyrk('u', 'n', N, N, 1, da, N, 0.5, dc, N);
  cblas_dsyrk(CblasColMajor, CblasUpper, CblasNoTrans, N, N, 1, a, N, 0.5, c, N);
  compare_double("Dsyrk", dc, c, N * N, 1e-12);
  cublasDtrmm('L', 'U', 'T', 'N', N, N, 0.25, da, N, db, N);
  cblas_dtrmm(CblasColMajor, CblasLeft, CblasUpper, CblasTrans, CblasNonUnit, N, N, 0.25, a, N, b, N);
  compare_double("Dtrmm", db, b, N * N, 1e-11);
  cublasDtrsm('R', 'L', 'N', 'N', N, N, 3, da, N, db, N);
  cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, N, N, 3, a, N, b, N);
  compare_double("Dtrsm", db, b, N * N, 1e-11);
  cublasDger(N, N, 0.5, dx, 1, dy, 1, da, N);
  cblas_dger(CblasColMajor, N, N, 0.5, x, 1, y, 1, a, N);
  compare_double("Dger", da, a, N * N, 1e-12);
  EXPECT("cublasGetError", cublasGetError() == CUBLAS_STATUS_SUCCESS);
}

static void check_complex(void) {
  cuComplex x[N], y[N], expected, got, alpha = make_cuComplex(0.5f, -2);
  fill_float(x, 2 * N);
  fill_float(y, 2 * N);
  begin_memory();
  cuComplex *dx = on_device(x, sizeof x), *dy = on_device(y, sizeof y);
  got = cublasCdotc(N, dx, 1, dy, 1);
  cblas_cdotc_sub(N, x, 1, y, 1, &expected);
  EXPECT("Cdotc",
         is_near((double)got.x, (double)expected.x, 1e-5) && is_near((double)got.y, (double)expected.y, 1e-5));
  cublasCaxpy(N, alpha, dx, 1, dy, 1);
  cblas_caxpy(N, &alpha, x, 1, y, 1);
  compare_float("Caxpy", dy, y, 2 * N, 1e-5);
  EXPECT("Scasum", is_near((double)cublasScasum(N, dx, 1), (double)cblas_scasum(N, x, 1), 1e-5));
  EXPECT("cublasGetError", cublasGetError() == CUBLAS_STATUS_SUCCESS);
}

static void check_errors(void) {
  float *a;
  EXPECT("cublasAlloc", cublasAlloc(64, sizeof(float), (void **)&a) == CUBLAS_STATUS_SUCCESS);
  EXPECT("cublasAlloc", cublasAlloc(0, sizeof(float), (void **)&a) == CUBLAS_STATUS_INVALID_VALUE);
  cublasSgemm('x', 'n', 4, 4, 4, 1, a, 4, a, 4, 0, a, 4);
  EXPECT("cublasGetError", cublasGetError() == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT("cublasGetError", cublasGetError() == CUBLAS_STATUS_SUCCESS);
  EXPECT("cublasFree", cublasFree(a) == CUBLAS_STATUS_SUCCESS);
}

int main(void) {
  int version = 0;
#ifndef ON_NVIDIA /* where the first call is cublasInit() too */
  float x = 0;
  cublasSscal(1, 2, &x, 1);
  EXPECT("before cublasInit", cublasGetError() == CUBLAS_STATUS_NOT_INITIALIZED);
#endif
  EXPECT("cublasInit", cublasInit() == CUBLAS_STATUS_SUCCESS && cublasInit() == CUBLAS_STATUS_SUCCESS);
  EXPECT("cublasGetVersion", cublasGetVersion(&version) == CUBLAS_STATUS_SUCCESS && version >= 110000);
  check_levels();
  check_complex();
  check_errors();
  EXPECT("cublasShutdown", cublasShutdown() == CUBLAS_STATUS_SUCCESS);
  return verdict("conform_legacy");
}
