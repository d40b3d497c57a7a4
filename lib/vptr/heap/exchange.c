/* SPDX-License-Identifier: MIT */
/*
 * exchange - gives a heap another device behind its buffers (vptr_migrate()). Its functions are declared in heap.h.
 *
 * Buffers are handles that stay (device/proxy.h), so ranges, slabs and entries of the directory stay what they are; the
 * bytes of allocations that are away stay on the host. Only the device's own addresses of buffers are forgotten, to be
 * asked for anew, and `buffer_serial` rises, so that tables of such addresses are made anew.
 *
 * The file owns nothing: of the heap (state.h) it changes `device` and `buffer_serial`, which are atomic, and what is
 * known of addresses, in ranges, packs and the directory. vptr__heap.lock, of rank HEAP, guards that. While a device is
 * exchanged the caller has it by vptr__heap_try_lock(), which does not wait, since who holds it may wait to be let in
 * to the device, until vptr__heap_give_lock(); vptr__heap_has_lost() takes it for a moment, and where it gives it back,
 * what is doomed is released, which may wait for the device (heap.c). Called by mapper/migrate.c.
 */
#include "heap/state.h"

bool vptr__heap_try_lock(vptr__heap *heap) {
  return vptr__lock_try(&heap->lock);
}

void vptr__heap_change_device(vptr__heap *heap, vptr__device *device) {
  uint64_t key = 0;
  uintptr_t value;
  for (; vptr__tree_find_ge(&heap->ranges, key, &key, &value); key++) {
    vptr__range *range = (vptr__range *)value;
    range->address_known = false;
    if (range->packing.pack != NULL)
      atomic_store(&range->packing.pack->address, 0);
    atomic_store_explicit(&heap->directory.addresses[range->window], 0, memory_order_release);
  }
  heap->buffer_serial++;
  atomic_store(&heap->device, device);
}

void vptr__heap_give_lock(vptr__heap *heap) {
  vptr__lock_give(&heap->lock);
}

bool vptr__heap_has_lost(vptr__heap *heap, const void *ptr) {
  vptr_location location;
  bool is = false;
  vptr__heap_lock(heap);
  if (vptr__directory_locate(&heap->directory, ptr, 1, &location) == VPTR_SUCCESS) {
    const vptr__range *range = vptr__range_at(heap, ptr);
    cl_mem buffer = range->packing.pack != NULL ? range->packing.pack->buffer : range->buffer;
    is = buffer != NULL && vptr__proxy_is_lost(buffer);
  }
  vptr__heap_unlock(heap);
  return is;
}
