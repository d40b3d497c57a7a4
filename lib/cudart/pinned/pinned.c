/* SPDX-License-Identifier: MIT */
/*
 * pinned - allocating, freeing and finding pinned host memory (pinned.h). Of what pinned.h declares, registering the
 * program's own is in register.c, and device addresses in alias.c.
 *
 * The file owns no data: regions are the registry's (region.h), chunks and idle regions a depot's (depot.h), live
 * blocks a chunk's (blocks.h). It takes no lock of its own: what it calls takes the depot's, the registry's and the
 * aliases'. Allocating or freeing a warm block without a device address takes none, and finding an address never does;
 * while leaks are to be told, frees take the ledger's, of rank LEAF; and vptr__pinned_free_behind_work() takes
 * mapper->stream_lock, of rank STREAM, unless the mapper is quiet.
 *
 * Called by cudart/cuda/host.c for cudaMallocHost() and its kin, by managed/managed.c and usm/usm.c, which allocate and
 * free too, and enter in the ledger what the program gets; by copies and launches, which hold the memory that they use
 * (vptr__pinned_acquire()), in cudart/cuda/array_copy.c, cudart/cuda/copy.c, cudart/cuda/set.c, cudart/cuda/word.c and
 * cudart/module/argument.c; by alias.c, bounds.c, pinned/restored.c, register.c, cudart/cuda/pointer.c, usm/place.c,
 * usm/transfer.c and driver/pointer.c, which find; by cudart/cuda/reset.c, which frees all; and by the loader, which
 * runs the constructor that enters its subsystem.
 * vptr__pinned_free_behind_work(), for cudaFreeHost(), first drains all streams of the memory's mapper if work may
 * be in flight, unless VPTR_FREE_WAITS=0. Every free waits for the work that each device had for which anything in
 * the memory's region was acquired, and for that of devices whose kernels follow pointers (alias.c), by
 * vptr_finish(): so its callers hold no lock.
 */
#include "pinned/pinned.h"

#include "base/subsystem.h"
#include "base/error.h"
#include "base/hot.h"
#include "mapper/host.h"
#include "mapper/ledger.h"
#include "pinned/alias.h"
#include "pinned/bounds.h"
#include "pinned/depot.h"
#include "pinned/region.h"
#include "pinned/restored.h"
#include "stream/stream.h"

/* ---- allocating ----------------------------------------------------------------------------------------- */

/* Fails, with *host_out NULL, where the supply has nothing for this thread. */
static vptr_status allocate_block(vptr__depot *depot, size_t size, unsigned flags, void **host_out) {
  vptr_status status = vptr__depot_take_block(depot, size, host_out);
  if (status != VPTR_SUCCESS || *host_out == NULL)
    return status;
  vptr__region *chunk = vptr__region_of(*host_out);
  size_t offset = (uintptr_t)*host_out - atomic_load_explicit(&chunk->base, memory_order_relaxed);
  vptr__blocks_issue(&chunk->blocks, offset / VPTR__BLOCK_STEP, size, flags);
  return VPTR_SUCCESS;
}

vptr_status vptr__pinned_allocate(vptr_mapper *mapper, size_t size, unsigned flags, void **host_out) {
  vptr__depot *depot;
  void *host = NULL;
  vptr_status status = vptr__depot_of(mapper, &depot);
  if (status == VPTR_SUCCESS && size < VPTR__BLOCK_LIMIT)
    status = allocate_block(depot, size, flags, &host);
  if (status == VPTR_SUCCESS && host == NULL)
    status = vptr__depot_take_whole(depot, size, flags, &host);
  if (status == VPTR_SUCCESS)
    *host_out = host;
  return status;
}

/* ---- finding -------------------------------------------------------------------------------------------- */

/* Where in a chunk an address lies; false if the region is no chunk. A chunk's place never changes, but the region may
 * only just have become one, so the range is looked at again. */
static bool offset_in_chunk(const vptr__region *region, uintptr_t address, size_t *offset_out) {
  if (atomic_load_explicit(&region->kind, memory_order_acquire) != VPTR__REGION_BLOCKS)
    return false;
  *offset_out = address - atomic_load_explicit(&region->base, memory_order_relaxed);
  return *offset_out < atomic_load_explicit(&region->bytes, memory_order_relaxed);
}

static vptr__pinned_place find_block(const vptr__region *chunk, uintptr_t address, size_t offset) {
  vptr__pinned_place none = { 0 };
  size_t start;
  uint32_t word;
  if (!vptr__blocks_find(&chunk->blocks, offset / VPTR__BLOCK_STEP, &start, &word))
    return none;
  size_t inside = offset - start * VPTR__BLOCK_STEP;
  if (inside >= vptr__block_size(word))
    return none;
  return (vptr__pinned_place){ .kind = VPTR__PINNED_OURS,
                               .base = (void *)(address - inside),
                               .size = vptr__block_size(word),
                               .flags = vptr__block_flags(word),
                               .mapper = atomic_load(&chunk->mapper),
                               .has_device_address = (word & VPTR__BLOCK_SHARED) != 0 };
}

static vptr__pinned_kind kind_in(const vptr__region *region) {
  vptr__region_kind kind = atomic_load(&region->kind);
  return kind == VPTR__REGION_WHOLE        ? VPTR__PINNED_OURS
         : kind == VPTR__REGION_REGISTERED ? VPTR__PINNED_REGISTERED
                                           : VPTR__PINNED_NONE;
}

/* The place of an address in a region. */
static inline vptr__pinned_place find_in(const vptr__region *region, uintptr_t address) {
  size_t offset;
  if (offset_in_chunk(region, address, &offset))
    return find_block(region, address, offset);
  uintptr_t base = atomic_load(&region->base);
  size_t size = atomic_load(&region->size);
  vptr__pinned_kind kind = kind_in(region);
  if (address - base >= size || kind == VPTR__PINNED_NONE)
    return (vptr__pinned_place){ 0 };
  return (vptr__pinned_place){ .kind = kind,
                               .base = (void *)base,
                               .size = size,
                               .flags = atomic_load(&region->flags),
                               .mapper = atomic_load(&region->mapper),
                               .has_device_address = atomic_load(&region->is_shared) };
}

VPTR__HOT vptr__pinned_place vptr__pinned_find(const void *host) {
  const vptr__region *region = vptr__region_of(host);
  return region != NULL ? find_in(region, (uintptr_t)host) : (vptr__pinned_place){ 0 };
}

/* ---- acquiring -------------------------------------------------------------------------------------------- */

/* A range may go on from one registration into the next. */
bool vptr__pinned_is(const void *host, size_t size) {
  uintptr_t from = (uintptr_t)host;
  for (;;) {
    vptr__pinned_place place = vptr__pinned_find((void *)from);
    if (place.kind == VPTR__PINNED_NONE)
      return false;
    size_t left = place.size - (from - (uintptr_t)place.base);
    if (left >= size)
      return true;
    from += left;
    size -= left;
  }
}

static void acquire_region(const vptr_mapper *user, vptr__region *region) {
  const vptr_mapper *mapper = user != NULL ? user : atomic_load(&region->mapper);
  vptr__region_acquire(region, mapper->device->ordinal);
}

/* Whether it lies in one piece, as nearly all does: searched for once. */
VPTR__HOT static inline bool is_piece(const vptr__region *region, const void *host, size_t size) {
  vptr__pinned_place place = region != NULL ? find_in(region, (uintptr_t)host) : (vptr__pinned_place){ 0 };
  return place.kind != VPTR__PINNED_NONE && place.size - ((uintptr_t)host - (uintptr_t)place.base) >= size;
}

VPTR__HOT bool vptr__pinned_is_piece(const void *host, size_t size) {
  return is_piece(vptr__region_of(host), host, size);
}

static bool acquire_piece(const vptr_mapper *user, const void *host, size_t size) {
  vptr__region *region = vptr__region_of(host);
  if (!is_piece(region, host, size))
    return false;
  acquire_region(user, region);
  return true;
}

bool vptr__pinned_acquire(vptr_mapper *user, const void *host, size_t size) {
  if (acquire_piece(user, host, size))
    return true;
  if (!vptr__pinned_is(host, size))
    return false;
  for (size_t done = 0; done < size;) {
    vptr__region *region = vptr__region_of((const char *)host + done);
    if (region == NULL)
      return false;
    acquire_region(user, region);
    done = atomic_load(&region->base) + atomic_load(&region->bytes) - (uintptr_t)host;
  }
  return true;
}

/* ---- freeing -------------------------------------------------------------------------------------------- */

static vptr_status refuse_pinned_free(const void *host, const vptr__region *region) {
  if (region == NULL)
    return vptr__error(VPTR_ERROR_UNKNOWN_ADDRESS, "freeing pinned memory: %p is no pinned memory%s", host,
                       vptr__mapper_owning(host) != NULL ? " but a device address" : "");
  vptr__pinned_place place = find_in(region, (uintptr_t)host);
  if (place.kind == VPTR__PINNED_REGISTERED)
    return vptr__error(VPTR_ERROR_UNKNOWN_ADDRESS,
                       "freeing pinned memory: %p was not allocated but registered, %zu bytes at %p; unregister it",
                       host, place.size, place.base);
  if (place.kind == VPTR__PINNED_OURS && place.base != host)
    return vptr__error(VPTR_ERROR_INTERIOR,
                       "freeing pinned memory: %p points %zu bytes into the %zu bytes at %p, and only the start can "
                       "be freed",
                       host, (size_t)((const char *)host - (const char *)place.base), place.size, place.base);
  return vptr__error(VPTR_ERROR_FREED, "freeing pinned memory: %p was freed, or never allocated", host);
}

static vptr_status free_block(vptr__region *chunk, void *host, size_t offset) {
  size_t slot = offset / VPTR__BLOCK_STEP;
  uint32_t word;
  if (offset % VPTR__BLOCK_STEP != 0 || !vptr__blocks_get(&chunk->blocks, slot, &word))
    return refuse_pinned_free(host, chunk);
  vptr_status status = vptr__alias_wait(chunk, (word & VPTR__BLOCK_SHARED) != 0);
  if (status != VPTR_SUCCESS)
    return status;
  if (!vptr__blocks_end(&chunk->blocks, slot))
    return refuse_pinned_free(host, chunk);
  if ((word & VPTR__BLOCK_SHARED) != 0)
    vptr__alias_drop(host);
  if (!chunk->is_restored)
    vptr__depot_give_block(vptr__depot_existing(atomic_load_explicit(&chunk->mapper, memory_order_relaxed)), host,
                           vptr__block_size(word));
  return VPTR_SUCCESS;
}

static vptr_status free_whole(vptr__region *region, void *host) {
  size_t size = atomic_load(&region->size);
  bool is_shared = atomic_load(&region->is_shared);
  if (size == 0 || atomic_load(&region->base) != (uintptr_t)host)
    return refuse_pinned_free(host, region);
  vptr_status status = vptr__alias_wait(region, is_shared);
  if (status != VPTR_SUCCESS)
    return status;
  if (!atomic_compare_exchange_strong(&region->size, &size, 0))
    return refuse_pinned_free(host, region);
  if (is_shared)
    vptr__alias_drop(host);
  vptr__depot_give_whole(vptr__depot_existing(atomic_load(&region->mapper)), region);
  return VPTR_SUCCESS;
}

static inline vptr_status free_in(vptr__region *region, void *host) {
  size_t offset;
  if (region == NULL)
    return refuse_pinned_free(host, NULL);
  if (offset_in_chunk(region, (uintptr_t)host, &offset))
    return free_block(region, host, offset);
  if (atomic_load(&region->kind) == VPTR__REGION_WHOLE)
    return free_whole(region, host);
  return refuse_pinned_free(host, region);
}

VPTR__APART static vptr_status free_entered(vptr__region *region, void *host) {
  vptr__ledger_entry struck = vptr__ledger_strike(host);
  vptr_status status = free_in(region, host);
  if (status != VPTR_SUCCESS)
    vptr__ledger_restore(&struck);
  return status;
}

static inline vptr_status free_known(vptr__region *region, void *host) {
  return __builtin_expect(vptr__ledger_wanted(), false) ? free_entered(region, host) : free_in(region, host);
}

VPTR__HOT vptr_status vptr__pinned_free(void *host) {
  return free_known(vptr__region_of(host), host);
}

/* For what cannot be freed nobody waits. */
VPTR__APART static vptr_status drain_and_free(vptr__region *region, void *host) {
  vptr__pinned_place place = find_in(region, (uintptr_t)host);
  if (place.kind != VPTR__PINNED_OURS || place.base != host)
    return refuse_pinned_free(host, region);
  vptr_status status = vptr__streams_drain(place.mapper);
  return status == VPTR_SUCCESS ? free_known(region, host) : status;
}

VPTR__HOT vptr_status vptr__pinned_free_behind_work(void *host) {
  vptr__region *region = vptr__region_of(host);
  vptr_mapper *mapper = region != NULL ? atomic_load_explicit(&region->mapper, memory_order_relaxed) : NULL;
  if (mapper != NULL && vptr__mapper_holds_frees(mapper))
    return drain_and_free(region, host);
  return free_known(region, host);
}

/* ---- all at once ---------------------------------------------------------------------------------------- */

static void clear_chunk(vptr__region *chunk) {
  uintptr_t base = atomic_load(&chunk->base);
  size_t bytes = atomic_load(&chunk->bytes);
  uint32_t word;
  for (size_t offset = 0; offset < bytes; offset += VPTR__BLOCK_STEP)
    if (vptr__blocks_get(&chunk->blocks, offset / VPTR__BLOCK_STEP, &word))
      vptr__pinned_free((void *)(base + offset));
}

static void clear_region(vptr__region *region) {
  void *base = (void *)atomic_load(&region->base);
  switch (atomic_load(&region->kind)) {
  case VPTR__REGION_BLOCKS:
    clear_chunk(region);
    break;
  case VPTR__REGION_WHOLE:
    if (atomic_load(&region->size) != 0)
      vptr__pinned_free(base);
    break;
  case VPTR__REGION_REGISTERED:
    vptr__pinned_unregister(base);
    break;
  default:
    break;
  }
}

vptr_status vptr__pinned_clear(vptr_mapper *mapper) {
  vptr_status status = vptr_finish(mapper);
  for (vptr__region *region = vptr__region_latest(); region != NULL; region = region->older)
    if (atomic_load(&region->mapper) == mapper)
      clear_region(region);
  vptr__pinned_trim(mapper, 0);
  return status;
}

void vptr__pinned_trim(vptr_mapper *mapper, size_t keep_bytes) {
  vptr__depot *depot = vptr__depot_existing(mapper);
  if (depot != NULL)
    vptr__depot_trim(depot, keep_bytes);
}

__attribute__((constructor)) static void enter_subsystem(void) {
  static const vptr__subsystem subsystem = { .saved_kinds = (1u << VPTR__SAVED_PINNED),
                                             .save = vptr__pinned_save,
                                             .restore = vptr__pinned_restore,
                                             .undo_restore = vptr__pinned_undo_restore,
                                             .settle_restore = vptr__pinned_settle_restore,
                                             .has_saved = vptr__pinned_has_saved,
                                             .check_host = vptr__bounds_classify,
                                             .list_hosts = vptr__alias_list,
                                             .host_serial = vptr__alias_serial };
  vptr__subsystem_enter(VPTR__SUBSYSTEM_PINNED, &subsystem);
}
