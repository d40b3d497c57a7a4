/* SPDX-License-Identifier: MIT */
/*
 * status - how the verdicts of vptr and of cuBLAS become cuSOLVER's.
 *
 * Words are said by whoever detects an error (base/error.h). Constant; no locks.
 */
#ifndef VPTR_CUSOLVER_STATUS_H
#define VPTR_CUSOLVER_STATUS_H

#include <vptr/cuda/cusolverDn.h>
#include <vptr/vptr.h>

/* Says that an argument is wrong; returns INVALID_VALUE. */
cusolverStatus_t vptr__solver_invalid(const char *call, const char *what);

/* What is wrong with memory or with the device is EXECUTION_FAILED: cuSOLVER would find out by a kernel that fails. */
cusolverStatus_t vptr__solver_status_of(vptr_status status);
cusolverStatus_t vptr__solver_status_of_blas(cublasStatus_t status);

#endif
