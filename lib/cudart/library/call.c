/* SPDX-License-Identifier: MIT */
/*
 * call - the stream and the operands of a call of cuBLAS, cuFFT, cuRAND, cuSPARSE or cuSOLVER: found and checked
 * (call.h).
 *
 * No data, and no locks here. Where a capture is open, its functions take vptr__graph_lock(), of rank GRAPH
 * (graph/capture.h); to find a default stream takes mapper->stream_lock, of rank STREAM, if it has to be made. Called
 * by cublas/call.c and tuning.c, cusparse/call.c, cusolver/call.c, curand/call.c, curand/generator.c and cufft/run.c.
 * Only vptr__library_read() waits, and finding a thread's own stream where that is made first (stream/thread.c).
 */
#include "library/call.h"

#include "base/error.h"
#include "cuda/error.h"
#include "cuda/lost.h"
#include "cuda/stream.h"
#include "device/device.h"
#include "graph/capture.h"
#include "mapper/host.h"
#include "mapper/registry.h"

#include <stdio.h>

#include <vptr/cuda/cuda_runtime_api.h>

static vptr_status find_stream(const char *call, const char *what, const char *owner, vptr_mapper *mapper,
                               cudaStream_t handle, vptr__stream **stream_out) {
  vptr_status status = vptr__registry_check_process();
  if (status != VPTR_SUCCESS)
    return status;
  if (!vptr__cuda_is_default(handle) && !vptr__stream_is_live(handle))
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s %p was destroyed, or never created; set another", call,
                       what, (void *)handle);
  if (vptr__stream_in_host_function())
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: a function that a stream calls on the host may not call it",
                       call);
  if (vptr__cuda_refuse_lost_device(mapper->device->ordinal) != cudaSuccess)
    return VPTR_ERROR_OPENCL;
  if (handle == cudaStreamPerThread)
    return vptr__stream_per_thread(mapper, stream_out);
  if (vptr__cuda_is_default(handle))
    return vptr__stream_legacy(mapper, stream_out);
  if (vptr__stream_mapper((vptr__stream *)handle) != mapper)
    return vptr__error(VPTR_ERROR_OTHER_MAPPER, "%s: %s is of another device than the %s", call, what, owner);
  *stream_out = (vptr__stream *)handle;
  return VPTR_SUCCESS;
}

/* For calls that send in ways of which no node is made. */
vptr_status vptr__library_stream(const char *call, const char *what, const char *owner, vptr_mapper *mapper,
                                 cudaStream_t handle, vptr__stream **stream_out) {
  vptr__stream *stream;
  vptr_status status = find_stream(call, what, owner, mapper, handle, &stream);
  if (status == VPTR_SUCCESS && vptr__captures_any() && vptr__capture_refuse(call, stream) != cudaSuccess)
    status = VPTR_ERROR_UNSUPPORTED;
  if (status == VPTR_SUCCESS)
    *stream_out = stream;
  return status;
}

vptr_status vptr__library_stream_or_capture(const char *call, const char *what, const char *owner,
                                            vptr_mapper *mapper, cudaStream_t handle, vptr__stream **stream_out,
                                            bool *captures_out) {
  vptr__stream *stream;
  bool captures = false;
  vptr_status status = find_stream(call, what, owner, mapper, handle, &stream);
  if (status == VPTR_SUCCESS && vptr__captures_any() && vptr__capture_look(call, stream, &captures) != cudaSuccess)
    status = VPTR_ERROR_UNSUPPORTED;
  if (status != VPTR_SUCCESS)
    return status;
  *stream_out = stream;
  *captures_out = captures;
  return VPTR_SUCCESS;
}

vptr_status vptr__library_memory(const char *call, const char *what, vptr_mapper *mapper, const void *at,
                                 size_t bytes) {
  vptr_location location;
  char words[128];
  vptr_status status = vptr__mapper_locate_all(mapper, at, bytes, &location);
  if (status == VPTR_SUCCESS)
    return status;
  snprintf(words, sizeof words, "%s: %s", call, what);
  if (status == VPTR_ERROR_UNKNOWN_ADDRESS && vptr__mapper_owning(at) == NULL)
    return vptr__host_check(words, at, bytes);
  return vptr__mapper_explain(mapper, status, words, at, bytes);
}

vptr_status vptr__library_read(vptr__stream *stream, void *to, const void *from, size_t bytes) {
  if (cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, (cudaStream_t)stream) == cudaSuccess)
    return vptr__stream_synchronize(stream);
  vptr__cuda_unrecord();
  return VPTR_ERROR_OPENCL;
}
