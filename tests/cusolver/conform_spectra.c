/* SPDX-License-Identifier: MIT */
/*
 * conform_spectra - eigenvalues, singular values and their vectors, of all types: multiplied out again.
 */
#include "solver_check.h"

#define SOLVER_TESTS "spectra_type.h"
#include "solver_types.h"

int main(void) {
  cusolverDnHandle_t handle;
  cusolverDnParams_t params;
  FINE(cusolverDnCreate(&handle));
  FINE(cusolverDnCreateParams(&params));
  check_spectra_s(handle, params);
  check_spectra_d(handle, params);
  check_spectra_c(handle, params);
  check_spectra_z(handle, params);
  FINE(cusolverDnDestroyParams(params));
  FINE(cusolverDnDestroy(handle));
  return verdict("conform_spectra");
}
