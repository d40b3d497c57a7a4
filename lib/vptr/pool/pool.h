/* SPDX-License-Identifier: MIT */
/*
 * pool - memory that is allocated and freed in the order of streams: what CUDA calls a memory pool.
 *
 * An allocation may be used by work that its stream gets afterwards, and by whatever else comes behind that. A free
 * takes effect at its place in the stream: work that was queued before may still use the memory. For the host, the
 * allocation ends with the call: look-ups say freed.
 *
 * Where the memory goes meanwhile:
 *   - The stream itself gets it again at once, without waiting: its work is in order.
 *   - Another stream gets it when the work before the free is known to be done (OPPORTUNISTIC), or that stream
 *     is known to wait for it (FOLLOW), or, before an allocation fails, by being made to wait for it (DEPEND).
 *   - The heap gets it back when the work is done: what is above the threshold when the program synchronises, on trim,
 *     and when the device is full.
 *
 * Bytes in use are those asked for; reserved ones are those of the heap's places, live and held. With a quarantine
 * nothing is used again: freed memory goes back to the heap, which keeps it from use.
 *
 * Thread-safe, every call, but that a pool which a caller names must not be destroyed while another thread uses it.
 * Locks: vptr__pool_allocator.lock (pool_allocator.h), of rank POOL, one a mapper, which is held while the heap gets
 * memory back and may have to wait for the device. `live_lock` (pool.c), of rank LEAF, is taken where a pool is made,
 * ended or looked up as live. Which pool is current is atomic, and no lock guards it. The functions below the last
 * line are called in place of those of streams and events, or around a wait, so that pools know how far streams are.
 */
#ifndef VPTR_POOL_POOL_H
#define VPTR_POOL_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

#include "stream/event.h"
#include "stream/stream.h"

typedef struct vptr__pool vptr__pool;

enum {
  VPTR__POOL_FOLLOW = 1,
  VPTR__POOL_OPPORTUNISTIC = 2,
  VPTR__POOL_DEPEND = 4,
  VPTR__POOL_ALL_REUSE = 7
};

typedef struct vptr__pool_stats {
  uint64_t reserved, reserved_high, used, used_high; /* bytes; high: the most since it was reset */
} vptr__pool_stats;

/* A pool of at most `most` reserved bytes (0: as many as there are), with all reuse allowed and a threshold of 0. */
VPTR_API vptr_status vptr__pool_create(vptr_mapper *mapper, size_t most, vptr__pool **pool_out);

/* The handle ends at once, the pool when its last allocation was freed and that is done. If it was the current one,
 * the default one is now. Errors: INVALID_ARGUMENT for the default one. */
VPTR_API vptr_status vptr__pool_destroy(vptr__pool *pool);

/* The mapper's default pool and its current one: the default one until another is made it. */
VPTR_API vptr_status vptr__pool_default(vptr_mapper *mapper, vptr__pool **pool_out);
VPTR_API vptr_status vptr__pool_current(vptr_mapper *mapper, vptr__pool **pool_out);
VPTR_API void vptr__pool_make_current(vptr__pool *pool);

/* Whether a value is a live pool of any mapper. */
VPTR_API bool vptr__pool_is_live(const void *pool);

VPTR_API vptr_mapper *vptr__pool_mapper(const vptr__pool *pool);
VPTR_API unsigned vptr__pool_flags(vptr__pool *pool);
/* Clears some and sets others, in one step. */
VPTR_API void vptr__pool_change_flags(vptr__pool *pool, unsigned clear, unsigned set);
VPTR_API uint64_t vptr__pool_threshold(vptr__pool *pool);
VPTR_API void vptr__pool_set_threshold(vptr__pool *pool, uint64_t bytes);
VPTR_API void vptr__pool_get_stats(vptr__pool *pool, vptr__pool_stats *stats_out);

/* The high marks (reserved_high, used_high) come down to the present values. */
VPTR_API void vptr__pool_reset_reserved_high(vptr__pool *pool);
VPTR_API void vptr__pool_reset_used_high(vptr__pool *pool);

/* pool: NULL for the current one of the stream's mapper. size at least 1. site: the caller's return address, for
 * traces. Errors: as vptr_malloc(); INVALID_ARGUMENT if pool and stream are of different mappers. */
VPTR_API vptr_status vptr__pool_allocate(vptr__pool *pool, size_t size, vptr__stream *stream, const void *site,
                                         void **ptr_out);

/* Frees any allocation of the mapper, in any pool or in none, in the order of a stream. A stream of another mapper,
 * and an attached buffer, are waited for; if their work failed that is returned, and the memory is freed all the same.
 * Other errors: as vptr_free(), said with `what` as the call's name. */
VPTR_API vptr_status vptr__pool_free(vptr_mapper *mapper, void *ptr, vptr__stream *stream, const char *what);

/* Gives back to the heap what is done, the longest unused first, while more than keep bytes are reserved. */
VPTR_API void vptr__pool_trim(vptr__pool *pool, size_t keep);

/* The pools of a mapper are as if none had been used: those that were created end; the default one stays, current,
 * empty and with the settings it began with. After vptr_clear(), and before the streams are closed. */
VPTR_API void vptr__pool_reset_all(vptr_mapper *mapper);

/* Every invariant of the mapper's pools, for tests. CORRUPT, with words. */
vptr_status vptr__pool_check(vptr_mapper *mapper);

/* ---- for those who wait, and who make streams wait: the program's events, seen by pools ---------------------- */

/* As vptr__event_record(), vptr__stream_wait() and vptr__event_destroy(); pools know then who waits for whose frees. */
VPTR_API vptr_status vptr__pool_event_record(vptr__event *event, vptr__stream *stream);
VPTR_API vptr_status vptr__pool_stream_wait(vptr__stream *stream, vptr__event *event);
VPTR_API vptr_status vptr__pool_event_destroy(vptr__event *event);

/* Around a wait for a stream, or for all of a mapper (stream NULL); and after one for an event. They look how far the
 * frees have come, and give back what is above the thresholds. Without any lock held. */
VPTR_API void vptr__pool_before_wait(vptr_mapper *mapper, vptr__stream *stream);
VPTR_API void vptr__pool_after_wait(vptr_mapper *mapper);
VPTR_API void vptr__pool_after_event(vptr__event *event);

/* A stream is about to go: it is still live, and gets no more work. Without any lock held. */
void vptr__pool_stream_gone(vptr__stream *stream);

#endif
