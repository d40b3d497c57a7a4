/* SPDX-License-Identifier: MIT */
/*
 * function - whether a cooperative launch fits the device (function.c), and CUDA's error for a launch that failed
 * (launch.c).
 *
 * No data, no locks. Called by launch.c and replay/send.c, and by driver/launch.c, which asks for the first.
 */
#ifndef VPTR_CUDA_FUNCTION_CALL_H
#define VPTR_CUDA_FUNCTION_CALL_H

#include <vptr/cuda/cuda_runtime_api.h>

#include "module/module.h"

/* Whether all blocks of a cooperative launch are resident at once: cudaErrorCooperativeLaunchTooLarge if not. They
 * need not be where one work-item runs them. */
VPTR_API cudaError_t vptr__cuda_resident_check(const vptr__launch *launch, const void *func);

/* launch.c: CUDA's name for what vptr__function_launch() answered. */
cudaError_t vptr__cuda_launch_sent(vptr_status status, const vptr__launch *launch);

#endif
