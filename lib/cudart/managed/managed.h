/* SPDX-License-Identifier: MIT */
/*
 * managed - managed memory: one address for host and kernels. cudaMallocManaged() and shared USM both come here.
 *
 * In which of two modes it is kept, mapper/managed_mode.h says: pinned memory in place, or a mirror. (Shared virtual
 * memory of OpenCL 2 is no third one: where it is fine-grained, pinned memory in place does the same; coarse-grained,
 * it has to be mapped by a call before the host may touch it, which programs written for CUDA do not make.)
 *
 * Thread-safe. No locks of its own: it takes those of mirrors, of rank MIRROR, of their address index, of rank LEAF,
 * and of pinned memory (pinned/pinned.h). Used by cuda/managed.c, advice_call.c, pointer.c, host.c, memory.c and
 * word.c, and by the files of lib/cudart/usm.
 */
#ifndef VPTR_MANAGED_MANAGED_H
#define VPTR_MANAGED_MANAGED_H

#include <stdbool.h>

#include "mapper/managed_mode.h"
#include "mapper/mapper.h"
#include "pinned/pinned.h"
#include "stream/stream.h"

/* size at least 1; aligned to 256 bytes; contents undefined. The mapper is one of the process's own. Errors: those of
 * vptr__pinned_allocate() and vptr__mirror_create(). */
vptr_status vptr__managed_allocate(vptr_mapper *mapper, size_t size, void **host_out);

/* Waits for the kernels that use it, and frees it: host is where it begins. Errors: those of vptr__pinned_free();
 * nothing was freed then. */
vptr_status vptr__managed_free(void *host);

/* All that a mapper has, as vptr__managed_free() does it; but what lies in place vptr__pinned_clear() frees. */
void vptr__managed_clear(const vptr_mapper *mapper);

/* Brings size bytes of managed memory to a mapper's device, or to the host (NULL), ahead of who will use them there; it
 * does nothing where they are in place. To the device it blocks until they are there; to the host it is work of the
 * stream (prefetch_task.h), which is not looked at otherwise. Errors: those of vptr__mirror_acquire() and
 * vptr__prefetch_task_send(). */
vptr_status vptr__managed_bring(void *host, size_t size, vptr_mapper *to, vptr__stream *stream);

/* For those above, who remember things about such memory (cuda/advice.h): from now on forget is called with where it
 * begins before any is freed by the above, whoever frees it. */
void vptr__managed_watch_frees(void (*forget)(const void *host));

/* An allocation of managed memory. */
typedef struct vptr__managed_place {
  vptr_mapper *mapper;
  void *base;
  size_t size;
  vptr__managed_mode way;
} vptr__managed_place;

/* The live one that an address lies in; false if there is none. Takes a lock of rank LEAF if it is a mirror. */
bool vptr__managed_find(const void *host, vptr__managed_place *place_out);

/* The same for who has asked vptr__pinned_find() already. */
bool vptr__managed_find_at(const void *host, const vptr__pinned_place *pinned, vptr__managed_place *place_out);

#endif
