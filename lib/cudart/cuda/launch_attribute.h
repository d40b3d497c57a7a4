/* SPDX-License-Identifier: MIT */
/*
 * launch_attribute - checking the attributes of cudaLaunchKernelExC() and cuLaunchKernelEx(); see launch_attribute.c.
 *
 * No data, no locks. Called by cluster.c, launch.c, replay/kernel_node.c and driver/launch.c.
 */
#ifndef VPTR_CUDA_LAUNCH_ATTRIBUTE_H
#define VPTR_CUDA_LAUNCH_ATTRIBUTE_H

#include <stdbool.h>

#include <vptr/cuda/cuda_runtime_api.h>
#include <vptr/vptr.h>

/* Whether all can be heeded, and in *cooperative_out what they say of that. cudaErrorNotSupported for one that cannot,
 * cudaErrorInvalidValue for a value that is none, or no array; the message names it. */
VPTR_API cudaError_t vptr__cuda_launch_attributes(const char *call, const cudaLaunchAttribute *attributes,
                                                  unsigned count, bool *cooperative_out);

#endif
