/* SPDX-License-Identifier: MIT */
/*
 * conform_solutions - gesv and gels of small matrices, of all types and with factors of another type: multiplied again.
 */
#include "solver_check.h"

#include <limits.h>

#define SOLVER_TESTS "solutions_type.h"
#include "solver_types.h"

static void check_refusals(cusolverDnHandle_t handle) {
  sizes("refusals");
  static const double zeros[64];
  double *a, *b, *x;
  size_t room = 0;
  int *info, *ipiv;
  begin_memory();
  a = on_device(zeros, sizeof zeros), b = on_device(zeros, sizeof zeros), x = on_device(zeros, sizeof zeros);
  info = new_info(), ipiv = on_device(zeros, sizeof zeros);
  REFUSED_BY_OURS(cusolverDnDDgesv_bufferSize(handle, -1, 1, a, 4, ipiv, b, 4, x, 4, NULL, &room));
  REFUSED_BY_OURS(cusolverDnDDgesv_bufferSize(handle, 4, -1, a, 4, ipiv, b, 4, x, 4, NULL, &room));
  REFUSED_BY_OURS(cusolverDnDDgesv_bufferSize(handle, 4, 1, a, 3, ipiv, b, 4, x, 4, NULL, &room));
  REFUSED_BY_OURS(cusolverDnDDgesv_bufferSize(handle, 4, 1, a, 4, ipiv, b, 3, x, 4, NULL, &room));
  REFUSED_BY_OURS(cusolverDnDDgesv_bufferSize(handle, 4, 1, a, 4, ipiv, b, 4, x, 3, NULL, &room));
  REFUSED_BY_OURS(cusolverDnDDgels_bufferSize(handle, -1, 3, 1, a, 4, b, 4, x, 4, NULL, &room));
  REFUSED_BY_OURS(cusolverDnDDgels_bufferSize(handle, 4, 3, 1, a, 3, b, 4, x, 4, NULL, &room));
#ifndef ON_NVIDIA
  int iterations = -7;
  WRONG(cusolverDnDDgels_bufferSize(handle, 3, 4, 1, a, 4, b, 4, x, 4, NULL, &room));
  WRONG(cusolverDnDDgesv_bufferSize(handle, INT_MAX, 1, a, INT_MAX, ipiv, b, INT_MAX, x, INT_MAX, NULL, &room));
  WRONG(cusolverDnDDgels_bufferSize(handle, INT_MAX, INT_MAX, INT_MAX, a, INT_MAX, b, INT_MAX, x, INT_MAX, NULL,
                                    &room));
  WRONG(cusolverDnDDgesv_bufferSize(handle, 4, 1, a, 4, ipiv, b, 4, x, 4, NULL, NULL));
  WRONG(cusolverDnDDgesv(handle, 4, 1, a, 4, ipiv, b, 4, x, 4, NULL, 8, NULL, info));
  EXPECT("a work area", cusolverDnDDgesv(handle, 4, 1, a, 4, ipiv, b, 4, x, 4, NULL, 7, &iterations, info) ==
                            CUSOLVER_STATUS_INVALID_WORKSPACE);
  WRONG(cusolverDnDDgesv(handle, 4, 1, a, 4, ipiv, b, 4, NULL, 4, NULL, 8, &iterations, info));
  WRONG(cusolverDnDDgels(handle, 5, 4, 1, a, 5, b, 5, x, 3, NULL, 8, &iterations, info));
  EXPECT("nothing was written", iterations == -7);
#endif
#ifndef ON_NVIDIA /* whose info tells the argument, or nothing */
  EXPECT("nothing was written", value_of(info) == -77);
#endif
}

static void check_params(cusolverDnHandle_t handle) {
  cusolverDnIRSParams_t params;
  cusolver_int_t most = -7;
  EXPECT("no parameters", cusolverDnIRSParamsSetMaxIters(NULL, 3) == CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED);
  FINE(cusolverDnIRSParamsCreate(&params));
  FINE(cusolverDnIRSParamsSetMaxIters(params, 30));
  FINE(cusolverDnIRSParamsGetMaxIters(params, &most));
  EXPECT("iterations", most == 30);
#ifndef ON_NVIDIA /* which refuses both here */
  FINE(cusolverDnIRSParamsSetTol(params, 1e-9));
  FINE(cusolverDnIRSParamsSetTolInner(params, 1e-5));
#endif
  FINE(cusolverDnIRSParamsSetMaxItersInner(params, 20));
  FINE(cusolverDnIRSParamsDisableFallback(params));
  FINE(cusolverDnIRSParamsEnableFallback(params));
  FINE(cusolverDnIRSParamsSetSolverMainPrecision(params, CUSOLVER_R_64F));
  FINE(cusolverDnIRSParamsSetSolverLowestPrecision(params, CUSOLVER_R_32F));
#ifndef ON_NVIDIA
  cusolverDnIRSInfos_t infos;
  double zeros[1] = { 1 };
  double *a = on_device(zeros, sizeof zeros), *x = on_device(zeros, sizeof zeros);
  int *info = new_info(), iterations = -7, told = -7;
  size_t room = 0;
  FINE(cusolverDnIRSInfosCreate(&infos));
  FINE(cusolverDnIRSInfosGetOuterNiters(infos, &told));
  EXPECT("no solver has run", told == -1);
  FINE(cusolverDnIRSXgesv(handle, params, infos, 1, 1, a, 1, a, 1, x, 1, NULL, 8, &iterations, info));
  FINE(cusolverDnIRSInfosGetMaxIters(infos, &told));
  EXPECT("what the infos tell", told == 30 && iterations == 0);
  FINE(cusolverDnIRSParamsSetSolverLowestPrecision(params, CUSOLVER_C_32F));
  EXPECT("another kind", cusolverDnIRSXgesv(handle, params, infos, 1, 1, a, 1, a, 1, x, 1, NULL, 8, &iterations,
                                            info) == CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC);
  FINE(cusolverDnIRSParamsSetSolverPrecisions(params, CUSOLVER_R_32F, CUSOLVER_R_64F));
  EXPECT("above",
         cusolverDnIRSXgesv_bufferSize(handle, params, 1, 1, &room) == CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC);
  FINE(cusolverDnIRSParamsSetSolverPrecisions(params, CUSOLVER_R_64F, CUSOLVER_R_16F));
  EXPECT("no infos", cusolverDnIRSXgels(handle, params, NULL, 1, 1, 1, a, 1, a, 1, x, 1, NULL, 8, &iterations,
                                        info) == CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED);
  EXPECT("no parameters", cusolverDnIRSXgesv(handle, NULL, infos, 1, 1, a, 1, a, 1, x, 1, NULL, 8, &iterations,
                                             info) == CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED);
  WRONG(cusolverDnIRSParamsSetSolverMainPrecision(params, CUSOLVER_R_16F));
  WRONG(cusolverDnIRSParamsSetSolverLowestPrecision(params, CUSOLVER_R_8I));
  WRONG(cusolverDnIRSParamsSetRefinementSolver(params, (cusolverIRSRefinement_t)3));
  WRONG(cusolverDnIRSParamsSetMaxIters(params, -1));
  WRONG(cusolverDnIRSParamsCreate(NULL));
  FINE(cusolverDnIRSInfosDestroy(infos));
#else
  (void)handle;
#endif
  FINE(cusolverDnIRSParamsDestroy(params));
}

int main(void) {
  cusolverDnHandle_t handle;
  FINE(cusolverDnCreate(&handle));
  check_solutions_s(handle);
  check_solutions_d(handle);
  check_solutions_c(handle);
  check_solutions_z(handle);
  check_refusals(handle);
  check_params(handle);
  FINE(cusolverDnDestroy(handle));
  return verdict("conform_solutions");
}
