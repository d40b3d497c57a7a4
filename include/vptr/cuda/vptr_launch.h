/* SPDX-License-Identifier: MIT */
/*
 * vptr_launch - launching kernels.
 *
 * Enumerators and layouts are CUDA 13's, and 12's are the same.
 */
#ifndef VPTR_CUDA_LAUNCH_H
#define VPTR_CUDA_LAUNCH_H

#include "driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeAccessPolicyWindow = 1, /* changes nothing */
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeSynchronizationPolicy = 3, /* refused: a stream's */
  cudaLaunchAttributeClusterDimension = 4, /* 1 in each dimension alone */
  cudaLaunchAttributeClusterSchedulingPolicyPreference = 5, /* changes nothing */
  cudaLaunchAttributeProgrammaticStreamSerialization = 6, /* changes nothing: kernels of a stream follow each other */
  cudaLaunchAttributeProgrammaticEvent = 7, /* refused */
  cudaLaunchAttributePriority = 8,         /* changes nothing: priority is the stream's */
  cudaLaunchAttributeMemSyncDomainMap = 9, /* changes nothing: fences wait for all domains */
  cudaLaunchAttributeMemSyncDomain = 10,   /* the same */
  cudaLaunchAttributePreferredClusterDimension = 11, /* changes nothing */
  cudaLaunchAttributeLaunchCompletionEvent = 12, /* refused */
  cudaLaunchAttributeDeviceUpdatableKernelNode = 13, /* refused */
  cudaLaunchAttributePreferredSharedMemoryCarveout = 14, /* changes nothing */
  cudaLaunchAttributeNvlinkUtilCentricScheduling = 16 /* changes nothing */
} cudaLaunchAttributeID;

typedef enum cudaAccessProperty {
  cudaAccessPropertyNormal = 0,
  cudaAccessPropertyStreaming = 1,
  cudaAccessPropertyPersisting = 2
} cudaAccessProperty;

struct cudaAccessPolicyWindow {
  void *base_ptr;
  size_t num_bytes;
  float hitRatio;
  enum cudaAccessProperty hitProp, missProp;
};

enum cudaSynchronizationPolicy {
  cudaSyncPolicyAuto = 1,
  cudaSyncPolicySpin = 2,
  cudaSyncPolicyYield = 3,
  cudaSyncPolicyBlockingSync = 4
};

typedef enum cudaClusterSchedulingPolicy {
  cudaClusterSchedulingPolicyDefault = 0,
  cudaClusterSchedulingPolicySpread = 1,
  cudaClusterSchedulingPolicyLoadBalancing = 2
} cudaClusterSchedulingPolicy;

typedef enum cudaLaunchMemSyncDomain {
  cudaLaunchMemSyncDomainDefault = 0,
  cudaLaunchMemSyncDomainRemote = 1
} cudaLaunchMemSyncDomain;

typedef struct cudaLaunchMemSyncDomainMap_st {
  unsigned char default_, remote;
} cudaLaunchMemSyncDomainMap;

typedef union cudaLaunchAttributeValue {
  char pad[64];
  struct cudaAccessPolicyWindow accessPolicyWindow;
  int cooperative;
  enum cudaSynchronizationPolicy syncPolicy;
  struct {
    unsigned int x, y, z;
  } clusterDim;
  cudaClusterSchedulingPolicy clusterSchedulingPolicyPreference;
  int programmaticStreamSerializationAllowed;
  struct {
    cudaEvent_t event;
    int flags, triggerAtBlockStart;
  } programmaticEvent;
  int priority;
  cudaLaunchMemSyncDomainMap memSyncDomainMap;
  cudaLaunchMemSyncDomain memSyncDomain;
  struct {
    unsigned int x, y, z;
  } preferredClusterDim;
  struct {
    cudaEvent_t event;
    int flags;
  } launchCompletionEvent;
  unsigned int sharedMemCarveout;
  unsigned int nvlinkUtilCentricScheduling;
} cudaLaunchAttributeValue;

typedef struct cudaLaunchAttribute_st {
  cudaLaunchAttributeID id;
  char pad[8 - sizeof(cudaLaunchAttributeID)];
  cudaLaunchAttributeValue val;
} cudaLaunchAttribute;

typedef struct cudaLaunchConfig_st {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned int numAttrs;
} cudaLaunchConfig_t;

/* Sends a kernel to a stream and returns. func is the kernel's stub, args the address of each argument's value;
 * they are read before the call returns. Pointers among the arguments, also inside of structures, must be NULL, or
 * memory of the stream's device up to one past its end, or pinned host memory that the device reaches, or
 * managed memory, or any memory of the process where cudaDevAttrPageableMemoryAccess is 1. The first launch of a module
 * on a device builds it, and blocks meanwhile. Errors:
 * cudaErrorInvalidDeviceFunction (no kernel), cudaErrorInvalidValue (a grid or block that is empty or too large, as
 * CUDA 13 answers and not cudaErrorInvalidConfiguration; more threads than __launch_bounds__; too much shared memory; a
 * missing argument; a pointer that is none of those), cudaErrorLaunchOutOfResources (too many threads for this kernel's
 * registers and memory), cudaErrorInvalidResourceHandle (no stream, or another
 * device's), cudaErrorInvalidKernelImage and cudaErrorNoKernelImageForDevice (it cannot be built here),
 * cudaErrorNotSupported. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                                                     size_t sharedMem, cudaStream_t stream);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaLaunchKernel_ptsz(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                                                          size_t sharedMem, cudaStream_t stream);

/* The same, with attributes: cudaErrorNotSupported for those that are refused, cudaErrorInvalidValue for a value that
 * is none. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func,
                                                        void **args);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config, const void *func,
                                                             void **args);

/* Blocks may wait for each other. cudaErrorCooperativeLaunchTooLarge: more than the device has room for at once, where
 * each is the device's own. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim,
                                                                void **args, size_t sharedMem, cudaStream_t stream);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaLaunchCooperativeKernel_ptsz(const void *func, dim3 gridDim, dim3 blockDim,
                                                                     void **args, size_t sharedMem,
                                                                     cudaStream_t stream);

/* Clusters have one block, and as many run at once as blocks do; an attribute says their size, which is 1 in each
 * dimension. Errors: cudaErrorInvalidValue (NULL), cudaErrorInvalidDeviceFunction, cudaErrorInvalidClusterSize (no
 * attribute says it), cudaErrorNotSupported (larger ones). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaOccupancyMaxPotentialClusterSize(int *clusterSize, const void *func,
                                                                         const cudaLaunchConfig_t *launchConfig);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaOccupancyMaxActiveClusters(int *numClusters, const void *func,
                                                                   const cudaLaunchConfig_t *launchConfig);

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cudaLaunchKernel cudaLaunchKernel_ptsz
#define cudaLaunchKernelExC cudaLaunchKernelExC_ptsz
#define cudaLaunchCooperativeKernel cudaLaunchCooperativeKernel_ptsz
#endif

#ifdef __cplusplus
}

/* Functions by themselves, in place of their addresses. */
template <class Function>
static inline cudaError_t cudaLaunchKernel(Function *func, dim3 grid, dim3 block, void **args,
                                           size_t sharedMem = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel(reinterpret_cast<const void *>(func), grid, block, args, sharedMem, stream);
}

template <class Function>
static inline cudaError_t cudaLaunchCooperativeKernel(Function *func, dim3 grid, dim3 block, void **args,
                                                      size_t sharedMem = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(func), grid, block, args, sharedMem,
                                       stream);
}

#if __cplusplus >= 201103L
/* The arguments themselves, each made what the kernel takes. */
template <class... Parameters, class... Arguments>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                                             Arguments &&...arguments) {
  return [&](Parameters... values) {
    void *places[sizeof...(Parameters) + 1] = { const_cast<void *>(static_cast<const volatile void *>(&values))... };
    return ::cudaLaunchKernelExC(config, reinterpret_cast<const void *>(kernel), places);
  }(static_cast<Arguments &&>(arguments)...);
}
#endif
#endif

#endif
