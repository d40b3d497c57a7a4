/* SPDX-License-Identifier: MIT */
/*
 * copy - vptr_memcpy(): bytes between any two of host and device memory.
 *
 * Both ranges are checked and held before a byte moves (transfer/endpoint.h), then there is one command for each of
 * the four directions. Only a move inside one buffer whose two ranges overlap needs more (transfer/shift.h).
 *
 * Blocks until done; takes no locks.
 */
#include <string.h>

#include <vptr/vptr.h>

#include "base/error.h"
#include "mapper/mapper.h"
#include "transfer/bulk.h"
#include "transfer/endpoint.h"
#include "transfer/shift.h"

/* Where that is quicker; false: it has to go another way. What is pinned is not known here, and takes the detour. */
static bool copy_in_bulk(vptr_mapper *mapper, const vptr__endpoint *to, const vptr__endpoint *from, size_t size,
                         vptr_status *status_out) {
  vptr__stream *legacy;
  if (!vptr__bulk_pays(mapper->device, size))
    return false;
  vptr__error_try();
  bool has_stream = vptr__stream_legacy(mapper, &legacy) == VPTR_SUCCESS;
  vptr__error_tried(VPTR_SUCCESS);
  return has_stream && vptr__bulk_copy(legacy, to, from, size, status_out);
}

static vptr_status copy_endpoints(vptr_mapper *mapper, const vptr__endpoint *to, const vptr__endpoint *from,
                                  size_t size) {
  if (to->device == NULL && from->device == NULL) {
    memmove(to->host, from->host, size);
    return VPTR_SUCCESS;
  }
  vptr_status status = vptr__endpoint_settle(mapper);
  if (status != VPTR_SUCCESS)
    return status;
  if (to->device != NULL && from->device != NULL)
    return vptr__shift_line(mapper, to, from, size);
  if (copy_in_bulk(mapper, to, from, size, &status))
    return status;
  if (to->device != NULL)
    return to->device->ops->write(to->device, to->buffer, to->offset, from->host, size);
  return from->device->ops->read(from->device, from->buffer, from->offset, to->host, size);
}

vptr_status vptr_memcpy(vptr_mapper *mapper, void *dst, const void *src, size_t size) {
  if (size == 0)
    return VPTR_SUCCESS;
  vptr_status status = VPTR_SUCCESS;
  mapper = vptr__mapper_of(mapper, &status);
  if (mapper == NULL)
    return status;
  vptr__endpoint to, from;
  status = vptr__endpoint_hold(mapper, "vptr_memcpy, destination", dst, size, &to);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__endpoint_hold(mapper, "vptr_memcpy, source", src, size, &from);
  if (status != VPTR_SUCCESS)
    goto release_to;
  status = vptr__endpoint_acquire(mapper, &to, size, VPTR_ACCESS_DISCARD_WRITE, &from, size);
  if (status == VPTR_SUCCESS)
    status = copy_endpoints(mapper, &to, &from, size);
  vptr__endpoint_release(&from);
release_to:
  vptr__endpoint_release(&to);
  return status;
}
