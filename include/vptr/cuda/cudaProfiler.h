/* SPDX-License-Identifier: MIT */
/*
 * cudaProfiler - cuProfilerStart() and cuProfilerStop(): what part of a program a profiler shall look at.
 *
 * None watches a program through vptr, and they do what CUDA's do then: nothing. Errors: CUDA_ERROR_NOT_INITIALIZED,
 * CUDA_ERROR_INVALID_CONTEXT. Thread-safe.
 */
#ifndef VPTR_CUDA_CUDAPROFILER_H
#define VPTR_CUDA_CUDAPROFILER_H
#define cuda_profiler_H

#include "cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

VPTR_CUDA_API CUresult CUDAAPI cuProfilerStart(void);
VPTR_CUDA_API CUresult CUDAAPI cuProfilerStop(void);

#ifdef __cplusplus
}
#endif

#endif
