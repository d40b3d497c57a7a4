/* SPDX-License-Identifier: MIT */
/*
 * copy - what CUDA's copies have in common, however they name their ends: kinds, pinned memory, streams.
 *
 * An address says itself which side it is on, so `kind` is not needed to copy; it is a promise of the caller's
 * that is checked. The rules are CUDA's, observed: "device" is taken at its word and refused for any other
 * address, pinned host memory and __managed__ variables excepted, which the device reaches; "host" allows device memory
 * too; and where there is nothing to copy, nothing is looked at, the kind included.
 *
 *     kind               destination   source         (-: any)
 *     HostToHost              -           -
 *     HostToDevice         device         -
 *     DeviceToHost            -         device
 *     DeviceToDevice       device       device
 *     Default                 -           -
 *
 * A synchronous call is work of a default stream, of the device that owns the memory: the legacy one or, under names
 * with _ptds, the thread's own.
 *
 * No data, no locks. Called by the files of this folder that copy and set; by replay/send.c, replay/condition_step.c
 * and driver/set.c, which set by vptr__cuda_set_elements(); and by replay/work_of.c, which checks ranges.
 */
#ifndef VPTR_CUDA_COPY_H
#define VPTR_CUDA_COPY_H

#include <vptr/cuda/driver_types.h>

#include <stdbool.h>

#include "transfer/async.h"

/* A call, as sentences about it begin. */
typedef struct vptr__cuda_call {
  const char *name, *destination, *source; /* "cudaMemcpy", "cudaMemcpy destination", "cudaMemcpy source" */
} vptr__cuda_call;

/* When a call's work is done: a synchronous one's on a default stream, NULL or cudaStreamPerThread. */
typedef struct vptr__cuda_when {
  bool synchronous;
  cudaStream_t stream;
  bool is_never; /* nothing is sent: the arguments are checked, and that is all */
} vptr__cuda_when;

static inline vptr__cuda_when vptr__cuda_now(void) {
  return (vptr__cuda_when){ true, NULL, false };
}

static inline vptr__cuda_when vptr__cuda_now_ptds(void) {
  return (vptr__cuda_when){ true, cudaStreamPerThread, false };
}

static inline vptr__cuda_when vptr__cuda_on(cudaStream_t stream) {
  return (vptr__cuda_when){ false, stream, false };
}

static inline vptr__cuda_when vptr__cuda_never(void) {
  return (vptr__cuda_when){ true, NULL, true };
}

typedef struct vptr__cuda_copy {
  const vptr__cuda_call *call;
  vptr__operand to, from; /* ptr, row and slice; the rest is filled in */
  size_t region[3];
  enum cudaMemcpyKind kind;
  vptr__cuda_when when;
} vptr__cuda_copy;

/* Does it. Changes what it fills in. */
cudaError_t vptr__cuda_copy_rect(vptr__cuda_copy *copy);

/* The same for a line of count bytes. */
cudaError_t vptr__cuda_copy_line(const vptr__cuda_call *call, void *dst, const void *src, size_t count,
                                 enum cudaMemcpyKind kind, vptr__cuda_when when);

/* Whether the memory is there, all of it, as far as can be known before work is sent: memory of a graph's counts as
 * there, launched or not, and pageable memory does unless a device must reach it. Errors: as those of a copy, said. */
cudaError_t vptr__cuda_check_range(const char *what, const void *ptr, size_t bytes, bool must_be_device);

/* set.c: rows of width elements, as cudaMemset2D() sets bytes. */
VPTR_API cudaError_t vptr__cuda_set_elements(const char *call, void *ptr, size_t pitch, const vptr__element *element,
                                             size_t width, size_t height, vptr__cuda_when when);

/* The stream that a call works on. owner: of the memory; NULL is the current device. */
cudaError_t vptr__cuda_stream_for(vptr_mapper *owner, vptr__cuda_when when, vptr__stream **stream_out);

#endif
