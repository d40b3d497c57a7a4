/* SPDX-License-Identifier: MIT */
/*
 * joint_event - events of a joint device (joint.h): a state, two moments, and who wants to be told.
 *
 * No driver's event is behind one: the thread of its command's queue ends it. Who is to be told is told by a thread of
 * its own, the teller, since whoever ends an event, or asks for a notice of what is over, may have locks or duties.
 *
 * vptr__joint.lock, of rank LEAF, guards all but an event's count of references. Events are made and freed here. Called
 * by joint.c, which has its table filled and starts and stops the teller; by joint_queue.c, whose threads end events;
 * in a thread of its own, the teller; and through the device's table. Who calls through the table are lib/vptr/stream,
 * transfer, mirror and mapper, and lib/cudart/module. Waiting blocks until the command is over.
 */
#include "device/joint.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/thread.h"

typedef struct vptr__joint_note {
  struct vptr__joint_note *next;
  vptr__joint_event *event; /* held */
  cl_int state;
  vptr__notify *notify;
  void *context;
} note;

static vptr__joint_event *event_of(cl_event handle) {
  return (vptr__joint_event *)handle;
}

/* ---- life ------------------------------------------------------------------------------------------------- */

vptr__joint_event *vptr__joint_event_make(cl_int state) {
  vptr__joint_event *event = vptr__memory_calloc(1, sizeof *event);
  if (event == NULL) {
    vptr__error_host_memory(sizeof *event);
    return NULL;
  }
  atomic_init(&event->references, 1);
  event->state = state;
  return event;
}

void vptr__joint_event_keep(vptr__joint_event *event) {
  atomic_fetch_add_explicit(&event->references, 1, memory_order_relaxed);
}

/* One that has notes is not over, and held by its command or by the host that is to complete it. */
void vptr__joint_event_drop(vptr__joint_event *event) {
  if (atomic_fetch_sub_explicit(&event->references, 1, memory_order_acq_rel) == 1)
    vptr__memory_free(event);
}

static void retain(vptr__device *device, cl_event event) {
  (void)device;
  vptr__joint_event_keep(event_of(event));
}

static void release(vptr__device *device, cl_event event) {
  (void)device;
  vptr__joint_event_drop(event_of(event));
}

/* ---- the teller ------------------------------------------------------------------------------------------- */

/* Under the lock. */
static void hand_over(vptr__joint *joint, note *it, cl_int state) {
  it->state = state;
  it->next = NULL;
  *joint->last_note = it;
  joint->last_note = &it->next;
  pthread_cond_signal(&joint->told);
}

static void tell_note(const note *it) {
  it->notify((cl_event)it->event, it->state, it->context);
  vptr__joint_event_drop(it->event);
}

/* What is due when it shall end is told before. */
static void *tell_all(void *context) {
  vptr__joint *joint = context;
  vptr__lock_take(&joint->lock);
  while (joint->notes != NULL || !joint->is_closing) {
    note *first = joint->notes;
    if (first == NULL) {
      pthread_cond_wait(&joint->told, &joint->lock.mutex);
      continue;
    }
    joint->notes = first->next;
    if (joint->notes == NULL)
      joint->last_note = &joint->notes;
    vptr__lock_give(&joint->lock);
    tell_note(first);
    vptr__memory_free(first);
    vptr__lock_take(&joint->lock);
  }
  vptr__lock_give(&joint->lock);
  return NULL;
}

vptr_status vptr__joint_teller_start(vptr__joint *joint) {
  joint->last_note = &joint->notes;
  joint->has_teller = vptr__thread_start_joinable(&joint->teller, tell_all, joint) == 0;
  return joint->has_teller ? VPTR_SUCCESS
                           : vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY,
                                         "the system gives no thread for the events of %s", joint->face.name);
}

void vptr__joint_teller_stop(vptr__joint *joint) {
  if (!joint->has_teller)
    return;
  vptr__lock_take(&joint->lock);
  joint->is_closing = true;
  pthread_cond_signal(&joint->told);
  vptr__lock_give(&joint->lock);
  pthread_join(joint->teller, NULL);
}

/* ---- ending and asking ------------------------------------------------------------------------------------ */

void vptr__joint_event_end(vptr__joint *joint, vptr__joint_event *event, cl_int state) {
  event->state = state;
  while (event->notes != NULL) {
    note *first = event->notes;
    event->notes = first->next;
    hand_over(joint, first, state);
  }
  pthread_cond_broadcast(&joint->changed);
}

static cl_int state_when_over(vptr__joint *joint, const vptr__joint_event *event) {
  vptr__lock_take(&joint->lock);
  while (event->state > CL_COMPLETE)
    pthread_cond_wait(&joint->changed, &joint->lock.mutex);
  const cl_int state = event->state;
  vptr__lock_give(&joint->lock);
  return state;
}

vptr_status vptr__joint_event_await(vptr__joint *joint, vptr__joint_event *event) {
  const cl_int state = state_when_over(joint, event);
  return state < 0 ? vptr__error_cl(state, "a command of %s failed", joint->face.name) : VPTR_SUCCESS;
}

static vptr_status wait_for(vptr__device *device, cl_event event) {
  return vptr__joint_event_await(device->joint, event_of(event));
}

static vptr_status state_of(vptr__device *device, cl_event event, cl_int *state_out) {
  vptr__lock_take(&device->joint->lock);
  *state_out = event_of(event)->state;
  vptr__lock_give(&device->joint->lock);
  return VPTR_SUCCESS;
}

static vptr_status times_of(vptr__device *device, cl_event handle, uint64_t *begin_out, uint64_t *end_out) {
  const vptr__joint_event *event = event_of(handle);
  vptr__lock_take(&device->joint->lock);
  const bool is_over = event->state == CL_COMPLETE;
  const uint64_t began = event->began, ended = event->ended;
  vptr__lock_give(&device->joint->lock);
  if (!is_over)
    return vptr__error_cl(CL_PROFILING_INFO_NOT_AVAILABLE, "the times of a command of %s", device->name);
  *begin_out = began;
  *end_out = ended;
  return VPTR_SUCCESS;
}

static vptr_status notify_of(vptr__device *device, cl_event handle, vptr__notify *notify, void *context) {
  vptr__joint *joint = device->joint;
  vptr__joint_event *event = event_of(handle);
  note *it = vptr__memory_calloc(1, sizeof *it);
  if (it == NULL)
    return vptr__error_host_memory(sizeof *it);
  *it = (note){ .event = event, .notify = notify, .context = context };
  vptr__joint_event_keep(event);
  vptr__lock_take(&joint->lock);
  if (event->state <= CL_COMPLETE) {
    hand_over(joint, it, event->state);
  } else {
    it->next = event->notes;
    event->notes = it;
  }
  vptr__lock_give(&joint->lock);
  return VPTR_SUCCESS;
}

/* ---- what the host completes ------------------------------------------------------------------------------ */

static vptr_status create_user(vptr__device *device, cl_event *event_out) {
  (void)device;
  vptr__joint_event *event = vptr__joint_event_make(CL_SUBMITTED);
  if (event == NULL)
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  *event_out = (cl_event)event;
  return VPTR_SUCCESS;
}

static vptr_status set_user(vptr__device *device, cl_event handle, cl_int state) {
  vptr__joint *joint = device->joint;
  vptr__joint_event *event = event_of(handle);
  vptr__lock_take(&joint->lock);
  event->began = event->ended = vptr__clock_ns();
  vptr__joint_event_end(joint, event, state);
  vptr__lock_give(&joint->lock);
  return VPTR_SUCCESS;
}

void vptr__joint_event_ops(vptr__device_ops *ops) {
  ops->event.retain = retain;
  ops->event.release = release;
  ops->event.wait = wait_for;
  ops->event.state = state_of;
  ops->event.times = times_of;
  ops->event.notify = notify_of;
  ops->event.create_user = create_user;
  ops->event.set_user = set_user;
}
