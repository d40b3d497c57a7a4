/* SPDX-License-Identifier: MIT */
/*
 * vptr_stream_attribute - what programs say of streams as wholes; part of cuda_runtime_api.h.
 *
 * All is kept and told. OpenCL has no caches that programs steer, no domains of fences, and queues whose priority is
 * chosen when they are made: nothing here changes what a stream does.
 */
#ifndef VPTR_CUDA_VPTR_STREAM_ATTRIBUTE_H
#define VPTR_CUDA_VPTR_STREAM_ATTRIBUTE_H

#include "driver_types.h"
#include "vptr_launch.h"

#define cudaStreamAttrID cudaLaunchAttributeID
#define cudaStreamAttrValue cudaLaunchAttributeValue
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributeMemSyncDomainMap cudaLaunchAttributeMemSyncDomainMap
#define cudaStreamAttributeMemSyncDomain cudaLaunchAttributeMemSyncDomain
#define cudaStreamAttributePriority cudaLaunchAttributePriority

#ifdef __cplusplus
extern "C" {
#endif

/* The five attributes above; a priority is clamped to what there is, and told by cudaStreamGetPriority() too. Errors:
 * cudaErrorInvalidValue (another attribute, a value that is none, NULL), cudaErrorInvalidResourceHandle (no stream),
 * cudaErrorMemoryAllocation. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamSetAttribute(cudaStream_t hStream, cudaStreamAttrID attr,
                                                           const cudaStreamAttrValue *value);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamSetAttribute_ptsz(cudaStream_t hStream, cudaStreamAttrID attr,
                                                                const cudaStreamAttrValue *value);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamGetAttribute(cudaStream_t hStream, cudaStreamAttrID attr,
                                                           cudaStreamAttrValue *value_out);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamGetAttribute_ptsz(cudaStream_t hStream, cudaStreamAttrID attr,
                                                                cudaStreamAttrValue *value_out);

/* All five, between streams of one device: cudaErrorInvalidValue if they are not. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamCopyAttributes_ptsz(cudaStream_t dst, cudaStream_t src);

/* Lines that persist in a cache become usual ones: there are none, so it does nothing. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaCtxResetPersistingL2Cache(void);

#ifdef __cplusplus
}
#endif

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cudaStreamSetAttribute cudaStreamSetAttribute_ptsz
#define cudaStreamGetAttribute cudaStreamGetAttribute_ptsz
#define cudaStreamCopyAttributes cudaStreamCopyAttributes_ptsz
#endif

#endif
