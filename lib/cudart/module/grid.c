/* SPDX-License-Identifier: MIT */
/*
 * grid - room for the blocks of a grid that wait for each other (kind=grid in image.h).
 *
 *     0   blocks in x, y and z      12  whether the launch is cooperative     16  bytes of dynamic shared memory
 *     20  a word of devices whose threads meet there (tools/kernelc/grid.c), and one that is free
 *     32  bytes of a block          128 the blocks' parts, where one work-item runs all of them (tools/kernelc/grid.h)
 *
 * A part has what the block's threads keep, and its shared memory. A thread's share of the former is its share of
 * the kernel's private arrays, which are made for as many threads as a block may have. The beginning travels as the
 * pattern of a fill, which drivers copy when it is queued.
 *
 * A room is kept for launches of the same shape, so that those send the kernel and nothing else: no launch leaves in
 * the beginning what the next does not take (threads that meet there turn a bit, and find it as it is), and such
 * launches follow each other on a device. There are KEPT of them on each, of MOST_KEPT_BYTES at most; the one that
 * was used least lately, and by no launch on its way, makes way for a new one. What is not kept is freed in the
 * order of its stream behind the kernel.
 *
 * Data: the static `rooms` has the rooms that are kept, and the static `uses` counts their uses. The static `lock`, of
 * rank LEAF, guards both, and is not held while memory is allocated, or anything is sent. A room is put there, and
 * another taken out, by a thread that sends under managed.c's `lock`, of rank ARRAY: whoever finds the room sends
 * later. A reset, or the end of a mapper, frees the memory under it: so it is known by its allocation's serial number
 * too. Called by prepare.c, which asks for a room, and launch.c, which sends, and ends it. To allocate it may wait, on
 * a full device.
 */
#include "module/state.h"

#include "base/error.h"
#include "base/limit.h"
#include "base/number.h"
#include "mapper/ledger.h"

#include <string.h>

enum { HEAD_BYTES = 128, MOST_THREADS = 1024, UNIT = 16, KEPT = 8, MOST_KEPT_BYTES = 1 << 20, NONE = -1 };

typedef struct grid_head {
  uint32_t blocks[3], is_cooperative, dynamic, come, phase, unused;
  uint64_t part;
  unsigned char rest[HEAD_BYTES - 40];
} grid_head;
_Static_assert(sizeof(grid_head) == HEAD_BYTES, "what kernels read");

typedef struct kept_room {
  vptr_mapper *mapper; /* NULL: there is none */
  grid_head head;
  void *memory;
  uint64_t serial;  /* of its allocation */
  cl_event written; /* what writes the beginning, retained; NULL: it is written */
  uint64_t used;    /* when, by count */
  unsigned users;   /* launches on their way */
} kept_room;

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static kept_room rooms[VPTR__MOST_DEVICES][KEPT];
static uint64_t uses;

static uint64_t count_blocks(const vptr__launch *launch) {
  return (uint64_t)launch->blocks[0] * launch->blocks[1] * launch->blocks[2];
}

/* Of one block; 0: blocks run by themselves. */
static uint64_t part_bytes(const vptr__preparation *it) {
  const vptr__image_kernel *image = it->function->image;
  const uint32_t *threads = it->launch->threads;
  if (!it->kernel->runs_threads)
    return 0;
  uint64_t most = image->max_threads > 0 && image->max_threads < MOST_THREADS ? image->max_threads : MOST_THREADS;
  uint64_t each = (image->private_bytes + most - 1) / most;
  return vptr__align_up(each * threads[0] * threads[1] * threads[2] + image->shared + it->launch->shared, UNIT);
}

static grid_head head_of(const vptr__preparation *it) {
  grid_head head = { .is_cooperative = it->launch->is_cooperative, .dynamic = (uint32_t)it->launch->shared };
  memcpy(head.blocks, it->launch->blocks, sizeof head.blocks);
  head.part = part_bytes(it);
  return head;
}

static uint64_t room_bytes(const vptr__preparation *it) {
  return HEAD_BYTES + count_blocks(it->launch) * part_bytes(it);
}

/* ---- rooms that are kept -------------------------------------------------------------------------------- */

static kept_room *slot_of(const vptr__preparation *it) {
  return &rooms[it->kernel->mapper->device->ordinal][it->grid_slot];
}

static bool is_live(const vptr__preparation *it, const kept_room *room) {
  vptr_location location;
  return vptr__mapper_locate(it->kernel->mapper, room->memory, 1, &location) == VPTR_SUCCESS &&
         location.serial == room->serial;
}

/* NONE: there is no room of that shape. Who gets one is one of its users. */
static int take_kept(const vptr__preparation *it, kept_room *room_out) {
  const vptr_mapper *mapper = it->kernel->mapper;
  kept_room *each = rooms[mapper->device->ordinal];
  const grid_head head = head_of(it);
  int slot = NONE;
  vptr__lock_take(&lock);
  for (int i = 0; i < KEPT && slot == NONE; i++, each++)
    if (each->mapper == mapper && memcmp(&each->head, &head, sizeof head) == 0) {
      each->users++;
      each->used = ++uses;
      *room_out = *each;
      slot = i;
    }
  vptr__lock_give(&lock);
  return slot;
}

static void leave_kept(const vptr__preparation *it) {
  vptr__lock_take(&lock);
  slot_of(it)->users--;
  vptr__lock_give(&lock);
}

static bool is_spoiled(const vptr__preparation *it) {
  vptr__lock_take(&lock);
  bool is = slot_of(it)->head.unused != 0;
  vptr__lock_give(&lock);
  return is;
}

/* No launch finds it any more: its memory is gone, or nobody knows what is there. */
static void spoil(const vptr__preparation *it) {
  vptr__lock_take(&lock);
  slot_of(it)->head.unused = 1;
  vptr__lock_give(&lock);
}

static bool find_kept(vptr__preparation *it) {
  kept_room room;
  while ((it->grid_slot = take_kept(it, &room)) != NONE) {
    it->grid_memory = room.memory;
    vptr__error_try();
    bool is_good = is_live(it, &room);
    vptr__error_tried(VPTR_SUCCESS);
    if (is_good)
      return true;
    spoil(it);
    leave_kept(it);
  }
  it->grid_memory = NULL;
  return false;
}

/* A free one, or what nobody uses and was used least lately; NONE: there is none. */
static int slot_to_fill(const vptr_mapper *mapper) {
  const kept_room *each = rooms[mapper->device->ordinal];
  int least = NONE;
  for (int i = 0; i < KEPT; i++) {
    if (each[i].mapper == NULL)
      return i;
    if (each[i].users == 0 && (least == NONE || each[i].used < each[least].used))
      least = i;
  }
  return least;
}

/* The launch is its user from here on, and the event is the room's. What made way is in *old_out. */
static void keep(vptr__preparation *it, cl_event written, kept_room *old_out) {
  vptr_mapper *mapper = it->kernel->mapper;
  vptr_location location;
  if (room_bytes(it) > MOST_KEPT_BYTES || vptr__mapper_locate(mapper, it->grid_memory, 1, &location) != VPTR_SUCCESS)
    return;
  vptr__lock_take(&lock);
  it->grid_slot = slot_to_fill(mapper);
  if (it->grid_slot != NONE) {
    *old_out = *slot_of(it);
    *slot_of(it) = (kept_room){ mapper, head_of(it), it->grid_memory, location.serial, written, ++uses, 1 };
  }
  vptr__lock_give(&lock);
}

/* In the place of the event that was there; NULL: it is written. */
static cl_event exchange_written(const vptr__preparation *it, cl_event written) {
  vptr__lock_take(&lock);
  cl_event old = slot_of(it)->written;
  slot_of(it)->written = written;
  vptr__lock_give(&lock);
  return old;
}

static void release_written(vptr_mapper *mapper, cl_event written) {
  if (written != NULL)
    mapper->device->ops->event.release(mapper->device, written);
}

/* ---- around a launch ------------------------------------------------------------------------------------ */

static vptr_status allocate_room(vptr__preparation *it) {
  vptr_mapper *mapper = it->kernel->mapper;
  void *memory;
  vptr_status status = vptr__mapper_allocate(mapper, room_bytes(it), NULL, &memory);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__ledger_own(mapper, memory);
  it->grid_memory = memory;
  return VPTR_SUCCESS;
}

vptr_status vptr__grid(vptr__preparation *it) {
  const vptr__program *program = it->kernel->program;
  vptr__managed_use none;
  if (!program->has_addresses)
    return vptr__error(VPTR_ERROR_UNSUPPORTED,
                       "%s: blocks of kernel %s wait for each other, and %s tells no addresses", it->launch->what,
                       it->function->image->name, it->kernel->mapper->device->name);
  vptr_status status = find_kept(it) ? VPTR_SUCCESS : allocate_room(it);
  if (status != VPTR_SUCCESS)
    return status;
  status =
      vptr__pointer_resolve(program, VPTR_ACCESS_READ_WRITE, it->launch->what, 0, it->grid_memory, &it->grid, &none);
  if (status == VPTR_SUCCESS)
    return VPTR_SUCCESS;
  if (it->grid_slot != NONE)
    leave_kept(it);
  else
    vptr_free(it->kernel->mapper, it->grid_memory);
  it->grid_memory = NULL;
  return status;
}

static vptr_status send_head(const vptr__preparation *it, vptr__stream *stream, cl_command_queue queue,
                             cl_event *event_out) {
  vptr_mapper *mapper = it->kernel->mapper;
  vptr__device *device = mapper->device;
  const grid_head head = head_of(it);
  vptr_location location;
  *event_out = NULL;
  vptr_status status = vptr__heap_retain(mapper->heap, it->grid_memory, 1, &location);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__stream_expect(stream);
  if (status == VPTR_SUCCESS)
    status = device->ops->transfer.enqueue_fill(device, queue, location.buffer, location.buffer_offset, HEAD_BYTES,
                                                &head, HEAD_BYTES, event_out);
  if (status == VPTR_SUCCESS)
    device->ops->event.retain(device, *event_out);
  vptr__stream_note(stream, *event_out);
  device->ops->memory.release(device, location.buffer);
  return status;
}

/* Whether it has been written; what is on its way may still fail, and is written again, as is what failed for a launch
 * that found the room too. */
static bool is_written(const vptr__preparation *it) {
  vptr__device *device = it->kernel->mapper->device;
  cl_event written = exchange_written(it, NULL);
  cl_int state = CL_QUEUED;
  if (written == NULL)
    return !is_spoiled(it);
  vptr__error_try();
  vptr__error_tried(device->ops->event.state(device, written, &state));
  device->ops->event.release(device, written);
  return state == CL_COMPLETE;
}

static vptr_status write_again(const vptr__preparation *it, vptr__stream *stream, cl_command_queue queue) {
  cl_event written;
  vptr_status status = send_head(it, stream, queue, &written);
  if (status == VPTR_SUCCESS)
    release_written(it->kernel->mapper, exchange_written(it, written));
  else
    spoil(it);
  return status;
}

vptr_status vptr__grid_send(vptr__preparation *it, vptr__stream *stream, cl_command_queue queue) {
  vptr_mapper *mapper = it->kernel->mapper;
  kept_room old = { .mapper = NULL };
  cl_event written;
  if (it->grid_slot != NONE)
    return is_written(it) ? VPTR_SUCCESS : write_again(it, stream, queue);
  vptr_status status = send_head(it, stream, queue, &written);
  if (status != VPTR_SUCCESS)
    return status;
  keep(it, written, &old);
  release_written(mapper, it->grid_slot != NONE ? old.written : written);
  if (old.mapper == mapper && is_live(it, &old))
    it->old_grid_memory = old.memory;
  return VPTR_SUCCESS;
}

void vptr__grid_end(const vptr__preparation *it, vptr__stream *stream) {
  vptr_mapper *mapper = it->kernel->mapper;
  if (it->grid_slot != NONE)
    leave_kept(it);
  else
    vptr__spill_end(mapper, it->grid_memory, stream);
  if (it->old_grid_memory != NULL)
    vptr__spill_end(mapper, it->old_grid_memory, stream);
}
