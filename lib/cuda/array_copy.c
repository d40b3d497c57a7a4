/* SPDX-License-Identifier: MIT */
/*
 * array_copy - copies with an array at one end at least; see array.h.
 *
 * An image is written from, and read to, host memory of any pitch by one command. Buffers have no pitch beside an image:
 * OpenCL takes their elements one behind the other. A rect of device memory with gaps, elements of another format,
 * and a copy within one image therefore go through a buffer in between, which the commands keep until they are done.
 *
 * What the host waits for is what it waits for in any copy (transfer/async.h): pageable memory, and synchronous calls that
 * have something to hand back. All other commands are noted with their stream, which tells its next synchronising call
 * if one failed.
 *
 * Managed memory that page faults keep in step is device memory here too, whatever the kind says: it is lent
 * (transfer/endpoint.h), and its buffer is the copy's end. A driver that was given its host pages would touch closed
 * ones.
 *
 * Between two devices, or on a stream of another device than the array's, a copy waits for the stream, goes through host
 * memory, and is done when the call returns, as other transfers between devices are.
 */
#include "base/error.h"
#include "base/memory.h"
#include "cuda/array.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "managed/atlas.h"
#include "pinned/pinned.h"
#include "stream/stream.h"
#include "transfer/async.h"
#include "transfer/rect.h"
#include "transfer/endpoint.h"

/* Both ends, found and held. */
typedef struct array_ends {
  vptr_mapper *mapper;
  vptr__cuda_array *to, *from; /* NULL: memory */
  vptr__endpoint memory;       /* of the device, held; without one: the host's */
  size_t reach;                /* its bytes, gaps included */
  bool wait;                   /* the call hands something back, or host memory is in use until the command is over */
  size_t bytes[3];             /* region, in bytes, rows, slices */
} array_ends;

static bool is_device(const array_ends *ends) {
  return ends->memory.device != NULL;
}

/* ---- checks --------------------------------------------------------------------------------------------- */

static cudaError_t check_kind(const vptr__cuda_array_copy *copy) {
  bool to_device = copy->kind == cudaMemcpyHostToDevice, from_device = copy->kind == cudaMemcpyDeviceToHost;
  bool both = copy->kind == cudaMemcpyDeviceToDevice || copy->kind == cudaMemcpyDefault;
  if (both || (to_device && copy->to.array != NULL && copy->from.array == NULL) ||
      (from_device && copy->from.array != NULL && copy->to.array == NULL))
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: kind %d is no direction for it: arrays are device memory",
              copy->call->name, (int)copy->kind);
  return cudaErrorInvalidMemcpyDirection;
}

static cudaError_t check_bounds(const char *what, const vptr__cuda_array *array, const size_t at[3],
                                const size_t region[3]) {
  const size_t *extent = array->image.extent;
  for (int i = 0; i < 3; i++)
    if (at[i] > extent[i] || region[i] > extent[i] - at[i]) {
      vptr__error(VPTR_ERROR_OUT_OF_BOUNDS,
                  "%s: %zux%zux%zu elements from %zu, %zu, %zu leave the array, which has %zux%zux%zu", what,
                  region[0], region[1], region[2], at[0], at[1], at[2], extent[0], extent[1], extent[2]);
      return cudaErrorInvalidValue;
    }
  return cudaSuccess;
}

static cudaError_t get_arrays(const vptr__cuda_array_copy *copy, array_ends *ends) {
  cudaError_t error = cudaSuccess;
  if (copy->to.array != NULL)
    error = vptr__cuda_array_get(copy->call->destination, copy->to.array, &ends->to);
  if (error == cudaSuccess && copy->from.array != NULL)
    error = vptr__cuda_array_get(copy->call->source, copy->from.array, &ends->from);
  if (error == cudaSuccess && ends->to != NULL)
    error = check_bounds(copy->call->destination, ends->to, copy->to.at, copy->region);
  if (error == cudaSuccess && ends->from != NULL)
    error = check_bounds(copy->call->source, ends->from, copy->from.at, copy->region);
  return error;
}

/* Of two arrays: elements of one size. */
static cudaError_t check_pair(const vptr__cuda_call *call, const array_ends *ends) {
  if (ends->to == NULL || ends->from == NULL)
    return cudaSuccess;
  if (ends->to->image.element != ends->from->image.element) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: elements of %zu bytes do not go into elements of %zu", call->name,
                ends->from->image.element, ends->to->image.element);
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

/* ---- memory --------------------------------------------------------------------------------------------- */

/* From the first byte of the rect to behind its last. The last slice is not full: the gap behind it is not ours. */
static bool reach_of(const vptr__side *side, const size_t bytes[3], size_t *reach_out) {
  size_t rows, slices, reach;
  if (__builtin_mul_overflow(side->row, bytes[1] - 1, &rows) ||
      __builtin_mul_overflow(side->slice, bytes[2] - 1, &slices) || __builtin_add_overflow(rows, slices, &reach) ||
      __builtin_add_overflow(reach, bytes[0], &reach))
    return false;
  *reach_out = reach;
  return true;
}

static cudaError_t refuse_memory(const char *what, const void *ptr, size_t bytes, const char *why) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %zu bytes at %p: %s", what, bytes, ptr, why);
  return cudaErrorInvalidValue;
}

static cudaError_t hold_device(const char *what, const vptr__side *side, vptr_mapper *owner, array_ends *ends) {
  return vptr__cuda_from_status(vptr__endpoint_hold_device(owner, what, side->ptr, ends->reach, &ends->memory));
}

/* Finds out whose the memory is, and holds it if it is the device's, or managed. */
static cudaError_t hold_memory(const char *what, const vptr__side *side, const vptr__cuda_array_copy *copy,
                               array_ends *ends) {
  size_t reach;
  if (side->ptr == NULL)
    return refuse_memory(what, side->ptr, ends->bytes[0], "NULL, with bytes to copy");
  if (!reach_of(side, ends->bytes, &reach) || reach > UINTPTR_MAX - (uintptr_t)side->ptr)
    return refuse_memory(what, side->ptr, SIZE_MAX, "the rect runs past the end of the address space");
  vptr_mapper *owner = vptr__mapper_owning(side->ptr);
  ends->reach = reach;
  if (owner != NULL)
    return hold_device(what, side, owner, ends);
  if (vptr__atlas_has(side->ptr)) {
    ends->wait = copy->when.synchronous;
    return hold_device(what, side, ends->mapper, ends);
  }
  bool must_be_device = copy->kind == cudaMemcpyDeviceToDevice;
  bool pinned = (must_be_device || !copy->when.synchronous) && vptr__pinned_lend(ends->mapper, side->ptr, reach);
  if (must_be_device && !pinned)
    return refuse_memory(what, side->ptr, reach, "host memory, or none at all, and the kind needs a device address");
  if (vptr__mapper_owning((const char *)side->ptr + reach - 1) != NULL)
    return refuse_memory(what, side->ptr, reach, "host memory that runs into device addresses");
  ends->wait = !pinned || copy->when.synchronous;
  return cudaSuccess;
}

static bool is_packed(const vptr__side *side, const size_t bytes[3]) {
  return (bytes[1] == 1 || side->row == bytes[0]) && (bytes[2] == 1 || side->slice == bytes[0] * bytes[1]);
}

/* ---- commands ------------------------------------------------------------------------------------------- */

static vptr_status make_stage(vptr_mapper *mapper, size_t bytes, cl_mem *stage_out) {
  vptr__device *device = mapper->device;
  vptr__error_try();
  vptr_status status = device->ops->buffer_create(device, bytes, stage_out);
  if (status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY) {
    vptr_trim(mapper, 0);
    status = device->ops->buffer_create(device, bytes, stage_out);
  }
  return vptr__error_tried(status);
}

/* Notes a command that another one follows, which then has room to be noted too. */
static vptr_status note_step(vptr__stream *stream, cl_event event) {
  vptr__stream_note(stream, event);
  return vptr__stream_expect(stream);
}

vptr_status vptr__cuda_array_move(vptr__stream *stream, cl_command_queue queue, const vptr__image *from,
                                  const size_t from_at[3], const vptr__image *to, const size_t to_at[3],
                                  const size_t region[3], cl_event *event_out) {
  vptr_mapper *mapper = vptr__stream_mapper(stream);
  vptr__device *device = mapper->device;
  cl_mem stage;
  cl_event step = NULL;
  vptr_status status = make_stage(mapper, region[0] * region[1] * region[2] * from->element, &stage);
  if (status != VPTR_SUCCESS)
    return status;
  status = device->ops->enqueue_image_to_buffer(device, queue, from, from_at, region, stage, 0, &step);
  if (status == VPTR_SUCCESS)
    status = note_step(stream, step);
  if (status == VPTR_SUCCESS)
    status = device->ops->enqueue_image_from_buffer(device, queue, stage, 0, to, to_at, region, event_out);
  device->ops->buffer_release(device, stage);
  return status;
}

/* A copy whose stream takes its commands. */
typedef struct sending {
  const vptr__cuda_array_copy *copy;
  const array_ends *ends;
  vptr__stream *stream;
  vptr__device *device;
  cl_command_queue queue;
} sending;

static const vptr__side *memory_of(const sending *going) {
  return going->ends->to != NULL ? &going->copy->from.side : &going->copy->to.side;
}

static vptr_status send_between(const sending *going, cl_event *event_out) {
  const vptr__cuda_array_copy *copy = going->copy;
  const array_ends *ends = going->ends;
  const vptr__image *from = &ends->from->image, *to = &ends->to->image;
  bool one_format = from->format.image_channel_order == to->format.image_channel_order &&
                    from->format.image_channel_data_type == to->format.image_channel_data_type &&
                    from->plain == to->plain;
  if (one_format && ends->from != ends->to)
    return going->device->ops->enqueue_image_copy(going->device, going->queue, from, copy->from.at, to, copy->to.at,
                                                  copy->region, event_out);
  return vptr__cuda_array_move(going->stream, going->queue, from, copy->from.at, to, copy->to.at, copy->region,
                               event_out);
}

/* Between the array and the elements of a buffer, which lie without gaps. */
static vptr_status send_packed(const sending *going, cl_mem buffer, size_t offset, cl_event *event_out) {
  const vptr__cuda_array_copy *copy = going->copy;
  const array_ends *ends = going->ends;
  const vptr__device_ops *ops = going->device->ops;
  if (ends->to != NULL)
    return ops->enqueue_image_from_buffer(going->device, going->queue, buffer, offset, &ends->to->image, copy->to.at,
                                          copy->region, event_out);
  return ops->enqueue_image_to_buffer(going->device, going->queue, &ends->from->image, copy->from.at, copy->region,
                                      buffer, offset, event_out);
}

static vptr_status send_rect(const sending *going, const vptr__rect *from, const vptr__rect *to,
                             cl_event *event_out) {
  return going->device->ops->enqueue_copy_rect(going->device, going->queue, from, to, going->ends->bytes, event_out);
}

/* Device memory with gaps, through a buffer without. */
static vptr_status send_pitched(const sending *going, cl_event *event_out) {
  const array_ends *ends = going->ends;
  const size_t *bytes = ends->bytes;
  cl_mem stage;
  cl_event step = NULL;
  vptr_status status = make_stage(ends->mapper, bytes[0] * bytes[1] * bytes[2], &stage);
  if (status != VPTR_SUCCESS)
    return status;
  const vptr__rect memory = { ends->memory.buffer, ends->memory.offset, memory_of(going)->row,
                              memory_of(going)->slice };
  const vptr__rect packed = { stage, 0, bytes[0], bytes[0] * bytes[1] };
  bool to_array = ends->to != NULL;
  status = to_array ? send_rect(going, &memory, &packed, &step) : send_packed(going, stage, 0, &step);
  if (status == VPTR_SUCCESS)
    status = note_step(going->stream, step);
  if (status == VPTR_SUCCESS)
    status = to_array ? send_packed(going, stage, 0, event_out) : send_rect(going, &packed, &memory, event_out);
  going->device->ops->buffer_release(going->device, stage);
  return status;
}

/* A pitch that is not looked at may be anything; drivers look all the same. */
static vptr_status send_host(const sending *going, cl_event *event_out) {
  const vptr__cuda_array_copy *copy = going->copy;
  const array_ends *ends = going->ends;
  const vptr__device_ops *ops = going->device->ops;
  const vptr__side *side = memory_of(going);
  size_t row = ends->bytes[1] > 1 || ends->bytes[2] > 1 ? side->row : ends->bytes[0];
  if (row < ends->bytes[0])
    row = ends->bytes[0];
  size_t slice = ends->bytes[2] > 1 ? side->slice : row * ends->bytes[1];
  if (ends->to != NULL)
    return ops->enqueue_image_write(going->device, going->queue, &ends->to->image, copy->to.at, copy->region,
                                    side->ptr, row, slice, event_out);
  return ops->enqueue_image_read(going->device, going->queue, &ends->from->image, copy->from.at, copy->region,
                                 side->ptr, row, slice, event_out);
}

/* The event of the last command is the caller's; those of earlier ones are noted. */
static vptr_status send_copy(const sending *going, cl_event *event_out) {
  const array_ends *ends = going->ends;
  if (ends->to != NULL && ends->from != NULL)
    return send_between(going, event_out);
  if (!is_device(ends))
    return send_host(going, event_out);
  return is_packed(memory_of(going), ends->bytes)
             ? send_packed(going, ends->memory.buffer, ends->memory.offset, event_out)
             : send_pitched(going, event_out);
}

/* Sends, and waits where the host's memory is in use until then. */
static vptr_status run_copy(const vptr__cuda_array_copy *copy, array_ends *ends, vptr__stream *stream) {
  sending going = { copy, ends, stream, ends->mapper->device, NULL };
  cl_event event = NULL;
  uint64_t number = 0;
  vptr__cuda_array_lock();
  vptr_status status = vptr__stream_begin(stream, &going.queue);
  if (status == VPTR_SUCCESS) {
    status = send_copy(&going, &event);
    if (!ends->wait)
      vptr__stream_note(stream, event);
    vptr__endpoint_return(stream, going.queue, &ends->memory, NULL);
    number = vptr__stream_end(stream);
  }
  vptr__cuda_array_unlock();
  if (status != VPTR_SUCCESS || !ends->wait)
    return status;
  status = vptr__transfer_await(going.device, event);
  return status == VPTR_SUCCESS ? vptr__stream_hear_behind(stream, event != NULL ? number : 0) : status;
}

/* Lending may wait for work in flight, and so comes before the lock, which is never held while a loan is waited for. */
static vptr_status lend_and_run(const vptr__cuda_array_copy *copy, array_ends *ends, vptr__stream *stream) {
  vptr__endpoint *to = ends->to == NULL ? &ends->memory : NULL, *from = to == NULL ? &ends->memory : NULL;
  vptr_status status =
      vptr__endpoint_lend(ends->mapper, to, ends->reach, vptr__rect_access(ends->bytes), from, ends->reach);
  return status == VPTR_SUCCESS ? run_copy(copy, ends, stream) : status;
}

/* ---- between devices ------------------------------------------------------------------------------------ */

static const vptr__side *only_memory(const vptr__cuda_array_copy *copy, const array_ends *ends) {
  return ends->to == NULL ? &copy->to.side : ends->from == NULL ? &copy->from.side : NULL;
}

static bool has_two_devices(const vptr__cuda_array_copy *copy, const array_ends *ends) {
  const vptr__side *side = only_memory(copy, ends);
  const vptr_mapper *owner = side != NULL ? vptr__mapper_owning(side->ptr) : ends->from->object.mapper;
  return owner != NULL && owner != ends->mapper;
}

/* All of the rect is looked at before its first slice moves. */
static cudaError_t check_memory(const vptr__cuda_array_copy *copy, const array_ends *ends) {
  const vptr__side *side = only_memory(copy, ends);
  const char *what = ends->to == NULL ? copy->call->destination : copy->call->source;
  size_t reach;
  vptr_location location;
  if (side == NULL)
    return cudaSuccess;
  if (!reach_of(side, ends->bytes, &reach))
    return refuse_memory(what, side->ptr, SIZE_MAX, "the rect runs past the end of the address space");
  vptr_mapper *owner = vptr__mapper_owning(side->ptr);
  vptr_status status = vptr__mapper_locate(owner, side->ptr, reach, &location);
  if (status != VPTR_SUCCESS)
    vptr__mapper_explain(owner, status, what, side->ptr, reach);
  return vptr__cuda_from_status(status);
}

/* One slice of an end to or from host memory without gaps. */
static cudaError_t copy_half(const vptr__cuda_array_copy *copy, const array_ends *ends, bool into, size_t z,
                             void *stage) {
  const vptr__side packed = { .ptr = stage, .row = ends->bytes[0], .slice = ends->bytes[0] * ends->bytes[1] };
  vptr__cuda_array_end end = into ? copy->to : copy->from;
  if (end.array != NULL) {
    vptr__cuda_array_copy half = { .call = copy->call,
                                   .region = { copy->region[0], copy->region[1], 1 },
                                   .kind = cudaMemcpyDefault,
                                   .when = vptr__cuda_now_ptds() };
    end.at[2] += z;
    *(into ? &half.to : &half.from) = end;
    (into ? &half.from : &half.to)->side = packed;
    return vptr__cuda_array_copy_rect(&half);
  }
  vptr__cuda_copy half = { .call = copy->call,
                           .region = { ends->bytes[0], ends->bytes[1], 1 },
                           .kind = cudaMemcpyDefault,
                           .when = vptr__cuda_now_ptds() };
  end.side.ptr = (unsigned char *)end.side.ptr + z * end.side.slice;
  *(into ? &half.to : &half.from) = end.side;
  *(into ? &half.from : &half.to) = packed;
  return vptr__cuda_copy_rect(&half);
}

static cudaError_t copy_by_host(const vptr__cuda_array_copy *copy, const array_ends *ends) {
  const size_t bytes = ends->bytes[0] * ends->bytes[1];
  cudaError_t error = check_memory(copy, ends);
  if (error != cudaSuccess)
    return error;
  void *stage = vptr__memory_calloc(1, bytes);
  if (stage == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(bytes));
  for (size_t z = 0; z < copy->region[2] && error == cudaSuccess; z++) {
    error = copy_half(copy, ends, false, z, stage);
    if (error == cudaSuccess)
      error = copy_half(copy, ends, true, z, stage);
  }
  vptr__memory_free(stage);
  return error;
}

/* The stream's work comes first; what is done then is work of the thread's own streams. */
static cudaError_t copy_abroad(const vptr__cuda_array_copy *copy, const array_ends *ends, vptr__stream *stream) {
  vptr_status status = vptr__stream_synchronize(stream);
  if (status != VPTR_SUCCESS)
    return vptr__cuda_from_status(status);
  if (has_two_devices(copy, ends))
    return copy_by_host(copy, ends);
  vptr__cuda_array_copy here = *copy;
  here.when = vptr__cuda_now_ptds();
  cudaError_t error = vptr__cuda_array_copy_rect(&here);
  if (error == cudaSuccess)
    error = vptr__cuda_stream_for(ends->mapper, here.when, &stream);
  return error == cudaSuccess ? vptr__cuda_from_status(vptr__stream_synchronize(stream)) : error;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static cudaError_t copy_at_home(const vptr__cuda_array_copy *copy, array_ends *ends, vptr__stream *stream) {
  cudaError_t error = cudaSuccess;
  if (ends->to == NULL)
    error = hold_memory(copy->call->destination, &copy->to.side, copy, ends);
  if (error == cudaSuccess && ends->from == NULL)
    error = hold_memory(copy->call->source, &copy->from.side, copy, ends);
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(lend_and_run(copy, ends, stream));
  if (is_device(ends))
    vptr__endpoint_release(&ends->memory);
  return error;
}

static cudaError_t copy_between(const vptr__cuda_array_copy *copy, array_ends *ends) {
  const vptr__cuda_array *any = ends->to != NULL ? ends->to : ends->from;
  vptr__stream *stream;
  ends->mapper = any->object.mapper;
  ends->bytes[0] = copy->region[0] * any->image.element;
  ends->bytes[1] = copy->region[1];
  ends->bytes[2] = copy->region[2];
  cudaError_t error = check_pair(copy->call, ends);
  if (error == cudaSuccess)
    error = vptr__cuda_stream_for(ends->mapper, copy->when, &stream);
  if (error != cudaSuccess)
    return error;
  bool at_home = vptr__stream_mapper(stream) == ends->mapper && !has_two_devices(copy, ends);
  return at_home ? copy_at_home(copy, ends, stream) : copy_abroad(copy, ends, stream);
}

cudaError_t vptr__cuda_array_copy_rect(vptr__cuda_array_copy *copy) {
  array_ends ends = { .to = NULL };
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess)
    error = check_kind(copy);
  if (error == cudaSuccess)
    error = get_arrays(copy, &ends);
  bool empty = copy->region[0] == 0 || copy->region[1] == 0 || copy->region[2] == 0;
  if (error == cudaSuccess && !empty)
    error = copy_between(copy, &ends);
  if (ends.to != NULL)
    vptr__cuda_array_release(ends.to);
  if (ends.from != NULL)
    vptr__cuda_array_release(ends.from);
  return error;
}
