/* SPDX-License-Identifier: MIT */
/*
 * status - cuFFT's names for what went wrong, and how vptr's verdicts become them.
 *
 * Words are said by whoever detects an error (base/error.h). Constant; no locks.
 */
#ifndef VPTR_CUFFT_STATUS_H
#define VPTR_CUFFT_STATUS_H

#include <vptr/cuda/cufftXt.h>
#include <vptr/vptr.h>

/* Says what is wrong with an argument, and returns the result. */
cufftResult vptr__fft_refuse(cufftResult result, const char *call, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What is wrong with memory or with the device is EXEC_FAILED: cuFFT would find out by a kernel that fails. */
cufftResult vptr__fft_result_of(vptr_status status);

#endif
