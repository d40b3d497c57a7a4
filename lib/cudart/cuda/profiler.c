/* SPDX-License-Identifier: MIT */
/*
 * profiler - cudaProfilerStart() and cudaProfilerStop().
 *
 * They tell a profiler that watches the program what part of it to look at. None watches a program through this
 * library, and without one they do in CUDA what they do here: they open the device, and that is all. No state, no
 * locks. Called by programs alone. A call blocks while it opens the device.
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
