/* SPDX-License-Identifier: MIT */
/*
 * function - cuFunc*() and cuOccupancy*(): what is known of kernels.
 *
 * A CUfunction stands for itself among the runtime's stubs (driver/module.c), so its answers are the runtime's. No
 * state, no locks. Called by programs, directly or by the table in entry.c, and by kernel.c. Questions about a build
 * have the driver build the kernel, which blocks.
 */
#include "base/error.h"
#include "cuda/device.h"
#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"
#include "module/module.h"

#include <vptr/cuda/cuda_runtime_api.h>
#include <vptr/cuda/vptr_function.h>

static CUresult find_function(const char *call, CUfunction handle, const void *output,
                              vptr__function **function_out) {
  CUresult result = vptr__driver_check_pointer(vptr__driver_enter(NULL), call, output, "the output");
  if (result != CUDA_SUCCESS)
    return result;
  *function_out = handle != NULL ? vptr__function_of(handle) : NULL;
  if (*function_out != NULL)
    return CUDA_SUCCESS;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no function of a module that is loaded", call, (void *)handle);
  return vptr__driver_refuse(CUDA_ERROR_INVALID_HANDLE);
}

/* ---- attributes ----------------------------------------------------------------------------------------- */

static bool pick_attribute(const struct cudaFuncAttributes *from, CUfunction_attribute attribute, int *value_out) {
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value_out = from->maxThreadsPerBlock;
    return true;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *value_out = (int)from->sharedSizeBytes;
    return true;
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    *value_out = (int)from->constSizeBytes;
    return true;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    *value_out = (int)from->localSizeBytes;
    return true;
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    *value_out = from->numRegs;
    return true;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    *value_out = from->ptxVersion;
    return true;
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    *value_out = from->binaryVersion;
    return true;
  case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    *value_out = from->cacheModeCA;
    return true;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value_out = from->maxDynamicSharedSizeBytes;
    return true;
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    *value_out = from->preferredShmemCarveout;
    return true;
  case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    *value_out = from->nonPortableClusterSizeAllowed;
    return true;
  case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    *value_out = from->clusterSchedulingPolicyPreference;
    return true;
  default: /* of clusters' sizes, which are 1 */
    if ((unsigned)attribute >= CU_FUNC_ATTRIBUTE_MAX)
      return false;
    *value_out = 0;
    return true;
  }
}

CUresult cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc) {
  struct cudaFuncAttributes attributes;
  vptr__function *function;
  CUresult result = find_function("cuFuncGetAttribute", hfunc, pi, &function);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(cudaFuncGetAttributes(&attributes, hfunc));
  if (result == CUDA_SUCCESS && !pick_attribute(&attributes, attrib, pi))
    result = vptr__driver_invalid("cuFuncGetAttribute", "the attribute is none of CUDA's");
  return result;
}

CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value) {
  vptr__function *function;
  CUresult result = find_function("cuFuncSetAttribute", hfunc, &function, &function);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaFuncSetAttribute(hfunc, (enum cudaFuncAttribute)attrib, value));
}

CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config) {
  vptr__function *function;
  CUresult result = find_function("cuFuncSetCacheConfig", hfunc, &function, &function);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaFuncSetCacheConfig(hfunc, (enum cudaFuncCache)config))
                                : result;
}

CUresult cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config) {
  vptr__function *function;
  CUresult result = find_function("cuFuncSetSharedMemConfig", hfunc, &function, &function);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaFuncSetSharedMemConfig(hfunc, (enum cudaSharedMemConfig)config));
}

CUresult cuFuncGetModule(CUmodule *hmod, CUfunction hfunc) {
  vptr__function *function;
  CUresult result = find_function("cuFuncGetModule", hfunc, hmod, &function);
  if (result == CUDA_SUCCESS)
    *hmod = (CUmodule)vptr__function_module(function);
  return result;
}

CUresult cuFuncGetName(const char **name, CUfunction hfunc) {
  vptr__function *function;
  CUresult result = find_function("cuFuncGetName", hfunc, name, &function);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaFuncGetName(name, hfunc)) : result;
}

CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t *paramOffset, size_t *paramSize) {
  vptr__function *function;
  CUresult result = find_function("cuFuncGetParamInfo", func, paramOffset, &function);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaFuncGetParamInfo(func, paramIndex, paramOffset, paramSize))
                                : result;
}

/* ---- builds --------------------------------------------------------------------------------------------- */

static CUresult find_here(const char *call, CUfunction handle, const void *output, vptr__function **function_out,
                          vptr_mapper **mapper_out) {
  CUresult result = find_function(call, handle, output, function_out);
  return result == CUDA_SUCCESS ? vptr__driver_result_of(vptr__cuda_current_mapper(mapper_out)) : result;
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function) {
  vptr__function *found;
  vptr_mapper *mapper;
  CUresult result = find_here("cuFuncIsLoaded", function, state, &found, &mapper);
  if (result == CUDA_SUCCESS)
    *state = vptr__function_is_built(found, mapper) ? CU_FUNCTION_LOADING_STATE_LOADED
                                                    : CU_FUNCTION_LOADING_STATE_UNLOADED;
  return result;
}

CUresult cuFuncLoad(CUfunction function) {
  vptr__function *found;
  vptr_mapper *mapper;
  vptr__kernel_limits limits;
  CUresult result = find_here("cuFuncLoad", function, &found, &found, &mapper);
  return result == CUDA_SUCCESS ? vptr__driver_status(vptr__function_limits(found, mapper, &limits)) : result;
}

/* ---- occupancy ------------------------------------------------------------------------------------------ */

static CUresult count_blocks(int *count, CUfunction handle, int block, size_t shared, unsigned flags) {
  vptr__function *function;
  CUresult result = find_function("cuOccupancyMaxActiveBlocksPerMultiprocessor", handle, count, &function);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(
      cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(count, handle, block, shared, flags));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, CUfunction func, int blockSize,
                                                     size_t dynamicSMemSize) {
  return count_blocks(numBlocks, func, blockSize, dynamicSMemSize, CU_OCCUPANCY_DEFAULT);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, CUfunction func, int blockSize,
                                                              size_t dynamicSMemSize, unsigned int flags) {
  return count_blocks(numBlocks, func, blockSize, dynamicSMemSize, flags);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, CUfunction func, int numBlocks,
                                                 int blockSize) {
  vptr__function *function;
  CUresult result = find_function("cuOccupancyAvailableDynamicSMemPerBlock", func, dynamicSmemSize, &function);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, func, numBlocks, blockSize));
}

/* What is asked for, and the best that was found. */
typedef struct search {
  CUfunction function;
  CUoccupancyB2DSize shared_of_block; /* NULL: `shared` for any */
  size_t shared;
  unsigned flags;
  int best_block, best_blocks, best_threads;
} search;

static CUresult try_block(search *it, int block) {
  int blocks;
  size_t shared = it->shared_of_block != NULL ? it->shared_of_block(block) : it->shared;
  CUresult result = count_blocks(&blocks, it->function, block, shared, it->flags);
  if (result == CUDA_SUCCESS && blocks * block > it->best_threads) {
    it->best_block = block;
    it->best_blocks = blocks;
    it->best_threads = blocks * block;
  }
  return result;
}

/* From the largest block down, a warp at a time; the first that is as good as any is taken. */
static CUresult find_block(search *it, int largest, int warp) {
  CUresult result = largest % warp != 0 ? try_block(it, largest) : CUDA_SUCCESS;
  for (int block = largest - largest % warp; block > 0 && result == CUDA_SUCCESS; block -= warp)
    result = try_block(it, block);
  return result;
}

static CUresult get_number(CUdevice_attribute attribute, int *value_out) {
  CUcontext context;
  CUresult result = vptr__driver_enter(&context);
  return result == CUDA_SUCCESS ? cuDeviceGetAttribute(value_out, attribute, context->device) : result;
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, CUfunction func,
                                                   CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                   size_t dynamicSMemSize, int blockSizeLimit, unsigned int flags) {
  search it = {
    .function = func, .shared_of_block = blockSizeToDynamicSMemSize, .shared = dynamicSMemSize, .flags = flags
  };
  int largest, warp, processors;
  vptr__function *function;
  CUresult result =
      find_function("cuOccupancyMaxPotentialBlockSize", func, blockSize != NULL ? minGridSize : NULL, &function);
  if (result == CUDA_SUCCESS)
    result = cuFuncGetAttribute(&largest, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, func);
  if (result == CUDA_SUCCESS)
    result = get_number(CU_DEVICE_ATTRIBUTE_WARP_SIZE, &warp);
  if (result == CUDA_SUCCESS)
    result = get_number(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &processors);
  if (result == CUDA_SUCCESS)
    result = find_block(&it, blockSizeLimit > 0 && blockSizeLimit < largest ? blockSizeLimit : largest, warp);
  if (result != CUDA_SUCCESS)
    return result;
  *minGridSize = it.best_blocks * processors;
  *blockSize = it.best_block;
  return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction func,
                                          CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize,
                                          int blockSizeLimit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func, blockSizeToDynamicSMemSize,
                                                   dynamicSMemSize, blockSizeLimit, CU_OCCUPANCY_DEFAULT);
}
