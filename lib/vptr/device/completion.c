/* SPDX-License-Identifier: MIT */
/*
 * completion - see completion.h.
 *
 * Called by proxy_apart.c, proxy_merge.c and joint_carry.c, by stream/host.c and word.c, and by cudart/module/child.c.
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

void vptr__completion_give(vptr__device *device, cl_event event, cl_int state) {
  vptr__error_try();
  for (int i = 0; i < TRIES && device->ops->event.set_user(device, event, state) != VPTR_SUCCESS; i++)
    continue;
  vptr__error_tried(VPTR_SUCCESS);
}
