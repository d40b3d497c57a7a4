/* SPDX-License-Identifier: MIT */
/*
 * module - see module.h: loading and unloading, and what names and stubs mean.
 *
 * Stubs are in a hash table that is replaced when it grows, and never changed but by filling an empty place: readers take
 * no lock, and old tables stay, which doubles the memory at worst. An unbound stub's place keeps its key and has no
 * function. Writers hold the table's lock, rank LEAF.
 */
#include "module/state.h"

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"

#include <string.h>

/* ---- stubs ---------------------------------------------------------------------------------------------- */

typedef struct stub_place {
  _Atomic(const void *) stub;
  _Atomic(vptr__function *) function;
} stub_place;

typedef struct stub_table {
  struct stub_table *older; /* outgrown; readers may still be in it */
  size_t mask, used;
  stub_place places[];
} stub_table;

static vptr__lock stub_lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static _Atomic(stub_table *) stubs;

/* Addresses of functions differ in their middle bits. */
static size_t hash(const void *stub) {
  return (size_t)(((uintptr_t)stub >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20);
}

/* Where stub is, or the empty place where it would be. There is always one. */
static stub_place *place_of(stub_table *table, const void *stub) {
  for (size_t i = hash(stub);; i++) {
    stub_place *place = &table->places[i & table->mask];
    const void *there = atomic_load_explicit(&place->stub, memory_order_acquire);
    if (there == stub || there == NULL)
      return place;
  }
}

static void fill(stub_table *table, const void *stub, vptr__function *function) {
  stub_place *place = place_of(table, stub);
  bool is_new = atomic_load(&place->stub) == NULL;
  atomic_store(&place->function, function);
  if (is_new) {
    atomic_store_explicit(&place->stub, stub, memory_order_release);
    table->used++;
  }
}

/* Under the lock. The table has room for one more afterwards. */
static stub_table *have_room(void) {
  stub_table *table = atomic_load(&stubs);
  if (table != NULL && table->used * 2 < table->mask)
    return table;
  size_t count = table == NULL ? 64 : (table->mask + 1) * 2;
  stub_table *grown = vptr__memory_calloc(1, sizeof *grown + count * sizeof *grown->places);
  if (grown == NULL)
    return NULL;
  grown->mask = count - 1;
  grown->older = table;
  for (size_t i = 0; table != NULL && i <= table->mask; i++) {
    vptr__function *function = atomic_load(&table->places[i].function);
    if (function != NULL)
      fill(grown, atomic_load(&table->places[i].stub), function);
  }
  atomic_store_explicit(&stubs, grown, memory_order_release);
  return grown;
}

vptr_status vptr__function_bind(const void *stub, vptr__function *function) {
  if (stub == NULL)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "the stub of kernel %s is NULL", function->image->name);
  vptr__lock_take(&stub_lock);
  stub_table *table = have_room();
  if (table != NULL)
    fill(table, stub, function);
  vptr__lock_give(&stub_lock);
  return table != NULL ? VPTR_SUCCESS : vptr__error_host_memory(sizeof *table);
}

vptr__function *vptr__function_of(const void *stub) {
  stub_table *table = atomic_load_explicit(&stubs, memory_order_acquire);
  return table != NULL && stub != NULL ? atomic_load_explicit(&place_of(table, stub)->function, memory_order_acquire)
                                       : NULL;
}

void vptr__function_unbind(const void *stub) {
  vptr__lock_take(&stub_lock);
  if (vptr__function_of(stub) != NULL)
    atomic_store(&place_of(atomic_load(&stubs), stub)->function, NULL);
  vptr__lock_give(&stub_lock);
}

static void unbind_all(const vptr__module *module) {
  vptr__lock_take(&stub_lock);
  stub_table *table = atomic_load(&stubs);
  for (size_t i = 0; table != NULL && i <= table->mask; i++) {
    vptr__function *function = atomic_load(&table->places[i].function);
    if (function != NULL && function->module == module)
      atomic_store(&table->places[i].function, NULL);
  }
  vptr__lock_give(&stub_lock);
}

/* ---- loading -------------------------------------------------------------------------------------------- */

static void free_module(vptr__module *module) {
  vptr__module_image_free(module->image);
  vptr__memory_free(module->functions);
  vptr__memory_free(module->keys);
  vptr__memory_free(module->owned);
  vptr__memory_free(module);
}

/* Each variable of the module's own is known by the address of its line; extern ones belong to whoever defines them. */
static vptr_status make_parts(vptr__module *module) {
  const vptr__module_image *image = module->image;
  module->functions = vptr__memory_calloc(image->kernel_count + 1, sizeof *module->functions);
  module->keys = vptr__memory_calloc(image->variable_count + 1, sizeof *module->keys);
  module->owned = vptr__memory_calloc(image->variable_count + 1, sizeof *module->owned);
  if (module->functions == NULL || module->keys == NULL || module->owned == NULL)
    return vptr__error_host_memory(image->kernel_count * sizeof *module->functions);
  for (uint32_t i = 0; i < image->kernel_count; i++) {
    module->functions[i].module = module;
    module->functions[i].image = &image->kernels[i];
    atomic_init(&module->functions[i].dynamic_limit, SIZE_MAX);
  }
  for (uint32_t i = 0; i < image->variable_count; i++)
    module->has_managed = module->has_managed || image->variables[i].kind == VPTR__VARIABLE_MANAGED;
  return VPTR_SUCCESS;
}

static void forget_variables(vptr__module *module) {
  for (uint32_t i = 0; i < module->image->variable_count; i++)
    if (module->owned[i])
      vptr__variable_forget(module->keys[i]);
}

static vptr_status know_variables(vptr__module *module, const void *site) {
  for (uint32_t i = 0; i < module->image->variable_count; i++) {
    const vptr__image_variable *line = &module->image->variables[i];
    if (line->is_extern)
      continue;
    vptr__variable variable = {
      .key = line, .name = line->name, .initial = line->initial, .size = (size_t)line->size, .site = site
    };
    vptr_status status = vptr__variable_register(&variable);
    if (status != VPTR_SUCCESS) {
      forget_variables(module);
      return status;
    }
    module->keys[i] = line;
    module->owned[i] = true;
  }
  return VPTR_SUCCESS;
}

vptr_status vptr__module_load(const char *text, size_t length, vptr__module **module_out) {
  vptr__module *module = vptr__memory_calloc(1, sizeof *module);
  if (module == NULL)
    return vptr__error_host_memory(sizeof *module);
  vptr_status status = vptr__module_image_parse(text, length, &module->image);
  if (status == VPTR_SUCCESS)
    status = make_parts(module);
  if (status == VPTR_SUCCESS)
    status = know_variables(module, __builtin_return_address(0));
  if (status != VPTR_SUCCESS) {
    free_module(module);
    return status;
  }
  *module_out = module;
  return VPTR_SUCCESS;
}

void vptr__module_unload(vptr__module *module) {
  if (module == NULL)
    return;
  unbind_all(module);
  for (vptr__program *program = atomic_load(&module->programs); program != NULL; program = program->next)
    vptr__stream_synchronize_all(program->mapper);
  forget_variables(module);
  vptr__module_release_built(module);
  free_module(module);
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
  for (uint32_t i = 0; i < module->image->kernel_count; i++) {
    const vptr__image_kernel *kernel = &module->image->kernels[i];
    if (strcmp(kernel->lowered, name) == 0 || strcmp(kernel->name, name) == 0 || strcmp(kernel->entry, name) == 0)
      return &module->functions[i];
  }
  return NULL;
}

static bool find_variable(const vptr__module *module, const char *name, uint32_t *index_out) {
  for (uint32_t i = 0; i < module->image->variable_count; i++) {
    const vptr__image_variable *variable = &module->image->variables[i];
    if (strcmp(variable->lowered, name) == 0 || strcmp(variable->name, name) == 0) {
      *index_out = i;
      return true;
    }
  }
  return false;
}

static vptr_status no_variable(const char *name) {
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "the module has no variable %.200s", name);
}

vptr_status vptr__module_variable(vptr__module *module, const char *name, vptr_mapper *mapper, void **ptr_out,
                                  size_t *size_out) {
  uint32_t index;
  if (!find_variable(module, name, &index))
    return no_variable(name);
  if (module->keys[index] == NULL)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "variable %.200s is extern, and nothing that was loaded defines it", name);
  vptr_status status = vptr__variable_address(module->keys[index], mapper, ptr_out);
  if (status == VPTR_SUCCESS)
    *size_out = (size_t)module->image->variables[index].size;
  return status;
}

vptr_status vptr__module_bind_variable(vptr__module *module, const char *name, const void *host) {
  uint32_t index;
  if (!find_variable(module, name, &index))
    return no_variable(name);
  vptr__variable known;
  if (!vptr__variable_find(host, &known))
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%p, for variable %.200s, is no symbol of the device", host,
                       name);
  if (known.size < module->image->variables[index].size)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "symbol %s has %zu bytes, and variable %.200s %llu", known.name,
                       known.size, name, (unsigned long long)module->image->variables[index].size);
  if (module->owned[index])
    vptr__variable_forget(module->keys[index]);
  module->owned[index] = false;
  module->keys[index] = host;
  return VPTR_SUCCESS;
}
