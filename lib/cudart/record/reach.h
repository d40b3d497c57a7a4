/* SPDX-License-Identifier: MIT */
/*
 * reach - the memory that a launch reaches, and what is in it.
 *
 * Areas are whole allocations: those that arguments point into, variables that the kernel names, and, if it follows
 * pointers that lie in memory, those that words of such memory point into, and so on. A word is taken for a pointer if
 * it is the address of live memory that the launch's device has; one that only looks like it costs room in the file,
 * and one that the kernel computes from something else (an exclusive or, say) is missed.
 *
 * A vptr__reach is a variable of the thread that records the launch: no locks. Used by recorder.c.
 */
#ifndef VPTR_RECORD_REACH_H
#define VPTR_RECORD_REACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "module/module.h"
#include "record/format.h"

typedef struct vptr__reach_area {
  uintptr_t address;
  size_t size;
  uintptr_t buffer;
  vptr__area_kind kind;
  const void *site;            /* where it was allocated; NULL: not known */
  const char *name;            /* of a variable */
  unsigned char *bytes;        /* as they were when they were read */
} vptr__reach_area;

typedef struct vptr__reach {
  vptr_mapper *mapper;
  vptr__reach_area *areas;
  struct vptr__reach_key { uintptr_t base; uint32_t area; } *keys; /* by base */
  uint32_t count, room;
  char refusal[256];           /* why it cannot be recorded; empty: it can */
} vptr__reach;

/* Finds all areas of a launch, whose parameters are as CUDA lays them out, and reads them: no work of the device's is
 * under way. False: refusal says why. Whatever it returns, vptr__reach_free() comes after it. */
bool vptr__reach_find(vptr__reach *reach, vptr_mapper *mapper, vptr__function *function,
                      const unsigned char *parameters);
void vptr__reach_free(vptr__reach *reach);

/* Reads bytes of an area as they are now. */
vptr_status vptr__reach_read(const vptr__reach *reach, const vptr__reach_area *area, size_t offset, void *bytes,
                             size_t size);

#endif
