/* SPDX-License-Identifier: MIT */
/*
 * fake_event - events of the fake device: states, times, and who wants to be told.
 *
 * An event lives as long as somebody holds it: callers by its handle, its command, commands that wait for it, and
 * notes of who wants to be told. Its state falls from CL_QUEUED to CL_COMPLETE, or to a negative code, and stays.
 *
 * Events are in the static table `events`. The fake device's mutex (fake_driver.h) guards it and them; callers are told
 * on a thread of the pool's, without it. Called through the device's table (fake.c) by the files of lib/vptr and
 * lib/cudart; by fake_command.c and fake_queue.c, with the mutex held, when commands begin and end; and by fake_pool.c,
 * which tells callers. Only waiting for an event blocks.
 */
#include "device/fake_driver.h"

#include "base/error.h"

#include <stdlib.h>

static vptr__fake_table events = { .kind = 2 };

/* ---- life ----------------------------------------------------------------------------------------------- */

vptr__fake_event *vptr__fake_event_new(cl_int state) {
  vptr__fake_event *event = calloc(1, sizeof *event);
  if (event == NULL)
    return NULL;
  event->handle = vptr__fake_table_add(&events, event);
  if (event->handle == NULL) {
    free(event);
    return NULL;
  }
  event->references = 1;
  event->state = state;
  vptr__fake_counted.events++;
  return event;
}

vptr__fake_event *vptr__fake_event_find(cl_event handle, const char *operation) {
  vptr__fake_event *event = vptr__fake_table_find(&events, handle);
  if (event == NULL)
    vptr__fake_misused("%s of %p, which is no live event", operation, (void *)handle);
  return event;
}

void vptr__fake_event_drop(vptr__fake_event *event) {
  if (--event->references > 0)
    return;
  if (event->by_user && event->state > CL_COMPLETE)
    vptr__fake_misused(
        "last release of %p, a user event that nobody has completed: NVIDIA's driver then never ends the release "
        "of its context",
        (void *)event->handle);
  vptr__fake_table_remove(&events, event->handle);
  free(event);
  vptr__fake_counted.events--;
}

void vptr__fake_event_end(vptr__fake_event *event, cl_int state) {
  event->state = state;
  event->queue = NULL;
  vptr__fake_note *notes = event->notes;
  event->notes = NULL;
  if (notes != NULL)
    vptr__fake_pool_report(notes);
  vptr__fake_pool_wake();
}

void vptr__fake_event_retain(vptr__device *device, cl_event handle) {
  (void)device;
  vptr__fake_lock();
  vptr__fake_event_find(handle, "retain")->references++;
  vptr__fake_unlock();
}

void vptr__fake_event_release(vptr__device *device, cl_event handle) {
  (void)device;
  vptr__fake_lock();
  vptr__fake_event_drop(vptr__fake_event_find(handle, "release"));
  vptr__fake_unlock();
}

/* ---- questions ------------------------------------------------------------------------------------------ */

vptr_status vptr__fake_event_wait(vptr__device *device, cl_event handle) {
  (void)device;
  cl_int code = vptr__fake_begin();
  vptr__fake_event *event = vptr__fake_event_find(handle, "wait");
  if (code == CL_SUCCESS) {
    event->references++;
    if (event->queue != NULL)
      vptr__fake_queue_send(event->queue);
    while (event->state > CL_COMPLETE)
      vptr__fake_pool_wait();
    code = event->state;
    vptr__fake_event_drop(event);
  }
  vptr__fake_unlock();
  return vptr__fake_answer(code, "waiting for a command");
}

vptr_status vptr__fake_event_state(vptr__device *device, cl_event handle, cl_int *state_out) {
  (void)device;
  cl_int code = vptr__fake_begin();
  cl_int state = vptr__fake_event_find(handle, "query")->state;
  vptr__fake_unlock();
  if (code == CL_SUCCESS)
    *state_out = state;
  return vptr__fake_answer(code, "asking whether a command is done");
}

vptr_status vptr__fake_event_times(vptr__device *device, cl_event handle, uint64_t *begin_out, uint64_t *end_out) {
  (void)device;
  cl_int code = vptr__fake_begin();
  const vptr__fake_event *event = vptr__fake_event_find(handle, "timing");
  uint64_t begin = event->begin, end = event->end;
  if (code == CL_SUCCESS && (event->by_user || event->state != CL_COMPLETE || end == 0))
    code = CL_PROFILING_INFO_NOT_AVAILABLE;
  vptr__fake_unlock();
  if (code == CL_SUCCESS) {
    *begin_out = begin;
    *end_out = end;
  }
  return vptr__fake_answer(code, "asking when a command ran");
}

/* ---- being told ----------------------------------------------------------------------------------------- */

vptr_status vptr__fake_event_notify(vptr__device *device, cl_event handle, vptr__notify *notify, void *context) {
  (void)device;
  vptr__fake_note *note = malloc(sizeof *note);
  cl_int code = vptr__fake_begin();
  vptr__fake_event *event = vptr__fake_event_find(handle, "notification");
  if (code == CL_SUCCESS && note == NULL)
    code = CL_OUT_OF_HOST_MEMORY;
  if (code == CL_SUCCESS)
    code = vptr__fake_pool_staff_teller();
  if (code == CL_SUCCESS) {
    *note = (vptr__fake_note){ event->notes, event, notify, context };
    event->references++;
    event->notes = note;
  }
  if (code == CL_SUCCESS && event->state <= CL_COMPLETE) {
    event->notes = note->next;
    note->next = NULL;
    vptr__fake_pool_report(note);
  }
  vptr__fake_unlock();
  if (code != CL_SUCCESS)
    free(note);
  return vptr__fake_answer(code, "asking to be told when a command is done");
}

/* ---- events that the host completes --------------------------------------------------------------------- */

vptr_status vptr__fake_user_event(vptr__device *device, cl_event *event_out) {
  (void)device;
  cl_int code = vptr__fake_begin();
  vptr__fake_event *event = code == CL_SUCCESS ? vptr__fake_event_new(CL_SUBMITTED) : NULL;
  if (code == CL_SUCCESS && event == NULL)
    code = CL_OUT_OF_HOST_MEMORY;
  if (code == CL_SUCCESS) {
    event->by_user = true;
    *event_out = event->handle;
  }
  vptr__fake_unlock();
  return vptr__fake_answer(code, "making a user event");
}

vptr_status vptr__fake_user_event_set(vptr__device *device, cl_event handle, cl_int state) {
  (void)device;
  cl_int code = vptr__fake_begin();
  vptr__fake_event *event = vptr__fake_event_find(handle, "setting");
  if (!event->by_user || event->state <= CL_COMPLETE)
    vptr__fake_misused("setting of an event that is %s", event->by_user ? "set already" : "a command's");
  if (state > CL_COMPLETE)
    vptr__fake_misused("setting of a user event to %d, which is no end", state);
  if (code == CL_SUCCESS)
    vptr__fake_event_end(event, state);
  vptr__fake_unlock();
  return vptr__fake_answer(code, "setting a user event");
}
