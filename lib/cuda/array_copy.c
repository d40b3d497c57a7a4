/* SPDX-License-Identifier: MIT */
/*
 * array_copy - copies with an array at one end at least; see array.h.
 *
 * An image is written from, and read to, host memory of any pitch by one command. Buffers have no pitch beside an image:
 * OpenCL takes their elements one behind the other. A box of device memory with gaps, elements of another format, and a
 * copy within one image therefore go through a buffer in between, which the commands keep until they are done.
 *
 * What the host waits for is what it waits for in any copy (transfer/async.h): pageable memory, and synchronous calls that
 * have something to hand back.
 */
#include "base/error.h"
#include "cuda/array.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "pinned/pinned.h"
#include "stream/stream.h"

/* Both ends, found and held. */
typedef struct array_ends {
  vptr_mapper *mapper;
  vptr__cuda_array *to, *from; /* NULL: memory */
  cl_mem buffer;               /* NULL: the memory is the host's; else retained */
  size_t offset;
  bool pinned;     /* host memory that nobody has to wait for */
  size_t bytes[3]; /* region, in bytes, rows, slices */
  size_t element;
} array_ends;

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
      vptr__error(VPTR_ERROR_CROSSES_END,
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

/* Of two arrays: one device, elements of one size. */
static cudaError_t check_pair(const vptr__cuda_call *call, const array_ends *ends) {
  if (ends->to == NULL || ends->from == NULL)
    return cudaSuccess;
  if (ends->to->image.element != ends->from->image.element) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: elements of %zu bytes do not go into elements of %zu", call->name,
                ends->from->image.element, ends->to->image.element);
    return cudaErrorInvalidValue;
  }
  if (ends->to->mapper == ends->from->mapper)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: arrays of two devices; copy through host memory", call->name);
  return cudaErrorNotSupported;
}

/* ---- memory --------------------------------------------------------------------------------------------- */

/* From the first byte of the box to behind its last. The last slice is not full: the gap behind it is not ours. */
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

static cudaError_t hold_device(const char *what, const vptr__side *side, vptr_mapper *owner, size_t reach,
                               array_ends *ends) {
  if (owner != ends->mapper) {
    vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: %p is memory of another device than the array; copy through host memory",
                what, side->ptr);
    return cudaErrorNotSupported;
  }
  vptr_location location;
  vptr_status status = vptr__heap_retain(owner->heap, side->ptr, reach, &location);
  if (status != VPTR_SUCCESS)
    return vptr__cuda_from_status(vptr__mapper_explain(owner, status, what, side->ptr, reach));
  ends->buffer = location.buffer;
  ends->offset = location.buffer_offset;
  return cudaSuccess;
}

/* Finds out whose the memory is, and holds it if it is the device's. */
static cudaError_t hold_memory(const char *what, const vptr__side *side, const vptr__cuda_array_copy *copy,
                               array_ends *ends) {
  size_t reach;
  if (side->ptr == NULL)
    return refuse_memory(what, side->ptr, ends->bytes[0], "NULL, with bytes to copy");
  if (!reach_of(side, ends->bytes, &reach) || reach > UINTPTR_MAX - (uintptr_t)side->ptr)
    return refuse_memory(what, side->ptr, SIZE_MAX, "the box runs past the end of the address space");
  vptr_mapper *owner = vptr__mapper_owning(side->ptr);
  if (owner != NULL)
    return hold_device(what, side, owner, reach, ends);
  bool pinned = vptr__pinned_covers(side->ptr, reach);
  if (copy->kind == cudaMemcpyDeviceToDevice && !pinned)
    return refuse_memory(what, side->ptr, reach, "host memory, or none at all, and the kind needs a device address");
  if (vptr__mapper_owning((const char *)side->ptr + reach - 1) != NULL)
    return refuse_memory(what, side->ptr, reach, "host memory that runs into device addresses");
  ends->pinned = pinned && !copy->when.synchronous;
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

vptr_status vptr__cuda_array_move(vptr_mapper *mapper, cl_command_queue queue, const vptr__image *from,
                                  const size_t from_at[3], const vptr__image *to, const size_t to_at[3],
                                  const size_t region[3]) {
  vptr__device *device = mapper->device;
  cl_mem stage;
  vptr_status status = make_stage(mapper, region[0] * region[1] * region[2] * from->element, &stage);
  if (status != VPTR_SUCCESS)
    return status;
  status = device->ops->enqueue_image_to_buffer(device, queue, from, from_at, region, stage, 0, NULL);
  if (status == VPTR_SUCCESS)
    status = device->ops->enqueue_image_from_buffer(device, queue, stage, 0, to, to_at, region, NULL);
  device->ops->buffer_release(device, stage);
  return status;
}

static vptr_status send_between(const vptr__cuda_array_copy *copy, const array_ends *ends, cl_command_queue queue) {
  vptr__device *device = ends->mapper->device;
  const vptr__image *from = &ends->from->image, *to = &ends->to->image;
  bool one_format = from->format.image_channel_order == to->format.image_channel_order &&
                    from->format.image_channel_data_type == to->format.image_channel_data_type;
  if (one_format && ends->from != ends->to)
    return device->ops->enqueue_image_copy(device, queue, from, copy->from.at, to, copy->to.at, copy->region, NULL);
  return vptr__cuda_array_move(ends->mapper, queue, from, copy->from.at, to, copy->to.at, copy->region);
}

/* Device memory with gaps, through a buffer without. */
static vptr_status send_pitched(const vptr__cuda_array_copy *copy, const array_ends *ends, cl_command_queue queue) {
  vptr__device *device = ends->mapper->device;
  const size_t *bytes = ends->bytes;
  const vptr__side *side = ends->to != NULL ? &copy->from.side : &copy->to.side;
  cl_mem stage;
  vptr_status status = make_stage(ends->mapper, bytes[0] * bytes[1] * bytes[2], &stage);
  if (status != VPTR_SUCCESS)
    return status;
  const vptr__box memory = { ends->buffer, ends->offset, side->row, side->slice };
  const vptr__box packed = { stage, 0, bytes[0], bytes[0] * bytes[1] };
  if (ends->to != NULL) {
    status = device->ops->enqueue_copy_box(device, queue, &memory, &packed, bytes, NULL);
    if (status == VPTR_SUCCESS)
      status = device->ops->enqueue_image_from_buffer(device, queue, stage, 0, &ends->to->image, copy->to.at,
                                                      copy->region, NULL);
  } else {
    status = device->ops->enqueue_image_to_buffer(device, queue, &ends->from->image, copy->from.at, copy->region,
                                                  stage, 0, NULL);
    if (status == VPTR_SUCCESS)
      status = device->ops->enqueue_copy_box(device, queue, &packed, &memory, bytes, NULL);
  }
  device->ops->buffer_release(device, stage);
  return status;
}

static vptr_status send_device(const vptr__cuda_array_copy *copy, const array_ends *ends, cl_command_queue queue) {
  vptr__device *device = ends->mapper->device;
  const vptr__side *side = ends->to != NULL ? &copy->from.side : &copy->to.side;
  if (!is_packed(side, ends->bytes))
    return send_pitched(copy, ends, queue);
  if (ends->to != NULL)
    return device->ops->enqueue_image_from_buffer(device, queue, ends->buffer, ends->offset, &ends->to->image,
                                                  copy->to.at, copy->region, NULL);
  return device->ops->enqueue_image_to_buffer(device, queue, &ends->from->image, copy->from.at, copy->region,
                                              ends->buffer, ends->offset, NULL);
}

/* A pitch that is not looked at may be anything; drivers look all the same. */
static vptr_status send_host(const vptr__cuda_array_copy *copy, const array_ends *ends, cl_command_queue queue,
                             cl_event *event_out) {
  vptr__device *device = ends->mapper->device;
  const vptr__side *side = ends->to != NULL ? &copy->from.side : &copy->to.side;
  size_t row = ends->bytes[1] > 1 || ends->bytes[2] > 1 ? side->row : ends->bytes[0];
  if (row < ends->bytes[0])
    row = ends->bytes[0];
  size_t slice = ends->bytes[2] > 1 ? side->slice : row * ends->bytes[1];
  if (ends->to != NULL)
    return device->ops->enqueue_image_write(device, queue, &ends->to->image, copy->to.at, copy->region, side->ptr,
                                            row, slice, event_out);
  return device->ops->enqueue_image_read(device, queue, &ends->from->image, copy->from.at, copy->region, side->ptr,
                                         row, slice, event_out);
}

static vptr_status send(const vptr__cuda_array_copy *copy, const array_ends *ends, cl_command_queue queue,
                        cl_event *event_out) {
  if (ends->to != NULL && ends->from != NULL)
    return send_between(copy, ends, queue);
  if (ends->buffer != NULL)
    return send_device(copy, ends, queue);
  return send_host(copy, ends, queue, ends->pinned ? NULL : event_out);
}

/* Sends, and waits where the host's memory is in use until then. */
static vptr_status run(const vptr__cuda_array_copy *copy, const array_ends *ends, vptr__stream *stream) {
  vptr__device *device = ends->mapper->device;
  cl_command_queue queue;
  cl_event event = NULL;
  vptr__cuda_array_lock();
  vptr_status status = vptr__stream_begin(stream, &queue);
  if (status == VPTR_SUCCESS) {
    status = send(copy, ends, queue, &event);
    vptr__stream_end(stream);
  }
  vptr__cuda_array_unlock();
  if (status != VPTR_SUCCESS || event == NULL)
    return status;
  status = device->ops->event_wait(device, event);
  device->ops->event_release(device, event);
  return status;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static cudaError_t check_stream(const char *call, const array_ends *ends, const vptr__stream *stream) {
  if (vptr__stream_mapper(stream) == ends->mapper)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: the stream is of another device than the array", call);
  return cudaErrorNotSupported;
}

static cudaError_t hold_ends(const vptr__cuda_array_copy *copy, array_ends *ends) {
  ends->mapper = (ends->to != NULL ? ends->to : ends->from)->mapper;
  ends->element = (ends->to != NULL ? ends->to : ends->from)->image.element;
  ends->bytes[0] = copy->region[0] * ends->element;
  ends->bytes[1] = copy->region[1];
  ends->bytes[2] = copy->region[2];
  cudaError_t error = check_pair(copy->call, ends);
  if (error == cudaSuccess && ends->to == NULL)
    error = hold_memory(copy->call->destination, &copy->to.side, copy, ends);
  if (error == cudaSuccess && ends->from == NULL)
    error = hold_memory(copy->call->source, &copy->from.side, copy, ends);
  return error;
}

cudaError_t vptr__cuda_array_copy_box(vptr__cuda_array_copy *copy) {
  array_ends ends = { .to = NULL };
  vptr__stream *stream;
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess)
    error = check_kind(copy);
  if (error == cudaSuccess)
    error = get_arrays(copy, &ends);
  bool empty = copy->region[0] == 0 || copy->region[1] == 0 || copy->region[2] == 0;
  if (error == cudaSuccess && !empty)
    error = hold_ends(copy, &ends);
  if (error == cudaSuccess && !empty)
    error = vptr__cuda_stream_for(ends.mapper, copy->when, &stream);
  if (error == cudaSuccess && !empty)
    error = check_stream(copy->call->name, &ends, stream);
  if (error == cudaSuccess && !empty)
    error = vptr__cuda_from_status(run(copy, &ends, stream));
  if (ends.buffer != NULL)
    ends.mapper->device->ops->buffer_release(ends.mapper->device, ends.buffer);
  if (ends.to != NULL)
    vptr__cuda_array_release(ends.to);
  if (ends.from != NULL)
    vptr__cuda_array_release(ends.from);
  return error;
}
