/* SPDX-License-Identifier: MIT */
/*
 * registration - modules of the program's, with their stubs and twins; see registration.c.
 */
#ifndef VPTR_CUDA_REGISTRATION_H
#define VPTR_CUDA_REGISTRATION_H

#include <vptr/cuda/driver_types.h>

#include "module/module.h"

/* The kernel that an address stands for. cudaErrorInvalidDeviceFunction if there is none; what its registration
 * failed with, if it did. */
cudaError_t vptr__cuda_function(const char *call, const void *func, vptr__function **function_out);

#endif
