/* SPDX-License-Identifier: MIT */
/*
 * place - frees, in one step or in two. Its functions are declared in heap.h.
 *
 * A free ends the allocation, so that look-ups call it freed, and gives back its place, so that it can be issued again.
 * In between lie the quarantine, which wants a place to stay unused, and streams, whose work in flight may still use
 * it: hence retire, reissue and recycle. What is retired is in no list of the heap's: a slot is neither live nor free,
 * and a buffer has the role HELD, in both cases just as in quarantine.
 *
 * The file owns nothing: of the heap (state.h) it changes the roles of ranges and states of slots, the `quarantine`,
 * the counts of what is live, and `derived`, whose sub-buffer goes with the allocation. vptr__heap.lock, of rank HEAP,
 * guards these and is taken by all functions, with two exceptions: vptr__heap_bin() and vptr__heap_has_quarantine()
 * read what never changes, and most frees of slots go into a magazine of the thread's (magazine.c) instead.
 *
 * Called by mapper/memory.c, for vptr_free(); by placed.c, which frees what it made when a restore fails; by
 * pool/reuse.c, pool.c and pool_allocator.c and cudart/graph/memory.c, which retire, reissue and recycle; and by
 * cudart/module/variable.c and group.c, which free a variable's memory. A free waits for work of the device's only
 * where it releases a buffer whose device address was given out, or one of several that the allocation has.
 */
#include <assert.h>
#include <stdatomic.h>

#include "heap/class.h"
#include "heap/residence.h"
#include "heap/slab.h"
#include "heap/span.h"

static_assert((int)VPTR__HEAP_BIN_WHOLE == (int)VPTR__CLASS_COUNT, "the last bin follows the classes");

static void unaccount_bytes(vptr__heap *heap, size_t size) {
  heap->live_count--;
  heap->live_bytes -= size;
}

/* Why an address cannot be freed. */
static vptr_status free_refusal(const vptr__heap *heap, const void *ptr) {
  vptr_location location;
  vptr_status status = vptr__directory_locate(&heap->directory, ptr, 1, &location);
  return status == VPTR_SUCCESS ? VPTR_ERROR_INTERIOR : status;
}

static bool is_pinned(const vptr__heap *heap, uintptr_t base) {
  uint64_t key;
  return vptr__tree_find_le(&heap->pins, base, &key, NULL) && key == base;
}

static void drop_derived(vptr__heap *heap, uintptr_t base) {
  uintptr_t buffer;
  if (vptr__tree_remove(&heap->derived, base, &buffer)) {
    heap->device->ops->memory.release(heap->device, (cl_mem)buffer);
    --*vptr__range_derived(heap, (void *)base);
  }
}

/* ---- places --------------------------------------------------------------------------------------------- */

/* The slot of the live allocation that begins at ptr, 0 for one with a buffer of its own; NONE if there is none. */
static uint32_t live_slot(const vptr__range *range, const void *ptr) {
  if (range == NULL)
    return VPTR__BITSET_NONE;
  if (range->role == VPTR__ROLE_SLAB)
    return vptr__slab_live_slot(range, ptr);
  bool is_live = range->role == VPTR__ROLE_WHOLE || range->role == VPTR__ROLE_ATTACHED ||
                 (range->role == VPTR__ROLE_PART && range == range->span->parts[0]);
  return is_live && range->base == (uintptr_t)ptr ? 0 : VPTR__BITSET_NONE;
}

static size_t room_of(const vptr__range *range) {
  if (range->span != NULL)
    return range->span->bytes;
  return range->role == VPTR__ROLE_SLAB ? range->slab.slot_size : range->bytes;
}

/* Ends the allocation at ptr; its place stays. */
static vptr_status retire_allocation(vptr__heap *heap, void *ptr) {
  vptr__range *range = vptr__range_at(heap, ptr);
  uint32_t slot = live_slot(range, ptr);
  if (slot == VPTR__BITSET_NONE)
    return free_refusal(heap, ptr);
  if (*vptr__range_derived(heap, ptr) != 0) {
    if (is_pinned(heap, (uintptr_t)ptr))
      return VPTR_ERROR_MAPPED;
    drop_derived(heap, (uintptr_t)ptr);
  }
  if (range->role == VPTR__ROLE_SLAB) {
    size_t size = vptr__slab_retire(range, slot);
    if (size == 0)
      return free_refusal(heap, ptr);
    unaccount_bytes(heap, size);
    return VPTR_SUCCESS;
  }
  if (range->span != NULL) {
    unaccount_bytes(heap, range->size);
    vptr__span_retire(heap, range->span);
    return VPTR_SUCCESS;
  }
  vptr__residence_end(heap, range);
  unaccount_bytes(heap, range->size);
  vptr__range_entomb(heap, range, range->size);
  if (range->role == VPTR__ROLE_WHOLE)
    range->role = VPTR__ROLE_HELD;
  return VPTR_SUCCESS;
}

/* Gives back the place at base, now or when its quarantine is over. */
static void recycle_place(vptr__heap *heap, uintptr_t base) {
  vptr__range *range = vptr__range_at(heap, (void *)base);
  uintptr_t released;
  if (range->role == VPTR__ROLE_ATTACHED) {
    heap->attached_bytes -= range->bytes;
    vptr__range_leave(heap, range);
    return;
  }
  if (!vptr__quarantine_push(&heap->quarantine, base, room_of(range)))
    vptr__heap_make_free(heap, base);
  while (vptr__quarantine_pop_excess(&heap->quarantine, &released))
    vptr__heap_make_free(heap, released);
}

bool vptr__heap_is_pinned(vptr__heap *heap, const void *base) {
  vptr__heap_lock(heap);
  bool found = is_pinned(heap, (uintptr_t)base);
  vptr__heap_unlock(heap);
  return found;
}

/* A slab's place, and where it is the last but a few, what racks hold of it. */
static void recycle_slot(vptr__heap *heap, void *ptr) {
  vptr__range *range = vptr__range_at(heap, ptr);
  if (heap->magazines.number == 0 || range->role != VPTR__ROLE_SLAB) {
    recycle_place(heap, (uintptr_t)ptr);
    return;
  }
  vptr__magazine_make_room(heap, range->slab.class);
  recycle_place(heap, (uintptr_t)ptr);
  if (vptr__range_at(heap, ptr) == range && range->role == VPTR__ROLE_SLAB)
    vptr__magazine_call_in(heap, range);
}

static __attribute__((noinline)) vptr_status free_locked(vptr__heap *heap, void *ptr, size_t returned) {
  vptr__magazine_visit(heap);
  vptr__heap_lock(heap);
  vptr__magazine_settle(heap);
  vptr_status status = returned == VPTR__RETURN_UNDONE ? retire_allocation(heap, ptr) : VPTR_SUCCESS;
  if (status == VPTR_SUCCESS)
    recycle_slot(heap, ptr);
  vptr__heap_unlock(heap);
  return status;
}

bool vptr__heap_free_pooled(vptr__heap *heap, void *ptr) {
  size_t returned =
      vptr__directory_covers(&heap->directory, ptr) ? vptr__magazine_return(heap, ptr) : VPTR__RETURN_UNDONE;
  if (returned == VPTR__RETURN_DONE)
    return true;
  return returned != VPTR__RETURN_UNDONE && free_locked(heap, ptr, returned) == VPTR_SUCCESS;
}

vptr_status vptr__heap_free(vptr__heap *heap, void *ptr) {
  if (!vptr__directory_covers(&heap->directory, ptr))
    return VPTR_ERROR_UNKNOWN_ADDRESS;
  size_t returned = vptr__magazine_return(heap, ptr);
  return returned == VPTR__RETURN_DONE ? VPTR_SUCCESS : free_locked(heap, ptr, returned);
}

vptr_status vptr__heap_free_no_reuse(vptr__heap *heap, void *ptr) {
  if (!vptr__directory_covers(&heap->directory, ptr))
    return VPTR_ERROR_UNKNOWN_ADDRESS;
  vptr__heap_lock(heap);
  vptr_status status = retire_allocation(heap, ptr);
  if (status == VPTR_SUCCESS)
    vptr__heap_make_withheld(heap, (uintptr_t)ptr);
  vptr__heap_unlock(heap);
  return status;
}

/* ---- in two steps --------------------------------------------------------------------------------------- */

bool vptr__heap_has_quarantine(const vptr__heap *heap) {
  return heap->quarantine.limit != 0 || heap->is_exact;
}

unsigned vptr__heap_bin(const vptr__heap *heap, size_t size) {
  bool is_pooled = vptr__heap_pools(heap, size);
  return is_pooled ? vptr__class_of(size, heap->granule_shift) : VPTR__HEAP_BIN_WHOLE;
}

size_t vptr__heap_room(vptr__heap *heap, const void *ptr) {
  if (!vptr__directory_covers(&heap->directory, ptr))
    return 0;
  vptr__heap_lock(heap);
  const vptr__range *range = vptr__range_at(heap, ptr);
  size_t room = live_slot(range, ptr) != VPTR__BITSET_NONE ? room_of(range) : 0;
  vptr__heap_unlock(heap);
  return room;
}

vptr_status vptr__heap_retire(vptr__heap *heap, void *ptr) {
  if (!vptr__directory_covers(&heap->directory, ptr))
    return VPTR_ERROR_UNKNOWN_ADDRESS;
  vptr__heap_lock(heap);
  const vptr__range *range = vptr__range_at(heap, ptr);
  bool is_attached = range != NULL && range->role == VPTR__ROLE_ATTACHED && range->base == (uintptr_t)ptr;
  vptr_status status = is_attached ? VPTR_ERROR_UNSUPPORTED : retire_allocation(heap, ptr);
  vptr__heap_unlock(heap);
  return status;
}

static vptr_status reissue_place(vptr__heap *heap, void *ptr, size_t size, const void *site) {
  vptr_status status = vptr__heap_prepare(heap);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__range *range = vptr__range_at(heap, ptr);
  if (range->span != NULL) {
    vptr__span_settle(heap, range->span, size, site);
    return VPTR_SUCCESS;
  }
  if (range->role != VPTR__ROLE_SLAB) {
    vptr__heap_settle(heap, range, VPTR__ROLE_WHOLE, size, site);
    return VPTR_SUCCESS;
  }
  if (!vptr__slab_reissue(heap, range, vptr__slab_slot(range, (uintptr_t)ptr), size))
    return VPTR_ERROR_NOT_READY;
  vptr__heap_account(heap, (uintptr_t)ptr, size, site);
  return VPTR_SUCCESS;
}

vptr_status vptr__heap_reissue(vptr__heap *heap, void *ptr, size_t size, const void *site) {
  vptr__heap_lock(heap);
  vptr__magazine_settle(heap);
  vptr_status status = reissue_place(heap, ptr, size, site);
  vptr__heap_unlock(heap);
  return status;
}

void vptr__heap_recycle(vptr__heap *heap, void *ptr) {
  vptr__heap_lock(heap);
  recycle_place(heap, (uintptr_t)ptr);
  vptr__heap_unlock(heap);
}
