/* SPDX-License-Identifier: MIT */
/*
 * cuda_profiler_api - which part of a program a profiler shall look at.
 *
 * No profiler watches a program through vptr, so these succeed and change nothing.
 */
#ifndef VPTR_CUDA_PROFILER_API_H
#define VPTR_CUDA_PROFILER_API_H
#define __CUDA_PROFILER_API_H__

#include "cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

VPTR_CUDA_API cudaError_t CUDARTAPI cudaProfilerStart(void);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaProfilerStop(void);

#ifdef __cplusplus
}
#endif

#endif
