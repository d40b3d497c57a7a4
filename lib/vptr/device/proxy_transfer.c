/* SPDX-License-Identifier: MIT */
/*
 * proxy_transfer - copies and fills of a proxy's buffers (proxy.h).
 *
 * All of them stay inside the gate until they are done or queued, those that block too: bytes that are on their way to
 * the device that is left would be lost.
 *
 * No data. vptr__proxy.lock, of rank LEAF, which each call takes for moments, guards the gate and the list that events
 * are entered in. Called by proxy.c, which has its table filled, and through the device's table. Who calls through the
 * table are lib/vptr/transfer, heap, mirror and checkpoint, lib/cudart/module and cuda, and plain_image.c. What blocks
 * waits for the device, and everything waits while a device is exchanged.
 */
#include "device/proxy.h"

static vptr_status do_write(vptr__device *face, cl_mem buffer, size_t offset, const void *from, size_t size) {
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status = inner->ops->transfer.write(inner, vptr__proxy_mem(buffer), offset, from, size);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status do_read(vptr__device *face, cl_mem buffer, size_t offset, void *to, size_t size) {
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status = inner->ops->transfer.read(inner, vptr__proxy_mem(buffer), offset, to, size);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status do_copy(vptr__device *face, cl_mem from, size_t from_offset, cl_mem to, size_t to_offset,
                           size_t size) {
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status =
      inner->ops->transfer.copy(inner, vptr__proxy_mem(from), from_offset, vptr__proxy_mem(to), to_offset, size);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status do_fill(vptr__device *face, cl_mem buffer, size_t offset, size_t size, const void *pattern,
                           size_t pattern_size) {
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status = inner->ops->transfer.fill(inner, vptr__proxy_mem(buffer), offset, size, pattern, pattern_size);
  vptr__proxy_leave(face);
  return status;
}

/* ---- commands ------------------------------------------------------------------------------------------- */

static vptr_status enqueue_write(vptr__device *face, cl_command_queue queue, cl_mem buffer, size_t offset,
                                 const void *from, size_t size, cl_event *event_out) {
  vptr__proxy_event *event;
  if (!vptr__proxy_event_begin(event_out, &event))
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status =
      inner->ops->transfer.enqueue_write(inner, vptr__proxy_queue_of(inner, queue), vptr__proxy_mem(buffer), offset,
                                         from, size, vptr__proxy_event_room(event));
  status = vptr__proxy_event_end(face->proxy, event, event_out, status);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status enqueue_read(vptr__device *face, cl_command_queue queue, cl_mem buffer, size_t offset, void *to,
                                size_t size, cl_event *event_out) {
  vptr__proxy_event *event;
  if (!vptr__proxy_event_begin(event_out, &event))
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status =
      inner->ops->transfer.enqueue_read(inner, vptr__proxy_queue_of(inner, queue), vptr__proxy_mem(buffer), offset,
                                        to, size, vptr__proxy_event_room(event));
  status = vptr__proxy_event_end(face->proxy, event, event_out, status);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status enqueue_copy(vptr__device *face, cl_command_queue queue, cl_mem from, size_t from_offset,
                                cl_mem to, size_t to_offset, size_t size, cl_event *event_out) {
  vptr__proxy_event *event;
  if (!vptr__proxy_event_begin(event_out, &event))
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status =
      inner->ops->transfer.enqueue_copy(inner, vptr__proxy_queue_of(inner, queue), vptr__proxy_mem(from), from_offset,
                                        vptr__proxy_mem(to), to_offset, size, vptr__proxy_event_room(event));
  status = vptr__proxy_event_end(face->proxy, event, event_out, status);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status enqueue_fill(vptr__device *face, cl_command_queue queue, cl_mem buffer, size_t offset, size_t size,
                                const void *pattern, size_t pattern_size, cl_event *event_out) {
  vptr__proxy_event *event;
  if (!vptr__proxy_event_begin(event_out, &event))
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status =
      inner->ops->transfer.enqueue_fill(inner, vptr__proxy_queue_of(inner, queue), vptr__proxy_mem(buffer), offset,
                                        size, pattern, pattern_size, vptr__proxy_event_room(event));
  status = vptr__proxy_event_end(face->proxy, event, event_out, status);
  vptr__proxy_leave(face);
  return status;
}

/* ---- commands on rects ---------------------------------------------------------------------------------- */

static vptr__rect rect_of(const vptr__rect *handles) {
  vptr__rect rect = *handles;
  rect.buffer = vptr__proxy_mem(handles->buffer);
  return rect;
}

static vptr_status enqueue_write_rect(vptr__device *face, cl_command_queue queue, const vptr__rect *to,
                                      const void *from, size_t from_row, size_t from_slice, const size_t region[3],
                                      cl_event *event_out) {
  vptr__proxy_event *event;
  if (!vptr__proxy_event_begin(event_out, &event))
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr__device *inner = vptr__proxy_enter(face);
  const vptr__rect rect = rect_of(to);
  vptr_status status =
      inner->ops->transfer.enqueue_write_rect(inner, vptr__proxy_queue_of(inner, queue), &rect, from, from_row,
                                              from_slice, region, vptr__proxy_event_room(event));
  status = vptr__proxy_event_end(face->proxy, event, event_out, status);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status enqueue_read_rect(vptr__device *face, cl_command_queue queue, const vptr__rect *from, void *to,
                                     size_t to_row, size_t to_slice, const size_t region[3], cl_event *event_out) {
  vptr__proxy_event *event;
  if (!vptr__proxy_event_begin(event_out, &event))
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr__device *inner = vptr__proxy_enter(face);
  const vptr__rect rect = rect_of(from);
  vptr_status status = inner->ops->transfer.enqueue_read_rect(
      inner, vptr__proxy_queue_of(inner, queue), &rect, to, to_row, to_slice, region, vptr__proxy_event_room(event));
  status = vptr__proxy_event_end(face->proxy, event, event_out, status);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status enqueue_copy_rect(vptr__device *face, cl_command_queue queue, const vptr__rect *from,
                                     const vptr__rect *to, const size_t region[3], cl_event *event_out) {
  vptr__proxy_event *event;
  if (!vptr__proxy_event_begin(event_out, &event))
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr__device *inner = vptr__proxy_enter(face);
  const vptr__rect here = rect_of(from), there = rect_of(to);
  vptr_status status = inner->ops->transfer.enqueue_copy_rect(inner, vptr__proxy_queue_of(inner, queue), &here,
                                                              &there, region, vptr__proxy_event_room(event));
  status = vptr__proxy_event_end(face->proxy, event, event_out, status);
  vptr__proxy_leave(face);
  return status;
}

/* One that has no room for an event is not queued, and goes another way. */
static bool enqueue_set(vptr__device *face, cl_command_queue queue, const vptr__rect *to, const size_t region[3],
                        const unsigned char *pattern, cl_event *event_out) {
  vptr__proxy_event *event;
  if (!vptr__proxy_event_begin(event_out, &event))
    return false;
  vptr__device *inner = vptr__proxy_enter(face);
  const vptr__rect rect = rect_of(to);
  const bool is_queued = inner->ops->transfer.enqueue_set(inner, vptr__proxy_queue_of(inner, queue), &rect, region,
                                                          pattern, vptr__proxy_event_room(event));
  vptr__proxy_event_end(face->proxy, event, event_out, is_queued ? VPTR_SUCCESS : VPTR_ERROR_UNSUPPORTED);
  vptr__proxy_leave(face);
  return is_queued;
}

void vptr__proxy_transfer_ops(vptr__device_ops *ops) {
  ops->transfer.write = do_write;
  ops->transfer.read = do_read;
  ops->transfer.copy = do_copy;
  ops->transfer.fill = do_fill;
  ops->transfer.enqueue_write = enqueue_write;
  ops->transfer.enqueue_read = enqueue_read;
  ops->transfer.enqueue_copy = enqueue_copy;
  ops->transfer.enqueue_fill = enqueue_fill;
  ops->transfer.enqueue_write_rect = enqueue_write_rect;
  ops->transfer.enqueue_read_rect = enqueue_read_rect;
  ops->transfer.enqueue_copy_rect = enqueue_copy_rect;
  ops->transfer.enqueue_set = enqueue_set;
}
