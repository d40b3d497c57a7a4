/* SPDX-License-Identifier: MIT */
/*
 * range - see range.h: a buffer, its windows, its item in the tree; made and unmade.
 *
 * A vptr__range is its heap's, in its tree `ranges` (state.h) and in one list at most, from vptr__range_enter() to
 * vptr__range_leave(); before that it is its maker's, and behind it, it is in the list `leased`, `doomed` or
 * `lingering`, until one thread takes it from there and releases it: vptr__range_release_all() frees it.
 * vptr__heap.lock, of rank HEAP, guards tree and lists, the directory's `owners` and the heap's counts of buffers;
 * `buffer_serial` and the directory's `addresses` are atomic, and written under it.
 *
 * Called with that lock by heap.c, slab.c, place.c and placed.c, which enter, publish and take out ranges, and by
 * lease.c, query.c, residence.c, span.c and survey.c, which doom one or write its device address down; but without the
 * lock by heap.c and placed.c where a buffer is made or released, which may block. vptr__range_release_all() takes the
 * lock itself in an arena, whose parts give their windows back then.
 */
#include "heap/range.h"

#include "base/memory.h"
#include "base/error.h"
#include "base/log.h"
#include "base/option.h"
#include "device/completion.h"
#include "heap/residence.h"
#include "heap/span.h"

/* Programs add into memory that they never cleared, since on CUDA's devices what a process gets for the first time is
 * zero. With VPTR_POISON they see it: floating-point numbers are no numbers, and integers -1. */
static unsigned char fresh_byte(void) {
  return vptr__option_flag(VPTR__OPTION_POISON) ? 0xff : 0;
}

static vptr_status claim_windows(vptr__heap *heap, vptr__range *range) {
  uint32_t windows = vptr__space_windows_for(&heap->space, range->bytes);
  if (windows == 0)
    return vptr__error(VPTR_ERROR_OUT_OF_ADDRESSES,
                       "a buffer of %zu bytes does not fit the %zu bytes of %s addresses: raise %s", range->bytes,
                       heap->space.size, heap->space.is_foreign ? "the device's" : "reserved",
                       heap->space.is_foreign ? "VPTR_ADDRESSES=device:SIZE" : "VPTR_RESERVE");
  vptr_status status = vptr__space_take(&heap->space, windows, &range->window);
  if (status != VPTR_SUCCESS)
    return status;
  range->windows = windows;
  range->base = vptr__space_address(&heap->space, range->window);
  return VPTR_SUCCESS;
}

vptr_status vptr__range_begin(vptr__heap *heap, size_t bytes, vptr__range **range_out) {
  vptr__range *range = vptr__memory_calloc(1, sizeof *range);
  if (range == NULL)
    return vptr__error_host_memory(sizeof *range);
  range->bytes = bytes;
  vptr_status status = vptr__heap_has_arena(heap) ? claim_windows(heap, range) : VPTR_SUCCESS;
  if (status == VPTR_SUCCESS)
    *range_out = range;
  else
    vptr__memory_free(range);
  return status;
}

vptr_status vptr__range_fill(vptr__heap *heap, vptr__range *range) {
  if (vptr__heap_has_arena(heap))
    return vptr__heap_arena_part(heap->device, &heap->arena, range->base, range->bytes, fresh_byte(), &range->buffer);
  return heap->device->ops->memory.create_set(heap->device, range->bytes, fresh_byte(), &range->buffer);
}

void vptr__range_cancel(vptr__heap *heap, vptr__range *range) {
  if (range->windows > 0)
    vptr__space_give(&heap->space, range->window);
  vptr__memory_free(range);
}

static void set_owner(vptr__heap *heap, const vptr__range *range, vptr__range *owner) {
  for (uint32_t i = 0; i < range->windows; i++)
    heap->directory.owners[range->window + i] = owner;
}

vptr_status vptr__range_enter(vptr__heap *heap, vptr__range *range) {
  const bool has_place = range->windows > 0, is_part = has_place && vptr__heap_has_arena(heap);
  vptr_status status = vptr__tree_reserve(&heap->ranges);
  if (status == VPTR_SUCCESS && !has_place)
    status = claim_windows(heap, range);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__tree_insert(&heap->ranges, range->base, (uintptr_t)range);
  set_owner(heap, range, range);
  heap->buffer_serial++;
  if (is_part)
    vptr__range_locate(heap, range, range->base);
  if (range->role != VPTR__ROLE_ATTACHED) {
    heap->buffer_count++;
    heap->buffer_bytes += range->bytes;
  }
  if (range->residence == VPTR__RESIDENCE_AWAY) {
    heap->away_count++;
    heap->away_bytes += range->bytes;
  }
  return VPTR_SUCCESS;
}

/* Call sites of a range's addresses are kept until the addresses themselves are given up. */
static void forget_sites(vptr__heap *heap, const vptr__range *range) {
  uint64_t key;
  while (vptr__tree_find_ge(&heap->sites, range->base, &key, NULL) && key < range->base + range->bytes)
    vptr__tree_remove(&heap->sites, key, NULL);
}

void vptr__range_leave(vptr__heap *heap, vptr__range *range) {
  vptr__residence_forget(heap, range);
  if (range->role != VPTR__ROLE_ATTACHED) {
    heap->buffer_count--;
    heap->buffer_bytes -= range->bytes;
  }
  if (heap->trace)
    forget_sites(heap, range);
  set_owner(heap, range, NULL);
  heap->buffer_serial++;
  atomic_store_explicit(&heap->directory.addresses[range->window], 0, memory_order_release);
  vptr__tree_remove(&heap->ranges, range->base, NULL);
  if (!vptr__lease_outlasts(heap, range)) {
    vptr__range_doom(heap, range);
    return;
  }
  range->next = heap->leased;
  heap->leased = range;
}

void vptr__range_doom(vptr__heap *heap, vptr__range *range) {
  const bool is_last = range->span == NULL || vptr__span_doom_part(range->span);
  if (is_last && !range->is_withheld && !vptr__heap_has_arena(heap))
    vptr__space_give(&heap->space, range->span == NULL ? range->window : range->span->window);
  range->next = heap->doomed;
  heap->doomed = range;
}

/* ---- releasing ------------------------------------------------------------------------------------------ */

static void release_range(vptr__heap *heap, vptr__range *range) {
  if (range->buffer != NULL)
    heap->device->ops->memory.release(heap->device, range->buffer);
  vptr__packing_end(heap, &range->packing);
  vptr__store_close(&range->store);
  if (range->span != NULL)
    vptr__span_release_part(heap, range->span);
  vptr__memory_free(range);
}

/* Of an arena's range, under the lock: its windows may be the next one's at once. */
static void give_part(vptr__heap *heap, vptr__range *range) {
  if (range->is_withheld)
    vptr__space_keep(&heap->space, range->window);
  else if (range->windows > 0)
    vptr__space_give(&heap->space, range->window);
  release_range(heap, range);
}

/* Whoever retained a part may use it still. */
static void release_parts(vptr__heap *heap, vptr__range *doomed) {
  size_t held = 0;
  vptr__lock_take(&heap->lock);
  for (vptr__range *range = doomed, *next; range != NULL; range = next) {
    next = range->next;
    bool is_part = range->role != VPTR__ROLE_ATTACHED;
    if (!is_part || !heap->device->ops->memory.is_shared(heap->device, range->buffer)) {
      give_part(heap, range);
      continue;
    }
    held += range->bytes;
    range->next = heap->lingering;
    heap->lingering = range;
  }
  vptr__lock_give(&heap->lock);
  if (held > 0)
    vptr__log(VPTR__LOG_DECISION, "%zu bytes were freed, and come back when those who hold their buffers let go",
              held);
}

/* A kernel may use a device address that we handed out without the driver knowing, so such a buffer must not go
 * before the queue has run dry. One wait serves all. */
void vptr__range_release_all(vptr__heap *heap, vptr__range *doomed) {
  bool must_wait = false;
  for (vptr__range *range = doomed; range != NULL; range = range->next)
    must_wait |= range->address_known || range->span != NULL || /* kernels may have come from another part */
                 (range->packing.pack != NULL && atomic_load(&range->packing.pack->address) != 0);
  if (must_wait)
    vptr__completion_drain(heap->device, NULL);
  if (vptr__heap_has_arena(heap) && doomed != NULL) {
    release_parts(heap, doomed);
    return;
  }
  while (doomed != NULL) {
    vptr__range *next = doomed->next;
    release_range(heap, doomed);
    doomed = next;
  }
  vptr__residence_note_change(heap);
}

/* Who looks for room sees them neither as idle nor as free meanwhile, and waits for the thread (residence.c). */
void vptr__range_release_doomed(vptr__heap *heap) {
  vptr__range *doomed = heap->doomed;
  heap->doomed = NULL;
  atomic_fetch_add(&heap->ending, 1);
  vptr__lock_give(&heap->lock);
  vptr__range_release_all(heap, doomed);
  atomic_fetch_sub(&heap->ending, 1);
}

/* Who held one may have left work that uses it, so it is released as if it had left just now. */
bool vptr__range_doom_lingering(vptr__heap *heap) {
  bool found = false;
  for (vptr__range **link = &heap->lingering; *link != NULL;) {
    vptr__range *range = *link;
    if (heap->device->ops->memory.is_shared(heap->device, range->buffer)) {
      link = &range->next;
      continue;
    }
    *link = range->next;
    range->next = heap->doomed;
    heap->doomed = range;
    found = true;
  }
  return found;
}

void vptr__range_locate(vptr__heap *heap, vptr__range *range, uint64_t address) {
  range->device_address = address;
  range->address_known = true;
  if (range->residence == VPTR__RESIDENCE_FIXED && !vptr__span_is_apart(range))
    atomic_store_explicit(&heap->directory.addresses[range->window], address, memory_order_release);
}

static void publish_range(vptr__heap *heap, const vptr__range *range, vptr__entry_kind kind, size_t size) {
  vptr__directory_publish(&heap->directory, range->window, range->windows,
                          &(vptr__directory_content){
                              .kind = kind,
                              .base = range->base,
                              .size = size,
                              .buffer = vptr__residence_shown(range),
                              .serial = range->serial,
                          });
}

void vptr__range_publish(vptr__heap *heap, vptr__range *range) {
  publish_range(heap, range, range->role == VPTR__ROLE_ATTACHED ? VPTR__ENTRY_ATTACHED : VPTR__ENTRY_WHOLE,
                range->size);
}

void vptr__range_entomb(vptr__heap *heap, const vptr__range *range, size_t issued) {
  vptr__directory_record_issued(&heap->directory, range->window, issued);
  publish_range(heap, range, VPTR__ENTRY_TOMB, range->role == VPTR__ROLE_SLAB ? 0 : range->size);
}
