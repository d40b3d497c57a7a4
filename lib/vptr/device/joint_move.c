/* SPDX-License-Identifier: MIT */
/*
 * joint_move - how a queue's thread of a joint device (joint.h) copies and fills.
 *
 * A rect that one member has, whole, is one command of that member's. All others go by lines, a row or the whole each:
 * lines are cut where the bytes are at home, the cuts of up to PIECES are begun together, go to all members at once,
 * and are waited for. Bytes that lie on one member and go to another are carried by the thread.
 *
 * A move belongs to its queue's thread, from sending to the end. vptr__joint.lock, of rank LEAF, is taken where uses
 * begin and end, and where it is asked who has bytes. Called by joint_transfer.c, which makes moves; a queue's thread
 * does them. Everything but making one waits for members.
 */
#include "device/joint.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"

enum { PIECES = 32 };

/* ---- pieces of lines -------------------------------------------------------------------------------------- */

/* Lines on their way: pieces that are written on members, and where in each side they begin. */
typedef struct batch {
  vptr__joint_flight flight;
  const vptr__joint_move *move;
  size_t count;
  vptr__joint_use uses[PIECES];
  size_t from[PIECES]; /* in the host's memory, or in the buffer that is copied */
} batch;

static vptr__device *member_of(const batch *it, unsigned member) {
  return it->flight.joint->members[member];
}

static cl_command_queue queue_of(const batch *it, unsigned member) {
  return it->flight.queue->inner[member];
}

static void send_write(batch *it, const vptr__joint_use *use, size_t from) {
  vptr__device *device = member_of(it, use->member);
  cl_event *event = vptr__joint_flight_room(&it->flight);
  if (event != NULL)
    vptr__joint_flight_add(&it->flight, use->member,
                           device->ops->transfer.enqueue_write(
                               device, queue_of(it, use->member), use->inner, use->begin - use->inner_begin,
                               it->move->from.host + from, use->end - use->begin, event));
}

static void send_fill(batch *it, const vptr__joint_use *use) {
  vptr__device *device = member_of(it, use->member);
  cl_event *event = vptr__joint_flight_room(&it->flight);
  if (event != NULL)
    vptr__joint_flight_add(&it->flight, use->member,
                           device->ops->transfer.enqueue_fill(device, queue_of(it, use->member), use->inner,
                                                              use->begin - use->inner_begin, use->end - use->begin,
                                                              it->move->pattern, it->move->pattern_size, event));
}

static void copy_within(batch *it, const vptr__joint_use *use, size_t at, const vptr__joint_source *source,
                        size_t from, size_t size) {
  vptr__device *device = member_of(it, use->member);
  cl_event *event = vptr__joint_flight_room(&it->flight);
  if (event != NULL)
    vptr__joint_flight_add(&it->flight, use->member,
                           device->ops->transfer.enqueue_copy(device, queue_of(it, use->member), source->inner,
                                                              from - source->inner_begin, use->inner,
                                                              at - use->inner_begin, size, event));
}

static void copy_across(batch *it, const vptr__joint_use *use, size_t at, const vptr__joint_source *source,
                        size_t from, size_t size) {
  const vptr__joint_end begin = { source->member, source->inner, from - source->inner_begin };
  const vptr__joint_end end = { use->member, use->inner, at - use->inner_begin };
  if (it->flight.status == VPTR_SUCCESS)
    it->flight.status = vptr__joint_carry(it->flight.joint, it->flight.queue, &begin, &end, size);
}

static void send_copy(batch *it, const vptr__joint_use *use, size_t from) {
  vptr__joint_buffer *buffer = it->move->from.buffer;
  const size_t end = from + (use->end - use->begin);
  for (size_t at = use->begin; from < end;) {
    const vptr__joint_source source = vptr__joint_source_of(it->flight.joint, buffer, from, end, use->member);
    const size_t size = source.end - from;
    (source.member == use->member ? copy_within : copy_across)(it, use, at, &source, from, size);
    vptr__device *device = member_of(it, source.member);
    device->ops->memory.release(device, source.inner);
    at += size;
    from += size;
  }
}

/* All pieces at once, and until they are over. */
static void do_pieces(batch *it) {
  vptr__joint *joint = it->flight.joint;
  const size_t count = it->count;
  it->count = 0;
  if (it->flight.status != VPTR_SUCCESS || count == 0)
    return;
  it->flight.status = vptr__joint_uses_begin(joint, it->flight.queue, it->uses, count);
  if (it->flight.status != VPTR_SUCCESS)
    return;
  for (size_t i = 0; i < count; i++) {
    if (it->move->pattern_size > 0)
      send_fill(it, &it->uses[i]);
    else if (it->move->from.buffer != NULL)
      send_copy(it, &it->uses[i], it->from[i]);
    else
      send_write(it, &it->uses[i], it->from[i]);
  }
  const bool has_worked = vptr__joint_flight_end(&it->flight) == VPTR_SUCCESS;
  vptr__joint_uses_end(joint, it->uses, count, has_worked);
}

/* A fill is not cut inside of its pattern: then it waits for who writes there. */
static vptr__joint_use next_piece(const batch *it, size_t at, size_t end) {
  vptr__joint_buffer *buffer = it->move->to.buffer;
  vptr__joint_use use = vptr__joint_use_for_write(it->flight.joint, buffer, at, end);
  if (it->move->pattern_size > 0 && (use.end - at) % it->move->pattern_size != 0) {
    use.end = vptr__smaller(end, vptr__joint_home_end(buffer, at));
    use.member = vptr__joint_home(buffer, at);
  }
  return use;
}

static void write_line(batch *it, size_t to, size_t from, size_t size) {
  const size_t end = to + size;
  for (size_t at = to; at < end;) {
    if (it->count == PIECES)
      do_pieces(it);
    const vptr__joint_use use = next_piece(it, at, end);
    it->uses[it->count] = use;
    it->from[it->count++] = from + (at - to);
    at = use.end;
  }
}

static void read_line(batch *it, size_t to, size_t from, size_t size) {
  const size_t end = from + size;
  for (size_t at = from; at < end;) {
    const vptr__joint_source source = vptr__joint_source_of(it->flight.joint, it->move->from.buffer, at, end, 0);
    vptr__device *device = member_of(it, source.member);
    cl_event *event = vptr__joint_flight_room(&it->flight);
    if (event != NULL)
      vptr__joint_flight_add(&it->flight, source.member,
                             device->ops->transfer.enqueue_read(
                                 device, queue_of(it, source.member), source.inner, at - source.inner_begin,
                                 it->move->to.host + to + (at - from), source.end - at, event));
    device->ops->memory.release(device, source.inner);
    at = source.end;
  }
}

static void move_lines(batch *it) {
  const vptr__joint_move *move = it->move;
  for (size_t z = 0; z < move->region[2]; z++)
    for (size_t y = 0; y < move->region[1]; y++) {
      const size_t from = move->from.offset + z * move->from.slice + y * move->from.row;
      const size_t to = move->to.offset + z * move->to.slice + y * move->to.row;
      (move->to.buffer != NULL ? write_line : read_line)(it, to, from, move->region[0]);
    }
  do_pieces(it);
}

/* ---- rects that one member has ---------------------------------------------------------------------------- */

/* Behind the last byte of a rect. */
static size_t end_of(const vptr__joint_side *side, const size_t region[3]) {
  return side->offset + (region[2] - 1) * side->slice + (region[1] - 1) * side->row + region[0];
}

static vptr__rect inner_rect(const vptr__joint_side *side, cl_mem inner, size_t inner_begin) {
  return (
      vptr__rect){ .buffer = inner, .offset = side->offset - inner_begin, .row = side->row, .slice = side->slice };
}

/* The member that is to have a rect, by a use of all between its ends: what is between its rows is there too. */
static bool use_for_rect(const batch *it, vptr__joint_use *use_out) {
  const vptr__joint_side *to = &it->move->to;
  const size_t end = end_of(to, it->move->region);
  *use_out = vptr__joint_use_for_write(it->flight.joint, to->buffer, to->offset, end);
  use_out->overwrites = false;
  return use_out->end == end;
}

static void send_rect(batch *it, const vptr__joint_use *use, const vptr__joint_source *source) {
  const vptr__joint_move *move = it->move;
  vptr__device *device = member_of(it, use->member);
  const vptr__rect to = inner_rect(&move->to, use->inner, use->inner_begin);
  cl_event *event = vptr__joint_flight_room(&it->flight);
  vptr_status status;
  if (event == NULL)
    return;
  if (source != NULL) {
    const vptr__rect from = inner_rect(&move->from, source->inner, source->inner_begin);
    status =
        device->ops->transfer.enqueue_copy_rect(device, queue_of(it, use->member), &from, &to, move->region, event);
  } else {
    status = device->ops->transfer.enqueue_write_rect(device, queue_of(it, use->member), &to, move->from.host,
                                                      move->from.row, move->from.slice, move->region, event);
  }
  vptr__joint_flight_add(&it->flight, use->member, status);
}

/* false: the rect is to go by lines. */
static bool write_rect(batch *it, const vptr__joint_source *source) {
  vptr__joint *joint = it->flight.joint;
  vptr__joint_use use;
  if (!use_for_rect(it, &use) || (source != NULL && source->member != use.member))
    return false;
  it->flight.status = vptr__joint_uses_begin(joint, it->flight.queue, &use, 1);
  if (it->flight.status != VPTR_SUCCESS)
    return true;
  send_rect(it, &use, source);
  const bool has_worked = vptr__joint_flight_end(&it->flight) == VPTR_SUCCESS;
  vptr__joint_uses_end(joint, &use, 1, has_worked);
  return true;
}

static void read_rect(batch *it, const vptr__joint_source *source) {
  const vptr__joint_move *move = it->move;
  vptr__device *device = member_of(it, source->member);
  const vptr__rect from = inner_rect(&move->from, source->inner, source->inner_begin);
  cl_event *event = vptr__joint_flight_room(&it->flight);
  if (event != NULL)
    vptr__joint_flight_add(&it->flight, source->member,
                           device->ops->transfer.enqueue_read_rect(device, queue_of(it, source->member), &from,
                                                                   move->to.host, move->to.row, move->to.slice,
                                                                   move->region, event));
}

/* Likewise, from one source, which is the member that has all between the rect's ends. */
static bool move_from_one(batch *it) {
  const vptr__joint_side *from = &it->move->from;
  const size_t end = end_of(from, it->move->region);
  unsigned wanted = 0;
  vptr__joint_use use;
  if (it->move->to.buffer != NULL && use_for_rect(it, &use))
    wanted = use.member;
  const vptr__joint_source source = vptr__joint_source_of(it->flight.joint, from->buffer, from->offset, end, wanted);
  bool is_done = source.end == end;
  if (is_done && it->move->to.buffer != NULL)
    is_done = write_rect(it, &source);
  else if (is_done)
    read_rect(it, &source);
  vptr__device *device = member_of(it, source.member);
  device->ops->memory.release(device, source.inner);
  return is_done;
}

static bool move_rect(batch *it) {
  if (it->move->region[1] * it->move->region[2] == 1)
    return false;
  return it->move->from.buffer != NULL ? move_from_one(it) : write_rect(it, NULL);
}

/* ---- moves ------------------------------------------------------------------------------------------------ */

static vptr_status do_move(vptr__joint *joint, vptr__joint_queue *queue, vptr__joint_command *command) {
  const vptr__joint_move *move = (vptr__joint_move *)command;
  batch it = { .flight = { .joint = joint, .queue = queue }, .move = move };
  if (move->region[0] * move->region[1] * move->region[2] == 0)
    return VPTR_SUCCESS;
  if (!move_rect(&it))
    move_lines(&it);
  return vptr__joint_flight_end(&it.flight);
}

static void drop_move(vptr__joint *joint, vptr__joint_command *command) {
  vptr__joint_move *move = (vptr__joint_move *)command;
  if (move->from.buffer != NULL)
    vptr__joint_buffer_drop(joint, move->from.buffer);
  if (move->to.buffer != NULL)
    vptr__joint_buffer_drop(joint, move->to.buffer);
  vptr__memory_free(move);
}

vptr__joint_move *vptr__joint_move_make(const vptr__joint_side *from, const vptr__joint_side *to,
                                        const size_t region[3]) {
  vptr__joint_move *move = vptr__memory_calloc(1, sizeof *move);
  if (move == NULL) {
    vptr__error_host_memory(sizeof *move);
    return NULL;
  }
  move->command = (vptr__joint_command){ .run = do_move, .drop = drop_move };
  move->from = *from;
  move->to = *to;
  memcpy(move->region, region, sizeof move->region);
  if (from->buffer != NULL)
    vptr__joint_buffer_keep(from->buffer);
  if (to->buffer != NULL)
    vptr__joint_buffer_keep(to->buffer);
  return move;
}
