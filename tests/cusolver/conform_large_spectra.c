/* SPDX-License-Identifier: MIT */
/*
 * conform_large_spectra - eigenvalues and vectors of matrices that are reduced on the device, in panels of the host's:
 * whole spectra and parts, values that are known before, and those of one matrix with vectors and without.
 *
 * Here VPTR_SPECTRA sends all of these matrices there, on each kind of device.
 */
#include "solver_check.h"

#include <float.h>

#define SOLVER_TESTS "large_spectra_type.h"
#include "solver_types.h"

int main(void) {
  cusolverDnHandle_t handle;
  cusolverDnParams_t params;
  cudaStream_t stream;
  setenv("VPTR_SPECTRA", "device", 1);
  FINE(cusolverDnCreate(&handle));
  FINE(cusolverDnCreateParams(&params));
  check_large_spectra_s(handle, params);
  check_large_spectra_d(handle, params);
  EXPECT("cudaStreamCreate", cudaStreamCreate(&stream) == cudaSuccess);
  FINE(cusolverDnSetStream(handle, stream));
  check_large_spectra_c(handle, params);
  check_large_spectra_z(handle, params);
  FINE(cusolverDnDestroyParams(params));
  FINE(cusolverDnDestroy(handle));
  EXPECT("cudaStreamDestroy", cudaStreamDestroy(stream) == cudaSuccess);
  return verdict("conform_large_spectra");
}
