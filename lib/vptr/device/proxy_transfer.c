/* SPDX-License-Identifier: MIT */
/*
 * proxy_transfer - copies and fills of a proxy's buffers (proxy.h).
 *
 * All of them stay inside the gate until they are done or queued, those that block too: bytes that are on their way to
 * the device that is left would be lost. Host memory that the device keeps apart is sent before, or fetched behind
 * (proxy_apart.h); a call that blocks is then a command that is waited for.
 *
 * No data. vptr__proxy.lock, of rank LEAF, which each call takes for moments, guards the gate and the list that events
 * are entered in. Called by proxy.c, which has its table filled, and through the device's table. Who calls through the
 * table are lib/vptr/transfer, heap, mirror and checkpoint, lib/cudart/module and cuda, and plain_image.c. What blocks
 * waits for the device, and everything waits while a device is exchanged.
 */
#include "device/proxy_apart.h"

#include "device/completion.h"

/* ---- commands ------------------------------------------------------------------------------------------- */

static vptr__rect rect_of(const vptr__rect *handles) {
  vptr__rect rect = *handles;
  rect.buffer = vptr__proxy_mem(handles->buffer);
  return rect;
}

static vptr__rect line_at(cl_mem buffer, size_t offset) {
  return (vptr__rect){ .buffer = buffer, .offset = offset };
}

/* A command on its way, from inside to outside of the gate. */
typedef struct command {
  vptr__device *face, *inner;
  cl_command_queue queue;
  vptr__proxy_event *event;
  vptr__proxy_turn turn;
  vptr_status status;
} command;

/* false: it is not to be queued. */
static bool begin(command *it, vptr__device *face, cl_command_queue queue, const vptr__rect *from,
                  const vptr__rect *to, const size_t region[3], cl_event *event_out) {
  *it = (command){ .face = face, .status = VPTR_ERROR_OUT_OF_HOST_MEMORY };
  if (!vptr__proxy_event_begin(event_out, &it->event))
    return false;
  it->inner = vptr__proxy_enter(face);
  it->queue = vptr__proxy_queue_of(it->inner, queue);
  it->status = vptr__proxy_turn_begin(face->proxy, it->inner, it->queue, from, to, region, &it->turn);
  return it->status == VPTR_SUCCESS;
}

static cl_event *room_of(command *it) {
  return vptr__proxy_turn_room(&it->turn, vptr__proxy_event_room(it->event));
}

static vptr_status end(command *it, cl_event *event_out) {
  if (it->inner == NULL)
    return it->status;
  vptr_status status = vptr__proxy_turn_end(&it->turn, it->status, vptr__proxy_event_room(it->event));
  status = vptr__proxy_event_end(it->face->proxy, it->event, event_out, status);
  vptr__proxy_leave(it->face);
  return status;
}

static vptr_status enqueue_write(vptr__device *face, cl_command_queue queue, cl_mem buffer, size_t offset,
                                 const void *from, size_t size, cl_event *event_out) {
  const vptr__rect line = line_at(buffer, offset);
  const size_t region[3] = { size, 1, 1 };
  command it;
  if (begin(&it, face, queue, NULL, &line, region, event_out))
    it.status = it.inner->ops->transfer.enqueue_write(it.inner, it.queue, vptr__proxy_mem(buffer), offset, from, size,
                                                      room_of(&it));
  return end(&it, event_out);
}

static vptr_status enqueue_read(vptr__device *face, cl_command_queue queue, cl_mem buffer, size_t offset, void *to,
                                size_t size, cl_event *event_out) {
  const vptr__rect line = line_at(buffer, offset);
  const size_t region[3] = { size, 1, 1 };
  command it;
  if (begin(&it, face, queue, &line, NULL, region, event_out))
    it.status = it.inner->ops->transfer.enqueue_read(it.inner, it.queue, vptr__proxy_mem(buffer), offset, to, size,
                                                     room_of(&it));
  return end(&it, event_out);
}

static vptr_status enqueue_copy(vptr__device *face, cl_command_queue queue, cl_mem from, size_t from_offset,
                                cl_mem to, size_t to_offset, size_t size, cl_event *event_out) {
  const vptr__rect source = line_at(from, from_offset), target = line_at(to, to_offset);
  const size_t region[3] = { size, 1, 1 };
  command it;
  if (begin(&it, face, queue, &source, &target, region, event_out))
    it.status = it.inner->ops->transfer.enqueue_copy(it.inner, it.queue, vptr__proxy_mem(from), from_offset,
                                                     vptr__proxy_mem(to), to_offset, size, room_of(&it));
  return end(&it, event_out);
}

static vptr_status enqueue_fill(vptr__device *face, cl_command_queue queue, cl_mem buffer, size_t offset, size_t size,
                                const void *pattern, size_t pattern_size, cl_event *event_out) {
  const vptr__rect line = line_at(buffer, offset);
  const size_t region[3] = { size, 1, 1 };
  command it;
  if (begin(&it, face, queue, NULL, &line, region, event_out))
    it.status = it.inner->ops->transfer.enqueue_fill(it.inner, it.queue, vptr__proxy_mem(buffer), offset, size,
                                                     pattern, pattern_size, room_of(&it));
  return end(&it, event_out);
}

static vptr_status enqueue_write_rect(vptr__device *face, cl_command_queue queue, const vptr__rect *to,
                                      const void *from, size_t from_row, size_t from_slice, const size_t region[3],
                                      cl_event *event_out) {
  command it;
  if (begin(&it, face, queue, NULL, to, region, event_out)) {
    const vptr__rect rect = rect_of(to);
    it.status = it.inner->ops->transfer.enqueue_write_rect(it.inner, it.queue, &rect, from, from_row, from_slice,
                                                           region, room_of(&it));
  }
  return end(&it, event_out);
}

static vptr_status enqueue_read_rect(vptr__device *face, cl_command_queue queue, const vptr__rect *from, void *to,
                                     size_t to_row, size_t to_slice, const size_t region[3], cl_event *event_out) {
  command it;
  if (begin(&it, face, queue, from, NULL, region, event_out)) {
    const vptr__rect rect = rect_of(from);
    it.status = it.inner->ops->transfer.enqueue_read_rect(it.inner, it.queue, &rect, to, to_row, to_slice, region,
                                                          room_of(&it));
  }
  return end(&it, event_out);
}

static vptr_status enqueue_copy_rect(vptr__device *face, cl_command_queue queue, const vptr__rect *from,
                                     const vptr__rect *to, const size_t region[3], cl_event *event_out) {
  command it;
  if (begin(&it, face, queue, from, to, region, event_out)) {
    const vptr__rect here = rect_of(from), there = rect_of(to);
    it.status = it.inner->ops->transfer.enqueue_copy_rect(it.inner, it.queue, &here, &there, region, room_of(&it));
  }
  return end(&it, event_out);
}

/* One that has no room for an event is not queued, and goes another way; so does what would have to be fetched. */
static bool enqueue_set(vptr__device *face, cl_command_queue queue, const vptr__rect *to, const size_t region[3],
                        const unsigned char *pattern, cl_event *event_out) {
  vptr__proxy_event *event;
  if (!vptr__proxy_event_begin(event_out, &event))
    return false;
  vptr__device *inner = vptr__proxy_enter(face);
  const vptr__rect rect = rect_of(to);
  const bool is_queued = !vptr__proxy_is_apart(to->buffer) &&
                         inner->ops->transfer.enqueue_set(inner, vptr__proxy_queue_of(inner, queue), &rect, region,
                                                          pattern, vptr__proxy_event_room(event));
  vptr__proxy_event_end(face->proxy, event, event_out, is_queued ? VPTR_SUCCESS : VPTR_ERROR_UNSUPPORTED);
  vptr__proxy_leave(face);
  return is_queued;
}

/* ---- calls that block ----------------------------------------------------------------------------------- */

/* The command finds out itself whether the memory is apart by then. */
static vptr_status await(vptr__device *face, vptr_status status, cl_event event) {
  return status == VPTR_SUCCESS ? vptr__completion_await(face, face->cl_queue, event) : status;
}

static vptr_status write_apart(vptr__device *face, cl_mem buffer, size_t offset, const void *from, size_t size) {
  cl_event event = NULL;
  vptr_status status = enqueue_write(face, face->cl_queue, buffer, offset, from, size, &event);
  return await(face, status, event);
}

static vptr_status read_apart(vptr__device *face, cl_mem buffer, size_t offset, void *to, size_t size) {
  cl_event event = NULL;
  vptr_status status = enqueue_read(face, face->cl_queue, buffer, offset, to, size, &event);
  return await(face, status, event);
}

static vptr_status copy_apart(vptr__device *face, cl_mem from, size_t from_offset, cl_mem to, size_t to_offset,
                              size_t size) {
  cl_event event = NULL;
  vptr_status status = enqueue_copy(face, face->cl_queue, from, from_offset, to, to_offset, size, &event);
  return await(face, status, event);
}

static vptr_status fill_apart(vptr__device *face, cl_mem buffer, size_t offset, size_t size, const void *pattern,
                              size_t pattern_size) {
  cl_event event = NULL;
  vptr_status status = enqueue_fill(face, face->cl_queue, buffer, offset, size, pattern, pattern_size, &event);
  return await(face, status, event);
}

static vptr_status do_write(vptr__device *face, cl_mem buffer, size_t offset, const void *from, size_t size) {
  vptr__device *inner = vptr__proxy_enter(face);
  if (vptr__proxy_is_apart(buffer)) {
    vptr__proxy_leave(face);
    return write_apart(face, buffer, offset, from, size);
  }
  vptr_status status = inner->ops->transfer.write(inner, vptr__proxy_mem(buffer), offset, from, size);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status do_read(vptr__device *face, cl_mem buffer, size_t offset, void *to, size_t size) {
  vptr__device *inner = vptr__proxy_enter(face);
  if (vptr__proxy_is_apart(buffer)) {
    vptr__proxy_leave(face);
    return read_apart(face, buffer, offset, to, size);
  }
  vptr_status status = inner->ops->transfer.read(inner, vptr__proxy_mem(buffer), offset, to, size);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status do_copy(vptr__device *face, cl_mem from, size_t from_offset, cl_mem to, size_t to_offset,
                           size_t size) {
  vptr__device *inner = vptr__proxy_enter(face);
  if (vptr__proxy_is_apart(from) || vptr__proxy_is_apart(to)) {
    vptr__proxy_leave(face);
    return copy_apart(face, from, from_offset, to, to_offset, size);
  }
  vptr_status status =
      inner->ops->transfer.copy(inner, vptr__proxy_mem(from), from_offset, vptr__proxy_mem(to), to_offset, size);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status do_fill(vptr__device *face, cl_mem buffer, size_t offset, size_t size, const void *pattern,
                           size_t pattern_size) {
  vptr__device *inner = vptr__proxy_enter(face);
  if (vptr__proxy_is_apart(buffer)) {
    vptr__proxy_leave(face);
    return fill_apart(face, buffer, offset, size, pattern, pattern_size);
  }
  vptr_status status = inner->ops->transfer.fill(inner, vptr__proxy_mem(buffer), offset, size, pattern, pattern_size);
  vptr__proxy_leave(face);
  return status;
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
