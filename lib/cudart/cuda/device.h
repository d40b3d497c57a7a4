/* SPDX-License-Identifier: MIT */
/*
 * device - which device a CUDA call means.
 *
 * CUDA's ordinal d is vptr's chosen device d, and its mapper is vptr__mapper_for_device(d). Which of them is current is
 * a matter of each thread, and kept with what else is remembered of it (cuda/thread.h).
 *
 * Locks: none here; the data are device.c's, and thread-local or atomic. Called by nearly every file of this folder, by
 * the files of lib/cudart/replay and of lib/driver, and by lib/cublas, lib/cufft, lib/curand, lib/cusparse and
 * lib/cusolver, for the current device.
 */
#ifndef VPTR_CUDA_DEVICE_H
#define VPTR_CUDA_DEVICE_H

#include <stdbool.h>

#include <vptr/cuda/driver_types.h>
#include <vptr/vptr.h>

/* cudaSuccess if there is any device; else cudaErrorNoDevice, which has been said. Opens nothing. */
cudaError_t vptr__cuda_device_exists(void);

/* cudaSuccess if call was given an ordinal that a device has; else cudaErrorInvalidDevice, which has been said. */
cudaError_t vptr__cuda_check_ordinal(const char *call, int ordinal);

/* Says that call was given an ordinal that no device has; returns cudaErrorInvalidDevice. */
cudaError_t vptr__cuda_no_such_device(const char *call, int ordinal);

/* The calling thread's current device. There is one: vptr__cuda_device_exists() was asked. */
int vptr__cuda_current_device(void);

/* The mapper of the calling thread's current device, opened now if need be. */
VPTR_API cudaError_t vptr__cuda_current_mapper(vptr_mapper **mapper_out);

/* ---- for the driver's interface, whose contexts are current where devices are -------------------------------- */

/* The device that the calling thread has chosen or used; -1: none yet. */
VPTR_API int vptr__cuda_entered_device(void);

/* Makes a device current, opened now if need be, without using it in the runtime's name. */
VPTR_API cudaError_t vptr__cuda_enter_device(int ordinal);

/* The calling thread has used none from now on. */
VPTR_API void vptr__cuda_leave_device(void);

/* Whether any thread has used a device in the runtime's name since its last reset. */
VPTR_API bool vptr__cuda_device_is_used(int ordinal);
void vptr__cuda_forget_use(int ordinal);

#endif
