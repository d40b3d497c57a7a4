/* SPDX-License-Identifier: MIT */
/* entry_library - rows of both interfaces: libraries of kernels, kernels by handles, and functions by names. */
#include "entry.h"

#include <stdio.h>
#include <unistd.h>
#include <vptr_kernel.h>

static char add, unknown; /* stubs */
static const vptr_cuda_kernel kernels[] = { { &add, "add" } };

static void write_image(char name[64], const char *image) {
  snprintf(name, 64, "/tmp/conform_entry_%ld.library", (long)getpid());
  FILE *file = fopen(name, "w");
  NEED(file != NULL && fputs(image, file) >= 0 && fclose(file) == 0);
}

static void runtime_libraries(const char *image) {
  char name[64];
  cudaLibrary_t library = NULL, brief = NULL;
  cudaKernel_t kernel = NULL, listed = NULL;
  void *memory = NULL;
  size_t bytes = 0;
  unsigned count = 0;
  write_image(name, image);
  ENTRY(cudaLibraryLoadData, (&library, image, NULL, NULL, 0, NULL, NULL, 0), cudaSuccess, library != NULL,
        (&library, NULL, NULL, NULL, 0, NULL, NULL, 0), cudaErrorInvalidValue);
  ENTRY(cudaLibraryLoadFromFile, (&brief, name, NULL, NULL, 0, NULL, NULL, 0), cudaSuccess, brief != NULL,
        (&brief, "/no/such/file", NULL, NULL, 0, NULL, NULL, 0), cudaErrorFileNotFound);
  NEED(remove(name) == 0);
  ENTRY(cudaLibraryGetKernelCount, (&count, library), cudaSuccess, count == 1, (&count, NULL),
        cudaErrorInvalidResourceHandle);
  ENTRY(cudaLibraryGetKernel, (&kernel, library, "add"), cudaSuccess, kernel != NULL, (&kernel, library, "none"),
        cudaErrorSymbolNotFound);
  ENTRY(cudaLibraryEnumerateKernels, (&listed, 1, library), cudaSuccess, listed == kernel, (NULL, 1, library),
        cudaErrorInvalidValue);
  ENTRY(cudaLibraryGetGlobal, (&memory, &bytes, library, "table"), cudaSuccess,
        memory != NULL && bytes == 4 * sizeof(int), (&memory, &bytes, library, "none"), cudaErrorSymbolNotFound);
  ENTRY(cudaLibraryGetManaged, (&memory, &bytes, library, "table"), cudaErrorSymbolNotFound, 1,
        (&memory, &bytes, NULL, "table"), cudaErrorInvalidResourceHandle);
  ENTRY(cudaLibraryGetUnifiedFunction, (&memory, library, "add"), cudaErrorSymbolNotFound, 1, (NULL, library, "add"),
        cudaErrorInvalidValue);
  ENTRY(cudaKernelSetAttributeForDevice, (kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 64, 0), cudaSuccess, 1,
        (kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 64, NOT_A_DEVICE), cudaErrorInvalidDevice);
  ENTRY(cudaLibraryUnload, (brief), cudaSuccess, cudaLibraryUnload(library) == cudaSuccess, (brief),
        cudaErrorInvalidResourceHandle);
}

static void kernels_by_stubs(const char *image, size_t length) {
  const vptr_cuda_module module = { sizeof module, image, length, kernels, 1, NULL, 0 };
  void *handle = NULL;
  cudaKernel_t kernel = NULL;
  cudaFunction_t function = NULL;
  const char *name = NULL;
  NEED(vptr_cuda_register_module(&module, &handle) == cudaSuccess);
  ENTRY(cudaGetKernel, (&kernel, &add), cudaSuccess,
        cudaFuncGetName(&name, (const void *)kernel) == cudaSuccess && strcmp(name, "add") == 0, (&kernel, &unknown),
        cudaErrorInvalidDeviceFunction);
  ENTRY(cudaGetFuncBySymbol, (&function, &add), cudaSuccess,
        cuFuncGetName(&name, function) == CUDA_SUCCESS && strcmp(name, "add") == 0, (NULL, &add),
        cudaErrorInvalidValue);
  NEED(vptr_cuda_unregister_module(handle) == cudaSuccess);
}

static void names_of_the_driver(void) {
  enum cudaDriverEntryPointQueryResult status = cudaDriverEntryPointVersionNotSufficent;
  void *found = NULL, *by_version = NULL;
  ENTRY(cudaGetDriverEntryPoint, ("cuInit", &found, cudaEnableDefault, &status), cudaSuccess,
        found != NULL && status == cudaDriverEntryPointSuccess, ("cuInit", &found, 3, &status),
        cudaErrorInvalidValue);
  ENTRY(cudaGetDriverEntryPointByVersion, ("cuInit", &by_version, 12000, cudaEnableDefault, &status), cudaSuccess,
        by_version == found && status == cudaDriverEntryPointSuccess, ("cuInit", &by_version, 99000, 0, NULL),
        cudaErrorInvalidValue);
  entry_messages();
  NEED(cudaGetDriverEntryPoint("none", &found, cudaEnableDefault, &status) == cudaSuccess);
  entry_judge_messages("cudaGetDriverEntryPoint, that there is none", __FILE__, __LINE__, entry_messages(), 0);
}

static void driver_libraries(const char *image, CUlibrary *library) {
  char name[64];
  CUlibrary brief = NULL;
  CUkernel kernel = NULL, listed = NULL;
  CUmodule module = NULL;
  CUdeviceptr memory = 0;
  void *function = NULL;
  size_t bytes = 0;
  unsigned count = 0;
  write_image(name, image);
  ENTRY(cuLibraryLoadData, (library, image, NULL, NULL, 0, NULL, NULL, 0), CUDA_SUCCESS, *library != NULL,
        (library, NULL, NULL, NULL, 0, NULL, NULL, 0), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuLibraryLoadFromFile, (&brief, name, NULL, NULL, 0, NULL, NULL, 0), CUDA_SUCCESS, brief != NULL,
        (&brief, "/no/such/file", NULL, NULL, 0, NULL, NULL, 0), CUDA_ERROR_FILE_NOT_FOUND);
  NEED(remove(name) == 0);
  ENTRY(cuLibraryUnload, (brief), CUDA_SUCCESS, 1, (brief), CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuLibraryGetKernelCount, (&count, *library), CUDA_SUCCESS, count == 1, (NULL, *library),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuLibraryGetKernel, (&kernel, *library, "add"), CUDA_SUCCESS, kernel != NULL, (&kernel, *library, "none"),
        CUDA_ERROR_NOT_FOUND);
  ENTRY(cuLibraryEnumerateKernels, (&listed, 1, *library), CUDA_SUCCESS, listed == kernel, (&listed, 1, NULL),
        CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuLibraryGetGlobal, (&memory, &bytes, *library, "table"), CUDA_SUCCESS,
        memory != 0 && bytes == 4 * sizeof(int), (&memory, &bytes, *library, "none"), CUDA_ERROR_NOT_FOUND);
  ENTRY(cuLibraryGetManaged, (&memory, &bytes, *library, "table"), CUDA_ERROR_NOT_FOUND, 1,
        (&memory, &bytes, NULL, "table"), CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuLibraryGetUnifiedFunction, (&function, *library, "add"), CUDA_ERROR_NOT_FOUND, 1, (NULL, *library, "add"),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuLibraryGetModule, (&module, *library), CUDA_SUCCESS,
        cuModuleGetFunctionCount(&count, module) == CUDA_SUCCESS && count == 1 &&
            cuModuleUnload(module) == CUDA_ERROR_NOT_PERMITTED,
        (&module, NULL), CUDA_ERROR_INVALID_HANDLE);
}

static void driver_kernels(CUlibrary library) {
  const CUresult built = entry_runs_kernels() ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
  const CUfunction_attribute shared = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
  CUfunctionLoadingState state = CU_FUNCTION_LOADING_STATE_MAX;
  CUkernel kernel = NULL;
  CUfunction function = NULL;
  CUlibrary owner = NULL;
  const char *name = NULL;
  size_t offset = 9, size = 0;
  int value = -1;
  NEED(cuLibraryGetKernel(&kernel, library, "add") == CUDA_SUCCESS);
  ENTRY(cuKernelGetFunction, (&function, kernel), CUDA_SUCCESS, function != NULL, (&function, NULL),
        CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuFuncIsLoaded, (&state, function), CUDA_SUCCESS, state == CU_FUNCTION_LOADING_STATE_UNLOADED,
        (NULL, function), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuFuncLoad, (function), built,
        cuFuncIsLoaded(&state, function) == CUDA_SUCCESS &&
            (!entry_runs_kernels() || state == CU_FUNCTION_LOADING_STATE_LOADED),
        (NULL), CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuKernelGetLibrary, (&owner, kernel), CUDA_SUCCESS, owner == library, (NULL, kernel),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuKernelGetName, (&name, kernel), CUDA_SUCCESS, strcmp(name, "add") == 0, (&name, NULL),
        CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuKernelGetParamInfo, (kernel, 1, &offset, &size), CUDA_SUCCESS, offset == 8 && size == sizeof(int),
        (kernel, 2, &offset, &size), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuKernelSetAttribute, (shared, 64, kernel, 0), CUDA_SUCCESS, 1, (shared, -1, kernel, 0),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuKernelGetAttribute, (&value, shared, kernel, 0), built, !entry_runs_kernels() || value == 64,
        (&value, shared, kernel, NOT_A_DEVICE), CUDA_ERROR_INVALID_DEVICE);
  ENTRY(cuKernelSetCacheConfig, (kernel, CU_FUNC_CACHE_PREFER_L1, 0), CUDA_SUCCESS, 1,
        (NULL, CU_FUNC_CACHE_PREFER_L1, 0), CUDA_ERROR_INVALID_HANDLE);
}

void entry_libraries(void) {
  size_t length = 0;
  const char *image = entry_image(&length);
  CUlibrary library = NULL;
  runtime_libraries(image);
  kernels_by_stubs(image, length);
  names_of_the_driver();
  driver_libraries(image, &library);
  driver_kernels(library);
  NEED(cuLibraryUnload(library) == CUDA_SUCCESS);
}
