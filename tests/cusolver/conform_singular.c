/* SPDX-License-Identifier: MIT */
/*
 * conform_singular - singular values and vectors of many matrices at once, of all types: multiplied out again.
 */
#include "solver_check.h"

#define SOLVER_TESTS "singular_type.h"
#include "solver_types.h"

static void check_refusals(cusolverDnHandle_t handle) {
  sizes("refusals");
  static const float zeros[64];
  float *a, *s, *u, *v;
  int room = 0, *info;
  double norms[2] = { -5, -5 };
  gesvdjInfo_t params;
  const cusolverEigMode_t with = CUSOLVER_EIG_MODE_VECTOR;
  begin_memory();
  a = on_device(zeros, sizeof zeros), s = on_device(zeros, sizeof zeros), u = on_device(zeros, sizeof zeros);
  v = on_device(zeros, sizeof zeros), info = new_info();
  FINE(cusolverDnCreateGesvdjInfo(&params));
  REFUSED_BY_OURS(cusolverDnSgesvdjBatched_bufferSize(handle, with, -1, 3, a, 4, s, u, 4, v, 3, &room, params, 2));
  REFUSED_BY_OURS(cusolverDnSgesvdjBatched_bufferSize(handle, with, 4, 3, a, 3, s, u, 4, v, 3, &room, params, 2));
  REFUSED_BY_OURS(cusolverDnSgesvdjBatched_bufferSize(handle, with, 4, 3, a, 4, s, u, 3, v, 3, &room, params, 2));
  REFUSED_BY_OURS(cusolverDnSgesvdjBatched_bufferSize(handle, with, 4, 3, a, 4, s, u, 4, v, 2, &room, params, 2));
  REFUSED_BY_OURS(
      cusolverDnSgesvdaStridedBatched_bufferSize(handle, with, 2, 4, -1, a, 4, 12, s, 2, u, 4, 8, v, 3, 6, &room, 2));
  REFUSED_BY_OURS(
      cusolverDnSgesvdaStridedBatched_bufferSize(handle, with, 2, 4, 3, a, 3, 12, s, 2, u, 4, 8, v, 3, 6, &room, 2));
#ifndef ON_NVIDIA
  WRONG(cusolverDnSgesvdjBatched(handle, with, 4, 3, a, 4, s, u, 4, v, 3, NULL, 1, info, NULL, 2));
  WRONG(cusolverDnSgesvdjBatched(handle, with, 4, 3, a, 4, s, u, 4, v, 3, NULL, 0, info, params, 2));
  WRONG(cusolverDnSgesvdjBatched(handle, with, 4, 3, a, 4, s, u, 4, v, 3, NULL, 1, info, params, -1));
  WRONG(cusolverDnSgesvdaStridedBatched(handle, with, 4, 4, 3, a, 4, 12, s, 4, u, 4, 16, v, 3, 12, NULL, 1, info,
                                        norms, 2));
  WRONG(cusolverDnSgesvdaStridedBatched(handle, with, 2, 4, 3, a, 4, 12, s, 1, u, 4, 8, v, 3, 6, NULL, 1, info, norms,
                                        2));
  WRONG(cusolverDnSgesvdaStridedBatched(handle, with, 2, 4, 3, a, 4, 12, s, 2, u, 4, 7, v, 3, 6, NULL, 1, info, norms,
                                        2));
  WRONG(cusolverDnSgesvdaStridedBatched(handle, with, 2, 4, 3, a, 4, -1, s, 2, u, 4, 8, v, 3, 6, NULL, 1, info, norms,
                                        2));
  EXPECT("memory", cusolverDnSgesvdaStridedBatched(handle, with, 2, 4, 3, a, 4, 1 << 28, s, 2, u, 4, 8, v, 3, 6, NULL,
                                                   1, info, norms, 2) == CUSOLVER_STATUS_EXECUTION_FAILED);
#endif
#ifndef ON_NVIDIA /* whose info tells the argument, or nothing */
  EXPECT("nothing was written", value_of(info) == -77 && norms[0] == -5 && norms[1] == -5);
#endif
  FINE(cusolverDnDestroyGesvdjInfo(params));
}

int main(void) {
  cusolverDnHandle_t handle;
  FINE(cusolverDnCreate(&handle));
  check_singular_s(handle);
  check_singular_d(handle);
  check_singular_c(handle);
  check_singular_z(handle);
  check_refusals(handle);
  FINE(cusolverDnDestroy(handle));
  return verdict("conform_singular");
}
