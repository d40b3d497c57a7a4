/* SPDX-License-Identifier: MIT */
/* home - see home.h. */
#include "managed/home.h"

#include <inttypes.h>

#include "base/error.h"
#include "base/memory.h"

/* ---- buffers -------------------------------------------------------------------------------------------- */

/* Success leaves the claim to the tenant that is made of it. */
static vptr_status try_buffer(vptr__device *device, size_t size, cl_mem *buffer_out) {
  vptr__room_claim();
  vptr_status status = device->ops->buffer_create(device, size, buffer_out);
  if (status != VPTR_SUCCESS)
    vptr__room_unclaim();
  return status;
}

static vptr_status try_after_trim(vptr_mapper *mapper, size_t size, cl_mem *buffer_out) {
  vptr__heap_trim(mapper->heap, 0);
  return try_buffer(mapper->device, size, buffer_out);
}

static vptr_status try_twice(vptr_mapper *mapper, size_t size, cl_mem *buffer_out) {
  vptr_status status = try_buffer(mapper->device, size, buffer_out);
  return status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY ? try_after_trim(mapper, size, buffer_out) : status;
}

static vptr_status refuse_buffer(const vptr__reclaim *reclaim, size_t size) {
  const vptr__device *device = reclaim->device;
  vptr__room_holds holds = vptr__room_look(device);
  if (reclaim->is_early && vptr__room_is_lender())
    return vptr__error(VPTR_ERROR_NOT_READY,
                       "%s has no room for %zu bytes of managed memory while other threads send work that uses "
                       "%" PRIu64 "; give back what is lent, and lend it again",
                       device->name, size, holds.lent);
  return vptr__error(VPTR_ERROR_OUT_OF_DEVICE_MEMORY,
                     "%s has no room for %zu bytes of managed memory (memory in all: %" PRIu64 "), though all other "
                     "managed memory left it but %" PRIu64 " bytes that the same work uses and %" PRIu64
                     " that cannot leave; free something, or use less at once",
                     device->name, size, device->memory_bytes, holds.lent, holds.staying);
}

static vptr_status insist_on_buffer(vptr_mapper *mapper, size_t size, cl_mem *buffer_out) {
  vptr__reclaim reclaim = vptr__reclaim_begin(mapper->device, true);
  vptr_status status = try_twice(mapper, size, buffer_out);
  while (status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY && vptr__room_answer(&reclaim))
    status = try_after_trim(mapper, size, buffer_out);
  return status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY ? refuse_buffer(&reclaim, size) : status;
}

static vptr_status make_buffer(vptr_mapper *mapper, size_t size, bool insists, cl_mem *buffer_out) {
  vptr__error_try();
  return vptr__error_tried(insists ? insist_on_buffer(mapper, size, buffer_out)
                                   : try_twice(mapper, size, buffer_out));
}

/* 0 where the device has no such thing, or will not tell: the mirror does without. */
static uint64_t ask_address(vptr__device *device, cl_mem buffer) {
  uint64_t address = 0;
  vptr__error_try();
  if (device->ops->buffer_address(device, buffer, &address) != VPTR_SUCCESS)
    address = 0;
  vptr__error_tried(VPTR_SUCCESS);
  return address;
}

/* ---- life ----------------------------------------------------------------------------------------------- */

static uint64_t taken_by_heap(const vptr_mapper *mapper) {
  vptr_stats stats;
  vptr__heap_stats(mapper->heap, &stats);
  return stats.buffer_bytes - stats.idle_bytes;
}

static vptr_status build_home(vptr__home *home, size_t size, bool insists) {
  vptr__device *device = home->mapper->device;
  vptr_status status = vptr__copy_queue_open(device, &home->copy_queue);
  if (status != VPTR_SUCCESS)
    return status;
  status = make_buffer(home->mapper, size, insists, &home->buffer);
  if (status != VPTR_SUCCESS) {
    vptr__copy_queue_close(home->copy_queue);
    return status;
  }
  vptr__room_enter(&home->tenant, device, size, taken_by_heap(home->mapper));
  home->address = ask_address(device, home->buffer);
  return VPTR_SUCCESS;
}

vptr_status vptr__home_open(vptr_mapper *mapper, size_t size, bool insists, vptr__home **home_out) {
  vptr__home *home = vptr__memory_calloc(1, sizeof *home);
  if (home == NULL)
    return vptr__error_host_memory(sizeof *home);
  home->mapper = mapper;
  vptr_status status = build_home(home, size, insists);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(home);
    return status;
  }
  *home_out = home;
  return VPTR_SUCCESS;
}

void vptr__home_close(vptr__home *home) {
  vptr__device *device = home->mapper->device;
  device->ops->buffer_release(device, home->buffer);
  vptr__room_leave(&home->tenant);
  vptr__copy_queue_close(home->copy_queue);
  vptr__memory_free(home);
}

/* ---- pinning -------------------------------------------------------------------------------------------- */

void vptr__home_pin(vptr__home *home, void *host, size_t size) {
  vptr__device *device = home->mapper->device;
  home->pin_was_tried = true;
  vptr__error_try();
  home->is_pinned = device->ops->pin_host(device, host, size, &home->pin) == VPTR_SUCCESS;
  vptr__error_tried(VPTR_SUCCESS);
}

void vptr__home_unpin(vptr__home *home, void *host) {
  vptr__device *device = home->mapper->device;
  if (home->is_pinned)
    device->ops->unpin_host(device, home->pin, host);
  home->is_pinned = false;
}
