/* SPDX-License-Identifier: MIT */
/*
 * vptr_managed - managed memory: where it comes from, what a program tells of it, and what it can ask; part of
 * cuda_runtime_api.h.
 *
 * Advice and prefetches are kept for pieces of 4 KiB, as CUDA keeps them: a range is widened to whole ones, within its
 * allocation. They are told back exactly. What they do to speed is another matter: see each.
 *
 * A range lies inside one allocation of cudaMallocManaged(), or one __managed__ variable. All calls on ranges:
 * cudaErrorInvalidValue for NULL, no bytes, and bytes that are not managed memory.
 */
#ifndef VPTR_CUDA_VPTR_MANAGED_H
#define VPTR_CUDA_VPTR_MANAGED_H

#include "driver_types.h"

enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly = 2,
  cudaMemAdviseSetPreferredLocation = 3,
  cudaMemAdviseUnsetPreferredLocation = 4,
  cudaMemAdviseSetAccessedBy = 5,
  cudaMemAdviseUnsetAccessedBy = 6
};

enum cudaMemRangeAttribute {
  cudaMemRangeAttributeReadMostly = 1,
  cudaMemRangeAttributePreferredLocation = 2,
  cudaMemRangeAttributeAccessedBy = 3,
  cudaMemRangeAttributeLastPrefetchLocation = 4,
  cudaMemRangeAttributePreferredLocationType = 5,
  cudaMemRangeAttributePreferredLocationId = 6,
  cudaMemRangeAttributeLastPrefetchLocationType = 7,
  cudaMemRangeAttributeLastPrefetchLocationId = 8
};

/* CUDA 12's names in sources. The symbols without _v2 take an ordinal for a location where an object compiled against
 * CUDA 12's header asks for them. */
#define cudaMemAdvise_v2 cudaMemAdvise
#define cudaMemPrefetchAsync_v2 cudaMemPrefetchAsync

#ifdef __cplusplus
extern "C" {
#endif

/* Memory with one address for host and kernels; size in bytes, 0 gives NULL; flags cudaMemAttachGlobal, or
 * cudaMemAttachHost, which is the same here. The program's until cudaFree(), which waits for kernels that use it.
 * Kernels reach it through their arguments and through pointers that lie in memory. Where device memory is the host's
 * and there is one device, it lies in place, and the host waits for kernels before it touches what they use. Elsewhere
 * page faults keep host and device one, and all of it together may be more than the device has: doc/managed.md,
 * VPTR_MANAGED in vptr(7). A host function of a stream may not touch what work behind it in the stream uses; a child
 * after fork() may touch none. Errors: cudaErrorInvalidValue, cudaErrorMemoryAllocation, cudaErrorNotSupported
 * (VPTR_FAULTS asks for what the system does not give). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMallocManaged(void **devPtr, size_t size, unsigned int flags
#ifdef __cplusplus
                                                      = cudaMemAttachGlobal
#endif
);

/* Says that a range will be used next at a location: a device, the host (its id is not looked at), a NUMA node of the
 * host's, or the thread's own one. Memory that page faults keep one (cudaMallocManaged()) is brought to
 * a device before the call returns, after the kernels that use what the host has written since. To the host it is
 * brought in the order of the stream, unless a launch uses it again before that. Memory in place and variables stay
 * where they are. It is told back as the last prefetch. flags is 0. Errors: cudaErrorInvalidDevice (no such ordinal),
 * cudaErrorInvalidValue (no such node or type), cudaErrorMemoryAllocation, and of the stream. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemPrefetchAsync(const void *devPtr, size_t count,
                                                         struct cudaMemLocation location, unsigned int flags,
                                                         cudaStream_t stream VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemPrefetchAsync_ptsz(const void *devPtr, size_t count,
                                                              struct cudaMemLocation location, unsigned int flags,
                                                              cudaStream_t stream VPTR_CUDA_DEFAULT(0));

/* Advice is kept and told, and changes nothing else. Of a location, whose type must be one in any case, the preferred
 * one can be what a prefetch takes, an accessor a device or the host, and the others need none.
 * Errors: cudaErrorInvalidValue (no such advice, type, ordinal or node). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                                                  struct cudaMemLocation location);

/* What holds for all of a range, in ints: 0 or 1; an ordinal, cudaCpuDeviceId, or cudaInvalidDeviceId where there is
 * none for all of it; for AccessedBy as many as dataSize has room for, the rest cudaInvalidDeviceId. dataSize is that
 * of an int, or for AccessedBy of several. Several attributes are all checked before the first is written.
 * Errors: cudaErrorInvalidValue (sizes, attributes; an output is NULL). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemRangeGetAttribute(void *data, size_t dataSize,
                                                             enum cudaMemRangeAttribute attribute,
                                                             const void *devPtr, size_t count);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemRangeGetAttributes(void **data, size_t *dataSizes,
                                                              enum cudaMemRangeAttribute *attributes,
                                                              size_t numAttributes, const void *devPtr, size_t count);

/* Says who may use an allocation from now on: kernels of one stream (cudaMemAttachSingle), of all
 * (cudaMemAttachGlobal), or the host alone (cudaMemAttachHost). Checked, and needed by nobody: the host may use managed
 * memory whenever no kernel that may reach it runs, whatever others do. devPtr is where the allocation
 * begins, length its size or 0. Errors: cudaErrorInvalidValue (part of an allocation, other flags, or one stream's
 * which is NULL). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr,
                                                             size_t length VPTR_CUDA_DEFAULT(0),
                                                             unsigned int flags
                                                                 VPTR_CUDA_DEFAULT(cudaMemAttachSingle));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamAttachMemAsync_ptsz(cudaStream_t stream, void *devPtr,
                                                                  size_t length VPTR_CUDA_DEFAULT(0),
                                                                  unsigned int flags
                                                                      VPTR_CUDA_DEFAULT(cudaMemAttachSingle));

#ifdef __cplusplus
}
#endif

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cudaMemPrefetchAsync cudaMemPrefetchAsync_ptsz
#define cudaStreamAttachMemAsync cudaStreamAttachMemAsync_ptsz
#endif

#endif
