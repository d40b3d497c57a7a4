/* SPDX-License-Identifier: MIT */
/*
 * vptr_pinned - host memory that devices reach; part of cuda_runtime_api.h.
 */
#ifndef VPTR_CUDA_VPTR_PINNED_H
#define VPTR_CUDA_VPTR_PINNED_H

#include "driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Allocates size bytes of host memory that the current device reaches without a detour, aligned to 256 bytes at least,
 * contents undefined. Size 0: NULL and success. If there is no room *ptr becomes NULL. A pair of calls takes well
 * under a microsecond once the sizes were used before: freed memory stays pinned and is used again, blocks below 1 MiB
 * for good, larger ones within VPTR_IDLE_BYTES.
 * flags: cudaHostAllocPortable is always so, cudaHostAllocWriteCombined is a hint without effect, cudaHostAllocMapped
 * is not needed for cudaHostGetDevicePointer().
 * Errors: cudaErrorInvalidValue (the output is NULL, unknown flags), cudaErrorMemoryAllocation. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMallocHost(void **ptr, size_t size);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaHostAlloc(void **pHost, size_t size, unsigned int flags);

/* Frees what the two returned, whatever device is current, after waiting as cudaFree() does. NULL opens the current
 * device and does nothing else.
 * Errors: cudaErrorInvalidValue (interior, freed before, registered or any other address: nothing is freed). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaFreeHost(void *ptr);

/* Pins size bytes of the program's own memory; exactly these, not their pages. Unregister them before they are freed.
 * flags: cudaHostRegisterPortable and cudaHostRegisterMapped as above; cudaHostRegisterReadOnly where device and host
 * share their memory. Errors: cudaErrorInvalidValue (NULL, size 0, not all mapped, unknown flags),
 * cudaErrorHostMemoryAlreadyRegistered (some of it is pinned), cudaErrorNotSupported (cudaHostRegisterIoMemory;
 * cudaHostRegisterReadOnly elsewhere), cudaErrorMemoryAllocation. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaHostRegister(void *ptr, size_t size, unsigned int flags);

/* Takes that back, after waiting for the work in flight that uses it.
 * Errors: cudaErrorInvalidValue (NULL), cudaErrorHostMemoryNotRegistered (not where a registration starts). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaHostUnregister(void *ptr);

/* The device address of a byte of pinned memory, for copies and kernel arguments. On NVIDIA's devices it is the host's
 * own; on others a virtual one like cudaMalloc()'s, for the same memory. What the device wrote the host sees after a
 * synchronising call, and work queued later sees what the host wrote. It lasts until the memory is freed or
 * unregistered. Errors: cudaErrorInvalidValue (not pinned, flags not 0, the output is NULL), cudaErrorNotSupported
 * (cudaDevAttrCanMapHostMemory is 0; or registered memory is not aligned for it). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags);

/* The flags that pinned memory was allocated or registered with; any byte of it may be asked about.
 * Errors: cudaErrorInvalidValue (not pinned, the output is NULL). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaHostGetFlags(unsigned int *pFlags, void *pHost);

#ifdef __cplusplus
}
#endif

#endif
