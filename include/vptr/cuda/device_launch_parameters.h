/* SPDX-License-Identifier: MIT */
/* device_launch_parameters - threadIdx and its kin, for code that names them where a host compiler reads along.
 * They are declared and never defined: only kernels have them. */
#ifndef VPTR_CUDA_DEVICE_LAUNCH_PARAMETERS_H
#define VPTR_CUDA_DEVICE_LAUNCH_PARAMETERS_H
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "vector_types.h"

/* clang's CUDA has them of its own. */
#if !defined(__clang__) || !defined(__CUDA__)

#ifdef __cplusplus
extern "C" {
#endif

extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;

#ifdef __cplusplus
}
#endif

#endif

#endif
