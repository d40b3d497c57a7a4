/* SPDX-License-Identifier: MIT */
/*
 * endpoint - checking, holding, acquiring and releasing the bytes at one end of a transfer (endpoint.h).
 *
 * Which side an address lies on is a question of numbers only: device addresses are inside the reservation of some
 * mapper, everything else is the host's. That is why a copy needs no "kind" argument.
 *
 * No data but a constant, and no lock of its own: endpoint.h names those that it takes. A buffer that is held stays
 * until it is released, a mirror until it is left; plain host memory is the caller's to keep. Called by async.c and
 * set.c, which ask on whose device managed memory is; by access.c, fill.c and strategy.c, which put the mapper's own
 * queue behind earlier work (vptr__endpoint_settle()); and by held_copy.c, peer.c, set.c, fill.c, seam.c and
 * cudart/cuda/array_copy.c, which hold, acquire and release endpoints, or check host memory. To acquire waits until
 * managed memory is on the device, to settle waits for queues that the program named.
 */
#include "transfer/endpoint.h"

#include "base/error.h"
#include "base/hot.h"
#include "base/waiting.h"
#include "device/completion.h"
#include "mirror/address_index.h"
#include "mirror/working_set.h"
#include "mapper/host.h"
#include "mapper/mapper.h"
#include "space/reservation.h"

/* No reservation is smaller than one window, and no window smaller than this. */
static const size_t SMALLEST_RESERVATION = (size_t)1 << 20;

typedef struct search {
  uintptr_t first, last; /* the host range, both endpoints included */
  bool found;            /* a reservation begins inside it */
} search;

static void find_enclosed(vptr_mapper *mapper, void *context) {
  search *range = context;
  uintptr_t base = vptr__heap_directory(mapper->heap)->base;
  if (base > range->first && base <= range->last)
    range->found = true;
}

/* The first byte lies in no reservation. The last one is looked up without a lock; a reservation strictly in
 * between needs the list of mappers, which only a range large enough to contain one has to pay for, and that range
 * is about to take some 100 us to move. */
static bool runs_into_reservation(uintptr_t first, size_t size) {
  search range = { first, first + (size - 1), false };
  if (vptr__mapper_owning((const void *)range.last) != NULL)
    return true;
  if (size > SMALLEST_RESERVATION)
    vptr__mapper_each(find_enclosed, &range);
  return range.found;
}

/* Whether the last byte, which lies in no reservation, lies in the guard in front of one. */
static bool ends_in_guard(uintptr_t last) {
  vptr_mapper *owner = last <= UINTPTR_MAX - VPTR__RESERVATION_GUARD
                           ? vptr__mapper_owning((const void *)(last + VPTR__RESERVATION_GUARD))
                           : NULL;
  return owner != NULL && vptr__heap_directory(owner->heap)->guard > 0;
}

/* Whether a range can be host memory, whose first byte is not NULL and no device address. */
static vptr_status check_range(const char *what, const void *ptr, size_t size) {
  if (size - 1 > UINTPTR_MAX - (uintptr_t)ptr)
    return vptr__error(VPTR_ERROR_INVALID_SIZE,
                       "%s: %zu bytes from host address %p run past the end of the address space", what, size, ptr);
  if (runs_into_reservation((uintptr_t)ptr, size))
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "%s: the host range of %zu bytes from %p runs into device addresses; check its size", what,
                       size, ptr);
  if (ends_in_guard((uintptr_t)ptr + (size - 1)))
    return vptr__error(
        VPTR_ERROR_UNKNOWN_ADDRESS,
        "%s: the %zu bytes at %p lie in front of the first device address, and are nobody's; check how the "
        "pointer was computed",
        what, size, ptr);
  return vptr__host_check(what, ptr, size);
}

vptr_status vptr__endpoint_check_host(vptr_mapper *mapper, const char *what, const void *ptr, size_t size) {
  if (ptr == NULL)
    return vptr__mapper_explain(mapper, VPTR_ERROR_NULL_POINTER, what, ptr, size);
  if (vptr__mapper_owning(ptr) != NULL)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "%s: %p is a device address, and host memory is needed here; copy it to the host first", what,
                       ptr);
  return check_range(what, ptr, size);
}

/* ---- managed memory -------------------------------------------------------------------------------------- */

VPTR__HOT static bool is_managed(const void *ptr) {
  return vptr__address_index_has(ptr) && vptr__mapper_owning(ptr) == NULL;
}

static vptr_status hold_managed(vptr_mapper *mapper, const char *what, const void *ptr, size_t size,
                                vptr__endpoint *endpoint_out) {
  size_t offset;
  vptr__mirror *mirror = vptr__address_index_enter(ptr, &offset);
  if (mirror == NULL)
    return vptr__error(VPTR_ERROR_FREED, "%s: %p is managed memory that another thread has just freed", what, ptr);
  size_t bytes = vptr__mirror_size(mirror);
  if (offset >= bytes || size > bytes - offset) {
    vptr_status status = vptr__error(
        VPTR_ERROR_OUT_OF_BOUNDS, "%s: %zu bytes from %p on, which lies %zu bytes inside managed memory of %zu bytes",
        what, size, ptr, offset, bytes);
    vptr__address_index_leave(mirror);
    return status;
  }
  *endpoint_out = (vptr__endpoint){ .device = mapper->device, .offset = offset, .mirror = mirror };
  return VPTR_SUCCESS;
}

/* What an endpoint asks for; false if it is not managed. */
static bool get_want(const vptr__endpoint *endpoint, size_t size, vptr_access access,
                     vptr__working_set_item *want_out) {
  if (endpoint == NULL || endpoint->mirror == NULL)
    return false;
  *want_out = (vptr__working_set_item){ .mirror = endpoint->mirror,
                                        .offset = endpoint->offset,
                                        .size = size,
                                        .access = access,
                                        .tag = access != VPTR_ACCESS_READ };
  return true;
}

VPTR__HOT vptr_status vptr__endpoint_acquire(vptr_mapper *mapper, vptr__endpoint *to, size_t to_size,
                                             vptr_access to_access, vptr__endpoint *from, size_t from_size) {
  vptr__working_set_item both[2];
  size_t count = get_want(to, to_size, to_access, &both[0]);
  count += get_want(from, from_size, VPTR_ACCESS_READ, &both[count]);
  vptr_status status = count > 0 ? vptr__working_set_acquire(mapper, both, count) : VPTR_SUCCESS;
  for (size_t i = 0; i < count && status == VPTR_SUCCESS; i++) {
    vptr__endpoint *endpoint = both[i].tag != 0 ? to : from;
    endpoint->buffer = both[i].acquisition.buffer;
    endpoint->is_acquired = true;
  }
  return status;
}

static void give_back(vptr__endpoint *endpoint, uint64_t stream, cl_event event) {
  if (endpoint->is_acquired)
    vptr__mirror_release(endpoint->mirror, stream, event);
  endpoint->is_acquired = false;
}

/* A barrier says when all before it is over. Without one it is waited for. */
VPTR__HOT void vptr__endpoint_release_managed(vptr__stream *stream, cl_command_queue queue, vptr__endpoint *to,
                                              vptr__endpoint *from) {
  vptr__device *device = vptr__stream_mapper(stream)->device;
  cl_event event = NULL;
  if (!vptr__endpoint_is_acquired(to, from))
    return;
  vptr__error_try();
  if (device->ops->queue.enqueue_barrier(device, queue, 0, NULL, &event) != VPTR_SUCCESS)
    vptr__completion_drain(device, queue);
  vptr__error_tried(VPTR_SUCCESS);
  give_back(to, vptr__stream_id(stream), event);
  if (from != NULL)
    give_back(from, vptr__stream_id(stream), event);
  if (event != NULL)
    device->ops->event.release(device, event);
}

VPTR__HOT vptr_mapper *vptr__endpoint_managed_mapper(const void *ptr) {
  size_t offset;
  vptr__mirror *mirror = is_managed(ptr) ? vptr__address_index_enter(ptr, &offset) : NULL;
  if (mirror == NULL)
    return NULL;
  vptr_mapper *mapper = vptr__mirror_current_mapper(mirror);
  vptr__address_index_leave(mirror);
  return mapper;
}

/* ---- holding --------------------------------------------------------------------------------------------- */

VPTR__HOT static inline vptr_status hold_leased(vptr_mapper *mapper, vptr_access access, const char *what,
                                                const void *ptr, size_t size, vptr__endpoint *endpoint_out) {
  vptr_location location;
  vptr__lease lease;
  vptr_status status = access == VPTR_ACCESS_READ
                           ? vptr__lease_take_to_read(mapper->heap, ptr, size, &location, &lease)
                           : vptr__lease_take(mapper->heap, ptr, size, &location, &lease);
  if (status > VPTR_ERROR_INTERIOR)
    return status; /* it could not come to the device: said there */
  if (status != VPTR_SUCCESS)
    return vptr__mapper_explain(mapper, status, what, ptr, size);
  *endpoint_out = (vptr__endpoint){
    .device = mapper->device, .buffer = location.buffer, .offset = location.buffer_offset, .lease = lease
  };
  return VPTR_SUCCESS;
}

VPTR__HOT vptr_status vptr__endpoint_hold_device(vptr_mapper *mapper, const char *what, const void *ptr, size_t size,
                                                 vptr__endpoint *endpoint_out) {
  return is_managed(ptr) ? hold_managed(mapper, what, ptr, size, endpoint_out)
                         : hold_leased(mapper, VPTR_ACCESS_READ_WRITE, what, ptr, size, endpoint_out);
}

VPTR__HOT static vptr_status hold_host(vptr_mapper *mapper, const char *what, const void *ptr, size_t size,
                                       vptr__endpoint *endpoint_out) {
  if (ptr == NULL)
    return vptr__mapper_explain(mapper, VPTR_ERROR_NULL_POINTER, what, ptr, size);
  vptr_status status = check_range(what, ptr, size);
  if (status == VPTR_SUCCESS)
    *endpoint_out = (vptr__endpoint){ .host = (unsigned char *)(uintptr_t)ptr };
  return status;
}

VPTR__HOT vptr_status vptr__endpoint_hold(vptr_mapper *mapper, vptr__memory_kind kind, vptr_access access,
                                          const char *what, const void *ptr, size_t size,
                                          vptr__endpoint *endpoint_out) {
  if (kind == VPTR__MEMORY_DEVICE)
    return hold_leased(mapper, access, what, ptr, size, endpoint_out);
  if (kind == VPTR__MEMORY_MANAGED)
    return hold_managed(mapper, what, ptr, size, endpoint_out);
  return hold_host(mapper, what, ptr, size, endpoint_out);
}

VPTR__HOT void vptr__endpoint_release(vptr__endpoint *endpoint) {
  if (endpoint->mirror == NULL) {
    vptr__lease_give(&endpoint->lease);
    return;
  }
  give_back(endpoint, 0, NULL);
  vptr__address_index_leave(endpoint->mirror);
}

VPTR__HOT vptr_status vptr__endpoint_settle(vptr_mapper *mapper) {
  vptr__device *device = mapper->device;
  if (vptr__waiting_is_barred())
    return vptr__waiting_check();
  if (!device->has_queues)
    return VPTR_SUCCESS;
  vptr_status status = device->ops->queue.settle(device);
  return status == VPTR_SUCCESS ? vptr__stream_settle_legacy(mapper) : status;
}
