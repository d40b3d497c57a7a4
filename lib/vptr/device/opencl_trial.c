/* SPDX-License-Identifier: MIT */
/*
 * opencl_trial - which of several ways to do one thing is the quickest, found out on the side.
 *
 * A probe that waits for its answer has no place in a command that must not wait: the device may be busy for long, or
 * with a kernel that waits for the very host which would wait here. So a trial is sent to a queue of its own, which
 * keeps times, and nobody waits for it; whoever comes later looks whether it is over. Until then, and for good if
 * anything of it fails, there is no answer, and the way that needs none is taken.
 *
 *     queue   | a b c | a b c | a b c | a b c |      each way once to warm up, then in turns
 *
 * What counts is the least time of each way: others' work on the device only adds.
 *
 * A trial is its owner's variable, with its queue and events while it is under way. No locks: the owner's guards it.
 * Called by opencl_blit.c, which owns two and ends all, and opencl_blit_rect.c, which owns one (vptr__opencl.blit);
 * both hold vptr__opencl.lock, of rank DEVICE, but at the device's end. A trial that cannot be sent as a whole is
 * waited for, and so is one under way when the device is closed.
 */
#include "device/opencl.h"

#include "base/error.h"

enum { WARM = 1 /* rounds that do not count */ };

static void drop_events(vptr__opencl_trial *trial) {
  for (unsigned i = 0; i < trial->sent; i++)
    clReleaseEvent(trial->events[i]);
  trial->sent = 0;
}

static void end_trial(vptr__opencl_trial *trial, vptr__opencl_trial_state state) {
  drop_events(trial);
  clReleaseCommandQueue(trial->queue);
  trial->queue = NULL;
  trial->state = state;
}

static cl_int send_rounds(vptr__opencl_trial *trial, vptr__opencl_trial_way *way, void *context) {
  cl_int code = CL_SUCCESS;
  for (unsigned i = 0; i < (WARM + VPTR__OPENCL_TRIAL_ROUNDS) * trial->ways && code == CL_SUCCESS; i++) {
    code = way(context, i % trial->ways, trial->queue, &trial->events[i]);
    trial->sent += code == CL_SUCCESS;
  }
  return code == CL_SUCCESS ? clFlush(trial->queue) : code;
}

bool vptr__opencl_trial_begin(vptr__device *device, vptr__opencl_trial *trial, unsigned ways,
                              vptr__opencl_trial_way *way, void *context) {
  trial->ways = ways;
  trial->state = VPTR__OPENCL_TRIAL_FAILED;
  vptr__error_try();
  vptr_status status = vptr__opencl_queue_create(device, 0, true, &trial->queue);
  vptr__error_tried(VPTR_SUCCESS);
  if (status != VPTR_SUCCESS)
    return false;
  trial->state = VPTR__OPENCL_TRIAL_SENT;
  if (send_rounds(trial, way, context) == CL_SUCCESS)
    return true;
  clFinish(trial->queue);
  end_trial(trial, VPTR__OPENCL_TRIAL_FAILED);
  return false;
}

/* ---- the answer ----------------------------------------------------------------------------------------- */

static cl_int time_of(cl_event event, uint64_t *ns_out) {
  cl_ulong begin = 0, done = 0;
  cl_int code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL);
  if (code == CL_SUCCESS)
    code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof done, &done, NULL);
  *ns_out = done > begin ? done - begin : 1;
  return code;
}

static cl_int read_times(vptr__opencl_trial *trial) {
  cl_int code = CL_SUCCESS;
  for (unsigned i = 0; i < trial->ways; i++)
    trial->ns[i] = UINT64_MAX;
  for (unsigned i = WARM * trial->ways; i < trial->sent && code == CL_SUCCESS; i++) {
    uint64_t ns, *least = &trial->ns[i % trial->ways];
    code = time_of(trial->events[i], &ns);
    *least = ns < *least ? ns : *least;
  }
  return code;
}

/* The queue is in-order: once the last command is over, all are. */
bool vptr__opencl_trial_look(vptr__opencl_trial *trial) {
  cl_int state = CL_QUEUED;
  if (trial->state != VPTR__OPENCL_TRIAL_SENT)
    return false;
  cl_int code =
      clGetEventInfo(trial->events[trial->sent - 1], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
  if (code == CL_SUCCESS && state > CL_COMPLETE)
    return false;
  if (code == CL_SUCCESS)
    code = state == CL_COMPLETE ? read_times(trial) : state;
  end_trial(trial, code == CL_SUCCESS ? VPTR__OPENCL_TRIAL_OVER : VPTR__OPENCL_TRIAL_FAILED);
  return true;
}

void vptr__opencl_trial_fini(vptr__opencl_trial *trial) {
  if (trial->state != VPTR__OPENCL_TRIAL_SENT)
    return;
  clFinish(trial->queue);
  end_trial(trial, VPTR__OPENCL_TRIAL_FAILED);
}
