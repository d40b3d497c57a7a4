/* SPDX-License-Identifier: MIT */
/*
 * arena - see arena.h: makes and releases a heap's arena, and makes buffers of its parts.
 *
 * A window is memory here, and a buffer takes one byte more than it has (space/space.h), so windows are small: of 60
 * GiB a quarter of a MiB. Smaller ones would make the entries of large buffers many, which are written one by one.
 *
 * A vptr__heap_arena is the field `arena` of its heap (state.h). It is made when the heap begins, never changes, and
 * its buffer is released when the heap ends; so nothing here takes a lock or needs one. Called by heap.c when a heap
 * begins and ends, and by range.c for each range's buffer, without the heap's lock. Making one may have the driver
 * compile a kernel, and asking for a part waits until the device has set its bytes.
 */
#include "heap/arena.h"

#include "base/error.h"
#include "base/log.h"
#include "base/number.h"
#include "base/option.h"
#include "space/reservation.h"

enum { WINDOW_SHIFT_LEAST = 18, WINDOWS_WANTED = 1 << 17 };

static unsigned window_shift_for(size_t bytes) {
  unsigned shift = VPTR__WINDOW_SHIFT_MOST;
  while (shift > WINDOW_SHIFT_LEAST && bytes >> shift < WINDOWS_WANTED)
    shift--;
  return shift;
}

static vptr_status check_device(vptr__device *device) {
  bool takes = false;
  if (device->host_unified)
    return vptr__error(VPTR_ERROR_UNSUPPORTED,
                       "its memory is the host's, which could read and write at its addresses");
  vptr_status status = device->ops->memory.takes_addresses(device, &takes);
  if (status == VPTR_SUCCESS && !takes)
    return vptr__error(VPTR_ERROR_UNSUPPORTED, "it does not tell the addresses of its memory");
  return status;
}

static bool is_shortage(vptr_status status) {
  return status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY || status == VPTR_ERROR_INVALID_SIZE;
}

/* The buffer, as large as can be had. */
static vptr_status make_buffer(vptr__device *device, size_t bytes, vptr__heap_arena *arena) {
  vptr_status status = VPTR_ERROR_OUT_OF_DEVICE_MEMORY;
  vptr__error_try();
  for (arena->bytes = bytes; is_shortage(status) && arena->bytes >= VPTR__ADDRESSES_LEAST; arena->bytes /= 2) {
    status = device->ops->memory.create(device, arena->bytes, &arena->buffer);
    if (status == VPTR_SUCCESS)
      break;
  }
  vptr__error_tried(is_shortage(status) ? VPTR_SUCCESS : status);
  if (!is_shortage(status))
    return status;
  return vptr__error(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, "it has not even %zu MiB to spare in one piece",
                     (size_t)VPTR__ADDRESSES_LEAST >> 20);
}

/* Windows begin behind a guard, so that p[-1] of the first allocation is nobody's. */
static vptr_status find_place(vptr__device *device, vptr__heap_arena *arena) {
  uint64_t address = 0;
  vptr_status status = device->ops->memory.address(device, arena->buffer, &address);
  if (status != VPTR_SUCCESS)
    return status;
  const unsigned shift = window_shift_for(arena->bytes);
  const size_t window = (size_t)1 << shift;
  if (address == 0 || address % device->alignment != 0 || address > UINTPTR_MAX - arena->bytes)
    return vptr__error(VPTR_ERROR_UNSUPPORTED, "it tells %#zx as the address of a buffer of %zu MiB", (size_t)address,
                       arena->bytes >> 20);
  uintptr_t base = vptr__align_up(address + VPTR__RESERVATION_GUARD, window);
  arena->origin = base - address;
  arena->place = (vptr__space_place){ .base = base,
                                      .guard = VPTR__RESERVATION_GUARD,
                                      .size = (arena->bytes - arena->origin) & ~(window - 1),
                                      .window_shift = shift };
  return VPTR_SUCCESS;
}

/* Whether a part lies where it must. */
static vptr_status try_part(vptr__device *device, const vptr__heap_arena *arena) {
  const size_t size = (size_t)1 << arena->place.window_shift, origin = arena->origin + size;
  uint64_t address = 0;
  cl_mem part;
  vptr_status status = device->ops->memory.create_sub(device, arena->buffer, origin, size, &part);
  if (status != VPTR_SUCCESS)
    return status;
  status = device->ops->memory.address(device, part, &address);
  device->ops->memory.release(device, part);
  if (status == VPTR_SUCCESS && address != arena->place.base + size)
    return vptr__error(VPTR_ERROR_UNSUPPORTED, "it tells %#zx as the address of a part of a buffer, which is at %#zx",
                       (size_t)address, (size_t)arena->place.base + size);
  return status;
}

vptr_status vptr__heap_arena_make(vptr__device *device, size_t bytes, vptr__heap_arena *arena_out) {
  vptr__heap_arena arena = { .buffer = NULL };
  vptr_status status = check_device(device);
  if (status == VPTR_SUCCESS)
    status = make_buffer(device, bytes, &arena);
  if (status != VPTR_SUCCESS)
    return status;
  status = find_place(device, &arena);
  if (status == VPTR_SUCCESS)
    status = try_part(device, &arena);
  if (status != VPTR_SUCCESS) {
    device->ops->memory.release(device, arena.buffer);
    return status;
  }
  vptr__log(VPTR__LOG_DECISION,
            "took %zu MiB of %s, whose addresses are its own: from %#zx on, in windows of %u KiB "
            "(wanted %zu MiB)",
            arena.bytes >> 20, device->name, (size_t)arena.place.base, 1u << (arena.place.window_shift - 10),
            bytes >> 20);
  *arena_out = arena;
  return VPTR_SUCCESS;
}

void vptr__heap_arena_free(vptr__device *device, const vptr__heap_arena *arena) {
  if (arena->buffer != NULL)
    device->ops->memory.release(device, arena->buffer);
}

vptr_status vptr__heap_arena_part(vptr__device *device, const vptr__heap_arena *arena, uintptr_t base, size_t bytes,
                                  unsigned char byte, cl_mem *buffer_out) {
  return device->ops->memory.create_sub_set(device, arena->buffer, arena->origin + (base - arena->place.base), bytes,
                                            byte, buffer_out);
}
