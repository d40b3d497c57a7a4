/* SPDX-License-Identifier: MIT */
/*
 * cache - see cache.h: idle buffers, found by size and trimmed by age.
 *
 * A vptr__cache is the field `cache` of its heap (heap/state.h). The file changes its tree `by_size`, its list from
 * `oldest` to `newest` and its sums of bytes, and of the ranges in it `role`, `idle_since`, `next` and `prev`; the
 * ranges themselves stay the heap's. vptr__heap.lock, of rank HEAP, guards all of it: callers hold it, but when the
 * heap begins and ends. Nothing blocks. Called by heap.c, which puts buffers in and takes them out, and by query.c,
 * which checks it.
 */
#include "heap/cache.h"

enum { NEIGHBOURS = 8 /* by size, that are looked at for a slab on either side */ };
enum { SMALL = 4 << 20 /* bytes: of slabs, mostly */ };

/* Size in units of 256 bytes above, window number below: unique, and ordered by size first. Buffers are below
 * 2^48 bytes and windows below 2^24. */
static uint64_t size_key(size_t bytes, uint32_t window) {
  return (uint64_t)((bytes + 255) >> 8) << 24 | window;
}

static bool is_small(const vptr__range *range) {
  return range->bytes <= SMALL;
}

vptr_status vptr__cache_init(vptr__cache *cache, size_t limit) {
  *cache = (vptr__cache){ .limit = limit };
  return vptr__tree_init(&cache->by_size);
}

void vptr__cache_fini(vptr__cache *cache) {
  vptr__tree_fini(&cache->by_size);
}

static void list_append(vptr__cache *cache, vptr__range *range) {
  range->next = NULL;
  range->prev = cache->newest;
  if (cache->newest != NULL)
    cache->newest->next = range;
  else
    cache->oldest = range;
  cache->newest = range;
}

static void list_remove(vptr__cache *cache, vptr__range *range) {
  if (range->prev != NULL)
    range->prev->next = range->next;
  else
    cache->oldest = range->next;
  if (range->next != NULL)
    range->next->prev = range->prev;
  else
    cache->newest = range->prev;
  range->next = range->prev = NULL;
}

bool vptr__cache_put(vptr__cache *cache, vptr__range *range, uint64_t now) {
  if (range->bytes > cache->limit || vptr__tree_reserve(&cache->by_size) != VPTR_SUCCESS)
    return false;
  vptr__tree_insert(&cache->by_size, size_key(range->bytes, range->window), (uintptr_t)range);
  list_append(cache, range);
  range->role = VPTR__ROLE_IDLE;
  range->idle_since = now;
  cache->bytes += range->bytes;
  cache->small_bytes += is_small(range) ? range->bytes : 0;
  return true;
}

static void take_out(vptr__cache *cache, vptr__range *range) {
  vptr__tree_remove(&cache->by_size, size_key(range->bytes, range->window), NULL);
  list_remove(cache, range);
  range->role = VPTR__ROLE_NONE;
  cache->bytes -= range->bytes;
  cache->small_bytes -= is_small(range) ? range->bytes : 0;
}

vptr__range *vptr__cache_take(vptr__cache *cache, size_t bytes) {
  uintptr_t value;
  if (!vptr__tree_find_ge(&cache->by_size, size_key(bytes, 0), NULL, &value))
    return NULL;
  vptr__range *range = (vptr__range *)value;
  if (range->bytes - bytes > bytes / 8)
    return NULL;
  take_out(cache, range);
  return range;
}

/* What slots leave over is lost while the range is a slab. */
static bool serves_slab(const vptr__range *range, size_t slot) {
  return range->bytes >= slot && range->bytes % slot <= range->bytes / 8;
}

static vptr__range *find_larger(const vptr__cache *cache, size_t bytes, size_t slot) {
  uint64_t key = size_key(bytes, 0);
  uintptr_t value;
  for (int i = 0; i < NEIGHBOURS && vptr__tree_find_ge(&cache->by_size, key, &key, &value); i++, key++) {
    vptr__range *range = (vptr__range *)value;
    if (range->bytes / 2 > bytes)
      return NULL;
    if (serves_slab(range, slot))
      return range;
  }
  return NULL;
}

static vptr__range *find_smaller(const vptr__cache *cache, size_t bytes, size_t slot) {
  uint64_t key = size_key(bytes, 0);
  uintptr_t value;
  for (int i = 0; i < NEIGHBOURS && key > 0 && vptr__tree_find_le(&cache->by_size, key - 1, &key, &value); i++) {
    vptr__range *range = (vptr__range *)value;
    if (range->bytes < bytes / 4)
      return NULL;
    if (serves_slab(range, slot))
      return range;
  }
  return NULL;
}

vptr__range *vptr__cache_take_slab(vptr__cache *cache, size_t bytes, size_t slot) {
  vptr__range *range = find_larger(cache, bytes, slot);
  if (range == NULL)
    range = find_smaller(cache, bytes, slot);
  if (range != NULL)
    take_out(cache, range);
  return range;
}

vptr__range *vptr__cache_evict_small(vptr__cache *cache) {
  vptr__range *range = cache->oldest;
  while (range != NULL && !is_small(range))
    range = range->next;
  if (range != NULL)
    take_out(cache, range);
  return range;
}

vptr__range *vptr__cache_evict(vptr__cache *cache, size_t keep, uint64_t now) {
  vptr__range *oldest = cache->oldest;
  if (oldest == NULL || (cache->bytes <= keep && now - oldest->idle_since < VPTR__CACHE_MAX_AGE_NS))
    return NULL;
  take_out(cache, oldest);
  return oldest;
}

bool vptr__cache_is_valid(const vptr__cache *cache) {
  size_t bytes = 0, small = 0, count = 0;
  for (const vptr__range *range = cache->oldest; range != NULL; range = range->next) {
    uintptr_t value;
    uint64_t key = size_key(range->bytes, range->window), found;
    if (!vptr__tree_find_ge(&cache->by_size, key, &found, &value) || found != key || value != (uintptr_t)range ||
        range->role != VPTR__ROLE_IDLE)
      return false;
    bytes += range->bytes;
    small += is_small(range) ? range->bytes : 0;
    count++;
  }
  return bytes == cache->bytes && small == cache->small_bytes && count == vptr__tree_count(&cache->by_size) &&
         vptr__tree_is_valid(&cache->by_size);
}
