/* SPDX-License-Identifier: MIT */
/*
 * backing - making and releasing a mirror's buffer on one device, and pinning the host pages for it (backing.h).
 *
 * A vptr__backing is made here, with its buffer and its pin, and freed by vptr__backing_close(). Meanwhile it is its
 * mirror's, in the list vptr__mirror.backings (state.h), until the mirror ends or gives it up (move.c). The file has no
 * lock: vptr__mirror.lock, of rank MIRROR, guards a backing buffer once it is in that list. For a moment it takes locks
 * of others: vptr__heap.lock and copy_queue.c's, of rank HEAP, and resident_set.c's, of rank LEAF. vptr__backing_open()
 * with `insists` makes room on a full device (mapper/reclaim.h): it waits for the device's work, may evict other
 * mirrors, and waits for that (resident_set.h); hence it is called without any mirror's lock. Without device memory it
 * fails.
 *
 * Called by mirror.c when a mirror begins and ends; by move.c when it comes to another device or leaves one; and by
 * acquire.c, which pins.
 */
#include "mirror/backing.h"

#include <inttypes.h>

#include "base/error.h"
#include "base/memory.h"

/* ---- buffers -------------------------------------------------------------------------------------------- */

/* A buffer that is asked for. */
typedef struct request {
  vptr__device *device;
  size_t size;
  cl_mem *buffer_out;
} request;

/* Success leaves the claim to the residency that is made of it. */
static vptr_status try_buffer(void *context) {
  const request *want = context;
  vptr__resident_set_begin_change();
  vptr_status status = want->device->ops->memory.create(want->device, want->size, want->buffer_out);
  if (status != VPTR_SUCCESS)
    vptr__resident_set_end_change();
  return status;
}

static vptr_status refuse_buffer(const vptr__reclaim *reclaim, size_t size) {
  const vptr__device *device = reclaim->device;
  vptr__residents_held holds = vptr__resident_set_held(device);
  if (reclaim->is_early && vptr__resident_set_thread_holds())
    return vptr__error(VPTR_ERROR_NOT_READY,
                       "%s has no room for %zu bytes of managed memory while other threads send work that uses "
                       "%" PRIu64 "; give back what is acquired, and acquire it again",
                       device->name, size, holds.acquired);
  return vptr__error(VPTR_ERROR_OUT_OF_DEVICE_MEMORY,
                     "%s has no room for %zu bytes of managed memory (memory in all: %" PRIu64 "), though all other "
                     "managed memory left it but %" PRIu64 " bytes that the same work uses and %" PRIu64
                     " that cannot leave; free something, or use less at once",
                     device->name, size, device->memory_bytes, holds.acquired, holds.staying);
}

static vptr_status insist_on_buffer(vptr_mapper *mapper, request *want) {
  vptr__reclaim reclaim = vptr__reclaim_begin(mapper, true);
  vptr_status status = vptr__reclaim_insist(&reclaim, try_buffer, want);
  return status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY ? refuse_buffer(&reclaim, want->size) : status;
}

static vptr_status make_buffer(vptr_mapper *mapper, size_t size, bool insists, cl_mem *buffer_out) {
  request want = { mapper->device, size, buffer_out };
  vptr__error_try();
  return vptr__error_tried(insists ? insist_on_buffer(mapper, &want) : vptr__reclaim_try(mapper, try_buffer, &want));
}

/* 0 where the device has no such thing, or will not tell: the mirror does without. */
static uint64_t ask_address(vptr__device *device, cl_mem buffer) {
  uint64_t address = 0;
  vptr__error_try();
  if (device->ops->memory.address(device, buffer, &address) != VPTR_SUCCESS)
    address = 0;
  vptr__error_tried(VPTR_SUCCESS);
  return address;
}

uint64_t vptr__backing_address(const vptr__backing *backing) {
  vptr__device *device = backing->mapper->device;
  return device->proxy != NULL && backing->address != 0 ? ask_address(device, backing->buffer) : backing->address;
}

/* ---- life ----------------------------------------------------------------------------------------------- */

static uint64_t taken_by_heap(const vptr_mapper *mapper) {
  vptr_stats stats;
  vptr__heap_stats(mapper->heap, &stats);
  return stats.buffer_bytes - stats.idle_bytes;
}

static vptr_status build_backing(vptr__backing *backing, size_t size, bool insists) {
  vptr__device *device = backing->mapper->device;
  vptr_status status = vptr__copy_queue_open(device, &backing->copy_queue);
  if (status != VPTR_SUCCESS)
    return status;
  status = make_buffer(backing->mapper, size, insists, &backing->buffer);
  if (status != VPTR_SUCCESS) {
    vptr__copy_queue_close(backing->copy_queue);
    return status;
  }
  vptr__resident_set_enter(&backing->residency, device, size, taken_by_heap(backing->mapper));
  backing->address = ask_address(device, backing->buffer);
  return VPTR_SUCCESS;
}

vptr_status vptr__backing_open(vptr_mapper *mapper, size_t size, bool insists, vptr__backing **backing_out) {
  vptr__backing *backing = vptr__memory_calloc(1, sizeof *backing);
  if (backing == NULL)
    return vptr__error_host_memory(sizeof *backing);
  backing->mapper = mapper;
  vptr_status status = build_backing(backing, size, insists);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(backing);
    return status;
  }
  *backing_out = backing;
  return VPTR_SUCCESS;
}

void vptr__backing_close(vptr__backing *backing) {
  vptr__device *device = backing->mapper->device;
  device->ops->memory.release(device, backing->buffer);
  vptr__resident_set_leave(&backing->residency);
  vptr__copy_queue_close(backing->copy_queue);
  vptr__memory_free(backing);
}

/* ---- pinning -------------------------------------------------------------------------------------------- */

void vptr__backing_pin(vptr__backing *backing, void *host, size_t size) {
  vptr__device *device = backing->mapper->device;
  backing->pin_was_tried = true;
  vptr__error_try();
  backing->is_pinned = device->ops->memory.pin_host(device, host, size, &backing->pin) == VPTR_SUCCESS;
  vptr__error_tried(VPTR_SUCCESS);
}

void vptr__backing_unpin(vptr__backing *backing, void *host) {
  vptr__device *device = backing->mapper->device;
  if (backing->is_pinned)
    device->ops->memory.unpin_host(device, backing->pin, host);
  backing->is_pinned = false;
}
