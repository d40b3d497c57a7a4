/* SPDX-License-Identifier: MIT */
/*
 * conform_limit - limits and cache preferences of a device, by the runtime's interface and the driver's.
 *
 *     cc -I$prefix/include/vptr/cuda conform_limit.c -lvptr-cuda -lvptr-cudart      as vptr
 *     cc -I/usr/local/cuda/include conform_limit.c -L/usr/local/cuda/lib64 -lcuda -lcudart      as CUDA
 */
#include "conform.h"

#include <cuda.h>

#define MIB ((size_t)1 << 20)

static size_t get(enum cudaLimit limit) {
  size_t value = 77;
  conform_succeed(cudaDeviceGetLimit(&value, limit));
  return value;
}

static size_t set(enum cudaLimit limit, size_t value) {
  size_t of_driver = 77;
  conform_succeed(cudaDeviceSetLimit(limit, value));
  conform_true(cuCtxGetLimit(&of_driver, (CUlimit)limit) == CUDA_SUCCESS);
  conform_true(of_driver == get(limit));
  return of_driver;
}

/* CUDA may take more than was asked for. */
static void a_heap_of_kernels_has_a_size(void) {
  conform_true(get(cudaLimitMallocHeapSize) >= 8 * MIB);
  printf("observed: a heap of %zu bytes before it was set\n", get(cudaLimitMallocHeapSize));
  conform_true(set(cudaLimitMallocHeapSize, 64 * MIB) >= 64 * MIB);
  printf("observed: a heap of %zu bytes of %zu\n", get(cudaLimitMallocHeapSize), 64 * MIB);
  conform_true(set(cudaLimitMallocHeapSize, 200 * MIB + 12345) >= 200 * MIB + 12345);
  printf("observed: a heap of %zu bytes of %zu\n", get(cudaLimitMallocHeapSize), 200 * MIB + 12345);
}

static void a_buffer_of_printf_is_told_as_set(void) {
  conform_true(get(cudaLimitPrintfFifoSize) > 0);
  conform_true(set(cudaLimitPrintfFifoSize, 4 * MIB) == 4 * MIB);
  conform_true(set(cudaLimitPrintfFifoSize, 2 * MIB) == 2 * MIB);
}

static void launches_that_kernels_make_are_counted(void) {
  conform_true(get(cudaLimitDevRuntimePendingLaunchCount) > 0);
  conform_true(set(cudaLimitDevRuntimePendingLaunchCount, 4096) >= 4096);
}

static void stacks_are_counted_in_16_bytes(void) {
  conform_true(set(cudaLimitStackSize, 1000) == 1008);
  conform_true(set(cudaLimitStackSize, 4096) == 4096);
  conform_expect(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitStackSize, 1000000));
  conform_expect(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitStackSize, (size_t)1 << 40));
  conform_true(get(cudaLimitStackSize) == 4096);
}

/* Devices from 9.0 on have no such depth, and no value is good. */
static void depth_of_kernels_that_wait_went_with_9_0(void) {
  size_t value = 77;
  int major = 0;
  conform_succeed(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  cudaError_t error = cudaDeviceGetLimit(&value, cudaLimitDevRuntimeSyncDepth);
  conform_true(error == cudaErrorUnsupportedLimit || (error == cudaSuccess && major < 9));
  error = cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4);
  conform_true(error == cudaErrorUnsupportedLimit || (error == cudaSuccess && major < 9));
  cudaGetLastError();
}

static void caches_of_the_second_level_take_hints(void) {
  int most = 0;
  conform_true(get(cudaLimitMaxL2FetchGranularity) <= 128);
  conform_succeed(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 32));
  conform_true(get(cudaLimitMaxL2FetchGranularity) == 32);
  conform_expect(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 129));
  conform_true(get(cudaLimitMaxL2FetchGranularity) == 32);
  conform_succeed(cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, 0));
  if (most > 0)
    conform_true(get(cudaLimitPersistingL2CacheSize) <= (size_t)most);
}

static void the_driver_sets_the_same_limits(void) {
  size_t value = 77;
  conform_true(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 100 * MIB) == CUDA_SUCCESS);
  conform_true(get(cudaLimitMallocHeapSize) >= 100 * MIB);
  conform_true(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 3 * MIB) == CUDA_SUCCESS);
  conform_true(get(cudaLimitPrintfFifoSize) == 3 * MIB);
  conform_true(cuCtxGetLimit(NULL, CU_LIMIT_STACK_SIZE) == CUDA_ERROR_INVALID_VALUE);
  for (int limit = CU_LIMIT_SHMEM_SIZE; limit < CU_LIMIT_MAX; limit++)
    printf("observed: limit %d: %d\n", limit, (int)cuCtxGetLimit(&value, (CUlimit)limit));
}

static void unknown_limits_are_errors(void) {
  size_t value = 77;
  conform_expect(cudaErrorUnsupportedLimit, cudaDeviceGetLimit(&value, (enum cudaLimit)9));
  conform_expect(cudaErrorUnsupportedLimit, cudaDeviceSetLimit((enum cudaLimit)9, 1));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetLimit(&value, (enum cudaLimit) - 1));
  conform_expect(cudaErrorInvalidValue, cudaDeviceSetLimit((enum cudaLimit) - 1, 1));
  conform_true(value == 77);
  cudaGetLastError();
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetLimit(NULL, cudaLimitMallocHeapSize));
}

static void a_cache_preference_is_told_as_set(void) {
  static const enum cudaFuncCache all[] = { cudaFuncCachePreferShared, cudaFuncCachePreferL1,
                                            cudaFuncCachePreferEqual, cudaFuncCachePreferNone };
  enum cudaFuncCache told = (enum cudaFuncCache)77;
  CUfunc_cache of_driver = (CUfunc_cache)77;
  conform_succeed(cudaDeviceGetCacheConfig(&told));
  conform_true(told == cudaFuncCachePreferNone);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    conform_succeed(cudaDeviceSetCacheConfig(all[i]));
    conform_succeed(cudaDeviceGetCacheConfig(&told));
    conform_true(told == all[i]);
    conform_true(cuCtxGetCacheConfig(&of_driver) == CUDA_SUCCESS && (int)of_driver == (int)all[i]);
  }
  conform_true(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1) == CUDA_SUCCESS);
  conform_succeed(cudaDeviceGetCacheConfig(&told));
  conform_true(told == cudaFuncCachePreferL1);
}

/* Those of a device that was reset are as in the beginning. */
static void a_reset_forgets(void) {
  enum cudaFuncCache told = (enum cudaFuncCache)77;
  size_t heap = 0, fifo = 0;
  conform_succeed(cudaDeviceReset());
  heap = get(cudaLimitMallocHeapSize);
  fifo = get(cudaLimitPrintfFifoSize);
  set(cudaLimitMallocHeapSize, 300 * MIB);
  set(cudaLimitPrintfFifoSize, fifo + MIB);
  conform_succeed(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  conform_succeed(cudaDeviceReset());
  conform_true(get(cudaLimitMallocHeapSize) == heap);
  conform_true(get(cudaLimitPrintfFifoSize) == fifo);
  conform_succeed(cudaDeviceGetCacheConfig(&told));
  conform_true(told == cudaFuncCachePreferNone);
}

int main(void) {
  conform_succeed(cudaFree(NULL)); /* which makes the context that the driver's interface asks */
  conform_true(cuInit(0) == CUDA_SUCCESS);
  a_heap_of_kernels_has_a_size();
  a_buffer_of_printf_is_told_as_set();
  launches_that_kernels_make_are_counted();
  stacks_are_counted_in_16_bytes();
  depth_of_kernels_that_wait_went_with_9_0();
  caches_of_the_second_level_take_hints();
  the_driver_sets_the_same_limits();
  unknown_limits_are_errors();
  a_cache_preference_is_told_as_set();
  a_reset_forgets();
  return conform_done("conform_limit");
}
