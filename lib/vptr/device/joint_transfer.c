/* SPDX-License-Identifier: MIT */
/*
 * joint_transfer - copies and fills of a joint device (joint.h), as the table of device.h has them: each becomes a
 * command for the thread of its queue, which does it (joint_move.c).
 *
 * No data. Sending takes vptr__joint.lock, of rank LEAF, for a moment. Called by joint.c, which has its table filled,
 * and through the device's table. Who calls through the table are lib/vptr/transfer, heap, mirror and checkpoint,
 * lib/cudart/module and cuda. Those that block wait for the device's own queue.
 */
#include "device/joint.h"

#include <string.h>

/* ---- sides ------------------------------------------------------------------------------------------------ */

static vptr__joint_side buffer_side(cl_mem buffer, size_t offset) {
  return (vptr__joint_side){ .buffer = vptr__joint_buffer_of(buffer), .offset = offset };
}

static vptr__joint_side rect_side(const vptr__rect *rect) {
  return (vptr__joint_side){
    .buffer = vptr__joint_buffer_of(rect->buffer), .offset = rect->offset, .row = rect->row, .slice = rect->slice
  };
}

static vptr__joint_side host_side(const void *host, size_t row, size_t slice) {
  return (vptr__joint_side){ .host = (unsigned char *)(uintptr_t)host, .row = row, .slice = slice };
}

/* ---- sending ---------------------------------------------------------------------------------------------- */

static vptr_status send_move(cl_command_queue queue, vptr__joint_side from, vptr__joint_side to,
                             const size_t region[3], cl_event *event_out) {
  vptr__joint_move *move = vptr__joint_move_make(&from, &to, region);
  return move != NULL ? vptr__joint_send(vptr__joint_queue_of(queue), &move->command, event_out)
                      : VPTR_ERROR_OUT_OF_HOST_MEMORY;
}

static vptr_status send_line(cl_command_queue queue, vptr__joint_side from, vptr__joint_side to, size_t size,
                             cl_event *event_out) {
  return send_move(queue, from, to, (size_t[3]){ size, 1, 1 }, event_out);
}

static vptr_status do_line(const vptr__device *device, vptr__joint_side from, vptr__joint_side to, size_t size) {
  vptr__joint_move *move = vptr__joint_move_make(&from, &to, (size_t[3]){ size, 1, 1 });
  return move != NULL ? vptr__joint_do(device->joint, &move->command) : VPTR_ERROR_OUT_OF_HOST_MEMORY;
}

static vptr__joint_move *make_fill(cl_mem buffer, size_t offset, size_t size, const void *pattern,
                                   size_t pattern_size) {
  const vptr__joint_side from = { .buffer = NULL }, to = buffer_side(buffer, offset);
  vptr__joint_move *move = vptr__joint_move_make(&from, &to, (size_t[3]){ size, 1, 1 });
  if (move != NULL) {
    move->pattern_size = pattern_size;
    memcpy(move->pattern, pattern, pattern_size);
  }
  return move;
}

/* ---- what blocks ------------------------------------------------------------------------------------------ */

static vptr_status do_write(vptr__device *device, cl_mem buffer, size_t offset, const void *from, size_t size) {
  return do_line(device, host_side(from, 0, 0), buffer_side(buffer, offset), size);
}

static vptr_status do_read(vptr__device *device, cl_mem buffer, size_t offset, void *to, size_t size) {
  return do_line(device, buffer_side(buffer, offset), host_side(to, 0, 0), size);
}

static vptr_status do_copy(vptr__device *device, cl_mem from, size_t from_offset, cl_mem to, size_t to_offset,
                           size_t size) {
  return do_line(device, buffer_side(from, from_offset), buffer_side(to, to_offset), size);
}

static vptr_status do_fill(vptr__device *device, cl_mem buffer, size_t offset, size_t size, const void *pattern,
                           size_t pattern_size) {
  vptr__joint_move *move = make_fill(buffer, offset, size, pattern, pattern_size);
  return move != NULL ? vptr__joint_do(device->joint, &move->command) : VPTR_ERROR_OUT_OF_HOST_MEMORY;
}

/* ---- commands --------------------------------------------------------------------------------------------- */

static vptr_status enqueue_write(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t offset,
                                 const void *from, size_t size, cl_event *event_out) {
  (void)device;
  return send_line(queue, host_side(from, 0, 0), buffer_side(buffer, offset), size, event_out);
}

static vptr_status enqueue_read(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t offset, void *to,
                                size_t size, cl_event *event_out) {
  (void)device;
  return send_line(queue, buffer_side(buffer, offset), host_side(to, 0, 0), size, event_out);
}

static vptr_status enqueue_copy(vptr__device *device, cl_command_queue queue, cl_mem from, size_t from_offset,
                                cl_mem to, size_t to_offset, size_t size, cl_event *event_out) {
  (void)device;
  return send_line(queue, buffer_side(from, from_offset), buffer_side(to, to_offset), size, event_out);
}

static vptr_status enqueue_fill(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t offset,
                                size_t size, const void *pattern, size_t pattern_size, cl_event *event_out) {
  (void)device;
  vptr__joint_move *move = make_fill(buffer, offset, size, pattern, pattern_size);
  return move != NULL ? vptr__joint_send(vptr__joint_queue_of(queue), &move->command, event_out)
                      : VPTR_ERROR_OUT_OF_HOST_MEMORY;
}

static vptr_status enqueue_write_rect(vptr__device *device, cl_command_queue queue, const vptr__rect *to,
                                      const void *from, size_t from_row, size_t from_slice, const size_t region[3],
                                      cl_event *event_out) {
  (void)device;
  return send_move(queue, host_side(from, from_row, from_slice), rect_side(to), region, event_out);
}

static vptr_status enqueue_read_rect(vptr__device *device, cl_command_queue queue, const vptr__rect *from, void *to,
                                     size_t to_row, size_t to_slice, const size_t region[3], cl_event *event_out) {
  (void)device;
  return send_move(queue, rect_side(from), host_side(to, to_row, to_slice), region, event_out);
}

static vptr_status enqueue_copy_rect(vptr__device *device, cl_command_queue queue, const vptr__rect *from,
                                     const vptr__rect *to, const size_t region[3], cl_event *event_out) {
  (void)device;
  return send_move(queue, rect_side(from), rect_side(to), region, event_out);
}

/* Fills that have no such command go by others. */
static bool enqueue_set(vptr__device *device, cl_command_queue queue, const vptr__rect *to, const size_t region[3],
                        const unsigned char *pattern, cl_event *event_out) {
  (void)device, (void)queue, (void)to, (void)region, (void)pattern, (void)event_out;
  return false;
}

void vptr__joint_transfer_ops(vptr__device_ops *ops) {
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
