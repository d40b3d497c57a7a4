/* SPDX-License-Identifier: MIT */
/*
 * thread - what lib/cudart/cuda remembers of each thread, and the short way into a call.
 *
 * All of it is one variable, since to find a thread's variable takes a call of its own (base/error.c says why that
 * model stays). cudaMalloc() and its like took as long for being let in as for the memory: whether the process was
 * forked, the thread runs a stream's function or the device was lost, which device is current, what its mapper is,
 * whether the stream is one. Where all that was answered once, the answers are kept for the epoch (mapper/registry.h),
 * which a device that is lost ends too, and a new first device of threads that have not chosen. Mappers of devices are
 * never destroyed, and a thread that runs streams' functions runs nothing else. A thread's own changes put its answers
 * away.
 *
 * The variable is defined in device.c. It is its thread's alone, so there is no lock; `context_flags` points to what a
 * context of lib/driver has, and is atomic. device.c, stream.c, error.c and setting.c write it; these, host.c, lost.c,
 * memory.c, pointer.c and pool.c include this file.
 */
#ifndef VPTR_CUDA_THREAD_H
#define VPTR_CUDA_THREAD_H

#include <vptr/cuda/driver_types.h>

#include "mapper/registry.h"
#include "stream/stream.h"

typedef struct vptr__cuda_thread {
  vptr_mapper *mapper;   /* of the current device, where the thread may call; NULL: to be asked anew */
  cudaStream_t handle;   /* the latest, with a mapper kept only */
  vptr__stream *stream;  /* what it means; NULL: there is none */
  unsigned epoch;        /* when all that was so */
  int chosen, entered;   /* devices, as 1 + the ordinal; 0: none */
  cudaError_t last_error, error_before; /* the latter: what the last record replaced */
  /* of the driver's context that is current, if that is not the primary one; or NULL */
  _Atomic unsigned *context_flags;
  int context_device;              /* its device */
} vptr__cuda_thread;

extern _Thread_local vptr__cuda_thread vptr__cuda_mine;

/* The mapper of the calling thread's current device if the thread may call there, found without asking; NULL: ask
 * vptr__cuda_current_mapper(). */
static inline vptr_mapper *vptr__cuda_at_hand(void) {
  const vptr__cuda_thread *mine = &vptr__cuda_mine;
  return mine->epoch == vptr__epoch_now() ? mine->mapper : NULL;
}

/* The stream that a handle means, likewise; NULL: ask vptr__cuda_stream(). */
static inline vptr__stream *vptr__cuda_stream_at_hand(cudaStream_t handle) {
  const vptr__cuda_thread *mine = &vptr__cuda_mine;
  return mine->handle == handle && mine->epoch == vptr__epoch_now() ? mine->stream : NULL;
}

#endif
