/* SPDX-License-Identifier: MIT */
/*
 * completion - ends that must come though a call fails: whether a command is over, and completing what others wait for.
 *
 * A device may fail a single call and go on. Who takes that for an end frees memory that a command still uses; who
 * completes nothing because one call failed leaves a queue that waits for ever.
 *
 * No state and no locks; any thread may call. Nothing waits. The thread's error is as before.
 */
#ifndef VPTR_DEVICE_COMPLETION_H
#define VPTR_DEVICE_COMPLETION_H

#include "device/device.h"

/* Whether the event's command is over, well or not: its state is in *state_out then, as clGetEventInfo() gives it.
 * False also where the device does not say. */
bool vptr__completion_is_told(vptr__device *device, cl_event event, cl_int *state_out);

/* Completes a user event with CL_COMPLETE, or with a negative code, which fails what waits for it. A call that fails is
 * made again. */
VPTR_API void vptr__completion_give(vptr__device *device, cl_event event, cl_int state);

#endif
