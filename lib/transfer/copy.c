/* SPDX-License-Identifier: MIT */
/*
 * copy - vptr_memcpy(): bytes between any two of host and device memory.
 *
 * Both ranges are checked and held before a byte moves (transfer/span), then there is one command for each of
 * the four directions. Only a move inside one buffer whose two ranges overlap needs more, since OpenCL refuses
 * such a copy: it goes in steps, from the end that is safe to begin with, as memmove() does:
 *
 *     to > from:  last step first        |  from ......|
 *                                            |...... to  |
 *
 * Blocks until done; takes no locks.
 */
#include <string.h>

#include <vptr/vptr.h>

#include "base/error.h"
#include "mapper/mapper.h"
#include "transfer/bulk.h"
#include "transfer/endpoint.h"

/* What a bounce buffer may hold. Measured, 1 GiB moved by 4 bytes on an H200: 22 ms through 1 MiB, 2.3 ms through
 * 16 MiB, 1.5 ms through 64 MiB, which a full device may not have. A CPU's caches would like 4 MiB: 2.8 against
 * 3.7 ms for 32 MiB. */
static const size_t BOUNCE_BYTES = (size_t)16 << 20;

/* What rather goes through the host's stack: a read and a write of so little take 13 us where making a buffer
 * alone takes 45. */
enum { STACK_BYTES = 4096 };

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

/* A move of bytes inside one buffer whose two ranges overlap. */
typedef struct overlap {
  vptr__device *device;
  cl_mem buffer;
  size_t from, to, size;
} overlap;

/* Where the next step of `step` bytes lies, relative to both ranges, when `done` bytes have been moved. A step
 * writes only bytes whose old content was moved by this step or an earlier one. */
static size_t step_position(const overlap *move, size_t done, size_t step) {
  return move->to < move->from ? done : move->size - done - step;
}

/* Steps no longer than the distance between the ranges do not overlap themselves: no bounce buffer. */
static vptr_status move_directly(const overlap *move, size_t distance) {
  for (size_t done = 0; done < move->size;) {
    size_t step = smaller(distance, move->size - done);
    size_t at = step_position(move, done, step);
    vptr_status status =
        move->device->ops->copy(move->device, move->buffer, move->from + at, move->buffer, move->to + at, step);
    if (status != VPTR_SUCCESS)
      return status;
    done += step;
  }
  return VPTR_SUCCESS;
}

static vptr_status move_through(const overlap *move, cl_mem bounce, size_t bounce_bytes) {
  vptr__device *device = move->device;
  for (size_t done = 0; done < move->size;) {
    size_t step = smaller(bounce_bytes, move->size - done);
    size_t at = step_position(move, done, step);
    vptr_status status = device->ops->copy(device, move->buffer, move->from + at, bounce, 0, step);
    if (status == VPTR_SUCCESS)
      status = device->ops->copy(device, bounce, 0, move->buffer, move->to + at, step);
    if (status != VPTR_SUCCESS)
      return status;
    done += step;
  }
  return VPTR_SUCCESS;
}

static vptr_status move_through_stack(const overlap *move) {
  unsigned char bytes[STACK_BYTES];
  vptr__device *device = move->device;
  vptr_status status = device->ops->read(device, move->buffer, move->from, bytes, move->size);
  if (status == VPTR_SUCCESS)
    status = device->ops->write(device, move->buffer, move->to, bytes, move->size);
  return status;
}

/* Straight from the device and not from the heap: a bounce buffer has no address, and must show neither in
 * vptr_walk() nor in the serial numbers. A full device gives up its idle buffers first, as for an allocation. */
static vptr_status make_bounce(vptr_mapper *mapper, size_t bytes, cl_mem *bounce_out) {
  vptr__device *device = mapper->device;
  vptr__error_try();
  vptr_status status = device->ops->buffer_create(device, bytes, bounce_out);
  if (status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY) {
    vptr__heap_trim(mapper->heap, 0);
    status = device->ops->buffer_create(device, bytes, bounce_out);
  }
  return vptr__error_tried(status);
}

/* Direct steps take size / distance commands, bouncing ones 2 * size / bounce_bytes and a buffer. */
static vptr_status move_overlapping(vptr_mapper *mapper, const overlap *move, size_t distance) {
  size_t bounce_bytes = smaller(move->size, BOUNCE_BYTES);
  if (move->size <= STACK_BYTES)
    return move_through_stack(move);
  if (distance >= bounce_bytes / 2)
    return move_directly(move, distance);
  cl_mem bounce;
  vptr_status status = make_bounce(mapper, bounce_bytes, &bounce);
  if (status != VPTR_SUCCESS)
    return status;
  status = move_through(move, bounce, bounce_bytes);
  move->device->ops->buffer_release(move->device, bounce);
  return status;
}

static vptr_status copy_on_device(vptr_mapper *mapper, const vptr__endpoint *to, const vptr__endpoint *from,
                                  size_t size) {
  size_t distance = to->offset > from->offset ? to->offset - from->offset : from->offset - to->offset;
  if (to->buffer != from->buffer || distance >= size)
    return to->device->ops->copy(to->device, from->buffer, from->offset, to->buffer, to->offset, size);
  if (distance == 0)
    return VPTR_SUCCESS;
  overlap move = { to->device, to->buffer, from->offset, to->offset, size };
  return move_overlapping(mapper, &move, distance);
}

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
    return copy_on_device(mapper, to, from, size);
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
