/* SPDX-License-Identifier: MIT */
/*
 * completion - see completion.h.
 *
 * Called by proxy_apart.c, proxy_copy.c, proxy_merge.c, proxy_transfer.c and joint_carry.c; by heap/range.c; by
 * mirror/copy_queue.c and use.c; by stream/host.c and word.c; by transfer/async.c, bulk.c, endpoint.c, fill.c,
 * held_copy.c, pack.c, stage.c and strategy.c; and by cudart/cuda/array_copy.c, cudart/module/child.c and
 * cudart/virtual/virtual_range.c.
 */
#include "device/completion.h"

#include "base/error.h"

enum { TRIES = 4 /* a call that fails once is common, a row of them is not */ };

bool vptr__completion_is_told(vptr__device *device, cl_event event, cl_int *state_out) {
  vptr__error_try();
  const bool is_known = device->ops->event.state(device, event, state_out) == VPTR_SUCCESS;
  vptr__error_tried(VPTR_SUCCESS);
  return is_known && *state_out <= CL_COMPLETE;
}

void vptr__completion_drain(vptr__device *device, cl_command_queue queue) {
  vptr_status status = VPTR_ERROR_NOT_READY;
  vptr__error_try();
  for (int i = 0; i < TRIES && status != VPTR_SUCCESS; i++)
    status = queue != NULL ? device->ops->queue.finish(device, queue) : device->ops->queue.finish_all(device);
  vptr__error_tried(VPTR_SUCCESS);
}

/* The command may have ended well though the wait failed. */
bool vptr__completion_reach(vptr__device *device, cl_event event, vptr_status *status_out) {
  bool is_over = false;
  vptr__error_try();
  for (int i = 0; i < TRIES && !is_over; i++) {
    cl_int state = CL_COMPLETE;
    *status_out = device->ops->event.wait(device, event);
    is_over = *status_out == VPTR_SUCCESS || vptr__completion_is_told(device, event, &state);
    if (is_over && state == CL_COMPLETE)
      *status_out = VPTR_SUCCESS;
  }
  vptr__error_tried(*status_out);
  return is_over;
}

vptr_status vptr__completion_await(vptr__device *device, cl_command_queue queue, cl_event event) {
  cl_int state;
  if (event == NULL)
    return VPTR_SUCCESS;
  vptr_status status = device->ops->event.wait(device, event);
  if (status != VPTR_SUCCESS && !vptr__completion_is_told(device, event, &state))
    vptr__completion_drain(device, queue);
  device->ops->event.release(device, event);
  return status;
}

void vptr__completion_give(vptr__device *device, cl_event event, cl_int state) {
  vptr__error_try();
  for (int i = 0; i < TRIES && device->ops->event.set_user(device, event, state) != VPTR_SUCCESS; i++)
    continue;
  vptr__error_tried(VPTR_SUCCESS);
}
