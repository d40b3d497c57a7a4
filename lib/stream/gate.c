/* SPDX-License-Identifier: MIT */
/* gate - see gate.h. */
#include "stream/gate.h"

#include "stream/state.h"

/* The stream's barrier never fails, since `after` never does: it needs no watching. */
static vptr_status put(vptr__gate *gate, cl_event *before_out) {
  const vptr__device_ops *ops = gate->device->ops;
  cl_command_queue queue;
  cl_event before = NULL;
  vptr_status status = vptr__stream_begin(gate->stream, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  status = ops->enqueue_barrier(gate->device, queue, 0, NULL, &before);
  if (status == VPTR_SUCCESS)
    status = ops->enqueue_barrier(gate->device, queue, 1, &gate->after, NULL);
  gate->number = vptr__stream_end(gate->stream);
  if (status == VPTR_SUCCESS)
    *before_out = before;
  else if (before != NULL)
    ops->event_release(gate->device, before);
  return status;
}

static void let_pass(const vptr__gate *gate) {
  vptr__stream_open_barrier(gate->device, gate->after);
  gate->device->ops->event_release(gate->device, gate->after);
}

vptr_status vptr__gate_close(vptr__stream *stream, vptr__gate *gate_out) {
  vptr__gate gate = { .device = vptr__stream_mapper(stream)->device, .stream = stream };
  cl_event before = NULL;
  vptr_status status = gate.device->ops->user_event(gate.device, &gate.after);
  if (status != VPTR_SUCCESS)
    return status;
  status = put(&gate, &before);
  if (status == VPTR_SUCCESS) {
    status = gate.device->ops->event_wait(gate.device, before);
    gate.device->ops->event_release(gate.device, before);
  }
  if (status == VPTR_SUCCESS)
    *gate_out = gate;
  else
    let_pass(&gate);
  return status;
}

void vptr__gate_open(vptr__gate *gate) {
  let_pass(gate);
  vptr__stream_note_over(gate->stream, gate->number);
}
