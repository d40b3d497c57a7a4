/* SPDX-License-Identifier: MIT */
/*
 * setting - the flags and limits of each device.
 *
 * setting.c has the values in static variables, each atomic, without a lock. Called by device.c for cudaInitDevice(),
 * by reset.c, and by lib/driver's contexts.
 */
#ifndef VPTR_CUDA_SETTING_H
#define VPTR_CUDA_SETTING_H

#include <vptr/cuda/driver_types.h>
#include <vptr/vptr.h>

/* call is for the words. The ordinal is one that there is. Errors: cudaErrorInvalidValue (unknown flags, or two ways of
 * waiting). */
cudaError_t vptr__cuda_set_flags(const char *call, int device, unsigned flags);

/* For the driver's interface: the flags of the context that is current to the calling thread, and its device. They are
 * told as the device's while that device is current. The caller says so again before they go; NULL: the device's own
 * are told. */
VPTR_API void vptr__cuda_show_flags(_Atomic unsigned *flags, int device);

/* Everything as it was in the beginning. */
void vptr__cuda_forget_settings(int device);

#endif
