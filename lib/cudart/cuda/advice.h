/* SPDX-License-Identifier: MIT */
/*
 * advice - what a program said about pieces of its managed memory, and where it last sent them.
 *
 * Each allocation that anything was said about has a list of stretches, in order and without gaps, of pages of 4 KiB
 * for which the same was said. Stretches are cut where a call begins or ends inside one, and not joined again: programs
 * come back to the places that they named before. A page at either end may reach beyond the allocation; what a
 * neighbour on it was told is the neighbour's own, where CUDA has one answer for both.
 *
 * Nothing here knows when memory is freed: lib/cudart/managed/managed reports it before it frees any, by
 * vptr__cuda_advice_forget(). A variable's memory ends with its module, unreported; so a list is believed only if its
 * memory has the size that it was made for.
 *
 * Thread-safe. One lock, the static `lock` of advice.c, of rank LEAF, guards all lists. Called by advice_call.c,
 * managed.c and reset.c; what advice_call.c defines, by batch_managed.c and replay/send.c.
 */
#ifndef VPTR_CUDA_ADVICE_H
#define VPTR_CUDA_ADVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/cuda/driver_types.h>
#include <vptr/vptr.h>

#include "cuda/pointer.h"
#include "stream/stream.h"

typedef struct vptr__cuda_advice {
  struct cudaMemLocation preferred, prefetched; /* VPTR__CUDA_NOWHERE: not said */
  uint64_t devices;                             /* that use it: a bit for each, by ordinal */
  bool host;                                    /* the host does */
  bool is_read_mostly;
} vptr__cuda_advice;

#define VPTR__CUDA_NOWHERE ((struct cudaMemLocation){ cudaMemLocationTypeNone, cudaInvalidDeviceId })

/* Bytes of managed memory, at least one and all inside it. */
typedef struct vptr__cuda_range {
  vptr__cuda_managed memory;
  const void *begin;
  size_t size;
} vptr__cuda_range;

/* Changes what is said of a page; where is the caller's, handed through. */
typedef void (*vptr__cuda_advise)(vptr__cuda_advice *advice, const struct cudaMemLocation *where);

/* Does so for every page of a range. Errors: OUT_OF_HOST_MEMORY: nothing changed. */
vptr_status vptr__cuda_advice_change(const vptr__cuda_range *range, vptr__cuda_advise advise,
                                     const struct cudaMemLocation *where);

/* What was said of all pages of a range alike. */
vptr__cuda_advice vptr__cuda_advice_of(const vptr__cuda_range *range);

/* The memory that begins at base is about to be freed; all of a mapper's, and of variables, is. */
void vptr__cuda_advice_forget(const void *base);
void vptr__cuda_advice_forget_all(const vptr_mapper *mapper);

/* ---- advice_call.c, for batch.c ---- */

/* Whether bytes are managed memory, or of the process's own where the stream's device takes that; whether a location is
 * one for prefetches. What is wrong is said of the call. */
cudaError_t vptr__cuda_managed_check(const char *call, const void *ptr, size_t count, vptr__stream *stream);
cudaError_t vptr__cuda_location_check(const char *call, const struct cudaMemLocation *where);

/* A prefetch to a location that is one. */
cudaError_t vptr__cuda_prefetch(const char *call, const void *ptr, size_t count, const struct cudaMemLocation *where,
                                vptr__stream *stream);

#endif
