/* SPDX-License-Identifier: MIT */
/*
 * vptr_lacking - questions about what no device has here, answered as CUDA answers for a device without it; and sharing
 * with other processes, which is refused. Part of cuda_runtime_api.h.
 *
 * Values and layouts are CUDA 13's. Arguments are checked as where the device has it.
 */
#ifndef VPTR_CUDA_VPTR_LACKING_H
#define VPTR_CUDA_VPTR_LACKING_H

#include "driver_types.h"

/* ---- arrays that are planar, sparse, or get their memory later ---- */

#define cudaArraySparsePropertiesSingleMipTail 0x1

struct cudaArraySparseProperties {
  struct {
    unsigned int width, height, depth;
  } tileExtent;
  unsigned int miptailFirstLevel;
  vptr_unsigned_long_long miptailSize;
  unsigned int flags;
  unsigned int reserved[4];
};

struct cudaArrayMemoryRequirements {
  size_t size, alignment;
  unsigned int reserved[4];
};

/* ---- memory that other hardware writes, and budgets of memory ---- */

enum cudaFlushGPUDirectRDMAWritesOptions {
  cudaFlushGPUDirectRDMAWritesOptionHost = 1,
  cudaFlushGPUDirectRDMAWritesOptionMemOps = 2
};

enum cudaFlushGPUDirectRDMAWritesScope {
  cudaFlushGPUDirectRDMAWritesToOwner = 100,
  cudaFlushGPUDirectRDMAWritesToAllDevices = 200
};

enum cudaFlushGPUDirectRDMAWritesTarget { cudaFlushGPUDirectRDMAWritesTargetCurrentDevice };

typedef enum cudaAsyncNotificationType_enum {
  cudaAsyncNotificationTypeOverBudget = 0x1
} cudaAsyncNotificationType;

typedef struct cudaAsyncNotificationInfo {
  cudaAsyncNotificationType type;
  union {
    struct {
      vptr_unsigned_long_long bytesOverBudget;
    } overBudget;
  } info;
} cudaAsyncNotificationInfo_t;

typedef struct cudaAsyncCallbackEntry *cudaAsyncCallbackHandle_t;
typedef void (*cudaAsyncCallback)(cudaAsyncNotificationInfo_t *info, void *userData,
                                  cudaAsyncCallbackHandle_t callback);

/* ---- atomic operations on memory that is elsewhere ---- */

enum cudaAtomicOperation {
  cudaAtomicOperationIntegerAdd = 0,
  cudaAtomicOperationIntegerMin = 1,
  cudaAtomicOperationIntegerMax = 2,
  cudaAtomicOperationIntegerIncrement = 3,
  cudaAtomicOperationIntegerDecrement = 4,
  cudaAtomicOperationAnd = 5,
  cudaAtomicOperationOr = 6,
  cudaAtomicOperationXOR = 7,
  cudaAtomicOperationExchange = 8,
  cudaAtomicOperationCAS = 9,
  cudaAtomicOperationFloatAdd = 10,
  cudaAtomicOperationFloatMin = 11,
  cudaAtomicOperationFloatMax = 12
};

enum cudaAtomicOperationCapability {
  cudaAtomicCapabilitySigned = 1,
  cudaAtomicCapabilityUnsigned = 2,
  cudaAtomicCapabilityReduction = 4,
  cudaAtomicCapabilityScalar32 = 8,
  cudaAtomicCapabilityScalar64 = 16,
  cudaAtomicCapabilityScalar128 = 32,
  cudaAtomicCapabilityVector32x4 = 64
};

/* ---- other processes ---- */

#define CUDA_IPC_HANDLE_SIZE 64
#define cudaIpcMemLazyEnablePeerAccess 0x01

typedef struct cudaIpcEventHandle_st {
  char reserved[CUDA_IPC_HANDLE_SIZE];
} cudaIpcEventHandle_t;

typedef struct cudaIpcMemHandle_st {
  char reserved[CUDA_IPC_HANDLE_SIZE];
} cudaIpcMemHandle_t;

struct cudaMemPoolPtrExportData {
  unsigned char reserved[64];
};

#ifdef __cplusplus
extern "C" {
#endif

/* No array is one of these: cudaErrorInvalidValue, or cudaErrorInvalidResourceHandle of what is no array. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaArrayGetPlane(cudaArray_t *pPlaneArray, cudaArray_t hArray,
                                                      unsigned int planeIdx);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaArrayGetMemoryRequirements(
    struct cudaArrayMemoryRequirements *memoryRequirements, cudaArray_t array, int device);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMipmappedArrayGetMemoryRequirements(
    struct cudaArrayMemoryRequirements *memoryRequirements, cudaMipmappedArray_t mipmap, int device);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaArrayGetSparseProperties(struct cudaArraySparseProperties *sparseProperties,
                                                                 cudaArray_t array);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMipmappedArrayGetSparseProperties(
    struct cudaArraySparseProperties *sparseProperties, cudaMipmappedArray_t mipmap);

/* cudaErrorNotSupported, as cudaDevAttrGPUDirectRDMAFlushWritesOptions is 0. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceFlushGPUDirectRDMAWrites(
    enum cudaFlushGPUDirectRDMAWritesTarget target, enum cudaFlushGPUDirectRDMAWritesScope scope);

/* cudaErrorNotSupported: no budget is set; so no handle is one (cudaErrorInvalidValue). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback callbackFunc,
                                                                        void *userData,
                                                                        cudaAsyncCallbackHandle_t *callback);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceUnregisterAsyncNotification(int device,
                                                                          cudaAsyncCallbackHandle_t callback);

/* 0 for each operation: no device says that it has any on the host's memory, or on another device's. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceGetHostAtomicCapabilities(unsigned int *capabilities,
                                                                        const enum cudaAtomicOperation *operations,
                                                                        unsigned int count, int device);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceGetP2PAtomicCapabilities(unsigned int *capabilities,
                                                                       const enum cudaAtomicOperation *operations,
                                                                       unsigned int count, int srcDevice,
                                                                       int dstDevice);

/* Events of several processes, on every device. The handle is good in other processes of the machine and the user for
 * as long as the process that made the event lives and has it; what is open stays. Each process records, waits and asks
 * as with events of its own, and destroys what it opened by cudaEventDestroy(). What a process has recorded counts as
 * reached when it has ended. cudaEventRecord() waits where 64 earlier records are not reached.
 * cudaErrorInvalidResourceHandle: the event was not created with cudaEventInterprocess; cudaErrorDeviceUninitialized:
 * it is this process's own; cudaErrorInvalidValue: nobody has such an event. Thread-safe. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);

/* Memory for other processes where device memory is the host's, of cudaMalloc() with VPTR_IPC=1; else
 * cudaErrorNotSupported, and always of pools. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *devPtr);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaIpcOpenMemHandle(void **devPtr, cudaIpcMemHandle_t handle,
                                                         unsigned int flags);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaIpcCloseMemHandle(void *devPtr);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemPoolExportToShareableHandle(void *shareableHandle, cudaMemPool_t memPool,
                                                                       enum cudaMemAllocationHandleType handleType,
                                                                       unsigned int flags);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemPoolImportFromShareableHandle(cudaMemPool_t *memPool,
                                                                         void *shareableHandle,
                                                                         enum cudaMemAllocationHandleType handleType,
                                                                         unsigned int flags);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *exportData, void *ptr);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemPoolImportPointer(void **ptr, cudaMemPool_t memPool,
                                                             struct cudaMemPoolPtrExportData *exportData);

#ifdef __cplusplus
}
#endif

#endif
