/* SPDX-License-Identifier: MIT */
/*
 * device_address - a live byte's address on the device, found without a call.
 *
 * A launch asks this for each of its pointers, and nearly always the answer lies in three cache lines: the entry of the
 * pointer's window, the slot's state, and the buffer's address, which was asked for when the buffer was first used. So
 * that much is compiled into who asks. Whoever gets no answer calls vptr__heap_device_address(), which knows all else:
 * other addresses, buffers whose address was never asked for, what to say.
 *
 * A buffer's address is forgotten before its windows are anybody else's, so an answer was right when it was given; a
 * free that races with the asking is the caller's, as everywhere. A view never changes and is its holder's; what it
 * leads to is the heap's directory, which is read by atomic loads. No locks. vptr__address_view_of() is in
 * kernel_argument.c. Used there, for arguments of the program's OpenCL kernels, and by lib/cudart/module (program.c
 * makes the view), for launches.
 */
#ifndef VPTR_MAPPER_DEVICE_ADDRESS_H
#define VPTR_MAPPER_DEVICE_ADDRESS_H

#include <stdatomic.h>
#include <stdbool.h>

#include <vptr/vptr_fast.h>

#include "mapper/mapper.h"

/* Of a mapper, and good as long as that lives. */
typedef struct vptr__address_view {
  vptr_fast fast;
  const _Atomic(uint64_t) *known; /* [first window of a buffer]: the address of its byte 0; 0: never asked for */
} vptr__address_view;

VPTR_API vptr__address_view vptr__address_view_of(const vptr_mapper *mapper);

/* Whether ptr is the first byte of a buffer that one allocation has for itself, or none of the mapper's addresses. */
VPTR_FAST_INLINE bool vptr__address_is_whole(const vptr__address_view *view, const void *ptr) {
  uintptr_t distance = vptr_fast_distance(&view->fast, ptr);
  if (distance >= view->fast.size)
    return true;
  const vptr_fast_entry *entry = &view->fast.entries[distance >> view->fast.shift];
  return VPTR_FAST_READ(entry->kind) != VPTR_FAST_SLAB && VPTR_FAST_READ(entry->base) == (uintptr_t)ptr;
}

/* False if there is no answer here. */
VPTR_FAST_INLINE bool vptr__address_find(const vptr__address_view *view, const void *ptr, uint64_t *address_out) {
  vptr_fast_extent found;
  if (!vptr_fast_locate(&view->fast, ptr, 1, &found))
    return false;
  uintptr_t first = vptr_fast_distance(&view->fast, ptr) - found.buffer_offset;
  uint64_t address = atomic_load_explicit(&view->known[first >> view->fast.shift], memory_order_acquire);
  *address_out = address + found.buffer_offset;
  return address != 0;
}

#endif
