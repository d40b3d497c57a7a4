/* SPDX-License-Identifier: MIT */
/*
 * lost - devices that take no more work: CUDA's sticky errors.
 *
 * In CUDA some failures, those of kernels mostly, take the context along: every later call returns the same error.
 * Under OpenCL that is a driver's own affair. With some a kernel that goes astray ruins its context for good; with
 * others each command fails alone, and what comes after runs. The code of an error does not tell which, so the device
 * is asked: after a failure of the kind it is handed a command without work, and if it does not take even that, it is
 * lost. From then on calls that need the device return the first error, until cudaDeviceReset() gives it another
 * chance.
 *
 * A kernel whose assert() failed takes the device along too, as in CUDA: so that nobody goes on with its results.
 *
 * lost.c keeps this for each device, for the whole process. No locks: the values are atomic. Called by batch.c, copy.c,
 * device.c, error.c, event.c, launch.c, memory.c, reset.c and stream.c, and by library/call.c.
 */
#ifndef VPTR_CUDA_LOST_H
#define VPTR_CUDA_LOST_H

#include <vptr/cuda/driver_types.h>

/* The error by which the calling thread's current device was lost, in silence; cudaSuccess if it was not. */
cudaError_t vptr__cuda_lost(void);

/* The same, said; and of the ordinal-th device. */
cudaError_t vptr__cuda_refuse_lost(void);
cudaError_t vptr__cuda_refuse_lost_device(int ordinal);

/* After a failure of work: asks the current device whether it is lost. Leaves what was said as it is. Does not wait. */
void vptr__cuda_classify_device(cudaError_t error);

/* The current device is given another chance. */
void vptr__cuda_forget_loss(void);

/* For calls that have waited for work of a device, and return error if that succeeded: a kernel that stopped
 * itself, by a failed assert() or __trap(), is heard of here, and the device is lost by it. */
cudaError_t vptr__cuda_poll_failure(cudaError_t error, int ordinal);

#endif
