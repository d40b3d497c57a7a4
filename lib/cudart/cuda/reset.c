/* SPDX-License-Identifier: MIT */
/*
 * reset - cudaDeviceReset(): the current device as if it had never been used.
 *
 * The mapper and its device stay open: a reset is mostly a program's last call, or a test's way to begin anew, and
 * starting a driver again takes a second. What the program made goes: memory (its addresses are known as freed until
 * they are issued again), pools but the default one, which is as new, streams with their captures, events, arrays and
 * what is made of them, and settings. Streams that wait for words of memory wait no longer. Errors of work in flight
 * are nobody's any more. Memory that is open to the host by vptr_map() stops a reset: no CUDA program has any, and one
 * that mixes both must not lose what it reads. A reset while another thread is inside a call with that device is the
 * caller's fault, as in CUDA. No data, no locks of its own. Called by programs, and by driver/primary.c. It waits for
 * all work of the device.
 */
#include "cuda/advice.h"
#include "cuda/array.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/lost.h"
#include "cuda/managed.h"
#include "cuda/mipmap.h"
#include "cuda/reference.h"
#include "cuda/setting.h"
#include "cuda/shared_event.h"
#include "cuda/stream.h"
#include "cuda/stream_attribute.h"
#include "graph/capture.h"
#include "mapper/mapper.h"
#include "module/leaving.h"
#include "module/module.h"
#include "pinned/pinned.h"
#include "pool/pool.h"
#include "stream/stream.h"
#include "virtual/shared_memory.h"
#include "virtual/virtual_range.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* Their images are not the heap's, and go here. */
static void end_objects(const vptr_mapper *mapper) {
  vptr__cuda_references_unbind_all(mapper);
  vptr__cuda_textures_end_all(mapper);
  vptr__cuda_mipmaps_end_all(mapper);
  vptr__cuda_surfaces_end_all(mapper);
  vptr__cuda_arrays_end_all(mapper);
}

static cudaError_t reset_device(void) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  vptr_mapper *mapper;
  error = vptr__cuda_may_call();
  if (error != cudaSuccess)
    return error;
  vptr__cuda_forget_loss();
  error = vptr__cuda_current_mapper(&mapper);
  if (error != cudaSuccess)
    return error;
  vptr__streams_end_waits(mapper);
  vptr_finish(mapper);
  vptr__print_forget(vptr__cuda_current_device()); /* before the memory goes that it is in */
  vptr__virtual_ranges_let_go(mapper);
  error = vptr__cuda_from_status(vptr_clear(mapper));
  if (error != cudaSuccess)
    return error;
  vptr__shared_memory_forget(mapper);
  vptr__shared_events_forget(mapper);
  vptr__capture_forget_all(mapper);
  vptr__graph_memory_forget_all(mapper);
  vptr__pool_reset_all(mapper);
  vptr__managed_forget(mapper);
  vptr__streams_close_all(mapper);
  vptr__cuda_stream_attributes_forget_all(mapper);
  vptr__leaving_look();
  vptr__cuda_advice_forget_all(mapper);
  vptr__cuda_clear_managed(mapper);
  vptr__pinned_clear(mapper);
  end_objects(mapper);
  vptr__cuda_forget_settings(vptr__cuda_current_device());
  vptr__cuda_forget_use(vptr__cuda_current_device());
  return cudaSuccess;
}

cudaError_t cudaDeviceReset(void) {
  return vptr__cuda_record(reset_device());
}

cudaError_t cudaThreadExit(void) {
  return cudaDeviceReset();
}
