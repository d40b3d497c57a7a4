/* SPDX-License-Identifier: MIT */
/*
 * child - launches that kernels ask for, which the host makes when the kernel is over.
 *
 *     stream   --parent--[ before ]=========================[ barrier ]--later work--
 *     aside                  read its room, launch, wait          ^
 *     own stream                        --child--child--tail child-
 *
 * Each launch of a kernel that launches has a room, whose address is the hidden variable vptr_children: a head, and
 * records that the parent's threads took by an atomic count (preprocessor/headers/cuda_runtime.h of the translator):
 *
 *     head      0 launches that were asked for   4 how many fit   8 bytes from one record to the next
 *     record    0 number of the kernel in its module   4 whether it is a tail launch   8 grid   20 block
 *               32 dynamic shared memory              64 the arguments, as CUDA lays them out, with the host's pointers
 *
 * When the parent is over, a thread of the library's launches what is there in the order of the records, tail
 * launches last, on a stream that nothing else uses; a child that launches is waited for, and its own records come
 * before the next child. So all orders hold that CUDA promises. The parent's stream is shut until all is over
 * (vptr__stream_aside()).
 *
 * Managed variables that any kernel of the module names are the parent's: its launch brings them, and takes them back
 * behind all of this (launch.c), in the order that managed.c has, of which children know nothing.
 *
 * What cannot be launched fails the parent's stream with VPTR__CUDA_CODE(), once, and is said in words in the log; the
 * other children run. A family is made for each parent that the host launches, and freed when all below it are over;
 * the rooms are room.c's. The thread that launches may not wait for the device, nor take a lock that is held while
 * somebody does: so what would wait, a queue and the content of variables, is made when the parent is prepared.
 *
 * Data: the static `pending_of`, which is atomic, has for each device one more than the number of records in a room, or
 * 0: as many as usual. The static `streams` has the stream of each device for children; the stream itself ends with all
 * of its mapper's. The static `lock`, of rank LEAF, guards `streams`, and is held for looks and changes alone.
 *
 * Called by prepare.c for kernels that launch, by launch.c, which sends, and by managed_pointer.c; and by
 * cudart/cuda/setting.c, which sets the limit. What runs aside is handed to stream/host.c. To allocate may wait, on a
 * full device.
 */
#include "module/state.h"

#include "base/error.h"
#include "base/limit.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/number.h"
#include "device/completion.h"
#include "module/room.h"

#include <string.h>

enum { UNIT = 64, USUAL_PENDING = 2048, MOST_LEVELS = 24 };

typedef struct child_head {
  uint32_t asked, most, stride;
  unsigned char rest[UNIT - 12];
} child_head;

typedef struct child_record {
  uint32_t kernel, is_tail, grid[3], block[3], shared[2];
  unsigned char rest[UNIT - 40];
} child_record;
_Static_assert(sizeof(child_head) == UNIT && sizeof(child_record) == UNIT, "what kernels write");

/* A parent that the host launches, and all below it. */
typedef struct vptr__family {
  vptr_mapper *mapper;
  vptr__module *module;
  vptr__stream *parent; /* shut meanwhile, so alive */
  vptr__stream *own;
  void *room;
  cl_event end;            /* that the host completes: managed memory is used up to it; NULL: none is */
  vptr__managed_use *uses; /* managed variables that the parent's launch has brought */
  uint32_t use_count;
} family;

/* On which all children of a device's kernels are launched. */
typedef struct own_stream {
  vptr_mapper *mapper; /* NULL: there was none yet */
  vptr__stream *stream;
  uint64_t id;
} own_stream;

static atomic_size_t pending_of[VPTR__MOST_DEVICES];
static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static own_stream streams[VPTR__MOST_DEVICES];

void vptr__child_limit(int ordinal, size_t pending) {
  atomic_store(&pending_of[ordinal], pending + 1);
}

void vptr__child_forget_limit(int ordinal) {
  atomic_store(&pending_of[ordinal], 0);
}

static uint32_t most_records(const vptr_mapper *mapper) {
  size_t set = atomic_load(&pending_of[mapper->device->ordinal]);
  size_t most = set > 0 ? set - 1 : USUAL_PENDING;
  return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
}

/* Any kernel of the module may be launched. */
static uint32_t record_bytes(const vptr__module_image *image) {
  uint32_t bytes = 0;
  for (uint32_t i = 0; i < image->kernel_count; i++)
    if (image->kernels[i].parameter_bytes > bytes)
      bytes = image->kernels[i].parameter_bytes;
  return UNIT + (uint32_t)vptr__align_up(bytes, UNIT);
}

/* ---- streams --------------------------------------------------------------------------------------------- */

/* A device's, as long as it lives: it ends with its mapper's streams. */
static bool is_still_there(const own_stream *own, const vptr_mapper *mapper) {
  return own->mapper == mapper && vptr__stream_is_live(own->stream) && vptr__stream_id(own->stream) == own->id;
}

static bool find_own(vptr_mapper *mapper, vptr__stream **stream_out) {
  vptr__lock_take(&lock);
  own_stream own = streams[mapper->device->ordinal];
  vptr__lock_give(&lock);
  if (!is_still_there(&own, mapper))
    return false;
  *stream_out = own.stream;
  return true;
}

/* False: another thread was faster. */
static bool keep_own(vptr_mapper *mapper, vptr__stream *made) {
  own_stream *own = &streams[mapper->device->ordinal];
  vptr__lock_take(&lock);
  bool is_first = !is_still_there(own, mapper);
  if (is_first)
    *own = (own_stream){ mapper, made, vptr__stream_id(made) };
  vptr__lock_give(&lock);
  return is_first;
}

/* Made by who launches the parent: a queue cannot be made, nor ended, where it might wait for the parent's. */
static vptr_status get_own(vptr_mapper *mapper, vptr__stream **stream_out) {
  vptr__stream *made;
  if (find_own(mapper, stream_out))
    return VPTR_SUCCESS;
  vptr_status status = vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &made);
  if (status != VPTR_SUCCESS)
    return status;
  if (!keep_own(mapper, made)) {
    vptr__stream_destroy(made);
    return get_own(mapper, stream_out);
  }
  *stream_out = made;
  return VPTR_SUCCESS;
}

/* ---- what a parent needs --------------------------------------------------------------------------------- */

/* A child that prints has it at once. */
static vptr_status make_ring(const vptr__preparation *it) {
  const vptr__module_image *image = it->function->module->image;
  bool is_plain, prints = false;
  void *memory;
  for (uint32_t i = 0; i < image->kernel_count; i++)
    for (uint32_t k = 0; k < image->kernels[i].hidden_count; k++)
      prints |= image->kernels[i].params[image->kernels[i].param_count + k].kind == VPTR__PARAM_PRINTS;
  return prints ? vptr__print_room(it->kernel->mapper, it->kernel->program->has_addresses, &is_plain, &memory)
                : VPTR_SUCCESS;
}

/* Variables get their memory and their content on a device by commands that are waited for, which a child's launch must
 * not have to. */
static vptr_status make_variables(const vptr__preparation *it) {
  const vptr__module *module = it->function->module;
  const vptr__module_image *image = module->image;
  vptr_mapper *mapper = it->kernel->mapper;
  vptr_status status = VPTR_SUCCESS;
  void *memory;
  const void *key;
  for (uint32_t i = 0; i < image->variable_count && status == VPTR_SUCCESS; i++) {
    status = vptr__prepare_key(module, i, mapper->device->ordinal, &key);
    if (status == VPTR_SUCCESS && key != NULL)
      status = vptr__variable_address(key, mapper, &memory);
  }
  if (status == VPTR_SUCCESS)
    status = vptr__assert_key(mapper, &key);
  if (status == VPTR_SUCCESS)
    status = vptr__variable_address(key, mapper, &memory);
  return status == VPTR_SUCCESS ? make_ring(it) : status;
}

static vptr_status make_family(vptr_mapper *mapper, vptr__module *module, family **made_out) {
  vptr__stream *own;
  vptr_status status = get_own(mapper, &own);
  if (status != VPTR_SUCCESS)
    return status;
  family *made = vptr__memory_calloc(1, sizeof *made);
  if (made == NULL)
    return vptr__error_host_memory(sizeof *made);
  *made = (family){ .mapper = mapper, .module = module, .own = own };
  *made_out = made;
  return VPTR_SUCCESS;
}

/* ---- the room -------------------------------------------------------------------------------------------- */

static vptr_status make_room(vptr__preparation *it) {
  vptr_mapper *mapper = it->kernel->mapper;
  it->child_most = most_records(mapper);
  it->child_stride = record_bytes(it->function->module->image);
  return vptr__room_take(mapper, UNIT + (size_t)it->child_most * it->child_stride, &it->child_memory);
}

vptr_status vptr__child_room(vptr__preparation *it) {
  vptr_status status = VPTR_SUCCESS;
  if (it->launch->child_room_out == NULL)
    status = make_variables(it);
  if (status == VPTR_SUCCESS && it->launch->child_room_out == NULL)
    status = make_family(it->kernel->mapper, it->function->module, &it->family);
  return status == VPTR_SUCCESS ? make_room(it) : status;
}

vptr_status vptr__child_send(const vptr__preparation *it, vptr__stream *stream, cl_command_queue queue) {
  vptr_mapper *mapper = it->kernel->mapper;
  vptr__device *device = mapper->device;
  const child_head head = { .most = it->child_most, .stride = it->child_stride };
  vptr_location location;
  cl_event event = NULL;
  vptr_status status = vptr__heap_retain(mapper->heap, it->child_memory, 1, &location);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__stream_expect(stream);
  if (status == VPTR_SUCCESS)
    status = device->ops->transfer.enqueue_fill(device, queue, location.buffer, location.buffer_offset, sizeof head,
                                                &head, sizeof head, &event);
  vptr__stream_note(stream, event);
  device->ops->memory.release(device, location.buffer);
  return status;
}

/* ---- what cannot be launched ----------------------------------------------------------------------------- */

enum { /* CUDA's numbers */
       ERROR_INVALID_VALUE = 1,
       ERROR_MEMORY_ALLOCATION = 2,
       ERROR_INVALID_CONFIGURATION = 9,
       ERROR_MAX_DEPTH_EXCEEDED = 65,
       ERROR_PENDING_COUNT_EXCEEDED = 69,
       ERROR_NO_KERNEL_IMAGE = 209,
       ERROR_NOT_SUPPORTED = 801
};

static cl_int code_of(vptr_status status, vptr__launch_fault fault) {
  if (status == VPTR_ERROR_OPENCL)
    return vptr_last_cl_error();
  if (status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY || status == VPTR_ERROR_OUT_OF_HOST_MEMORY)
    return VPTR__CUDA_CODE(ERROR_MEMORY_ALLOCATION);
  if (fault == VPTR__LAUNCH_BUILD)
    return VPTR__CUDA_CODE(ERROR_NO_KERNEL_IMAGE);
  if (fault != VPTR__LAUNCH_FITS)
    return VPTR__CUDA_CODE(ERROR_INVALID_CONFIGURATION);
  return VPTR__CUDA_CODE(status == VPTR_ERROR_UNSUPPORTED ? ERROR_NOT_SUPPORTED : ERROR_INVALID_VALUE);
}

static void fail_parent(const family *it, vptr_status status, vptr__launch_fault fault) {
  if (status != VPTR_SUCCESS)
    vptr__stream_fail(it->parent, code_of(status, fault));
}

static void refuse_overflow(const family *it, const child_head *head) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
              "a grid asked for %u launches by kernels, and %u are kept: raise cudaLimitDevRuntimePendingLaunchCount "
              "by cudaDeviceSetLimit(), or launch fewer; the first %u were launched",
              head->asked, head->most, head->most);
  vptr__stream_fail(it->parent, VPTR__CUDA_CODE(ERROR_PENDING_COUNT_EXCEEDED));
}

static void refuse_level(const family *it, uint32_t count) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
              "%u launches by a kernel are more than %d levels below the host's launch, and were left out: end the "
              "recursion before",
              count, MOST_LEVELS);
  vptr__stream_fail(it->parent, VPTR__CUDA_CODE(ERROR_MAX_DEPTH_EXCEEDED));
}

/* ---- reading --------------------------------------------------------------------------------------------- */

/* Behind what the family's stream has, and waits for it. */
static vptr_status read_room(const family *it, const void *room, size_t at, void *to, size_t bytes) {
  vptr__device *device = it->mapper->device;
  cl_command_queue queue;
  vptr_location location;
  cl_event event = NULL;
  vptr_status status = vptr__heap_retain(it->mapper->heap, room, at + bytes, &location);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__stream_begin(it->own, &queue);
  if (status == VPTR_SUCCESS) {
    status = device->ops->transfer.enqueue_read(device, queue, location.buffer, location.buffer_offset + at, to,
                                                bytes, &event);
    vptr__stream_note(it->own, event);
    vptr__stream_end(it->own);
  }
  device->ops->memory.release(device, location.buffer);
  return status == VPTR_SUCCESS ? vptr__stream_synchronize(it->own) : status;
}

static vptr_status read_records(const family *it, const void *room, child_head *head_out,
                                unsigned char **records_out) {
  vptr_status status = read_room(it, room, 0, head_out, sizeof *head_out);
  size_t bytes = (size_t)vptr__smaller(head_out->asked, head_out->most) * head_out->stride;
  *records_out = NULL;
  if (status != VPTR_SUCCESS || bytes == 0)
    return status;
  unsigned char *records = vptr__memory_calloc(bytes, 1);
  if (records == NULL)
    return vptr__error_host_memory(bytes);
  status = read_room(it, room, UNIT, records, bytes);
  if (status == VPTR_SUCCESS)
    *records_out = records;
  else
    vptr__memory_free(records);
  return status;
}

/* ---- launching ------------------------------------------------------------------------------------------- */

static void launch_room(const family *it, void *room, int level);

static void launch_record(const family *it, const unsigned char *bytes, int level) {
  child_record record;
  memcpy(&record, bytes, sizeof record);
  if (record.kernel >= it->module->image->kernel_count) {
    fail_parent(it, vptr__error(VPTR_ERROR_CORRUPT, "a record of a launch by a kernel was overwritten"),
                VPTR__LAUNCH_FITS);
    return;
  }
  vptr__function *function = &it->module->functions[record.kernel];
  void *room = NULL;
  vptr__launch launch = { .what = "a launch by a kernel",
                          .shared = record.shared[0] | (size_t)record.shared[1] << 32,
                          .packed = bytes + UNIT,
                          .packed_size = function->image->parameter_bytes,
                          .child_room_out = &room,
                          .family = it };
  memcpy(launch.grid, record.grid, sizeof launch.grid);
  memcpy(launch.block, record.block, sizeof launch.block);
  vptr_status status = vptr__function_launch(function, it->own, &launch);
  fail_parent(it, status, launch.fault);
  if (room != NULL)
    launch_room(it, room, level + 1);
}

static void launch_records(const family *it, const unsigned char *records, uint32_t count, size_t stride, int level) {
  for (uint32_t tail = 0; tail < 2; tail++)
    for (uint32_t i = 0; i < count; i++) {
      child_record record;
      memcpy(&record, records + i * stride, sizeof record);
      if (record.is_tail == tail)
        launch_record(it, records + i * stride, level);
    }
}

/* What the grid that has this room has launched; it has the level before. */
static void launch_room(const family *it, void *room, int level) {
  child_head head = { .asked = 0 };
  unsigned char *records;
  vptr_status status = read_records(it, room, &head, &records);
  vptr__room_give(it->mapper, room); /* that was read, behind all that used it */
  fail_parent(it, status, VPTR__LAUNCH_FITS);
  if (status != VPTR_SUCCESS)
    return;
  if (head.asked > head.most)
    refuse_overflow(it, &head);
  uint32_t count = head.asked < head.most ? head.asked : head.most;
  if (count > 0 && level > MOST_LEVELS)
    refuse_level(it, count);
  else
    launch_records(it, records, count, head.stride, level);
  vptr__memory_free(records);
}

static void end_family(family *it) {
  vptr__device *device = it->mapper->device;
  if (it->end != NULL) {
    vptr__completion_give(device, it->end, CL_COMPLETE);
    device->ops->event.release(device, it->end);
  }
  vptr__memory_free(it->uses);
  vptr__memory_free(it);
}

/* Whatever failed before is not the parent's alone, and a kernel that went astray has left no device that could be
 * read. */
static void run_family(vptr_status before, void *context) {
  family *it = context;
  (void)before;
  launch_room(it, it->room, 1);
  fail_parent(it, vptr__stream_synchronize(it->own), VPTR__LAUNCH_FITS);
  end_family(it);
}

vptr_status vptr__child_aside(vptr__preparation *it, vptr__stream *stream) {
  it->family->parent = stream;
  it->family->room = it->child_memory;
  vptr_status status = vptr__stream_aside(stream, run_family, it->family);
  it->is_aside = status == VPTR_SUCCESS;
  return status;
}

void vptr__child_follow(vptr__preparation *it, vptr__stream *stream, vptr_status *status) {
  if (*status == VPTR_SUCCESS && it->family == NULL)
    *it->launch->child_room_out = it->child_memory;
  else if (*status == VPTR_SUCCESS && !it->is_aside)
    *status = vptr__child_aside(it, stream);
  if (it->family != NULL)
    vptr__room_free_surplus(it->kernel->mapper, stream);
  if (*status == VPTR_SUCCESS || it->is_aside)
    return;
  if (it->child_memory != NULL)
    vptr__spill_end(it->kernel->mapper, it->child_memory, stream);
  if (it->family == NULL)
    return;
  if (it->family->end != NULL && vptr__stream_synchronize(stream) != VPTR_SUCCESS) /* the parent may be under way */
    vptr__stream_fail(stream, vptr_last_cl_error());                               /* for who asks next */
  end_family(it->family);
}

/* ---- what a child may use -------------------------------------------------------------------------------- */

static bool is_brought(const family *it, const vptr__managed_use *use) {
  for (uint32_t i = 0; i < it->use_count; i++)
    if (it->uses[i].host == use->host)
      return true;
  return false;
}

/* What the parent's launch has brought takes no part in the order of those that use managed variables: that launch
 * holds their place until all below it is over. For others a child would have to wait, perhaps for what is behind the
 * parent in its stream; and one whose blocks meet has the device alone. */
static vptr_status check_child(vptr__preparation *it) {
  const char *name = it->function->image->name;
  if (it->grid_memory != NULL)
    return vptr__error(VPTR_ERROR_UNSUPPORTED,
                       "%s: blocks of kernel %s wait for each other, which those of a kernel's launch cannot: launch "
                       "it from the host",
                       it->launch->what, name);
  for (uint32_t i = 0; i < it->use_count; i++)
    if (!is_brought(it->launch->family, &it->uses[i]))
      return vptr__error(
          VPTR_ERROR_UNSUPPORTED,
          "%s: kernel %s is given a __managed__ variable of another module, which the host's launch did "
          "not bring: give a pointer to it to the kernel that the host launches, too",
          it->launch->what, name);
  it->use_count = 0;
  return VPTR_SUCCESS;
}

static vptr_status remember_uses(const vptr__preparation *it) {
  size_t bytes = it->use_count * sizeof *it->uses;
  if (bytes == 0)
    return VPTR_SUCCESS;
  it->family->uses = vptr__memory_calloc(bytes, 1);
  if (it->family->uses == NULL)
    return vptr__error_host_memory(bytes);
  memcpy(it->family->uses, it->uses, bytes);
  it->family->use_count = it->use_count;
  return VPTR_SUCCESS;
}

vptr_status vptr__child_ready(vptr__preparation *it) {
  vptr__device *device = it->kernel->mapper->device;
  if (it->launch->child_room_out != NULL)
    return check_child(it);
  if (it->family == NULL)
    return VPTR_SUCCESS;
  vptr_status status = remember_uses(it);
  if (status != VPTR_SUCCESS || it->managed_pointer_count == 0)
    return status;
  return device->ops->event.create_user(device, &it->family->end);
}

cl_event vptr__child_end(const vptr__preparation *it) {
  return it->family->end;
}
