/* SPDX-License-Identifier: MIT */
/*
 * opencl_event - events: waiting for commands, their states and times, callbacks, and events that the host completes.
 *
 * A command that failed keeps its own code as the state of its event, and says more than what waiting returns, which
 * is the same for every failure (CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST); so that code is what is told.
 *
 * No data and no locks: events are the driver's to guard, and live until their last reference is released. Called
 * through the device's table (opencl.c) by the files of lib/vptr/stream, lib/vptr/transfer and lib/cudart/module,
 * mirror/use.c, mapper/flight.c, proxy_apart.c, proxy_copy.c, proxy_event.c, proxy_merge.c, proxy_quiet.c,
 * proxy_stock.c and completion.c; and by opencl_queue.c, which asks what a command ended with. Only waiting for an
 * event blocks.
 */
#include "device/opencl.h"

#include "base/error.h"
#include "base/hot.h"

cl_int vptr__opencl_event_code(cl_event event, cl_int waited) {
  if (waited != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
    return waited;
  cl_int ended = CL_COMPLETE;
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof ended, &ended, NULL);
  return ended < 0 ? ended : waited;
}

void vptr__opencl_event_retain(vptr__device *device, cl_event event) {
  (void)device;
  clRetainEvent(event);
}

VPTR__HOT void vptr__opencl_event_release(vptr__device *device, cl_event event) {
  (void)device;
  clReleaseEvent(event);
}

vptr_status vptr__opencl_event_wait(vptr__device *device, cl_event event) {
  (void)device;
  cl_int code = vptr__opencl_event_code(event, clWaitForEvents(1, &event));
  return code == CL_SUCCESS ? VPTR_SUCCESS : vptr__error_cl(code, "waiting for a command");
}

VPTR__HOT vptr_status vptr__opencl_event_state(vptr__device *device, cl_event event, cl_int *state_out) {
  (void)device;
  cl_int state;
  cl_int code = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
  if (code != CL_SUCCESS)
    return vptr__error_cl(code, "asking whether a command is done");
  *state_out = state;
  return VPTR_SUCCESS;
}

vptr_status vptr__opencl_event_times(vptr__device *device, cl_event event, uint64_t *begin_out, uint64_t *end_out) {
  cl_ulong begin, end;
  cl_int code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL);
  if (code == CL_SUCCESS)
    code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
  if (code == CL_PROFILING_INFO_NOT_AVAILABLE)
    return vptr__error_cl(code,
                          "%s keeps no times of this command: it is not complete, or its queue was made without "
                          "CL_QUEUE_PROFILING_ENABLE",
                          device->name);
  if (code != CL_SUCCESS)
    return vptr__error_cl(code, "asking when a command ran");
  *begin_out = begin;
  *end_out = end;
  return VPTR_SUCCESS;
}

vptr_status vptr__opencl_event_notify(vptr__device *device, cl_event event, vptr__notify *notify, void *context) {
  (void)device;
  cl_int code = clSetEventCallback(event, CL_COMPLETE, notify, context);
  return code == CL_SUCCESS ? VPTR_SUCCESS : vptr__error_cl(code, "asking to be told when a command is done");
}

vptr_status vptr__opencl_user_event(vptr__device *device, cl_event *event_out) {
  cl_int code;
  cl_event event = clCreateUserEvent(device->cl_context, &code);
  if (code != CL_SUCCESS)
    return vptr__error_cl(code, "making a user event");
  *event_out = event;
  return VPTR_SUCCESS;
}

vptr_status vptr__opencl_user_event_set(vptr__device *device, cl_event event, cl_int state) {
  (void)device;
  cl_int code = clSetUserEventStatus(event, state);
  return code == CL_SUCCESS ? VPTR_SUCCESS : vptr__error_cl(code, "setting a user event to %d", state);
}
