/* SPDX-License-Identifier: MIT */
/*
 * range - see range.h: a buffer, its windows, its item in the tree; made and unmade.
 *
 * A vptr__range is its heap's, in its tree `ranges` (state.h) and in one list at most, from vptr__range_enter() to
 * vptr__range_leave(); before that it is its maker's, and behind it, it is in the list `leased` or `doomed`, until one
 * thread takes it from there and releases it. Called with vptr__heap.lock, of rank HEAP, by heap.c, slab.c and place.c,
 * which enter, publish and take out ranges, and by lease.c, query.c and survey.c, which doom one or write its device
 * address down; but without the lock by heap.c where a buffer is made or released, which may block.
 */
#include "heap/range.h"

#include "base/memory.h"
#include "base/error.h"
#include "base/option.h"
#include "heap/state.h"

/* Programs add into memory that they never cleared, since on CUDA's devices what a process gets for the first time is
 * zero. With VPTR_POISON they see it: floating-point numbers are no numbers, and integers -1. */
static unsigned char fresh_byte(void) {
  return vptr__option_flag(VPTR__OPTION_POISON) ? 0xff : 0;
}

vptr_status vptr__range_make(vptr__heap *heap, size_t bytes, vptr__range **range_out) {
  vptr__range *range = vptr__memory_calloc(1, sizeof *range);
  if (range == NULL)
    return vptr__error_host_memory(sizeof *range);
  vptr_status status = heap->device->ops->memory.create_set(heap->device, bytes, fresh_byte(), &range->buffer);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(range);
    return status;
  }
  range->bytes = bytes;
  *range_out = range;
  return VPTR_SUCCESS;
}

static void set_owner(vptr__heap *heap, const vptr__range *range, vptr__range *owner) {
  for (uint32_t i = 0; i < range->windows; i++)
    heap->directory.owners[range->window + i] = owner;
}

vptr_status vptr__range_enter(vptr__heap *heap, vptr__range *range) {
  uint32_t windows = vptr__space_windows_for(&heap->space, range->bytes);
  if (windows == 0)
    return vptr__error(VPTR_ERROR_OUT_OF_ADDRESSES,
                       "a buffer of %zu bytes does not fit the %zu bytes of reserved addresses: raise VPTR_RESERVE",
                       range->bytes, heap->space.size);
  vptr_status status = vptr__tree_reserve(&heap->ranges);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__space_take(&heap->space, windows, &range->window);
  if (status != VPTR_SUCCESS)
    return status;
  range->windows = windows;
  range->base = vptr__space_address(&heap->space, range->window);
  vptr__tree_insert(&heap->ranges, range->base, (uintptr_t)range);
  set_owner(heap, range, range);
  heap->buffer_serial++;
  if (range->role != VPTR__ROLE_ATTACHED) {
    heap->buffer_count++;
    heap->buffer_bytes += range->bytes;
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
  if (!range->is_withheld)
    vptr__space_give(&heap->space, range->window);
  range->next = heap->doomed;
  heap->doomed = range;
}

/* A kernel may use a device address that we handed out without the driver knowing, so such a buffer must not go
 * before the queue has run dry. One wait serves all. */
void vptr__range_release_all(vptr__heap *heap, vptr__range *doomed) {
  bool must_wait = false;
  for (vptr__range *range = doomed; range != NULL; range = range->next)
    must_wait |= range->address_known;
  if (must_wait)
    heap->device->ops->queue.finish_all(heap->device);
  while (doomed != NULL) {
    vptr__range *next = doomed->next;
    heap->device->ops->memory.release(heap->device, doomed->buffer);
    vptr__memory_free(doomed);
    doomed = next;
  }
}

void vptr__range_locate(vptr__heap *heap, vptr__range *range, uint64_t address) {
  range->device_address = address;
  range->address_known = true;
  atomic_store_explicit(&heap->directory.addresses[range->window], address, memory_order_release);
}

static void publish_range(vptr__heap *heap, const vptr__range *range, vptr__entry_kind kind, size_t size) {
  vptr__directory_publish(&heap->directory, range->window, range->windows,
                          &(vptr__directory_content){
                              .kind = kind,
                              .base = range->base,
                              .size = size,
                              .buffer = range->buffer,
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
