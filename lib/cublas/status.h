/* SPDX-License-Identifier: MIT */
/*
 * status - cuBLAS's names for what went wrong, and how vptr's verdicts become them.
 *
 * Words are said by whoever detects an error (base/error.h). Constant; no locks.
 */
#ifndef VPTR_CUBLAS_STATUS_H
#define VPTR_CUBLAS_STATUS_H

#include <vptr/cuda/cublas_api.h>
#include <vptr/vptr.h>

/* Says that an argument is wrong; returns INVALID_VALUE. */
cublasStatus_t vptr__blas_invalid(const char *call, const char *what);

/* What is wrong with memory or with the device is EXECUTION_FAILED: cuBLAS would find out by a kernel that fails. */
cublasStatus_t vptr__blas_status_of(vptr_status status);

#endif
