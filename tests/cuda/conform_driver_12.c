/* SPDX-License-Identifier: MIT */
/*
 * conform_driver_12 - a program for CUDA 12's driver interface: the calls whose arguments CUDA 13 changed.
 *
 * NVIDIA's header has one version, so there this is for the toolkit 12.8.
 */
#define CUDA_VERSION 12080
#include "conform_driver.h"

enum { PAGE = 4096 };

static void contexts_have_no_parameters(void) {
  CUcontext context = NULL, current = NULL;
  unsigned flags = 0;
  driver_succeed(cuCtxCreate(&context, CU_CTX_SCHED_YIELD, 0));
  driver_succeed(cuCtxGetCurrent(&current));
  driver_true(context != NULL && context == current);
  driver_succeed(cuCtxGetFlags(&flags));
  driver_true((flags & CU_CTX_SCHED_MASK) == CU_CTX_SCHED_YIELD);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuCtxCreate(NULL, 0, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuCtxCreate(&current, 0x1000, 0));
  driver_expect(CUDA_ERROR_INVALID_DEVICE, cuCtxCreate(&current, 0, 99));
  driver_succeed(cuCtxDestroy(context));
}

static void managed_memory_is_sent_to_ordinals(void) {
  CUcontext primary = NULL;
  CUdeviceptr ptr = 0;
  CUmemLocation host = { CU_MEM_LOCATION_TYPE_HOST, 0 };
  driver_succeed(cuDevicePrimaryCtxRetain(&primary, 0));
  driver_succeed(cuCtxSetCurrent(primary));
  driver_succeed(cuMemAllocManaged(&ptr, PAGE, CU_MEM_ATTACH_GLOBAL));
  driver_succeed(cuMemAdvise(ptr, PAGE, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, CU_DEVICE_CPU));
  driver_succeed(cuMemAdvise_v2(ptr, PAGE, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
  driver_succeed(cuMemPrefetchAsync(ptr, PAGE, 0, NULL));
  driver_succeed(cuMemPrefetchAsync_v2(ptr, PAGE, host, 0, NULL));
  driver_expect(CUDA_ERROR_INVALID_DEVICE, cuMemPrefetchAsync(ptr, PAGE, 99, NULL));
  driver_succeed(cuMemFree(ptr));
  driver_succeed(cuDevicePrimaryCtxRelease(0));
}

int main(void) {
  driver_succeed(cuInit(0));
  contexts_have_no_parameters();
  managed_memory_is_sent_to_ordinals();
  return driver_done("conform_driver_12");
}
