/* SPDX-License-Identifier: MIT */
/*
 * pool_allocator - all the pools of a mapper, and what is known of the frees that its streams have not come to yet.
 * For the files of lib/vptr/pool only.
 *
 *     block      a place in the heap that a pool holds; live, or in bins
 *     free list  a stream, as pools see it: bins for each pool, with what was freed in that stream
 *     common     a pool's own bins: blocks whose work is known to be done, for any stream
 *
 *     allocate <--- free list's bins <--- free in the stream     at once, for the stream itself
 *         ^              |
 *         |              v  an event behind the free is reached, or everything was waited for
 *         +---------- common ----> heap, above the release threshold, when the program synchronises
 *
 * Time is counted in frees: a timestamp is the number of the latest one. A free list is done up to a timestamp when
 * all the work that its stream had at that time is complete. To know that costs an event in the stream, so an event is
 * recorded only when another stream looks for memory, or the program waits anyway; at most one of a free list is under
 * way. A stream that allocates what it freed itself needs none and makes no call of OpenCL.
 *
 * One lock, vptr__pool_allocator.lock, of rank POOL, guards everything but three: `current` is atomic; searches of
 * the tree of blocks take no lock; and the list of pools that a program may name (next_live) has a lock of its own
 * (pool.c). Streams, events and the heap are called with the lock held, except where a buffer is made or the whole
 * device is waited for on purpose. Giving memory back to the heap may have to wait for the device all the same, and
 * recording an event for another thread that sends.
 */
#ifndef VPTR_POOL_POOL_ALLOCATOR_H
#define VPTR_POOL_POOL_ALLOCATOR_H

#include <stdatomic.h>

#include "base/lock.h"
#include "mapper/mapper.h"
#include "stream/event.h"
#include "pool/pool.h"
#include "pool/bins.h"
#include "stream/state.h"
#include "tree/tree.h"

enum { VPTR__POOL_ALLOCATOR_BUCKETS = 64, VPTR__POOL_ALLOCATOR_KNOWN_SHIFT = 58 /* 2^6 places */ };

typedef struct vptr__free_list_bins {
  vptr__bins bins;
  vptr__pool *pool;
  struct vptr__free_list_bins *next;
} vptr__free_list_bins;

/* The free list's stream waits for everything that another had to do at a timestamp. */
typedef struct vptr__dependency {
  uint64_t id;               /* of the other stream */
  uint64_t timestamp;
} vptr__dependency;

typedef struct vptr__free_list {
  vptr__stream *stream;      /* NULL: destroyed */
  uint64_t id;               /* of the stream */
  struct vptr__free_list *next; /* in its bucket, or among the destroyed */
  vptr__free_list_bins *bins;
  size_t count;              /* blocks on them */
  uint64_t done;             /* frees up to this timestamp are complete */
  vptr__event *event;        /* made when first needed */
  uint64_t event_timestamp;  /* the timestamp that it stands for */
  bool is_pending;           /* recorded, and not known to be reached */
  vptr__dependency *dependencies;
  size_t dependency_count, dependency_capacity;
} vptr__free_list;

/* What an event of the program's stands for. */
typedef struct vptr__event_note {
  uint64_t id;               /* of the stream it was recorded in */
  uint64_t timestamp;
} vptr__event_note;

struct vptr__pool {
  struct vptr__pool_allocator *allocator;
  vptr__pool *next;          /* in the allocator */
  vptr__pool *next_live;     /* among all that a program may name */
  unsigned flags;
  bool is_destroyed;         /* by the program; goes with its last block */
  uint64_t threshold;
  size_t most;               /* reserved bytes at most */
  vptr__pool_stats stats;
  size_t blocks, live;       /* that it holds, and those of them that are not in bins */
  size_t holds;              /* allocations that look for memory without the lock */
  vptr__bins common;
};

typedef struct vptr__pool_allocator {
  vptr__lock lock;
  vptr_mapper *mapper;
  vptr__pool *pools;         /* all, destroyed ones with blocks included */
  vptr__pool *standard;      /* the default one */
  _Atomic(vptr__pool *) current;
  vptr__pool *adopted;       /* holds what was not allocated from a pool, but freed in a stream */
  vptr__tree blocks;         /* base -> vptr__block */
  /* some of them, by vptr__pool_allocator_place(); NULL: none */
  vptr__block *known[1 << (64 - VPTR__POOL_ALLOCATOR_KNOWN_SHIFT)];
  vptr__tree notes;          /* event -> vptr__event_note */
  uint64_t timestamp;        /* of the latest free */
  vptr__free_list *buckets[VPTR__POOL_ALLOCATOR_BUCKETS];
  vptr__free_list *recent;   /* of the stream that was asked for last; NULL: it may be gone */
  vptr__free_list *destroyed; /* free lists whose streams are gone, and whose frees may not be done */
} vptr__pool_allocator;

/* The mapper's allocator, or NULL if it has none. */
static inline vptr__pool_allocator *vptr__pool_allocator_if_any(vptr_mapper *mapper) {
  return vptr__mapper_state(mapper, VPTR__SUBSYSTEM_POOL);
}

/* Gives everything that was freed in streams back to the heap, after waiting for all work; false if that was
 * nothing. */
bool vptr__pool_allocator_reclaim(vptr_mapper *mapper);

/* Makes it if there is none; and the one that there is then. */
vptr_status vptr__pool_allocator_make(vptr_mapper *mapper, vptr__pool_allocator **allocator_out);
static inline vptr_status vptr__pool_allocator_of(vptr_mapper *mapper, vptr__pool_allocator **allocator_out) {
  vptr__pool_allocator *allocator = vptr__pool_allocator_if_any(mapper);
  if (allocator == NULL)
    return vptr__pool_allocator_make(mapper, allocator_out);
  *allocator_out = allocator;
  return VPTR_SUCCESS;
}

/* The block that begins at ptr, or NULL. Lock-free, but the block is the lock's. */
vptr__block *vptr__pool_allocator_block_at(const vptr__pool_allocator *allocator, const void *ptr);

/* Where a block is among the known ones, if it is: bases are multiples of large powers of two, which a product
 * mixes. */
static inline size_t vptr__pool_allocator_place(uintptr_t base) {
  return (size_t)((uint64_t)base * UINT64_C(0x9e3779b97f4a7c15) >> VPTR__POOL_ALLOCATOR_KNOWN_SHIFT);
}

/* The same with the lock held: what was freed last, and what came last, is found without a search. */
static inline vptr__block *vptr__pool_allocator_find(vptr__pool_allocator *allocator, const void *ptr) {
  vptr__block **place = &allocator->known[vptr__pool_allocator_place((uintptr_t)ptr)];
  if (*place != NULL && (*place)->base == (uintptr_t)ptr)
    return *place;
  vptr__block *block = vptr__pool_allocator_block_at(allocator, ptr);
  if (block != NULL)
    *place = block;
  return block;
}

/* Takes a block in, for which the tree has a node, or out of the allocator; it stays the caller's. With the lock
 * held. */
void vptr__pool_allocator_enter(vptr__pool_allocator *allocator, vptr__block *block);
void vptr__pool_allocator_leave(vptr__pool_allocator *allocator, const vptr__block *block);

/* Everything that was freed up to a timestamp is done, for all streams were waited for since. With the lock held. */
void vptr__pool_allocator_done(vptr__pool_allocator *allocator, uint64_t timestamp);

/* Gives back what is above the pools' thresholds. With the lock held. */
void vptr__pool_allocator_shrink(vptr__pool_allocator *allocator);

/* ---- free_list.c; with the lock held ------------------------------------------------------------------------ */

/* The free list of a live stream, made if need be. Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__free_list_have(vptr__pool_allocator *allocator, vptr__stream *stream,
                                 vptr__free_list **free_list_out);
static inline vptr_status vptr__free_list_of(vptr__pool_allocator *allocator, vptr__stream *stream,
                                             vptr__free_list **free_list_out) {
  if (allocator->recent == NULL || allocator->recent->id != stream->id)
    return vptr__free_list_have(allocator, stream, free_list_out);
  *free_list_out = allocator->recent;
  return VPTR_SUCCESS;
}

/* The free list of the stream that has an id, or NULL. */
vptr__free_list *vptr__free_list_find(const vptr__pool_allocator *allocator, uint64_t id);

/* Its bins for a pool. Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__free_list_bins_of(vptr__free_list *free_list, vptr__pool *pool, vptr__bins **bins_out);
vptr__bins *vptr__free_list_bins_if_any(const vptr__free_list *free_list, const vptr__pool *pool);

/* Takes the bins of a pool that goes away out of all free lists; they are empty. */
void vptr__free_list_drop_pool(vptr__pool_allocator *allocator, const vptr__pool *pool);

/* Puts a block in bins of the free list's, and takes one out of whatever bins it is in. */
void vptr__free_list_put(vptr__free_list *free_list, vptr__bins *bins, vptr__block *block);
void vptr__free_list_take(vptr__block *block);

/* Puts the free list's event behind everything that its stream has now; what was said when that failed is forgotten. */
void vptr__free_list_record(vptr__pool_allocator *allocator, vptr__free_list *free_list);

/* Looks whether the event was reached, and moves what is done to the pools. Never blocks. */
void vptr__free_list_poll(vptr__pool_allocator *allocator, vptr__free_list *free_list);

/* Polls, and sees to it that there is an event if something is not done; a visit. */
void vptr__free_list_look(vptr__pool_allocator *allocator, vptr__free_list *free_list, void *context);

/* All work up to a timestamp is complete. */
void vptr__free_list_done(vptr__pool_allocator *allocator, vptr__free_list *free_list, uint64_t timestamp);

/* Calls visit for each free list, those of destroyed streams included; visit may make the free list go away. */
void vptr__free_list_each(vptr__pool_allocator *allocator,
                          void (*visit)(vptr__pool_allocator *allocator, vptr__free_list *free_list, void *context),
                          void *context);

/* The timestamp of another stream that the free list comes behind, 0 if there is none; and one more such. */
uint64_t vptr__free_list_dependency(const vptr__free_list *free_list, uint64_t id);
void vptr__free_list_depend(const vptr__pool_allocator *allocator, vptr__free_list *free_list, uint64_t id,
                            uint64_t timestamp);

/* All free lists, at the end; what is in their bins is no longer there. */
void vptr__free_list_free_all(vptr__pool_allocator *allocator);

/* ---- pool.c; with the lock held ------------------------------------------------------------------------ */

/* A new pool of the allocator. Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__pool_make(vptr__pool_allocator *allocator, size_t most, vptr__pool **pool_out);

/* What the program sets and counts of a pool is as when it was made. */
void vptr__pool_renew(vptr__pool *pool);

/* The program's handle has ended: the pool goes, now or with its last block, and is not the current one. */
void vptr__pool_end(vptr__pool *pool);

/* Gives back what is in the common bins, the longest unused first, while more than keep bytes are reserved. */
void vptr__pool_shrink(vptr__pool *pool, uint64_t keep);

/* Bytes that are in use and reserved from now on, or no longer. */
static inline void vptr__pool_count(vptr__pool *pool, int64_t used, int64_t reserved) {
  vptr__pool_stats *stats = &pool->stats;
  stats->used += (uint64_t)used;
  stats->reserved += (uint64_t)reserved;
  if (used > 0 && stats->used_high < stats->used)
    stats->used_high = stats->used;
  if (reserved > 0 && stats->reserved_high < stats->reserved)
    stats->reserved_high = stats->reserved;
}

/* One block has left the pool, which goes if it was destroyed and that was the last. */
void vptr__pool_left(vptr__pool *pool);

/* The pool stays until as many holds are released, destroyed or not: for allocations that give the lock back. Both with
 * the lock held. */
void vptr__pool_hold(vptr__pool *pool);
void vptr__pool_release_hold(vptr__pool *pool);

/* Among the pools that a program may name, and no longer. Without any lock needed. */
void vptr__pool_list(vptr__pool *pool);
void vptr__pool_unlist(vptr__pool *pool);

/* A block, in no bins, whose free is done: to the common bins, or back to the heap if the pool is destroyed. */
void vptr__pool_accept(vptr__pool *pool, vptr__block *block);

/* Gives a block, in no bins, back to the heap. The pool may go with it. */
void vptr__pool_release(vptr__pool *pool, vptr__block *block);

#endif
