/* SPDX-License-Identifier: MIT */
/*
 * placed - an allocation at an address that the caller names, for those who bring back what was there in another
 * process (vptr-replay). Its function is declared in heap.h.
 *
 * It always has a buffer of its own, also if it is small, since a slab says itself where its slots are. The buffer is
 * made without the heap's lock, and given away again if its windows are not free by then.
 *
 * The file owns nothing: it changes the heap (state.h), whose `lock`, of rank HEAP, it takes. Called
 * by tests; and by the tool vptr-replay. It blocks while the driver makes the buffer.
 */
#include "heap/state.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"

enum { PAGE = 4096 };

static vptr_status check_place(const vptr__heap *heap, uintptr_t address, size_t size) {
  const vptr__space *space = &heap->space;
  const size_t window = (size_t)1 << space->window_shift;
  if (vptr__heap_has_arena(heap))
    return vptr__error(VPTR_ERROR_UNSUPPORTED,
                       "with VPTR_ADDRESSES=device no allocation can be placed at an address");
  if (size > heap->device->memory_bytes)
    return vptr__error(VPTR_ERROR_INVALID_SIZE, "%zu bytes asked for, but %s has %llu", size, heap->device->name,
                       (unsigned long long)heap->device->memory_bytes);
  if (address < space->base || address - space->base >= space->size || (address - space->base) % window != 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "no allocation can begin at %#zx: addresses are %#zx to %#zx, and buffers begin at multiples "
                       "of %zu bytes",
                       (size_t)address, (size_t)space->base, (size_t)(space->base + space->size - 1), window);
  return VPTR_SUCCESS;
}

/* Under the lock. */
static vptr_status enter_there(vptr__heap *heap, vptr__range *range, size_t size, const void *site) {
  uint32_t windows = vptr__space_windows_for(&heap->space, range->bytes);
  vptr_status status = vptr__heap_prepare(heap);
  if (status == VPTR_SUCCESS)
    status = windows == 0 ? vptr__error(VPTR_ERROR_OUT_OF_ADDRESSES,
                                        "a buffer of %zu bytes does not fit the %zu bytes of reserved addresses",
                                        range->bytes, heap->space.size)
                          : vptr__space_take_at(&heap->space, range->window, windows);
  if (status != VPTR_SUCCESS)
    return status;
  range->windows = windows;
  status = vptr__range_enter(heap, range);
  if (status == VPTR_SUCCESS)
    vptr__heap_settle(heap, range, VPTR__ROLE_WHOLE, size, site);
  else
    vptr__space_give(&heap->space, range->window);
  return status;
}

vptr_status vptr__heap_allocate_at(vptr__heap *heap, uintptr_t address, size_t size, const void *site) {
  vptr_status status = check_place(heap, address, size);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__range *range = vptr__memory_calloc(1, sizeof *range);
  if (range == NULL)
    return vptr__error_host_memory(sizeof *range);
  range->base = address;
  range->bytes = heap->is_exact ? size : vptr__align_up(size, PAGE);
  range->window = (uint32_t)((address - heap->space.base) >> heap->space.window_shift);
  status = vptr__range_fill(heap, range);
  if (status == VPTR_SUCCESS) {
    vptr__heap_lock(heap);
    vptr__magazine_settle(heap);
    status = enter_there(heap, range, size, site);
    vptr__heap_unlock(heap);
  }
  if (status == VPTR_SUCCESS)
    return status;
  if (range->buffer != NULL)
    heap->device->ops->memory.release(heap->device, range->buffer);
  vptr__memory_free(range);
  return status;
}
