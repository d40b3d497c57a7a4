/* SPDX-License-Identifier: MIT */
/*
 * crossover - which matrices are large enough to be reduced on the device for their spectrum.
 *
 * VPTR_SPECTRA says it. By itself a device that is not a CPU gets what has more columns than VPTR__SOLVER_ALONE; one
 * that is has no memory and no cores that the host's LAPACK would not have. No state, no locks.
 */
#ifndef VPTR_CUSOLVER_CROSSOVER_H
#define VPTR_CUSOLVER_CROSSOVER_H

#include "cusolver/call.h"

/* Columns up to which LAPACK has all, where the choice is the library's. */
enum { VPTR__SOLVER_ALONE = 512 };

/* False for a call that has failed. */
bool vptr__solver_reduces_on_device(const vptr__solver_call *call, int64_t columns);

#endif
