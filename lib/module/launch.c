/* SPDX-License-Identifier: MIT */
/*
 * launch - from a launch's arguments to a kernel in a stream's queue.
 *
 *     prepare    copy the arguments as CUDA lays them out, resolve every pointer, find variables    may fail, sends nothing
 *     set        give the kernel what has changed since its last launch                             under the kernel's lock
 *     send       between vptr__stream_begin() and _end(), with managed variables around it
 *
 * All that may fail for a reason of the caller's is in the first step, before anything is sent. The kernel object is one for all
 * threads, so its lock is held from the first argument to the enqueue; it is taken inside begin and end, where no lock of
 * the stream's is held.
 */
#include "module/state.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

enum { BLOCK_ROOM = 512, POINTER_ROOM = 24, LEAST_SHARED = 16 };

/* A launch on its way. */
typedef struct preparation {
  vptr__function *function;
  vptr__kernel *kernel;
  const vptr__launch *launch;
  unsigned char *block; /* the parameters as CUDA lays them out, pointers as addresses where there are any */
  vptr__pointer_meaning *meanings; /* of params that are pointers, and of hidden variables, in order */
  uint32_t meaning_count;
  vptr__pointer_meaning spill; /* where the block lies on the device, if it is spilled */
  void *spill_memory;
  _Alignas(16) unsigned char block_room[BLOCK_ROOM];
  vptr__pointer_meaning meaning_room[POINTER_ROOM];
} preparation;

/* ---- asserts -------------------------------------------------------------------------------------------- */

/* A word on each device that a failed assert writes to, and its copy here. */
typedef struct assert_word {
  struct assert_word *next;
  vptr_mapper *mapper;
  _Atomic(int32_t) seen; /* written by the driver, behind each kernel that may fail so */
} assert_word;

static vptr__lock words_lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static _Atomic(assert_word *) words;

static assert_word *find_word(const vptr_mapper *mapper) {
  assert_word *word = atomic_load_explicit(&words, memory_order_acquire);
  while (word != NULL && word->mapper != mapper)
    word = word->next;
  return word;
}

static vptr_status get_word(vptr_mapper *mapper, assert_word **word_out) {
  assert_word *word = find_word(mapper);
  if (word == NULL) {
    assert_word *made = vptr__memory_calloc(1, sizeof *made);
    if (made == NULL)
      return vptr__error_host_memory(sizeof *made);
    made->mapper = mapper;
    vptr__lock_take(&words_lock);
    word = find_word(mapper);
    if (word == NULL) {
      made->next = atomic_load(&words);
      atomic_store_explicit(&words, made, memory_order_release);
      word = made;
      made = NULL;
    }
    vptr__lock_give(&words_lock);
    vptr__memory_free(made);
  }
  const vptr__variable variable = { .key = word, .name = "assert", .size = sizeof word->seen };
  vptr_status status = vptr__variable_register(&variable);
  *word_out = word;
  return status == VPTR_ERROR_BUSY ? VPTR_SUCCESS : status;
}

bool vptr__launch_failed_assert(vptr_mapper *mapper) {
  const assert_word *word = find_word(mapper);
  return word != NULL && atomic_load(&word->seen) != 0;
}

void vptr__launch_forget_asserts(vptr_mapper *mapper) {
  assert_word *word = find_word(mapper);
  if (word == NULL)
    return;
  vptr__variable_forget(word);
  atomic_store(&word->seen, 0);
}

static vptr_status pull_word(vptr_mapper *mapper, vptr__stream *stream, cl_command_queue queue) {
  vptr__device *device = mapper->device;
  assert_word *word = find_word(mapper);
  vptr_location location;
  void *memory;
  cl_event event = NULL;
  vptr_status status = vptr__variable_address(word, mapper, &memory);
  if (status == VPTR_SUCCESS)
    status = vptr__heap_retain(mapper->heap, memory, sizeof word->seen, &location);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__stream_expect(stream);
  if (status == VPTR_SUCCESS)
    status = device->ops->enqueue_read(device, queue, location.buffer, location.buffer_offset, (void *)&word->seen,
                                       sizeof word->seen, &event);
  vptr__stream_note(stream, event);
  device->ops->buffer_release(device, location.buffer);
  return status;
}

/* ---- preparing ------------------------------------------------------------------------------------------ */

static vptr_status make_room(preparation *it) {
  const vptr__image_kernel *image = it->function->image;
  size_t pointers = (size_t)image->param_count + image->hidden_count;
  it->block = it->block_room;
  it->meanings = it->meaning_room;
  if (image->parameter_bytes > BLOCK_ROOM)
    it->block = vptr__memory_calloc(image->parameter_bytes, 1);
  if (pointers > POINTER_ROOM)
    it->meanings = vptr__memory_calloc(pointers, sizeof *it->meanings);
  return it->block != NULL && it->meanings != NULL ? VPTR_SUCCESS : vptr__error_host_memory(image->parameter_bytes);
}

static void clear(preparation *it) {
  vptr__device *device = it->kernel->mapper->device;
  for (uint32_t i = 0; i < it->meaning_count; i++)
    if (it->meanings[i].buffer != NULL)
      device->ops->buffer_release(device, it->meanings[i].buffer);
  if (it->block != it->block_room)
    vptr__memory_free(it->block);
  if (it->meanings != it->meaning_room)
    vptr__memory_free(it->meanings);
}

static vptr_status check_arguments(const preparation *it) {
  const vptr__launch *launch = it->launch;
  const vptr__image_kernel *image = it->function->image;
  if (launch->arguments == NULL && launch->packed == NULL && image->param_count > 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: kernel %s has %u parameters, and there are no arguments",
                       launch->what, image->name, image->param_count);
  if (launch->arguments == NULL && launch->packed_size < image->parameter_bytes)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: kernel %s takes %u bytes of parameters, and was given %zu",
                       launch->what, image->name, image->parameter_bytes, launch->packed_size);
  for (uint32_t i = 0; launch->arguments != NULL && i < image->param_count; i++)
    if (launch->arguments[i] == NULL)
      return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: kernel %s: the address of argument %u of %u is NULL",
                         launch->what, image->name, i, image->param_count);
  return VPTR_SUCCESS;
}

static vptr_status resolve(preparation *it, uint32_t index, const void *ptr, vptr__pointer_meaning *meaning_out) {
  return vptr__pointer_resolve(it->kernel->program, it->launch->what, index, ptr, meaning_out);
}

/* A pointer inside a value can only be a number. */
static vptr_status replace(preparation *it, uint32_t index, unsigned char *at) {
  vptr__pointer_meaning meaning;
  void *ptr;
  memcpy(&ptr, at, sizeof ptr);
  vptr_status status = resolve(it, index, ptr, &meaning);
  if (status != VPTR_SUCCESS)
    return status;
  if (meaning.buffer != NULL) {
    vptr__device *device = it->kernel->mapper->device;
    device->ops->buffer_release(device, meaning.buffer);
    return vptr__error(
        VPTR_ERROR_UNSUPPORTED,
        "%s: argument %u of kernel %s has a pointer in it, and %s tells no addresses; pass the pointer "
        "as an argument of its own",
        it->launch->what, index, it->function->image->name, device->name);
  }
  memcpy(at, &meaning.address, sizeof meaning.address);
  return VPTR_SUCCESS;
}

static vptr_status prepare_pointer(preparation *it, uint32_t index, unsigned char *at) {
  vptr__pointer_meaning *meaning = &it->meanings[it->meaning_count];
  void *ptr;
  memcpy(&ptr, at, sizeof ptr);
  vptr_status status = resolve(it, index, ptr, meaning);
  if (status != VPTR_SUCCESS)
    return status;
  it->meaning_count++;
  memcpy(at, &meaning->address, sizeof meaning->address);
  return VPTR_SUCCESS;
}

static vptr_status prepare_param(preparation *it, uint32_t index) {
  const vptr__image_param *param = &it->function->image->params[index];
  const vptr__launch *launch = it->launch;
  unsigned char *at = it->block + param->offset;
  memcpy(at,
         launch->arguments != NULL ? launch->arguments[index] : (const unsigned char *)launch->packed + param->offset,
         param->size);
  if (param->kind == VPTR__PARAM_POINTER)
    return prepare_pointer(it, index, at);
  vptr_status status = VPTR_SUCCESS;
  for (uint32_t i = 0; i < param->pointer_count && status == VPTR_SUCCESS; i++)
    status = replace(it, index, at + param->pointers[i]);
  return status;
}

/* What a hidden parameter points to, if it points. */
static vptr_status find_hidden(preparation *it, const vptr__image_param *param, void **ptr_out) {
  vptr_mapper *mapper = it->kernel->mapper;
  const vptr__module *module = it->function->module;
  assert_word *word;
  *ptr_out = NULL;
  vptr_status status = VPTR_SUCCESS;
  switch (param->kind) {
  case VPTR__PARAM_STATUS:
    status = get_word(mapper, &word);
    return status == VPTR_SUCCESS ? vptr__variable_address(word, mapper, ptr_out) : status;
  case VPTR__PARAM_VARIABLE:
    if (module->keys[param->variable] == NULL)
      return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: kernel %s uses variable %s, which nothing defines",
                         it->launch->what, it->function->image->name, module->image->variables[param->variable].name);
    return vptr__variable_address(module->keys[param->variable], mapper, ptr_out);
  default:
    return VPTR_SUCCESS;
  }
}

static vptr_status prepare_hidden(preparation *it, uint32_t hidden) {
  const vptr__image_kernel *image = it->function->image;
  const vptr__image_param *param = &image->params[image->param_count + hidden];
  void *ptr;
  vptr_status status = find_hidden(it, param, &ptr);
  if (status != VPTR_SUCCESS || ptr == NULL)
    return status;
  status = resolve(it, image->param_count + hidden, ptr, &it->meanings[it->meaning_count]);
  it->meaning_count += status == VPTR_SUCCESS;
  return status;
}

static vptr_status prepare(preparation *it) {
  const vptr__image_kernel *image = it->function->image;
  vptr_status status = check_arguments(it);
  if (status == VPTR_SUCCESS)
    status = make_room(it);
  for (uint32_t i = 0; i < image->param_count && status == VPTR_SUCCESS; i++)
    status = prepare_param(it, i);
  for (uint32_t i = 0; i < image->hidden_count && status == VPTR_SUCCESS; i++)
    status = prepare_hidden(it, i);
  if (status == VPTR_SUCCESS && it->kernel->is_spilled)
    status = vptr__spill(it->kernel, it->launch->what, image, it->block, &it->spill_memory, &it->spill);
  return status;
}

/* ---- setting -------------------------------------------------------------------------------------------- */

/* Whether an argument is this number already; if not, it is forgotten until set_number() says that it is. */
static bool is_set(vptr__kernel *kernel, cl_uint index, uint64_t value) {
  vptr__argument_memory *memory = &kernel->memory[index];
  bool same = memory->is_known && memory->value == value;
  memory->is_known = same;
  return same;
}

static void remember(vptr__kernel *kernel, cl_uint index, uint64_t value, vptr_status status) {
  kernel->memory[index] = (vptr__argument_memory){ value, status == VPTR_SUCCESS };
}

static vptr_status set_value(vptr__kernel *kernel, cl_uint index, const void *value, size_t size) {
  vptr__device *device = kernel->mapper->device;
  uint64_t number = 0;
  if (size > sizeof number)
    return device->ops->arg_value(device, kernel->kernel, index, value, size);
  memcpy(&number, value, size);
  if (is_set(kernel, index, number))
    return VPTR_SUCCESS;
  vptr_status status = device->ops->arg_value(device, kernel->kernel, index, value, size);
  remember(kernel, index, number, status);
  return status;
}

static vptr_status set_address(vptr__kernel *kernel, cl_uint index, uint64_t address) {
  vptr__device *device = kernel->mapper->device;
  if (is_set(kernel, index, address))
    return VPTR_SUCCESS;
  vptr_status status = address == 0 ? device->ops->arg_buffer(device, kernel->kernel, index, NULL)
                                    : device->ops->arg_address(device, kernel->kernel, index, address);
  remember(kernel, index, address, status);
  return status;
}

static vptr_status set_pointer(vptr__kernel *kernel, cl_uint *index, const vptr__pointer_meaning *meaning) {
  vptr__device *device = kernel->mapper->device;
  if (kernel->program->has_addresses)
    return set_address(kernel, (*index)++, meaning->address);
  const cl_ulong offset = meaning->offset;
  vptr_status status = device->ops->arg_buffer(device, kernel->kernel, (*index)++, meaning->buffer);
  return status == VPTR_SUCCESS ? set_value(kernel, (*index)++, &offset, sizeof offset) : status;
}

static vptr_status set_shared(vptr__kernel *kernel, cl_uint index, size_t shared) {
  vptr__device *device = kernel->mapper->device;
  size_t size = shared > LEAST_SHARED ? shared : LEAST_SHARED;
  if (is_set(kernel, index, size))
    return VPTR_SUCCESS;
  vptr_status status = device->ops->arg_local(device, kernel->kernel, index, size);
  remember(kernel, index, size, status);
  return status;
}

static vptr_status set_params(const preparation *it, cl_uint *index, uint32_t *meaning) {
  const vptr__image_kernel *image = it->function->image;
  vptr_status status = VPTR_SUCCESS;
  if (it->kernel->is_spilled) {
    for (uint32_t i = 0; i < image->param_count; i++)
      *meaning += image->params[i].kind == VPTR__PARAM_POINTER;
    return set_pointer(it->kernel, index, &it->spill);
  }
  for (uint32_t i = 0; i < image->param_count && status == VPTR_SUCCESS; i++) {
    const vptr__image_param *param = &image->params[i];
    status = param->kind == VPTR__PARAM_POINTER
                 ? set_pointer(it->kernel, index, &it->meanings[(*meaning)++])
                 : set_value(it->kernel, (*index)++, it->block + param->offset, param->size);
  }
  return status;
}

static vptr_status set_all(const preparation *it) {
  const vptr__image_kernel *image = it->function->image;
  cl_uint index = 0;
  uint32_t meaning = 0;
  vptr_status status = set_params(it, &index, &meaning);
  for (uint32_t i = 0; i < image->hidden_count && status == VPTR_SUCCESS; i++)
    status = image->params[image->param_count + i].kind == VPTR__PARAM_SHARED
                 ? set_shared(it->kernel, index++, it->launch->shared)
                 : set_pointer(it->kernel, &index, &it->meanings[meaning++]);
  return status;
}

/* ---- sending -------------------------------------------------------------------------------------------- */

static vptr_status enqueue(const preparation *it, cl_command_queue queue, cl_event *event_out) {
  vptr__kernel *kernel = it->kernel;
  vptr__device *device = kernel->mapper->device;
  const vptr__launch *launch = it->launch;
  const size_t offset[3] = { 0, 0, 0 };
  size_t global[3], local[3];
  for (int i = 0; i < 3; i++) {
    local[i] = launch->block[i];
    global[i] = local[i] * launch->grid[i];
  }
  vptr__lock_take(&kernel->lock);
  vptr_status status = set_all(it);
  if (status == VPTR_SUCCESS)
    status = device->ops->enqueue_kernel(device, queue, kernel->kernel, offset, global, local, event_out);
  vptr__lock_give(&kernel->lock);
  return status;
}

static bool may_assert(const vptr__image_kernel *image) {
  for (uint32_t i = 0; i < image->hidden_count; i++)
    if (image->params[image->param_count + i].kind == VPTR__PARAM_STATUS)
      return true;
  return false;
}

static vptr_status send(const preparation *it, vptr__stream *stream, bool is_managed) {
  cl_command_queue queue;
  cl_event event = NULL;
  vptr_status status = vptr__stream_begin(stream, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  if (is_managed)
    status = vptr__managed_push(it->function, stream, queue);
  if (status == VPTR_SUCCESS)
    status = vptr__stream_expect(stream);
  if (status == VPTR_SUCCESS)
    status = enqueue(it, queue, &event);
  vptr__stream_note(stream, event);
  if (status == VPTR_SUCCESS && is_managed)
    status = vptr__managed_pull(it->function, stream, queue);
  if (status == VPTR_SUCCESS && may_assert(it->function->image))
    status = pull_word(it->kernel->mapper, stream, queue);
  vptr__stream_end(stream);
  return status;
}

/* Ordered on the device behind the last kernel that used managed variables. */
static vptr_status send_managed(const preparation *it, vptr__stream *stream) {
  vptr__managed_lock();
  vptr_status status = vptr__managed_order(stream);
  if (status == VPTR_SUCCESS)
    status = send(it, stream, true);
  if (status == VPTR_SUCCESS)
    status = vptr__managed_mark(stream);
  vptr__managed_unlock();
  return status;
}

vptr_status vptr__function_launch(vptr__function *function, vptr__stream *stream, vptr__launch *launch) {
  preparation it;
  it.function = function;
  it.launch = launch;
  it.meaning_count = 0;
  it.spill_memory = NULL;
  vptr_status status = vptr__kernel_get(function, vptr__stream_mapper(stream), &it.kernel);
  if (status == VPTR_SUCCESS)
    status = vptr__launch_check(function, it.kernel, launch);
  if (status != VPTR_SUCCESS)
    return status;
  it.block = it.block_room;
  it.meanings = it.meaning_room;
  status = prepare(&it);
  if (status == VPTR_SUCCESS)
    status = vptr__function_uses_managed(function) ? send_managed(&it, stream) : send(&it, stream, false);
  if (it.spill_memory != NULL)
    vptr__spill_end(it.kernel->mapper, it.spill_memory, stream);
  clear(&it);
  return status;
}
