/* SPDX-License-Identifier: MIT */
/*
 * status - what NVML's calls return, and who says why.
 *
 * Words are said by whoever detects an error (base/error.h). No locks.
 */
#ifndef VPTR_ML_STATUS_H
#define VPTR_ML_STATUS_H

#include <vptr/cuda/driver_types.h>

#include "ml/ml.h"

/* An argument of call is wrong; returns INVALID_ARGUMENT. */
nvmlReturn_t vptr__ml_invalid(const char *call, const char *why);

/* OpenCL does not tell what call asks for; returns NOT_SUPPORTED. */
nvmlReturn_t vptr__ml_not_told(const char *call, const char *what);

/* What has been said already, of the runtime's. */
nvmlReturn_t vptr__ml_return_of(cudaError_t error);

/* Copies text to a program's place for length bytes. INSUFFICIENT_SIZE: it is shorter, and nothing was written. */
nvmlReturn_t vptr__ml_put_text(const char *call, const char *text, char *place, unsigned length);

#endif
