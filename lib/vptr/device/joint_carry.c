/* SPDX-License-Identifier: MIT */
/*
 * joint_carry - what a queue's thread of a joint device (joint.h) sends to members and waits for; and bytes that it
 * carries from one member to another.
 *
 * Those go through two slots of the host's: while one is written to a member, the other is read from the one that has
 * the bytes. Events and contexts of different drivers never meet, so the thread waits in between.
 *
 * A flight is its thread's, and so are the slots, which are made with the first bytes and freed with the queue. No
 * locks. Called by joint_use.c, joint_move.c and joint_launch.c. What ends a flight, and what carries, waits for
 * members.
 */
#include "device/joint.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "device/completion.h"

static const size_t SLOT_BYTES = (size_t)4 << 20;

/* ---- what was sent to members ---------------------------------------------------------------------------- */

static vptr_status await(vptr__joint *joint, vptr__joint_queue *queue, unsigned member, cl_event event) {
  return vptr__completion_await(joint->members[member], queue->inner[member], event);
}

vptr_status vptr__joint_flight_end(vptr__joint_flight *flight) {
  uint32_t flushed = 0;
  for (unsigned i = 0; i < flight->count; i++) {
    const unsigned member = flight->sent[i].member;
    vptr__device *device = flight->joint->members[member];
    if ((flushed >> member & 1) == 0)
      device->ops->queue.flush(device, flight->queue->inner[member]);
    flushed |= UINT32_C(1) << member;
  }
  for (unsigned i = 0; i < flight->count; i++) {
    vptr_status status = await(flight->joint, flight->queue, flight->sent[i].member, flight->sent[i].event);
    if (flight->status == VPTR_SUCCESS)
      flight->status = status;
  }
  flight->count = 0;
  return flight->status;
}

cl_event *vptr__joint_flight_room(vptr__joint_flight *flight) {
  if (flight->count == VPTR__JOINT_SENT_ROOM)
    vptr__joint_flight_end(flight);
  if (flight->status != VPTR_SUCCESS)
    return NULL;
  flight->sent[flight->count].event = NULL;
  return &flight->sent[flight->count].event;
}

void vptr__joint_flight_add(vptr__joint_flight *flight, unsigned member, vptr_status status) {
  if (status == VPTR_SUCCESS)
    flight->sent[flight->count++].member = member;
  else
    flight->status = status;
}

/* ---- bytes from member to member -------------------------------------------------------------------------- */

static vptr_status need_ring(vptr__joint_queue *queue) {
  if (queue->ring != NULL)
    return VPTR_SUCCESS;
  queue->ring = vptr__memory_calloc(VPTR__JOINT_RING, SLOT_BYTES);
  return queue->ring != NULL ? VPTR_SUCCESS : vptr__error_host_memory(VPTR__JOINT_RING * SLOT_BYTES);
}

typedef struct carriage {
  vptr__joint *joint;
  vptr__joint_queue *queue;
  const vptr__joint_end *from, *to;
  cl_event read[VPTR__JOINT_RING], written[VPTR__JOINT_RING];
} carriage;

static vptr_status end_slot(const carriage *it, const vptr__joint_end *side, cl_event *event) {
  cl_event mine = *event;
  *event = NULL;
  return mine != NULL ? await(it->joint, it->queue, side->member, mine) : VPTR_SUCCESS;
}

static vptr_status read_slot(carriage *it, unsigned slot, size_t at, size_t size) {
  vptr__device *from = it->joint->members[it->from->member];
  cl_command_queue queue = it->queue->inner[it->from->member];
  vptr_status status = end_slot(it, it->to, &it->written[slot]);
  if (status == VPTR_SUCCESS)
    status = from->ops->transfer.enqueue_read(from, queue, it->from->inner, it->from->offset + at,
                                              it->queue->ring + slot * SLOT_BYTES, size, &it->read[slot]);
  return status == VPTR_SUCCESS ? from->ops->queue.flush(from, queue) : status;
}

static vptr_status write_slot(carriage *it, unsigned slot, size_t at, size_t size) {
  vptr__device *to = it->joint->members[it->to->member];
  cl_command_queue queue = it->queue->inner[it->to->member];
  vptr_status status = end_slot(it, it->from, &it->read[slot]);
  if (status == VPTR_SUCCESS)
    status = to->ops->transfer.enqueue_write(to, queue, it->to->inner, it->to->offset + at,
                                             it->queue->ring + slot * SLOT_BYTES, size, &it->written[slot]);
  return status == VPTR_SUCCESS ? to->ops->queue.flush(to, queue) : status;
}

/* While one slot is written the other is read. */
vptr_status vptr__joint_carry(vptr__joint *joint, vptr__joint_queue *queue, const vptr__joint_end *from,
                              const vptr__joint_end *to, size_t size) {
  carriage it = { .joint = joint, .queue = queue, .from = from, .to = to };
  vptr_status status = need_ring(queue);
  size_t written = 0;
  for (size_t read = 0; status == VPTR_SUCCESS && written < size;) {
    const unsigned turn = (unsigned)(read / SLOT_BYTES % VPTR__JOINT_RING);
    if (read < size)
      status = read_slot(&it, turn, read, vptr__smaller(size - read, SLOT_BYTES));
    if (status == VPTR_SUCCESS && (read > 0 || size <= SLOT_BYTES)) {
      status = write_slot(&it, (unsigned)(written / SLOT_BYTES % VPTR__JOINT_RING), written,
                          vptr__smaller(size - written, SLOT_BYTES));
      written += SLOT_BYTES;
    }
    read += SLOT_BYTES;
  }
  for (unsigned i = 0; i < VPTR__JOINT_RING; i++) {
    vptr_status read = end_slot(&it, from, &it.read[i]);
    vptr_status wrote = end_slot(&it, to, &it.written[i]);
    if (status == VPTR_SUCCESS)
      status = read != VPTR_SUCCESS ? read : wrote;
  }
  return status;
}
