/* SPDX-License-Identifier: MIT */
/*
 * conform_driver_memory - the driver's interface: sizes that are too large, the ranges and flags of pinned memory, and
 * the flags of a context as the runtime tells them.
 */
#include "conform_driver.h"

#include <cuda_runtime.h>
#include <stdint.h>

enum { COUNT = 1000 };

static CUdevice device;

static CUcontext create(unsigned flags) {
  CUcontext context = NULL;
#if CUDA_VERSION >= 13000
  driver_succeed(cuCtxCreate(&context, NULL, flags, device));
#else
  driver_succeed(cuCtxCreate(&context, flags, device));
#endif
  return context;
}

static CUdeviceptr address_of(const void *host) {
  return (CUdeviceptr)(uintptr_t)host;
}

static void a_pitch_beyond_all_sizes_is_invalid(void) {
  CUdeviceptr ptr = 77;
  size_t pitch = 77;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch(&ptr, &pitch, SIZE_MAX, 10, 4));
#ifdef VPTR_CUDA_RUNTIME_API_H
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch(&ptr, &pitch, (size_t)1 << 40, (size_t)1 << 40, 4));
  driver_true(ptr == 77 && pitch == 77);
#endif
}

static void pinned_memory_has_a_range(void) {
  void *host = NULL;
  int on_stack = 0;
  CUdeviceptr base = 77;
  size_t size = 77;
  driver_succeed(cuMemAllocHost(&host, COUNT));
  driver_succeed(cuMemGetAddressRange(&base, &size, address_of(host) + 10));
  driver_true(base == address_of(host) && size >= COUNT);
  driver_succeed(cuMemGetAddressRange(NULL, &size, address_of(host)));
  driver_succeed(cuMemGetAddressRange(&base, NULL, address_of(host) + COUNT - 1));
  driver_true(base == address_of(host));
  driver_succeed(cuMemFreeHost(host));
  base = size = 77;
  driver_expect(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &size, address_of(&on_stack)));
#ifdef VPTR_CUDA_RUNTIME_API_H
  driver_expect(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &size, address_of(host)));
  driver_true(base == 77 && size == 77);
#endif
}

static unsigned told_flags(void) {
  unsigned flags = 0;
  driver_true(cudaGetDeviceFlags(&flags) == cudaSuccess);
  return flags;
}

/* The runtime works in the context that is current, whoever made it. */
static void the_runtime_tells_a_contexts_flags(void) {
  CUcontext blocking = create(CU_CTX_SCHED_BLOCKING_SYNC);
  driver_true((told_flags() & cudaDeviceScheduleMask) == cudaDeviceScheduleBlockingSync);
  CUcontext yielding = create(CU_CTX_SCHED_YIELD);
  driver_true((told_flags() & cudaDeviceScheduleMask) == cudaDeviceScheduleYield);
  driver_succeed(cuCtxPopCurrent(NULL));
  driver_true((told_flags() & cudaDeviceScheduleMask) == cudaDeviceScheduleBlockingSync);
  driver_succeed(cuCtxSetCurrent(yielding));
  driver_true((told_flags() & cudaDeviceScheduleMask) == cudaDeviceScheduleYield);
  driver_true((told_flags() & cudaDeviceMapHost) == 0);
  driver_succeed(cuCtxDestroy(yielding));
  driver_succeed(cuCtxDestroy(blocking));
}

static void the_primary_context_has_its_own(void) {
  CUcontext primary = NULL;
  driver_succeed(cuDevicePrimaryCtxRetain(&primary, device));
  driver_succeed(cuCtxSetCurrent(primary));
  unsigned before = told_flags();
  CUcontext spinning = create(CU_CTX_SCHED_SPIN);
  driver_true((told_flags() & cudaDeviceScheduleMask) == cudaDeviceScheduleSpin);
  driver_succeed(cuCtxPushCurrent(primary));
  driver_true(told_flags() == before);
  driver_succeed(cuCtxPopCurrent(NULL));
  driver_true((told_flags() & cudaDeviceScheduleMask) == cudaDeviceScheduleSpin);
  driver_succeed(cuCtxDestroy(spinning));
  driver_true(told_flags() == before);
  driver_succeed(cuDevicePrimaryCtxRelease(device));
}

int main(void) {
  driver_succeed(cuInit(0));
  driver_succeed(cuDeviceGet(&device, 0));
  the_runtime_tells_a_contexts_flags();
  the_primary_context_has_its_own();
  CUcontext context = create(0);
  a_pitch_beyond_all_sizes_is_invalid();
  pinned_memory_has_a_range();
  driver_succeed(cuCtxDestroy(context));
  return driver_done("conform_driver_memory");
}
