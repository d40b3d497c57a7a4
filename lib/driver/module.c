/* SPDX-License-Identifier: MIT */
/*
 * module - cuModule*(): loading and unloading modules, and finding what is in them (module.h).
 *
 * The list and its lock, of rank LEAF, are in the static `modules`; nothing is called while it is held. Called by
 * programs, directly or by the table in entry.c; by link.c, which reads files; and by context_call.c, when a context
 * ends. Loading blocks as cuda/loadable.h says; unloading waits for the devices where the module was built.
 */
#include "module/module.h"

#include <string.h>

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "cuda/device.h"
#include "cuda/jit_option.h"
#include "cuda/library.h"
#include "cuda/loadable.h"
#include "driver/context.h"
#include "driver/module.h"
#include "driver/reference.h"
#include "driver/result.h"
#include "driver/variant.h"

typedef struct loaded {
  struct loaded *next;
  vptr__module *module;
  CUcontext context;
} loaded;

static struct {
  vptr__lock lock;
  loaded *first;
} modules = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF) };

/* ---- life ----------------------------------------------------------------------------------------------- */

/* References go last, for the module's variables begin with their numbers. */
static void unload_module(vptr__module *module) {
  vptr__module_unload(module);
  vptr__driver_references_end(module);
}

static CUresult load_image(const char *call, CUmodule *module_out, const char *image, size_t size) {
  CUcontext context;
  CUresult result = vptr__driver_enter(&context);
  if (result == CUDA_SUCCESS && (module_out == NULL || image == NULL))
    result = vptr__driver_invalid(call, image == NULL ? "the image is NULL" : "the output is NULL");
  if (result != CUDA_SUCCESS)
    return result;
  loaded *entry = vptr__memory_calloc(1, sizeof *entry);
  if (entry == NULL)
    return vptr__driver_status(vptr__error_host_memory(sizeof *entry));
  result = vptr__driver_result_of(vptr__cuda_loadable_load(image, size, &entry->module));
  if (result == CUDA_SUCCESS && (result = vptr__driver_references_make(entry->module)) != CUDA_SUCCESS)
    unload_module(entry->module);
  if (result != CUDA_SUCCESS) {
    vptr__memory_free(entry);
    return result;
  }
  entry->context = context;
  vptr__lock_take(&modules.lock);
  entry->next = modules.first;
  modules.first = entry;
  vptr__lock_give(&modules.lock);
  *module_out = (CUmodule)entry->module;
  return CUDA_SUCCESS;
}

/* The first that fits, out of the list; NULL: none. */
static loaded *remove_loaded(const vptr__module *module, CUcontext context) {
  vptr__lock_take(&modules.lock);
  loaded **link = &modules.first, *found;
  while ((found = *link) != NULL && (module != NULL ? found->module != module : found->context != context))
    link = &found->next;
  if (found != NULL)
    *link = found->next;
  vptr__lock_give(&modules.lock);
  return found;
}

/* A function's handle is its own stub, so that the runtime's calls take it, and tell it from others. */
static void unbind_functions(vptr__module *module) {
  const vptr__module_image *image = vptr__module_image_of(module);
  for (uint32_t i = 0; i < image->kernel_count; i++)
    vptr__function_unbind(vptr__module_function(module, image->kernels[i].entry));
}

static void unload_entry(loaded *entry) {
  unbind_functions(entry->module);
  unload_module(entry->module);
  vptr__memory_free(entry);
}

void vptr__driver_unload_all(CUcontext context) {
  for (loaded *entry; (entry = remove_loaded(NULL, context)) != NULL;)
    unload_entry(entry);
}

static CUresult refuse_handle(const char *call, CUmodule module) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no module: it was unloaded, or never loaded", call,
              (void *)module);
  return vptr__driver_refuse(CUDA_ERROR_INVALID_HANDLE);
}

static CUresult refuse_unload(CUmodule module) {
  if (module == NULL || vptr__cuda_library_of((vptr__module *)module) == NULL)
    return refuse_handle("cuModuleUnload", module);
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cuModuleUnload: %p is a library's: cuLibraryUnload()", (void *)module);
  return vptr__driver_refuse(CUDA_ERROR_NOT_PERMITTED);
}

CUresult cuModuleUnload(CUmodule hmod) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  loaded *entry = hmod != NULL ? remove_loaded((vptr__module *)hmod, NULL) : NULL;
  if (entry == NULL)
    return refuse_unload(hmod);
  unload_entry(entry);
  return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  return load_image("cuModuleLoadData", module, image, SIZE_MAX);
}

/* ---- options -------------------------------------------------------------------------------------------- */

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions, CUjit_option *options,
                            void **optionValues) {
  vptr__cuda_jit_logs logs;
  CUresult result =
      vptr__driver_result_of(vptr__cuda_jit_read("cuModuleLoadDataEx", numOptions, options, optionValues, &logs));
  if (result != CUDA_SUCCESS)
    return result;
  result = load_image("cuModuleLoadDataEx", module, image, SIZE_MAX);
  vptr__cuda_jit_write(&logs, result == CUDA_SUCCESS ? "" : vptr_last_error());
  return result;
}

/* ---- files ---------------------------------------------------------------------------------------------- */

CUresult vptr__driver_read_file(const char *call, const char *path, char **text_out, size_t *size_out) {
  char *text = vptr__cuda_loadable_read(path, size_out);
  if (text == NULL) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s cannot be read", call, path);
    return vptr__driver_refuse(CUDA_ERROR_FILE_NOT_FOUND);
  }
  *text_out = text;
  return CUDA_SUCCESS;
}

CUresult cuModuleLoad(CUmodule *module, const char *fname) {
  CUresult result = vptr__driver_enter(NULL);
  if (result == CUDA_SUCCESS && (module == NULL || fname == NULL))
    result = vptr__driver_invalid("cuModuleLoad", "the output or the file's name is NULL");
  size_t size = 0;
  char *text = NULL;
  if (result == CUDA_SUCCESS)
    result = vptr__driver_read_file("cuModuleLoad", fname, &text, &size);
  if (result != CUDA_SUCCESS)
    return result;
  result = load_image("cuModuleLoad", module, text, size);
  vptr__memory_free(text);
  return result;
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) {
  CUresult result = vptr__driver_check_pointer(vptr__driver_begun(), "cuModuleGetLoadingMode", mode, "mode");
  if (result == CUDA_SUCCESS)
    *mode = CU_MODULE_LAZY_LOADING;
  return result;
}

/* ---- what is in one ------------------------------------------------------------------------------------- */

static bool is_loaded(const vptr__module *module) {
  vptr__lock_take(&modules.lock);
  const loaded *entry = modules.first;
  while (entry != NULL && entry->module != module)
    entry = entry->next;
  vptr__lock_give(&modules.lock);
  return entry != NULL;
}

/* One of the driver's, or a library's. */
static CUresult find_module(const char *call, CUmodule handle, const void *output, vptr__module **module_out) {
  vptr__module *module = *module_out = (vptr__module *)handle;
  CUresult result = vptr__driver_check_pointer(vptr__driver_enter(NULL), call, output, "the output or the name");
  if (result != CUDA_SUCCESS)
    return result;
  if (module == NULL || (!is_loaded(module) && vptr__cuda_library_of(module) == NULL))
    return refuse_handle(call, handle);
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name) {
  vptr__module *module;
  CUresult result = find_module("cuModuleGetFunction", hmod, name != NULL ? hfunc : NULL, &module);
  if (result != CUDA_SUCCESS)
    return result;
  vptr__function *function = vptr__module_function(module, name);
  if (function == NULL) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                "cuModuleGetFunction: the module has no kernel %s; C++ names are lowered, unless extern \"C\" or "
                "nvrtcGetLoweredName()",
                name);
    return vptr__driver_refuse(CUDA_ERROR_NOT_FOUND);
  }
  result = vptr__driver_status(vptr__function_bind(function, function));
  if (result == CUDA_SUCCESS)
    *hfunc = (CUfunction)function;
  return result;
}

CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule mod) {
  vptr__module *module;
  CUresult result = find_module("cuModuleGetFunctionCount", mod, count, &module);
  if (result == CUDA_SUCCESS)
    *count = vptr__module_image_of(module)->kernel_count;
  return result;
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned int numFunctions, CUmodule mod) {
  vptr__module *module;
  CUresult result = find_module("cuModuleEnumerateFunctions", mod, functions, &module);
  if (result != CUDA_SUCCESS)
    return result;
  const vptr__module_image *image = vptr__module_image_of(module);
  for (unsigned i = 0; i < numFunctions && i < image->kernel_count && result == CUDA_SUCCESS; i++) {
    vptr__function *function = vptr__module_function(module, image->kernels[i].entry);
    result = vptr__driver_status(vptr__function_bind(function, function));
    functions[i] = result == CUDA_SUCCESS ? (CUfunction)function : NULL;
  }
  return result;
}

static bool has_variable(const vptr__module_image *image, const char *name) {
  for (uint32_t i = 0; i < image->variable_count; i++)
    if (strcmp(image->variables[i].name, name) == 0 || strcmp(image->variables[i].lowered, name) == 0)
      return true;
  return false;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name) {
  vptr__module *module;
  vptr_mapper *mapper;
  void *ptr;
  size_t size = 0;
  CUresult result = find_module("cuModuleGetGlobal", hmod, name, &module);
  if (result != CUDA_SUCCESS)
    return result;
  if (!has_variable(vptr__module_image_of(module), name)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cuModuleGetGlobal: the module has no variable %s", name);
    return vptr__driver_refuse(CUDA_ERROR_NOT_FOUND);
  }
  result = vptr__driver_result_of(vptr__cuda_current_mapper(&mapper));
  if (result == CUDA_SUCCESS)
    result = vptr__driver_status(vptr__module_variable(module, name, mapper, &ptr, &size));
  if (result != CUDA_SUCCESS)
    return result;
  if (dptr != NULL)
    *dptr = (CUdeviceptr)(uintptr_t)ptr;
  if (bytes != NULL)
    *bytes = size;
  return CUDA_SUCCESS;
}

static CUresult get_reference(const char *call, void **out, CUmodule hmod, const char *name, bool is_surface) {
  vptr__module *module;
  CUresult result = find_module(call, hmod, name != NULL ? out : NULL, &module);
  if (result != CUDA_SUCCESS)
    return result;
  vptr__driver_reference *found = vptr__driver_reference_named(module, name, is_surface);
  if (found == NULL) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the module has no %s reference %s", call,
                is_surface ? "surface" : "texture", name);
    return vptr__driver_refuse(CUDA_ERROR_NOT_FOUND);
  }
  *out = found;
  return CUDA_SUCCESS;
}

CUresult cuModuleGetTexRef(CUtexref *pTexRef, CUmodule hmod, const char *name) {
  return get_reference("cuModuleGetTexRef", (void **)pTexRef, hmod, name, false);
}

CUresult cuModuleGetSurfRef(CUsurfref *pSurfRef, CUmodule hmod, const char *name) {
  return get_reference("cuModuleGetSurfRef", (void **)pSurfRef, hmod, name, true);
}
