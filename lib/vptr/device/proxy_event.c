/* SPDX-License-Identifier: MIT */
/*
 * proxy_event - events of a proxy (proxy.h).
 *
 * When a device is left all its work is done, so what there is to know of an event is read then: whether its command
 * failed, and when it ran. From then on the event is settled, and nothing is behind its handle. Its times are those of
 * the clock of the device that is behind the proxy now (proxy_move.c).
 *
 * vptr__proxy.lock, of rank LEAF, guards the list of events, and how many notices are to come; what a handle means is
 * written with the gate shut, and read inside; its count of references is atomic. Handles are made here, and freed with
 * their last reference. Called by proxy.c, which has its table filled; through the device's table; by proxy_transfer.c,
 * proxy_queue.c, proxy_image.c and proxy_kernel.c, whose commands have events; by proxy_move.c; and by the driver,
 * which notifies. Who calls through the table are lib/vptr/stream, transfer, mirror and mapper, and lib/cudart/module.
 * Waiting for an event happens outside of the gate.
 */
#include "device/proxy.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"

static vptr__proxy_event *event_of(cl_event handle) {
  return (vptr__proxy_event *)handle;
}

/* ---- handles -------------------------------------------------------------------------------------------- */

static vptr__proxy_event *make_handle(void) {
  vptr__proxy_event *event = vptr__memory_calloc(1, sizeof *event);
  if (event == NULL)
    vptr__error_host_memory(sizeof *event);
  else
    atomic_init(&event->references, 1);
  return event;
}

bool vptr__proxy_event_begin(cl_event *wanted, vptr__proxy_event **event_out) {
  *event_out = wanted != NULL ? make_handle() : NULL;
  return wanted == NULL || *event_out != NULL;
}

vptr_status vptr__proxy_event_end(vptr__proxy *proxy, vptr__proxy_event *event, cl_event *event_out,
                                  vptr_status status) {
  if (event == NULL)
    return status;
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(event);
    return status;
  }
  vptr__proxy_enter_list(proxy, &proxy->events, &event->link);
  *event_out = (cl_event)event;
  return status;
}

static void retain(vptr__device *face, cl_event handle) {
  (void)face;
  atomic_fetch_add_explicit(&event_of(handle)->references, 1, memory_order_relaxed);
}

static void release(vptr__device *face, cl_event handle) {
  vptr__proxy_event *event = event_of(handle);
  if (atomic_fetch_sub_explicit(&event->references, 1, memory_order_acq_rel) > 1)
    return;
  vptr__device *inner = vptr__proxy_enter(face);
  vptr__proxy_leave_list(face->proxy, &face->proxy->events, &event->link);
  if (event->inner != NULL)
    inner->ops->event.release(inner, event->inner);
  vptr__proxy_leave(face);
  vptr__memory_free(event);
}

/* ---- asking --------------------------------------------------------------------------------------------- */

static vptr_status tell_settled(const vptr__proxy_event *event) {
  return event->state < 0 ? vptr__error_cl(event->state, "a command failed") : VPTR_SUCCESS;
}

static vptr_status wait_for(vptr__device *face, cl_event handle) {
  vptr__device *device = vptr__proxy_enter(face);
  cl_event object = event_of(handle)->inner;
  if (object == NULL) {
    vptr_status status = tell_settled(event_of(handle));
    vptr__proxy_leave(face);
    return status;
  }
  device->ops->event.retain(device, object);
  vptr__proxy_inner *inner = vptr__proxy_await(face);
  vptr_status status = device->ops->event.wait(device, object);
  device->ops->event.release(device, object);
  vptr__proxy_awaited(face->proxy, inner);
  return status;
}

static vptr_status state_of(vptr__device *face, cl_event handle, cl_int *state_out) {
  const vptr__proxy_event *event = event_of(handle);
  vptr_status status = VPTR_SUCCESS;
  vptr__device *inner = vptr__proxy_enter(face);
  if (event->inner != NULL)
    status = inner->ops->event.state(inner, event->inner, state_out);
  else
    *state_out = event->state;
  vptr__proxy_leave(face);
  return status;
}

static vptr_status settled_times(const vptr__proxy_event *event, uint64_t *begin_out, uint64_t *end_out) {
  if (!event->has_times)
    return vptr__error(VPTR_ERROR_OPENCL, "the times of a command of the device before were not kept by its queue");
  *begin_out = event->began;
  *end_out = event->ended;
  return VPTR_SUCCESS;
}

static vptr_status times_of(vptr__device *face, cl_event handle, uint64_t *begin_out, uint64_t *end_out) {
  const vptr__proxy_event *event = event_of(handle);
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status = event->inner != NULL ? inner->ops->event.times(inner, event->inner, begin_out, end_out)
                                            : settled_times(event, begin_out, end_out);
  vptr__proxy_leave(face);
  return status;
}

/* That a queue keeps no times is no error of whoever leaves the device. */
static void note_times(vptr__device *inner, vptr__proxy_event *event) {
  vptr__error_try();
  event->has_times = event->state == CL_COMPLETE &&
                     inner->ops->event.times(inner, event->inner, &event->began, &event->ended) == VPTR_SUCCESS;
  vptr__error_tried(VPTR_SUCCESS);
}

/* What nothing waits for yet, and the host is to complete, goes along. */
vptr_status vptr__proxy_event_settle(vptr__device *inner, vptr__device *next, vptr__proxy_event *event) {
  vptr_status status = inner->ops->event.state(inner, event->inner, &event->state);
  if (status != VPTR_SUCCESS)
    return status;
  if (event->state > CL_COMPLETE && event->is_user)
    return next->ops->event.create_user(next, &event->fresh);
  if (event->state > CL_COMPLETE)
    return vptr__error(VPTR_ERROR_NOT_READY, "%s has work left that nobody completes", inner->name);
  note_times(inner, event);
  return VPTR_SUCCESS;
}

vptr_status vptr__proxy_event_lose(vptr__device *inner, vptr__device *next, vptr__proxy_event *event) {
  cl_int state = CL_QUEUED;
  vptr__error_try();
  const bool is_told = inner->ops->event.state(inner, event->inner, &state) == VPTR_SUCCESS;
  vptr__error_tried(VPTR_SUCCESS);
  if (event->is_user && (!is_told || state > CL_COMPLETE))
    return next->ops->event.create_user(next, &event->fresh);
  event->state = is_told && state <= CL_COMPLETE ? state : CL_DEVICE_NOT_AVAILABLE;
  note_times(inner, event);
  return VPTR_SUCCESS;
}

/* ---- clocks --------------------------------------------------------------------------------------------- */

static bool read_clock(vptr__device *device, uint64_t *ns_out) {
  cl_command_queue queue;
  cl_event event = NULL;
  uint64_t began;
  if (device->ops->queue.create(device, 0, true, &queue) != VPTR_SUCCESS)
    return false;
  bool is = device->ops->queue.enqueue_barrier(device, queue, 0, NULL, &event) == VPTR_SUCCESS;
  is = is && device->ops->event.wait(device, event) == VPTR_SUCCESS &&
       device->ops->event.times(device, event, &began, ns_out) == VPTR_SUCCESS;
  if (event != NULL)
    device->ops->event.release(device, event);
  device->ops->queue.release(device, queue);
  return is;
}

/* Where a device keeps no times they are not kept anyway. */
uint64_t vptr__proxy_compare_clocks(vptr__device *from, vptr__device *to) {
  uint64_t old_ns = 0, new_ns = 0, shift = 0;
  vptr__error_try();
  if (read_clock(from, &old_ns)) {
    const uint64_t began = vptr__clock_ns();
    if (read_clock(to, &new_ns))
      shift = new_ns - old_ns - (vptr__clock_ns() - began);
  }
  vptr__error_tried(VPTR_SUCCESS);
  return shift;
}

/* ---- notices -------------------------------------------------------------------------------------------- */

typedef struct notice {
  vptr__proxy *proxy;
  vptr__proxy_inner *inner;
  cl_event handle;
  vptr__notify *notify;
  void *context;
} notice;

/* A driver may be unable to go on while it is here, so no device is exchanged until all notices are over. */
static void CL_CALLBACK pass_on(cl_event object, cl_int state, void *context) {
  notice it = *(notice *)context;
  (void)object;
  vptr__memory_free(context);
  vptr__lock_begin_duty();
  it.notify(it.handle, state, it.context);
  vptr__lock_end_duty();
  vptr__proxy_end_notice(it.proxy, it.inner);
}

/* Of what is settled the device tells at once, by an event that is complete. */
static vptr_status ask(vptr__device *inner, const vptr__proxy_event *event, notice *it) {
  if (event->inner != NULL)
    return inner->ops->event.notify(inner, event->inner, pass_on, it);
  cl_event done;
  vptr_status status = inner->ops->event.create_user(inner, &done);
  if (status != VPTR_SUCCESS)
    return status;
  status = inner->ops->event.set_user(inner, done, CL_COMPLETE);
  if (status == VPTR_SUCCESS)
    status = inner->ops->event.notify(inner, done, pass_on, it);
  inner->ops->event.release(inner, done);
  return status;
}

static vptr_status notify_of(vptr__device *face, cl_event handle, vptr__notify *notify, void *context) {
  notice *it = vptr__memory_calloc(1, sizeof *it);
  if (it == NULL)
    return vptr__error_host_memory(sizeof *it);
  vptr__device *inner = vptr__proxy_enter(face);
  vptr__proxy *proxy = face->proxy;
  vptr__proxy_inner *here = proxy->inner;
  *it = (notice){ proxy, here, handle, notify, context };
  vptr__proxy_begin_notice(proxy, here);
  vptr_status status = ask(inner, event_of(handle), it);
  if (status != VPTR_SUCCESS) {
    vptr__proxy_end_notice(proxy, here);
    vptr__memory_free(it);
  }
  vptr__proxy_leave(face);
  return status;
}

/* ---- what the host completes ---------------------------------------------------------------------------- */

static vptr_status create_user(vptr__device *face, cl_event *event_out) {
  vptr__proxy_event *event = make_handle();
  if (event == NULL)
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr__device *inner = vptr__proxy_enter(face);
  event->is_user = true;
  vptr_status status = inner->ops->event.create_user(inner, &event->inner);
  status = vptr__proxy_event_end(face->proxy, event, event_out, status);
  vptr__proxy_leave(face);
  return status;
}

/* Work may wait for it, and whoever closed the gate for that work. */
static vptr_status set_user(vptr__device *face, cl_event handle, cl_int state) {
  const vptr__proxy_event *event = event_of(handle);
  vptr_status status = VPTR_SUCCESS;
  vptr__lock_begin_duty();
  vptr__device *inner = vptr__proxy_enter(face);
  vptr__lock_end_duty();
  if (event->inner != NULL)
    status = inner->ops->event.set_user(inner, event->inner, state);
  vptr__proxy_leave(face);
  return status;
}

void vptr__proxy_event_ops(vptr__device_ops *ops) {
  ops->event.retain = retain;
  ops->event.release = release;
  ops->event.wait = wait_for;
  ops->event.state = state_of;
  ops->event.times = times_of;
  ops->event.notify = notify_of;
  ops->event.create_user = create_user;
  ops->event.set_user = set_user;
}
