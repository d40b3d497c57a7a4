/* SPDX-License-Identifier: MIT */
/*
 * device - which device a CUDA call means.
 *
 * CUDA's ordinal d is vptr's chosen device d, and its mapper is vptr__mapper_for_device(d). Which of them is
 * current is a matter of each thread, and beside the last error the only thing that lib/cuda remembers.
 */
#ifndef VPTR_CUDA_DEVICE_H
#define VPTR_CUDA_DEVICE_H

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
cudaError_t vptr__cuda_current_mapper(vptr_mapper **mapper_out);

#endif
