/* SPDX-License-Identifier: MIT */
/*
 * span - see span.h. Which side an address lies on is a question of numbers only: device addresses are inside
 * the reservation of some mapper, everything else is the host's. That is why a copy needs no "kind" argument.
 */
#include "transfer/span.h"

#include "base/error.h"
#include "mapper/mapper.h"
#include "stream/stream.h"

/* No reservation is smaller than one window, and no window smaller than this. */
static const size_t SMALLEST_RESERVATION = (size_t)1 << 20;

typedef struct search {
  uintptr_t first, last; /* the host range, both ends included */
  bool found;            /* a reservation begins inside it */
} search;

static void find_enclosed(vptr_mapper *mapper, void *context) {
  search *range = context;
  uintptr_t base = vptr__heap_directory(mapper->heap)->base;
  if (base > range->first && base <= range->last)
    range->found = true;
}

/* The first byte lies in no reservation. The last one is looked up without a lock; a reservation strictly in
 * between needs the list of mappers, which only a range large enough to span one has to pay for, and that range
 * is about to take some 100 us to move. */
static bool runs_into_reservation(uintptr_t first, size_t size) {
  search range = { first, first + (size - 1), false };
  if (vptr__mapper_owning((const void *)range.last) != NULL)
    return true;
  if (size > SMALLEST_RESERVATION)
    vptr__mapper_each(find_enclosed, &range);
  return range.found;
}

/* What is not NULL and no device address. */
static vptr_status check_range(const char *what, const void *ptr, size_t size) {
  if (size - 1 > UINTPTR_MAX - (uintptr_t)ptr)
    return vptr__error(VPTR_ERROR_SIZE, "%s: %zu bytes from host address %p run past the end of the address space",
                       what, size, ptr);
  if (runs_into_reservation((uintptr_t)ptr, size))
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "%s: the host range of %zu bytes from %p runs into device addresses; check its size", what,
                       size, ptr);
  return VPTR_SUCCESS;
}

vptr_status vptr__span_check_host(vptr_mapper *mapper, const char *what, const void *ptr, size_t size) {
  if (ptr == NULL)
    return vptr__mapper_explain(mapper, VPTR_ERROR_NULL_POINTER, what, ptr, size);
  if (vptr__mapper_owning(ptr) != NULL)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "%s: %p is a device address, and host memory is needed here; copy it to the host first", what,
                       ptr);
  return check_range(what, ptr, size);
}

vptr_status vptr__span_hold_device(vptr_mapper *mapper, const char *what, const void *ptr, size_t size,
                                   vptr__span *span_out) {
  vptr_location location;
  vptr__lease lease;
  vptr_status status = vptr__lease_take(mapper->heap, ptr, size, &location, &lease);
  if (status != VPTR_SUCCESS)
    return vptr__mapper_explain(mapper, status, what, ptr, size);
  *span_out = (vptr__span){ mapper->device, NULL, location.buffer, location.buffer_offset, lease };
  return VPTR_SUCCESS;
}

vptr_status vptr__span_hold(vptr_mapper *mapper, const char *what, const void *ptr, size_t size,
                            vptr__span *span_out) {
  if (ptr == NULL || vptr__mapper_owning(ptr) != NULL)
    return vptr__span_hold_device(mapper, what, ptr, size, span_out);
  vptr_status status = check_range(what, ptr, size);
  if (status == VPTR_SUCCESS)
    *span_out = (vptr__span){ .host = (unsigned char *)(uintptr_t)ptr };
  return status;
}

void vptr__span_release(vptr__span *span) {
  vptr__lease_give(&span->lease);
}

vptr_status vptr__span_settle(vptr_mapper *mapper) {
  vptr__device *device = mapper->device;
  if (!device->has_queues)
    return VPTR_SUCCESS;
  vptr_status status = device->ops->settle(device);
  return status == VPTR_SUCCESS ? vptr__stream_settle_legacy(mapper) : status;
}
