/* SPDX-License-Identifier: MIT */
/*
 * crossover - VPTR_SPECTRA, and the kind of the device; see crossover.h.
 *
 * No state, no locks. Called by eigen.c and svd.c. Nothing waits.
 */
#include "cusolver/crossover.h"

#include "base/option.h"
#include "cusolver/factor.h"

bool vptr__solver_reduces_on_device(const vptr__solver_call *call, int64_t columns) {
  if (call->status != CUSOLVER_STATUS_SUCCESS)
    return false;
  switch ((vptr__spectra_choice)vptr__option_number(VPTR__OPTION_SPECTRA, VPTR__SPECTRA_AUTO)) {
  case VPTR__SPECTRA_HOST:
    return false;
  case VPTR__SPECTRA_DEVICE:
    return columns > VPTR__SOLVER_WHOLE;
  default:
    return columns > VPTR__SOLVER_ALONE && (call->mapper->device->type & CL_DEVICE_TYPE_CPU) == 0;
  }
}
