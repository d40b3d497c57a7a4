/* SPDX-License-Identifier: MIT */
/*
 * eigen_batch - eigenvalues of `count` matrices that lie one behind the other; infos has one for each. No locks.
 */
#ifndef VPTR_CUSOLVER_EIGEN_BATCH_H
#define VPTR_CUSOLVER_EIGEN_BATCH_H

#include "cusolver/eigen.h"

void vptr__solver_eigen_batch_require(vptr__solver_call *call, const vptr__solver_eigen *it, int64_t count);
cusolverStatus_t vptr__solver_eigen_batch_solve(vptr__solver_call *call, const vptr__solver_eigen *it, int *infos,
                                                int64_t count);

#endif
