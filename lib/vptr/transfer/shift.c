/* SPDX-License-Identifier: MIT */
/*
 * shift - copying lines and rects inside one device, in pieces where they overlap (shift.h).
 *
 * No data but constants: a `shift` is a variable of its call, and a bounce buffer is released as soon as its commands
 * are sent, which keep it. No lock of its own: noting commands takes mapper->stream_lock, of rank STREAM, and on a full
 * device vptr__reclaim_try() takes vptr__heap.lock, of rank HEAP. Called by strategy.c, which has lines and rects
 * copied inside a device, and by pack.c and set.c, which ask for a place as a rect. vptr__shift_line() blocks until
 * done; vptr__shift_send() does not wait for its commands.
 */
#include "transfer/shift.h"

#include "base/error.h"
#include "base/hot.h"
#include "base/number.h"
#include "mapper/reclaim.h"

/* What a bounce buffer may hold. It is made for each copy, and there may be many in flight, so it is no larger than
 * what makes copies through it run at speed. Measured, 1 GiB moved by 4 bytes on an H200: 22 ms through 1 MiB, 2.3 ms
 * through 16 MiB, 1.5 ms through 64 MiB, which a full device may not have. A CPU's caches would like 4 MiB: 2.8 against
 * 3.7 ms for 32 MiB. */
static const size_t BOUNCE_BYTES = (size_t)16 << 20;

/* And less, by halves down to this, where the device has no room for it: one whose memory others wait for on the host
 * is full as a rule. */
static const size_t LEAST_BOUNCE_BYTES = 4096;

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

/* For callers that wait, without a stream and what belongs to it: a step is then little more than the device's call. */
#define INLINED static inline __attribute__((always_inline))

static vptr_status move_through_stack(const vptr__endpoint *to, const vptr__endpoint *from, size_t size) {
  unsigned char bytes[STACK_BYTES];
  vptr__device *device = to->device;
  vptr_status status = device->ops->transfer.read(device, from->buffer, from->offset, bytes, size);
  if (status == VPTR_SUCCESS)
    status = device->ops->transfer.write(device, to->buffer, to->offset, bytes, size);
  return status;
}

/* Of ranges that overlap. Apart, so that no other way through this file has its bytes on the stack. */
VPTR__APART static vptr_status move_piece_through_stack(const vptr__endpoint *to, const vptr__endpoint *from,
                                                        size_t at, size_t size) {
  vptr__endpoint piece_to = *to, piece_from = *from;
  piece_to.offset += at;
  piece_from.offset += at;
  return move_through_stack(&piece_to, &piece_from, size);
}

/* ---- in pieces ------------------------------------------------------------------------------------------ */

typedef struct shift {
  vptr__stream *stream; /* NULL: each step is a blocking call of the device's, and all of it is a line */
  vptr__device *device;
  cl_command_queue queue;
  const vptr__pitched_endpoint *to, *from;
  const size_t *region;
  size_t limit;  /* bytes of a piece */
  cl_mem bounce; /* NULL: pieces do not overlap themselves */
  bool by_host;  /* through the stack, without a stream: the device has no room at all */
} shift;

/* event_out NULL: others follow, or nobody asks. */
static vptr_status send_step(const shift *move, vptr__rect from, vptr__rect to, const size_t region[3],
                             cl_event *event_out) {
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

INLINED vptr_status send_bytes(const shift *move, cl_mem from, size_t from_offset, cl_mem to, size_t to_offset,
                               size_t size, cl_event *event_out) {
  if (move->stream == NULL)
    return move->device->ops->transfer.copy(move->device, from, from_offset, to, to_offset, size);
  return send_step(move, (vptr__rect){ .buffer = from, .offset = from_offset },
                   (vptr__rect){ .buffer = to, .offset = to_offset }, (const size_t[3]){ size, 1, 1 }, event_out);
}

INLINED vptr_status send_line_piece(const shift *move, size_t at, size_t size, cl_event *event_out) {
  const vptr__endpoint *to = &move->to->memory, *from = &move->from->memory;
  if (__builtin_expect(move->by_host, 0))
    return move_piece_through_stack(to, from, at, size);
  if (move->bounce == NULL)
    return send_bytes(move, from->buffer, from->offset + at, to->buffer, to->offset + at, size, event_out);
  vptr_status status = send_bytes(move, from->buffer, from->offset + at, move->bounce, 0, size, NULL);
  return status == VPTR_SUCCESS ? send_bytes(move, move->bounce, 0, to->buffer, to->offset + at, size, event_out)
                                : status;
}

static vptr_status send_rect_piece(const shift *move, const vptr__cut *cut, size_t index, cl_event *event_out) {
  size_t at[3], piece[3];
  vptr__cut_piece(cut, index, at, piece);
  vptr__rect from = vptr__pitched_endpoint_rect(move->from, at), to = vptr__pitched_endpoint_rect(move->to, at);
  vptr__rect packed = { move->bounce, 0, piece[0], piece[0] * piece[1] };
  vptr_status status = send_step(move, from, packed, piece, NULL);
  return status == VPTR_SUCCESS ? send_step(move, packed, to, piece, event_out) : status;
}

/* ---- in which order ------------------------------------------------------------------------------------- */

/* A piece writes only bytes whose old content was moved by this piece or an earlier one. */
static bool goes_backwards(const shift *move) {
  return move->to->memory.offset > move->from->memory.offset;
}

INLINED vptr_status send_line_pieces(const shift *move, cl_event *event_out) {
  const bool backwards = goes_backwards(move);
  const size_t size = move->region[0];
  vptr_status status = VPTR_SUCCESS;
  for (size_t left = size, piece; left > 0 && status == VPTR_SUCCESS; left -= piece) {
    piece = vptr__smaller(move->limit, left);
    status = send_line_piece(move, backwards ? left - piece : size - left, piece, left == piece ? event_out : NULL);
  }
  return status;
}

static vptr_status send_rect_pieces(const shift *move, cl_event *event_out) {
  const vptr__cut cut = vptr__cut_make(move->region, move->limit);
  const bool backwards = goes_backwards(move);
  vptr_status status = VPTR_SUCCESS;
  for (size_t done = 0; done < cut.count && status == VPTR_SUCCESS; done++) {
    size_t index = backwards ? cut.count - 1 - done : done;
    status = send_rect_piece(move, &cut, index, done + 1 == cut.count ? event_out : NULL);
  }
  return status;
}

static vptr_status send_pieces(const shift *move, cl_event *event_out) {
  return vptr__rect_is_line(move->region) ? send_line_pieces(move, event_out) : send_rect_pieces(move, event_out);
}

/* A bounce buffer that is asked for. */
typedef struct bounce_request {
  vptr__device *device;
  size_t bytes;
  cl_mem *buffer_out;
} bounce_request;

static vptr_status create_bounce(void *context) {
  const bounce_request *want = context;
  return want->device->ops->memory.create(want->device, want->bytes, want->buffer_out);
}

/* Straight from the device and not from the heap: a bounce buffer has no address, and must show neither in vptr_walk()
 * nor in the serial numbers. A full device gives up its idle buffers first, and nothing else: it may be the stream's
 * turn already (mapper/reclaim.h). */
static vptr_status make_bounce(vptr_mapper *mapper, size_t *bytes, cl_mem *bounce_out) {
  bounce_request want = { mapper->device, *bytes, bounce_out };
  vptr_status status = vptr__reclaim_try(mapper, create_bounce, &want);
  while (status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY && want.bytes > LEAST_BOUNCE_BYTES) {
    want.bytes = vptr__larger(want.bytes / 2, LEAST_BOUNCE_BYTES);
    status = vptr__reclaim_try(mapper, create_bounce, &want);
  }
  *bytes = want.bytes;
  return status;
}

static vptr_status send_through_bounce(vptr_mapper *mapper, shift *move, cl_event *event_out) {
  size_t bytes = vptr__smaller(vptr__rect_bytes(move->region), move->limit);
  vptr__error_try();
  vptr_status status = make_bounce(mapper, &bytes, &move->bounce);
  move->by_host = move->stream == NULL && status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY;
  vptr__error_tried(move->by_host ? VPTR_SUCCESS : status);
  if (move->by_host) {
    move->limit = STACK_BYTES;
    return send_line_pieces(move, event_out);
  }
  if (status != VPTR_SUCCESS)
    return status;
  move->limit = bytes;
  status = send_pieces(move, event_out);
  move->device->ops->memory.release(move->device, move->bounce);
  return status;
}

/* Where its ranges are far enough apart, it takes size / distance commands in steps of that distance; through a bounce
 * buffer 2 * size / BOUNCE_BYTES. */
INLINED vptr_status send_overlapping_line(vptr_mapper *mapper, shift *move, size_t distance, cl_event *event_out) {
  if (distance < vptr__smaller(move->region[0], move->limit) / 2)
    return send_through_bounce(mapper, move, event_out);
  move->limit = distance;
  return send_line_pieces(move, event_out);
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

static size_t distance_of(const vptr__endpoint *a, const vptr__endpoint *b) {
  return a->offset > b->offset ? a->offset - b->offset : b->offset - a->offset;
}

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
  shift move = { stream, device, queue, to, from, region, BOUNCE_BYTES, NULL, false };
  return vptr__rect_is_line(region) ? send_overlapping_line(mapper, &move, distance, event_out)
                                    : send_through_bounce(mapper, &move, event_out);
}

/* ---- by a caller that waits ----------------------------------------------------------------------------- */

VPTR__APART static vptr_status move_in_pieces(vptr_mapper *mapper, const vptr__pitched_endpoint *to,
                                              const vptr__pitched_endpoint *from, const size_t region[3],
                                              size_t distance) {
  shift move = { NULL, mapper->device, NULL, to, from, region, BOUNCE_BYTES, NULL, false };
  return send_overlapping_line(mapper, &move, distance, NULL);
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
  if (size <= STACK_BYTES)
    return move_through_stack(target, source, size);
  return move_in_pieces(mapper, to, from, region, distance);
}
