/* SPDX-License-Identifier: MIT */
/*
 * async - copies on a stream; see async.h. Setting is in set.c, what needs two devices in peer.c.
 *
 * Both endpoints are checked and held, and then it is one of four directions. Where the host has to wait, it waits
 * for an event of the command's own, outside of vptr__stream_begin() and _end(): others may send meanwhile.
 *
 * A copy that waits anyway, on the legacy stream and without rows, is a line (transfer/line.h).
 */
#include "transfer/async.h"

#include "transfer/bulk.h"
#include "transfer/held_copy.h"
#include "transfer/line.h"
#include "transfer/pack.h"
#include "transfer/peer.h"
#include "transfer/shift.h"
#include "transfer/stage.h"

static bool is_device(const vptr__pitched_endpoint *pitched) {
  return pitched->memory.device != NULL;
}

static bool waits(const vptr__held_copy *copy) {
  return copy->mode != VPTR__COPY_QUEUED;
}

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

/* ---- one command ---------------------------------------------------------------------------------------- */

static const size_t ORIGIN[3] = { 0, 0, 0 };

static vptr_status send_write(const vptr__held_copy *copy, cl_command_queue queue, cl_event *event_out) {
  vptr__device *device = copy->mapper->device;
  const vptr__pitched_endpoint *to = &copy->to, *from = &copy->from;
  if (vptr__rect_is_line(copy->region))
    return device->ops->enqueue_write(device, queue, to->memory.buffer, to->memory.offset, from->memory.host,
                                      copy->region[0], event_out);
  vptr__rect rect = vptr__pitched_endpoint_rect(to, ORIGIN);
  return device->ops->enqueue_write_rect(device, queue, &rect, from->memory.host, from->row, from->slice,
                                         copy->region, event_out);
}

static vptr_status send_read(const vptr__held_copy *copy, cl_command_queue queue, cl_event *event_out) {
  vptr__device *device = copy->mapper->device;
  const vptr__pitched_endpoint *to = &copy->to, *from = &copy->from;
  if (vptr__rect_is_line(copy->region))
    return device->ops->enqueue_read(device, queue, from->memory.buffer, from->memory.offset, to->memory.host,
                                     copy->region[0], event_out);
  vptr__rect rect = vptr__pitched_endpoint_rect(from, ORIGIN);
  return device->ops->enqueue_read_rect(device, queue, &rect, to->memory.host, to->row, to->slice, copy->region,
                                        event_out);
}

/* The event stays NULL where nothing had to be done; event_out may be NULL. */
static vptr_status send_job(const vptr__held_copy *copy, cl_command_queue queue, cl_event *event_out) {
  if (!is_device(&copy->from))
    return send_write(copy, queue, event_out);
  if (!is_device(&copy->to))
    return send_read(copy, queue, event_out);
  return vptr__shift_send(copy->stream, queue, &copy->to, &copy->from, copy->region, event_out);
}

static vptr_status send_in_order(const vptr__held_copy *copy, cl_event *event_out, uint64_t *number_out) {
  cl_command_queue queue;
  vptr_status status = vptr__stream_begin(copy->stream, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  status = send_job(copy, queue, event_out);
  *number_out = vptr__stream_end(copy->stream);
  return status;
}

/* For whoever does not wait: the stream watches the command, and the event tells when its host memory is free. */
static vptr_status send_and_keep(const vptr__held_copy *copy, cl_event *event_out) {
  vptr__device *device = copy->mapper->device;
  cl_command_queue queue;
  cl_event event = NULL;
  vptr_status status = vptr__stream_begin(copy->stream, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  status = send_job(copy, queue, &event);
  if (event != NULL) {
    device->ops->event_retain(device, event);
    *event_out = event;
  }
  vptr__stream_note(copy->stream, event);
  vptr__stream_end(copy->stream);
  return status;
}

/* The same where nobody asks when. */
static vptr_status send_and_leave(const vptr__held_copy *copy) {
  vptr__device *device = copy->mapper->device;
  cl_command_queue queue;
  cl_event event = NULL;
  vptr_status status = vptr__stream_begin(copy->stream, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  status = send_job(copy, queue, vptr__transfer_watches(device, &event));
  vptr__stream_note(copy->stream, event);
  vptr__transfer_end(copy->stream, device);
  return status;
}

/* ---- ways to do it -------------------------------------------------------------------------------------- */

static vptr_status copy_on_host(const vptr__held_copy *copy) {
  vptr_status status = vptr__transfer_settle(copy->stream);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__stage_copy(&copy->to, &copy->from, copy->region);
  return vptr__stream_poll_failure(copy->stream);
}

static vptr_status copy_and_wait(const vptr__held_copy *copy) {
  cl_event event = NULL;
  uint64_t number;
  vptr_status status = send_in_order(copy, &event, &number);
  if (status == VPTR_SUCCESS)
    status = vptr__transfer_await(copy->mapper->device, event);
  return status == VPTR_SUCCESS ? vptr__stream_poll_failure_behind(copy->stream, event != NULL ? number : 0) : status;
}

static vptr_status copy_by_stage(const vptr__held_copy *copy) {
  vptr__held_copy staged = *copy;
  cl_event event = NULL;
  vptr_status status = vptr__stage_make(&copy->from, copy->region, &staged.from);
  if (status != VPTR_SUCCESS)
    return status;
  status = send_and_keep(&staged, &event);
  if (status == VPTR_SUCCESS)
    vptr__stage_leave(&staged.from, copy->mapper->device, event);
  else
    vptr__stage_drop(&staged.from);
  return status;
}

/* A kernel that has plain memory may still write what would be staged now. */
static bool may_stage(const vptr__held_copy *copy) {
  return !waits(copy) && vptr__rect_bytes(copy->region) <= VPTR__STAGE_BYTES &&
         !atomic_load_explicit(&copy->mapper->device->acquires_system, memory_order_acquire);
}

static vptr_status copy_by_command(void *copy) {
  return copy_and_wait(copy);
}

/* Rows may be quicker in another way than by one command. */
static vptr_status copy_rect_and_wait(vptr__held_copy *copy) {
  return vptr__pack_copy(copy->stream, &copy->to, &copy->from, copy->region, copy_by_command, copy);
}

/* Where that is quicker; false: it has to go another way. */
static bool copy_in_bulk(const vptr__held_copy *copy, vptr_status *status_out) {
  vptr_status status;
  if (!vptr__rect_is_line(copy->region) ||
      !vptr__bulk_copy(copy->stream, &copy->to.memory, &copy->from.memory, copy->region[0], &status))
    return false;
  *status_out = status == VPTR_SUCCESS ? vptr__stream_poll_failure(copy->stream) : status;
  return true;
}

static vptr_status copy_with_host(vptr__held_copy *copy) {
  bool to_device = is_device(&copy->to), pinned = to_device ? copy->from.pinned : copy->to.pinned;
  vptr_status status;
  if (!pinned && copy_in_bulk(copy, &status))
    return status;
  if (waits(copy) && vptr__rect_is_line(copy->region) && vptr__stream_is_legacy(copy->stream))
    return vptr__line_send(copy->stream, &copy->to.memory, &copy->from.memory, copy->region[0]);
  if (waits(copy) || !pinned)
    return to_device && may_stage(copy) ? copy_by_stage(copy) : copy_rect_and_wait(copy);
  return send_and_leave(copy);
}

static vptr_status copy_held(vptr__held_copy *copy) {
  bool to_device = is_device(&copy->to), from_device = is_device(&copy->from);
  if (!to_device && !from_device)
    return copy_on_host(copy);
  if (to_device != from_device)
    return copy_with_host(copy);
  return waits(copy) ? copy_and_wait(copy) : send_and_leave(copy);
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

/* Of managed memory, where no device memory says who does the work. */
static vptr_mapper *backing_of(const void *to, const void *from) {
  vptr_mapper *backing = vptr__endpoint_managed_mapper(to);
  return backing != NULL ? backing : vptr__endpoint_managed_mapper(from);
}

static vptr__copy_mode mode_of(const vptr__stream *stream, bool is_waited) {
  if (!is_waited)
    return VPTR__COPY_QUEUED;
  return vptr__stream_is_legacy(stream) ? VPTR__COPY_LEGACY : VPTR__COPY_WAITED;
}

/* On a stream of the device that does it. */
static vptr_status copy_on_stream(vptr__stream *stream, const vptr__operand *to, size_t to_reach,
                                  const vptr__operand *from, size_t from_reach, const size_t region[3],
                                  bool is_waited) {
  vptr__held_copy copy;
  copy.mapper = vptr__stream_mapper(stream);
  copy.stream = stream;
  copy.mode = mode_of(stream, is_waited);
  vptr_status status = vptr__held_copy_begin(&copy, to, to_reach, from, from_reach, region);
  if (status != VPTR_SUCCESS)
    return status;
  status = copy_held(&copy);
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
  bool is_waited = (flags & VPTR__TRANSFER_WAIT) != 0;
  vptr_mapper *to_owner = vptr__mapper_owning(to->ptr), *from_owner = vptr__mapper_owning(from->ptr);
  vptr_mapper *owner = to_owner != NULL ? to_owner : from_owner;
  if (owner == NULL)
    owner = backing_of(to->ptr, from->ptr);
  if (to_owner != NULL && from_owner != NULL && to_owner != from_owner)
    return vptr__peer_copy(stream, to, to_owner, from, from_owner, region);
  if (owner == NULL || owner == vptr__stream_mapper(stream))
    return copy_on_stream(stream, to, to_reach, from, from_reach, region, is_waited);
  vptr__stream *peer_stream;
  status = vptr__peer_open(owner, stream, &peer_stream);
  if (status != VPTR_SUCCESS)
    return status;
  status = copy_on_stream(peer_stream, to, to_reach, from, from_reach, region, true);
  vptr__peer_close(peer_stream);
  return status;
}
