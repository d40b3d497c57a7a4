/* SPDX-License-Identifier: MIT */
/*
 * depot - where a device's pinned memory comes from: chunks for small blocks, and idle large regions (depot.h).
 *
 * The static `all` has one vptr__depot for each device, made on first use and never freed; its member `lock`, of rank
 * MAPPING, is held while one is made, and its pointers, which are atomic, are read without it. A depot has two locks of
 * its own: `growing`, of rank MAPPING, held while a chunk is made, guards `next_chunk`, and `carving`, of rank LEAF,
 * guards what is left of the latest chunk. Its list of idle regions and their `idle_bytes` are guarded by the
 * registry's lock (vptr__region_lock()), of rank HEAP.
 *
 * Called by pinned.c for each allocation and free, and to trim; by restored.c, before it makes regions; and by the
 * two supplies, supply_class.c and supply_jemalloc.c, for vptr__depot_carve(), under jemalloc's own locks where that
 * is the supply. To make a chunk takes as long as the driver takes to pin it, and other threads that need one wait
 * meanwhile; what is left of the chunk before is lost to small blocks. If pinning fails, all idle regions are given
 * back, and it is tried once more; if it fails again, the driver's error is returned. To give a large region back
 * unpins the oldest idle ones beyond vptr_config.idle_bytes, which may take as long.
 */
#include "pinned/depot.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "pinned/chunk.h"
#include "pinned/supply.h"

#define MIB ((size_t)1 << 20)

/* The first chunk is small, for the many programs that pin a few flags and counters; then they double. */
static const size_t FIRST_CHUNK = 4 * MIB, LARGEST_CHUNK = 64 * MIB;

/* Large regions come in steps, so that a freed one fits its like. */
static const size_t STEP = (size_t)64 << 10;

static struct {
  vptr__lock lock; /* held while a depot is made */
  _Atomic(vptr__depot *) depots[VPTR__MOST_DEVICES];
} all = { .lock = VPTR__LOCK_INIT(VPTR__RANK_MAPPING) };

/* ---- life ----------------------------------------------------------------------------------------------- */

static vptr_status make_depot(vptr_mapper *mapper, int ordinal, vptr__depot **depot_out) {
  vptr__depot *depot = vptr__memory_calloc(1, sizeof *depot);
  if (depot == NULL)
    return vptr__error_host_memory(sizeof *depot);
  depot->mapper = mapper;
  depot->next_chunk = FIRST_CHUNK;
  vptr__lock_init(&depot->growing, VPTR__RANK_MAPPING);
  vptr__lock_init(&depot->carving, VPTR__RANK_LEAF);
  vptr_status status = vptr__supply_create(depot, ordinal, &depot->supply);
  if (status == VPTR_SUCCESS) {
    *depot_out = depot;
    return status;
  }
  vptr__lock_fini(&depot->growing);
  vptr__lock_fini(&depot->carving);
  vptr__memory_free(depot);
  return status;
}

static vptr_status find_or_make(vptr_mapper *mapper, int ordinal, vptr__depot **depot_out) {
  vptr_status status = VPTR_SUCCESS;
  vptr__lock_take(&all.lock);
  vptr__depot *depot = atomic_load(&all.depots[ordinal]);
  if (depot == NULL)
    status = make_depot(mapper, ordinal, &depot);
  if (status == VPTR_SUCCESS) {
    atomic_store_explicit(&all.depots[ordinal], depot, memory_order_release);
    *depot_out = depot;
  }
  vptr__lock_give(&all.lock);
  return status;
}

vptr__depot *vptr__depot_existing(const vptr_mapper *mapper) {
  int ordinal = mapper->device->ordinal;
  if (ordinal < 0 || ordinal >= VPTR__MOST_DEVICES)
    return NULL;
  vptr__depot *depot = atomic_load_explicit(&all.depots[ordinal], memory_order_acquire);
  return depot != NULL && depot->mapper == mapper ? depot : NULL;
}

vptr_status vptr__depot_of(vptr_mapper *mapper, vptr__depot **depot_out) {
  vptr__depot *depot = vptr__depot_existing(mapper);
  if (depot != NULL) {
    *depot_out = depot;
    return VPTR_SUCCESS;
  }
  int ordinal = mapper->device->ordinal;
  vptr_mapper *own = NULL;
  if (ordinal < 0 || ordinal >= VPTR__MOST_DEVICES || vptr__mapper_for_device(ordinal, &own) != VPTR_SUCCESS ||
      own != mapper)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "pinned memory is for the process's own mappers only");
  vptr__supply_prepare();
  return find_or_make(mapper, ordinal, depot_out);
}

/* ---- blocks --------------------------------------------------------------------------------------------- */

void *vptr__depot_carve(vptr__depot *depot, size_t size, size_t alignment) {
  void *carved = NULL;
  vptr__lock_take(&depot->carving);
  uintptr_t from = vptr__align_up(depot->carve_from, alignment);
  if (from >= depot->carve_from && from <= depot->carve_end && size <= depot->carve_end - from) {
    depot->carve_from = from + size;
    carved = (void *)from;
  }
  vptr__lock_give(&depot->carving);
  return carved;
}

static void carve_from(vptr__depot *depot, const vptr__region *chunk) {
  vptr__lock_take(&depot->carving);
  depot->carve_from = atomic_load(&chunk->base);
  depot->carve_end = depot->carve_from + atomic_load(&chunk->bytes);
  vptr__lock_give(&depot->carving);
}

/* Whoever waited may find that the chunk of another thread is enough. Under `growing`. */
static vptr_status grow_and_take(vptr__depot *depot, size_t size, void **host_out) {
  *host_out = vptr__supply_take(depot->supply, size);
  if (*host_out != NULL)
    return VPTR_SUCCESS;
  vptr__region *chunk;
  vptr__region_plan plan = { .kind = VPTR__REGION_BLOCKS, .mapper = depot->mapper, .bytes = depot->next_chunk };
  vptr_status status = vptr__chunk_create(&plan, &chunk);
  if (status != VPTR_SUCCESS)
    return status;
  if (depot->next_chunk < LARGEST_CHUNK)
    depot->next_chunk *= 2;
  carve_from(depot, chunk);
  *host_out = vptr__supply_take(depot->supply, size);
  return VPTR_SUCCESS;
}

static bool has_idle(const vptr__depot *depot) {
  vptr__region_lock();
  bool has = depot->idle_bytes > 0;
  vptr__region_unlock();
  return has;
}

/* Where there is no more room, what is idle goes first. */
static vptr_status grow_depot(vptr__depot *depot, size_t size, void **host_out) {
  vptr__lock_take(&depot->growing);
  vptr__error_try();
  vptr_status status = grow_and_take(depot, size, host_out);
  if (status != VPTR_SUCCESS && has_idle(depot)) {
    vptr__depot_trim(depot, 0);
    status = grow_and_take(depot, size, host_out);
  }
  status = vptr__error_tried(status);
  vptr__lock_give(&depot->growing);
  return status;
}

vptr_status vptr__depot_take_block(vptr__depot *depot, size_t size, void **host_out) {
  void *host = vptr__supply_take(depot->supply, size);
  vptr_status status = host == NULL ? grow_depot(depot, size, &host) : VPTR_SUCCESS;
  if (status != VPTR_SUCCESS)
    return status;
  vptr__region *region = host != NULL ? vptr__region_of(host) : NULL;
  if (host != NULL && (region == NULL || atomic_load(&region->mapper) != depot->mapper)) {
    vptr__supply_refuse(depot->supply, host, size);
    host = NULL;
  }
  *host_out = host;
  return VPTR_SUCCESS;
}

void vptr__depot_give_block(vptr__depot *depot, void *host, size_t size) {
  vptr__supply_give(depot->supply, host, size);
}

/* ---- whole regions -------------------------------------------------------------------------------------- */

/* Takes a region out of the list. Under the registry's lock. */
static void unlink_idle(vptr__depot *depot, vptr__region *region) {
  vptr__region *before = NULL;
  for (vptr__region *at = depot->oldest; at != region; at = at->next)
    before = at;
  *(before != NULL ? &before->next : &depot->oldest) = region->next;
  if (depot->youngest == region)
    depot->youngest = before;
  region->next = NULL;
  depot->idle_bytes -= atomic_load(&region->bytes);
}

/* The smallest idle region that holds the bytes and wastes at most a quarter. Under the registry's lock. */
static vptr__region *best_idle(const vptr__depot *depot, size_t bytes) {
  vptr__region *best = NULL;
  for (vptr__region *at = depot->oldest; at != NULL; at = at->next) {
    size_t has = atomic_load(&at->bytes);
    if (has >= bytes && has - bytes <= bytes / 4 && (best == NULL || has < atomic_load(&best->bytes)))
      best = at;
  }
  return best;
}

static void *take_idle(vptr__depot *depot, size_t bytes, size_t size, unsigned flags) {
  vptr__region_lock();
  vptr__region *region = best_idle(depot, bytes);
  if (region != NULL) {
    unlink_idle(depot, region);
    atomic_store(&region->flags, flags);
    atomic_store(&region->is_shared, false);
    atomic_store(&region->size, size);
  }
  vptr__region_unlock();
  return region != NULL ? (void *)atomic_load(&region->base) : NULL;
}

static vptr_status make_whole(vptr__depot *depot, size_t bytes, size_t size, unsigned flags, void **host_out) {
  vptr__region *region;
  vptr__region_plan plan = {
    .kind = VPTR__REGION_WHOLE, .mapper = depot->mapper, .bytes = bytes, .size = size, .flags = flags
  };
  vptr_status status = vptr__chunk_create(&plan, &region);
  if (status == VPTR_SUCCESS)
    *host_out = plan.base;
  return status;
}

vptr_status vptr__depot_take_whole(vptr__depot *depot, size_t size, unsigned flags, void **host_out) {
  if (size > SIZE_MAX - STEP)
    return vptr__error_host_memory(size);
  size_t bytes = vptr__align_up(size, STEP);
  void *kept = take_idle(depot, bytes, size, flags);
  if (kept != NULL) {
    *host_out = kept;
    return VPTR_SUCCESS;
  }
  vptr__error_try();
  vptr_status status = make_whole(depot, bytes, size, flags, host_out);
  if (status != VPTR_SUCCESS && has_idle(depot)) {
    vptr__depot_trim(depot, 0);
    status = make_whole(depot, bytes, size, flags, host_out);
  }
  return vptr__error_tried(status);
}

void vptr__depot_give_whole(vptr__depot *depot, vptr__region *region) {
  vptr__region_lock();
  region->next = NULL;
  *(depot->youngest != NULL ? &depot->youngest->next : &depot->oldest) = region;
  depot->youngest = region;
  depot->idle_bytes += atomic_load(&region->bytes);
  vptr__region_unlock();
  vptr__depot_trim(depot, depot->mapper->heap_config.idle_bytes);
}

void vptr__depot_trim(vptr__depot *depot, size_t keep_bytes) {
  for (;;) {
    vptr__region_lock();
    vptr__region *region = depot->idle_bytes > keep_bytes ? depot->oldest : NULL;
    if (region != NULL)
      unlink_idle(depot, region);
    vptr__region_unlock();
    if (region == NULL)
      return;
    vptr__chunk_destroy(region);
  }
}
