/* SPDX-License-Identifier: MIT */
/* conform_driver_host - what the driver interface tells of pinned host memory: its address for the device. */
#include "conform_driver.h"

enum { COUNT = 10000 };

/* By the plural, for which an address that has no answer is a success. */
static CUdeviceptr device_address_of(void *host) {
  CUpointer_attribute attributes[] = { CU_POINTER_ATTRIBUTE_DEVICE_POINTER, CU_POINTER_ATTRIBUTE_MEMORY_TYPE };
  CUdeviceptr device = 77;
  unsigned type = 77;
  void *answers[] = { &device, &type };
  driver_succeed(cuPointerGetAttributes(2, attributes, answers, (CUdeviceptr)(size_t)host));
  driver_true(type == CU_MEMORYTYPE_HOST);
  return device;
}

/* Before cuMemHostGetDevicePointer() is asked. A device that does not work on host memory in place has none. */
static void device_address_is_told_at_once(char *host) {
  CUdeviceptr told = 0, given = 0;
  CUresult one = cuPointerGetAttribute(&told, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, (CUdeviceptr)(size_t)host);
  CUresult result = cuMemHostGetDevicePointer(&given, host, 0);
  driver_true(result == CUDA_SUCCESS || result == CUDA_ERROR_NOT_SUPPORTED);
  driver_expect(result == CUDA_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE, one);
  driver_true(told == given);
  driver_true(device_address_of(host) == given);
}

static void device_addresses_are_told_at_once(char *host, size_t offset) {
  CUdeviceptr before = device_address_of(host + offset);
  device_address_is_told_at_once(host + offset);
  driver_true(device_address_of(host + offset) == before);
}

static void pinned_memory_tells_its_device_address(void) {
  static const unsigned flags[] = { 0, CU_MEMHOSTALLOC_PORTABLE, CU_MEMHOSTALLOC_DEVICEMAP,
                                    CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED };
  void *host = NULL;
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
    driver_succeed(cuMemHostAlloc(&host, COUNT, flags[i]));
    device_address_is_told_at_once((char *)host + COUNT - 1);
    driver_succeed(cuMemFreeHost(host));
  }
  driver_succeed(cuMemAllocHost(&host, COUNT));
  device_addresses_are_told_at_once(host, 5);
  driver_succeed(cuMemFreeHost(host));
}

static void registered_memory_tells_its_device_address(void) {
  static const unsigned flags[] = { 0, CU_MEMHOSTREGISTER_PORTABLE, CU_MEMHOSTREGISTER_DEVICEMAP };
  char *host = aligned_alloc(4096, 8192);
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
    driver_succeed(cuMemHostRegister(host, 8192, flags[i]));
    device_addresses_are_told_at_once(host, 4097);
    driver_succeed(cuMemHostUnregister(host));
  }
  free(host);
}

int main(void) {
  CUcontext context = NULL;
  driver_succeed(cuInit(0));
  driver_succeed(cuDevicePrimaryCtxRetain(&context, 0));
  driver_succeed(cuCtxSetCurrent(context));
  pinned_memory_tells_its_device_address();
  registered_memory_tells_its_device_address();
  return driver_done("conform_driver_host");
}
