/* SPDX-License-Identifier: MIT */
/*
 * reclaim - device memory on a full device: who gives up what others can use, and in which order.
 *
 *     1  the heap         what it has idle (heap.h: vptr__heap_give_idle())
 *     2  the library      what its copies keep for the next one
 *     3  pools            what was freed in streams, once the device's work is done
 *     4  the heap         nearly empty slabs are packed (heap/packing.h); allocations that were used longest ago go
 *                         to the host, if they may (heap/residence.h)
 *     5  managed memory   mirrors go to the host, the one that was used longest ago first (mirror/resident_set.h)
 *
 * What nobody uses goes before what somebody does. All are the mapper's, but mirrors, which are the device's; and
 * behind its own allocations, those of other mappers on the device, with what these have idle before.
 * Whatever needs device memory comes here, so that an array or managed memory is not refused where an allocation is
 * not: memory.c, pool/reuse.c, mirror/backing.c, cudart/image/image.c. Pools and managed memory stand above, and are
 * called by base/subsystem.h.
 *
 *     vptr__reclaim request = vptr__reclaim_begin(mapper, false);
 *     status = vptr__reclaim_insist(&request, make, &what);
 *
 * No locks here. To insist takes those of the heap, of pools (rank POOL) and of mirrors (rank MIRROR), waits for work
 * of the device's, and for other threads' large copies. Not between vptr__stream_begin() and _end(): who has the pools'
 * lock may wait for that stream.
 */
#ifndef VPTR_MAPPER_RECLAIM_H
#define VPTR_MAPPER_RECLAIM_H

#include "base/subsystem.h"
#include "mapper/mapper.h"

typedef struct vptr__reclaim {
  vptr_mapper *mapper;
  vptr__device *device;
  bool may_wait;   /* until others have sent what they are about to send; else for a moment at most */
  vptr__heap_patience patience; /* the heap's */
  bool is_early;   /* the last answer: they still are, and may give later */
  uint64_t seen;   /* the rest is the reclaimer's: which changes it has told of, */
  uint64_t until;  /* when the moment is over, */
  uint64_t given;  /* how many bytes it gave, */
  unsigned again;  /* how often it said "once more" without having given any */
} vptr__reclaim;

/* Whoever may hold locks that others need to send their work may not wait until they have. */
static inline vptr__reclaim vptr__reclaim_begin(vptr_mapper *mapper, bool may_wait) {
  return (vptr__reclaim){ .mapper = mapper, .device = mapper->device, .may_wait = may_wait };
}

/* Makes what needs device memory. OUT_OF_DEVICE_MEMORY, and OUT_OF_ADDRESSES of the heap's: there was no room. */
typedef vptr_status vptr__reclaim_attempt(void *context);

/* The attempt, and once more without what the heap has idle, if there is no room and that is anything. What was said of
 * an attempt that was made up for is forgotten. */
vptr_status vptr__reclaim_try(vptr_mapper *mapper, vptr__reclaim_attempt *attempt, void *context);

/* The same until there is room, or nobody has anything left to give. */
VPTR_API vptr_status vptr__reclaim_insist(vptr__reclaim *reclaim, vptr__reclaim_attempt *attempt, void *context);

#endif
