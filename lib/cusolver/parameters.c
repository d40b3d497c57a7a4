/* SPDX-License-Identifier: MIT */
/*
 * parameters - their life, and what is set and asked; see parameters.h.
 *
 * No state, no locks. Called by programs. Nothing waits.
 */
#include "cusolver/parameters.h"

#include "base/error.h"
#include "base/memory.h"

static cusolverStatus_t create_parameters(const char *call, size_t size, void **created) {
  if (created == NULL)
    return vptr__solver_invalid(call, "there is no place for the parameters");
  void *made = vptr__memory_calloc(1, size);
  if (made == NULL) {
    vptr__error_host_memory(size);
    return CUSOLVER_STATUS_ALLOC_FAILED;
  }
  *created = made;
  return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t check_value(const char *call, const void *parameters, bool is_right) {
  if (parameters == NULL)
    return vptr__solver_invalid(call, "the parameters are NULL");
  return is_right ? CUSOLVER_STATUS_SUCCESS : vptr__solver_invalid(call, "the value is not allowed");
}

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params) {
  return create_parameters("cusolverDnCreateParams", sizeof **params, (void **)params);
}

cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params) {
  vptr__memory_free(params);
  return CUSOLVER_STATUS_SUCCESS;
}

/* Kept: there is one algorithm for each function. */
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                         cusolverAlgMode_t algo) {
  bool is_right = (unsigned)function <= CUSOLVERDN_SYEVBATCHED && (unsigned)algo <= CUSOLVER_ALG_2;
  cusolverStatus_t status = check_value("cusolverDnSetAdvOptions", params, is_right);
  if (status == CUSOLVER_STATUS_SUCCESS)
    params->algorithms[function] = algo;
  return status;
}

/* The defaults are cuSOLVER's: 100 sweeps, in order. */
#define JACOBI(Noun, noun)                                                                                           \
  cusolverStatus_t cusolverDnCreate##Noun##Info(noun##Info_t *info) {                                                \
    cusolverStatus_t status = create_parameters("cusolverDnCreate" #Noun "Info", sizeof **info, (void **)info);      \
    if (status == CUSOLVER_STATUS_SUCCESS)                                                                           \
      (*info)->it = (vptr__solver_jacobi){ .residual = -1, .most_sweeps = 100, .sorts = 1 };                         \
    return status;                                                                                                   \
  }                                                                                                                  \
  cusolverStatus_t cusolverDnDestroy##Noun##Info(noun##Info_t info) {                                                \
    vptr__memory_free(info);                                                                                         \
    return CUSOLVER_STATUS_SUCCESS;                                                                                  \
  }                                                                                                                  \
  cusolverStatus_t cusolverDnX##noun##SetTolerance(noun##Info_t info, double tolerance) {                            \
    cusolverStatus_t status = check_value("cusolverDnX" #noun "SetTolerance", info, true);                           \
    if (status == CUSOLVER_STATUS_SUCCESS)                                                                           \
      info->it.tolerance = tolerance;                                                                                \
    return status;                                                                                                   \
  }                                                                                                                  \
  cusolverStatus_t cusolverDnX##noun##SetMaxSweeps(noun##Info_t info, int max_sweeps) {                              \
    cusolverStatus_t status = check_value("cusolverDnX" #noun "SetMaxSweeps", info, max_sweeps >= 0);                \
    if (status == CUSOLVER_STATUS_SUCCESS)                                                                           \
      info->it.most_sweeps = max_sweeps;                                                                             \
    return status;                                                                                                   \
  }                                                                                                                  \
  cusolverStatus_t cusolverDnX##noun##SetSortEig(noun##Info_t info, int sort) {                                      \
    cusolverStatus_t status = check_value("cusolverDnX" #noun "SetSortEig", info, sort == 0 || sort == 1);           \
    if (status == CUSOLVER_STATUS_SUCCESS)                                                                           \
      info->it.sorts = sort;                                                                                         \
    return status;                                                                                                   \
  }                                                                                                                  \
  cusolverStatus_t cusolverDnX##noun##GetResidual(cusolverDnHandle_t handle, noun##Info_t info, double *residual) {  \
    static const char call[] = "cusolverDnX" #noun "GetResidual";                                                    \
    cusolverStatus_t status = vptr__solver_handle_check(call, handle);                                               \
    if (status == CUSOLVER_STATUS_SUCCESS)                                                                           \
      status = check_value(call, info, residual != NULL);                                                            \
    if (status == CUSOLVER_STATUS_SUCCESS)                                                                           \
      *residual = info->it.residual;                                                                                 \
    return status;                                                                                                   \
  }
JACOBI(Syevj, syevj)
JACOBI(Gesvdj, gesvdj)
