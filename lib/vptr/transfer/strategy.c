/* SPDX-License-Identifier: MIT */
/*
 * strategy - one table for all copies: what lies at both ends, who waits, which shape -> what does it.
 *
 * Before the table: memory of two devices goes in pieces through the host's, each piece a copy of its own, and memory
 * of another device than the stream's is copied on a stream of its own device, in the mode WAITED or LEGACY
 * (transfer/peer.h). Managed memory is acquired for the device that does the copy, and is the device's from then on
 * (transfer/held_copy.h). So there are six pairs of ends. Rects without gaps are lines (transfer/rect.h).
 *
 *     pageable memory is the program's: it may be changed, or read, as soon as the call returns. A driver would copy it
 *     at once, or keep the caller until the stream is there. Pinned memory stays until the stream is there, by the
 *     program's promise; so does the device's.
 *
 *     strategy         why there
 *     move_on_host     no device takes part; in a stream's order all the same
 *     queue_command    no end can change before its turn: the command is queued, and nobody waits
 *     await_command    the caller asked for it, or could not use its memory before
 *     stage            a little pageable memory is taken away at once, so that its owner can go on
 *     bulk             long pageable lines, where threads are quicker than the driver (transfer/bulk.h)
 *     pack             many pageable rows, where a line is quicker than the driver's rows (transfer/pack.h)
 *     block_for_line   the legacy stream's queue is the one that the device's blocking calls use, and an event of its
 *                      own would cost a short copy as much as its command. The plain cudaMemcpy() is this row too; it
 *                      finds out with fewer questions that it is (transfer/line.h)
 *     own_...          vptr_memcpy() needs no stream, so none is made for it, and it takes no host memory, but for a
 *                      line that is long enough for bulk, which goes in the legacy stream's order. It comes behind
 *                      what streams and named queues have to do (vptr__endpoint_settle()), and reports no failure
 *                      but its own
 *
 * "bulk_or_await": the first that takes the copy does it. What the table calls pinned is what the caller knew
 * to be: vptr_memcpy() and short copies that wait do not ask, since it would make no difference to them.
 *
 * The table is constant, and the file has no other data and no locks; strategies take mapper->stream_lock, of rank
 * STREAM, those of bulk.c, and, on a full device, vptr__heap.lock, of rank HEAP (shift.c). Called by async.c and
 * copy.c, which ask for each copy which strategy it goes by; that blocks as the table says.
 */
#include "transfer/strategy.h"

#include <string.h>

#include "base/error.h"
#include "base/hot.h"
#include "device/completion.h"
#include "transfer/bulk.h"
#include "transfer/line.h"
#include "transfer/pack.h"
#include "transfer/shift.h"
#include "transfer/stage.h"

static bool is_device(const vptr__pitched_endpoint *pitched) {
  return pitched->memory.device != NULL;
}

/* ---- one command ---------------------------------------------------------------------------------------- */

/* The event stays NULL where nothing had to be done; event_out may be NULL. */
VPTR__HOT static vptr_status send_command(const vptr__held_copy *copy, cl_command_queue queue, cl_event *event_out) {
  static const size_t origin[3] = { 0, 0, 0 };
  const vptr__pitched_endpoint *to = &copy->to, *from = &copy->from;
  vptr__device *device = copy->mapper->device;
  if (is_device(to) && is_device(from))
    return vptr__shift_send(copy->stream, queue, to, from, copy->region, event_out);
  if (vptr__rect_is_line(copy->region))
    return is_device(to) ? device->ops->transfer.enqueue_write(device, queue, to->memory.buffer, to->memory.offset,
                                                               from->memory.host, copy->region[0], event_out)
                         : device->ops->transfer.enqueue_read(device, queue, from->memory.buffer, from->memory.offset,
                                                              to->memory.host, copy->region[0], event_out);
  vptr__rect rect = vptr__pitched_endpoint_rect(is_device(to) ? to : from, origin);
  return is_device(to) ? device->ops->transfer.enqueue_write_rect(device, queue, &rect, from->memory.host, from->row,
                                                                  from->slice, copy->region, event_out)
                       : device->ops->transfer.enqueue_read_rect(device, queue, &rect, to->memory.host, to->row,
                                                                 to->slice, copy->region, event_out);
}

VPTR__HOT static vptr_status queue_command(const vptr__held_copy *copy) {
  vptr__device *device = copy->mapper->device;
  cl_command_queue queue;
  cl_event event = NULL;
  vptr_status status = vptr__stream_begin(copy->stream, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  status = send_command(copy, queue, vptr__transfer_watches(device, &event));
  vptr__stream_note(copy->stream, event);
  vptr__transfer_end(copy->stream, device);
  return status;
}

/* Waits for an event of the command's own, outside of vptr__stream_begin() and _end(): others may send meanwhile. */
VPTR__HOT static vptr_status await_command(const vptr__held_copy *copy) {
  cl_command_queue queue;
  cl_event event = NULL;
  vptr_status status = vptr__stream_begin(copy->stream, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  status = send_command(copy, queue, &event);
  uint64_t number = vptr__stream_end(copy->stream);
  if (status == VPTR_SUCCESS)
    status = vptr__completion_await(copy->mapper->device, NULL, event);
  return status == VPTR_SUCCESS ? vptr__stream_poll_failure_behind(copy->stream, event != NULL ? number : 0) : status;
}

VPTR__HOT static vptr_status block_for_line(const vptr__held_copy *copy) {
  return vptr__line_send(copy->stream, &copy->to.memory, &copy->from.memory, copy->region[0]);
}

/* ---- a little pageable memory --------------------------------------------------------------------------- */

/* A kernel that has plain memory may still write what would be staged now. */
static bool may_stage(const vptr__held_copy *copy) {
  return vptr__rect_bytes(copy->region) <= VPTR__STAGE_BYTES &&
         !atomic_load_explicit(&copy->mapper->device->acquires_system, memory_order_acquire);
}

/* The stream watches the command, and its event tells when the stage may go. */
static vptr_status send_stage(const vptr__held_copy *copy, cl_event *event_out) {
  vptr__device *device = copy->mapper->device;
  cl_command_queue queue;
  cl_event event = NULL;
  vptr_status status = vptr__stream_begin(copy->stream, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  status = send_command(copy, queue, &event);
  if (event != NULL) {
    device->ops->event.retain(device, event);
    *event_out = event;
  }
  vptr__stream_note(copy->stream, event);
  vptr__stream_end(copy->stream);
  return status;
}

static vptr_status stage_bytes(const vptr__held_copy *copy) {
  vptr__held_copy staged = *copy;
  cl_event event = NULL;
  vptr_status status = vptr__stage_make(&copy->from, copy->region, &staged.from);
  if (status != VPTR_SUCCESS)
    return status;
  status = send_stage(&staged, &event);
  if (status == VPTR_SUCCESS)
    vptr__stage_leave(&staged.from, copy->mapper->device, event);
  else
    vptr__stage_drop(&staged.from);
  return status;
}

/* ---- much pageable memory ------------------------------------------------------------------------------- */

/* false: it has to go another way. */
static bool try_bulk(const vptr__held_copy *copy, vptr_status *status_out) {
  vptr_status status;
  if (!vptr__bulk_copy(copy->stream, &copy->to.memory, &copy->from.memory, copy->region[0], &status))
    return false;
  *status_out = status == VPTR_SUCCESS ? vptr__stream_poll_failure(copy->stream) : status;
  return true;
}

static vptr_status bulk_or_await(const vptr__held_copy *copy) {
  vptr_status status;
  return try_bulk(copy, &status) ? status : await_command(copy);
}

static vptr_status bulk_or_block(const vptr__held_copy *copy) {
  vptr_status status;
  return try_bulk(copy, &status) ? status : block_for_line(copy);
}

static vptr_status bulk_stage_or_await(const vptr__held_copy *copy) {
  vptr_status status;
  if (try_bulk(copy, &status))
    return status;
  return may_stage(copy) ? stage_bytes(copy) : await_command(copy);
}

static vptr_status pack_or_await(const vptr__held_copy *copy) {
  vptr__pack_trial trial;
  vptr_status status;
  if (!vptr__pack_pays(copy->mapper->device, &copy->to, &copy->from, copy->region))
    return await_command(copy);
  if (vptr__pack_copy(copy->stream, &copy->to, &copy->from, copy->region, &trial, &status))
    return status;
  return vptr__pack_end(&trial, copy->stream, copy->region, await_command(copy));
}

static vptr_status stage_pack_or_await(const vptr__held_copy *copy) {
  return may_stage(copy) ? stage_bytes(copy) : pack_or_await(copy);
}

/* ---- without a device, and without a stream ------------------------------------------------------------- */

static vptr_status move_on_host(const vptr__held_copy *copy) {
  vptr_status status = vptr__transfer_settle(copy->stream);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__stage_copy(&copy->to, &copy->from, copy->region);
  return vptr__stream_poll_failure(copy->stream);
}

VPTR__HOT static vptr_status own_move_on_host(const vptr__held_copy *copy) {
  memmove(copy->to.memory.host, copy->from.memory.host, copy->region[0]);
  return VPTR_SUCCESS;
}

/* false: it has to go another way. */
static bool try_own_bulk(const vptr__held_copy *copy, vptr_status *status_out) {
  vptr__stream *legacy;
  if (!vptr__bulk_pays(copy->mapper->device, copy->region[0]))
    return false;
  vptr__error_try();
  bool has_stream = vptr__stream_legacy(copy->mapper, &legacy) == VPTR_SUCCESS;
  vptr__error_tried(VPTR_SUCCESS);
  return has_stream && vptr__bulk_copy(legacy, &copy->to.memory, &copy->from.memory, copy->region[0], status_out);
}

VPTR__HOT static vptr_status own_bulk_or_block(const vptr__held_copy *copy) {
  const vptr__endpoint *to = &copy->to.memory, *from = &copy->from.memory;
  vptr__device *device = copy->mapper->device;
  vptr_status status = vptr__endpoint_settle(copy->mapper);
  if (status != VPTR_SUCCESS || try_own_bulk(copy, &status))
    return status;
  return is_device(&copy->to)
             ? device->ops->transfer.write(device, to->buffer, to->offset, from->host, copy->region[0])
             : device->ops->transfer.read(device, from->buffer, from->offset, to->host, copy->region[0]);
}

VPTR__HOT static vptr_status own_shift_line(const vptr__held_copy *copy) {
  vptr_status status = vptr__endpoint_settle(copy->mapper);
  return status == VPTR_SUCCESS ? vptr__shift_line(copy->mapper, &copy->to, &copy->from, copy->region) : status;
}

/* ---- the table ------------------------------------------------------------------------------------------ */

typedef enum ends {
  HOST_TO_HOST, /* pinned or not */
  PAGEABLE_TO_DEVICE,
  PINNED_TO_DEVICE,
  DEVICE_TO_PAGEABLE,
  DEVICE_TO_PINNED,
  DEVICE_TO_DEVICE, /* the same one */
  ENDS
} ends;

/* clang-format off */
static const struct {
  vptr__strategy *line, *rect; /* vptr_memcpy() has no rects */
} strategies[ENDS][VPTR__COPY_MODES] = {
  [HOST_TO_HOST] = {
    [VPTR__COPY_QUEUED] = { move_on_host,        move_on_host        },
    [VPTR__COPY_WAITED] = { move_on_host,        move_on_host        },
    [VPTR__COPY_LEGACY] = { move_on_host,        move_on_host        },
    [VPTR__COPY_OWN]    = { own_move_on_host,    NULL                },
  },
  [PAGEABLE_TO_DEVICE] = {
    [VPTR__COPY_QUEUED] = { bulk_stage_or_await, stage_pack_or_await },
    [VPTR__COPY_WAITED] = { bulk_or_await,       pack_or_await       },
    [VPTR__COPY_LEGACY] = { bulk_or_block,       pack_or_await       },
    [VPTR__COPY_OWN]    = { own_bulk_or_block,   NULL                },
  },
  [PINNED_TO_DEVICE] = {
    [VPTR__COPY_QUEUED] = { queue_command,       queue_command       },
    [VPTR__COPY_WAITED] = { await_command,       await_command       },
    [VPTR__COPY_LEGACY] = { block_for_line,      await_command       },
    [VPTR__COPY_OWN]    = { own_bulk_or_block,   NULL                },
  },
  [DEVICE_TO_PAGEABLE] = {
    [VPTR__COPY_QUEUED] = { bulk_or_await,       pack_or_await       },
    [VPTR__COPY_WAITED] = { bulk_or_await,       pack_or_await       },
    [VPTR__COPY_LEGACY] = { bulk_or_block,       pack_or_await       },
    [VPTR__COPY_OWN]    = { own_bulk_or_block,   NULL                },
  },
  [DEVICE_TO_PINNED] = {
    [VPTR__COPY_QUEUED] = { queue_command,       queue_command       },
    [VPTR__COPY_WAITED] = { await_command,       await_command       },
    [VPTR__COPY_LEGACY] = { block_for_line,      await_command       },
    [VPTR__COPY_OWN]    = { own_bulk_or_block,   NULL                },
  },
  [DEVICE_TO_DEVICE] = {
    [VPTR__COPY_QUEUED] = { queue_command,       queue_command       },
    [VPTR__COPY_WAITED] = { await_command,       await_command       },
    [VPTR__COPY_LEGACY] = { await_command,       await_command       },
    [VPTR__COPY_OWN]    = { own_shift_line,      NULL                },
  },
};
/* clang-format on */

VPTR__HOT static ends ends_of(const vptr__pitched_endpoint *to, const vptr__pitched_endpoint *from) {
  if (is_device(to))
    return is_device(from) ? DEVICE_TO_DEVICE : from->pinned ? PINNED_TO_DEVICE : PAGEABLE_TO_DEVICE;
  return !is_device(from) ? HOST_TO_HOST : to->pinned ? DEVICE_TO_PINNED : DEVICE_TO_PAGEABLE;
}

VPTR__HOT vptr__strategy *vptr__strategy_of(const vptr__held_copy *copy) {
  ends ends = ends_of(&copy->to, &copy->from);
  return vptr__rect_is_line(copy->region) ? strategies[ends][copy->mode].line : strategies[ends][copy->mode].rect;
}
