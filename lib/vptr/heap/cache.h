/* SPDX-License-Identifier: MIT */
/*
 * cache - buffers that nobody uses now.
 *
 * Making a buffer is dear: 20 to 90 us on an H200, and on a CPU device the first touch of every page. So a freed buffer
 * stays, at its addresses, until it has been idle for a second, or the cache holds more than its limit, or the device
 * runs out. There is no thread that watches the clock: age is looked at whenever buffers change hands, so an idle
 * program keeps at most the limit.
 *
 * Found by size, best fit, through a tree keyed by (size, window); trimmed by age through a list. Guarded by
 * vptr__heap.lock (state.h), of rank HEAP.
 */
#ifndef VPTR_HEAP_CACHE_H
#define VPTR_HEAP_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

#include "heap/range.h"
#include "tree/tree.h"

typedef struct vptr__cache {
  vptr__tree by_size;
  vptr__range *oldest, *newest;
  size_t bytes, limit;
  size_t small_bytes; /* of ranges up to 4 MiB: slabs, mostly */
} vptr__cache;

#define VPTR__CACHE_MAX_AGE_NS UINT64_C(1000000000)

vptr_status vptr__cache_init(vptr__cache *cache, size_t limit);
void vptr__cache_fini(vptr__cache *cache);

/* Takes over a range whose entries are tombstones. False, changing nothing, if it cannot be kept (too large, or no
 * host memory for the entry): then the caller lets it leave. */
bool vptr__cache_put(vptr__cache *cache, vptr__range *range, uint64_t now);

/* The smallest range of at least `bytes` and at most an eighth more, taken out, or NULL. */
vptr__range *vptr__cache_take(vptr__cache *cache, size_t bytes);

/* A range for a slab of about `bytes` with slots of `slot`, taken out, or NULL. A slab can be of any size, so this may
 * be twice as much, or down to a quarter: slabs of one class that have ended serve the next of another, and classes
 * that come and go do not each leave buffers here. */
vptr__range *vptr__cache_take_slab(vptr__cache *cache, size_t bytes, size_t slot);

/* Takes out the oldest range if it is too old or more than `keep` bytes are cached, else NULL. */
vptr__range *vptr__cache_evict(vptr__cache *cache, size_t keep, uint64_t now);

/* Takes out the oldest of the ranges up to 4 MiB, or NULL. */
vptr__range *vptr__cache_evict_small(vptr__cache *cache);

bool vptr__cache_is_valid(const vptr__cache *cache);

#endif
