/* SPDX-License-Identifier: MIT */
/*
 * conform_pairs - eigenvalues of pairs of matrices, parts of a spectrum, and many matrices at once, of all types:
 * multiplied out again.
 */
#include "solver_check.h"

#define SOLVER_TESTS "pairs_type.h"
#include "solver_types.h"

static void check_refusals(cusolverDnHandle_t handle) {
  sizes("refusals");
  static const float zeros[64];
  float *a, *b, *w;
  int room = 0, found = -5, *info;
  syevjInfo_t params;
  const cusolverEigMode_t with = CUSOLVER_EIG_MODE_VECTOR;
  const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
  begin_memory();
  a = on_device(zeros, sizeof zeros), b = on_device(zeros, sizeof zeros), w = on_device(zeros, sizeof zeros);
  info = new_info();
  FINE(cusolverDnCreateSyevjInfo(&params));
  WRONG(cusolverDnSsygvd_bufferSize(handle, CUSOLVER_EIG_TYPE_1, with, lower, -1, a, 4, b, 4, w, &room));
  REFUSED_BY_OURS(cusolverDnSsygvd_bufferSize(handle, CUSOLVER_EIG_TYPE_1, with, lower, 4, a, 3, b, 4, w, &room));
  REFUSED_BY_OURS(cusolverDnSsygvd_bufferSize(handle, CUSOLVER_EIG_TYPE_1, with, lower, 4, a, 4, b, 3, w, &room));
  REFUSED_BY_OURS(
      cusolverDnSsyevdx_bufferSize(handle, with, CUSOLVER_EIG_RANGE_V, lower, 4, a, 4, 2, 1, 0, 0, &found, w, &room));
  REFUSED_BY_OURS(
      cusolverDnSsyevdx_bufferSize(handle, with, CUSOLVER_EIG_RANGE_I, lower, 4, a, 4, 0, 0, 0, 2, &found, w, &room));
  REFUSED_BY_OURS(
      cusolverDnSsyevdx_bufferSize(handle, with, CUSOLVER_EIG_RANGE_I, lower, 4, a, 4, 0, 0, 2, 5, &found, w, &room));
  REFUSED_BY_OURS(cusolverDnSsyevjBatched_bufferSize(handle, with, lower, 4, a, 3, w, &room, params, 2));
#ifndef ON_NVIDIA
  WRONG(cusolverDnSsygvd(handle, (cusolverEigType_t)0, with, lower, 4, a, 4, b, 4, w, NULL, 1, info));
  WRONG(cusolverDnSsygvd(handle, (cusolverEigType_t)4, with, lower, 4, a, 4, b, 4, w, NULL, 1, info));
  WRONG(cusolverDnSsyevdx(handle, with, (cusolverEigRange_t)0, lower, 4, a, 4, 0, 1, 0, 0, &found, w, NULL, 1, info));
  WRONG(cusolverDnSsyevdx(handle, with, CUSOLVER_EIG_RANGE_ALL, lower, 4, a, 4, 0, 1, 0, 0, NULL, w, NULL, 1, info));
  WRONG(cusolverDnSsyevjBatched(handle, with, lower, 4, a, 4, w, NULL, 1, info, NULL, 2));
  WRONG(cusolverDnSsyevjBatched(handle, with, lower, 4, a, 4, w, NULL, 1, info, params, -1));
  WRONG(cusolverDnSsyevjBatched(handle, with, lower, 4, a, 4, w, NULL, 0, info, params, 2));
  EXPECT("memory", cusolverDnSsyevjBatched(handle, with, lower, 4, a, 4, w, NULL, 1, info, params, 1 << 27) ==
                       CUSOLVER_STATUS_EXECUTION_FAILED);
#endif
#ifndef ON_NVIDIA /* whose info tells the argument, or nothing */
  EXPECT("nothing was written", value_of(info) == -77 && found == -5);
#endif
  FINE(cusolverDnDestroySyevjInfo(params));
}

int main(void) {
  cusolverDnHandle_t handle;
  FINE(cusolverDnCreate(&handle));
  check_pairs_s(handle);
  check_pairs_d(handle);
  check_pairs_c(handle);
  check_pairs_z(handle);
  check_refusals(handle);
  FINE(cusolverDnDestroy(handle));
  return verdict("conform_pairs");
}
