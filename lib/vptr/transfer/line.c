/* SPDX-License-Identifier: MIT */
/*
 * line - the short way of a plain cudaMemcpy() (line.h).
 *
 * No data but a constant, and no lock of its own: line.h names those that it takes. The device's buffer is kept by a
 * lease, the host's memory by the caller. vptr__line_copy() takes 1 MiB at most. Called by cudart/cuda/copy.c for
 * cudaMemcpy(), and by strategy.c, which has a line of any size sent (vptr__line_send()). It blocks until the bytes
 * have moved.
 */
#include "transfer/line.h"

#include "base/hot.h"
#include "mirror/address_index.h"
#include "mapper/host.h"
#include "mapper/mapper.h"
#include "mapper/registry.h"
#include "space/reservation.h"

/* No reservation is smaller, so none begins and ends between the two endpoints of such a line, nor between its last
 * byte and one that lies a reservation's guard behind. What is longer takes longer than it is to ask. */
static const size_t MOST_BYTES = (size_t)1 << 20;

VPTR__HOT vptr_status vptr__line_send(vptr__stream *legacy, const vptr__endpoint *to, const vptr__endpoint *from,
                                      size_t size) {
  vptr_status status = vptr__stream_settle_legacy(vptr__stream_mapper(legacy));
  if (status != VPTR_SUCCESS)
    return status;
  uint64_t before = vptr__stream_last(legacy);
  if (to->device != NULL)
    status = to->device->ops->transfer.write(to->device, to->buffer, to->offset, from->host, size);
  else
    status = from->device->ops->transfer.read(from->device, from->buffer, from->offset, to->host, size);
  return status == VPTR_SUCCESS ? vptr__stream_poll_failure_behind(legacy, before) : status;
}

/* Neither managed memory, nor beyond the bounds of pinned memory. */
VPTR__HOT static bool is_plain_host(const void *host, uintptr_t last) {
  return !vptr__host_may_have((uintptr_t)host, last) ||
         (!vptr__address_index_has(host) && vptr__host_check(NULL, host, last - (uintptr_t)host + 1) == VPTR_SUCCESS);
}

/* Whose memory is at one endpoint of the line, where the other is the host's from its first byte to its last. */
VPTR__HOT static vptr_mapper *owner_of_plain(const void *device, const void *host, size_t size) {
  vptr_mapper *owner = vptr__mapper_owning(device);
  uintptr_t last = (uintptr_t)host + (size - 1);
  bool is_plain = owner != NULL && host != NULL && last >= (uintptr_t)host && vptr__mapper_owning(host) == NULL &&
                  vptr__mapper_owning((const void *)(last + VPTR__RESERVATION_GUARD)) == NULL &&
                  is_plain_host(host, last);
  return is_plain ? owner : NULL;
}

VPTR__HOT static bool may_call(void) {
  return !vptr__stream_in_host_function() && !vptr__registry_is_forked();
}

VPTR__HOT static bool copy_leased_line(vptr_mapper *mapper, void *to, const void *from, size_t size, bool to_device,
                                       vptr_status *status_out) {
  vptr__endpoint device = { .device = mapper->device },
                 host = { .host = (unsigned char *)(uintptr_t)(to_device ? from : to) };
  vptr_location location;
  vptr__stream *legacy;
  if (vptr__heap_has_seam(mapper->heap, to_device ? to : from, size))
    return false;
  vptr_status status = to_device ? vptr__lease_take(mapper->heap, to, size, &location, &device.lease)
                                 : vptr__lease_take_to_read(mapper->heap, from, size, &location, &device.lease);
  if (status != VPTR_SUCCESS)
    return false;
  device.buffer = location.buffer;
  device.offset = location.buffer_offset;
  bool done = vptr__stream_legacy(mapper, &legacy) == VPTR_SUCCESS;
  if (done)
    *status_out = vptr__line_send(legacy, to_device ? &device : &host, to_device ? &host : &device, size);
  vptr__lease_give(&device.lease);
  return done;
}

VPTR__HOT bool vptr__line_copy(void *to, const void *from, size_t size, unsigned ways, vptr_mapper **mapper_out,
                               vptr_status *status_out) {
  if (size - 1 >= MOST_BYTES || !may_call())
    return false;
  vptr_mapper *owner = (ways & VPTR__LINE_TO_DEVICE) != 0 ? owner_of_plain(to, from, size) : NULL;
  bool to_device = owner != NULL;
  if (!to_device && (ways & VPTR__LINE_TO_HOST) != 0)
    owner = owner_of_plain(from, to, size);
  if (owner == NULL || !copy_leased_line(owner, to, from, size, to_device, status_out))
    return false;
  *mapper_out = owner;
  return true;
}
