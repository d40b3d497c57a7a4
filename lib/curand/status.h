/* SPDX-License-Identifier: MIT */
/*
 * status - how vptr's verdicts become cuRAND's.
 *
 * Words are said by whoever detects an error (base/error.h). Constant; no locks.
 */
#ifndef VPTR_CURAND_STATUS_H
#define VPTR_CURAND_STATUS_H

#include <vptr/cuda/curand.h>
#include <vptr/vptr.h>

/* What is wrong with memory or with the device is LAUNCH_FAILURE: cuRAND would find out by a kernel that fails. */
curandStatus_t vptr__rand_status_of(vptr_status status);

#endif
