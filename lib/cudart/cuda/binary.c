/* SPDX-License-Identifier: MIT */
/*
 * binary - GPU binaries that are open, registered or refused (binary.h).
 *
 * The static list `binaries` has all of them, from vptr__cuda_binary_open() to vptr__cuda_binary_close(), which frees
 * one. The static `lock` of unit.c, of rank UNIT, guards it, and each binary's lists, and is held while a binary is
 * registered. `incomplete`, atomic, counts those that lack something for want of memory, and is read without it. The
 * address of the static `nothing` is the handle of a binary for which there was no memory at all.
 *
 * Called by binary_call.c for constructors and destructors, by unit.c for attempts, and by registration.c and symbol.c
 * for what they do not know. Registering reads the module's text, and waits for no device; but what NVIDIA's compiler
 * made is registered when it is first used, and the current device is opened for that, which blocks while its driver
 * starts. All that takes the dynamic loader's lock is done without the lock of units, which constructors and
 * destructors take: before a binary is registered (need.h), or behind it (vptr__cuda_binary_keep_managed()).
 */
#include "cuda/binary.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/resident.h"
#include "cuda/content.h"
#include "cuda/error.h"
#include "cuda/foreign.h"
#include "cuda/registration.h"
#include "cuda/unit.h"
#include "mapper/mapper.h"
#include "mapper/registry.h"
#include "module/variable.h"
#include "nvidia/cubin.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* Grows by doubling. */
typedef struct list {
  void *items;
  size_t count, room;
} list;

typedef struct managed_variable {
  vptr_cuda_variable variable; /* with the pointer's place as its host */
  bool has_zeros;              /* it points to those of give_zeros() */
} managed_variable;

typedef struct binary {
  vptr_cuda_unit unit; /* first; its struct_size is this structure's, and its lists are those below */
  struct binary *next;
  vptr__cuda_content content;
  list kernels;   /* vptr_cuda_kernel */
  list variables; /* vptr_cuda_variable */
  list managed;   /* managed_variable */
  size_t kept;    /* of the variables, those that vptr__cuda_binary_keep_managed() has looked at */
  bool is_incomplete;
} binary;

static binary *binaries;
static atomic_size_t incomplete;

/* The handle of what there was no memory for. */
static void *nothing;

static binary *binary_of(void **handle) {
  return handle == NULL || handle == &nothing || vptr__registry_is_forked() ? NULL : (binary *)(void *)handle;
}

bool vptr__cuda_unit_is_binary(const vptr_cuda_unit *unit) {
  _Static_assert(sizeof(binary) != sizeof(vptr_cuda_unit), "the size tells one from the other");
  return unit->struct_size == sizeof(binary);
}

/* ---- gathering ------------------------------------------------------------------------------------------ */

static bool grow_list(list *it, size_t size) {
  if (it->count < it->room)
    return true;
  size_t room = it->room == 0 ? 8 : 2 * it->room;
  void *grown = vptr__memory_calloc(room, size);
  if (grown == NULL)
    return false;
  if (it->count > 0)
    memcpy(grown, it->items, it->count * size);
  vptr__memory_free(it->items);
  it->items = grown;
  it->room = room;
  return true;
}

/* Under the lock. The binary's unit sees what is added. */
static void add_item(binary *it, list *to, const void *item, size_t size) {
  if (!grow_list(to, size)) {
    atomic_fetch_add(&incomplete, !it->is_incomplete);
    it->is_incomplete = true;
    return;
  }
  memcpy((unsigned char *)to->items + to->count * size, item, size);
  to->count++;
  it->unit.module.kernels = it->kernels.items;
  it->unit.module.kernel_count = it->kernels.count;
  it->unit.module.variables = it->variables.items;
  it->unit.module.variable_count = it->variables.count;
}

void vptr__cuda_binary_add_kernel(void **handle, const void *stub, const char *name) {
  binary *it = binary_of(handle);
  const vptr_cuda_kernel kernel = { stub, name };
  if (it == NULL || stub == NULL || name == NULL)
    return;
  vptr__cuda_units_lock();
  add_item(it, &it->kernels, &kernel, sizeof kernel);
  vptr__cuda_units_unlock();
}

void vptr__cuda_binary_add_variable(void **handle, const vptr_cuda_variable *variable) {
  binary *it = binary_of(handle);
  if (it == NULL || variable->host == NULL || variable->name == NULL || variable->size == 0)
    return;
  vptr__cuda_units_lock();
  add_item(it, &it->variables, variable, sizeof *variable);
  vptr__cuda_units_unlock();
}

/* Work in flight may write to the variable's bytes, so whoever has it stays loaded (registration.h). */
void vptr__cuda_binary_add_managed(void **handle, void **slot, const char *name, size_t size) {
  binary *it = binary_of(handle);
  const managed_variable variable = { .variable = { .host = (void *)slot, .name = name, .size = size } };
  if (it == NULL || slot == NULL || name == NULL)
    return;
  if (it->content.kind == VPTR__CUDA_CONTENT_MODULE || vptr__cuda_content_is_foreign(it->content.kind))
    vptr__keep_resident((const void *)slot);
  vptr__cuda_units_lock();
  add_item(it, &it->managed, &variable, sizeof variable);
  vptr__cuda_units_unlock();
}

/* ---- opening -------------------------------------------------------------------------------------------- */

/* The file that a record lies in, for messages. */
static const char *file_of(const void *record) {
  Dl_info info;
  return record != NULL && dladdr(record, &info) != 0 && info.dli_fname != NULL ? info.dli_fname : "the program";
}

static void fill_binary(binary *it, const void *record, const void *site) {
  it->content = vptr__cuda_content_of(record);
  bool is_module = it->content.kind == VPTR__CUDA_CONTENT_MODULE;
  it->unit = (vptr_cuda_unit){
    .struct_size = sizeof *it,
    .module = { .struct_size = sizeof it->unit.module, .text = it->content.data, .length = it->content.length },
    .file = file_of(record),
    .site = site,
    .error = is_module ? cudaErrorNotReady : cudaErrorNoKernelImageForDevice
  };
}

void **vptr__cuda_binary_open(const void *record, const void *site) {
  if (vptr__registry_is_forked())
    return &nothing;
  binary *it = vptr__memory_calloc(1, sizeof *it);
  if (it == NULL) {
    fprintf(stderr, "vptr: there is no memory to register the kernels of %s\n", file_of(record));
    atomic_fetch_add(&incomplete, 1);
    return &nothing;
  }
  fill_binary(it, record, site);
  vptr__cuda_units_lock();
  it->next = binaries;
  binaries = it;
  vptr__cuda_unit_push(&it->unit);
  vptr__cuda_units_unlock();
  return (void **)(void *)it;
}

/* ---- registering ---------------------------------------------------------------------------------------- */

static bool is_zero(const unsigned char *bytes, size_t size) {
  return size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0);
}

/* A managed variable of the module's own has its bytes there: those that the host wrote before, if it did. Where it
 * wrote them first stays, for whoever kept the address. */
static void point_to(vptr__module *module, managed_variable *managed) {
  const vptr_cuda_variable *variable = &managed->variable;
  const vptr__image_variable *line = vptr__module_variable_line(module, variable->name);
  void **slot = variable->host, *before = managed->has_zeros ? *slot : NULL;
  size_t size;
  if (line == NULL || line->kind != VPTR__VARIABLE_MANAGED || line->is_extern ||
      vptr__module_variable(module, variable->name, NULL, slot, &size) != VPTR_SUCCESS)
    return;
  managed->has_zeros = false;
  size = vptr__smaller(size, variable->size);
  if (before != NULL && before != *slot && !is_zero(before, size))
    memcpy(*slot, before, size);
}

/* In machine code a managed variable is the driver's, and host and device would each have another one. */
static cudaError_t refuse_managed(const binary *it) {
  const managed_variable *managed = it->managed.items;
  vptr__error(VPTR_ERROR_UNSUPPORTED,
              "the kernels of %s are machine code without PTX, and have a managed variable, %s: compile with PTX "
              "(-arch=compute_80 without -rdc=true), or with vptrcc",
              it->unit.file, managed[0].variable.name);
  return cudaErrorNoKernelImageForDevice;
}

/* Of NVIDIA's compiler: what is taken of it depends on the device, so that is the one that is current at its first use.
 * Another attempt may have another one. */
static cudaError_t register_foreign(binary *it, const vptr_mapper *mapper) {
  char *text;
  size_t length;
  if (mapper == NULL || mapper->device->ptx == 0)
    return vptr__cuda_content_refuse(&it->content);
  vptr_status status = vptr__cuda_foreign_text(mapper->device, it->content.data, SIZE_MAX, &text, &length);
  if (status != VPTR_SUCCESS)
    return status == VPTR_ERROR_OUT_OF_HOST_MEMORY ? vptr__cuda_from_status(status) : cudaErrorNoKernelImageForDevice;
  if (it->managed.count > 0 && vptr__cubin_is_text_of(text)) {
    vptr__memory_free(text);
    return refuse_managed(it);
  }
  vptr_cuda_module module = it->unit.module;
  module.text = text;
  module.length = length;
  cudaError_t error = vptr__cuda_register(&module, VPTR__CUDA_LISTS_OF_HOST, &it->unit.handle, it->unit.site);
  vptr__memory_free(text);
  return error;
}

static cudaError_t register_content(binary *it, const vptr__cuda_obtained *obtained) {
  if (it->content.kind == VPTR__CUDA_CONTENT_MODULE)
    return vptr__cuda_register(&it->unit.module, VPTR__CUDA_LISTS_OF_HOST, &it->unit.handle, it->unit.site);
  if (vptr__cuda_content_is_foreign(it->content.kind))
    return register_foreign(it, obtained->mapper);
  return vptr__cuda_content_refuse(&it->content);
}

unsigned vptr__cuda_binary_needs(const vptr_cuda_unit *unit) {
  return vptr__cuda_need_of(&((const binary *)unit)->content);
}

cudaError_t vptr__cuda_binary_register(vptr_cuda_unit *unit, const vptr__cuda_obtained *obtained) {
  binary *it = (binary *)unit;
  cudaError_t error = register_content(it, obtained);
  managed_variable *managed = it->managed.items;
  for (size_t i = 0; i < it->managed.count && error == cudaSuccess; i++)
    point_to(unit->handle, &managed[i]);
  return error;
}

/* clang registers managed variables as others, and the module knows better. Under the lock; NULL: there is no other. */
static const void *next_managed(void) {
  vptr__variable known;
  for (binary *it = binaries; it != NULL; it = it->next) {
    const vptr_cuda_variable *variables = it->variables.items;
    while (it->unit.handle != NULL && it->kept < it->variables.count) {
      const void *host = variables[it->kept++].host;
      if (vptr__variable_find(host, &known) && known.is_managed)
        return host;
    }
  }
  return NULL;
}

void vptr__cuda_binary_keep_managed(void) {
  const void *host;
  do {
    vptr__cuda_units_lock();
    host = next_managed();
    vptr__cuda_units_unlock();
    if (host != NULL)
      vptr__keep_resident(host);
  } while (host != NULL);
}

/* The host reads its managed variables whatever became of the kernels: where these have no module, the variables get
 * zeros of the host's, until an attempt succeeds. Under the units' lock. */
static void give_zeros(const binary *it) {
  managed_variable *managed = it->managed.items;
  for (size_t i = 0; i < it->managed.count; i++) {
    void **slot = managed[i].variable.host;
    if (*slot != NULL)
      continue;
    *slot = vptr__memory_calloc(1, managed[i].variable.size);
    managed[i].has_zeros = *slot != NULL;
  }
}

/* Whoever waits for memory is tried by any call, and threads keep no answers from before. */
static void tell_failure(const binary *it, cudaError_t error) {
  vptr__cuda_unit_tell(it->unit.file, error);
  if (error == cudaErrorMemoryAllocation)
    vptr__epoch_end();
}

bool vptr__cuda_binary_init(void **handle) {
  binary *it = binary_of(handle);
  vptr__cuda_obtained obtained = { 0 };
  cudaError_t error = cudaSuccess;
  if (it == NULL)
    return false;
  vptr__cuda_need_obtain(vptr__cuda_need_of(&it->content), &obtained);
  vptr__cuda_units_lock();
  if (it->unit.handle == NULL)
    error = vptr__cuda_unit_attempt(&it->unit, &obtained);
  if (error != cudaSuccess)
    give_zeros(it);
  vptr__cuda_units_unlock();
  vptr__cuda_binary_keep_managed();
  if (error != cudaSuccess)
    tell_failure(it, error);
  return error == cudaSuccess;
}

void vptr__cuda_binary_complete(void **handle) {
  const binary *it = binary_of(handle);
  if (it != NULL && it->content.kind == VPTR__CUDA_CONTENT_MODULE)
    (void)vptr__cuda_binary_init(handle);
}

/* ---- closing -------------------------------------------------------------------------------------------- */

/* Under the lock. False if it is none. */
static bool take_out(const binary *it) {
  binary **place = &binaries;
  while (*place != NULL && *place != it)
    place = &(*place)->next;
  if (*place == NULL)
    return false;
  *place = it->next;
  return true;
}

void vptr__cuda_binary_close(void **handle) {
  binary *it = binary_of(handle);
  if (handle == &nothing && !vptr__registry_is_forked())
    atomic_fetch_sub(&incomplete, 1);
  if (it == NULL)
    return;
  vptr__cuda_units_lock();
  bool is_there = take_out(it);
  if (is_there)
    vptr__cuda_unit_take_out(&it->unit);
  vptr__cuda_units_unlock();
  if (!is_there)
    return;
  vptr__cuda_unregister(it->unit.handle, VPTR__LEAVING_LATER);
  atomic_fetch_sub(&incomplete, it->is_incomplete);
  vptr__memory_free(it->kernels.items);
  vptr__memory_free(it->variables.items);
  vptr__memory_free(it->managed.items);
  vptr__memory_free(it);
}

/* ---- what is not known ---------------------------------------------------------------------------------- */

static const char *kernel_at(const binary *it, const void *stub) {
  const vptr_cuda_kernel *kernels = it->kernels.items;
  for (size_t i = 0; i < it->kernels.count; i++)
    if (kernels[i].stub == stub)
      return kernels[i].name;
  return NULL;
}

static const char *variable_at(const binary *it, const void *host) {
  const vptr_cuda_variable *variables = it->variables.items;
  for (size_t i = 0; i < it->variables.count; i++)
    if (variables[i].host == host)
      return variables[i].name;
  return NULL;
}

static vptr__function *function_at(const binary *it, const void *stub) {
  const char *name = kernel_at(it, stub);
  return name != NULL ? vptr__module_function(it->unit.handle, name) : NULL;
}

/* What its module lacks. */
static cudaError_t refuse_symbol(const char *call, const binary *it, const void *address) {
  const char *kernel = kernel_at(it, address), *variable = variable_at(it, address);
  if (kernel == NULL && variable == NULL)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
              "%s: %s %.200s is there for the host and not in the module of %.100s: what was said when that was "
              "compiled may tell why",
              call, kernel != NULL ? "kernel" : "variable", kernel != NULL ? kernel : variable, it->unit.file);
  return kernel != NULL ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidSymbol;
}

/* Under the lock. One that has the kernel comes before any that lacks it. */
static cudaError_t try_all(const char *call, const void *address) {
  cudaError_t error = cudaSuccess;
  for (const binary *it = binaries; it != NULL; it = it->next) {
    vptr__function *function = it->unit.handle != NULL ? function_at(it, address) : NULL;
    if (function != NULL)
      return vptr__cuda_from_status(vptr__function_bind(address, function));
  }
  for (const binary *it = binaries; it != NULL && error == cudaSuccess; it = it->next)
    if (it->unit.handle != NULL)
      error = refuse_symbol(call, it, address);
  return error;
}

cudaError_t vptr__cuda_binary_try(const char *call, const void *address) {
  if (vptr__registry_is_forked())
    return cudaSuccess;
  vptr__cuda_units_lock();
  cudaError_t error = try_all(call, address);
  bool is_bound = vptr__function_of(address) != NULL;
  vptr__cuda_units_unlock();
  if (error != cudaSuccess || is_bound || atomic_load(&incomplete) == 0)
    return error;
  vptr__error(
      VPTR_ERROR_OUT_OF_HOST_MEMORY,
      "%s: %p is not known, and for some of the program's kernels and variables there was no memory when they "
      "were registered",
      call, address);
  return cudaErrorMemoryAllocation;
}
