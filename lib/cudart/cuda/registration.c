/* SPDX-License-Identifier: MIT */
/*
 * registration - vptr_cuda_register_module(): kernels and variables that a program brings along.
 *
 * Called by programs; by unit.c and binary.c, which register what constructors brought; by cluster.c, launch.c,
 * function.c and replay/work_of.c, which ask for the function of a stub; and by the C library, at exit. All of a
 * module is registered, or nothing. A failure is kept with the module's stubs, where there is memory for that, and
 * whoever launches one of them later is told what happened then. What constructors of vptrcc's register is tried
 * again (cuda/unit.h).
 *
 * A module is unregistered by a destructor, with dlclose() or when the process ends. The former waits for nothing
 * (module/leaving.h), so a shared object with managed variables stays loaded. In the latter case nothing is done: the
 * exit handlers of an OpenCL driver have run by then, and its objects may be gone. exit() calls destructors of
 * programs and libraries behind all handlers of atexit(), so a handler tells the two apart. Binaries of other compilers
 * are unregistered by such handlers themselves, which may run before that one, so no driver is called for them at all
 * (VPTR__LEAVING_LATER). Nor is anything done in a forked child, whose objects are its parent's.
 *
 * The static `lock`, of rank LEAF, guards the static list `failures`, whose entries stay to the end; `process_ends` is
 * atomic, and its handler is registered once, by `watch_once`. binary.c, and unit.c in its later attempts, call with
 * the lock of units held, of rank UNIT. Registering reads the module's text, and blocks while CUDA text is translated
 * first; it waits for no device.
 */
#include "cuda/registration.h"

#include "base/error.h"
#include "base/hot.h"
#include "base/lock.h"
#include "base/memory.h"
#include "base/resident.h"
#include "cuda/binary.h"
#include "cuda/content.h"
#include "cuda/error.h"
#include "cuda/jit.h"
#include "cuda/need.h"
#include "cuda/reference.h"
#include "cuda/unit.h"
#include "mapper/registry.h"

#include <vptr/cuda/vptr_kernel.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_CONSTANT = 64 << 10 };

static const char mark[] = VPTR__CUDA_MODULE_MARK;

/* ---- failures ------------------------------------------------------------------------------------------- */

typedef struct failure {
  struct failure *next;
  cudaError_t error;
  char words[512];
  size_t count;
  const void *stubs[];
} failure;

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static failure *failures;

/* Without memory for it nothing is kept, and the stubs are unknown ones. */
static void keep_failure(const vptr_cuda_module *module, cudaError_t error) {
  size_t count = module->kernels != NULL ? module->kernel_count : 0;
  failure *kept = vptr__memory_calloc(1, sizeof *kept + count * sizeof *kept->stubs);
  if (kept == NULL)
    return;
  kept->error = error;
  snprintf(kept->words, sizeof kept->words, "%s", vptr_last_error());
  kept->count = count;
  for (size_t i = 0; i < count; i++)
    kept->stubs[i] = module->kernels[i].stub;
  vptr__lock_take(&lock);
  kept->next = failures;
  failures = kept;
  vptr__lock_give(&lock);
}

static bool has_stub(const failure *it, const void *stub) {
  for (size_t i = 0; i < it->count; i++)
    if (it->stubs[i] == stub)
      return true;
  return false;
}

/* The latest one that has to do with a stub. */
static cudaError_t find_failure(const void *stub, char words[512]) {
  cudaError_t error = cudaSuccess;
  vptr__lock_take(&lock);
  const failure *found = failures;
  while (found != NULL && !has_stub(found, stub))
    found = found->next;
  if (found != NULL) {
    error = found->error;
    memcpy(words, found->words, sizeof found->words);
  }
  vptr__lock_give(&lock);
  return error;
}

/* What is no stub, or one of a module that could not be registered. */
static cudaError_t refuse_stub(const char *call, const void *func) {
  char words[512];
  cudaError_t error = find_failure(func, words);
  if (error != cudaSuccess) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: this kernel could not be registered: %.400s", call, words);
    return error;
  }
  vptr__error(
      VPTR_ERROR_INVALID_ARGUMENT,
      "%s: %p is no kernel that was registered: compile its file with vptrcc, or call vptr_cuda_register_module()",
      call, func);
  return cudaErrorInvalidDeviceFunction;
}

VPTR__APART static cudaError_t find_late(const char *call, const void *func, vptr__function **function_out) {
  cudaError_t error = vptr__cuda_unit_try(call, func);
  if (error == cudaSuccess && vptr__function_of(func) == NULL)
    error = vptr__cuda_binary_try(call, func);
  if (error != cudaSuccess)
    return error;
  *function_out = vptr__function_of(func);
  return *function_out != NULL ? cudaSuccess : refuse_stub(call, func);
}

cudaError_t vptr__cuda_function(const char *call, const void *func, vptr__function **function_out) {
  *function_out = vptr__function_of(func);
  return *function_out != NULL ? cudaSuccess : find_late(call, func, function_out);
}

/* ---- checking ------------------------------------------------------------------------------------------- */

static cudaError_t refuse_module(const char *what) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "vptr_cuda_register_module: %s", what);
  return cudaErrorInvalidValue;
}

static bool is_reference(const vptr_cuda_variable *variable) {
  return (variable->flags & (VPTR_CUDA_VARIABLE_TEXTURE | VPTR_CUDA_VARIABLE_SURFACE)) != 0;
}

static const char *fault_of_variable(const vptr_cuda_variable *variable) {
  const unsigned references = VPTR_CUDA_VARIABLE_TEXTURE | VPTR_CUDA_VARIABLE_SURFACE | VPTR_CUDA_VARIABLE_NORMALIZED;
  const unsigned known =
      VPTR_CUDA_VARIABLE_CONSTANT | VPTR_CUDA_VARIABLE_MANAGED | VPTR_CUDA_VARIABLE_ZERO | references;
  if (variable->host == NULL || variable->name == NULL)
    return "a variable's shadow, or its name, is NULL";
  if ((variable->flags & ~known) != 0)
    return "a flag is none of VPTR_CUDA_VARIABLE_*";
  if (variable->size == 0 || variable->size > PTRDIFF_MAX)
    return "a variable's size is none";
  if (is_reference(variable) && variable->size != sizeof(uint64_t))
    return "a texture or surface reference has other than 8 bytes";
  if ((variable->flags & VPTR_CUDA_VARIABLE_CONSTANT) != 0 && variable->size > LARGEST_CONSTANT)
    return "a constant variable has more than 64 KiB";
  return NULL;
}

static cudaError_t check_module(const vptr_cuda_module *module) {
  if (module->text == NULL || (module->kernels == NULL && module->kernel_count > 0) ||
      (module->variables == NULL && module->variable_count > 0))
    return refuse_module("the text, or the list of kernels or variables, is NULL");
  for (size_t i = 0; i < module->kernel_count; i++)
    if (module->kernels[i].stub == NULL || module->kernels[i].name == NULL)
      return refuse_module("a kernel's stub, or its name, is NULL");
  for (size_t i = 0; i < module->variable_count; i++)
    if (fault_of_variable(&module->variables[i]) != NULL)
      return refuse_module(fault_of_variable(&module->variables[i]));
  return cudaSuccess;
}

/* ---- registering ---------------------------------------------------------------------------------------- */

/* Of a text that is translated already; what cannot be read is no module. */
static cudaError_t load_text(const char *text, size_t length, vptr__module **module_out) {
  return vptr__cuda_from_status(vptr__module_load(text, length, module_out));
}

static cudaError_t load_module(const vptr_cuda_module *module, vptr__module **module_out) {
  if (module->length >= sizeof mark - 1 && memcmp(module->text, mark, sizeof mark - 1) == 0)
    return load_text(module->text, module->length, module_out);
  char *translated;
  cudaError_t error = vptr__cuda_translate(module->text, module->length, &translated);
  if (error != cudaSuccess)
    return error;
  error = load_text(translated, strlen(translated), module_out);
  vptr__memory_free(translated);
  return error;
}

static cudaError_t bind_content(vptr__module *module, const vptr_cuda_variable *variable, const void *initial,
                                const void *site) {
  const vptr__variable shadow = { .key = variable->host,
                                  .name = variable->name,
                                  .initial = initial,
                                  .size = variable->size,
                                  .site = site,
                                  .is_managed = (variable->flags & VPTR_CUDA_VARIABLE_MANAGED) != 0 };
  vptr_status status = vptr__module_bind_variable(module, variable->name, &shadow);
  return status == VPTR_ERROR_INVALID_ARGUMENT || status == VPTR_ERROR_NOT_READY ? cudaErrorInvalidSymbol
                                                                                 : vptr__cuda_from_status(status);
}

static cudaError_t bind_variable(vptr__module *module, const vptr_cuda_variable *variable, const void *site) {
  const bool is_zero = (variable->flags & VPTR_CUDA_VARIABLE_ZERO) != 0;
  return bind_content(module, variable, is_zero ? NULL : variable->host, site);
}

/* The variable's content is the reference's number. What no kernel uses the text may not have, and it is bound to all
 * the same. */
static cudaError_t bind_reference(vptr__module *module, const vptr_cuda_variable *variable, const void *site) {
  const uint64_t *number;
  if (vptr__cuda_reference_is_known(variable->host))
    return cudaSuccess;
  cudaError_t error = vptr__cuda_reference_know(variable, module, &number);
  if (error != cudaSuccess || vptr__module_variable_line(module, variable->name) == NULL)
    return error;
  return bind_content(module, variable, number, site);
}

static cudaError_t bind_kernel(vptr__module *module, const vptr_cuda_kernel *kernel, vptr__cuda_lists lists) {
  vptr__function *function = vptr__module_function(module, kernel->name);
  if (function != NULL)
    return vptr__cuda_from_status(vptr__function_bind(kernel->stub, function));
  if (lists == VPTR__CUDA_LISTS_OF_HOST)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "vptr_cuda_register_module: the module has no kernel %.200s",
              kernel->name);
  return cudaErrorInvalidSymbol;
}

/* Whether the module has it, and its shadow is nobody's unless it is defined elsewhere. Files that share an inline
 * variable have one shadow for it. */
static bool may_bind_variable(const vptr__module *module, const vptr_cuda_variable *variable) {
  const vptr__image_variable *line = vptr__module_variable_line(module, variable->name);
  vptr__variable known;
  return line != NULL && (line->is_extern || !vptr__variable_find(variable->host, &known));
}

/* clang has no managed variables of CUDA's: what the module has as such is a device variable for the host's half, whose
 * shadow, without content so far, has its bytes (vptr_clang_words.h). */
static cudaError_t bind_for_host(vptr__module *module, const vptr_cuda_variable *variable, const void *site) {
  const vptr__image_variable *line = vptr__module_variable_line(module, variable->name);
  vptr_cuda_variable managed = *variable;
  if (line->kind != VPTR__VARIABLE_MANAGED)
    return bind_variable(module, variable, site);
  managed.flags |= VPTR_CUDA_VARIABLE_MANAGED;
  if (line->initial != NULL && !line->is_extern && variable->size >= line->size)
    memcpy((void *)(uintptr_t)variable->host, line->initial, (size_t)line->size);
  return bind_variable(module, &managed, site);
}

static cudaError_t bind_all(vptr__module *module, const vptr_cuda_module *of, vptr__cuda_lists lists,
                            const void *site) {
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < of->variable_count && error == cudaSuccess; i++)
    if (is_reference(&of->variables[i]))
      error = bind_reference(module, &of->variables[i], site);
    else if (lists == VPTR__CUDA_LISTS_EXACT)
      error = bind_variable(module, &of->variables[i], site);
    else if (may_bind_variable(module, &of->variables[i]))
      error = bind_for_host(module, &of->variables[i], site);
  for (size_t i = 0; i < of->kernel_count && error == cudaSuccess; i++)
    error = bind_kernel(module, &of->kernels[i], lists);
  return error;
}

static cudaError_t register_module(const vptr_cuda_module *of, vptr__cuda_lists lists, void **handle_out,
                                   const void *site) {
  vptr__module *module;
  cudaError_t error = check_module(of);
  if (error == cudaSuccess)
    error = load_module(of, &module);
  if (error != cudaSuccess)
    return error;
  error = bind_all(module, of, lists, site);
  if (error == cudaSuccess) {
    *handle_out = module;
    return cudaSuccess;
  }
  vptr__module_unload(module);
  vptr__cuda_references_forget(module, VPTR__LEAVING_WHEN_UNUSED);
  return error;
}

/* Work in flight writes to a managed variable's bytes, and its end would have to be waited for. */
void vptr__cuda_keep_managed(const vptr_cuda_module *module) {
  for (size_t i = 0; i < module->variable_count; i++)
    if ((module->variables[i].flags & VPTR_CUDA_VARIABLE_MANAGED) != 0)
      vptr__keep_resident(module->variables[i].host);
}

/* ---- the process's end ---------------------------------------------------------------------------------- */

static _Atomic(bool) process_ends;
static pthread_once_t watch_once = PTHREAD_ONCE_INIT;

static void note_end(void) {
  atomic_store(&process_ends, true);
}

/* When there is no memory for a handler, modules are released at the end as at any other time. */
static void watch_end(void) {
  (void)atexit(note_end);
}

cudaError_t vptr__cuda_register(const vptr_cuda_module *module, vptr__cuda_lists lists, void **handle_out,
                                const void *site) {
  if (module == NULL || handle_out == NULL)
    return refuse_module("module or handle_out is NULL");
  if (module->struct_size != sizeof *module)
    return refuse_module("struct_size is not that of vptr_cuda_module");
  pthread_once(&watch_once, watch_end);
  return register_module(module, lists, handle_out, site);
}

/* A module of another size is not looked into. */
cudaError_t vptr_cuda_register_module(const vptr_cuda_module *module, void **handle_out) {
  vptr__cuda_obtained obtained = { 0 };
  if (module != NULL && module->struct_size == sizeof *module)
    vptr__cuda_need_obtain(vptr__cuda_need_of_text(module->text, module->length), &obtained);
  cudaError_t error = vptr__cuda_register(module, VPTR__CUDA_LISTS_EXACT, handle_out, __builtin_return_address(0));
  if (error == cudaSuccess)
    vptr__cuda_keep_managed(module);
  if (error != cudaSuccess && module != NULL && module->struct_size == sizeof *module)
    keep_failure(module, error);
  return vptr__cuda_record(error);
}

void vptr__cuda_unregister(void *handle, vptr__leaving_when when) {
  if (handle == NULL || atomic_load(&process_ends) || vptr__registry_is_forked())
    return;
  vptr__module_leave(handle, when);
  vptr__cuda_references_forget(handle, when);
}

cudaError_t vptr_cuda_unregister_module(void *handle) {
  vptr__cuda_unregister(handle, VPTR__LEAVING_WHEN_UNUSED);
  return cudaSuccess;
}
