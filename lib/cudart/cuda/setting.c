/* SPDX-License-Identifier: MIT */
/*
 * setting - flags, limits and cache preferences of a device.
 *
 * CUDA lets programs tune what OpenCL keeps to itself. Each such call does one of four things here: a hint is taken,
 * remembered and told (how to wait, the stack, the fetch granularity, caches); a size of something that kernels here
 * have in another form likewise, since programs set it before they know (the printf buffer); the size of the heap of
 * kernels, and the count of launches that a grid may ask for, hold as they are set; and what CUDA's devices may lack is
 * refused with cudaErrorUnsupportedLimit (the depth of kernels that wait, persisting caches). Banks of shared memory
 * have a fixed size, and are told so, as CUDA's own words for such devices have it. As with CUDA, the printf buffer is
 * not set any more once a kernel that prints was launched, nor the heap once one was that uses it.
 *
 * The static tables `flags_of`, `cache_of` and `limit_of` have the values of each device, atomic each for itself; no
 * locks here. The constant table `default_of` has the limits that devices begin with. Sizes that a kernel's launch
 * needs are handed on to lib/cudart/module, which has locks of its own. Flags of a context of the driver's interface
 * are the context's: the thread has their address (thread.h). Called by programs; by device.c for cudaInitDevice(), and
 * reset.c, which forgets all; and by driver/context.c, context_call.c and primary.c, for contexts. Nothing waits for
 * work, but to forget, which frees what kernels had there as vptr_free() does.
 */
#include "cuda/setting.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/number.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/thread.h"
#include "graph/capture.h"
#include "mapper/mapper.h"
#include "module/module.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* Of a thread's stack CUDA has at most its local memory, and counts in 16 bytes. */
enum { MOST_GRANULARITY = 128, MOST_STACK = 512 << 10, STACK_UNIT = 16 };

enum { LIMITS = cudaLimitPersistingL2CacheSize + 1 };

/* Of the limits that can be set, as CUDA's devices begin. */
static const size_t default_of[LIMITS] = { [cudaLimitStackSize] = 1024,
                                           [cudaLimitPrintfFifoSize] = 1 << 20,
                                           [cudaLimitMallocHeapSize] = 8 << 20,
                                           [cudaLimitDevRuntimePendingLaunchCount] = 2048,
                                           [cudaLimitMaxL2FetchGranularity] = 64 };

static atomic_uint flags_of[VPTR__MOST_DEVICES];
static atomic_int cache_of[VPTR__MOST_DEVICES];
static atomic_size_t limit_of[VPTR__MOST_DEVICES][LIMITS]; /* the complement of the value; 0: never set */

void vptr__cuda_forget_settings(int device) {
  vptr_mapper *mapper = vptr__mapper_made(device);
  if (mapper != NULL)
    atomic_store(&mapper->device->has_printed, false);
  vptr__kernel_heap_forget(device);
  vptr__lock_words_forget(device);
  vptr__child_forget_limit(device);
  atomic_store(&flags_of[device], 0);
  atomic_store(&cache_of[device], cudaFuncCachePreferNone);
  for (int limit = 0; limit < LIMITS; limit++)
    atomic_store(&limit_of[device][limit], 0);
}

static cudaError_t refuse_value(const char *call, const char *what, long long value) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s is %lld, which CUDA does not know", call, what, value);
  return cudaErrorInvalidValue;
}

/* The current device, once it is sure that there is one. */
static cudaError_t get_current(int *device_out) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess)
    *device_out = vptr__cuda_current_device();
  return error;
}

/* ---- flags ---------------------------------------------------------------------------------------------- */

/* Of the ways to wait at most one may be named. */
static bool names_one_way(unsigned flags) {
  unsigned way = flags & cudaDeviceScheduleMask;
  return (way & (way - 1)) == 0;
}

cudaError_t vptr__cuda_set_flags(const char *call, int device, unsigned flags) {
  unsigned known = cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax | cudaDeviceSyncMemops;
  if ((flags & ~(unsigned)cudaDeviceMask) != 0 || !names_one_way(flags))
    return refuse_value(call, "flags", flags);
  atomic_store(&flags_of[device], flags & known); /* bits of the mask without a name are taken, and dropped */
  return cudaSuccess;
}

static cudaError_t set_flags(unsigned flags) {
  int device;
  cudaError_t error = get_current(&device);
  return error != cudaSuccess ? error : vptr__cuda_set_flags("cudaSetDeviceFlags", device, flags);
}

void vptr__cuda_show_flags(_Atomic unsigned *flags, int device) {
  vptr__cuda_mine.context_flags = flags;
  vptr__cuda_mine.context_device = device;
}

/* Those of the context that the calling thread works in: the driver's as they were given, or the device's own. Mapped
 * host memory needs no flag, and CUDA tells it of the device's own context alone. */
static unsigned flags_in_use(int device) {
  const vptr__cuda_thread *mine = &vptr__cuda_mine;
  bool has_context = mine->context_flags != NULL && mine->context_device == device;
  return has_context ? atomic_load(mine->context_flags) : atomic_load(&flags_of[device]) | cudaDeviceMapHost;
}

static cudaError_t get_flags(unsigned *flags) {
  int device;
  cudaError_t error = get_current(&device);
  if (error != cudaSuccess)
    return error;
  if (flags == NULL)
    return vptr__cuda_null_output("cudaGetDeviceFlags", "flags");
  *flags = flags_in_use(device);
  return cudaSuccess;
}

/* ---- limits --------------------------------------------------------------------------------------------- */

static bool can_be_set(enum cudaLimit limit) {
  return (unsigned)limit < LIMITS && default_of[limit] != 0;
}

static cudaError_t refuse_limit(const char *call, enum cudaLimit limit) {
  if ((int)limit < 0)
    return refuse_value(call, "limit", limit);
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: OpenCL devices have nothing that limit %d would bound", call, (int)limit);
  return cudaErrorUnsupportedLimit;
}

static cudaError_t get_limit(size_t *pValue, enum cudaLimit limit) {
  int device;
  cudaError_t error = get_current(&device);
  if (error != cudaSuccess)
    return error;
  if (pValue == NULL)
    return vptr__cuda_null_output("cudaDeviceGetLimit", "pValue");
  if (!can_be_set(limit))
    return refuse_limit("cudaDeviceGetLimit", limit);
  size_t set = atomic_load(&limit_of[device][limit]);
  *pValue = set != 0 ? ~set : default_of[limit];
  return cudaSuccess;
}

/* The buffer is made with the first such launch. */
static cudaError_t check_printed(int device) {
  const vptr_mapper *mapper = vptr__mapper_made(device);
  if (mapper == NULL || !atomic_load(&mapper->device->has_printed))
    return cudaSuccess;
  vptr__error(
      VPTR_ERROR_INVALID_ARGUMENT,
      "cudaDeviceSetLimit: device %d has been given a kernel that prints; set cudaLimitPrintfFifoSize before the "
      "first, or behind cudaDeviceReset()",
      device);
  return cudaErrorInvalidValue;
}

/* Likewise the heap of kernels. */
static cudaError_t check_heap(int device, size_t value) {
  if (vptr__kernel_heap_limit(device, value))
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
              "cudaDeviceSetLimit: device %d has been given a kernel that calls malloc() or free(); set "
              "cudaLimitMallocHeapSize before the first, or behind cudaDeviceReset()",
              device);
  return cudaErrorInvalidValue;
}

static cudaError_t check_most(enum cudaLimit limit, size_t value) {
  size_t most = limit == cudaLimitStackSize               ? MOST_STACK
                : limit == cudaLimitMaxL2FetchGranularity ? MOST_GRANULARITY
                                                          : SIZE_MAX;
  if (value <= most)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cudaDeviceSetLimit: limit %d of %zu; it can be %zu at most", (int)limit,
              value, most);
  return cudaErrorInvalidValue;
}

/* A driver may round a limit; cudaDeviceGetLimit() tells what came of it. */
static cudaError_t set_limit(enum cudaLimit limit, size_t value) {
  int device;
  cudaError_t error = get_current(&device);
  if (error == cudaSuccess && vptr__captures_any())
    error = vptr__capture_unsafe("cudaDeviceSetLimit");
  if (error != cudaSuccess)
    return error;
  if (!can_be_set(limit))
    return refuse_limit("cudaDeviceSetLimit", limit);
  error = check_most(limit, value);
  if (limit == cudaLimitPrintfFifoSize)
    error = check_printed(device);
  if (limit == cudaLimitMallocHeapSize)
    error = check_heap(device, value);
  if (error != cudaSuccess)
    return error;
  if (limit == cudaLimitDevRuntimePendingLaunchCount)
    vptr__child_limit(device, value < SIZE_MAX ? value : SIZE_MAX - 1);
  if (limit == cudaLimitPrintfFifoSize)
    vptr__print_limit(device, value);
  if (limit == cudaLimitStackSize)
    value = vptr__align_up(value, STACK_UNIT);
  atomic_store(&limit_of[device][limit], value < SIZE_MAX ? ~value : 1); /* of the largest the one below */
  return cudaSuccess;
}

/* ---- caches, for which a wish is kept, and banks, whose size is fixed ----------------------------------- */

static cudaError_t get_cache(enum cudaFuncCache *config) {
  int device;
  cudaError_t error = get_current(&device);
  if (error != cudaSuccess)
    return error;
  if (config == NULL)
    return vptr__cuda_null_output("cudaDeviceGetCacheConfig", "pCacheConfig");
  *config = (enum cudaFuncCache)atomic_load(&cache_of[device]);
  return cudaSuccess;
}

static cudaError_t set_cache(enum cudaFuncCache config) {
  int device;
  cudaError_t error = get_current(&device);
  if (error != cudaSuccess)
    return error;
  if ((int)config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual)
    return refuse_value("cudaDeviceSetCacheConfig", "cacheConfig", config);
  if (vptr__captures_any())
    error = vptr__capture_unsafe("cudaDeviceSetCacheConfig");
  if (error != cudaSuccess)
    return error;
  atomic_store(&cache_of[device], (int)config);
  return cudaSuccess;
}

static cudaError_t get_banks(enum cudaSharedMemConfig *config) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if (config == NULL)
    return vptr__cuda_null_output("cudaDeviceGetSharedMemConfig", "pConfig");
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}

static cudaError_t set_banks(enum cudaSharedMemConfig config) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if ((int)config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte)
    return refuse_value("cudaDeviceSetSharedMemConfig", "config", config);
  return cudaSuccess;
}

/* ---- what is exported ----------------------------------------------------------------------------------- */

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return vptr__cuda_record(set_flags(flags));
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags) {
  return vptr__cuda_record(get_flags(flags));
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
  return vptr__cuda_record(set_limit(limit, value));
}

cudaError_t cudaDeviceGetLimit(size_t *pValue, enum cudaLimit limit) {
  return vptr__cuda_record(get_limit(pValue, limit));
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *pCacheConfig) {
  return vptr__cuda_record(get_cache(pCacheConfig));
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig) {
  return vptr__cuda_record(set_cache(cacheConfig));
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *pConfig) {
  return vptr__cuda_record(get_banks(pConfig));
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
  return vptr__cuda_record(set_banks(config));
}

cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaThreadGetLimit(size_t *pValue, enum cudaLimit limit) {
  return cudaDeviceGetLimit(pValue, limit);
}

cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *pCacheConfig) {
  return cudaDeviceGetCacheConfig(pCacheConfig);
}

cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache cacheConfig) {
  return cudaDeviceSetCacheConfig(cacheConfig);
}
