/* SPDX-License-Identifier: MIT */
/*
 * completion - ends that must come though a call fails: whether a command is over, and completing what others wait for.
 *
 * A device may fail a single call and go on. Who takes that for an end frees memory that a command still uses; who
 * completes nothing because one call failed leaves a queue that waits for ever.
 *
 * No state and no locks; any thread may call. _await(), _reach() and _drain() wait. The thread's error is as before,
 * but for what is returned.
 */
#ifndef VPTR_DEVICE_COMPLETION_H
#define VPTR_DEVICE_COMPLETION_H

#include "device/device.h"

/* Whether the event's command is over, well or not: its state is in *state_out then, as clGetEventInfo() gives it.
 * False also where the device does not say. */
bool vptr__completion_is_told(vptr__device *device, cl_event event, cl_int *state_out);

/* Waits until the event's command is over, and releases the event; NULL: nothing was sent. What the command uses goes
 * back to its owner behind this, so if the wait itself fails, the queue is waited for (NULL: all of the device's).
 * Errors: those of the wait, which are those of the command. */
VPTR_API vptr_status vptr__completion_await(vptr__device *device, cl_command_queue queue, cl_event event);

/* For who has nobody to tell of a failed wait: makes it again. *status_out: SUCCESS, or the command's error. False: it
 * cannot be waited for, and may run still; *status_out is the wait's error. */
bool vptr__completion_reach(vptr__device *device, cl_event event, vptr_status *status_out);

/* Waits until all that was sent to the queue is over (NULL: to any of the device's). A call that fails is made again.
 */
VPTR_API void vptr__completion_drain(vptr__device *device, cl_command_queue queue);

/* Completes a user event with CL_COMPLETE, or with a negative code, which fails what waits for it. A call that fails is
 * made again. */
VPTR_API void vptr__completion_give(vptr__device *device, cl_event event, cl_int state);

#endif
