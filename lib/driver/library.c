/* SPDX-License-Identifier: MIT */
/*
 * library - cuLibrary*(): the runtime's libraries of kernels (cuda/library.h), under the driver's names.
 *
 * A library is of no context; what needs a device takes the current one's. Its module is one for both interfaces,
 * but is not to be unloaded by itself. No state, no locks. Called by programs, directly or by the table in entry.c.
 * Loading and unloading block as the runtime's do.
 */
#include "base/error.h"
#include "cuda/library.h"
#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"

#include <vptr/cuda/cuda_runtime_api.h>

_Static_assert(sizeof(CUjit_option) == sizeof(enum cudaJitOption) &&
                   sizeof(CUlibraryOption) == sizeof(enum cudaLibraryOption),
               "the runtime's, by other names");

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions, void **jitOptionsValues,
                           unsigned int numJitOptions, CUlibraryOption *libraryOptions, void **libraryOptionValues,
                           unsigned int numLibraryOptions) {
  CUresult result = vptr__driver_begun();
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(
      cudaLibraryLoadData(library, code, (enum cudaJitOption *)(void *)jitOptions, jitOptionsValues, numJitOptions,
                          (enum cudaLibraryOption *)(void *)libraryOptions, libraryOptionValues, numLibraryOptions));
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *fileName, CUjit_option *jitOptions,
                               void **jitOptionsValues, unsigned int numJitOptions, CUlibraryOption *libraryOptions,
                               void **libraryOptionValues, unsigned int numLibraryOptions) {
  CUresult result = vptr__driver_begun();
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaLibraryLoadFromFile(
      library, fileName, (enum cudaJitOption *)(void *)jitOptions, jitOptionsValues, numJitOptions,
      (enum cudaLibraryOption *)(void *)libraryOptions, libraryOptionValues, numLibraryOptions));
}

CUresult cuLibraryUnload(CUlibrary library) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaLibraryUnload(library)) : result;
}

/* ---- what is in one ------------------------------------------------------------------------------------- */

CUresult cuLibraryGetKernel(CUkernel *pKernel, CUlibrary library, const char *name) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaLibraryGetKernel(pKernel, library, name)) : result;
}

CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary lib) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaLibraryGetKernelCount(count, lib)) : result;
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int numKernels, CUlibrary lib) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaLibraryEnumerateKernels(kernels, numKernels, lib)) : result;
}

CUresult cuLibraryGetModule(CUmodule *pMod, CUlibrary library) {
  CUresult result = vptr__driver_check_pointer(vptr__driver_enter(NULL), "cuLibraryGetModule", pMod, "pMod");
  if (result != CUDA_SUCCESS)
    return result;
  vptr__module *module = vptr__cuda_library_module(library);
  if (module == NULL) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cuLibraryGetModule: %p is no library: it was unloaded, or never loaded",
                (void *)library);
    return vptr__driver_refuse(CUDA_ERROR_INVALID_HANDLE);
  }
  *pMod = (CUmodule)module;
  return CUDA_SUCCESS;
}

typedef cudaError_t (*variable_getter)(void **memory, size_t *bytes, cudaLibrary_t library, const char *name);

static CUresult get_variable(CUresult entered, variable_getter get, CUdeviceptr *dptr, size_t *bytes,
                             CUlibrary library, const char *name) {
  void *memory = NULL;
  if (entered != CUDA_SUCCESS)
    return entered;
  CUresult result = vptr__driver_result(get(dptr != NULL ? &memory : NULL, bytes, library, name));
  if (result == CUDA_SUCCESS && dptr != NULL)
    *dptr = (CUdeviceptr)(uintptr_t)memory;
  return result;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name) {
  return get_variable(vptr__driver_enter(NULL), cudaLibraryGetGlobal, dptr, bytes, library, name);
}

CUresult cuLibraryGetManaged(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name) {
  return get_variable(vptr__driver_begun(), cudaLibraryGetManaged, dptr, bytes, library, name);
}

CUresult cuLibraryGetUnifiedFunction(void **fptr, CUlibrary library, const char *symbol) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaLibraryGetUnifiedFunction(fptr, library, symbol)) : result;
}
