/* SPDX-License-Identifier: MIT */
/*
 * send - sending an executable graph to a stream: one step after the other, each in its lane (exec.h).
 *
 * Other lanes begin behind an event that is recorded in the stream first, and the stream waits for them at the end. If
 * a step cannot be sent the rest is left out, and the stream waits for what was: the graph can be launched again. A
 * launch on another stream than the one before waits for that, since a graph runs once at a time. What a host function
 * is given is a copy, so the exec may change or go while it waits. The exec's lock, vptr__exec.lock of rank EXEC, is
 * held by the caller, and guards steps and lanes; steps of memory and of conditions take vptr__graph_lock(), of rank
 * GRAPH. No data. Called by exec.c. A copy of pageable memory waits as cudaMemcpyAsync() does; a step that depends on a
 * condition waits for what comes before it, and in a loop for each round (condition_step.c); a kernel is built when it
 * is first sent to a device. Kernels that go as one are built at the upload, or in the launch that is the first one
 * worth it (runs.c).
 */
#include "replay/runs.h"

#include "base/error.h"
#include "base/memory.h"
#include "cuda/advice.h"
#include "cuda/copy_rect.h"
#include "cuda/error.h"
#include "cuda/function.h"
#include "cuda/reference.h"
#include "cuda/shared_event.h"
#include "cuda/stream.h"
#include "pool/pool.h"

#include <string.h>

/* ---- steps ---------------------------------------------------------------------------------------------- */

static cudaError_t send_kernel(const vptr__step *step, vptr__stream *stream) {
  const vptr__graph_kernel *kernel = &step->work.kernel;
  if (!vptr__graph_kernel_is_there(kernel)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the kernel is gone: its module was unloaded", step->what);
    return cudaErrorInvalidDeviceFunction;
  }
  vptr__launch launch = vptr__step_launch(step);
  cudaError_t error = kernel->is_cooperative ? vptr__cuda_resident_check(&launch, kernel->stub) : cudaSuccess;
  if (error == cudaSuccess)
    error = vptr__cuda_references_update(vptr__stream_mapper(stream));
  return error == cudaSuccess
             ? vptr__cuda_launch_sent(vptr__function_launch(kernel->function, stream, &launch), &launch)
             : error;
}

static cudaError_t send_copy(const vptr__step *step, vptr__stream *stream) {
  const struct cudaMemcpy3DParms *copy = &step->work.copy;
  const vptr__cuda_call call = { step->what, step->destination, step->source };
  const vptr__cuda_endpoint to = { call.destination, copy->dstArray, &copy->dstPtr, &copy->dstPos };
  const vptr__cuda_endpoint from = { call.source, copy->srcArray, &copy->srcPtr, &copy->srcPos };
  return vptr__cuda_copy_3d(&call, &to, &from, &copy->extent, copy->kind, vptr__cuda_on((cudaStream_t)stream));
}

static cudaError_t send_set(const vptr__step *step, vptr__stream *stream) {
  const struct cudaMemsetParams *set = &step->work.set;
  vptr__element element = { .size = set->elementSize };
  memcpy(element.bytes, &set->value, set->elementSize); /* the low bytes: all OpenCL hosts here are little-endian */
  const size_t pitch = set->height > 1 ? set->pitch : set->width * set->elementSize;
  return vptr__cuda_set_elements(step->what, set->dst, pitch, &element, set->width, set->height,
                                 vptr__cuda_on((cudaStream_t)stream));
}

static void call_host(vptr_status status, void *context) {
  const struct cudaHostNodeParams call = *(const struct cudaHostNodeParams *)context;
  vptr__memory_free(context);
  if (status == VPTR_SUCCESS)
    call.fn(call.userData);
}

static cudaError_t send_host(const vptr__step *step, vptr__stream *stream) {
  struct cudaHostNodeParams *kept = vptr__memory_calloc(1, sizeof *kept);
  if (kept == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(sizeof *kept));
  *kept = step->work.host;
  vptr_status status = vptr__stream_host(stream, call_host, kept);
  if (status != VPTR_SUCCESS)
    vptr__memory_free(kept);
  return vptr__cuda_from_status(status);
}

static cudaError_t send_event(const vptr__step *step, vptr__stream *stream) {
  vptr__event *event = (vptr__event *)step->work.event;
  if (!vptr__event_is_live(event)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no event: it was destroyed", step->what, (void *)event);
    return cudaErrorInvalidValue;
  }
  if (step->type == cudaGraphNodeTypeWaitEvent)
    return vptr__cuda_from_status(vptr__shared_event_wait(stream, event));
  return vptr__cuda_from_status(vptr__shared_event_record(event, stream));
}

static cudaError_t send_call(const vptr__step *step, vptr__stream *stream) {
  const vptr__graph_call *call = &step->work.call;
  return vptr__cuda_from_status(call->send(call->context, step->what, stream));
}

/* An empty node's, which may be nothing. */
static cudaError_t send_quiet(const vptr__step *step, vptr__stream *stream) {
  const vptr__graph_prefetch *prefetch = &step->work.prefetch;
  if (step->work.call.send != NULL)
    return send_call(step, stream);
  return prefetch->count > 0
             ? vptr__cuda_prefetch(step->what, prefetch->ptr, prefetch->count, &prefetch->where, stream)
             : cudaSuccess;
}

static cudaError_t send_work(const vptr__exec *exec, const vptr__step *step, vptr__stream *stream);

/* One step, or as many as are one launch. */
static cudaError_t send_some(const vptr__exec *exec, vptr__steps *steps, uint32_t *at, vptr__stream *stream) {
  const uint32_t together = vptr__runs_send(steps, *at, stream);
  *at += together;
  return together > 0 ? cudaSuccess : send_work(exec, &steps->items[(*at)++], stream);
}

static cudaError_t send_body(const vptr__exec *exec, vptr__steps *body, vptr__stream *stream) {
  cudaError_t error = cudaSuccess;
  for (uint32_t i = 0; i < body->count && error == cudaSuccess;)
    error = send_some(exec, body, &i, stream);
  return error;
}

static cudaError_t send_branch(const vptr__exec *exec, const vptr__step *step, vptr__stream *stream) {
  const bool loops = step->work.branch.type == cudaGraphCondTypeWhile;
  uint32_t body;
  cudaError_t error;
  do {
    unsigned value = 0;
    error = vptr__step_read_condition(step, stream, &value);
    body = error == cudaSuccess ? vptr__step_choose_body(step, value) : VPTR__NO_BODY;
    if (body != VPTR__NO_BODY)
      error = send_body(exec, &step->bodies[body], stream);
  } while (loops && body != VPTR__NO_BODY && error == cudaSuccess);
  return error;
}

static cudaError_t send_work(const vptr__exec *exec, const vptr__step *step, vptr__stream *stream) {
  if (!step->is_enabled)
    return cudaSuccess;
  switch (step->type) {
  case cudaGraphNodeTypeKernel:
    return send_kernel(step, stream);
  case cudaGraphNodeTypeMemcpy:
    return send_copy(step, stream);
  case cudaGraphNodeTypeMemset:
    return send_set(step, stream);
  case cudaGraphNodeTypeHost:
    return send_host(step, stream);
  case cudaGraphNodeTypeWaitEvent:
  case cudaGraphNodeTypeEventRecord:
    return send_event(step, stream);
  case cudaGraphNodeTypeMemAlloc:
    return vptr__exec_memory_open(step, stream);
  case cudaGraphNodeTypeMemFree:
    return vptr__exec_memory_close(exec, step, stream);
  case cudaGraphNodeTypeConditional:
    return send_branch(exec, step, stream);
  case cudaGraphNodeTypeEmpty:
    return send_quiet(step, stream);
  default: /* the ends of child graphs */
    return cudaSuccess;
  }
}

/* ---- lanes ---------------------------------------------------------------------------------------------- */

/* A launch on its way. */
typedef struct sending {
  vptr__exec *exec;
  vptr__stream *lanes[VPTR__LANES];
  bool has_begun[VPTR__LANES];
} sending;

/* A lane that waits for a step of another is behind the beginning, as that one is. */
static cudaError_t send_step(sending *it, uint32_t *at) {
  vptr__steps *steps = &it->exec->steps;
  const vptr__step *step = &steps->items[*at];
  vptr__stream *stream = it->lanes[step->lane];
  vptr_status status = VPTR_SUCCESS;
  if (!it->has_begun[step->lane] && step->wait_count == 0)
    status = vptr__pool_stream_wait(stream, it->exec->begin);
  for (uint32_t i = 0; i < step->wait_count && status == VPTR_SUCCESS; i++)
    status = vptr__pool_stream_wait(stream, it->exec->steps.items[step->waits[i]].event);
  if (status != VPTR_SUCCESS)
    return vptr__cuda_from_status(status);
  it->has_begun[step->lane] = true;
  cudaError_t error = send_some(it->exec, steps, at, stream);
  const vptr__step *last = &steps->items[*at - 1];
  if (error == cudaSuccess && last->is_awaited)
    error = vptr__cuda_from_status(vptr__pool_event_record(last->event, stream));
  return error;
}

static cudaError_t join_lanes(const sending *it) {
  const vptr__steps *steps = &it->exec->steps;
  vptr_status status = VPTR_SUCCESS;
  for (uint32_t lane = 1; lane < steps->lanes && status == VPTR_SUCCESS; lane++)
    if (steps->joins[lane])
      status = vptr__pool_stream_wait(it->lanes[0], steps->items[steps->last[lane]].event);
  return vptr__cuda_from_status(status);
}

/* What was sent of a launch that failed: the stream waits for it as well as can be, and so do launches on others. The
 * words of the failure stay. */
static void join_rest(const sending *it) {
  vptr__error_try();
  for (uint32_t lane = 1; lane < it->exec->steps.lanes; lane++)
    if (it->has_begun[lane] && vptr__pool_event_record(it->exec->begin, it->exec->lanes[lane]) == VPTR_SUCCESS)
      vptr__pool_stream_wait(it->lanes[0], it->exec->begin);
  vptr__pool_event_record(it->exec->end, it->lanes[0]);
  vptr__error_tried(VPTR_SUCCESS);
}

/* What fails in a lane is the launch's failure: whoever waits for its stream is told. */
static void tell_of_lanes(const sending *it) {
  for (uint32_t lane = 1; lane < it->exec->steps.lanes; lane++)
    vptr__stream_tell(it->lanes[lane], it->lanes[0]);
}

/* Behind the launch before, if that was on another stream. */
static cudaError_t begin_launch(sending *it) {
  vptr__exec *exec = it->exec;
  const uint64_t id = vptr__stream_id(it->lanes[0]);
  vptr_status status = VPTR_SUCCESS;
  if (exec->last_stream != 0 && exec->last_stream != id)
    status = vptr__pool_stream_wait(it->lanes[0], exec->end);
  cudaError_t error = vptr__cuda_from_status(status);
  if (error == cudaSuccess && exec->has_condition)
    error = vptr__steps_set_conditions(&exec->steps, it->lanes[0]);
  if (error != cudaSuccess)
    return error;
  if (exec->last_stream != id)
    tell_of_lanes(it);
  exec->last_stream = id;
  if (exec->steps.lanes > 1)
    status = vptr__pool_event_record(exec->begin, it->lanes[0]);
  return vptr__cuda_from_status(status);
}

/* So that no step asks for host memory in order to be watched, however far behind the device is. */
static cudaError_t reserve_notes(const sending *it) {
  const vptr__steps *steps = &it->exec->steps;
  vptr_status status = VPTR_SUCCESS;
  for (uint32_t lane = 0; lane < steps->lanes && status == VPTR_SUCCESS; lane++)
    status = vptr__stream_reserve(it->lanes[lane], steps->notes[lane]);
  return vptr__cuda_from_status(status);
}

cudaError_t vptr__exec_send(vptr__exec *exec, vptr__stream *stream) {
  sending it = { .exec = exec, .lanes = { stream }, .has_begun = { true } };
  vptr_status status = vptr__lanes_ready(exec, vptr__stream_mapper(stream));
  if (status != VPTR_SUCCESS)
    return vptr__cuda_from_status(status);
  for (uint32_t lane = 1; lane < exec->steps.lanes; lane++)
    it.lanes[lane] = exec->lanes[lane];
  cudaError_t error = reserve_notes(&it);
  if (error == cudaSuccess)
    error = vptr__exec_memory_begin(exec);
  if (error == cudaSuccess)
    error = begin_launch(&it);
  if (error != cudaSuccess) /* nothing was sent, and what was before has its end */
    return error;
  for (uint32_t i = 0; i < exec->steps.count && error == cudaSuccess;)
    error = send_step(&it, &i);
  if (error == cudaSuccess)
    error = join_lanes(&it);
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(vptr__pool_event_record(exec->end, stream));
  if (error != cudaSuccess) {
    join_rest(&it);
    vptr__exec_memory_abandon(exec);
  }
  return error;
}
