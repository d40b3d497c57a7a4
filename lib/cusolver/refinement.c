/* SPDX-License-Identifier: MIT */
/*
 * refinement - gesv and gels by parameters and infos, cuSOLVER's IRS: iterative refinement solvers.
 *
 * The main precision is the type of A, B and X, and of all that is computed: there is nothing to refine, and no
 * iteration. Solvers, tolerances and numbers of iterations are kept; the lowest precision must be one of the same kind
 * of numbers that is not above the main one.
 *
 * No state, no locks: one object is used by one thread at a time. Called by programs. What solves waits for the stream.
 */
#include "base/error.h"
#include "base/memory.h"
#include "cusolver/solve.h"

#include <math.h>

struct cusolverDnIRSParams {
  cusolverIRSRefinement_t solver;
  cusolverPrecType_t main, lowest; /* 0: not set */
  double tolerance, inner_tolerance;
  int most, inner_most;
  bool falls_back;
};

struct cusolverDnIRSInfos {
  int iterations, most; /* -1: no solver has run */
};

/* ---- parameters ----------------------------------------------------------------------------------------------- */

static cusolverStatus_t create(const char *call, size_t size, void **created) {
  if (created == NULL)
    return vptr__solver_invalid(call, "there is no place for what is created");
  void *made = vptr__memory_calloc(1, size);
  if (made == NULL) {
    vptr__error_host_memory(size);
    return CUSOLVER_STATUS_ALLOC_FAILED;
  }
  *created = made;
  return CUSOLVER_STATUS_SUCCESS;
}

/* cuSOLVER's own status for what was never created, and for a value. */
static cusolverStatus_t refuse(const char *call, const char *what, cusolverStatus_t status) {
  vptr__solver_invalid(call, what);
  return status;
}

static cusolverStatus_t check_params(const char *call, const struct cusolverDnIRSParams *params) {
  return params != NULL ? CUSOLVER_STATUS_SUCCESS
                        : refuse(call, "the parameters are NULL", CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED);
}

static cusolverStatus_t check_value(const char *call, const struct cusolverDnIRSParams *params, bool is_right) {
  cusolverStatus_t status = check_params(call, params);
  return status != CUSOLVER_STATUS_SUCCESS || is_right ? status
                                                       : vptr__solver_invalid(call, "the value is not allowed");
}

/* The default of cuSOLVER's: 50 iterations, and the main precision's factors where refinement fails. */
cusolverStatus_t cusolverDnIRSParamsCreate(cusolverDnIRSParams_t *params_ptr) {
  cusolverStatus_t status = create("cusolverDnIRSParamsCreate", sizeof **params_ptr, (void **)params_ptr);
  if (status == CUSOLVER_STATUS_SUCCESS)
    **params_ptr = (struct cusolverDnIRSParams){
      .solver = CUSOLVER_IRS_REFINE_NOT_SET, .most = 50, .inner_most = 50, .falls_back = true
    };
  return status;
}

cusolverStatus_t cusolverDnIRSParamsDestroy(cusolverDnIRSParams_t params) {
  cusolverStatus_t status = check_params("cusolverDnIRSParamsDestroy", params);
  vptr__memory_free(params);
  return status;
}

cusolverStatus_t cusolverDnIRSParamsSetRefinementSolver(cusolverDnIRSParams_t params,
                                                        cusolverIRSRefinement_t refinement_solver) {
  bool is_right =
      refinement_solver >= CUSOLVER_IRS_REFINE_NOT_SET && refinement_solver <= CUSOLVER_IRS_REFINE_GMRES_NOPCOND;
  cusolverStatus_t status = check_value("cusolverDnIRSParamsSetRefinementSolver", params, is_right);
  if (status == CUSOLVER_STATUS_SUCCESS)
    params->solver = refinement_solver;
  return status;
}

static bool is_precision(cusolverPrecType_t type) {
  return (type >= CUSOLVER_R_64F && type <= CUSOLVER_R_TF32) || (type >= CUSOLVER_C_64F && type <= CUSOLVER_C_TF32);
}

static bool is_main(cusolverPrecType_t type) {
  return type == CUSOLVER_R_64F || type == CUSOLVER_R_32F || type == CUSOLVER_C_64F || type == CUSOLVER_C_32F;
}

cusolverStatus_t cusolverDnIRSParamsSetSolverMainPrecision(cusolverDnIRSParams_t params,
                                                           cusolverPrecType_t solver_main_precision) {
  cusolverStatus_t status =
      check_value("cusolverDnIRSParamsSetSolverMainPrecision", params, is_main(solver_main_precision));
  if (status == CUSOLVER_STATUS_SUCCESS)
    params->main = solver_main_precision;
  return status;
}

cusolverStatus_t cusolverDnIRSParamsSetSolverLowestPrecision(cusolverDnIRSParams_t params,
                                                             cusolverPrecType_t solver_lowest_precision) {
  cusolverStatus_t status =
      check_value("cusolverDnIRSParamsSetSolverLowestPrecision", params, is_precision(solver_lowest_precision));
  if (status == CUSOLVER_STATUS_SUCCESS)
    params->lowest = solver_lowest_precision;
  return status;
}

cusolverStatus_t cusolverDnIRSParamsSetSolverPrecisions(cusolverDnIRSParams_t params,
                                                        cusolverPrecType_t solver_main_precision,
                                                        cusolverPrecType_t solver_lowest_precision) {
  bool is_right = is_main(solver_main_precision) && is_precision(solver_lowest_precision);
  cusolverStatus_t status = check_value("cusolverDnIRSParamsSetSolverPrecisions", params, is_right);
  if (status == CUSOLVER_STATUS_SUCCESS)
    params->main = solver_main_precision, params->lowest = solver_lowest_precision;
  return status;
}

#define SETTER(Name, T, member, is_right)                                                                            \
  cusolverStatus_t cusolverDnIRSParamsSet##Name(cusolverDnIRSParams_t params, T value) {                             \
    cusolverStatus_t status = check_value("cusolverDnIRSParamsSet" #Name, params, is_right);                         \
    if (status == CUSOLVER_STATUS_SUCCESS)                                                                           \
      params->member = value;                                                                                        \
    return status;                                                                                                   \
  }
SETTER(Tol, double, tolerance, !isnan(value))
SETTER(TolInner, double, inner_tolerance, !isnan(value))
SETTER(MaxIters, cusolver_int_t, most, value >= 0)
SETTER(MaxItersInner, cusolver_int_t, inner_most, value >= 0)

cusolverStatus_t cusolverDnIRSParamsGetMaxIters(cusolverDnIRSParams_t params, cusolver_int_t *maxiters) {
  cusolverStatus_t status = check_value("cusolverDnIRSParamsGetMaxIters", params, maxiters != NULL);
  if (status == CUSOLVER_STATUS_SUCCESS)
    *maxiters = params->most;
  return status;
}

cusolverStatus_t cusolverDnIRSParamsEnableFallback(cusolverDnIRSParams_t params) {
  cusolverStatus_t status = check_params("cusolverDnIRSParamsEnableFallback", params);
  if (status == CUSOLVER_STATUS_SUCCESS)
    params->falls_back = true;
  return status;
}

cusolverStatus_t cusolverDnIRSParamsDisableFallback(cusolverDnIRSParams_t params) {
  cusolverStatus_t status = check_params("cusolverDnIRSParamsDisableFallback", params);
  if (status == CUSOLVER_STATUS_SUCCESS)
    params->falls_back = false;
  return status;
}

/* ---- infos ---------------------------------------------------------------------------------------------------- */

static cusolverStatus_t check_infos(const char *call, const struct cusolverDnIRSInfos *infos) {
  return infos != NULL ? CUSOLVER_STATUS_SUCCESS
                       : refuse(call, "the infos are NULL", CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED);
}

cusolverStatus_t cusolverDnIRSInfosCreate(cusolverDnIRSInfos_t *infos_ptr) {
  cusolverStatus_t status = create("cusolverDnIRSInfosCreate", sizeof **infos_ptr, (void **)infos_ptr);
  if (status == CUSOLVER_STATUS_SUCCESS)
    **infos_ptr = (struct cusolverDnIRSInfos){ .iterations = -1 };
  return status;
}

cusolverStatus_t cusolverDnIRSInfosDestroy(cusolverDnIRSInfos_t infos) {
  cusolverStatus_t status = check_infos("cusolverDnIRSInfosDestroy", infos);
  vptr__memory_free(infos);
  return status;
}

#define GETTER(Name, parameter, member)                                                                              \
  cusolverStatus_t cusolverDnIRSInfosGet##Name(cusolverDnIRSInfos_t infos, cusolver_int_t *parameter) {              \
    cusolverStatus_t status = check_infos("cusolverDnIRSInfosGet" #Name, infos);                                     \
    if (status == CUSOLVER_STATUS_SUCCESS && parameter == NULL)                                                      \
      return vptr__solver_invalid("cusolverDnIRSInfosGet" #Name, "the output is NULL");                              \
    if (status == CUSOLVER_STATUS_SUCCESS)                                                                           \
      *parameter = infos->member;                                                                                    \
    return status;                                                                                                   \
  }
GETTER(Niters, niters, iterations)
GETTER(OuterNiters, outer_niters, iterations)
GETTER(MaxIters, maxiters, most)

/* ---- solvers -------------------------------------------------------------------------------------------------- */

/* Of the same kind of numbers, and not above the main one. */
static bool fits(const struct cusolverDnIRSParams *params) {
  const bool is_complex = params->main >= CUSOLVER_C_64F;
  return is_complex == (params->lowest >= CUSOLVER_C_64F) && params->lowest >= params->main;
}

/* A call of the main precision's type; else one that has failed. */
static vptr__solver_call of_precision(vptr__solver_call call, const struct cusolverDnIRSParams *params) {
  static const cusolverPrecType_t types[] = { CUSOLVER_R_32F, CUSOLVER_R_64F, CUSOLVER_C_32F, CUSOLVER_C_64F };
  int type = 0;
  while (params != NULL && type < VPTR__SOLVER_Z && types[type] != params->main)
    type++;
  call.type = (vptr__solver_type)type;
  if (call.status == CUSOLVER_STATUS_SUCCESS)
    call.status = check_params(call.name, params);
  if (call.status == CUSOLVER_STATUS_SUCCESS && (types[type] != params->main || !fits(params)))
    call.status = refuse(call.name, "the precisions are not set, or do not fit each other",
                         CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC);
  return call;
}

static void require_infos(vptr__solver_call *call, const struct cusolverDnIRSInfos *infos) {
  if (call->status == CUSOLVER_STATUS_SUCCESS)
    call->status = check_infos(call->name, infos);
}

static cusolverStatus_t note(cusolverStatus_t status, const struct cusolverDnIRSParams *params,
                             struct cusolverDnIRSInfos *infos) {
  if (status == CUSOLVER_STATUS_SUCCESS)
    infos->iterations = 0, infos->most = params->most;
  return status;
}

static int leading(int rows) {
  return rows > 1 ? rows : 1;
}

cusolverStatus_t cusolverDnIRSXgesv_bufferSize(cusolverDnHandle_t handle, cusolverDnIRSParams_t params,
                                               cusolver_int_t n, cusolver_int_t nrhs, size_t *lwork_bytes) {
  vptr__solver_call call =
      of_precision(vptr__solver_ask("cusolverDnIRSXgesv_bufferSize", handle, VPTR__SOLVER_S), params);
  const int ld = leading(n);
  return vptr__solver_gesv_room(&call, &(vptr__solver_system){ n, n, nrhs, ld, ld, ld, .bytes = 0 }, lwork_bytes);
}

cusolverStatus_t cusolverDnIRSXgesv(cusolverDnHandle_t handle, cusolverDnIRSParams_t gesv_irs_params,
                                    cusolverDnIRSInfos_t gesv_irs_infos, cusolver_int_t n, cusolver_int_t nrhs,
                                    void *dA, cusolver_int_t ldda, void *dB, cusolver_int_t lddb, void *dX,
                                    cusolver_int_t lddx, void *dWorkspace, size_t lwork_bytes, cusolver_int_t *niters,
                                    cusolver_int_t *d_info) {
  vptr__solver_call call =
      of_precision(vptr__solver_enter("cusolverDnIRSXgesv", handle, VPTR__SOLVER_S), gesv_irs_params);
  const vptr__solver_system it = { n, n, nrhs, ldda, lddb, lddx, dA, dB, dX, NULL, dWorkspace, lwork_bytes };
  require_infos(&call, gesv_irs_infos);
  return note(vptr__solver_gesv(&call, &it, niters, d_info), gesv_irs_params, gesv_irs_infos);
}

cusolverStatus_t cusolverDnIRSXgels_bufferSize(cusolverDnHandle_t handle, cusolverDnIRSParams_t params,
                                               cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs,
                                               size_t *lwork_bytes) {
  vptr__solver_call call =
      of_precision(vptr__solver_ask("cusolverDnIRSXgels_bufferSize", handle, VPTR__SOLVER_S), params);
  const vptr__solver_system it = { m, n, nrhs, leading(m), leading(m), leading(n), .bytes = 0 };
  return vptr__solver_gels_room(&call, &it, lwork_bytes);
}

cusolverStatus_t cusolverDnIRSXgels(cusolverDnHandle_t handle, cusolverDnIRSParams_t gels_irs_params,
                                    cusolverDnIRSInfos_t gels_irs_infos, cusolver_int_t m, cusolver_int_t n,
                                    cusolver_int_t nrhs, void *dA, cusolver_int_t ldda, void *dB, cusolver_int_t lddb,
                                    void *dX, cusolver_int_t lddx, void *dWorkspace, size_t lwork_bytes,
                                    cusolver_int_t *niters, cusolver_int_t *d_info) {
  vptr__solver_call call =
      of_precision(vptr__solver_enter("cusolverDnIRSXgels", handle, VPTR__SOLVER_S), gels_irs_params);
  const vptr__solver_system it = { m, n, nrhs, ldda, lddb, lddx, dA, dB, dX, NULL, dWorkspace, lwork_bytes };
  require_infos(&call, gels_irs_infos);
  return note(vptr__solver_gels(&call, &it, niters, d_info), gels_irs_params, gels_irs_infos);
}
