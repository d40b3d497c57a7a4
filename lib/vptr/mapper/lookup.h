/* SPDX-License-Identifier: MIT */
/*
 * lookup - live device memory found without a call: inline look-ups in the mapper's `view`, which never changes. No
 * locks; no data. Used by lookup.c and cudart/cuda/pointer.c.
 *
 * Pinned memory and the kinds of memory made of it belong to libvptr-cudart, which stands on this library:
 * vptr_resolve() asks it (base/subsystem.h: locate_host), and without it no host memory is known.
 */
#ifndef VPTR_MAPPER_LOOKUP_H
#define VPTR_MAPPER_LOOKUP_H

#include <vptr/vptr.h>

#include "mapper/mapper.h"

/* By the inline look-up, since serial numbers, which lie apart, are not asked for. False: vptr__mapper_locate() knows;
 * debug builds have it compare each answer with the tree's. */
VPTR_FAST_INLINE bool vptr__lookup_at_once(const vptr_mapper *mapper, const void *ptr, vptr_fast_extent *found_out) {
#ifdef VPTR_DEBUG
  (void)mapper, (void)ptr, (void)found_out;
  return false;
#else
  return vptr_fast_locate(&mapper->view, ptr, 1, found_out) != 0;
#endif
}

/* Whether a live allocation that the mapper made has the byte, likewise. What is attached instead is seen by its
 * entry, which stays as it is as long as anything on it is live. */
VPTR_FAST_INLINE bool vptr__lookup_is_ours_at_once(const vptr_mapper *mapper, const void *ptr) {
  vptr_fast_extent found;
  const vptr_fast *view = &mapper->view;
  return vptr__lookup_at_once(mapper, ptr, &found) &&
         VPTR_FAST_READ(view->entries[vptr_fast_distance(view, ptr) >> view->shift].kind) != VPTR_FAST_ATTACHED;
}

#endif
