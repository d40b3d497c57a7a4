/* SPDX-License-Identifier: MIT */
/*
 * prepare - turning a launch's arguments into what the device takes.
 *
 * The parameters are copied as CUDA lays them out, every pointer is resolved, and the module's variables are found or
 * made. Nothing of the launch is sent, and what fails here leaves nothing behind but variables that are on the device
 * from now on. It has no static data and no locks of its own: what it fills is the launch, a vptr__preparation of the
 * calling thread's, whose leases, mirrors and memory vptr__prepare_clear() gives back. address_word.c and print.c,
 * which it calls, take their locks of rank ARRAY; and where a full device had no room at first, launch.c calls it with
 * that of heap/residence.c, of rank LEASE, held. Called by launch.c for each launch, and by child.c, which asks what
 * variables are known by. It may block while the module's variables are first sent to a device.
 */
#include "module/state.h"

#include "base/error.h"
#include "base/hot.h"
#include "base/memory.h"
#include "base/number.h"
#include "pinned/system.h"

#include <string.h>

enum { BLOCK_UNIT = 128 }; /* what module/spill.c sends at a time */

/* ---- room ----------------------------------------------------------------------------------------------- */

/* Most launches need none but what the preparation brings along. */
VPTR__HOT static vptr_status make_room(vptr__preparation *it) {
  const size_t packed = it->kernel->packed_bytes;
  size_t bytes = packed > 0 ? packed : vptr__align_up(it->function->image->parameter_bytes, BLOCK_UNIT);
  size_t pointers = it->kernel->pointers;
  it->block = it->block_room;
  it->meanings = it->meaning_room;
  it->uses = it->some_uses;
  it->use_room = VPTR__USE_ROOM;
  it->managed_pointers = it->some_managed_pointers;
  it->items = it->some_items;
  it->managed_pointer_room = VPTR__MANAGED_POINTER_ROOM;
  if (bytes > VPTR__BLOCK_ROOM)
    it->block = vptr__memory_calloc(bytes, 1);
  if (pointers > VPTR__POINTER_ROOM)
    it->meanings = vptr__memory_calloc(pointers, sizeof *it->meanings);
  if (it->block != NULL && it->kernel->has_gaps) /* the struct is compared with the last one as a whole */
    memset(it->block, 0, packed);
  if (it->block != NULL && it->meanings != NULL)
    return VPTR_SUCCESS;
  return vptr__error_host_memory(bytes + pointers * sizeof *it->meanings);
}

/* ---- the end -------------------------------------------------------------------------------------------- */

VPTR__HOT void vptr__prepare_clear(vptr__preparation *it) {
  if (it->translation != NULL) /* the command that was sent holds it */
    it->kernel->mapper->device->ops->memory.release(it->kernel->mapper->device, it->translation);
  if (it->texels != NULL)
    it->kernel->mapper->device->ops->memory.release(it->kernel->mapper->device, it->texels);
  if (!it->kernel->program->has_addresses)
    for (uint32_t i = 0; i < it->meaning_count; i++)
      vptr__lease_give(&it->meanings[i].lease);
  if (it->lease_count > 0)
    vptr__leases_give(it);
  if (it->block != it->block_room)
    vptr__memory_free(it->block);
  if (it->meanings != it->meaning_room)
    vptr__memory_free(it->meanings);
  if (it->uses != it->some_uses)
    vptr__memory_free(it->uses);
  if (it->managed_pointer_count > 0)
    vptr__managed_pointers_clear(it);
}

/* ---- managed variables ---------------------------------------------------------------------------------- */

static bool grow_uses(vptr__preparation *it) {
  vptr__managed_use *grown = vptr__memory_calloc(2 * (size_t)it->use_room, sizeof *grown);
  if (grown == NULL)
    return false;
  memcpy(grown, it->uses, it->use_count * sizeof *grown);
  if (it->uses != it->some_uses)
    vptr__memory_free(it->uses);
  it->uses = grown;
  it->use_room *= 2;
  return true;
}

static bool has_use(const vptr__preparation *it, const vptr__managed_use *use) {
  for (uint32_t i = 0; i < it->use_count; i++)
    if (it->uses[i].host == use->host)
      return true;
  return false;
}

static vptr_status add_use(vptr__preparation *it, const vptr__managed_use *use) {
  if (has_use(it, use))
    return VPTR_SUCCESS;
  if (it->use_count == it->use_room && !grow_uses(it))
    return vptr__error_host_memory(2 * it->use_room * sizeof *use);
  it->uses[it->use_count++] = *use;
  return VPTR_SUCCESS;
}

/* ---- parameters ----------------------------------------------------------------------------------------- */

VPTR__HOT static vptr_status check_arguments(const vptr__preparation *it) {
  const vptr__launch *launch = it->launch;
  const vptr__image_kernel *image = it->function->image;
  if (launch->arguments == NULL && launch->packed == NULL && image->param_count > 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: kernel %s has %u parameters, and there are no arguments",
                       launch->what, image->name, image->param_count);
  if (launch->arguments == NULL && launch->packed_size < image->parameter_bytes)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: kernel %s takes %u bytes of parameters, and was given %zu",
                       launch->what, image->name, image->parameter_bytes, launch->packed_size);
  if (launch->access_count > image->param_count)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: kernel %s has %u parameters, and there are %zu accesses",
                       launch->what, image->name, image->param_count, launch->access_count);
  for (uint32_t i = 0; launch->arguments != NULL && i < image->param_count; i++)
    if (launch->arguments[i] == NULL)
      return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: kernel %s: the address of argument %u of %u is NULL",
                         launch->what, image->name, i, image->param_count);
  return launch->reaches != NULL ? vptr__reach_check(it) : VPTR_SUCCESS;
}

static void release_meaning(vptr__pointer_meaning *meaning) {
  vptr__lease_give(&meaning->lease);
  if (meaning->mirror != NULL)
    vptr__address_index_leave(meaning->mirror);
}

/* Where a managed variable ends, plain memory may begin that kernels take: the variable's end is meant by a launch
 * that has the variable too, among the arguments before. */
static bool means_plain(const vptr__preparation *it, const vptr__managed_use *use, const void *ptr) {
  return (uintptr_t)ptr - (uintptr_t)use->host == use->size && it->kernel->program->has_addresses &&
         !has_use(it, use) && vptr__system_acquire(it->kernel->mapper, ptr);
}

/* What the launch says of an argument, or else the kernel's text. */
static vptr_access access_of(const vptr__preparation *it, uint32_t index) {
  const vptr__launch *launch = it->launch;
  const vptr__image_kernel *image = it->function->image;
  int declared = index < launch->access_count ? launch->accesses[index] : 0;
  if (declared != 0)
    return (vptr_access)declared;
  const vptr__image_param *param = &image->params[index];
  if (param->kind == VPTR__PARAM_VARIABLE &&
      it->function->module->image->variables[param->variable].kind == VPTR__VARIABLE_CONSTANT)
    return VPTR_ACCESS_READ;
  return index < image->param_count && image->params[index].is_read_only ? VPTR_ACCESS_READ : VPTR_ACCESS_READ_WRITE;
}

VPTR__HOT static vptr_status resolve_pointer(vptr__preparation *it, uint32_t index, const void *ptr,
                                             vptr__pointer_meaning *meaning_out) {
  vptr__managed_use use;
  vptr_status status = vptr__pointer_resolve(it->kernel->program, access_of(it, index), it->launch->what, index, ptr,
                                             meaning_out, &use);
  if (status != VPTR_SUCCESS || use.host == NULL)
    return status;
  if (means_plain(it, &use, ptr)) {
    meaning_out->address = (uintptr_t)ptr;
    return VPTR_SUCCESS;
  }
  status = add_use(it, &use);
  if (status != VPTR_SUCCESS)
    vptr__lease_give(&meaning_out->lease);
  return status;
}

static vptr_status add_mirror(vptr__preparation *it, uint32_t index, const vptr__pointer_meaning *found,
                              unsigned char *at, vptr__pointer_meaning *meaning) {
  return vptr__managed_pointers_add(
      it, found->mirror, access_of(it, index),
      &(vptr__managed_pointer){ .offset = found->offset, .at = at, .meaning = meaning });
}

/* What lies in one of several buffers that lie apart is the host's to the form of a kernel that finds them. */
VPTR__APART static vptr_status place_apart(vptr__preparation *it, uint32_t index, const void *ptr,
                                           unsigned char *at) {
  if (!(it->kernel->program->forms & VPTR__FORMS_APART)) {
    it->lies_apart = true;
    return vptr__apart_has_form(it->function) ? VPTR_ERROR_UNSUPPORTED
                                              : vptr__heap_refuse_apart(it->kernel->mapper->heap, ptr);
  }
  memcpy(at, &ptr, sizeof ptr);
  return vptr__leases_take_parts(it, index, access_of(it, index), ptr);
}

/* The address goes to its place among the parameters, at once or when the memory is acquired. */
static vptr_status place_address(vptr__preparation *it, uint32_t index, const void *ptr, unsigned char *at) {
  vptr__pointer_meaning meaning;
  if (vptr__heap_is_apart(it->kernel->mapper->heap, ptr))
    return place_apart(it, index, ptr, at);
  vptr_status status = resolve_pointer(it, index, ptr, &meaning);
  if (status != VPTR_SUCCESS)
    return status;
  if (meaning.mirror != NULL)
    return add_mirror(it, index, &meaning, at, NULL);
  memcpy(at, &meaning.address, sizeof meaning.address);
  if (meaning.lease.heap == NULL)
    return VPTR_SUCCESS;
  status = vptr__leases_keep(it, &meaning.lease);
  return status == VPTR_SUCCESS ? vptr__leases_take_parts(it, index, access_of(it, index), ptr) : status;
}

static vptr_status keep_pair(vptr__preparation *it, uint32_t index, const void *ptr) {
  vptr__pointer_meaning *meaning = &it->meanings[it->meaning_count];
  vptr_status status = resolve_pointer(it, index, ptr, meaning);
  if (status != VPTR_SUCCESS)
    return status;
  it->meaning_count++;
  return meaning->mirror != NULL ? add_mirror(it, index, meaning, NULL, meaning) : VPTR_SUCCESS;
}

static vptr_status prepare_pointer(vptr__preparation *it, uint32_t index, const void *from, unsigned char *at) {
  void *ptr;
  memcpy(&ptr, from, sizeof ptr);
  return it->kernel->program->has_addresses ? place_address(it, index, ptr, at) : keep_pair(it, index, ptr);
}

/* A pointer inside a value can only be a number. */
static vptr_status replace_pointer(vptr__preparation *it, uint32_t index, unsigned char *at) {
  vptr__pointer_meaning meaning;
  void *ptr;
  memcpy(&ptr, at, sizeof ptr);
  if (it->kernel->program->has_addresses)
    return place_address(it, index, ptr, at);
  vptr_status status = resolve_pointer(it, index, ptr, &meaning);
  if (status != VPTR_SUCCESS || ptr == NULL)
    return status;
  release_meaning(&meaning);
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "%s: argument %u of kernel %s has a pointer in it, and %s tells no addresses; pass the pointer "
                     "as an argument of its own",
                     it->launch->what, index, it->function->image->name, it->kernel->mapper->device->name);
}

/* What is no memory that is known here, or was, may be any number. */
static vptr_status replace_word(vptr__preparation *it, uint32_t index, unsigned char *at) {
  const uint64_t least = 1 << 16, most = UINT64_C(1) << 47;
  uint64_t word;
  memcpy(&word, at, sizeof word);
  if (word < least || word >= most)
    return VPTR_SUCCESS;
  vptr__error_try();
  vptr_status status = place_address(it, index, (const void *)(uintptr_t)word, at);
  return vptr__error_tried(status == VPTR_ERROR_UNKNOWN_ADDRESS ? VPTR_SUCCESS : status);
}

VPTR__APART static vptr_status prepare_param(vptr__preparation *it, uint32_t index, const void *from) {
  const vptr__image_param *param = &it->function->image->params[index];
  unsigned char *at = it->block + param->offset;
  if (param->kind == VPTR__PARAM_POINTER)
    return prepare_pointer(it, index, from, at);
  memcpy(at, from, param->size);
  vptr_status status = VPTR_SUCCESS;
  for (uint32_t i = 0; i < param->pointer_count && status == VPTR_SUCCESS; i++)
    status = param->are_words ? replace_word(it, index, at + param->pointers[i])
                              : replace_pointer(it, index, at + param->pointers[i]);
  return status;
}

/* What most arguments are: a pointer to live memory whose address on the device is known, or a number. False: it is
 * neither, and nothing was copied. */
VPTR__HOT static inline bool copy_plain(const vptr__address_view *view, const vptr__image_param *param,
                                        const void *from, unsigned char *at) {
  uint64_t address;
  void *ptr;
  if (param->kind == VPTR__PARAM_POINTER || (param->are_words && param->size == sizeof ptr)) {
    memcpy(&ptr, from, sizeof ptr);
    if (!vptr__address_find(view, ptr, &address))
      return false;
    memcpy(at, &address, sizeof address);
    return true;
  }
  if (param->pointer_count > 0)
    return false;
  if (param->size == sizeof(uint32_t))
    memcpy(at, from, sizeof(uint32_t));
  else if (param->size == sizeof(uint64_t))
    memcpy(at, from, sizeof(uint64_t));
  else
    return false;
  return true;
}

/* All at once, with what they share in registers: a launch has many pointers, and little else to do. */
VPTR__HOT static vptr_status prepare_params(vptr__preparation *it) {
  const vptr__address_view view = it->kernel->program->view;
  const vptr__image_kernel *image = it->function->image;
  const vptr__image_param *param = image->params, *end = param + image->param_count;
  void *const *arguments = it->launch->arguments;
  vptr_status status = VPTR_SUCCESS;
  for (uint32_t i = 0; param < end && status == VPTR_SUCCESS; i++, param++) {
    const void *from = arguments != NULL ? arguments[i] : (const unsigned char *)it->launch->packed + param->offset;
    if (!copy_plain(&view, param, from, it->block + param->offset))
      status = prepare_param(it, i, from);
  }
  return status;
}

/* ---- hidden parameters ---------------------------------------------------------------------------------- */

vptr_status vptr__prepare_key(const vptr__module *module, uint32_t index, int ordinal, const void **key_out) {
  const vptr__image_variable *line = &module->image->variables[index];
  if (line->is_heap)
    return vptr__kernel_heap_key(ordinal, key_out);
  if (line->is_locks)
    return vptr__lock_words_key(ordinal, key_out);
  *key_out = module->keys[index];
  return VPTR_SUCCESS;
}

static vptr_status find_variable(vptr__preparation *it, uint32_t index, void **ptr_out) {
  const vptr__module *module = it->function->module;
  const vptr__image_variable *line = &module->image->variables[index];
  const void *key;
  vptr__variable known;
  if (line->is_child_room) {
    *ptr_out = it->child_memory;
    return VPTR_SUCCESS;
  }
  vptr_status status = vptr__prepare_key(module, index, it->kernel->mapper->device->ordinal, &key);
  if (status != VPTR_SUCCESS)
    return status;
  if (key == NULL || !vptr__variable_find(key, &known))
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: kernel %s uses variable %s, which nothing defines",
                       it->launch->what, it->function->image->name, line->name);
  if (known.size < line->size)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "%s: kernel %s uses %llu bytes of variable %s, which is defined with %zu", it->launch->what,
                       it->function->image->name, (unsigned long long)line->size, line->name, known.size);
  status = vptr__variable_address(key, it->kernel->mapper, ptr_out);
  if (status != VPTR_SUCCESS || !known.is_managed)
    return status;
  return add_use(it, &(vptr__managed_use){ key, known.size });
}

/* What a hidden parameter points to, if it points. */
static vptr_status find_hidden(vptr__preparation *it, const vptr__image_param *param, void **ptr_out) {
  vptr_mapper *mapper = it->kernel->mapper;
  const void *key;
  vptr_status status;
  *ptr_out = NULL;
  switch (param->kind) {
  case VPTR__PARAM_STATUS:
    status = vptr__assert_key(mapper, &key);
    return status == VPTR_SUCCESS ? vptr__variable_address(key, mapper, ptr_out) : status;
  case VPTR__PARAM_VARIABLE:
    return find_variable(it, param->variable, ptr_out);
  default:
    return VPTR_SUCCESS;
  }
}

/* Plain memory has nothing to be resolved. */
static vptr_status find_ring(vptr__preparation *it, bool *is_plain_out, void **ptr_out) {
  vptr_mapper *mapper = it->kernel->mapper;
  if (it->launch->child_room_out == NULL)
    vptr__print_flush(mapper->device->ordinal);
  return vptr__print_room(mapper, it->kernel->program->has_addresses, is_plain_out, ptr_out);
}

static void place_plain(vptr__preparation *it, const vptr__image_param *param, void *ptr) {
  const uint64_t address = (uintptr_t)ptr;
  if (it->kernel->packed_bytes > 0)
    memcpy(it->block + param->offset, &address, sizeof address);
  else
    it->meanings[it->meaning_count++] = (vptr__pointer_meaning){ .address = address };
}

static vptr_status prepare_hidden(vptr__preparation *it, uint32_t hidden) {
  const vptr__image_kernel *image = it->function->image;
  const vptr__image_param *param = &image->params[image->param_count + hidden];
  bool is_plain = false;
  void *ptr = NULL;
  vptr_status status =
      param->kind == VPTR__PARAM_PRINTS ? find_ring(it, &is_plain, &ptr) : find_hidden(it, param, &ptr);
  if (status != VPTR_SUCCESS || ptr == NULL)
    return status;
  if (is_plain) {
    place_plain(it, param, ptr);
    return VPTR_SUCCESS;
  }
  if (it->kernel->packed_bytes > 0)
    return place_address(it, image->param_count + hidden, ptr, it->block + param->offset);
  status = resolve_pointer(it, image->param_count + hidden, ptr, &it->meanings[it->meaning_count]);
  it->meaning_count += status == VPTR_SUCCESS;
  return status;
}

/* What kernels of the module use by name, of the host's launch of one that launches: any of them may be launched. */
static vptr_status use_for_children(vptr__preparation *it) {
  const vptr__module_image *image = it->function->module->image;
  vptr_status status = VPTR_SUCCESS;
  for (uint32_t i = 0; i < image->kernel_count; i++)
    for (uint32_t k = 0; k < image->kernels[i].hidden_count && status == VPTR_SUCCESS; k++) {
      const vptr__image_param *param = &image->kernels[i].params[image->kernels[i].param_count + k];
      const void *key = param->kind == VPTR__PARAM_VARIABLE ? it->function->module->keys[param->variable] : NULL;
      vptr__variable known;
      if (key != NULL && vptr__variable_find(key, &known) && known.is_managed)
        status = add_use(it, &(vptr__managed_use){ key, known.size });
    }
  return status;
}

/* What a pointer in memory leads to may go on in another buffer, as arguments do. */
VPTR__APART static vptr_status refuse_to_follow(vptr__preparation *it) {
  it->lies_apart = true;
  if (vptr__apart_has_form(it->function))
    return VPTR_ERROR_UNSUPPORTED;
  return vptr__error(
      VPTR_ERROR_UNSUPPORTED,
      "%s: kernel %s follows pointers that lie in memory, and there is an allocation of several buffers, "
      "which lie apart on %s: compile it with vptrcc --finds-buffers, or with VPTR_FINDS_BUFFERS=1 where it is "
      "compiled "
      "at run time, or free that",
      it->launch->what, it->function->image->name, it->kernel->mapper->device->name);
}

static bool goes_on_apart(const vptr__preparation *it) {
  return vptr__heap_has_apart(it->kernel->mapper->heap) && !(it->kernel->program->forms & VPTR__FORMS_APART);
}

/* A kernel that follows pointers may reach any managed memory, and so may what a kernel launches. */
static vptr_status prepare_to_follow(vptr__preparation *it) {
  if (it->function->image->follows_pointers && goes_on_apart(it))
    return refuse_to_follow(it);
  if (it->kernel->program->has_addresses) {
    vptr_status status = vptr__heap_moves(it->kernel->mapper->heap) ? vptr__leases_take_all(it) : VPTR_SUCCESS;
    return status == VPTR_SUCCESS ? vptr__managed_pointers_add_all(it) : status;
  }
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "%s: kernel %s follows pointers that lie in memory, and %s tells no addresses; store indices",
                     it->launch->what, it->function->image->name, it->kernel->mapper->device->name);
}

/* The table of textures has addresses in it. */
static vptr_status prepare_to_read_texels(const vptr__preparation *it) {
  if (it->kernel->program->has_addresses)
    return VPTR_SUCCESS;
  return vptr__error(
      VPTR_ERROR_UNSUPPORTED,
      "%s: kernel %s reads textures or surfaces, and %s tells no addresses; pass a pointer to the data, "
      "or read an image in OpenCL C (vptr_cuda_set_texture_arg())",
      it->launch->what, it->function->image->name, it->kernel->mapper->device->name);
}

VPTR__HOT vptr_status vptr__prepare(vptr__preparation *it) {
  /* cppcheck-suppress ctuuninitvar ; the caller has filled what is read here, and the rest is filled here */
  const vptr__image_kernel *image = it->function->image;
  it->leases = it->some_leases;
  it->lease_room = VPTR__LEASE_ROOM;
  it->lease_count = 0;
  it->meaning_count = it->use_count = it->managed_pointer_count = 0;
  it->last = it->last_met = NULL;
  it->spill_memory = it->grid_memory = it->old_grid_memory = it->child_memory = NULL;
  it->family = NULL;
  it->is_aside = it->lies_apart = false;
  it->translation = it->texels = NULL;
  vptr_status status = make_room(it);
  if (status == VPTR_SUCCESS)
    status = check_arguments(it);
  if (status == VPTR_SUCCESS && image->param_count > 0)
    status = prepare_params(it);
  if (status == VPTR_SUCCESS && image->launches)
    status = vptr__child_room(it);
  if (status == VPTR_SUCCESS && it->family != NULL)
    status = use_for_children(it);
  for (uint32_t i = 0; i < image->hidden_count && status == VPTR_SUCCESS; i++)
    status = prepare_hidden(it, i);
  if (status == VPTR_SUCCESS && it->kernel->is_ptx && image->hidden_count > 0)
    status = vptr__address_words_tell(it);
  if (status == VPTR_SUCCESS && it->kernel->is_spilled)
    status = vptr__spill(it);
  if (status == VPTR_SUCCESS && image->meets_blocks)
    status = vptr__grid(it);
  if (status == VPTR_SUCCESS && (image->follows_pointers || (image->launches && it->kernel->program->has_addresses)))
    status = prepare_to_follow(it);
  if (status == VPTR_SUCCESS && image->reads_texels)
    status = prepare_to_read_texels(it);
  return status == VPTR_SUCCESS ? vptr__child_ready(it) : status;
}
