/* SPDX-License-Identifier: MIT */
/*
 * launch - from a launch's arguments to a kernel in a stream's queue.
 *
 *     prepare    (module/prepare.c) copies and resolves them       may fail, sends nothing
 *     set        gives the kernel what has changed since its last launch           under the kernel's lock
 *     send       between vptr__stream_begin() and _end(), with managed variables around it
 *
 * The kernel object is one for all threads, so its lock is held from the first argument, if it has any, to the enqueue;
 * it is taken inside begin and end, where no lock of the stream's is held. It is vptr__kernel.lock (state.h), of rank
 * MAPPING, and guards what the arguments were set to last (`memory` and `packed` there), which program.c makes and this
 * file alone changes. A launch that uses __managed__ variables is sent under the static `lock` of module/managed.c, of
 * rank ARRAY: such launches are sent one after the other, and so are those whose blocks wait for each other: each has
 * the device alone. Where a full device had no room for all allocations of a launch together, its arguments are
 * prepared anew under `one_at_a_time` of heap/residence.c, of rank LEASE (vptr__heap_anew_begin()). A launch itself is
 * a variable of its thread's. The one global is vptr__launch_watched, which is atomic: cudart/record/recorder.c sets it
 * once, and is handed each launch from then on, in the place of sending it.
 *
 * Called by child.c, chain.c, cudart/record/recorder.c, cudart/cuda/launch.c, cudart/replay/send.c,
 * lib/driver/launch.c, cublas/kernel.c, cufft/kernel.c, curand/kernel.c and cusparse/kernel.c for each launch; and by
 * cudart/replay/runs.c, which asks whether launches are watched. It does not wait for the kernel. It blocks while a
 * driver builds that, the first time on a device; while managed memory comes to the device; while another thread sends
 * to the stream; and where a full device has to make room for spilled parameters. Where the driver takes the host's
 * bytes when a write is queued (NVIDIA's: quirk.takes_early), a launch that uses __managed__ variables also waits on
 * the host for the last such launch and for the stream's earlier work (module/managed.c).
 */
#include "module/state.h"

#include "base/error.h"
#include "base/hot.h"
#include "base/number.h"
#include "device/reach.h"
#include "mapper/flight.h"

#include <string.h>

enum { LEAST_SHARED = 16 };

/* ---- setting -------------------------------------------------------------------------------------------- */

/* Whether an argument is this number already. */
VPTR__HOT static inline bool is_set(const vptr__kernel *kernel, cl_uint index, uint64_t value) {
  const vptr__argument_memory *memory = &kernel->memory[index];
  return memory->value == value && memory->is_known;
}

VPTR__HOT static void remember_argument(vptr__kernel *kernel, cl_uint index, uint64_t value, vptr_status status) {
  kernel->memory[index] = (vptr__argument_memory){ value, status == VPTR_SUCCESS };
}

VPTR__HOT VPTR__APART static vptr_status change_number(vptr__kernel *kernel, cl_uint index, uint64_t number,
                                                       size_t size) {
  vptr__device *device = kernel->mapper->device;
  vptr_status status = device->ops->kernel.arg_value(device, kernel->kernel, index, &number, size);
  remember_argument(kernel, index, number, status);
  return status;
}

VPTR__HOT static inline vptr_status set_number(vptr__kernel *kernel, cl_uint index, uint64_t number, size_t size) {
  return is_set(kernel, index, number) ? VPTR_SUCCESS : change_number(kernel, index, number, size);
}

/* Values no longer than a number are numbers; the usual lengths are read without a call. */
VPTR__HOT static inline vptr_status set_value(vptr__kernel *kernel, cl_uint index, const void *value, size_t size) {
  vptr__device *device = kernel->mapper->device;
  uint64_t number = 0;
  if (size == sizeof number)
    memcpy(&number, value, sizeof number);
  else if (size == sizeof(uint32_t))
    memcpy(&number, value, sizeof(uint32_t));
  else if (size < sizeof number)
    memcpy(&number, value, size);
  else
    return device->ops->kernel.arg_value(device, kernel->kernel, index, value, size);
  return set_number(kernel, index, number, size);
}

VPTR__HOT static vptr_status set_meaning(vptr__kernel *kernel, cl_uint *index, const vptr__pointer_meaning *meaning) {
  vptr__device *device = kernel->mapper->device;
  if (kernel->program->has_addresses)
    return set_number(kernel, (*index)++, meaning->address, sizeof meaning->address);
  vptr_status status = meaning->is_read
                           ? device->ops->kernel.arg_read(device, kernel->kernel, (*index)++, meaning->buffer)
                           : device->ops->kernel.arg_buffer(device, kernel->kernel, (*index)++, meaning->buffer);
  return status == VPTR_SUCCESS ? set_number(kernel, (*index)++, meaning->offset, sizeof(cl_ulong)) : status;
}

static vptr_status set_shared(vptr__kernel *kernel, cl_uint index, size_t shared) {
  vptr__device *device = kernel->mapper->device;
  size_t size = vptr__larger(shared, LEAST_SHARED);
  if (is_set(kernel, index, size))
    return VPTR_SUCCESS;
  vptr_status status = device->ops->kernel.arg_local(device, kernel->kernel, index, size);
  remember_argument(kernel, index, size, status);
  return status;
}

/* How many threads the work-item runs, or would run on another device, and of how many blocks. */
static vptr_status set_block(const vptr__preparation *it, cl_uint index) {
  const uint32_t *threads = it->kernel->runs_threads ? it->launch->threads : it->launch->block;
  const uint64_t together = it->kernel->runs_loops ? it->launch->together : 0;
  return set_number(it->kernel, index,
                    threads[0] | (uint64_t)threads[1] << 16 | (uint64_t)threads[2] << 32 | together << 48,
                    sizeof(uint64_t));
}

static vptr_status set_blocks(const vptr__preparation *it, cl_uint index) {
  const uint32_t *blocks = it->launch->blocks;
  return set_number(it->kernel, index, blocks[0] | (uint64_t)blocks[1] << 32 | (uint64_t)blocks[2] << 48,
                    sizeof(uint64_t));
}

static vptr_status set_grid(const vptr__preparation *it, cl_uint index) {
  return set_number(it->kernel, index, it->grid.address, sizeof it->grid.address);
}

/* NULL: the form that is launched does not look at it. */
static vptr_status set_table(const vptr__preparation *it, cl_uint index, cl_mem table) {
  vptr__device *device = it->kernel->mapper->device;
  if (table == NULL && is_set(it->kernel, index, 0))
    return VPTR_SUCCESS;
  vptr_status status = device->ops->kernel.arg_read(device, it->kernel->kernel, index, table);
  remember_argument(it->kernel, index, table != NULL, status);
  return status;
}

/* All parameters at once. */
VPTR__HOT static vptr_status set_packed(vptr__kernel *kernel, const unsigned char *block) {
  vptr__device *device = kernel->mapper->device;
  const size_t bytes = kernel->packed_bytes;
  if (kernel->memory[0].is_known && memcmp(kernel->packed, block, bytes) == 0)
    return VPTR_SUCCESS;
  vptr_status status = device->ops->kernel.arg_value(device, kernel->kernel, 0, block, bytes);
  memcpy(kernel->packed, block, bytes);
  remember_argument(kernel, 0, 0, status);
  return status;
}

/* An address is a number among the parameters. */
VPTR__HOT static vptr_status set_params(const vptr__preparation *it, cl_uint *index_out, uint32_t *meaning_out) {
  const vptr__image_kernel *image = it->function->image;
  const vptr__image_param *param = image->params, *end = param + image->param_count;
  vptr__kernel *kernel = it->kernel;
  const bool has_addresses = kernel->program->has_addresses;
  const unsigned char *block = it->block;
  const vptr__pointer_meaning *meaning = it->meanings;
  vptr_status status = VPTR_SUCCESS;
  cl_uint index = 0;
  if (kernel->packed_bytes > 0) {
    *index_out = 1;
    return set_packed(kernel, block);
  }
  if (kernel->is_spilled)
    return set_meaning(kernel, index_out, &it->spill);
  for (; param < end && status == VPTR_SUCCESS; param++)
    if (param->kind == VPTR__PARAM_POINTER && !has_addresses) {
      status = set_meaning(kernel, &index, meaning);
      if (__builtin_expect(it->launch->reaches != NULL && status == VPTR_SUCCESS, 0))
        vptr__reach_set(it, (uint32_t)(param - image->params), index - 2, meaning);
      meaning++;
    } else
      status = set_value(kernel, index++, block + param->offset, param->size);
  *index_out = index;
  *meaning_out = (uint32_t)(meaning - it->meanings);
  return status;
}

VPTR__HOT static vptr_status set_all(const vptr__preparation *it) {
  const vptr__image_kernel *image = it->function->image;
  cl_uint index = 0;
  uint32_t meaning = 0;
  vptr_status status = set_params(it, &index, &meaning);
  const uint32_t hidden = it->kernel->is_ptx ? 0 : image->hidden_count;
  for (uint32_t i = 0; i < hidden && status == VPTR_SUCCESS; i++) {
    const vptr__image_param *param = &image->params[image->param_count + i];
    if (param->is_of_loops && !it->kernel->runs_loops)
      continue;
    switch (param->kind) {
    case VPTR__PARAM_SHARED:
      status = set_shared(it->kernel, index++, it->launch->shared);
      break;
    case VPTR__PARAM_TRANSLATION:
      status = set_table(it, index++, it->translation);
      break;
    case VPTR__PARAM_TEXELS:
      status = set_table(it, index++, it->texels);
      break;
    case VPTR__PARAM_BLOCK:
      status = set_block(it, index++);
      break;
    case VPTR__PARAM_BLOCKS:
      status = set_blocks(it, index++);
      break;
    case VPTR__PARAM_GRID:
      status = set_grid(it, index++);
      break;
    default:
      if (it->kernel->packed_bytes > 0)
        break;
      status = set_meaning(it->kernel, &index, &it->meanings[meaning++]);
      break;
    }
  }
  return status;
}

/* ---- sending -------------------------------------------------------------------------------------------- */

/* Managed memory is given back with the event of the last piece, since pieces are in order. */
static void keep_last(const vptr__preparation *it, cl_event event, cl_event *last) {
  vptr__device *device = it->kernel->mapper->device;
  if (event == NULL)
    return;
  if (*last != NULL)
    device->ops->event.release(device, *last);
  device->ops->event.retain(device, event);
  *last = event;
}

/* To send a kernel that has no arguments changes nothing of it, which needs no lock. */
VPTR__HOT static inline bool has_arguments(const vptr__preparation *it) {
  const vptr__image_kernel *image = it->function->image;
  return image->param_count + image->hidden_count > 0;
}

VPTR__HOT static vptr_status enqueue_piece(vptr__preparation *it, vptr__stream *stream, cl_command_queue queue,
                                           const vptr__piece *piece) {
  vptr__kernel *kernel = it->kernel;
  vptr__device *device = kernel->mapper->device;
  const size_t local[3] = { it->launch->block[0], it->launch->block[1], it->launch->block[2] };
  const bool wants =
      !device->quirk.fails_whole || it->managed_pointer_count > 0 || it->grid_memory != NULL || kernel->prints;
  cl_event event = NULL, *wanted = wants ? &event : NULL;
  const bool sets = has_arguments(it), is_noted = vptr__flight_wanted(device);
  uint64_t flight = is_noted ? vptr__flight_begin(it->function->image->name, it->function->image->entry) : 0;
  vptr_status status = VPTR_SUCCESS;
  if (kernel->prints)
    vptr__print_begin(kernel->mapper);
  if (sets) {
    vptr__lock_take(&kernel->lock);
    status = set_all(it);
  }
  if (it->launch->axis > 0)
    vptr__joint_divide_along(device, kernel->kernel, it->launch->axis);
  if (status == VPTR_SUCCESS)
    status = device->ops->kernel.enqueue(device, queue, kernel->kernel, piece->offset, piece->global, local, wanted);
  if (sets)
    vptr__lock_give(&kernel->lock);
  if (it->managed_pointer_count > 0)
    keep_last(it, event, &it->last);
  if (it->grid_memory != NULL)
    keep_last(it, event, &it->last_met);
  if (kernel->prints)
    vptr__print_sent(kernel->mapper, status == VPTR_SUCCESS ? event : NULL);
  if (is_noted)
    vptr__flight_sent(device, flight, status == VPTR_SUCCESS ? event : NULL);
  vptr__stream_note(stream, event);
  return status;
}

static vptr_status enqueue_pieces(vptr__preparation *it, vptr__stream *stream, cl_command_queue queue) {
  vptr__piece piece = { .offset = { 0, 0, 0 } };
  vptr_status status = VPTR_SUCCESS;
  while (status == VPTR_SUCCESS && vptr__cut_next(it->kernel->mapper->device, it->launch, &piece)) {
    status = vptr__stream_expect(stream);
    if (status == VPTR_SUCCESS)
      status = enqueue_piece(it, stream, queue, &piece);
  }
  return status;
}

/* In one piece, unless the device cannot count so far. */
VPTR__HOT static vptr_status enqueue_launch(vptr__preparation *it, vptr__stream *stream, cl_command_queue queue) {
  const uint32_t *grid = it->launch->grid, *block = it->launch->block;
  if (it->kernel->program->grid[0] != 0 && it->launch->axis == 0)
    return enqueue_pieces(it, stream, queue);
  const vptr__piece whole = { .global = { (size_t)grid[0] * block[0], (size_t)grid[1] * block[1],
                                          (size_t)grid[2] * block[2] } };
  return enqueue_piece(it, stream, queue, &whole);
}

/* Whether the kernel is all there is to send. */
static bool is_alone(const vptr__preparation *it) {
  return it->use_count == 0 && it->spill_memory == NULL && it->grid_memory == NULL && it->child_memory == NULL &&
         !it->kernel->is_followed;
}

/* What a launch that was sent leaves behind, for calls to come. */
static vptr_status follow_launch(const vptr__preparation *it, vptr__stream *stream, cl_command_queue queue) {
  vptr_mapper *mapper = it->kernel->mapper;
  if (it->function->image->prints)
    atomic_store_explicit(&mapper->device->has_printed, true, memory_order_relaxed);
  return it->kernel->may_assert ? vptr__assert_pull(mapper, stream, queue) : VPTR_SUCCESS;
}

VPTR__HOT static vptr_status send_begun(vptr__preparation *it, vptr__stream *stream, cl_command_queue queue) {
  const bool alone = is_alone(it);
  vptr_status status = VPTR_SUCCESS;
  if (it->use_count > 0)
    status = vptr__managed_push(it, stream, queue);
  if (status == VPTR_SUCCESS && it->spill_memory != NULL)
    status = vptr__spill_send(it, stream, queue);
  if (status == VPTR_SUCCESS && it->grid_memory != NULL)
    status = vptr__grid_send(it, stream, queue);
  if (status == VPTR_SUCCESS && it->child_memory != NULL)
    status = vptr__child_send(it, stream, queue);
  if (status == VPTR_SUCCESS && !alone)
    status = vptr__stream_expect(stream); /* else there is room for one event, the kernel's */
  if (status == VPTR_SUCCESS)
    status = enqueue_launch(it, stream, queue);
  if (status == VPTR_SUCCESS && it->use_count > 0 && it->family == NULL)
    status = vptr__managed_pull(it, stream, queue);
  if (status == VPTR_SUCCESS && it->kernel->is_followed)
    status = follow_launch(it, stream, queue);
  if (it->managed_pointer_count > 0)
    vptr__managed_pointers_release(it, vptr__stream_id(stream));
  if (alone && it->kernel->mapper->device->quirk.begins_unflushed)
    vptr__stream_end_unflushed(stream);
  else
    vptr__stream_end(stream);
  return status;
}

/* Kernels that only look up what lies apart do so in one form. */
static bool reads_table(const vptr__preparation *it) {
  return it->function->image->follows_pointers || (it->kernel->program->forms & VPTR__FORMS_APART) != 0;
}

/* Acquired as late as can be: until it is given back, the host has no access. The translation table says where what
 * was acquired is. */
VPTR__HOT static vptr_status send_prepared(vptr__preparation *it, vptr__stream *stream) {
  cl_command_queue queue;
  vptr_status status = it->managed_pointer_count > 0 ? vptr__managed_pointers_acquire(it) : VPTR_SUCCESS;
  if (status != VPTR_SUCCESS)
    return status;
  if (it->function->image->has_table && reads_table(it))
    status = vptr__translation_table_take(it->kernel->mapper, &it->translation);
  if (status == VPTR_SUCCESS && it->function->image->reads_texels)
    status = vptr__texel_table_take(it->kernel->mapper, it->function->image->name, &it->texels);
  if (status == VPTR_SUCCESS)
    status = vptr__stream_begin(stream, &queue);
  if (status == VPTR_SUCCESS)
    return send_begun(it, stream, queue);
  if (it->managed_pointer_count > 0)
    vptr__managed_pointers_release(it, 0);
  return status;
}

/* Variables come back behind all that a kernel launches. */
static vptr_status pull_behind_children(vptr__preparation *it, vptr__stream *stream) {
  cl_command_queue queue;
  vptr_status aside = vptr__child_aside(it, stream);
  vptr_status status = vptr__stream_begin(stream, &queue);
  if (status == VPTR_SUCCESS) {
    status = vptr__managed_pull(it, stream, queue);
    vptr__stream_end(stream);
  }
  return aside == VPTR_SUCCESS ? status : aside;
}

/* Where the launch ends; also behind what was sent before it failed. */
static vptr_status record_managed(const vptr__preparation *it, vptr__stream *stream, vptr_status status) {
  if (status != VPTR_SUCCESS || it->use_count > 0 || it->last_met == NULL)
    return vptr__managed_record(stream);
  vptr__managed_record_kernel(stream, it->last_met);
  return VPTR_SUCCESS;
}

/* Ordered on the device behind the last kernel that used managed variables, or whose blocks met. */
static vptr_status send_managed(vptr__preparation *it, vptr__stream *stream) {
  vptr__device *device = it->kernel->mapper->device;
  const bool brings = it->use_count > 0;
  vptr_status status = vptr__managed_lock(stream, brings);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__managed_order(stream, brings);
  if (status == VPTR_SUCCESS)
    status = send_prepared(it, stream);
  if (status == VPTR_SUCCESS && it->family != NULL)
    status = pull_behind_children(it, stream);
  vptr_status marked = record_managed(it, stream, status);
  vptr__managed_unlock();
  if (it->last_met != NULL)
    device->ops->event.release(device, it->last_met);
  return status == VPTR_SUCCESS ? marked : status;
}

/* The kernel to be sent, if the launch fits it. */
VPTR__HOT static vptr_status choose_kernel(vptr__function *function, vptr_mapper *mapper, vptr__launch *launch,
                                           vptr__kernel **kernel_out) {
  const uint32_t whole[3] = { 0, 0, 0 };
  vptr__kernel *kernel;
  launch->fault = VPTR__LAUNCH_BUILD;
  size_t shared = vptr__launch_shared(function, mapper->device, launch->shared);
  const vptr__forms forms = vptr__forms_for(function, mapper->device, launch->block);
  vptr_status status = vptr__kernel_get(function, mapper, whole, forms, shared, &kernel);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__launch_check(function, kernel, launch);
  if (status != VPTR_SUCCESS)
    return status;
  launch->fault = VPTR__LAUNCH_BUILD;
  memcpy(launch->blocks, launch->grid, sizeof launch->blocks);
  launch->together = 1;
  launch->axis = launch->reaches != NULL ? vptr__reach_axis(function, mapper->device, launch) : 0;
  if (kernel->runs_threads)
    vptr__cut_among_items(function, mapper->device, launch);
  status = vptr__cut_kernel(function, launch, kernel, kernel_out);
  if (status == VPTR_SUCCESS)
    launch->fault = VPTR__LAUNCH_FITS;
  return status;
}

/* What a launch had for itself goes, however it went. */
static void end_launch(vptr__preparation *it, vptr__stream *stream, vptr_status *status) {
  if (it->spill_memory != NULL)
    vptr__spill_end(it->kernel->mapper, it->spill_memory, stream);
  if (it->grid_memory != NULL)
    vptr__grid_end(it, stream);
  if (it->function->image->launches)
    vptr__child_follow(it, stream, status);
  vptr__prepare_clear(it);
}

/* Allocations that may leave the device had no room together while other threads had some there. What this one has is
 * given back before it waits for its turn: whoever's turn it is needs that room. */
VPTR__APART static vptr_status prepare_anew(vptr__preparation *it, vptr__stream *stream) {
  vptr_status status = VPTR_ERROR_OUT_OF_DEVICE_MEMORY;
  end_launch(it, stream, &status);
  vptr__heap_anew anew = vptr__heap_anew_begin(it->kernel->mapper->heap);
  vptr__error_try();
  while ((status = vptr__prepare(it)) == VPTR_ERROR_OUT_OF_DEVICE_MEMORY && vptr__heap_anew_again(&anew))
    end_launch(it, stream, &status);
  vptr__heap_anew_end();
  return vptr__error_tried(status);
}

VPTR__APART static vptr_status prepare_apart(vptr__preparation *it, vptr__stream *stream) {
  vptr__kernel *apart;
  vptr_status status = vptr__apart_kernel(it->function, it->kernel, &apart);
  if (status != VPTR_SUCCESS)
    return status;
  end_launch(it, stream, &status);
  it->kernel = apart;
  return vptr__prepare(it);
}

VPTR__HOT static inline vptr_status launch_held(vptr__function *function, vptr__stream *stream,
                                                vptr__launch *launch) {
  vptr__preparation it;
  it.function = function;
  it.launch = launch;
  vptr_status status = choose_kernel(function, vptr__stream_mapper(stream), launch, &it.kernel);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__prepare(&it);
  if (__builtin_expect(it.lies_apart, 0))
    status = prepare_apart(&it, stream);
  if (__builtin_expect(status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY, 0) &&
      vptr__heap_may_try_anew(it.kernel->mapper->heap))
    status = prepare_anew(&it, stream);
  if (status == VPTR_SUCCESS)
    status = it.use_count > 0 || it.grid_memory != NULL ? send_managed(&it, stream) : send_prepared(&it, stream);
  end_launch(&it, stream, &status);
  return status;
}

/* Addresses, and what was built, are of one device. */
VPTR__HOT static inline vptr_status launch_now(vptr__function *function, vptr__stream *stream, vptr__launch *launch) {
  const vptr__device *device = vptr__stream_mapper(stream)->device;
  if (__builtin_expect(device->proxy == NULL, 1))
    return launch_held(function, stream, launch);
  vptr__device_hold(device);
  vptr_status status = launch_held(function, stream, launch);
  vptr__device_let_go(device);
  return status;
}

_Atomic(vptr__launch_watcher *) vptr__launch_watched;

vptr_status vptr__function_send(vptr__function *function, vptr__stream *stream, vptr__launch *launch) {
  return launch_now(function, stream, launch);
}

VPTR__HOT vptr_status vptr__function_launch(vptr__function *function, vptr__stream *stream, vptr__launch *launch) {
  vptr__launch_watcher *watcher = atomic_load_explicit(&vptr__launch_watched, memory_order_relaxed);
  if (__builtin_expect(watcher != NULL, 0))
    return watcher(function, stream, launch);
  return launch_now(function, stream, launch);
}
