/* SPDX-License-Identifier: MIT */
/*
 * shift - see shift.h.
 *
 * Called by strategy.c, which has lines and rects copied inside a device, and by pack.c and set.c, for one command.
 */
#include "transfer/shift.h"

#include "base/error.h"
#include "base/hot.h"

/* What a bounce buffer may hold. It is made for each copy, and there may be many in flight, so it is no larger than what
 * makes copies through it run at speed. Measured, 1 GiB moved by 4 bytes on an H200: 22 ms through 1 MiB, 2.3 ms
 * through 16 MiB, 1.5 ms through 64 MiB, which a full device may not have. A CPU's caches would like 4 MiB: 2.8 against
 * 3.7 ms for 32 MiB. */
static const size_t BOUNCE_BYTES = (size_t)16 << 20;

/* What goes through the stack where the caller waits. */
enum { STACK_BYTES = 4096 };

static const size_t ORIGIN[3] = { 0, 0, 0 };

vptr__rect vptr__pitched_endpoint_rect(const vptr__pitched_endpoint *pitched, const size_t at[3]) {
  return (vptr__rect){ pitched->memory.buffer,
                       pitched->memory.offset + at[0] + at[1] * pitched->row + at[2] * pitched->slice, pitched->row,
                       pitched->slice };
}

/* Slices of a piece lie as far apart as those of its endpoint; of a single one that is its rows, as OpenCL wants it. */
static void trim_slice(vptr__rect *rect, const size_t region[3]) {
  if (region[2] == 1)
    rect->slice = rect->row * region[1];
}

static vptr_status send_rect(vptr__device *device, cl_command_queue queue, vptr__rect from, vptr__rect to,
                             const size_t region[3], cl_event *event_out) {
  if (vptr__rect_is_line(region))
    return device->ops->transfer.enqueue_copy(device, queue, from.buffer, from.offset, to.buffer, to.offset,
                                              region[0], event_out);
  trim_slice(&from, region);
  trim_slice(&to, region);
  return device->ops->transfer.enqueue_copy_rect(device, queue, &from, &to, region, event_out);
}

/* ---- in pieces ------------------------------------------------------------------------------------------ */

typedef struct shift {
  vptr__stream *stream; /* NULL: each step is a blocking call of the device's, and all of it is a line */
  vptr__device *device;
  cl_command_queue queue;
  const vptr__pitched_endpoint *to, *from;
  vptr__cut cut;
  cl_mem bounce; /* NULL: pieces do not overlap themselves */
} shift;

/* event_out NULL: others follow, or nobody asks. */
static vptr_status send_step(const shift *move, vptr__rect from, vptr__rect to, const size_t region[3],
                             cl_event *event_out) {
  if (move->stream == NULL)
    return move->device->ops->transfer.copy(move->device, from.buffer, from.offset, to.buffer, to.offset, region[0]);
  cl_event event = NULL, *wanted = event_out != NULL ? &event : vptr__transfer_watches(move->device, &event);
  vptr_status status = wanted != NULL ? vptr__stream_expect(move->stream) : VPTR_SUCCESS;
  if (status == VPTR_SUCCESS)
    status = send_rect(move->device, move->queue, from, to, region, wanted);
  if (status != VPTR_SUCCESS)
    return status;
  if (event_out != NULL)
    *event_out = event;
  else
    vptr__stream_note(move->stream, event);
  return VPTR_SUCCESS;
}

static vptr_status send_piece(const shift *move, size_t index, cl_event *event_out) {
  size_t at[3], piece[3];
  vptr__cut_piece(&move->cut, index, at, piece);
  vptr__rect from = vptr__pitched_endpoint_rect(move->from, at), to = vptr__pitched_endpoint_rect(move->to, at);
  if (move->bounce == NULL)
    return send_step(move, from, to, piece, event_out);
  vptr__rect packed = { move->bounce, 0, piece[0], piece[0] * piece[1] };
  vptr_status status = send_step(move, from, packed, piece, NULL);
  return status == VPTR_SUCCESS ? send_step(move, packed, to, piece, event_out) : status;
}

/* A piece writes only bytes whose old content was moved by this piece or an earlier one. */
static vptr_status send_pieces(const shift *move, cl_event *event_out) {
  bool backwards = move->to->memory.offset > move->from->memory.offset;
  vptr_status status = VPTR_SUCCESS;
  for (size_t done = 0; done < move->cut.count && status == VPTR_SUCCESS; done++) {
    size_t index = backwards ? move->cut.count - 1 - done : done;
    status = send_piece(move, index, done + 1 == move->cut.count ? event_out : NULL);
  }
  return status;
}

/* Straight from the device and not from the heap: a bounce buffer has no address, and must show neither in vptr_walk()
 * nor in the serial numbers. A full device gives up its idle buffers first, as for an allocation. */
static vptr_status make_bounce(vptr_mapper *mapper, size_t bytes, cl_mem *bounce_out) {
  vptr__device *device = mapper->device;
  vptr__error_try();
  vptr_status status = device->ops->memory.create(device, bytes, bounce_out);
  if (status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY) {
    vptr__heap_trim(mapper->heap, 0);
    status = device->ops->memory.create(device, bytes, bounce_out);
  }
  return vptr__error_tried(status);
}

static vptr_status send_through_bounce(vptr_mapper *mapper, shift *move, cl_event *event_out) {
  vptr_status status = make_bounce(mapper, vptr__cut_bytes(&move->cut), &move->bounce);
  if (status != VPTR_SUCCESS)
    return status;
  status = send_pieces(move, event_out);
  move->device->ops->memory.release(move->device, move->bounce);
  return status;
}

static size_t distance_of(const vptr__endpoint *a, const vptr__endpoint *b) {
  return a->offset > b->offset ? a->offset - b->offset : b->offset - a->offset;
}

/* A line whose ranges are far enough apart takes size / distance commands in steps of that distance, through a bounce
 * buffer 2 * size / BOUNCE_BYTES. */
static vptr_status send_overlapping(vptr_mapper *mapper, shift *move, cl_event *event_out) {
  size_t distance = distance_of(&move->to->memory, &move->from->memory);
  if (!vptr__rect_is_line(move->cut.region) || distance < vptr__cut_bytes(&move->cut) / 2)
    return send_through_bounce(mapper, move, event_out);
  move->cut = vptr__cut_make(move->cut.region, distance);
  return send_pieces(move, event_out);
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

/* From the first byte to behind the last, of the rect that comes first. */
static size_t reach_of(const vptr__pitched_endpoint *a, const vptr__pitched_endpoint *b, const size_t region[3]) {
  const vptr__pitched_endpoint *first = a->memory.offset < b->memory.offset ? a : b;
  return region[0] + (region[1] - 1) * first->row + (region[2] - 1) * first->slice;
}

static bool have_same_pitches(const vptr__pitched_endpoint *a, const vptr__pitched_endpoint *b) {
  return a->row == b->row && a->slice == b->slice;
}

vptr_status vptr__shift_send(vptr__stream *stream, cl_command_queue queue, const vptr__pitched_endpoint *to,
                             const vptr__pitched_endpoint *from, const size_t region[3], cl_event *event_out) {
  vptr_mapper *mapper = vptr__stream_mapper(stream);
  vptr__device *device = mapper->device;
  bool inside_one = to->memory.buffer == from->memory.buffer, alike = have_same_pitches(to, from);
  size_t distance = distance_of(&to->memory, &from->memory);
  if (!inside_one || distance >= reach_of(to, from, region) || (alike && !vptr__rect_overlap(to, from, region)))
    return send_rect(device, queue, vptr__pitched_endpoint_rect(from, ORIGIN),
                     vptr__pitched_endpoint_rect(to, ORIGIN), region, event_out);
  if (alike && distance == 0)
    return VPTR_SUCCESS;
  shift move = { stream, device, queue, to, from, vptr__cut_make(region, BOUNCE_BYTES), NULL };
  return send_overlapping(mapper, &move, event_out);
}

/* ---- by a caller that waits ----------------------------------------------------------------------------- */

static vptr_status move_through_stack(const vptr__endpoint *to, const vptr__endpoint *from, size_t size) {
  unsigned char bytes[STACK_BYTES];
  vptr__device *device = to->device;
  vptr_status status = device->ops->transfer.read(device, from->buffer, from->offset, bytes, size);
  if (status == VPTR_SUCCESS)
    status = device->ops->transfer.write(device, to->buffer, to->offset, bytes, size);
  return status;
}

static vptr_status move_in_pieces(vptr_mapper *mapper, const vptr__pitched_endpoint *to,
                                  const vptr__pitched_endpoint *from, const size_t region[3]) {
  vptr__device *device = mapper->device;
  shift move = { NULL, device, device->cl_queue, to, from, vptr__cut_make(region, BOUNCE_BYTES), NULL };
  return send_overlapping(mapper, &move, NULL);
}

VPTR__HOT vptr_status vptr__shift_line(vptr_mapper *mapper, const vptr__pitched_endpoint *to,
                                       const vptr__pitched_endpoint *from, const size_t region[3]) {
  const vptr__endpoint *target = &to->memory, *source = &from->memory;
  size_t distance = distance_of(target, source), size = region[0];
  if (target->buffer != source->buffer || distance >= size)
    return mapper->device->ops->transfer.copy(mapper->device, source->buffer, source->offset, target->buffer,
                                              target->offset, size);
  if (distance == 0)
    return VPTR_SUCCESS;
  return size <= STACK_BYTES ? move_through_stack(target, source, size) : move_in_pieces(mapper, to, from, region);
}
