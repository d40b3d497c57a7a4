/* SPDX-License-Identifier: MIT */
/*
 * async - copies on a stream (async.h): whose device does a copy, and who waits. How its bytes move is in strategy.c;
 * setting is in set.c, what needs two devices in peer.c.
 *
 * The file has no data and no locks of its own: a copy is a variable of its call (held_copy.h). Sending takes
 * mapper->stream_lock, of rank STREAM, and holding memory what held_copy.h names; none is held while a command that was
 * sent is waited for. Called by peer.c, which copies the pieces between two devices and waits for a stream's earlier
 * work; by pack.c, set.c and strategy.c; by cudart/cuda/copy.c, which copies for CUDA's calls, batch.c, whose wait
 * failed, and array_seam.c, for an element; and by curand/call.c, for a generator's states. What a copy waits for is in
 * async.h.
 */
#include "transfer/async.h"

#include <string.h>

#include "device/completion.h"
#include "transfer/peer.h"
#include "transfer/rect.h"
#include "transfer/seam.h"
#include "transfer/strategy.h"

/* ---- waiting -------------------------------------------------------------------------------------------- */

vptr_status vptr__transfer_settle(vptr__stream *stream) {
  vptr__device *device = vptr__stream_mapper(stream)->device;
  cl_command_queue queue;
  cl_event event = NULL;
  vptr_status status = vptr__stream_begin(stream, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  status = device->ops->queue.enqueue_barrier(device, queue, 0, NULL, &event);
  uint64_t number = vptr__stream_end(stream);
  if (status == VPTR_SUCCESS)
    status = vptr__completion_await(device, queue, event);
  if (status == VPTR_SUCCESS)
    vptr__stream_note_over(stream, number);
  return status;
}

/* ---- copies --------------------------------------------------------------------------------------------- */

/* Whose device does it: the memory's own; of managed memory, where there is no other, one that it is on. NULL: any. */
static vptr_mapper *worker_of(const vptr__operand *to, const vptr__operand *from) {
  if (to->owner != NULL || from->owner != NULL)
    return to->owner != NULL ? to->owner : from->owner;
  vptr_mapper *worker = to->kind == VPTR__MEMORY_MANAGED ? vptr__endpoint_managed_mapper(to->ptr) : NULL;
  return worker == NULL && from->kind == VPTR__MEMORY_MANAGED ? vptr__endpoint_managed_mapper(from->ptr) : worker;
}

static vptr__copy_mode mode_of(const vptr__stream *stream, bool waits) {
  if (!waits)
    return VPTR__COPY_QUEUED;
  return vptr__stream_is_legacy(stream) ? VPTR__COPY_LEGACY : VPTR__COPY_WAITED;
}

/* A copy that crosses seams is one of pieces that do not. */
typedef struct pieces {
  vptr__stream *stream;
  unsigned flags;
} pieces;

static vptr_status copy_piece(void *context, const vptr__operand *to, const vptr__operand *from,
                              const size_t region[3]) {
  const pieces *of = context;
  return vptr__transfer_copy_classified(of->stream, to, from, region, of->flags);
}

vptr_status vptr__transfer_copy_classified(vptr__stream *stream, const vptr__operand *to, const vptr__operand *from,
                                           const size_t region[3], unsigned flags) {
  vptr__held_copy copy;
  size_t to_reach, from_reach;
  if (vptr__rect_is_empty(region))
    return VPTR_SUCCESS;
  vptr_status status = vptr__rect_check(to, region, &to_reach);
  if (status == VPTR_SUCCESS)
    status = vptr__rect_check(from, region, &from_reach);
  if (status != VPTR_SUCCESS)
    return status;
  if (vptr__seam_is_in(to, to_reach) || vptr__seam_is_in(from, from_reach))
    return vptr__seam_cut(to, to_reach, from, from_reach, region, copy_piece, &(pieces){ stream, flags });
  if (to->owner != NULL && from->owner != NULL && to->owner != from->owner)
    return vptr__peer_copy(stream, to, to_reach, from, from_reach, region);
  vptr_mapper *worker = worker_of(to, from);
  bool is_on_peer = worker != NULL && worker != vptr__stream_mapper(stream);
  copy.stream = stream;
  if (is_on_peer)
    status = vptr__peer_open(worker, stream, &copy.stream);
  if (status != VPTR_SUCCESS)
    return status;
  copy.mapper = vptr__stream_mapper(copy.stream);
  copy.mode = mode_of(copy.stream, is_on_peer || (flags & VPTR__TRANSFER_WAIT) != 0);
  memcpy(copy.region, region, sizeof copy.region);
  status = vptr__held_copy_begin(&copy, to, to_reach, from, from_reach);
  if (status == VPTR_SUCCESS) {
    status = vptr__strategy_of(&copy)(&copy);
    vptr__held_copy_end(&copy, status);
  }
  if (is_on_peer)
    vptr__peer_close(copy.stream);
  return status;
}

vptr_status vptr__transfer_copy(vptr__stream *stream, const vptr__operand *to, const vptr__operand *from,
                                const size_t region[3], unsigned flags) {
  vptr__operand target = *to, source = *from;
  vptr__operand_classify(&target);
  vptr__operand_classify(&source);
  return vptr__transfer_copy_classified(stream, &target, &source, region, flags);
}
