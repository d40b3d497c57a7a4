/* SPDX-License-Identifier: MIT */
/* entry_driver_module - rows of the driver's interface: modules, the linker, kernels and what they can be asked. */
#include "entry.h"

#include <stdio.h>
#include <unistd.h>

enum { THREADS = 4 };

static CUmodule module;
static CUfunction add;

/* What a call comes to that builds the kernel: the fake device has none of that name. */
static CUresult built(void) {
  return entry_runs_kernels() ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
}

static size_t CUDA_CB no_shared(int block_size) {
  (void)block_size;
  return 0;
}

/* The image in a file of its own. */
static void write_image(char name[64], const char *image) {
  snprintf(name, 64, "/tmp/conform_entry_%ld.image", (long)getpid());
  FILE *file = fopen(name, "w");
  NEED(file != NULL && fputs(image, file) >= 0 && fclose(file) == 0);
}

static void loaded(void) {
  size_t size = 0;
  const char *image = entry_image(&size);
  char name[64];
  CUmodule brief = NULL;
  CUmoduleLoadingMode mode = (CUmoduleLoadingMode)99;
  CUdeviceptr table = 0;
  unsigned count = 0;
  write_image(name, image);
  ENTRY(cuModuleLoad, (&brief, name), CUDA_SUCCESS, cuModuleUnload(brief) == CUDA_SUCCESS, (&brief, "/no/such/file"),
        CUDA_ERROR_FILE_NOT_FOUND);
  NEED(remove(name) == 0);
  ENTRY(cuModuleLoadDataEx, (&brief, image, 0, NULL, NULL), CUDA_SUCCESS, brief != NULL,
        (&brief, NULL, 0, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuModuleUnload, (brief), CUDA_SUCCESS, 1, (NULL), CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuModuleLoadData, (&module, image), CUDA_SUCCESS, module != NULL, (&brief, NULL), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuModuleGetLoadingMode, (&mode), CUDA_SUCCESS,
        mode == CU_MODULE_EAGER_LOADING || mode == CU_MODULE_LAZY_LOADING, (NULL), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuModuleGetFunction, (&add, module, "add"), CUDA_SUCCESS, add != NULL, (&add, module, "none"),
        CUDA_ERROR_NOT_FOUND);
  ENTRY(cuModuleGetFunctionCount, (&count, module), CUDA_SUCCESS, count == 1, (NULL, module),
        CUDA_ERROR_INVALID_VALUE);
  CUfunction found = NULL;
  ENTRY(cuModuleEnumerateFunctions, (&found, 1, module), CUDA_SUCCESS, found == add, (NULL, 1, module),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuModuleGetGlobal, (&table, &size, module, "table"), CUDA_SUCCESS, size == 4 * sizeof(int) && table != 0,
        (&table, &size, module, "none"), CUDA_ERROR_NOT_FOUND);
}

static void linked(void) {
  CUlinkState state = NULL, none = NULL;
  size_t size = 0, length = 0;
  const char *image = entry_image(&length);
  char name[64];
  void *result = NULL;
  write_image(name, image);
  ENTRY(cuLinkCreate, (0, NULL, NULL, &state), CUDA_SUCCESS, state != NULL, (0, NULL, NULL, NULL),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuLinkAddData, (state, CU_JIT_INPUT_PTX, (void *)(size_t)image, length, "image", 0, NULL, NULL), CUDA_SUCCESS,
        1, (state, CU_JIT_INPUT_PTX, NULL, length, "image", 0, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuLinkComplete, (state, &result, &size), CUDA_SUCCESS, result != NULL && size > 0, (state, NULL, &size),
        CUDA_ERROR_INVALID_VALUE);
  NEED(cuLinkCreate(0, NULL, NULL, &none) == CUDA_SUCCESS);
  ENTRY(cuLinkAddFile, (none, CU_JIT_INPUT_PTX, name, 0, NULL, NULL), CUDA_SUCCESS, 1,
        (none, CU_JIT_INPUT_PTX, "/no/such/file", 0, NULL, NULL), CUDA_ERROR_FILE_NOT_FOUND);
  ENTRY(cuLinkDestroy, (state), CUDA_SUCCESS, cuLinkDestroy(none) == CUDA_SUCCESS, (NULL), CUDA_ERROR_INVALID_HANDLE);
  NEED(remove(name) == 0);
}

static void launched(void) {
  CUdeviceptr numbers = 0;
  int by = 3, seen[THREADS] = { 0 };
  void *arguments[] = { &numbers, &by };
  NEED(cuMemAlloc(&numbers, sizeof seen) == CUDA_SUCCESS && cuMemsetD8(numbers, 0, sizeof seen) == CUDA_SUCCESS);
  ENTRY(cuLaunchKernel, (add, 1, 1, 1, THREADS, 1, 1, 0, NULL, arguments, NULL), built(),
        !entry_runs_kernels() ||
            (cuCtxSynchronize() == CUDA_SUCCESS && cuMemcpyDtoH(seen, numbers, sizeof seen) == CUDA_SUCCESS &&
             seen[0] == by && seen[THREADS - 1] == by),
        (NULL, 1, 1, 1, THREADS, 1, 1, 0, NULL, arguments, NULL), CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuLaunchCooperativeKernel, (add, 1, 1, 1, THREADS, 1, 1, 0, NULL, arguments), built(),
        !entry_runs_kernels() ||
            (cuCtxSynchronize() == CUDA_SUCCESS && cuMemcpyDtoH(seen, numbers, sizeof seen) == CUDA_SUCCESS &&
             seen[0] == 2 * by && seen[THREADS - 1] == 2 * by),
        (NULL, 1, 1, 1, THREADS, 1, 1, 0, NULL, arguments), CUDA_ERROR_INVALID_HANDLE);
  CUlaunchConfig config = { 1, 1, 1, THREADS, 1, 1, 0, NULL, NULL, 0 };
  ENTRY(cuLaunchKernelEx, (&config, add, arguments, NULL), built(),
        !entry_runs_kernels() ||
            (cuCtxSynchronize() == CUDA_SUCCESS && cuMemcpyDtoH(seen, numbers, sizeof seen) == CUDA_SUCCESS &&
             seen[0] == 3 * by && seen[THREADS - 1] == 3 * by),
        (&config, NULL, arguments, NULL), CUDA_ERROR_INVALID_HANDLE);
  NEED(cuMemFree(numbers) == CUDA_SUCCESS);
}

static void asked(void) {
  int value = -1, grid = 0, block = 0;
  const char *name = NULL;
  CUmodule owner = NULL;
  size_t offset = 99, size = 0;
  const int runs = entry_runs_kernels();
  ENTRY(cuFuncGetAttribute, (&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, add), built(), !runs || value > 0,
        (NULL, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, add), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuFuncSetAttribute, (add, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64), CUDA_SUCCESS, 1,
        (NULL, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64), CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuFuncSetCacheConfig, (add, CU_FUNC_CACHE_PREFER_L1), CUDA_SUCCESS, 1, (NULL, CU_FUNC_CACHE_PREFER_L1),
        CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuFuncSetSharedMemConfig, (add, CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE), CUDA_SUCCESS, 1,
        (NULL, CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE), CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuFuncGetModule, (&owner, add), CUDA_SUCCESS, owner == module, (NULL, add), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuFuncGetName, (&name, add), CUDA_SUCCESS, strcmp(name, "add") == 0, (NULL, add), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuFuncGetParamInfo, (add, 1, &offset, &size), CUDA_SUCCESS, offset == 8 && size == sizeof(int),
        (add, 2, &offset, &size), CUDA_ERROR_INVALID_VALUE);
  value = 0;
  ENTRY(cuOccupancyMaxActiveBlocksPerMultiprocessor, (&value, add, 32, 0), built(), !runs || value > 0,
        (NULL, add, 32, 0), CUDA_ERROR_INVALID_VALUE);
  value = 0;
  ENTRY(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, (&value, add, 32, 0, CU_OCCUPANCY_DEFAULT), built(),
        !runs || value > 0, (&value, add, 32, 0, 99), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuOccupancyMaxPotentialBlockSize, (&grid, &block, add, no_shared, 0, 0), built(),
        !runs || (grid > 0 && block > 0), (NULL, &block, add, no_shared, 0, 0), CUDA_ERROR_INVALID_VALUE);
  grid = 0;
  ENTRY(cuOccupancyMaxPotentialBlockSizeWithFlags, (&grid, &block, add, no_shared, 0, 0, CU_OCCUPANCY_DEFAULT),
        built(), !runs || grid > 0, (NULL, &block, add, no_shared, 0, 0, CU_OCCUPANCY_DEFAULT),
        CUDA_ERROR_INVALID_VALUE);
  size = 0;
  ENTRY(cuOccupancyAvailableDynamicSMemPerBlock, (&size, add, 1, 32), CUDA_SUCCESS, !runs || size > 0,
        (NULL, add, 1, 32), CUDA_ERROR_INVALID_VALUE);
}

void entry_driver_module(void) {
  loaded();
  linked();
  launched();
  asked();
  NEED(cuModuleUnload(module) == CUDA_SUCCESS);
}
