/* SPDX-License-Identifier: MIT */
/*
 * profiler - cudaProfilerStart() and cudaProfilerStop().
 *
 * In CUDA they tell a profiler which part of the program to look at. No profiler watches a program through this
 * library; without one they open the device, in CUDA as here, and that is all. No data, no locks. Called by programs
 * alone. A call blocks while it opens the device.
 */
#include "cuda/device.h"
#include "cuda/error.h"

#include <vptr/cuda/cuda_profiler_api.h>

static cudaError_t report_nobody(void) {
  vptr_mapper *mapper;
  return vptr__cuda_current_mapper(&mapper);
}

cudaError_t cudaProfilerStart(void) {
  return vptr__cuda_record(report_nobody());
}

cudaError_t cudaProfilerStop(void) {
  return vptr__cuda_record(report_nobody());
}
