/* SPDX-License-Identifier: MIT */
/*
 * held_copy - holding both ends of a copy before it, and letting go of them behind it (held_copy.h).
 *
 * The file has no data: a vptr__held_copy is its caller's variable, which no lock guards, and held_copy.h names the
 * locks that are taken to begin: the first is that of heap/residence.c, of rank LEASE, so that callers hold none of
 * that rank or behind it. To end takes mapper->stream_lock, of rank STREAM, and for managed memory vptr__mirror.lock,
 * of rank MIRROR, and the address index's, of rank LEAF; with the last lease of freed memory it takes vptr__heap.lock,
 * of rank HEAP. Called by async.c and copy.c, which begin a copy and end it. To begin waits where memory has to come to
 * the device; to end gives managed memory back in the stream's order, and waits for the whole device where that fails,
 * and for work where freed memory goes.
 */
#include "transfer/held_copy.h"

#include "base/error.h"
#include "base/hot.h"
#include "device/completion.h"
#include "mapper/mapper.h"

VPTR__HOT static vptr_status hold_operand(vptr_mapper *mapper, const vptr__operand *operand, size_t reach,
                                          vptr_access access, vptr__pitched_endpoint *pitched_out) {
  pitched_out->row = operand->row;
  pitched_out->slice = operand->slice;
  pitched_out->pinned = operand->pinned;
  return vptr__endpoint_hold(mapper, operand->kind, access, operand->what, operand->ptr, reach, &pitched_out->memory);
}

/* Most copies are lines already. */
VPTR__HOT static void flatten_region(vptr__held_copy *copy) {
  if (vptr__rect_is_line(copy->region))
    copy->to.row = copy->to.slice = copy->from.row = copy->from.slice = copy->region[0];
  else
    vptr__rect_flatten(&copy->to, &copy->from, copy->region);
}

static vptr_status acquire_managed(vptr__held_copy *copy, size_t to_reach, size_t from_reach) {
  return vptr__endpoint_acquire(copy->mapper, &copy->to.memory, to_reach, vptr__rect_access(copy->region),
                                &copy->from.memory, from_reach);
}

VPTR__HOT static vptr_status try_to_begin(vptr__held_copy *copy, const vptr__operand *to, size_t to_reach,
                                          const vptr__operand *from, size_t from_reach) {
  vptr_status status = hold_operand(copy->mapper, to, to_reach, VPTR_ACCESS_READ_WRITE, &copy->to);
  if (status != VPTR_SUCCESS)
    return status;
  status = hold_operand(copy->mapper, from, from_reach, VPTR_ACCESS_READ, &copy->from);
  if (status != VPTR_SUCCESS)
    goto release_to;
  if (copy->to.memory.mirror != NULL || copy->from.memory.mirror != NULL)
    status = acquire_managed(copy, to_reach, from_reach);
  if (status != VPTR_SUCCESS)
    goto release_both;
  flatten_region(copy);
  return VPTR_SUCCESS;
release_both:
  vptr__endpoint_release(&copy->from.memory);
release_to:
  vptr__endpoint_release(&copy->to.memory);
  return status;
}

/* Two threads may each have brought to the device what leaves no room for the other's second end. */
VPTR__APART static vptr_status begin_anew(vptr__held_copy *copy, const vptr__operand *to, size_t to_reach,
                                          const vptr__operand *from, size_t from_reach) {
  vptr__heap_anew anew = vptr__heap_anew_begin(copy->mapper->heap);
  vptr_status status;
  vptr__error_try();
  do
    status = try_to_begin(copy, to, to_reach, from, from_reach);
  while (status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY && vptr__heap_anew_again(&anew));
  vptr__heap_anew_end();
  return vptr__error_tried(status);
}

VPTR__HOT vptr_status vptr__held_copy_begin(vptr__held_copy *copy, const vptr__operand *to, size_t to_reach,
                                            const vptr__operand *from, size_t from_reach) {
  vptr_status status = try_to_begin(copy, to, to_reach, from, from_reach);
  return __builtin_expect(status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY, 0) && vptr__heap_may_try_anew(copy->mapper->heap)
             ? begin_anew(copy, to, to_reach, from, from_reach)
             : status;
}

/* A copy that was waited for has nothing under way, and is given back without an event when its ends are released. */
static void give_back_in_order(vptr__held_copy *copy) {
  cl_command_queue queue;
  vptr__error_try();
  if (vptr__stream_begin(copy->stream, &queue) == VPTR_SUCCESS) {
    vptr__endpoint_release_managed(copy->stream, queue, &copy->to.memory, &copy->from.memory);
    vptr__stream_end(copy->stream);
  } else {
    vptr__completion_drain(copy->mapper->device, NULL);
  }
  vptr__error_tried(VPTR_SUCCESS);
}

VPTR__HOT void vptr__held_copy_end(vptr__held_copy *copy, vptr_status status) {
  bool is_over = copy->mode == VPTR__COPY_OWN || (copy->mode != VPTR__COPY_QUEUED && status == VPTR_SUCCESS);
  if (!is_over && vptr__endpoint_is_acquired(&copy->to.memory, &copy->from.memory))
    give_back_in_order(copy);
  vptr__endpoint_release(&copy->from.memory);
  vptr__endpoint_release(&copy->to.memory);
}
