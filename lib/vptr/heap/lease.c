/* SPDX-License-Identifier: MIT */
/*
 * lease - see lease.h: counters, and who is the last.
 *
 * The counters, vptr__directory.leases, are atomic; directory.c maps them with the directory, until the heap ends.
 * vptr__heap.lock, of rank HEAP, guards heap->leased, the list of buffers that have left and are leased still: range.c
 * puts them in, this file takes them out, and heap.c releases those that are there when the heap ends. The lock is
 * taken by who gives the last lease of such a buffer, and by vptr__lease_address(), to read and note a device's
 * address in the range; range.c holds it when it calls vptr__lease_outlasts(). Callers of the other functions hold no
 * lock of rank HEAP or above.
 *
 * Called by transfer/endpoint.c and line.c, mapper/kernel_argument.c, cudart/module/argument.c, cudart/module/lease.c
 * and prepare.c, cublas/place.c and cufft/run.c, snapshot.c, mapper/lookup.c, and checkpoint/restore.c and taker.c,
 * which take leases and give them; by residence.c, to fix an allocation, and residence_move.c and compact.c, around a
 * move; and by range.c, which asks whether somebody has one.
 *
 * Nobody waits for a lease but a thread that finds no room on a full device: it waits for those of movable
 * allocations. Taking one of such an allocation waits for its buffer to come to the device, and for other threads that
 * move it or have to pass (residence.c). Giving the last one may wait for the device, also where vptr__lease_take()
 * takes a count back; in a host function the wait is left to whoever gives the heap's lock next (heap.c).
 */
#include "heap/lease.h"

#include "base/hot.h"

#include "heap/residence.h"

/* The buffer has left, and goes with the last lease. Below it, the leases are counted. */
static const uint32_t LEFT = UINT32_C(1) << 31;

VPTR__HOT static vptr__lease_count *lease_counter(vptr__heap *heap, uint32_t window) {
  return &heap->directory.leases[window];
}

/* Of those who find that a marked counter has come down to nothing, one is to end it: counters may rise and fall again
 * while a thread looks, since takers count first and look then. */
static bool is_mine_to_end(vptr__lease_count *count) {
  uint32_t left = LEFT;
  return atomic_compare_exchange_strong_explicit(count, &left, 0, memory_order_acq_rel, memory_order_relaxed);
}

/* The range that left from a window: on the list, for its counter was marked under the lock. */
static void give_up(vptr__heap *heap, uint32_t window) {
  vptr__range **link = &heap->leased;
  while ((*link)->window != window)
    link = &(*link)->next;
  vptr__range *range = *link;
  *link = range->next;
  vptr__range_doom(heap, range);
}

/* Takes one from its counter. */
VPTR__HOT static inline void give_count(const vptr__lease *lease) {
  vptr__heap *heap = lease->heap;
  vptr__lease_count *count = lease_counter(heap, lease->window);
  if (atomic_fetch_sub_explicit(count, 1, memory_order_acq_rel) != LEFT + 1 || !is_mine_to_end(count))
    return;
  vptr__heap_lock(heap);
  give_up(heap, lease->window);
  vptr__heap_unlock(heap);
}

VPTR__HOT void vptr__lease_give(const vptr__lease *lease) {
  vptr__heap *heap = lease->heap;
  if (heap == NULL)
    return;
  if (!lease->moves) {
    give_count(lease);
    return;
  }
  atomic_fetch_add(&heap->ending, 1);
  give_count(lease);
  vptr__residence_leave(heap);
}

VPTR__HOT bool vptr__lease_counts(const vptr__lease *lease, const void *buffer) {
  return vptr__directory_window(&lease->heap->directory, buffer) == lease->window;
}

/* The entry may be rewritten between the first look, which only says what to count, and the second, which answers; the
 * buffer at the address is then another one, if any. */
VPTR__HOT static inline vptr_status take_lease(vptr__heap *heap, const void *ptr, size_t need, vptr__lease_use use,
                                               vptr_location *location_out, vptr__lease *lease_out,
                                               uint64_t *address_out) {
  const vptr__directory *directory = &heap->directory;
  bool has_let_pass = false;
  for (;;) {
    vptr_location location;
    vptr__lease lease = { heap, vptr__directory_first_window(directory, ptr), false };
    atomic_fetch_add_explicit(lease_counter(heap, lease.window), 1, memory_order_acq_rel);
    vptr_status status = vptr__directory_locate(directory, ptr, need, &location);
    const bool counts =
        status == VPTR_SUCCESS && vptr__lease_counts(&lease, (const char *)ptr - location.buffer_offset);
    const bool moves = counts && location.buffer == NULL && heap->insist != NULL;
    if (moves && !has_let_pass && vptr__residence_lets_pass(heap)) {
      vptr__lease_give(&lease);
      vptr__residence_let_pass(heap);
      has_let_pass = true;
      continue;
    }
    if (moves)
      status = vptr__residence_come(heap, ptr, need, use, &location, &lease.moves, address_out);
    if (counts && status == VPTR_SUCCESS) {
      *location_out = location;
      *lease_out = lease;
      return VPTR_SUCCESS;
    }
    vptr__lease_give(&lease);
    if (status == VPTR_ERROR_UNSUPPORTED && vptr__heap_has_seam(heap, ptr, need))
      return vptr__heap_refuse_seam(heap, ptr, need);
    if (status != VPTR_SUCCESS)
      return status;
  }
}

VPTR__HOT vptr_status vptr__lease_take(vptr__heap *heap, const void *ptr, size_t need, vptr_location *location_out,
                                       vptr__lease *lease_out) {
  uint64_t address;
  return take_lease(heap, ptr, need, VPTR__LEASE_WRITE, location_out, lease_out, &address);
}

VPTR__HOT vptr_status vptr__lease_take_to_read(vptr__heap *heap, const void *ptr, size_t need,
                                               vptr_location *location_out, vptr__lease *lease_out) {
  uint64_t address;
  return take_lease(heap, ptr, need, VPTR__LEASE_READ, location_out, lease_out, &address);
}

vptr_status vptr__lease_take_whole(vptr__heap *heap, const void *ptr, size_t need, vptr_location *location_out,
                                   vptr__lease *lease_out) {
  uint64_t address;
  return take_lease(heap, ptr, need, VPTR__LEASE_WHOLE, location_out, lease_out, &address);
}

static void note_address(vptr__heap *heap, vptr__range *range, cl_mem buffer, uint64_t address) {
  if (range == NULL)
    return;
  if (range->packing.pack != NULL && range->packing.pack->buffer == buffer)
    atomic_store(&range->packing.pack->address, address);
  else if (range->buffer == buffer)
    vptr__range_locate(heap, range, address);
}

/* The buffer's address, which it keeps while it is leased. */
static vptr_status held_address_of(vptr__heap *heap, const vptr_location *location, uint64_t *address_out) {
  vptr__heap_lock(heap);
  const char *at = (const char *)location->base + location->offset;
  const vptr__range *range = vptr__range_at(heap, at);
  uint64_t address = range != NULL ? vptr__range_address(range, location->buffer) : 0;
  vptr__heap_unlock(heap);
  vptr_status status = VPTR_SUCCESS;
  if (address == 0) {
    status = heap->device->ops->memory.address(heap->device, location->buffer, &address);
    vptr__heap_lock(heap);
    if (status == VPTR_SUCCESS)
      note_address(heap, vptr__range_at(heap, at), location->buffer, address);
    vptr__heap_unlock(heap);
  }
  if (status == VPTR_SUCCESS)
    *address_out = address + location->buffer_offset;
  return status;
}

/* What is noted of a device's address is of the device that told it. */
static vptr_status address_of(vptr__heap *heap, const vptr_location *location, uint64_t *address_out) {
  const vptr__device *device = heap->device;
  vptr__device_hold(device);
  vptr_status status = held_address_of(heap, location, address_out);
  vptr__device_let_go(device);
  return status;
}

VPTR__HOT vptr_status vptr__lease_address(vptr__heap *heap, const void *ptr, vptr_access access,
                                          uint64_t *address_out, vptr__lease *lease_out) {
  vptr_location location;
  vptr__lease lease = { NULL, 0, false };
  uint64_t address = 0;
  vptr_status status = vptr__directory_locate(&heap->directory, ptr, 1, &location);
  if (status != VPTR_SUCCESS || location.buffer != NULL) {
    *lease_out = lease;
    return vptr__heap_device_address(heap, ptr, address_out);
  }
  status = take_lease(heap, ptr, 1, access == VPTR_ACCESS_READ ? VPTR__LEASE_READ : VPTR__LEASE_WRITE, &location,
                      &lease, &address);
  if (status == VPTR_SUCCESS && !lease.moves) { /* fixed meanwhile */
    vptr__lease_give(&lease);
    return vptr__lease_address(heap, ptr, access, address_out, lease_out);
  }
  if (status == VPTR_SUCCESS && address != 0)
    *address_out = address + location.buffer_offset;
  else if (status == VPTR_SUCCESS && (status = address_of(heap, &location, address_out)) != VPTR_SUCCESS)
    vptr__lease_give(&lease);
  if (status == VPTR_SUCCESS)
    *lease_out = lease;
  return status;
}

bool vptr__lease_mark(vptr__lease_count *count) {
  bool none_left = atomic_fetch_or_explicit(count, LEFT, memory_order_acq_rel) == 0;
  return !none_left || !is_mine_to_end(count);
}

bool vptr__lease_outlasts(vptr__heap *heap, const vptr__range *range) {
  vptr__lease_count *count = lease_counter(heap, range->window);
  uint32_t none = 0;
  if (atomic_compare_exchange_strong_explicit(count, &none, 0, memory_order_acq_rel, memory_order_acquire))
    return false;
  return vptr__lease_mark(count);
}
