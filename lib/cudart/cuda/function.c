/* SPDX-License-Identifier: MIT */
/*
 * function - CUDA's questions about kernels: attributes, parameters, occupancy.
 *
 * The module tells what the kernel's text says, the driver what its build came to, the property table what the device
 * is. OpenCL does not tell registers, so occupancy counts threads, blocks and shared memory alone. No data, no locks
 * here: what cudaFuncSetAttribute() sets, the limit of dynamic shared memory and wishes, is the function's
 * (module/module.h). Questions about a build take `building` of the module or the function, of rank ARRAY, where it is
 * not built yet (module/program.c). Called by programs, by launch.c, replay/send.c and driver/launch.c for cooperative
 * launches, by cluster.c, and by driver/function.c, driver/graph_work.c and driver/kernel.c. Questions about a build
 * have the driver build the kernel, which blocks.
 */
#include "base/error.h"
#include "base/number.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/function.h"
#include "cuda/registration.h"
#include "cuda/stream.h"
#include "mapper/registry.h"
#include "module/module.h"

#include <vptr/cuda/cuda_runtime_api.h>
#include <vptr/cuda/vptr_function.h>

#include <string.h>

/* A kernel, and the current device. */
typedef struct subject {
  vptr__function *function;
  const vptr__image_kernel *image;
  vptr_mapper *mapper;
  int device;
} subject;

static cudaError_t find_here(const char *call, const void *func, subject *subject_out) {
  cudaError_t error = vptr__cuda_current_mapper(&subject_out->mapper);
  if (error == cudaSuccess)
    error = vptr__cuda_function(call, func, &subject_out->function);
  if (error != cudaSuccess)
    return error;
  subject_out->image = vptr__function_image(subject_out->function);
  subject_out->device = vptr__cuda_current_device();
  return cudaSuccess;
}

/* ---- attributes ----------------------------------------------------------------------------------------- */

static size_t bytes_of_constants(const subject *it) {
  const vptr__module_image *module = vptr__module_image_of(vptr__function_module(it->function));
  size_t bytes = 0;
  for (uint32_t i = 0; i < it->image->hidden_count; i++) {
    const vptr__image_param *param = &it->image->params[it->image->param_count + i];
    if (param->kind == VPTR__PARAM_VARIABLE && module->variables[param->variable].kind == VPTR__VARIABLE_CONSTANT)
      bytes += (size_t)module->variables[param->variable].size;
  }
  return bytes;
}

static int device_attribute(enum cudaDeviceAttr which, int device) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
}

static size_t most_threads(const subject *it, const vptr__kernel_limits *limits) {
  size_t most = vptr__smaller(limits->group, it->mapper->device->max_group);
  return it->image->max_threads > 0 ? vptr__smaller(most, it->image->max_threads) : most;
}

/* Wishes that are kept and told (module/module.h); the carveout as 1 more than what was set. */
enum { WISH_CARVEOUT, WISH_LARGE_CLUSTERS, WISH_SCHEDULING };

static cudaError_t get_attributes(struct cudaFuncAttributes *attr, const void *func) {
  subject it;
  vptr__kernel_limits limits;
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess && attr == NULL)
    error = vptr__cuda_null_output("cudaFuncGetAttributes", "attr");
  if (error == cudaSuccess)
    error = find_here("cudaFuncGetAttributes", func, &it);
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(vptr__function_limits(it.function, it.mapper, &limits));
  if (error != cudaSuccess)
    return error;
  memset(attr, 0, sizeof *attr);
  attr->sharedSizeBytes = it.image->shared;
  attr->constSizeBytes = bytes_of_constants(&it);
  attr->localSizeBytes = (size_t)limits.private_bytes;
  attr->maxThreadsPerBlock = (int)most_threads(&it, &limits);
  attr->ptxVersion = attr->binaryVersion = (int)it.image->arch / 10;
  attr->maxDynamicSharedSizeBytes =
      (int)vptr__smaller(vptr__function_dynamic_limit(it.function, it.mapper), INT32_MAX);
  attr->preferredShmemCarveout = vptr__function_wished(it.function, WISH_CARVEOUT) - 1;
  attr->nonPortableClusterSizeAllowed = vptr__function_wished(it.function, WISH_LARGE_CLUSTERS);
  attr->clusterSchedulingPolicyPreference = vptr__function_wished(it.function, WISH_SCHEDULING);
  return cudaSuccess;
}

static cudaError_t refuse_attribute(const char *call, enum cudaFuncAttribute attr, int value) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
              "%s: attribute %d to %d; there are the dynamic shared memory (8, bytes from 0), the carveout (9, -1 to "
              "100), and of clusters, which have one block, the wishes 14 (0 or 1) and 15 (0 to 2)",
              call, (int)attr, value);
  return cudaErrorInvalidValue;
}

static cudaError_t keep_wish(const subject *it, unsigned which, int value) {
  vptr__function_wish(it->function, which, value);
  return cudaSuccess;
}

static cudaError_t set_attribute_on(const char *call, const subject *it, enum cudaFuncAttribute attr, int value) {
  if (attr == cudaFuncAttributePreferredSharedMemoryCarveout && value >= -1 && value <= 100)
    return keep_wish(it, WISH_CARVEOUT, value + 1);
  if (attr == cudaFuncAttributeNonPortableClusterSizeAllowed && (value == 0 || value == 1))
    return keep_wish(it, WISH_LARGE_CLUSTERS, value);
  if (attr == cudaFuncAttributeClusterSchedulingPolicyPreference && value >= 0 &&
      value <= cudaClusterSchedulingPolicyLoadBalancing)
    return keep_wish(it, WISH_SCHEDULING, value);
  if (attr != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0)
    return refuse_attribute(call, attr, value);
  return vptr__cuda_from_status(vptr__function_set_dynamic_limit(it->function, it->mapper, (size_t)value));
}

static cudaError_t set_attribute(const void *func, enum cudaFuncAttribute attr, int value) {
  static const char call[] = "cudaFuncSetAttribute";
  subject it;
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess && (attr < cudaFuncAttributeMaxDynamicSharedMemorySize || attr >= cudaFuncAttributeMax))
    error = refuse_attribute(call, attr, value);
  if (error == cudaSuccess)
    error = find_here(call, func, &it);
  return error == cudaSuccess ? set_attribute_on(call, &it, attr, value) : error;
}

static cudaError_t set_kernel_attribute(cudaKernel_t kernel, enum cudaFuncAttribute attr, int value, int device) {
  static const char call[] = "cudaKernelSetAttributeForDevice";
  subject it;
  cudaError_t error = vptr__cuda_permitted();
  if (error == cudaSuccess)
    error = vptr__cuda_check_ordinal(call, device);
  if (error == cudaSuccess)
    error = vptr__cuda_function(call, kernel, &it.function);
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(vptr__mapper_for_device(device, &it.mapper));
  return error == cudaSuccess ? set_attribute_on(call, &it, attr, value) : error;
}

/* The handle of either interface for a kernel is its function, which stands for itself among stubs. */
static cudaError_t get_function(const char *call, const void *func, const void *output, const char *what,
                                vptr__function **function_out) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess && output == NULL)
    error = vptr__cuda_null_output(call, what);
  return error == cudaSuccess ? vptr__cuda_function(call, func, function_out) : error;
}

static cudaError_t get_kernel(cudaKernel_t *kernel, const void *func) {
  vptr__function *function;
  cudaError_t error = get_function("cudaGetKernel", func, kernel, "kernelPtr", &function);
  if (error == cudaSuccess)
    *kernel = (cudaKernel_t)function;
  return error;
}

static cudaError_t get_by_symbol(cudaFunction_t *handle, const void *symbol) {
  vptr__function *function;
  cudaError_t error = get_function("cudaGetFuncBySymbol", symbol, handle, "functionPtr", &function);
  if (error == cudaSuccess)
    *handle = (cudaFunction_t)function;
  return error;
}

static cudaError_t take_wish(const char *call, const void *func, bool is_known) {
  subject it;
  cudaError_t error = find_here(call, func, &it);
  if (error != cudaSuccess || is_known)
    return error;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: no such configuration", call);
  return cudaErrorInvalidValue;
}

static cudaError_t get_name(const char **name, const void *func) {
  vptr__function *function;
  cudaError_t error = get_function("cudaFuncGetName", func, name, "name", &function);
  if (error == cudaSuccess)
    *name = vptr__function_image(function)->lowered;
  return error;
}

static cudaError_t get_param(const void *func, size_t index, size_t *offset, size_t *size) {
  vptr__function *function;
  cudaError_t error = get_function("cudaFuncGetParamInfo", func, offset, "paramOffset", &function);
  if (error != cudaSuccess)
    return error;
  const vptr__image_kernel *image = vptr__function_image(function);
  if (index >= image->param_count) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cudaFuncGetParamInfo: kernel %s has %u parameters, and none is %zu",
                image->name, image->param_count, index);
    return cudaErrorInvalidValue;
  }
  *offset = image->params[index].offset;
  if (size != NULL)
    *size = image->params[index].size;
  return cudaSuccess;
}

/* ---- occupancy ------------------------------------------------------------------------------------------ */

static size_t blocks_by_threads(const subject *it, int block) {
  size_t warp = (size_t)device_attribute(cudaDevAttrWarpSize, it->device);
  size_t threads = ((size_t)block + warp - 1) / warp * warp;
  size_t blocks = (size_t)device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor, it->device) / threads;
  return vptr__smaller(blocks, (size_t)device_attribute(cudaDevAttrMaxBlocksPerMultiprocessor, it->device));
}

static size_t shared_of_processor(const subject *it) {
  return (size_t)device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, it->device);
}

/* What a processor of NVIDIA's has, and a thread at most: how many blocks are resident is sure by these alone, since
 * OpenCL tells no kernel's registers. */
static size_t blocks_by_registers(int block) {
  enum { REGISTERS = 65536, MOST_OF_THREAD = 256, WARP = 32 };
  size_t threads = ((size_t)block + WARP - 1) / WARP * WARP;
  return vptr__larger(REGISTERS / (MOST_OF_THREAD * threads), 1);
}

static cudaError_t check_block(const char *call, int block) {
  if (block > 0)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: a block of %d threads", call, block);
  return cudaErrorInvalidValue;
}

static cudaError_t count_blocks(int *count, const void *func, int block, size_t dynamic, unsigned flags) {
  static const char call[] = "cudaOccupancyMaxActiveBlocksPerMultiprocessor";
  subject it;
  vptr__kernel_limits limits;
  cudaError_t error = find_here(call, func, &it);
  if (error == cudaSuccess && count == NULL)
    error = vptr__cuda_null_output(call, "numBlocks");
  if (error == cudaSuccess)
    error = check_block(call, block);
  if (error == cudaSuccess && (flags & ~(unsigned)cudaOccupancyDisableCachingOverride) != 0)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(vptr__function_limits(it.function, it.mapper, &limits));
  if (error != cudaSuccess)
    return error;
  size_t blocks = blocks_by_threads(&it, block), shared = it.image->shared + dynamic;
  if (shared > 0)
    blocks = vptr__smaller(blocks, shared_of_processor(&it) / shared);
  if (it.image->meets_blocks && it.mapper->device->ptx != 0)
    blocks = vptr__smaller(blocks, blocks_by_registers(block));
  if ((size_t)block > most_threads(&it, &limits) || dynamic > vptr__function_dynamic_limit(it.function, it.mapper))
    blocks = 0;
  *count = (int)blocks;
  return cudaSuccess;
}

cudaError_t vptr__cuda_resident_check(const vptr__launch *launch, const void *func) {
  const uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
  const uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
  subject it;
  int each = 0;
  cudaError_t error = find_here(launch->what, func, &it);
  if (error != cudaSuccess || it.mapper->device->ptx == 0 || threads == 0 || threads > it.mapper->device->max_group)
    return error; /* what is no block is found out by the launch */
  error = count_blocks(&each, func, (int)threads, launch->shared, cudaOccupancyDefault);
  uint64_t most = (uint64_t)each * (uint64_t)device_attribute(cudaDevAttrMultiProcessorCount, it.device);
  if (error != cudaSuccess || blocks <= most)
    return error;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
              "%s: kernel %s: %llu blocks of %llu threads that wait for each other; %llu are resident for certain: "
              "launch as many as cudaOccupancyMaxActiveBlocksPerMultiprocessor() says for each multiprocessor",
              launch->what, it.image->name, (unsigned long long)blocks, (unsigned long long)threads,
              (unsigned long long)most);
  return cudaErrorCooperativeLaunchTooLarge;
}

static cudaError_t count_shared(size_t *bytes, const void *func, int blocks, int block) {
  static const char call[] = "cudaOccupancyAvailableDynamicSMemPerBlock";
  subject it;
  cudaError_t error = find_here(call, func, &it);
  if (error == cudaSuccess && bytes == NULL)
    error = vptr__cuda_null_output(call, "dynamicSmemSize");
  if (error == cudaSuccess)
    error = check_block(call, block);
  if (error != cudaSuccess)
    return error;
  if (blocks <= 0 || (size_t)blocks > blocks_by_threads(&it, block)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %d blocks of %d threads; a multiprocessor holds %zu", call, blocks,
                block, blocks_by_threads(&it, block));
    return cudaErrorInvalidValue;
  }
  size_t each = shared_of_processor(&it) / (size_t)blocks;
  size_t most = vptr__function_dynamic_limit(it.function, it.mapper);
  *bytes = vptr__smaller(each > it.image->shared ? each - it.image->shared : 0, most);
  return cudaSuccess;
}

/* ---- the calls ------------------------------------------------------------------------------------------ */

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func) {
  return vptr__cuda_record(get_attributes(attr, func));
}

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value) {
  return vptr__cuda_record(set_attribute(func, attr, value));
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attr, int value, int device) {
  return vptr__cuda_record(set_kernel_attribute(kernel, attr, value, device));
}

cudaError_t cudaGetKernel(cudaKernel_t *kernelPtr, const void *entryFuncAddr) {
  return vptr__cuda_record(get_kernel(kernelPtr, entryFuncAddr));
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *functionPtr, const void *symbolPtr) {
  return vptr__cuda_record(get_by_symbol(functionPtr, symbolPtr));
}

cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config) {
  bool is_known = (int)config >= cudaFuncCachePreferNone && config <= cudaFuncCachePreferEqual;
  return vptr__cuda_record(take_wish("cudaFuncSetCacheConfig", func, is_known));
}

cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config) {
  bool is_known = (int)config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte;
  return vptr__cuda_record(take_wish("cudaFuncSetSharedMemConfig", func, is_known));
}

cudaError_t cudaFuncGetName(const char **name, const void *func) {
  return vptr__cuda_record(get_name(name, func));
}

cudaError_t cudaFuncGetParamInfo(const void *func, size_t paramIndex, size_t *paramOffset, size_t *paramSize) {
  return vptr__cuda_record(get_param(func, paramIndex, paramOffset, paramSize));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func, int blockSize,
                                                          size_t dynamicSMemSize) {
  return vptr__cuda_record(count_blocks(numBlocks, func, blockSize, dynamicSMemSize, cudaOccupancyDefault));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *func, int blockSize,
                                                                   size_t dynamicSMemSize, unsigned int flags) {
  return vptr__cuda_record(count_blocks(numBlocks, func, blockSize, dynamicSMemSize, flags));
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, const void *func, int numBlocks,
                                                      int blockSize) {
  return vptr__cuda_record(count_shared(dynamicSmemSize, func, numBlocks, blockSize));
}
