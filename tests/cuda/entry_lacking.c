/* SPDX-License-Identifier: MIT */
/* entry_lacking - rows of the runtime: questions about what no device has here, other processes, and clusters. */
#include "entry.h"

#include <vptr_kernel.h>

static char add, unknown; /* stubs */
static const vptr_cuda_kernel kernels[] = { { &add, "add" } };

static void arrays(void) {
  const struct cudaChannelFormatDesc bytes = { 8, 0, 0, 0, cudaChannelFormatKindUnsigned };
  const struct cudaExtent extent = { 8, 8, 0 };
  const cudaError_t invalid = cudaErrorInvalidValue, handle = cudaErrorInvalidResourceHandle;
  struct cudaArraySparseProperties sparse;
  struct cudaArrayMemoryRequirements requirements;
  cudaArray_t array = NULL, plane = NULL;
  cudaMipmappedArray_t levels = NULL;
  NEED(cudaMallocArray(&array, &bytes, 8, 8, cudaArrayDefault) == cudaSuccess);
  int has_levels = cudaMallocMipmappedArray(&levels, &bytes, extent, 2, cudaArrayDefault) == cudaSuccess;
  cudaGetLastError();
  ENTRY(cudaArrayGetPlane, (&plane, array, 0), invalid, plane == NULL, (&plane, NULL, 0), handle);
  ENTRY(cudaArrayGetMemoryRequirements, (&requirements, array, 0), invalid, 1, (&requirements, NULL, 0), invalid);
  ENTRY(cudaMipmappedArrayGetMemoryRequirements, (&requirements, levels, 0), has_levels ? invalid : handle, 1,
        (&requirements, NULL, 0), handle);
  ENTRY(cudaArrayGetSparseProperties, (&sparse, array), invalid, 1, (&sparse, NULL), invalid);
  ENTRY(cudaMipmappedArrayGetSparseProperties, (&sparse, levels), has_levels ? invalid : handle, 1, (&sparse, NULL),
        handle);
  NEED(!has_levels || cudaFreeMipmappedArray(levels) == cudaSuccess);
  NEED(cudaFreeArray(array) == cudaSuccess);
}

static void on_budget(cudaAsyncNotificationInfo_t *info, void *data, cudaAsyncCallbackHandle_t handle) {
  (void)info, (void)data, (void)handle;
}

static void devices(void) {
  const enum cudaAtomicOperation operations[] = { cudaAtomicOperationIntegerAdd, cudaAtomicOperationCAS };
  unsigned capabilities[] = { 9, 9 };
  cudaAsyncCallbackHandle_t handle = NULL;
  ENTRY(cudaDeviceFlushGPUDirectRDMAWrites,
        (cudaFlushGPUDirectRDMAWritesTargetCurrentDevice, cudaFlushGPUDirectRDMAWritesToOwner), cudaErrorNotSupported,
        1, (cudaFlushGPUDirectRDMAWritesTargetCurrentDevice, (enum cudaFlushGPUDirectRDMAWritesScope)7),
        cudaErrorInvalidValue);
  ENTRY(cudaDeviceRegisterAsyncNotification, (0, on_budget, NULL, &handle), cudaErrorNotSupported, handle == NULL,
        (NOT_A_DEVICE, on_budget, NULL, &handle), cudaErrorInvalidDevice);
  ENTRY(cudaDeviceUnregisterAsyncNotification, (0, NULL), cudaErrorInvalidValue, 1,
        (NOT_A_DEVICE, (cudaAsyncCallbackHandle_t)&handle), cudaErrorInvalidDevice);
  ENTRY(cudaDeviceGetHostAtomicCapabilities, (capabilities, operations, 2, 0), cudaSuccess,
        capabilities[0] == 0 && capabilities[1] == 0, (NULL, operations, 2, 0), cudaErrorInvalidValue);
  ENTRY(cudaDeviceGetP2PAtomicCapabilities, (capabilities, operations, 2, 0, 0), cudaErrorInvalidDevice, 1,
        (capabilities, operations, 2, 0, NOT_A_DEVICE), cudaErrorInvalidDevice);
}

static void processes(void) {
  const cudaError_t refused = cudaErrorNotSupported;
  int is_host = 0;
  NEED(cuDeviceGetAttribute(&is_host, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0) == CUDA_SUCCESS);
  const cudaError_t wrong = is_host ? cudaErrorInvalidValue : refused; /* nothing is of another process's here */
  struct cudaMemPoolPtrExportData data;
  cudaIpcEventHandle_t of_event;
  cudaIpcMemHandle_t of_memory;
  cudaEvent_t event = NULL;
  cudaMemPool_t pool = NULL;
  void *ptr = NULL;
  memset(&of_event, 0, sizeof of_event);
  memset(&of_memory, 0, sizeof of_memory);
  memset(&data, 0, sizeof data);
  NEED(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming) == cudaSuccess);
  ENTRY(cudaIpcGetEventHandle, (&of_event, event), cudaSuccess, 1, (&of_event, NULL), cudaErrorInvalidResourceHandle);
  ENTRY(cudaIpcOpenEventHandle, (&event, of_event), cudaErrorDeviceUninitialized, event != NULL, (NULL, of_event),
        cudaErrorInvalidValue);
  NEED(cudaEventDestroy(event) == cudaSuccess);
  ENTRY(cudaIpcGetMemHandle, (&of_memory, NULL), wrong, 1, (NULL, NULL), wrong);
  ENTRY(cudaIpcOpenMemHandle, (&ptr, of_memory, 0), wrong, ptr == NULL, (NULL, of_memory, 0), wrong);
  ENTRY(cudaIpcCloseMemHandle, (NULL), wrong, 1, (&ptr), wrong);
  ENTRY(cudaMemPoolExportToShareableHandle, (&ptr, NULL, cudaMemHandleTypePosixFileDescriptor, 0), refused, 1,
        (NULL, NULL, cudaMemHandleTypePosixFileDescriptor, 0), refused);
  ENTRY(cudaMemPoolImportFromShareableHandle, (&pool, NULL, cudaMemHandleTypePosixFileDescriptor, 0), refused,
        pool == NULL, (NULL, NULL, cudaMemHandleTypePosixFileDescriptor, 0), refused);
  ENTRY(cudaMemPoolExportPointer, (&data, NULL), refused, 1, (NULL, NULL), refused);
  ENTRY(cudaMemPoolImportPointer, (&ptr, NULL, &data), refused, ptr == NULL, (NULL, NULL, &data), refused);
}

static void clusters(void) {
  size_t length = 0;
  const char *image = entry_image(&length);
  const vptr_cuda_module module = { sizeof module, image, length, kernels, 1, NULL, 0 };
  const int built = entry_runs_kernels() ? (int)cudaSuccess : (int)cudaErrorUnknown;
  cudaLaunchAttribute attribute;
  cudaLaunchConfig_t config = {
    .gridDim = { 1, 1, 1 }, .blockDim = { 32, 1, 1 }, .attrs = &attribute, .numAttrs = 1
  };
  void *handle = NULL;
  int size = 0, count = 0;
  memset(&attribute, 0, sizeof attribute);
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  NEED(vptr_cuda_register_module(&module, &handle) == cudaSuccess);
  ENTRY(cudaOccupancyMaxPotentialClusterSize, (&size, &add, &config), cudaSuccess, size == 1,
        (&size, &unknown, &config), cudaErrorInvalidDeviceFunction);
  const cudaLaunchConfig_t silent = { .gridDim = { 1, 1, 1 }, .blockDim = { 32, 1, 1 } };
  ENTRY(cudaOccupancyMaxActiveClusters, (&count, &add, &config), built, !entry_runs_kernels() || count > 0,
        (&count, &add, &silent), cudaErrorInvalidClusterSize);
  NEED(vptr_cuda_unregister_module(handle) == cudaSuccess);
}

static void driver(void) {
  const CUatomicOperation operations[] = { CU_ATOMIC_OPERATION_AND, CU_ATOMIC_OPERATION_CAS };
  const int built = entry_runs_kernels() ? (int)CUDA_SUCCESS : (int)CUDA_ERROR_UNKNOWN;
  unsigned capabilities[] = { 9, 9 };
  size_t length = 0;
  CUmodule module = NULL;
  CUfunction function = NULL;
  CUlaunchAttribute attribute;
  CUlaunchConfig config = { 1, 1, 1, 32, 1, 1, 0, NULL, &attribute, 1 },
                 silent = { 1, 1, 1, 32, 1, 1, 0, NULL, NULL, 0 };
  int size = 0, count = 0;
  memset(&attribute, 0, sizeof attribute);
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim.x = attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1;
  ENTRY(cuDeviceGetHostAtomicCapabilities, (capabilities, operations, 2, 0), CUDA_SUCCESS,
        capabilities[0] == 0 && capabilities[1] == 0, (capabilities, operations, 0, 0), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuDeviceGetP2PAtomicCapabilities, (capabilities, operations, 2, 0, 0), CUDA_ERROR_INVALID_DEVICE, 1,
        (capabilities, operations, 2, NOT_A_DEVICE, 0), CUDA_ERROR_INVALID_DEVICE);
  ENTRY(cuFlushGPUDirectRDMAWrites,
        (CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX, CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER),
        CUDA_ERROR_NOT_SUPPORTED, 1,
        (CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX, (CUflushGPUDirectRDMAWritesScope)7),
        CUDA_ERROR_INVALID_VALUE);
  NEED(cuModuleLoadData(&module, entry_image(&length)) == CUDA_SUCCESS);
  NEED(cuModuleGetFunction(&function, module, "add") == CUDA_SUCCESS);
  ENTRY(cuOccupancyMaxPotentialClusterSize, (&size, function, &config), CUDA_SUCCESS, size == 1,
        (&size, function, NULL), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuOccupancyMaxActiveClusters, (&count, function, &config), built, !entry_runs_kernels() || count > 0,
        (&count, function, &silent), CUDA_ERROR_INVALID_CLUSTER_SIZE);
  NEED(cuModuleUnload(module) == CUDA_SUCCESS);
}

void entry_lacking(void) {
  arrays();
  devices();
  processes();
  clusters();
  driver();
}
