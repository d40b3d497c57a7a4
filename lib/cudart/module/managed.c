/* SPDX-License-Identifier: MIT */
/*
 * managed - __managed__ variables: copying their bytes to the device before a kernel and back behind it, and the order
 * of the launches that use them.
 *
 * The host's variable is an ordinary one, and each device has a copy. A kernel that uses it finds the host's bytes,
 * which are written to the device in front of it, and leaves its own, which are read back behind it: commands of its
 * stream, so that the host, which by CUDA's rules does not touch the variable before it has waited, sees them when it
 * has. A kernel that launches kernels uses what those use, and all of them are one such kernel here (child.c).
 *
 * Two such kernels may not overlap: each would bring back what it found of the other's part. So each launch waits, on
 * the device, for the one before, on whatever stream that was: an event for each mapper says where that is. (Where the
 * driver takes the host's bytes when a write is queued, and not in its turn, as NVIDIA's does, the host waits
 * instead.)
 *
 * Kernels whose blocks meet wait for each other in the same way, since each has the device alone. One that uses no such
 * variable brings no bytes: no host waits for it, and where it ends its own event says, so that it costs no command.
 *
 * An event is a command, and may fail. The stream that it was recorded in reports that failure, and nobody else does. A
 * launch takes an event that has failed for reached, since all before it in its queue is over. The command by which a
 * launch waits for another stream's event would fail with that event, for no reason of the launch's own; so its outcome
 * is not looked at. A launch in the stream where the event was recorded waits for nothing: that stream is in order.
 *
 * Lock: one, the static `lock`, of rank ARRAY, held around a whole launch that uses such variables, or whose blocks
 * meet: vptr__managed_lock() takes it, and vptr__managed_unlock() gives it back; vptr__managed_order(), _push(),
 * _pull(), _record() and _record_kernel() are called with it held, and _forget(), in module.h while state.h has the
 * others, takes it. While the host waits for bytes that a driver takes at once, it is given back; where no event can be
 * recorded, _record() waits for the whole device with the lock held. The lock guards the static list `ends`, which has
 * a record with an event for each mapper and only grows. A launch waits for its own mapper's event: launches on two
 * devices are the program's to put in order.
 *
 * Called by launch.c for each such kernel, and by cudart/cuda/reset.c, which forgets the events.
 */
#include "module/state.h"

#include "base/error.h"
#include "base/memory.h"
#include "stream/event.h"

/* Where the last such kernel of a mapper ends. */
typedef struct managed_end {
  struct managed_end *next;
  vptr_mapper *mapper;
  vptr__event *event; /* NULL: none yet, or it went with a reset */
  cl_event kernel;    /* in its place: the last one's own, retained; NULL: it is the event */
  uint64_t stream_id; /* where that was sent; 0: nowhere */
} managed_end;

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_ARRAY);
static managed_end *ends;

void vptr__managed_unlock(void) {
  vptr__lock_give(&lock);
}

/* ---- order ---------------------------------------------------------------------------------------------- */

static managed_end *end_of(const vptr_mapper *mapper) {
  managed_end *end = ends;
  while (end != NULL && end->mapper != mapper)
    end = end->next;
  return end;
}

static vptr_status have_event(vptr_mapper *mapper, managed_end **end_out) {
  managed_end *end = end_of(mapper);
  if (end == NULL) {
    end = vptr__memory_calloc(1, sizeof *end);
    if (end == NULL)
      return vptr__error_host_memory(sizeof *end);
    *end = (managed_end){ .next = ends, .mapper = mapper };
    ends = end;
  }
  *end_out = end;
  if (end->event != NULL)
    return VPTR_SUCCESS;
  return vptr__event_create(mapper, VPTR__EVENT_NO_TIMING, &end->event);
}

/* On the host, for what a write takes from there when it is queued: the bytes that the last kernel leaves, and what
 * host functions of the stream make of them. */
static vptr_status await_host_bytes(vptr__stream *stream, cl_event command) {
  vptr__device *device = vptr__stream_mapper(stream)->device;
  cl_command_queue queue;
  if (command != NULL)
    device->ops->event.wait(device, command);
  vptr_status status = vptr__stream_begin(stream, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__stream_end_unflushed(stream);
  return device->ops->queue.finish(device, queue);
}

static bool is_pending(vptr__device *device, cl_event command) {
  cl_int state;
  return command != NULL && device->ops->event.state(device, command, &state) == VPTR_SUCCESS && state > CL_COMPLETE;
}

/* The event of the last launch, retained, or NULL. */
static cl_event last_launch(const vptr_mapper *mapper) {
  const managed_end *end = end_of(mapper);
  if (end == NULL || end->kernel == NULL)
    return end != NULL && end->event != NULL ? vptr__event_command(end->event) : NULL;
  mapper->device->ops->event.retain(mapper->device, end->kernel);
  return end->kernel;
}

static void set_kernel(managed_end *end, cl_event kernel) {
  vptr__device *device = end->mapper->device;
  if (end->kernel != NULL)
    device->ops->event.release(device, end->kernel);
  if (kernel != NULL)
    device->ops->event.retain(device, kernel);
  end->kernel = kernel;
}

/* Not while the lock is held: a host function that is waited for may need who waits for the lock. Whoever launches
 * meanwhile is waited for too. */
static vptr_status lock_settled(vptr__stream *stream) {
  vptr_mapper *mapper = vptr__stream_mapper(stream);
  vptr__device *device = mapper->device;
  vptr_status status = VPTR_SUCCESS;
  bool is_settled = false;
  vptr__lock_take(&lock);
  while (status == VPTR_SUCCESS && !is_settled) {
    cl_event command = last_launch(mapper);
    vptr__lock_give(&lock);
    status = await_host_bytes(stream, command);
    if (command != NULL)
      device->ops->event.release(device, command);
    vptr__lock_take(&lock);
    command = last_launch(mapper);
    is_settled = !is_pending(device, command);
    if (command != NULL)
      device->ops->event.release(device, command);
  }
  if (status != VPTR_SUCCESS)
    vptr__lock_give(&lock);
  return status;
}

vptr_status vptr__managed_lock(vptr__stream *stream, bool brings) {
  if (brings && vptr__stream_mapper(stream)->device->quirk.takes_early)
    return lock_settled(stream);
  vptr__lock_take(&lock);
  return VPTR_SUCCESS;
}

/* The stream's later work behind an event of another stream, unless that is over. */
static vptr_status wait_for(vptr__stream *stream, cl_event command) {
  vptr__device *device = vptr__stream_mapper(stream)->device;
  cl_command_queue queue;
  cl_int state = CL_QUEUED;
  vptr_status status = device->ops->event.state(device, command, &state);
  if (status != VPTR_SUCCESS || state <= CL_COMPLETE)
    return status;
  status = vptr__stream_begin(stream, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  status = device->ops->queue.enqueue_barrier(device, queue, 1, &command, NULL);
  vptr__stream_end(stream);
  return status;
}

vptr_status vptr__managed_order(vptr__stream *stream, bool brings) {
  vptr_mapper *mapper = vptr__stream_mapper(stream);
  vptr__device *device = mapper->device;
  managed_end *end = NULL;
  vptr_status status = have_event(mapper, &end);
  if (status != VPTR_SUCCESS || (brings && device->quirk.takes_early) || end->stream_id == vptr__stream_id(stream))
    return status;
  cl_event command = last_launch(mapper);
  if (command == NULL)
    return VPTR_SUCCESS;
  status = wait_for(stream, command);
  device->ops->event.release(device, command);
  return status;
}

static vptr_status watch_event(vptr__stream *stream, vptr__event *event) {
  cl_command_queue queue;
  vptr_status status = vptr__stream_begin(stream, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__stream_note(stream, vptr__event_command(event));
  vptr__stream_end_unflushed(stream);
  return VPTR_SUCCESS;
}

static vptr_status record_end(managed_end *end, vptr__stream *stream) {
  vptr_status status = vptr__event_record(end->event, stream);
  if (status != VPTR_SUCCESS)
    return status;
  set_kernel(end, NULL);
  end->stream_id = vptr__stream_id(stream);
  return watch_event(stream, end->event);
}

/* The work is under way, so that nothing here may make the launch fail: without an event it is waited for. */
vptr_status vptr__managed_record(vptr__stream *stream) {
  vptr__device *device = vptr__stream_mapper(stream)->device;
  managed_end *end = NULL;
  vptr__error_try();
  vptr_status status = have_event(vptr__stream_mapper(stream), &end);
  if (status == VPTR_SUCCESS)
    status = record_end(end, stream);
  if (status != VPTR_SUCCESS)
    status = device->ops->queue.finish_all(device);
  return vptr__error_tried(status);
}

void vptr__managed_record_kernel(vptr__stream *stream, cl_event kernel) {
  managed_end *end = end_of(vptr__stream_mapper(stream));
  set_kernel(end, kernel);
  end->stream_id = vptr__stream_id(stream);
}

/* The event ends with all of the mapper's; its address may be an event of the program's next. */
void vptr__managed_forget(const vptr_mapper *mapper) {
  vptr__lock_take(&lock);
  managed_end *end = end_of(mapper);
  if (end != NULL) {
    set_kernel(end, NULL);
    *end = (managed_end){ .next = end->next, .mapper = end->mapper };
  }
  vptr__lock_give(&lock);
}

/* ---- bytes ---------------------------------------------------------------------------------------------- */

typedef enum direction { TO_DEVICE, TO_HOST } direction;

static vptr_status move_variable(vptr__stream *stream, cl_command_queue queue, const vptr__managed_use *use,
                                 direction which) {
  vptr_mapper *mapper = vptr__stream_mapper(stream);
  vptr__device *device = mapper->device;
  const void *host = use->host;
  size_t size = use->size;
  vptr_location location;
  void *memory;
  cl_event command = NULL;
  vptr_status status = vptr__variable_address(host, mapper, &memory);
  if (status == VPTR_SUCCESS)
    status = vptr__heap_retain(mapper->heap, memory, size, &location);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__stream_expect(stream);
  if (status == VPTR_SUCCESS && which == TO_DEVICE)
    status = device->ops->transfer.enqueue_write(device, queue, location.buffer, location.buffer_offset, host, size,
                                                 &command);
  else if (status == VPTR_SUCCESS)
    status = device->ops->transfer.enqueue_read(device, queue, location.buffer, location.buffer_offset,
                                                (void *)(uintptr_t)host, size, &command);
  vptr__stream_note(stream, command);
  device->ops->memory.release(device, location.buffer);
  return status;
}

static vptr_status move_all(const vptr__preparation *it, vptr__stream *stream, cl_command_queue queue,
                            direction which) {
  vptr_status status = VPTR_SUCCESS;
  for (uint32_t i = 0; i < it->use_count && status == VPTR_SUCCESS; i++)
    status = move_variable(stream, queue, &it->uses[i], which);
  return status;
}

vptr_status vptr__managed_push(const vptr__preparation *it, vptr__stream *stream, cl_command_queue queue) {
  return move_all(it, stream, queue, TO_DEVICE);
}

vptr_status vptr__managed_pull(const vptr__preparation *it, vptr__stream *stream, cl_command_queue queue) {
  return move_all(it, stream, queue, TO_HOST);
}
