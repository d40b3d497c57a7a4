/* SPDX-License-Identifier: MIT */
/*
 * run - one transform on its way; see run.h.
 *
 * Nothing is sent before all is checked, and memory to work in is there. Buffers are leased until the commands are
 * sent, which then hold them. The plan's lock is held while an engine is made and while it sends; kernels that pack go
 * without it.
 *
 * No state. Called by exec.c, for each transform, and by make.c for the first engine. It waits for the driver's
 * compiler where an engine, or a kernel, is wanted first.
 */
#include "cufft/run.h"

#include "base/error.h"
#include "cufft/kernel.h"
#include "cufft/route.h"
#include "device/behind.h"
#include "heap/lease.h"
#include "library/call.h"
#include "library/captured.h"
#include "pool/pool.h"

#include <string.h>

enum { PIECE = 256 };

/* Memory that the engine reads or writes. */
typedef struct operand {
  const char *what;
  char *at;
  size_t bytes, size; /* of an element */
  vptr__fft_place place;
  vptr__lease lease;
} operand;

typedef struct run {
  const char *call;
  vptr__fft_plan *plan;
  vptr__stream *stream; /* NULL: the plan's */
  bool captures;        /* it is captured: a node is made, and nothing is sent */
  cufftResult result;
  operand in, out, work;
  bool takes_in, takes_out; /* the engine could, where they lie */
  vptr__fft_route route;
  void *pooled; /* NULL: the work is in the program's area, or there is none */
} run;

static void note(run *it, vptr_status status) {
  if (it->result == CUFFT_SUCCESS)
    it->result = vptr__fft_result_of(status);
}

/* ---- what it is given ------------------------------------------------------------------------------------- */

/* Whether the engine can take it where it lies; its buffer is held then. Else it is checked: kernels may reach it. */
static bool hold_memory(run *it, operand *memory) {
  vptr_location location;
  vptr__lease lease;
  if (it->result != CUFFT_SUCCESS)
    return false;
  vptr__error_try(); /* what is no such memory, or lies in several buffers, is for kernels */
  vptr_status status = vptr__lease_take_whole(it->plan->mapper->heap, memory->at, memory->bytes, &location, &lease);
  vptr__error_tried(status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY ? status : VPTR_SUCCESS);
  if (status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY) { /* it is memory of the device's, which has no room for it now */
    note(it, status);
    return false;
  }
  if (status != VPTR_SUCCESS) {
    note(it, vptr__library_memory(it->call, memory->what, it->plan->mapper, memory->at, memory->bytes));
    return false;
  }
  if (location.buffer_offset % memory->size != 0 || location.buffer_offset / memory->size > VPTR__FFT_NARROW ||
      !vptr__buffer_has_behind(it->plan->mapper->device, location.buffer)) {
    vptr__lease_give(&lease);
    return false;
  }
  memory->place = (vptr__fft_place){ location.buffer, location.buffer_offset };
  memory->lease = lease;
  return true;
}

static void release_memory(const operand *memory) {
  if (memory->place.buffer != NULL)
    vptr__lease_give(&memory->lease);
}

static void describe(run *it, operand *memory, const char *what, void *at, bool is_output) {
  const vptr__fft_shape *shape = &it->plan->shape;
  *memory = (operand){ .what = what,
                       .at = at,
                       .bytes = vptr__fft_shape_bytes(shape, is_output, is_output ? &it->route.out : &it->route.in),
                       .size = vptr__fft_shape_size(shape, is_output) };
}

/* ---- its way ---------------------------------------------------------------------------------------------- */

/* With the plan's lock held: the engine of the route. VkFFT may have none for reals; then there is one by complex
   numbers, by another route. */
static vptr_status find_engine(vptr__fft_plan *plan, vptr__fft_route *route, vptr__fft_engine **engine_out) {
  bool may_change = !plan->is_by_complex && route->request.kind != VPTR__FFT_COMPLEX;
  vptr__error_try();
  vptr_status status = vptr__fft_plan_engine(plan, &route->request, engine_out);
  vptr__error_tried(status == VPTR_ERROR_UNSUPPORTED && may_change ? VPTR_SUCCESS : status);
  if (status != VPTR_ERROR_UNSUPPORTED || !may_change)
    return status;
  plan->is_by_complex = true;
  *route = vptr__fft_route_of(plan, route->is_in_place, route->is_inverse, true, true);
  return vptr__fft_plan_engine(plan, &route->request, engine_out);
}

/* The route, with an engine, and the bytes that it works in. */
static vptr_status find_route(vptr__fft_plan *plan, vptr__fft_route *route, size_t *work_out) {
  vptr__fft_engine *engine = NULL;
  *work_out = route->packed_bytes;
  if (route->request.rank == 0)
    return VPTR_SUCCESS;
  vptr__lock_take(&plan->lock);
  vptr_status status = find_engine(plan, route, &engine);
  bool keeps_input = plan->shape.rank == 1 && !route->is_in_place && !route->packs_input;
  if (status == VPTR_SUCCESS && keeps_input && vptr__fft_engine_spoils_input(engine)) {
    *route = vptr__fft_route_of(plan, false, route->is_inverse, true, route->packs_output);
    status = find_engine(plan, route, &engine);
  }
  if (status == VPTR_SUCCESS)
    *work_out = (route->packed_bytes + PIECE - 1) / PIECE * PIECE + vptr__fft_engine_work(engine);
  vptr__lock_give(&plan->lock);
  return status;
}

static void find_work(run *it, size_t bytes) {
  vptr__fft_plan *plan = it->plan;
  it->work = (operand){ .what = "the work area", .bytes = bytes, .size = 1 };
  if (bytes == 0 || it->result != CUFFT_SUCCESS)
    return;
  if (!plan->allocates && plan->work_area == NULL) {
    it->result = vptr__fft_refuse(CUFFT_NO_WORKSPACE, it->call,
                                  "the plan works in %zu bytes, allocates none, and has no work area", bytes);
    return;
  }
  it->work.at = plan->work_area;
  if (plan->work_area == NULL || bytes > plan->work_size) {
    note(it, vptr__pool_allocate(NULL, bytes, it->stream, __builtin_return_address(0), &it->pooled));
    it->work.at = it->pooled;
  }
  it->work.size = 2 * sizeof(double);
  if (it->result == CUFFT_SUCCESS && !hold_memory(it, &it->work) && it->result == CUFFT_SUCCESS)
    it->result = vptr__fft_refuse(CUFFT_INVALID_VALUE, it->call,
                                  "the work area must be device memory, and begin at a multiple of 16 bytes");
}

/* ---- sending ---------------------------------------------------------------------------------------------- */

static vptr__fft_place behind(const vptr__device *device, const vptr__fft_place *place) {
  return (vptr__fft_place){ vptr__buffer_behind(device, place->buffer), place->offset };
}

/* Of a proxy's queue the stream wants a handle, which the event of a barrier is. */
static vptr_status note_event(run *it, vptr__device *device, cl_command_queue queue, cl_event event) {
  vptr_status status = VPTR_SUCCESS;
  cl_event handle = event;
  if (device->proxy != NULL && event != NULL) {
    clReleaseEvent(event);
    handle = NULL;
    status = device->ops->queue.enqueue_barrier(device, queue, 0, NULL, &handle);
  }
  vptr__stream_note(it->stream, handle);
  return status;
}

static vptr_status send_in_turn(run *it, vptr__fft_engine *engine, const vptr__fft_place *in,
                                const vptr__fft_place *out, const vptr__fft_place *work) {
  vptr__device *device = it->plan->mapper->device;
  const vptr__fft_place from = behind(device, in), to = behind(device, out), between = behind(device, work);
  cl_command_queue queue;
  cl_event event = NULL;
  vptr_status status = vptr__stream_begin(it->stream, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__fft_engine_send(engine, vptr__queue_behind(device, queue), &from, &to, &between, &event);
  const vptr_status noted = note_event(it, device, queue, event);
  vptr__stream_end(it->stream);
  return status == VPTR_SUCCESS ? noted : status;
}

/* Packed sides lie at the beginning of the work, what VkFFT keeps between its kernels behind them. */
static void send_engine(run *it) {
  size_t packed = (it->route.packed_bytes + PIECE - 1) / PIECE * PIECE;
  vptr__fft_place between = { it->work.place.buffer, it->work.place.offset + packed };
  const vptr__fft_place *in = it->route.packs_input ? &it->work.place : &it->in.place;
  const vptr__fft_place *out = it->route.packs_output ? &it->work.place : &it->out.place;
  vptr__fft_engine *engine;
  if (it->result != CUFFT_SUCCESS || it->route.request.rank == 0)
    return;
  vptr__lock_take(&it->plan->lock);
  vptr_status status = vptr__fft_plan_engine(it->plan, &it->route.request, &engine);
  if (status == VPTR_SUCCESS)
    status = send_in_turn(it, engine, in, out, &between);
  vptr__lock_give(&it->plan->lock);
  note(it, status);
}

static void pack_input(run *it) {
  const vptr__fft_shape *shape = &it->plan->shape;
  vptr__fft_kind kind = vptr__fft_shape_kind(shape);
  bool unfolds = kind == VPTR__FFT_TO_REAL && it->route.is_by_complex;
  vptr__fft_move move = VPTR__FFT_MOVE_COMPLEX;
  if (kind == VPTR__FFT_FROM_REAL)
    move = it->route.is_by_complex ? VPTR__FFT_WIDEN : VPTR__FFT_MOVE_REAL;
  else if (unfolds)
    move = VPTR__FFT_UNFOLD;
  const vptr__fft_moving moving = { .call = it->call,
                                    .shape = shape,
                                    .row = unfolds ? shape->n[0] : vptr__fft_shape_row(shape, false),
                                    .from = it->in.at,
                                    .from_side = it->route.in,
                                    .to = it->work.at,
                                    .to_side = it->route.packed_in };
  if (it->result == CUFFT_SUCCESS)
    note(it, vptr__fft_move_send(it->stream, move, &moving));
}

static void spread_output(run *it) {
  const vptr__fft_shape *shape = &it->plan->shape;
  vptr__fft_move move = VPTR__FFT_MOVE_COMPLEX;
  if (vptr__fft_shape_kind(shape) == VPTR__FFT_TO_REAL)
    move = it->route.is_by_complex ? VPTR__FFT_NARROW_TO : VPTR__FFT_MOVE_REAL;
  const vptr__fft_moving moving = { .call = it->call,
                                    .shape = shape,
                                    .row = vptr__fft_shape_row(shape, true),
                                    .from = it->work.at,
                                    .from_side = it->route.packed_out,
                                    .to = it->out.at,
                                    .to_side = it->route.out };
  if (it->result == CUFFT_SUCCESS)
    note(it, vptr__fft_move_send(it->stream, move, &moving));
}

static void send_all(run *it) {
  if (it->route.packs_input)
    pack_input(it);
  send_engine(it);
  if (it->route.packs_output)
    spread_output(it);
}

/* ---- the whole -------------------------------------------------------------------------------------------- */

static cufftResult refuse_device(const char *call, const vptr__fft_plan *plan) {
  const vptr__device *device = plan->mapper->device;
  if (device->cl_context == NULL)
    return vptr__fft_refuse(CUFFT_NOT_SUPPORTED, call, "%s runs no kernels of OpenCL, so it transforms nothing",
                            device->name);
  if (vptr__fft_shape_is_double(&plan->shape) && !device->has_double)
    return vptr__fft_refuse(CUFFT_NOT_SUPPORTED, call, "%s has no double precision", device->name);
  return CUFFT_SUCCESS;
}

static void begin(run *it, void *idata, void *odata, bool is_inverse) {
  it->route = vptr__fft_route_of(it->plan, idata == odata, is_inverse, false, false);
  describe(it, &it->in, "idata", idata, false);
  describe(it, &it->out, "odata", odata, true);
  if (idata == NULL || odata == NULL)
    it->result = vptr__fft_refuse(CUFFT_INVALID_VALUE, it->call, "%s is NULL", idata == NULL ? "idata" : "odata");
  if (it->result == CUFFT_SUCCESS && it->stream == NULL)
    note(it, vptr__library_stream_or_capture(it->call, "the plan's stream", "plan", it->plan->mapper,
                                             it->plan->stream, &it->stream, &it->captures));
  it->takes_in = hold_memory(it, &it->in);
  it->takes_out = hold_memory(it, &it->out);
  if (it->result == CUFFT_SUCCESS)
    it->result = refuse_device(it->call, it->plan);
}

static void send_begun(run *it, void *idata, void *odata, bool is_inverse) {
  size_t bytes = 0;
  if (!it->takes_in || !it->takes_out)
    it->route = vptr__fft_route_of(it->plan, idata == odata, is_inverse, !it->takes_in, !it->takes_out);
  note(it, find_route(it->plan, &it->route, &bytes));
  find_work(it, bytes);
  if (it->result == CUFFT_SUCCESS)
    send_all(it);
}

/* What a graph makes of it, when it is launched. Numbers of plans do not come again. */
typedef struct captured_run {
  cufftHandle handle;
  bool is_inverse;
  void *idata, *odata;
} captured_run;

static vptr_status send_captured(const void *context, const char *what, vptr__stream *stream);

static void capture(run *it, void *idata, void *odata, bool is_inverse) {
  captured_run captured;
  memset(&captured, 0, sizeof captured);
  captured.handle = it->plan->handle;
  captured.is_inverse = is_inverse;
  captured.idata = idata;
  captured.odata = odata;
  const vptr__graph_call node = { it->call, send_captured, &captured, sizeof captured };
  note(it, vptr__library_capture_call(&node, it->stream));
}

/* Buffers, and what VkFFT built, are of one device. */
static cufftResult run_once(run *it, void *idata, void *odata, bool is_inverse) {
  const vptr__device *device = it->plan->mapper->device;
  vptr__device_hold(device);
  begin(it, idata, odata, is_inverse);
  if (it->result == CUFFT_SUCCESS && it->captures)
    capture(it, idata, odata, is_inverse);
  else if (it->result == CUFFT_SUCCESS)
    send_begun(it, idata, odata, is_inverse);
  release_memory(&it->in);
  release_memory(&it->out);
  release_memory(&it->work);
  if (it->pooled != NULL)
    note(it, vptr__pool_free(it->plan->mapper, it->pooled, it->stream, it->call));
  vptr__device_let_go(device);
  return it->result;
}

static vptr_status send_captured(const void *context, const char *what, vptr__stream *stream) {
  const captured_run *captured = context;
  run it = { .call = what, .stream = stream, .result = CUFFT_SUCCESS };
  if (vptr__fft_plan_hold(what, captured->handle, &it.plan) != CUFFT_SUCCESS)
    return VPTR_ERROR_INVALID_ARGUMENT;
  vptr_status status = VPTR_SUCCESS;
  if (vptr__stream_mapper(stream) != it.plan->mapper)
    status = vptr__error(VPTR_ERROR_OTHER_MAPPER, "%s: the stream is of another device than plan %d", what,
                         captured->handle);
  else if (run_once(&it, captured->idata, captured->odata, captured->is_inverse) != CUFFT_SUCCESS)
    status = it.result == CUFFT_ALLOC_FAILED ? VPTR_ERROR_OUT_OF_DEVICE_MEMORY : VPTR_ERROR_INVALID_ARGUMENT;
  vptr__fft_plan_release(it.plan);
  return status;
}

cufftResult vptr__fft_run(const char *call, vptr__fft_plan *plan, void *idata, void *odata, bool is_inverse) {
  run it = { .call = call, .plan = plan, .result = CUFFT_SUCCESS };
  return run_once(&it, idata, odata, is_inverse);
}

cufftResult vptr__fft_run_prepare(const char *call, vptr__fft_plan *plan) {
  bool to_real = vptr__fft_shape_kind(&plan->shape) == VPTR__FFT_TO_REAL;
  const vptr__device *device = plan->mapper->device;
  if (device->cl_context == NULL)
    return CUFFT_SUCCESS;
  vptr__device_hold(device);
  cufftResult result = refuse_device(call, plan);
  if (result == CUFFT_SUCCESS) {
    vptr__fft_route route = vptr__fft_route_of(plan, false, to_real, false, false);
    result = vptr__fft_result_of(find_route(plan, &route, &plan->work_size));
  }
  vptr__device_let_go(device);
  return result == CUFFT_EXEC_FAILED ? CUFFT_INTERNAL_ERROR : result;
}
