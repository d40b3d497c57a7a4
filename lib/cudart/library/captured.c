/* SPDX-License-Identifier: MIT */
/*
 * captured - nodes of a capture's graph for what a call of cuBLAS, cuFFT, cuRAND or cuSPARSE would send (captured.h).
 *
 * No data, and no lock here: the graph and the capture are lib/cudart/graph's, whose functions take vptr__graph_lock(),
 * of rank GRAPH. Called by cublas/call.c, cublas/kernel.c, cublas/product.c, cusparse/call.c, cusparse/kernel.c,
 * cufft/run.c and curand/generate.c. Nothing waits, but an allocation where the device is full, and giving that lock
 * back where memory goes with a node that cannot be added.
 */
#include "library/captured.h"

#include <string.h>

#include "base/error.h"
#include "cuda/capture_work.h"
#include "graph/capture.h"

/* `captures`: whether the stream is captured still; its capture may have ended since the call began. */
static vptr_status status_of(const char *call, bool captures, cudaError_t error) {
  if (captures && error == cudaSuccess)
    return VPTR_SUCCESS;
  if (error == cudaErrorMemoryAllocation)
    return VPTR_ERROR_OUT_OF_DEVICE_MEMORY;
  if (error != cudaSuccess)
    return VPTR_ERROR_UNSUPPORTED;
  return vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: the stream's capture has ended while the call was made", call);
}

vptr_status vptr__library_capture_launch(vptr__function *function, vptr__stream *stream, const vptr__launch *launch) {
  cudaError_t error = cudaSuccess;
  bool captures = vptr__capture_launch(function, function, launch, stream, &error);
  return status_of(launch->what, captures, error);
}

vptr_status vptr__library_capture_alloc(const char *call, size_t bytes, const void *site, vptr__stream *stream,
                                        void **ptr_out) {
  cudaError_t error = cudaSuccess;
  bool captures = vptr__cuda_captures_alloc(call, bytes, site, stream, ptr_out, &error);
  return status_of(call, captures, error);
}

vptr_status vptr__library_capture_free(const char *call, void *ptr, vptr__stream *stream) {
  cudaError_t error = cudaSuccess;
  bool captures = vptr__cuda_captures_free(call, ptr, stream, &error);
  return status_of(call, captures, error);
}

vptr_status vptr__library_capture_call(const vptr__graph_call *call, vptr__stream *stream) {
  vptr__graph_work work, copy;
  memset(&work, 0, sizeof work);
  work.call = *call;
  vptr_status status = vptr__graph_work_copy(cudaGraphNodeTypeEmpty, &work, &copy);
  if (status != VPTR_SUCCESS)
    return status;
  return status_of(call->name, true, vptr__capture_add(call->name, stream, cudaGraphNodeTypeEmpty, &copy));
}

vptr_status vptr__library_capture_refuse(const char *call, vptr__stream *stream) {
  vptr__capture_refuse(call, stream);
  return VPTR_ERROR_UNSUPPORTED;
}
