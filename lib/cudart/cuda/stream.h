/* SPDX-License-Identifier: MIT */
/*
 * stream - from CUDA's stream handles to vptr's streams, and who may not call.
 *
 * A cudaStream_t is a vptr__stream's address, or one of three small values. Functions that take a stream begin with
 * vptr__cuda_stream(); their _ptsz variants pass vptr__cuda_own_default(stream) to the function that is variant to
 * them.
 *
 * No locks here, and no data but the thread's own (cuda/thread.h). Called by nearly every file of this folder, by
 * lib/cudart/replay and library/call.c, and by lib/driver and curand/generator.c.
 */
#ifndef VPTR_CUDA_STREAM_H
#define VPTR_CUDA_STREAM_H

#include <stdbool.h>

#include <vptr/cuda/driver_types.h>
#include <vptr/vptr.h>

#include "stream/stream.h"

/* Whether the calling thread may send work to the current device. Errors, which have been said: cudaErrorNotPermitted,
 * inside a host function or callback, where waiting would never end; that of a forked child; and the one by which the
 * device was lost (cuda/lost.h). Calls that allocate, free, send or wait ask first, unless vptr__cuda_current_mapper()
 * or vptr__cuda_stream() does for them; calls that only tell what they know do not. The caller holds no lock, since
 * units that wait for memory are tried (cuda/unit.h). */
cudaError_t vptr__cuda_permitted(void);

/* The same of a device that may be lost: refused are only forked children, and functions that streams call. */
cudaError_t vptr__cuda_may_call(void);

/* The stream that a handle means: NULL and cudaStreamLegacy are the current device's legacy stream, cudaStreamPerThread
 * the thread's own. Errors: cudaErrorInvalidResourceHandle, cudaErrorNotPermitted, and those of opening the device. */
VPTR_API cudaError_t vptr__cuda_stream(cudaStream_t handle, vptr__stream **stream_out);

/* Whether a handle is one of the small values, which mean a device's own streams. */
static inline bool vptr__cuda_is_default(cudaStream_t handle) {
  return handle == NULL || handle == cudaStreamLegacy || handle == cudaStreamPerThread;
}

/* NULL means the thread's own stream. */
static inline cudaStream_t vptr__cuda_own_default(cudaStream_t handle) {
  return handle != NULL ? handle : cudaStreamPerThread;
}

#endif
