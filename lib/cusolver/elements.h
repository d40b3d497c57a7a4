/* SPDX-License-Identifier: MIT */
/*
 * elements - numbers of the call's type in a row on the host: how large they are, and scaled; and real ones that become
 * elements of a matrix on the device.
 *
 * Within a call that goes on. No state, no locks.
 */
#ifndef VPTR_CUSOLVER_ELEMENTS_H
#define VPTR_CUSOLVER_ELEMENTS_H

#include "cusolver/call.h"

/* The largest of all parts; a NaN is not larger. */
double vptr__solver_elements_most(const vptr__solver_call *call, size_t count, const void *numbers);

/* What LAPACK multiplies a matrix by whose largest element is this, so that squares of its elements do not overflow or
 * vanish; 1: nothing. */
double vptr__solver_elements_factor(const vptr__solver_call *call, double most);

/* Numbers of the type, and real ones. */
void vptr__solver_elements_scale(const vptr__solver_call *call, size_t count, double by, void *numbers);
void vptr__solver_reals_scale(const vptr__solver_call *call, size_t count, double by, void *reals);

/* A matrix of real numbers, whose columns lie side by side, to the device as one of the call's type. It waits. */
void vptr__solver_reals_put(vptr__solver_call *call, const void *reals, int64_t rows, int64_t columns, void *to,
                            int64_t ld);

#endif
