/* SPDX-License-Identifier: MIT */
/*
 * conform_factors - Cholesky's, LU and QR of small matrices, and solutions by them, of all types: multiplied out again.
 */
#include "solver_check.h"

#define SOLVER_TESTS "factors_type.h"
#include "solver_types.h"

int main(void) {
  cusolverDnHandle_t handle;
  cusolverDnParams_t params;
  FINE(cusolverDnCreate(&handle));
  FINE(cusolverDnCreateParams(&params));
  FINE(cusolverDnSetAdvOptions(params, CUSOLVERDN_GETRF, CUSOLVER_ALG_0));
  check_factors_s(handle, params);
  check_factors_d(handle, params);
  check_factors_c(handle, params);
  check_factors_z(handle, params);
  FINE(cusolverDnDestroyParams(params));
  FINE(cusolverDnDestroy(handle));
  return verdict("conform_factors");
}
