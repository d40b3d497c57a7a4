/* SPDX-License-Identifier: MIT */
/*
 * conform_large_svd - singular values and vectors of matrices that are reduced on the device, in panels of the host's:
 * all jobs, shapes at random, vectors that are multiplied out again, and values beside LAPACK's.
 *
 * Here VPTR_SPECTRA sends all of these matrices there, on each kind of device.
 */
#include "solver_check.h"

#ifndef ON_NVIDIA
/* LAPACK's, as Fortran has it. */
void zgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, void *a, const int *lda, void *s,
             void *u, const int *ldu, void *vt, const int *ldvt, void *work, const int *lwork, void *rwork, int *info,
             size_t, size_t);

/* Values in descending order; the matrix is spoilt. */
static void lapack_values(int m, int n, double complex *a, double *s) {
  const int one = 1, room = 64 * (m + n);
  int info = -1;
  void *work = malloc((size_t)room * sizeof *a), *reals = malloc(5 * (size_t)(m + n) * sizeof *s);
  zgesvd_("N", "N", &m, &n, a, &m, s, NULL, &one, NULL, &one, work, &room, reals, &info, 1, 1);
  EXPECT("LAPACK's own values", info == 0);
  free(work), free(reals);
}
#endif

static int jobs_done;

#define SOLVER_TESTS "large_svd_type.h"
#include "solver_types.h"

int main(void) {
  cusolverDnHandle_t handle;
  cusolverDnParams_t params;
  cudaStream_t stream;
  setenv("VPTR_SPECTRA", "device", 1);
  FINE(cusolverDnCreate(&handle));
  FINE(cusolverDnCreateParams(&params));
  check_large_svds_s(handle, params);
  check_large_svds_d(handle, params);
  EXPECT("cudaStreamCreate", cudaStreamCreate(&stream) == cudaSuccess);
  FINE(cusolverDnSetStream(handle, stream));
  check_large_svds_c(handle, params);
  check_large_svds_z(handle, params);
  FINE(cusolverDnDestroyParams(params));
  FINE(cusolverDnDestroy(handle));
  EXPECT("cudaStreamDestroy", cudaStreamDestroy(stream) == cudaSuccess);
  return verdict("conform_large_svd");
}
