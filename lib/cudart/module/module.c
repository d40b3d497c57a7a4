/* SPDX-License-Identifier: MIT */
/*
 * module - loading and unloading modules, and finding their functions and variables by name (module.h).
 *
 * A vptr__module (state.h) is its caller's from vptr__module_load() to vptr__module_unload(), or to
 * vptr__module_leave(), behind which leaving.c has it, with its image, its functions and what was built of it. Loading
 * touches no device, and this file takes no lock. A module is not changed after that, but for these: its variables get
 * shadows (vptr__module_bind_variable()), before it is used and without a lock; its lists of programs and kernels,
 * which are atomic, grow, under its lock `building` or its functions', of rank ARRAY (program.c); a function's limit of
 * dynamic shared memory (shape.c) and its wishes are atomic; which variables a program was told of is guarded by the
 * lock of address_word.c, of rank ARRAY, and the arguments of a kernel by the kernel's own, of rank MAPPING (launch.c).
 *
 * Called by cudart/cuda/registration.c for modules that are in the program, before main() and at its end, and by
 * cudart/cuda/binary.c for what those of other compilers have; by driver/module.c and driver/reference.c for
 * cuModuleLoad*(); by cudart/cuda/loadable.c and library.c for libraries of kernels; by cudart/library/kernel.c for
 * those of CUDA's libraries, and by chain.c for those that it writes; and by cudart/record/reach.c and recorder.c,
 * cudart/graph/work.c, cudart/replay/steps.c, cudart/replay/dot.c, cudart/cuda/function.c, driver/function.c,
 * driver/kernel.c and driver/launch.c, which ask what a function is. vptr__module_unload() waits for the devices where
 * the module was built; vptr__module_leave(), for destructors, does not wait, and leaves the rest to leaving.c.
 */
#include "module/state.h"

#include "base/error.h"
#include "base/memory.h"
#include "module/restored.h"

#include <string.h>

/* ---- loading -------------------------------------------------------------------------------------------- */

static void free_module(vptr__module *module) {
  for (uint32_t i = 0; module->functions != NULL && i < module->image->kernel_count; i++)
    vptr__lock_fini(&module->functions[i].building);
  vptr__lock_fini(&module->building);
  vptr__memory_free(module->functions);
  vptr__memory_free(module->keys);
  vptr__memory_free(module->owned);
  for (uint32_t i = 0; module->managed != NULL && i < module->image->variable_count; i++)
    vptr__memory_free(module->managed[i]);
  vptr__memory_free(module->managed);
  vptr__memory_free(module->addresses);
  vptr__module_image_free(module->image);
  vptr__memory_free(module);
}

static bool make_addresses(vptr__module *module) {
  const vptr__module_image *image = module->image;
  module->addresses = vptr__memory_calloc(image->address_count + 1, sizeof *module->addresses);
  for (uint32_t i = 0; module->addresses != NULL && i < image->address_count; i++) {
    const vptr__image_address *from = &image->addresses[i];
    module->addresses[i] = (vptr__variable_link){ &module->keys[from->of], (size_t)from->at, (size_t)from->plus };
  }
  return module->addresses != NULL;
}

static void give_addresses(const vptr__module *module, const vptr__image_variable *line, vptr__variable *variable) {
  if (line->address_count > 0)
    variable->addresses = module->addresses + (line->addresses - module->image->addresses);
  variable->address_count = line->address_count;
}

static vptr_status make_parts(vptr__module *module) {
  const vptr__module_image *image = module->image;
  module->keys = vptr__memory_calloc(image->variable_count + 1, sizeof *module->keys);
  module->owned = vptr__memory_calloc(image->variable_count + 1, sizeof *module->owned);
  module->managed = vptr__memory_calloc(image->variable_count + 1, sizeof *module->managed);
  if (module->keys != NULL && module->owned != NULL && module->managed != NULL && make_addresses(module))
    module->functions = vptr__memory_calloc(image->kernel_count + 1, sizeof *module->functions);
  if (module->functions == NULL)
    return vptr__error_host_memory(image->kernel_count * sizeof *module->functions);
  for (uint32_t i = 0; i < image->kernel_count; i++) {
    module->functions[i].module = module;
    module->functions[i].image = &image->kernels[i];
    vptr__lock_init(&module->functions[i].building, VPTR__RANK_ARRAY);
    atomic_init(&module->functions[i].dynamic_limit, SIZE_MAX);
  }
  return VPTR_SUCCESS;
}

static void forget_variables(vptr__module *module) {
  for (uint32_t i = 0; module->owned != NULL && i < module->image->variable_count; i++)
    if (module->owned[i])
      vptr__variable_forget(module->keys[i]);
}

/* The bytes on the host of a managed variable that nobody outside knows. */
static vptr_status make_managed(vptr__module *module, uint32_t index) {
  const vptr__image_variable *line = &module->image->variables[index];
  unsigned char *bytes = vptr__memory_calloc((size_t)line->size, 1);
  if (bytes == NULL)
    return vptr__error_host_memory((size_t)line->size);
  if (line->initial != NULL)
    memcpy(bytes, line->initial, (size_t)line->size);
  module->managed[index] = bytes;
  return VPTR_SUCCESS;
}

/* A variable of the module's own is known by the address of its line, or of its bytes; extern ones belong to
 * whoever defines them. */
static vptr_status know_variable(vptr__module *module, uint32_t index, const void *site) {
  const vptr__image_variable *line = &module->image->variables[index];
  bool is_managed = line->kind == VPTR__VARIABLE_MANAGED;
  if (line->is_extern)
    return VPTR_SUCCESS;
  vptr_status status = is_managed ? make_managed(module, index) : VPTR_SUCCESS;
  if (status != VPTR_SUCCESS)
    return status;
  vptr__variable variable = { .key = is_managed ? (const void *)module->managed[index] : line,
                              .name = line->name,
                              .module = module->digest,
                              .initial = is_managed ? module->managed[index] : line->initial,
                              .size = (size_t)line->size,
                              .site = site,
                              .is_managed = is_managed };
  give_addresses(module, line, &variable);
  status = vptr__variable_register(&variable);
  if (status == VPTR_SUCCESS) {
    module->keys[index] = variable.key;
    module->owned[index] = true;
  }
  return status;
}

/* As much as succeeded is undone by whoever asked. */
static vptr_status know_all(vptr__module *module, const void *site) {
  vptr_status status = VPTR_SUCCESS;
  for (uint32_t i = 0; i < module->image->variable_count && status == VPTR_SUCCESS; i++)
    status = know_variable(module, i, site);
  for (uint32_t i = 0; i < module->image->kernel_count && status == VPTR_SUCCESS; i++)
    status = vptr__function_bind(&module->functions[i], &module->functions[i]);
  return status;
}

static void undo_load(vptr__module *module) {
  vptr__function_unbind_all(module);
  forget_variables(module);
  free_module(module);
}

vptr_status vptr__module_load(const char *text, size_t length, vptr__module **module_out) {
  vptr__module *module = vptr__memory_calloc(1, sizeof *module);
  if (module == NULL)
    return vptr__error_host_memory(sizeof *module);
  vptr_status status = vptr__module_image_parse(text, length, &module->image);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(module);
    return status;
  }
  vptr__lock_init(&module->building, VPTR__RANK_ARRAY);
  if (module->image->variable_count > 0)
    module->digest = vptr__digest_of(text, length);
  status = make_parts(module);
  if (status == VPTR_SUCCESS)
    status = know_all(module, __builtin_return_address(0));
  if (status != VPTR_SUCCESS) {
    undo_load(module);
    return status;
  }
  *module_out = module;
  return VPTR_SUCCESS;
}

void vptr__module_unload(vptr__module *module) {
  if (module == NULL)
    return;
  vptr__function_unbind_all(module);
  for (vptr__program *program = atomic_load(&module->programs); program != NULL; program = program->next)
    vptr__stream_synchronize_all(program->mapper);
  forget_variables(module);
  vptr__module_release_built(module);
  free_module(module);
}

/* ---- leaving -------------------------------------------------------------------------------------------- */

static bool is_unused(const vptr__leaving *it, bool may_ask) {
  const vptr__program *program = atomic_load(&((const vptr__module *)it)->programs);
  while (program != NULL && vptr__streams_are_over(program->mapper, program->until, may_ask))
    program = program->next;
  return program == NULL;
}

static void free_unused(vptr__leaving *it) {
  vptr__module *module = (vptr__module *)it;
  vptr__module_release_built(module);
  free_module(module);
}

void vptr__module_leave(vptr__module *module, vptr__leaving_when when) {
  if (module == NULL)
    return;
  vptr__function_unbind_all(module);
  for (uint32_t i = 0; i < module->image->variable_count; i++)
    if (module->owned[i])
      vptr__variable_leave(module->keys[i], when);
  for (vptr__program *program = atomic_load(&module->programs); program != NULL; program = program->next)
    program->until = atomic_load(&program->mapper->work_last);
  module->leaving.is_over = is_unused;
  module->leaving.release = free_unused;
  bool has_nothing_of_a_driver = atomic_load(&module->programs) == NULL;
  vptr__leaving_add(&module->leaving, has_nothing_of_a_driver ? VPTR__LEAVING_WHEN_UNUSED : when);
}

/* ---- looking up ----------------------------------------------------------------------------------------- */

const vptr__module_image *vptr__module_image_of(const vptr__module *module) {
  return module->image;
}

vptr__module *vptr__function_module(const vptr__function *function) {
  return function->module;
}

const vptr__image_kernel *vptr__function_image(const vptr__function *function) {
  return function->image;
}

vptr__function *vptr__module_function(vptr__module *module, const char *name) {
  uint32_t index;
  return vptr__name_find(&module->image->kernel_names, name, &index) ? &module->functions[index] : NULL;
}

const vptr__image_variable *vptr__module_variable_line(const vptr__module *module, const char *name) {
  uint32_t index;
  bool is_there = vptr__name_find(&module->image->variable_names, name, &index);
  return is_there ? &module->image->variables[index] : NULL;
}

static vptr_status no_variable(const char *name) {
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "the module has no variable %.200s", name);
}

vptr_status vptr__module_variable(vptr__module *module, const char *name, vptr_mapper *mapper, void **ptr_out,
                                  size_t *size_out) {
  uint32_t index;
  if (!vptr__name_find(&module->image->variable_names, name, &index))
    return no_variable(name);
  if (module->keys[index] == NULL)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "variable %.200s is extern, and nothing that was loaded defines it", name);
  vptr_status status = VPTR_SUCCESS;
  if (module->image->variables[index].kind == VPTR__VARIABLE_MANAGED)
    *ptr_out = (void *)(uintptr_t)module->keys[index];
  else
    status = vptr__variable_address(module->keys[index], mapper, ptr_out);
  if (status == VPTR_SUCCESS)
    *size_out = (size_t)module->image->variables[index].size;
  return status;
}

static vptr_status check_shadow(const vptr__image_variable *line, const vptr__variable *shadow) {
  if (shadow->size < line->size)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "variable %.200s has %llu bytes, and its shadow on the host %zu",
                       line->name, (unsigned long long)line->size, shadow->size);
  if (shadow->size > line->size && shadow->initial == NULL && line->initial != NULL)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "variable %.200s has %llu bytes with initial content, and its shadow on the host %zu without",
                       line->name, (unsigned long long)line->size, shadow->size);
  if (shadow->is_managed != (line->kind == VPTR__VARIABLE_MANAGED))
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "variable %.200s is %s in the module, and its shadow is %s",
                       line->name, shadow->is_managed ? "not __managed__" : "__managed__",
                       shadow->is_managed ? "managed" : "not");
  return VPTR_SUCCESS;
}

/* The shadow takes the place of what the module was known by. */
static vptr_status replace_variable(vptr__module *module, uint32_t index, const vptr__variable *shadow) {
  vptr__variable variable = *shadow;
  variable.module = module->digest;
  if (variable.initial == NULL)
    variable.initial = module->image->variables[index].initial;
  give_addresses(module, &module->image->variables[index], &variable);
  vptr_status status = vptr__variable_register(&variable);
  if (status == VPTR_ERROR_NOT_READY)
    return vptr__error(status, "%p is a symbol already, and cannot be the shadow of variable %.200s too", shadow->key,
                       shadow->name);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__restored_replace(module->keys[index], shadow->key);
  if (module->owned[index])
    vptr__variable_forget(module->keys[index]);
  module->owned[index] = true;
  vptr__memory_free(module->managed[index]);
  module->managed[index] = NULL;
  return VPTR_SUCCESS;
}

vptr_status vptr__module_bind_variable(vptr__module *module, const char *name, const vptr__variable *shadow) {
  uint32_t index;
  if (!vptr__name_find(&module->image->variable_names, name, &index))
    return no_variable(name);
  const vptr__image_variable *line = &module->image->variables[index];
  vptr_status status = check_shadow(line, shadow);
  if (status == VPTR_SUCCESS && !line->is_extern)
    status = replace_variable(module, index, shadow);
  if (status == VPTR_SUCCESS)
    module->keys[index] = shadow->key;
  return status;
}
