/* SPDX-License-Identifier: MIT */
/*
 * plan - what a handle of cuFFT's stands for: a device, a stream, a shape, and the engines made for it.
 *
 * A handle is a number: a place in a table, and how often that was used, so that a destroyed one is told from a later
 * one. Who uses a plan holds it: one that is destroyed meanwhile ends with the last hold. A plan is of the device that
 * was current when its shape was made, whatever is current later.
 *
 * Locks: `lock` of plan.c, of rank LEAF, guards the table and the counts; vptr__fft_plan.lock, of rank UNIT, one a
 * plan, guards its engines, and is held while one is made or sends. Settings are the program's to order, as in cuFFT.
 */
#ifndef VPTR_CUFFT_PLAN_H
#define VPTR_CUFFT_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/lock.h"
#include "cufft/engine.h"
#include "cufft/shape.h"
#include "cufft/status.h"
#include "mapper/mapper.h"

/* A direction for complex transforms, and placements: where sides lie as they are, packed, or are one memory. */
enum { VPTR__FFT_ENGINES = 12 };

typedef struct vptr__fft_plan {
  cufftHandle handle;
  int holds;               /* and one of the table, until it is destroyed */
  bool is_made;
  bool allocates;          /* what it works in, itself */
  bool is_by_complex;      /* VkFFT has no way for reals of this length: they are made complex */
  vptr_mapper *mapper;
  cudaStream_t stream;
  vptr__fft_shape shape;
  size_t work_size;        /* bytes, of work that was foreseen */
  void *work_area;         /* the program's, or NULL */
  vptr__lock lock;
  struct {
    vptr__fft_request request;
    vptr__fft_engine *engine;
  } engines[VPTR__FFT_ENGINES];
  int engine_count;
  uint64_t generation;     /* of the device that they were made for: a proxy may mean another one by now */
} vptr__fft_plan;

/* The plan of a handle, held; else INVALID_PLAN, which is said in the words of `call`. */
cufftResult vptr__fft_plan_hold(const char *call, cufftHandle handle, vptr__fft_plan **plan_out);
void vptr__fft_plan_release(vptr__fft_plan *plan);

/* With the plan's lock held, and its device (vptr__device_hold()): the engine of a request, made if there is none;
 * those for a device that was left go. Errors: as vptr__fft_engine_create(). */
vptr_status vptr__fft_plan_engine(vptr__fft_plan *plan, const vptr__fft_request *request,
                                  vptr__fft_engine **engine_out);

#endif
