/* SPDX-License-Identifier: MIT */
/*
 * set - setting each element of a rect to one value, as work of a stream (async.h).
 *
 * A line is a fill, or three: wide patterns run faster (transfer/width.h), but begin and end at multiples of their
 * width. Rows are one command on some devices (enqueue_set() of device/device.h). On others only the first are filled
 * one by one; then what is done is copied to what is next, and doubles each time. So 10,000 rows take 18 commands, no
 * memory beside them, and gaps are neither written nor read:
 *
 *     fill  |1.|2.|3.|4.|
 *     copy  |           |5. 6. 7. 8.|
 *     copy  |                       |9. ...                |
 *
 * (A packed scratch buffer, filled at once and copied row by row, would take as much memory as the rows.)
 *
 * Declared in async.h. No data but constants, and no locks of its own: sending takes mapper->stream_lock, of rank
 * STREAM, and holding what endpoint.h names. Called by cudart/cuda/set.c alone, for cudaMemset() and its kin. It waits
 * where the caller wants it (VPTR__TRANSFER_WAIT), where the memory is the host's, or another device's than the
 * stream's, and until managed memory is on the device; for nothing else.
 */
#include "transfer/async.h"

#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/hot.h"
#include "base/number.h"
#include "transfer/rect.h"
#include "transfer/peer.h"
#include "transfer/repeat.h"
#include "transfer/seam.h"
#include "transfer/shift.h"
#include "transfer/width.h"

enum {
  /* Rows that are filled one by one; measured on PoCL, 4 to 4096 rows by doubling take 130 to 310 us, and each row
   * filled alone 9 us. */
  FIRST_ROWS = 8
};

typedef struct setting {
  vptr__stream *stream;
  vptr__device *device;
  cl_command_queue queue;
  vptr__pitched_endpoint pitched; /* held, flattened */
  size_t region[3];
  unsigned char pattern[VPTR__WIDTH_MOST]; /* the element, over and over */
  size_t unit;                             /* bytes of an element */
} setting;

static const size_t ORIGIN[3] = { 0, 0, 0 };

/* ---- lines ---------------------------------------------------------------------------------------------- */

VPTR__HOT static vptr_status expect_event(const setting *set, const cl_event *wanted) {
  return wanted != NULL ? vptr__stream_expect(set->stream) : VPTR_SUCCESS;
}

VPTR__HOT static vptr_status fill_piece(const setting *set, size_t offset, size_t size, size_t width) {
  if (size == 0)
    return VPTR_SUCCESS;
  cl_event event = NULL, *wanted = vptr__transfer_watches(set->device, &event);
  vptr_status status = expect_event(set, wanted);
  if (status == VPTR_SUCCESS)
    status = set->device->ops->transfer.enqueue_fill(set->device, set->queue, set->pitched.memory.buffer, offset,
                                                     size, set->pattern, width, wanted);
  vptr__stream_note(set->stream, event);
  return status;
}

VPTR__HOT static vptr_status fill_line(const setting *set, size_t offset, size_t size) {
  size_t width = vptr__width_of_fill(set->device, set->unit, offset, size);
  size_t head = (width - offset % width) % width, tail = (size - head) % width;
  vptr_status status = fill_piece(set, offset, head, set->unit);
  if (status == VPTR_SUCCESS)
    status = fill_piece(set, offset + head, size - head - tail, width);
  if (status == VPTR_SUCCESS)
    status = fill_piece(set, offset + size - tail, tail, set->unit);
  return status;
}

/* ---- rects ---------------------------------------------------------------------------------------------- */

/* Copies the first bytes, rows and slices of the endpoint to a place further on that they do not reach. */
static vptr_status repeat_rect(const setting *set, const size_t at[3], const size_t region[3]) {
  vptr__rect from = vptr__pitched_endpoint_rect(&set->pitched, ORIGIN),
             to = vptr__pitched_endpoint_rect(&set->pitched, at);
  if (region[2] == 1)
    from.slice = to.slice = from.row * region[1];
  cl_event event = NULL, *wanted = vptr__transfer_watches(set->device, &event);
  vptr_status status = expect_event(set, wanted);
  if (status == VPTR_SUCCESS)
    status = set->device->ops->transfer.enqueue_copy_rect(set->device, set->queue, &from, &to, region, wanted);
  vptr__stream_note(set->stream, event);
  return status;
}

/* The rows of the first slice. */
VPTR__HOT static vptr_status set_rows(const setting *set) {
  size_t rows = set->region[1], done = vptr__smaller(rows, FIRST_ROWS);
  vptr_status status = VPTR_SUCCESS;
  for (size_t y = 0; y < done && status == VPTR_SUCCESS; y++)
    status = fill_line(set, set->pitched.memory.offset + y * set->pitched.row, set->region[0]);
  for (size_t more; done < rows && status == VPTR_SUCCESS; done += more) {
    more = vptr__smaller(done, rows - done);
    status = repeat_rect(set, (size_t[3]){ 0, done, 0 }, (size_t[3]){ set->region[0], more, 1 });
  }
  return status;
}

VPTR__HOT static vptr_status set_slices(const setting *set) {
  vptr_status status = set_rows(set);
  size_t slices = set->region[2];
  for (size_t done = 1, more; done < slices && status == VPTR_SUCCESS; done += more) {
    more = vptr__smaller(done, slices - done);
    status = repeat_rect(set, (size_t[3]){ 0, 0, done }, (size_t[3]){ set->region[0], set->region[1], more });
  }
  return status;
}

_Static_assert((int)VPTR__WIDTH_MOST >= (int)VPTR__SET_BYTES, "the pattern is as long as a command takes");

/* Where that is a single command: false if it is not. Room for its note is there from the beginning. */
VPTR__HOT static bool set_at_once(const setting *set) {
  const vptr__rect to = vptr__pitched_endpoint_rect(&set->pitched, ORIGIN);
  cl_event event = NULL;
  bool sent = !vptr__rect_is_line(set->region) &&
              set->device->ops->transfer.enqueue_set(set->device, set->queue, &to, set->region, set->pattern,
                                                     vptr__transfer_watches(set->device, &event));
  vptr__stream_note(set->stream, event);
  return sent;
}

VPTR__HOT static vptr_status set_rect(const setting *set) {
  return set_at_once(set) ? VPTR_SUCCESS : set_slices(set);
}

/* The room has one element or more, and no part of one. */
VPTR__HOT static void repeat_element(unsigned char *room, size_t size, const vptr__element *element) {
  if (element->size == 1) {
    memset(room, element->bytes[0], size);
    return;
  }
  memcpy(room, element->bytes, element->size);
  vptr__repeat_on(room, element->size, size);
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

/* What is given back is waited for by its event. */
VPTR__HOT static void send_off(setting *set) {
  bool is_acquired = vptr__endpoint_is_acquired(&set->pitched.memory, NULL);
  vptr__endpoint_release_managed(set->stream, set->queue, &set->pitched.memory, NULL);
  if (is_acquired)
    vptr__stream_end(set->stream);
  else
    vptr__transfer_end(set->stream, set->device);
}

VPTR__HOT static vptr_status set_on_device(vptr__stream *stream, const vptr__operand *to, size_t reach,
                                           const vptr__element *element, const size_t region[3]) {
  vptr_mapper *mapper = vptr__stream_mapper(stream);
  setting set = { .stream = stream,
                  .device = mapper->device,
                  .pitched = { .row = to->row, .slice = to->slice },
                  .region = { region[0], region[1], region[2] },
                  .unit = element->size };
  repeat_element(set.pattern, sizeof set.pattern, element);
  vptr_status status = vptr__endpoint_hold_device(mapper, to->what, to->ptr, reach, &set.pitched.memory);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__rect_flatten(&set.pitched, NULL, set.region);
  status = vptr__endpoint_acquire(mapper, &set.pitched.memory, reach, vptr__rect_access(set.region), NULL, 0);
  if (status == VPTR_SUCCESS)
    status = vptr__stream_begin(stream, &set.queue);
  if (status == VPTR_SUCCESS) {
    status = set_rect(&set);
    send_off(&set);
  }
  vptr__endpoint_release(&set.pitched.memory);
  return status;
}

static vptr_status set_on_device_and_wait(vptr__stream *stream, const vptr__operand *to, size_t reach,
                                          const vptr__element *element, const size_t region[3]) {
  vptr_status status = set_on_device(stream, to, reach, element, region);
  if (status == VPTR_SUCCESS)
    status = vptr__transfer_settle(stream);
  return status == VPTR_SUCCESS ? vptr__stream_poll_failure(stream) : status;
}

static vptr_status set_on_host(vptr__stream *stream, const vptr__operand *to, size_t reach,
                               const vptr__element *element, const size_t region[3]) {
  vptr_status status = vptr__endpoint_check_host(vptr__stream_mapper(stream), to->what, to->ptr, reach);
  if (status == VPTR_SUCCESS && !to->pinned)
    status = vptr__error(VPTR_ERROR_UNKNOWN_ADDRESS, "%s: %p is host memory, or none at all; the host has memset()",
                         to->what, to->ptr);
  if (status == VPTR_SUCCESS)
    status = vptr__transfer_settle(stream);
  if (status != VPTR_SUCCESS)
    return status;
  for (size_t z = 0; z < region[2]; z++)
    for (size_t y = 0; y < region[1]; y++)
      repeat_element((unsigned char *)to->ptr + z * to->slice + y * to->row, region[0], element);
  return vptr__stream_poll_failure(stream);
}

static vptr_status set_on_peer(vptr_mapper *owner, vptr__stream *stream, const vptr__operand *to, size_t reach,
                               const vptr__element *element, const size_t region[3]) {
  vptr__stream *peer_stream;
  vptr_status status = vptr__peer_open(owner, stream, &peer_stream);
  if (status != VPTR_SUCCESS)
    return status;
  status = set_on_device_and_wait(peer_stream, to, reach, element, region);
  vptr__peer_close(peer_stream);
  return status;
}

/* A pattern lies in the buffer where its own size divides the offset, and buffers begin at multiples of more than
   that. */
VPTR__HOT static vptr_status check_element(const vptr__operand *to, const vptr__element *element,
                                           const size_t region[3]) {
  size_t misfit = (uintptr_t)to->ptr | region[0] | (region[1] > 1 ? to->row : 0) | (region[2] > 1 ? to->slice : 0);
  if (misfit % element->size == 0)
    return VPTR_SUCCESS;
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                     "%s: elements have %zu bytes, and %p with rows of %zu bytes at a pitch of %zu is no multiple",
                     to->what, element->size, to->ptr, region[0], to->row);
}

/* A rect that crosses seams is set in pieces that do not. */
typedef struct pieces {
  vptr__stream *stream;
  const vptr__element *element;
  unsigned flags;
} pieces;

static vptr_status set_piece(void *context, const vptr__operand *to, const vptr__operand *none,
                             const size_t region[3]) {
  const pieces *of = context;
  (void)none;
  return vptr__transfer_set_elements(of->stream, to, of->element, region, of->flags);
}

static vptr_status set_across_seams(vptr__stream *stream, const vptr__operand *to, size_t reach,
                                    const vptr__element *element, const size_t region[3], unsigned flags) {
  vptr__operand classified = *to;
  vptr__operand_classify(&classified);
  return vptr__seam_cut(&classified, reach, NULL, 0, region, set_piece, &(pieces){ stream, element, flags });
}

VPTR__HOT vptr_status vptr__transfer_set_elements(vptr__stream *stream, const vptr__operand *to,
                                                  const vptr__element *element, const size_t region[3],
                                                  unsigned flags) {
  size_t reach;
  if (vptr__rect_is_empty(region))
    return VPTR_SUCCESS;
  vptr_status status = vptr__rect_check(to, region, &reach);
  if (status == VPTR_SUCCESS)
    status = check_element(to, element, region);
  if (status != VPTR_SUCCESS)
    return status;
  vptr_mapper *owner = vptr__mapper_owning(to->ptr);
  if (owner != NULL && vptr__heap_has_seam(owner->heap, to->ptr, reach))
    return set_across_seams(stream, to, reach, element, region, flags);
  if (owner == NULL)
    owner = vptr__endpoint_managed_mapper(to->ptr);
  if (owner == NULL)
    return set_on_host(stream, to, reach, element, region);
  if (owner != vptr__stream_mapper(stream))
    return set_on_peer(owner, stream, to, reach, element, region);
  return (flags & VPTR__TRANSFER_WAIT) != 0 ? set_on_device_and_wait(stream, to, reach, element, region)
                                            : set_on_device(stream, to, reach, element, region);
}

vptr_status vptr__transfer_set(vptr__stream *stream, const vptr__operand *to, unsigned char value,
                               const size_t region[3], unsigned flags) {
  const vptr__element element = { { value }, 1 };
  return vptr__transfer_set_elements(stream, to, &element, region, flags);
}
