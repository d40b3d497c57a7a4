/* SPDX-License-Identifier: MIT */
/*
 * array_copy - copies with an array at one endpoint at least; see array.h.
 *
 * An image is written from, and read to, host memory of any pitch by one command. Buffers have no pitch beside an
 * image: OpenCL takes their elements one behind the other. A rect of device memory with gaps, elements of another
 * format, and a copy within one image therefore go through a buffer in between, which the commands keep until they are
 * done.
 *
 * What the host waits for is what it waits for in any copy (transfer/async.h): pageable memory, and synchronous calls
 * that have something to hand back. All other commands are noted with their stream, which tells its next synchronising
 * call if one failed.
 *
 * Managed memory that page faults keep in step is device memory here too, whatever the kind says: it is acquired
 * (transfer/endpoint.h), and its buffer is the copy's endpoint. A driver that was given its host pages would touch
 * closed ones.
 *
 * Between two devices, or on a stream of another device than the array's, a copy waits for the stream, goes through
 * host memory, and is done when the call returns, as other transfers between devices are.
 *
 * Device memory that lies in several buffers is checked as a whole and goes in pieces (array_seam.h), commands of the
 * stream one behind the other.
 *
 * Pinned host memory is acquired before the commands are queued, and once more behind them, so that freeing it waits
 * for them whatever another thread's free has waited for meanwhile (copy.c).
 *
 * There is no data; the static `lock` of array.c, of rank ARRAY, is held while commands are queued, and given back
 * before the host waits for them. Called by copy_rect.c and array_transfer.c, for each copy that names an array.
 */
#include "base/error.h"
#include "base/memory.h"
#include "cuda/array.h"
#include "cuda/array_seam.h"
#include "cuda/capture_work.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "device/completion.h"
#include "image/image.h"
#include "mirror/address_index.h"
#include "pinned/pinned.h"
#include "stream/stream.h"
#include "transfer/rect.h"
#include "transfer/endpoint.h"

/* Both endpoints, found and held. */
typedef struct array_endpoints {
  vptr_mapper *mapper;
  vptr__cuda_array *to, *from; /* NULL: memory */
  vptr__endpoint memory;       /* of the device, held; without one: the host's */
  size_t reach;                /* its bytes, gaps included */
  const void *pinned;          /* the host's, where it is acquired for the copy; else NULL */
  bool wait;                   /* the call hands something back, or host memory is in use until the command is over */
  size_t bytes[3];             /* region, in bytes, rows, slices */
} array_endpoints;

static bool is_device(const array_endpoints *endpoints) {
  return endpoints->memory.device != NULL;
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

static cudaError_t get_arrays(const vptr__cuda_array_copy *copy, array_endpoints *endpoints) {
  cudaError_t error = cudaSuccess;
  if (copy->to.array != NULL)
    error = vptr__cuda_array_get(copy->call->destination, copy->to.array, &endpoints->to);
  if (error == cudaSuccess && copy->from.array != NULL)
    error = vptr__cuda_array_get(copy->call->source, copy->from.array, &endpoints->from);
  if (error == cudaSuccess && endpoints->to != NULL)
    error = check_bounds(copy->call->destination, endpoints->to, copy->to.at, copy->region);
  if (error == cudaSuccess && endpoints->from != NULL)
    error = check_bounds(copy->call->source, endpoints->from, copy->from.at, copy->region);
  return error;
}

/* Of two arrays: elements of one size. */
static cudaError_t check_pair(const vptr__cuda_call *call, const array_endpoints *endpoints) {
  if (endpoints->to == NULL || endpoints->from == NULL)
    return cudaSuccess;
  if (endpoints->to->image.element != endpoints->from->image.element) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: elements of %zu bytes do not go into elements of %zu", call->name,
                endpoints->from->image.element, endpoints->to->image.element);
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

/* ---- memory --------------------------------------------------------------------------------------------- */

static cudaError_t refuse_memory(const char *what, const void *ptr, size_t bytes, const char *why) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %zu bytes at %p: %s", what, bytes, ptr, why);
  return cudaErrorInvalidValue;
}

static cudaError_t find_reach(const char *what, const vptr__operand *operand, const array_endpoints *endpoints,
                              size_t *reach_out) {
  if (operand->ptr == NULL)
    return refuse_memory(what, operand->ptr, endpoints->bytes[0], "NULL, with bytes to copy");
  if (!vptr__cuda_array_reach(operand, endpoints->bytes, reach_out) ||
      *reach_out > UINTPTR_MAX - (uintptr_t)operand->ptr)
    return refuse_memory(what, operand->ptr, SIZE_MAX, "the rect runs past the end of the address space");
  return cudaSuccess;
}

static cudaError_t hold_device(const char *what, const vptr__operand *operand, vptr_mapper *owner,
                               array_endpoints *endpoints) {
  return vptr__cuda_from_status(
      vptr__endpoint_hold_device(owner, what, operand->ptr, endpoints->reach, &endpoints->memory));
}

/* Finds out whose the memory is, and holds it if it is the device's, or managed. */
static cudaError_t hold_memory(const char *what, const vptr__operand *operand, const vptr__cuda_array_copy *copy,
                               array_endpoints *endpoints) {
  size_t reach;
  cudaError_t error = find_reach(what, operand, endpoints, &reach);
  if (error != cudaSuccess)
    return error;
  vptr_mapper *owner = vptr__mapper_owning(operand->ptr);
  endpoints->reach = reach;
  if (owner != NULL)
    return hold_device(what, operand, owner, endpoints);
  if (vptr__address_index_has(operand->ptr)) {
    endpoints->wait = copy->when.synchronous;
    return hold_device(what, operand, endpoints->mapper, endpoints);
  }
  bool must_be_device = copy->kind == cudaMemcpyDeviceToDevice;
  bool pinned =
      (must_be_device || !copy->when.synchronous) && vptr__pinned_acquire(endpoints->mapper, operand->ptr, reach);
  if (must_be_device && !pinned)
    return refuse_memory(what, operand->ptr, reach,
                         "host memory, or none at all, and the kind needs a device address");
  if (vptr__mapper_owning((const char *)operand->ptr + reach - 1) != NULL)
    return refuse_memory(what, operand->ptr, reach, "host memory that runs into device addresses");
  endpoints->pinned = pinned ? operand->ptr : NULL;
  endpoints->wait = !pinned || copy->when.synchronous;
  return cudaSuccess;
}

static bool is_packed(const vptr__operand *operand, const size_t bytes[3]) {
  return (bytes[1] == 1 || operand->row == bytes[0]) && (bytes[2] == 1 || operand->slice == bytes[0] * bytes[1]);
}

/* ---- commands ------------------------------------------------------------------------------------------- */

/* A copy whose stream takes its commands. */
typedef struct sending {
  const vptr__cuda_array_copy *copy;
  const array_endpoints *endpoints;
  vptr__stream *stream;
  vptr__device *device;
  cl_command_queue queue;
  cl_mem stage; /* of all bytes; NULL: none is needed */
} sending;

static const vptr__operand *memory_of(const sending *going) {
  return going->endpoints->to != NULL ? &going->copy->from.operand : &going->copy->to.operand;
}

/* Which may change until the arrays' lock is taken: so it is asked under it. */
static bool needs_stage(const vptr__cuda_array_copy *copy, const array_endpoints *endpoints) {
  if (endpoints->to == NULL || endpoints->from == NULL) {
    const vptr__operand *operand = endpoints->to != NULL ? &copy->from.operand : &copy->to.operand;
    return is_device(endpoints) && !is_packed(operand, endpoints->bytes);
  }
  const vptr__image *from = &endpoints->from->image, *to = &endpoints->to->image;
  bool one_format = from->format.image_channel_order == to->format.image_channel_order &&
                    from->format.image_channel_data_type == to->format.image_channel_data_type &&
                    from->plain == to->plain;
  return !one_format || endpoints->from == endpoints->to;
}

static vptr_status send_between(const sending *going, cl_event *event_out) {
  const vptr__cuda_array_copy *copy = going->copy;
  const array_endpoints *endpoints = going->endpoints;
  const vptr__image *from = &endpoints->from->image, *to = &endpoints->to->image;
  if (!needs_stage(copy, endpoints))
    return going->device->ops->image.enqueue_copy(going->device, going->queue, from, copy->from.at, to, copy->to.at,
                                                  copy->region, event_out);
  return vptr__image_move(going->stream, going->queue, from, copy->from.at, to, copy->to.at, copy->region,
                          going->stage, event_out);
}

/* Between the array and the elements of a buffer, which lie without gaps. */
static vptr_status send_packed(const sending *going, cl_mem buffer, size_t offset, cl_event *event_out) {
  const vptr__cuda_array_copy *copy = going->copy;
  const array_endpoints *endpoints = going->endpoints;
  const vptr__device_ops *ops = going->device->ops;
  if (endpoints->to != NULL)
    return ops->image.enqueue_from_buffer(going->device, going->queue, buffer, offset, &endpoints->to->image,
                                          copy->to.at, copy->region, event_out);
  return ops->image.enqueue_to_buffer(going->device, going->queue, &endpoints->from->image, copy->from.at,
                                      copy->region, buffer, offset, event_out);
}

static vptr_status send_rect(const sending *going, const vptr__rect *from, const vptr__rect *to,
                             cl_event *event_out) {
  return going->device->ops->transfer.enqueue_copy_rect(going->device, going->queue, from, to,
                                                        going->endpoints->bytes, event_out);
}

/* Device memory with gaps, through a buffer without. */
static vptr_status send_pitched(const sending *going, cl_event *event_out) {
  const array_endpoints *endpoints = going->endpoints;
  const size_t *bytes = endpoints->bytes;
  cl_event step = NULL;
  const vptr__rect memory = { endpoints->memory.buffer, endpoints->memory.offset, memory_of(going)->row,
                              memory_of(going)->slice };
  const vptr__rect packed = { going->stage, 0, bytes[0], bytes[0] * bytes[1] };
  bool to_array = endpoints->to != NULL;
  vptr_status status =
      to_array ? send_rect(going, &memory, &packed, &step) : send_packed(going, going->stage, 0, &step);
  if (status == VPTR_SUCCESS)
    status = vptr__image_note_step(going->stream, step);
  if (status == VPTR_SUCCESS)
    status =
        to_array ? send_packed(going, going->stage, 0, event_out) : send_rect(going, &packed, &memory, event_out);
  return status;
}

/* A pitch that is not looked at may be anything; drivers look all the same. */
static vptr_status send_host(const sending *going, cl_event *event_out) {
  const vptr__cuda_array_copy *copy = going->copy;
  const array_endpoints *endpoints = going->endpoints;
  const vptr__device_ops *ops = going->device->ops;
  const vptr__operand *operand = memory_of(going);
  size_t row = endpoints->bytes[1] > 1 || endpoints->bytes[2] > 1 ? operand->row : endpoints->bytes[0];
  if (row < endpoints->bytes[0])
    row = endpoints->bytes[0];
  size_t slice = endpoints->bytes[2] > 1 ? operand->slice : row * endpoints->bytes[1];
  if (endpoints->to != NULL)
    return ops->image.enqueue_write(going->device, going->queue, &endpoints->to->image, copy->to.at, copy->region,
                                    operand->ptr, row, slice, event_out);
  return ops->image.enqueue_read(going->device, going->queue, &endpoints->from->image, copy->from.at, copy->region,
                                 operand->ptr, row, slice, event_out);
}

/* The event of the last command is the caller's; those of earlier ones are noted. */
static vptr_status send_copy(const sending *going, cl_event *event_out) {
  const array_endpoints *endpoints = going->endpoints;
  if (endpoints->to != NULL && endpoints->from != NULL)
    return send_between(going, event_out);
  if (!is_device(endpoints))
    return send_host(going, event_out);
  return is_packed(memory_of(going), endpoints->bytes)
             ? send_packed(going, endpoints->memory.buffer, endpoints->memory.offset, event_out)
             : send_pitched(going, event_out);
}

/* Takes the arrays' lock, with a staging buffer for what the arrays are then. That is made without the lock, and before
 * the stream's turn: on a full device it may wait for others, who need both. A failure leaves nothing. */
static vptr_status lock_arrays(const vptr__cuda_array_copy *copy, const array_endpoints *endpoints,
                               cl_mem *stage_out) {
  const size_t *bytes = endpoints->bytes;
  *stage_out = NULL;
  vptr__cuda_array_lock();
  if (!needs_stage(copy, endpoints))
    return VPTR_SUCCESS;
  vptr__cuda_array_unlock();
  vptr_status status = vptr__image_stage_make(endpoints->mapper, bytes[0] * bytes[1] * bytes[2], stage_out);
  if (status == VPTR_SUCCESS)
    vptr__cuda_array_lock();
  return status;
}

/* Sends, and waits where the host's memory is in use until then. */
static vptr_status run_copy(const vptr__cuda_array_copy *copy, array_endpoints *endpoints, vptr__stream *stream) {
  sending going = { copy, endpoints, stream, endpoints->mapper->device, NULL, NULL };
  cl_event event = NULL;
  uint64_t number = 0;
  vptr_status status = lock_arrays(copy, endpoints, &going.stage);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__stream_begin(stream, &going.queue);
  if (status == VPTR_SUCCESS) {
    status = send_copy(&going, &event);
    if (!endpoints->wait)
      vptr__stream_note(stream, event);
    vptr__endpoint_release_managed(stream, going.queue, &endpoints->memory, NULL);
    number = vptr__stream_end(stream);
  }
  vptr__cuda_array_unlock();
  if (going.stage != NULL)
    vptr__image_stage_release(endpoints->mapper, going.stage);
  if (status != VPTR_SUCCESS || !endpoints->wait)
    return status;
  status = vptr__completion_await(going.device, NULL, event);
  return status == VPTR_SUCCESS ? vptr__stream_poll_failure_behind(stream, event != NULL ? number : 0) : status;
}

/* Acquiring may wait for work in flight, and so comes before the lock, which is never held while a release is waited
 * for. */
static vptr_status acquire_and_run(const vptr__cuda_array_copy *copy, array_endpoints *endpoints,
                                   vptr__stream *stream) {
  vptr__endpoint *to = endpoints->to == NULL ? &endpoints->memory : NULL,
                 *from = to == NULL ? &endpoints->memory : NULL;
  vptr_status status = vptr__endpoint_acquire(endpoints->mapper, to, endpoints->reach,
                                              vptr__rect_access(endpoints->bytes), from, endpoints->reach);
  return status == VPTR_SUCCESS ? run_copy(copy, endpoints, stream) : status;
}

/* ---- between devices ------------------------------------------------------------------------------------ */

static const vptr__operand *only_memory(const vptr__cuda_array_copy *copy, const array_endpoints *endpoints) {
  return endpoints->to == NULL ? &copy->to.operand : endpoints->from == NULL ? &copy->from.operand : NULL;
}

static bool has_two_devices(const vptr__cuda_array_copy *copy, const array_endpoints *endpoints) {
  const vptr__operand *operand = only_memory(copy, endpoints);
  const vptr_mapper *owner = operand != NULL ? vptr__mapper_owning(operand->ptr) : endpoints->from->object.mapper;
  return owner != NULL && owner != endpoints->mapper;
}

/* All of the rect is looked at before its first slice, or piece, moves; or when a node is added that moves it later. */
static cudaError_t check_memory(const vptr__cuda_array_copy *copy, const array_endpoints *endpoints) {
  const vptr__operand *operand = only_memory(copy, endpoints);
  const char *what = endpoints->to == NULL ? copy->call->destination : copy->call->source;
  size_t reach;
  vptr_location location;
  if (operand == NULL)
    return cudaSuccess;
  cudaError_t error = find_reach(what, operand, endpoints, &reach);
  if (error != cudaSuccess || copy->when.is_never)
    return error != cudaSuccess
               ? error
               : vptr__cuda_check_range(what, operand->ptr, reach, copy->kind == cudaMemcpyDeviceToDevice);
  vptr_mapper *owner = vptr__mapper_owning(operand->ptr);
  vptr_status status = vptr__mapper_locate_all(owner, operand->ptr, reach, &location);
  if (status != VPTR_SUCCESS)
    vptr__mapper_explain(owner, status, what, operand->ptr, reach);
  return vptr__cuda_from_status(status);
}

/* One slice of an end to or from host memory without gaps. */
static cudaError_t copy_half(const vptr__cuda_array_copy *copy, const array_endpoints *endpoints, bool into, size_t z,
                             void *stage) {
  const vptr__operand packed = { .ptr = stage,
                                 .row = endpoints->bytes[0],
                                 .slice = endpoints->bytes[0] * endpoints->bytes[1] };
  vptr__cuda_array_endpoint endpoint = into ? copy->to : copy->from;
  if (endpoint.array != NULL) {
    vptr__cuda_array_copy half = { .call = copy->call,
                                   .region = { copy->region[0], copy->region[1], 1 },
                                   .kind = cudaMemcpyDefault,
                                   .when = vptr__cuda_now_ptds() };
    endpoint.at[2] += z;
    *(into ? &half.to : &half.from) = endpoint;
    (into ? &half.from : &half.to)->operand = packed;
    return vptr__cuda_array_copy_rect(&half);
  }
  vptr__cuda_copy half = { .call = copy->call,
                           .region = { endpoints->bytes[0], endpoints->bytes[1], 1 },
                           .kind = cudaMemcpyDefault,
                           .when = vptr__cuda_now_ptds() };
  endpoint.operand.ptr = (unsigned char *)endpoint.operand.ptr + z * endpoint.operand.slice;
  *(into ? &half.to : &half.from) = endpoint.operand;
  *(into ? &half.from : &half.to) = packed;
  return vptr__cuda_copy_rect(&half);
}

static cudaError_t copy_by_host(const vptr__cuda_array_copy *copy, const array_endpoints *endpoints) {
  const size_t bytes = endpoints->bytes[0] * endpoints->bytes[1];
  cudaError_t error = check_memory(copy, endpoints);
  if (error != cudaSuccess)
    return error;
  void *stage = vptr__memory_calloc(1, bytes);
  if (stage == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(bytes));
  for (size_t z = 0; z < copy->region[2] && error == cudaSuccess; z++) {
    error = copy_half(copy, endpoints, false, z, stage);
    if (error == cudaSuccess)
      error = copy_half(copy, endpoints, true, z, stage);
  }
  vptr__memory_free(stage);
  return error;
}

/* The stream's work comes first; what is done then is work of the thread's own streams. */
static cudaError_t copy_abroad(const vptr__cuda_array_copy *copy, const array_endpoints *endpoints,
                               vptr__stream *stream) {
  vptr_status status = vptr__stream_synchronize(stream);
  if (status != VPTR_SUCCESS)
    return vptr__cuda_from_status(status);
  if (has_two_devices(copy, endpoints))
    return copy_by_host(copy, endpoints);
  vptr__cuda_array_copy here = *copy;
  here.when = vptr__cuda_now_ptds();
  cudaError_t error = vptr__cuda_array_copy_rect(&here);
  if (error == cudaSuccess)
    error = vptr__cuda_stream_for(endpoints->mapper, here.when, &stream);
  return error == cudaSuccess ? vptr__cuda_from_status(vptr__stream_synchronize(stream)) : error;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static cudaError_t copy_at_backing(const vptr__cuda_array_copy *copy, array_endpoints *endpoints,
                                   vptr__stream *stream) {
  cudaError_t error = cudaSuccess;
  if (endpoints->to == NULL)
    error = hold_memory(copy->call->destination, &copy->to.operand, copy, endpoints);
  if (error == cudaSuccess && endpoints->from == NULL)
    error = hold_memory(copy->call->source, &copy->from.operand, copy, endpoints);
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(acquire_and_run(copy, endpoints, stream));
  if (endpoints->pinned != NULL) /* once more: see acquire_pinned() in cuda/copy.c */
    vptr__pinned_acquire(endpoints->mapper, endpoints->pinned, endpoints->reach);
  if (is_device(endpoints))
    vptr__endpoint_release(&endpoints->memory);
  return error;
}

static const vptr__cuda_array *any_of(const array_endpoints *endpoints) {
  return endpoints->to != NULL ? endpoints->to : endpoints->from;
}

static void set_bytes(const vptr__cuda_array_copy *copy, array_endpoints *endpoints) {
  endpoints->bytes[0] = copy->region[0] * any_of(endpoints)->image.element;
  endpoints->bytes[1] = copy->region[1];
  endpoints->bytes[2] = copy->region[2];
}

/* A copy whose memory lies in several buffers. */
typedef struct cut_copy {
  const array_endpoints *endpoints;
  vptr__stream *stream;
} cut_copy;

static cudaError_t copy_piece(void *context, const vptr__cuda_array_copy *piece) {
  const cut_copy *whole = context;
  array_endpoints endpoints = *whole->endpoints;
  set_bytes(piece, &endpoints);
  return copy_at_backing(piece, &endpoints, whole->stream);
}

static cudaError_t copy_here(const vptr__cuda_array_copy *copy, array_endpoints *endpoints, vptr__stream *stream) {
  const vptr__operand *operand = only_memory(copy, endpoints);
  if (operand == NULL || !vptr__cuda_array_has_seam(operand, endpoints->bytes))
    return copy_at_backing(copy, endpoints, stream);
  cut_copy whole = { endpoints, stream };
  cudaError_t error = check_memory(copy, endpoints);
  return error == cudaSuccess
             ? vptr__cuda_array_cut(copy, any_of(endpoints)->image.element, stream, copy_piece, &whole)
             : error;
}

static cudaError_t copy_between(const vptr__cuda_array_copy *copy, array_endpoints *endpoints) {
  vptr__stream *stream;
  endpoints->mapper = any_of(endpoints)->object.mapper;
  set_bytes(copy, endpoints);
  cudaError_t error = check_pair(copy->call, endpoints);
  if (copy->when.is_never)
    return error == cudaSuccess ? check_memory(copy, endpoints) : error;
  if (error == cudaSuccess)
    error = vptr__cuda_stream_for(endpoints->mapper, copy->when, &stream);
  if (error == cudaSuccess && vptr__captures_any() && vptr__cuda_captures_array_copy(copy, stream, &error))
    return error;
  if (error != cudaSuccess)
    return error;
  bool at_backing = vptr__stream_mapper(stream) == endpoints->mapper && !has_two_devices(copy, endpoints);
  return at_backing ? copy_here(copy, endpoints, stream) : copy_abroad(copy, endpoints, stream);
}

cudaError_t vptr__cuda_array_copy_rect(vptr__cuda_array_copy *copy) {
  array_endpoints endpoints = { .to = NULL };
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess)
    error = check_kind(copy);
  if (error == cudaSuccess)
    error = get_arrays(copy, &endpoints);
  bool empty = copy->region[0] == 0 || copy->region[1] == 0 || copy->region[2] == 0;
  if (error == cudaSuccess && !empty)
    error = copy_between(copy, &endpoints);
  if (endpoints.to != NULL)
    vptr__cuda_array_release(endpoints.to);
  if (endpoints.from != NULL)
    vptr__cuda_array_release(endpoints.from);
  return error;
}
