/* SPDX-License-Identifier: MIT */
/*
 * survey - where all buffers of a heap lie on the device: for kernels that follow pointers in memory
 * (mapper/translation_table).
 *
 * It lists every buffer that has addresses, also one in which nothing is live just now, for something may be issued
 * in it later without a new survey. So a survey holds until a buffer comes or goes, and the heap counts that. Each
 * buffer listed counts as one whose device address was handed out: it is released only when the device has nothing to
 * do.
 *
 * Takes vptr__heap.lock, of rank HEAP, for moments; the device is asked without it, once for each buffer in its life.
 */
#ifndef VPTR_HEAP_SURVEY_H
#define VPTR_HEAP_SURVEY_H

#include "heap/heap.h"

typedef struct vptr__survey_line {
  uintptr_t base;   /* of the buffer, among the mapper's addresses; the start of a window */
  size_t bytes;
  uint32_t windows; /* that it has for itself */
  uint64_t address; /* on the device */
  bool is_apart;    /* what it is a part of goes on elsewhere there (heap/span.h) */
} vptr__survey_line;

typedef struct vptr__survey {
  vptr__survey_line *lines; /* rising by base; vptr__memory_free()'s */
  size_t count;
  uint64_t serial;          /* that of the heap before the first look: later changes may be missing */
} vptr__survey;

/* Rises when a buffer comes or goes. Without a lock. */
uint64_t vptr__survey_serial(const vptr__heap *heap);

/* The buffer that is nearest to a device's address, of those whose own was asked for. */
typedef struct vptr__survey_near {
  uint64_t gap;         /* bytes between the two; 0: it lies inside */
  uint64_t device_base; /* of the buffer */
  uintptr_t base;       /* of it, among the mapper's addresses */
  const void *ptr;      /* the byte of it that is nearest */
} vptr__survey_near;

/* False if there is none. Takes no lock, for a process that is dying: exact if nothing comes or goes meanwhile. */
bool vptr__survey_nearest(vptr__heap *heap, uint64_t address, vptr__survey_near *near_out);

/* Errors: UNSUPPORTED where the device tells no addresses, OUT_OF_HOST_MEMORY, OPENCL. */
vptr_status vptr__survey_make(vptr__heap *heap, vptr__survey *survey_out);

#endif
