/* SPDX-License-Identifier: MIT */
/*
 * async - copies on a stream; see async.h. Here is decided whose device does a copy and who waits; how its bytes move
 * is in strategy.c. Setting is in set.c, what needs two devices in peer.c.
 */
#include "transfer/async.h"

#include "transfer/peer.h"
#include "transfer/rect.h"
#include "transfer/strategy.h"

/* ---- waiting -------------------------------------------------------------------------------------------- */

/* Whether a command may still run: it is not known to have ended, well or badly. */
static bool may_run(vptr__device *device, cl_event event) {
  cl_int state;
  return device->ops->event_state(device, event, &state) != VPTR_SUCCESS || state > CL_COMPLETE;
}

/* The memory of a command goes back to its owner after this, so when the wait itself fails, everything is waited for. */
vptr_status vptr__transfer_await(vptr__device *device, cl_event event) {
  if (event == NULL)
    return VPTR_SUCCESS;
  vptr_status status = device->ops->event_wait(device, event);
  if (status != VPTR_SUCCESS && may_run(device, event))
    device->ops->finish(device);
  device->ops->event_release(device, event);
  return status;
}

vptr_status vptr__transfer_settle(vptr__stream *stream) {
  vptr__device *device = vptr__stream_mapper(stream)->device;
  cl_command_queue queue;
  cl_event event = NULL;
  vptr_status status = vptr__stream_begin(stream, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  status = device->ops->enqueue_barrier(device, queue, 0, NULL, &event);
  uint64_t number = vptr__stream_end(stream);
  if (status == VPTR_SUCCESS)
    status = vptr__transfer_await(device, event);
  if (status == VPTR_SUCCESS)
    vptr__stream_note_over(stream, number);
  return status;
}

/* ---- copies --------------------------------------------------------------------------------------------- */

/* Of managed memory, where no device memory says who does the work. */
static vptr_mapper *backing_of(const void *to, const void *from) {
  vptr_mapper *backing = vptr__endpoint_managed_mapper(to);
  return backing != NULL ? backing : vptr__endpoint_managed_mapper(from);
}

static vptr__copy_mode mode_of(const vptr__stream *stream, bool waits) {
  if (!waits)
    return VPTR__COPY_QUEUED;
  return vptr__stream_is_legacy(stream) ? VPTR__COPY_LEGACY : VPTR__COPY_WAITED;
}

/* On a stream of the device that does it. */
static vptr_status copy_on_stream(vptr__stream *stream, const vptr__operand *to, size_t to_reach,
                                  const vptr__operand *from, size_t from_reach, const size_t region[3], bool waits) {
  vptr__held_copy copy;
  copy.mapper = vptr__stream_mapper(stream);
  copy.stream = stream;
  copy.mode = mode_of(stream, waits);
  vptr_status status = vptr__held_copy_begin(&copy, to, to_reach, from, from_reach, region);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__strategy_of(&copy)(&copy);
  vptr__held_copy_end(&copy, status);
  return status;
}

vptr_status vptr__transfer_copy(vptr__stream *stream, const vptr__operand *to, const vptr__operand *from,
                                const size_t region[3], unsigned flags) {
  size_t to_reach, from_reach;
  if (vptr__rect_is_empty(region))
    return VPTR_SUCCESS;
  vptr_status status = vptr__rect_check(to, region, &to_reach);
  if (status == VPTR_SUCCESS)
    status = vptr__rect_check(from, region, &from_reach);
  if (status != VPTR_SUCCESS)
    return status;
  bool waits = (flags & VPTR__TRANSFER_WAIT) != 0;
  vptr_mapper *to_owner = vptr__mapper_owning(to->ptr), *from_owner = vptr__mapper_owning(from->ptr);
  vptr_mapper *owner = to_owner != NULL ? to_owner : from_owner;
  if (owner == NULL)
    owner = backing_of(to->ptr, from->ptr);
  if (to_owner != NULL && from_owner != NULL && to_owner != from_owner)
    return vptr__peer_copy(stream, to, to_owner, from, from_owner, region);
  if (owner == NULL || owner == vptr__stream_mapper(stream))
    return copy_on_stream(stream, to, to_reach, from, from_reach, region, waits);
  vptr__stream *peer_stream;
  status = vptr__peer_open(owner, stream, &peer_stream);
  if (status != VPTR_SUCCESS)
    return status;
  status = copy_on_stream(peer_stream, to, to_reach, from, from_reach, region, true);
  vptr__peer_close(peer_stream);
  return status;
}
