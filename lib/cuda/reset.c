/* SPDX-License-Identifier: MIT */
/*
 * reset - cudaDeviceReset(): the current device as if it had never been used.
 *
 * The mapper and its device stay open: a reset is mostly a program's last call, or a test's way to begin anew, and
 * starting a driver again takes a second. What the program made goes: memory (its addresses are known as freed until
 * they are issued again) and settings. Errors of work in flight are nobody's any more. Memory that is open to the host
 * by vptr_map() stops a reset: no CUDA program has any, and one that mixes both must not lose what it reads. No locks
 * of its own.
 */
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/setting.h"
#include "mapper/mapper.h"
#include "pinned/pinned.h"

#include <vptr/cuda/cuda_runtime_api.h>

static cudaError_t reset(void) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  vptr_mapper *mapper;
  error = vptr__cuda_current_mapper(&mapper);
  if (error != cudaSuccess)
    return error;
  vptr_finish(mapper);
  vptr__streams_close_all(mapper);
  error = vptr__cuda_from_status(vptr_clear(mapper));
  if (error == cudaSuccess)
    vptr__pinned_clear(mapper);
  if (error == cudaSuccess)
    vptr__cuda_forget_settings(vptr__cuda_current_device());
  return error;
}

cudaError_t cudaDeviceReset(void) {
  return vptr__cuda_record(reset());
}

cudaError_t cudaThreadExit(void) {
  return cudaDeviceReset();
}
