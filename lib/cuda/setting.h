/* SPDX-License-Identifier: MIT */
/* setting - the flags and limits of each device; see setting.c. */
#ifndef VPTR_CUDA_SETTING_H
#define VPTR_CUDA_SETTING_H

#include <vptr/cuda/driver_types.h>

/* call is for the words. The ordinal is one that there is. Errors: cudaErrorInvalidValue (unknown flags, or two ways of
 * waiting). */
cudaError_t vptr__cuda_set_flags(const char *call, int device, unsigned flags);

/* Everything as it was in the beginning. */
void vptr__cuda_forget_settings(int device);

#endif
