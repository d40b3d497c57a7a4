/* SPDX-License-Identifier: MIT */
/*
 * setting - flags, limits and cache preferences of a device.
 *
 * CUDA lets programs tune what OpenCL keeps to itself. Each such call does one of three things here, and never says
 * yes to what it then does not hold: a hint is taken and remembered (how to wait, the stack, the fetch granularity); a
 * fixed size is told as it is, and stays so, as CUDA's own words for devices with fixed sizes have it (caches, banks,
 * the printf buffer); and what does not exist is refused with cudaErrorUnsupportedLimit (a heap inside kernels, kernels
 * that start kernels, persisting caches).
 *
 * The values are atomic, each for itself; no locks.
 */
#include "cuda/setting.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/property.h"
#include "cuda/thread.h"

#include <vptr/cuda/cuda_runtime_api.h>

enum {
  MOST_DEVICES = 64, /* that are ever listed */
  DEFAULT_STACK = 1024,
  DEFAULT_GRANULARITY = 64,
  MOST_GRANULARITY = 128,
  DEFAULT_PRINTF = 1 << 20
};

/* 0: never set. */
static atomic_uint flags_of[MOST_DEVICES];
static atomic_size_t stack_of[MOST_DEVICES];
static atomic_size_t granularity_of[MOST_DEVICES];

void vptr__cuda_forget_settings(int device) {
  atomic_store(&flags_of[device], 0);
  atomic_store(&stack_of[device], 0);
  atomic_store(&granularity_of[device], 0);
}

static cudaError_t refuse(const char *call, const char *what, long long value) {
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
  if ((flags & ~known) != 0 || !names_one_way(flags))
    return refuse(call, "flags", flags);
  atomic_store(&flags_of[device], flags);
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

/* Those of the context that the calling thread works in: the driver's, or the device's own. */
static unsigned flags_in_use(int device) {
  const vptr__cuda_thread *mine = &vptr__cuda_mine;
  bool has_context = mine->context_flags != NULL && mine->context_device == device;
  return atomic_load(has_context ? mine->context_flags : &flags_of[device]);
}

/* Mapped host memory needs no flag, so that one is always on; CUDA says the same. */
static cudaError_t get_flags(unsigned *flags) {
  int device;
  cudaError_t error = get_current(&device);
  if (error != cudaSuccess)
    return error;
  if (flags == NULL)
    return vptr__cuda_null_output("cudaGetDeviceFlags", "flags");
  *flags = flags_in_use(device) | cudaDeviceMapHost;
  return cudaSuccess;
}

/* ---- limits --------------------------------------------------------------------------------------------- */

static size_t or_default(size_t value, size_t fallback) {
  return value != 0 ? value : fallback;
}

static size_t printf_bytes(int device) {
  vptr__cuda_subject subject;
  size_t bytes;
  if (vptr__cuda_subject_of("cudaDeviceGetLimit", device, &subject) != cudaSuccess || subject.device == NULL ||
      clGetDeviceInfo(subject.device, CL_DEVICE_PRINTF_BUFFER_SIZE, sizeof bytes, &bytes, NULL) != CL_SUCCESS)
    return DEFAULT_PRINTF;
  return bytes;
}

static cudaError_t refuse_limit(const char *call, enum cudaLimit limit) {
  if (limit < cudaLimitStackSize || limit > cudaLimitPersistingL2CacheSize)
    return refuse(call, "limit", limit);
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
  switch (limit) {
  case cudaLimitStackSize:
    *pValue = or_default(atomic_load(&stack_of[device]), DEFAULT_STACK);
    return cudaSuccess;
  case cudaLimitPrintfFifoSize:
    *pValue = printf_bytes(device);
    return cudaSuccess;
  case cudaLimitMaxL2FetchGranularity:
    *pValue = or_default(atomic_load(&granularity_of[device]), DEFAULT_GRANULARITY);
    return cudaSuccess;
  default:
    return refuse_limit("cudaDeviceGetLimit", limit);
  }
}

/* A driver may round a limit; cudaDeviceGetLimit() tells what came of it. */
static cudaError_t set_limit(enum cudaLimit limit, size_t value) {
  int device;
  cudaError_t error = get_current(&device);
  if (error != cudaSuccess)
    return error;
  switch (limit) {
  case cudaLimitStackSize:
    atomic_store(&stack_of[device], value);
    return cudaSuccess;
  case cudaLimitPrintfFifoSize:
    return cudaSuccess;
  case cudaLimitMaxL2FetchGranularity:
    atomic_store(&granularity_of[device], value < MOST_GRANULARITY ? value : MOST_GRANULARITY);
    return cudaSuccess;
  default:
    return refuse_limit("cudaDeviceSetLimit", limit);
  }
}

/* ---- caches and banks, whose sizes are fixed ------------------------------------------------------------ */

static cudaError_t get_cache(enum cudaFuncCache *config) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if (config == NULL)
    return vptr__cuda_null_output("cudaDeviceGetCacheConfig", "pCacheConfig");
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}

static cudaError_t set_cache(enum cudaFuncCache config) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if ((int)config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual)
    return refuse("cudaDeviceSetCacheConfig", "cacheConfig", config);
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
    return refuse("cudaDeviceSetSharedMemConfig", "config", config);
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
