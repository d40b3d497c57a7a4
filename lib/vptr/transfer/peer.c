/* SPDX-License-Identifier: MIT */
/*
 * peer - a stream's transfers of memory on another device, by a peer stream and through the host (peer.h).
 *
 * No data but a constant: what a copy has is on the stack of its call, but for a block of host memory, 4 MiB at most,
 * for its pieces. Both ends are checked and held as a whole first, until the copy is done: a range that is too long is
 * refused before its first piece has moved. No locks of its own: peer.h names those that it takes. Called by async.c,
 * which has memory of two devices copied, and by async.c and set.c, which open a peer stream for memory of another
 * device than the stream's, and close it. It blocks until the stream's earlier work is over, and a copy until it is
 * done.
 */
#include "transfer/peer.h"

#include "base/error.h"
#include "base/memory.h"
#include "mapper/mapper.h"
#include "transfer/rect.h"

/* A piece of a copy between devices: large enough to be limited by the bus, small enough to stay in a cache. */
static const size_t PIECE_BYTES = (size_t)4 << 20;

static vptr_status make_peer_stream(vptr_mapper *owner, vptr__stream *stream, vptr__stream **peer_stream_out) {
  if (vptr__stream_is_legacy(stream))
    return vptr__stream_legacy(owner, peer_stream_out);
  return vptr__stream_create(owner, VPTR__STREAM_NON_BLOCKING, 0, peer_stream_out);
}

vptr_status vptr__peer_open(vptr_mapper *owner, vptr__stream *stream, vptr__stream **peer_stream_out) {
  vptr_status status = vptr__transfer_settle(stream);
  return status == VPTR_SUCCESS ? make_peer_stream(owner, stream, peer_stream_out) : status;
}

void vptr__peer_close(vptr__stream *peer_stream) {
  if (!vptr__stream_is_legacy(peer_stream))
    vptr__stream_destroy(peer_stream);
}

/* ---- between two devices -------------------------------------------------------------------------------- */

typedef struct peers {
  vptr__stream *to_stream, *from_stream;
  const vptr__operand *to, *from;
  vptr__cut cut;
  unsigned char *bytes; /* of one piece */
} peers;

static vptr__operand operand_at(const vptr__operand *operand, const size_t at[3]) {
  vptr__operand moved = *operand;
  moved.ptr = (unsigned char *)operand->ptr + at[0] + at[1] * operand->row + at[2] * operand->slice;
  return moved;
}

static vptr_status copy_piece(const peers *between, size_t index) {
  size_t at[3], piece[3];
  vptr__cut_piece(&between->cut, index, at, piece);
  vptr__operand packed = { .what = "a piece in host memory",
                           .ptr = between->bytes,
                           .row = piece[0],
                           .slice = piece[0] * piece[1],
                           .pinned = true };
  vptr__operand from = operand_at(between->from, at), to = operand_at(between->to, at);
  vptr_status status = vptr__transfer_copy(between->from_stream, &packed, &from, piece, VPTR__TRANSFER_WAIT);
  if (status == VPTR_SUCCESS)
    status = vptr__transfer_copy(between->to_stream, &to, &packed, piece, VPTR__TRANSFER_WAIT);
  return status;
}

static vptr_status copy_pieces(peers *between) {
  size_t bytes = vptr__cut_bytes(&between->cut);
  between->bytes = vptr__memory_calloc(bytes, 1);
  if (between->bytes == NULL)
    return vptr__error_host_memory(bytes);
  vptr_status status = VPTR_SUCCESS;
  for (size_t i = 0; i < between->cut.count && status == VPTR_SUCCESS; i++)
    status = copy_piece(between, i);
  vptr__memory_free(between->bytes);
  return status;
}

/* The stream itself where it is of that mapper, else a peer stream. */
static vptr_status stream_on(vptr_mapper *owner, vptr__stream *stream, vptr__stream **stream_out) {
  if (vptr__stream_mapper(stream) != owner)
    return vptr__peer_open(owner, stream, stream_out);
  *stream_out = stream;
  return VPTR_SUCCESS;
}

static void close_peer_stream(vptr__stream *used, const vptr__stream *stream) {
  if (used != stream)
    vptr__peer_close(used);
}

static vptr_status copy_held(peers *between, vptr__stream *stream) {
  vptr_status status = stream_on(between->to->owner, stream, &between->to_stream);
  if (status != VPTR_SUCCESS)
    return status;
  status = stream_on(between->from->owner, stream, &between->from_stream);
  if (status != VPTR_SUCCESS)
    goto leave_to;
  status = copy_pieces(between);
  close_peer_stream(between->from_stream, stream);
leave_to:
  close_peer_stream(between->to_stream, stream);
  return status;
}

static vptr_status hold_end(const vptr__operand *end, size_t reach, vptr_access access, vptr__endpoint *held_out) {
  return vptr__endpoint_hold(end->owner, end->kind, access, end->what, end->ptr, reach, held_out);
}

typedef struct ends {
  vptr__endpoint to, from;
} ends;

/* *heap_out is that of the end that was refused. */
static vptr_status hold_ends(const peers *between, size_t to_reach, size_t from_reach, ends *held_out,
                             vptr__heap **heap_out) {
  ends held;
  *heap_out = between->to->owner->heap;
  vptr_status status = hold_end(between->to, to_reach, VPTR_ACCESS_READ_WRITE, &held.to);
  if (status != VPTR_SUCCESS)
    return status;
  *heap_out = between->from->owner->heap;
  status = hold_end(between->from, from_reach, VPTR_ACCESS_READ, &held.from);
  if (status == VPTR_SUCCESS)
    *held_out = held;
  else
    vptr__endpoint_release(&held.to);
  return status;
}

/* Who holds the first end waits for no room for the second, unless he is the only one who tries. */
static vptr_status hold_ends_anew(const peers *between, size_t to_reach, size_t from_reach, ends *held_out,
                                  vptr__heap *full) {
  vptr__heap_anew anew = vptr__heap_anew_begin(full);
  vptr__heap *refused;
  vptr_status status;
  vptr__error_try();
  do
    status = hold_ends(between, to_reach, from_reach, held_out, &refused);
  while (status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY && vptr__heap_anew_again(&anew));
  vptr__heap_anew_end();
  return vptr__error_tried(status);
}

/* Each piece is held by itself again. But what a later one would be refused for has to be known before the first. */
vptr_status vptr__peer_copy(vptr__stream *stream, const vptr__operand *to, size_t to_reach, const vptr__operand *from,
                            size_t from_reach, const size_t region[3]) {
  peers between = { .to = to, .from = from, .cut = vptr__cut_make(region, PIECE_BYTES) };
  vptr__heap *heap;
  ends held;
  vptr_status status = hold_ends(&between, to_reach, from_reach, &held, &heap);
  if (status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY && vptr__heap_may_try_anew(heap))
    status = hold_ends_anew(&between, to_reach, from_reach, &held, heap);
  if (status != VPTR_SUCCESS)
    return status;
  status = copy_held(&between, stream);
  vptr__endpoint_release(&held.from);
  vptr__endpoint_release(&held.to);
  return status;
}
