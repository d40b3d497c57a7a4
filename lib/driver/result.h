/* SPDX-License-Identifier: MIT */
/*
 * result - the driver's names for what went wrong.
 *
 * Functions of lib/driver call the runtime's, which keep a failure as the thread's last error; vptr__driver_result()
 * takes that back. vptr__driver_result_of() is for errors of functions inside, which keep none.
 */
#ifndef VPTR_DRIVER_RESULT_H
#define VPTR_DRIVER_RESULT_H

#include <vptr/cuda/cuda.h>
#include <vptr/cuda/driver_types.h>
#include <vptr/vptr.h>

CUresult vptr__driver_result(cudaError_t recorded);

/* Leaves a message of what is the driver's own to refuse (cuda/error_log.h), and returns it: no lock is held. */
CUresult vptr__driver_refuse(CUresult result);
CUresult vptr__driver_result_of(cudaError_t error);
CUresult vptr__driver_status(vptr_status status);

#endif
