/* SPDX-License-Identifier: MIT */
/* conform_lacking - questions about what a device or an array has not: plain arrays have no planes and are not
 * sparse. */
#include "conform.h"

static void plain_arrays_have_neither_planes_nor_tiles(void) {
  const struct cudaChannelFormatDesc bytes = { 8, 0, 0, 0, cudaChannelFormatKindUnsigned };
  struct cudaArraySparseProperties sparse;
  struct cudaArrayMemoryRequirements requirements;
  cudaArray_t array = NULL, plane = NULL;
  conform_succeed(cudaMallocArray(&array, &bytes, 64, 64, cudaArrayDefault));
  conform_expect(cudaErrorInvalidValue, cudaArrayGetPlane(&plane, array, 0));
  conform_expect(cudaErrorInvalidValue, cudaArrayGetSparseProperties(&sparse, array));
  conform_expect(cudaErrorInvalidValue, cudaArrayGetMemoryRequirements(&requirements, array, 0));
  conform_expect(cudaErrorInvalidValue, cudaArrayGetSparseProperties(NULL, array));
  conform_expect(cudaErrorInvalidValue, cudaArrayGetSparseProperties(&sparse, NULL));
  conform_expect(cudaErrorInvalidValue, cudaArrayGetMemoryRequirements(&requirements, NULL, 0));
  conform_expect(cudaErrorInvalidValue, cudaArrayGetMemoryRequirements(&requirements, array, 1000));
  conform_expect(cudaErrorInvalidResourceHandle, cudaArrayGetPlane(&plane, NULL, 0));
  conform_succeed(cudaFreeArray(array));
}

static void atomics_on_the_hosts_memory_are_told(void) {
  const enum cudaAtomicOperation operations[] = { cudaAtomicOperationIntegerAdd, cudaAtomicOperationCAS };
  const enum cudaAtomicOperation bad = (enum cudaAtomicOperation)99;
  unsigned capabilities[] = { 99999, 99999 };
  conform_succeed(cudaDeviceGetHostAtomicCapabilities(capabilities, operations, 2, 0));
  conform_true(capabilities[0] != 99999 && capabilities[1] != 99999);
  printf("observed: of adding to the host's memory 0x%x\n", capabilities[0]);
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetHostAtomicCapabilities(NULL, operations, 2, 0));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetHostAtomicCapabilities(capabilities, operations, 0, 0));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetHostAtomicCapabilities(capabilities, &bad, 1, 0));
  conform_expect(cudaErrorInvalidDevice, cudaDeviceGetHostAtomicCapabilities(capabilities, operations, 2, 1000));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetHostAtomicCapabilities(NULL, NULL, 0, 1000));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetP2PAtomicCapabilities(NULL, operations, 1, 0, 1000));
}

#ifndef ON_NVIDIA /* what a call that fails leaves behind, CUDA does not say */
static void a_device_asked_about_itself_tells_nothing(void) {
  const enum cudaAtomicOperation operation = cudaAtomicOperationCAS;
  unsigned capabilities = 99999;
  conform_expect(cudaErrorInvalidDevice, cudaDeviceGetP2PAtomicCapabilities(&capabilities, &operation, 1, 0, 0));
  conform_true(capabilities == 99999);
}
#endif

static void writes_are_flushed_where_the_device_says_so(void) {
  int options = -1;
  conform_succeed(cudaDeviceGetAttribute(&options, cudaDevAttrGPUDirectRDMAFlushWritesOptions, 0));
  if ((options & cudaFlushGPUDirectRDMAWritesOptionHost) == 0)
    conform_expect(cudaErrorNotSupported,
                   cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                                      cudaFlushGPUDirectRDMAWritesToOwner));
}

static void notifications_need_a_function(void) {
  cudaAsyncCallbackHandle_t handle = NULL;
  conform_expect(cudaErrorInvalidValue, cudaDeviceRegisterAsyncNotification(0, NULL, NULL, &handle));
  conform_expect(cudaErrorInvalidValue, cudaDeviceRegisterAsyncNotification(1000, NULL, NULL, &handle));
  conform_expect(cudaErrorInvalidValue, cudaDeviceUnregisterAsyncNotification(0, NULL));
  conform_expect(cudaErrorInvalidValue, cudaDeviceUnregisterAsyncNotification(1000, NULL));
}

int main(void) {
  plain_arrays_have_neither_planes_nor_tiles();
  atomics_on_the_hosts_memory_are_told();
#ifndef ON_NVIDIA
  a_device_asked_about_itself_tells_nothing();
#endif
  writes_are_flushed_where_the_device_says_so();
  notifications_need_a_function();
  return conform_done("conform_lacking");
}
