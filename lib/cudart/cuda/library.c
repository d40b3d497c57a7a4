/* SPDX-License-Identifier: MIT */
/*
 * library - cudaLibrary*(): loading libraries of kernels, and finding what is in them (library.h).
 *
 * The static `libraries` has the list of all CUlib_st, and its `lock`, of rank LEAF, which guards it; nothing is called
 * while it is held. Each has a module, and ends with it in cudaLibraryUnload(). A library is not unloaded while another
 * thread uses it, which is the program's to see to, as in CUDA. Called by programs, and by driver/library.c,
 * driver/kernel.c and driver/module.c. Loading blocks as loadable.h says; unloading waits for the devices where the
 * module was built.
 */
#include "cuda/library.h"

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/jit_option.h"
#include "cuda/loadable.h"
#include "cuda/stream.h"

#include <string.h>

struct CUlib_st {
  struct CUlib_st *next;
  vptr__module *module;
};

static struct {
  vptr__lock lock;
  cudaLibrary_t first;
} libraries = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF) };

/* ---- the list ------------------------------------------------------------------------------------------- */

vptr__module *vptr__cuda_library_module(cudaLibrary_t library) {
  vptr__module *module = NULL;
  vptr__lock_take(&libraries.lock);
  for (cudaLibrary_t it = libraries.first; it != NULL && module == NULL; it = it->next)
    if (it == library)
      module = it->module;
  vptr__lock_give(&libraries.lock);
  return module;
}

cudaLibrary_t vptr__cuda_library_of(const vptr__module *module) {
  vptr__lock_take(&libraries.lock);
  cudaLibrary_t it = libraries.first;
  while (it != NULL && it->module != module)
    it = it->next;
  vptr__lock_give(&libraries.lock);
  return it;
}

static void add_library(cudaLibrary_t library) {
  vptr__lock_take(&libraries.lock);
  library->next = libraries.first;
  libraries.first = library;
  vptr__lock_give(&libraries.lock);
}

/* Whether it was there. */
static bool remove_library(cudaLibrary_t library) {
  vptr__lock_take(&libraries.lock);
  cudaLibrary_t *link = &libraries.first;
  while (*link != NULL && *link != library)
    link = &(*link)->next;
  bool is_there = *link != NULL;
  if (is_there)
    *link = library->next;
  vptr__lock_give(&libraries.lock);
  return is_there;
}

/* ---- loading -------------------------------------------------------------------------------------------- */

static const char load_data[] = "cudaLibraryLoadData", load_file[] = "cudaLibraryLoadFromFile";

static cudaError_t enter(void) {
  cudaError_t error = vptr__cuda_permitted();
  return error == cudaSuccess ? vptr__cuda_device_exists() : error;
}

static cudaError_t refuse_option(const char *call, unsigned index, enum cudaLibraryOption option) {
  if (option == cudaLibraryHostUniversalFunctionAndDataTable) {
    vptr__error(
        VPTR_ERROR_UNSUPPORTED,
        "%s: option %u (cudaLibraryHostUniversalFunctionAndDataTable): no function of the host's is called by "
        "kernels",
        call, index);
    return cudaErrorNotSupported;
  }
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: option %u of the library is %d, which does not go with this call",
              call, index, (int)option);
  return cudaErrorInvalidValue;
}

static cudaError_t check_options(const char *call, const enum cudaLibraryOption *options, unsigned count) {
  if (count > 0 && options == NULL) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %u options of the library, and no places where they are", call,
                count);
    return cudaErrorInvalidValue;
  }
  for (unsigned i = 0; i < count; i++)
    if (options[i] != cudaLibraryBinaryIsPreserved || call != load_data)
      return refuse_option(call, i, options[i]);
  return cudaSuccess;
}

/* size: as vptr__cuda_loadable_load() has it. */
static cudaError_t make_library(const void *code, size_t size, cudaLibrary_t *library_out) {
  cudaLibrary_t library = vptr__memory_calloc(1, sizeof *library);
  if (library == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(sizeof *library));
  cudaError_t error = vptr__cuda_loadable_load(code, size, &library->module);
  if (error != cudaSuccess) {
    vptr__memory_free(library);
    return error;
  }
  add_library(library);
  *library_out = library;
  return cudaSuccess;
}

static cudaError_t make_from_file(const char *path, cudaLibrary_t *library_out) {
  size_t size;
  char *code = vptr__cuda_loadable_read(path, &size);
  if (code == NULL) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s cannot be read", load_file, path);
    return cudaErrorFileNotFound;
  }
  cudaError_t error = make_library(code, size, library_out);
  vptr__memory_free(code);
  return error;
}

/* What is common to both: source is the code, or the file's name. */
static cudaError_t load(const char *call, cudaLibrary_t *library, const void *source,
                        const enum cudaJitOption *jit_options, void **jit_values, unsigned jit_count,
                        const enum cudaLibraryOption *options, unsigned count) {
  vptr__cuda_jit_logs logs;
  cudaError_t error = enter();
  if (error == cudaSuccess && library == NULL)
    error = vptr__cuda_null_output(call, "library");
  if (error == cudaSuccess && source == NULL) {
    vptr__error(VPTR_ERROR_NULL_POINTER, "%s: the code, or the file's name, is NULL", call);
    error = cudaErrorInvalidValue;
  }
  if (error == cudaSuccess)
    error = check_options(call, options, count);
  if (error == cudaSuccess)
    error = vptr__cuda_jit_read(call, jit_count, jit_options, jit_values, &logs);
  if (error != cudaSuccess)
    return error;
  error = call == load_data ? make_library(source, SIZE_MAX, library) : make_from_file(source, library);
  vptr__cuda_jit_write(&logs, error == cudaSuccess ? "" : vptr_last_error());
  return error;
}

static cudaError_t refuse_library(const char *call, cudaLibrary_t library) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no library: it was unloaded, or never loaded", call,
              (void *)library);
  return cudaErrorInvalidResourceHandle;
}

static cudaError_t unload(cudaLibrary_t library) {
  cudaError_t error = enter();
  if (error != cudaSuccess)
    return error;
  vptr__module *module = vptr__cuda_library_module(library);
  if (module == NULL || !remove_library(library))
    return refuse_library("cudaLibraryUnload", library);
  vptr__module_unload(module);
  vptr__memory_free(library);
  return cudaSuccess;
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code, enum cudaJitOption *jitOptions,
                                void **jitOptionsValues, unsigned int numJitOptions,
                                enum cudaLibraryOption *libraryOptions, void **libraryOptionValues,
                                unsigned int numLibraryOptions) {
  (void)libraryOptionValues;
  return vptr__cuda_record(
      load(load_data, library, code, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, numLibraryOptions));
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *fileName, enum cudaJitOption *jitOptions,
                                    void **jitOptionsValues, unsigned int numJitOptions,
                                    enum cudaLibraryOption *libraryOptions, void **libraryOptionValues,
                                    unsigned int numLibraryOptions) {
  (void)libraryOptionValues;
  return vptr__cuda_record(load(load_file, library, fileName, jitOptions, jitOptionsValues, numJitOptions,
                                libraryOptions, numLibraryOptions));
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return vptr__cuda_record(unload(library));
}

/* ---- what is in one ------------------------------------------------------------------------------------- */

/* output: what must not be NULL. */
static cudaError_t find_module(const char *call, cudaLibrary_t library, const void *output, const char *what,
                               vptr__module **module_out) {
  cudaError_t error = enter();
  if (error != cudaSuccess)
    return error;
  *module_out = vptr__cuda_library_module(library);
  if (*module_out == NULL)
    return refuse_library(call, library);
  return output != NULL ? cudaSuccess : vptr__cuda_null_output(call, what);
}

static cudaError_t find_by_name(const char *call, cudaLibrary_t library, const void *output, const char *what,
                                const char *name, vptr__module **module_out) {
  cudaError_t error = find_module(call, library, output, what, module_out);
  if (error != cudaSuccess || name != NULL)
    return error;
  vptr__error(VPTR_ERROR_NULL_POINTER, "%s: name is NULL", call);
  return cudaErrorInvalidValue;
}

static cudaError_t refuse_name(const char *call, const char *what, const char *name) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
              "%s: the library has no %s %.200s; C++ names are lowered, unless extern \"C\" or nvrtcGetLoweredName()",
              call, what, name);
  return cudaErrorSymbolNotFound;
}

static cudaError_t get_kernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name) {
  vptr__module *module;
  cudaError_t error = find_by_name("cudaLibraryGetKernel", library, kernel, "pKernel", name, &module);
  if (error != cudaSuccess)
    return error;
  vptr__function *function = vptr__module_function(module, name);
  if (function == NULL)
    return refuse_name("cudaLibraryGetKernel", "kernel", name);
  *kernel = (cudaKernel_t)function;
  return cudaSuccess;
}

static cudaError_t get_variable(const char *call, void **memory, size_t *bytes, cudaLibrary_t library,
                                const char *name, bool is_managed) {
  vptr__module *module;
  vptr_mapper *mapper;
  void *address;
  size_t size;
  const void *output = memory != NULL ? (const void *)memory : bytes;
  cudaError_t error = find_by_name(call, library, output, "both dptr and bytes", name, &module);
  if (error != cudaSuccess)
    return error;
  const vptr__image_variable *line = vptr__module_variable_line(module, name);
  if (line == NULL || (is_managed && line->kind != VPTR__VARIABLE_MANAGED))
    return refuse_name(call, is_managed ? "managed variable" : "variable", name);
  error = vptr__cuda_current_mapper(&mapper);
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(vptr__module_variable(module, name, mapper, &address, &size));
  if (error != cudaSuccess)
    return error;
  if (memory != NULL)
    *memory = address;
  if (bytes != NULL)
    *bytes = size;
  return cudaSuccess;
}

static cudaError_t get_unified(void **function, cudaLibrary_t library, const char *symbol) {
  static const char call[] = "cudaLibraryGetUnifiedFunction";
  vptr__module *module;
  cudaError_t error = find_by_name(call, library, function, "fptr", symbol, &module);
  return error == cudaSuccess ? refuse_name(call, "function for host and device,", symbol) : error;
}

static cudaError_t get_count(unsigned *count, cudaLibrary_t library) {
  vptr__module *module;
  cudaError_t error = find_module("cudaLibraryGetKernelCount", library, count, "count", &module);
  if (error == cudaSuccess)
    *count = vptr__module_image_of(module)->kernel_count;
  return error;
}

static cudaError_t enumerate(cudaKernel_t *kernels, unsigned count, cudaLibrary_t library) {
  vptr__module *module;
  cudaError_t error = find_module("cudaLibraryEnumerateKernels", library, kernels, "kernels", &module);
  if (error != cudaSuccess)
    return error;
  const vptr__module_image *image = vptr__module_image_of(module);
  for (unsigned i = 0; i < count && i < image->kernel_count; i++)
    kernels[i] = (cudaKernel_t)vptr__module_function(module, image->kernels[i].entry);
  return cudaSuccess;
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *pKernel, cudaLibrary_t library, const char *name) {
  return vptr__cuda_record(get_kernel(pKernel, library, name));
}

cudaError_t cudaLibraryGetGlobal(void **dptr, size_t *bytes, cudaLibrary_t library, const char *name) {
  return vptr__cuda_record(get_variable("cudaLibraryGetGlobal", dptr, bytes, library, name, false));
}

cudaError_t cudaLibraryGetManaged(void **dptr, size_t *bytes, cudaLibrary_t library, const char *name) {
  return vptr__cuda_record(get_variable("cudaLibraryGetManaged", dptr, bytes, library, name, true));
}

cudaError_t cudaLibraryGetUnifiedFunction(void **fptr, cudaLibrary_t library, const char *symbol) {
  return vptr__cuda_record(get_unified(fptr, library, symbol));
}

cudaError_t cudaLibraryGetKernelCount(unsigned int *count, cudaLibrary_t lib) {
  return vptr__cuda_record(get_count(count, lib));
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned int numKernels, cudaLibrary_t lib) {
  return vptr__cuda_record(enumerate(kernels, numKernels, lib));
}
