/* SPDX-License-Identifier: MIT */
/*
 * cuda_runtime_api - the CUDA runtime, over OpenCL: prototypes for C and C++.
 *
 * Functions have CUDA's names, arguments and values and are exported under CUDA's symbol names. What they do is
 * what CUDA 13 does, found out by running the same programs on both. What is special to vptr:
 *
 *   Device addresses are virtual: they may be added to, subtracted, compared and stored like any pointer, never
 *   dereferenced by the host (that traps), and no host address equals one. An address knows its device: calls
 *   that take one work whatever device is current.
 *
 *   Devices are those that vptr chose (VPTR_PLATFORM, VPTR_DEVICE; vptr(7)), ordinals from 0. Device 0 is the
 *   device of vptr's default mapper: cudaMalloc() and vptr_malloc(NULL, ...) share one address space, and every
 *   vptr call takes addresses of cudaMalloc(), for instance vptr_set_kernel_arg().
 *
 *   Errors are exact. A copy or a fill is checked to the byte before anything is moved; a freed address stays
 *   known as freed until it is issued again. With VPTR_VERBOSE=1 each failed call prints one line on stderr that
 *   says what the address was (freed, interior, past the end, host...); vptr_last_error() returns that line.
 *
 * All calls are thread-safe. The current device and the last error belong to the calling thread. All sizes are
 * bytes. Every call but the error and version ones returns cudaErrorNoDevice, touching nothing, where there is
 * no OpenCL device of use. The first call that needs a device opens it, which can take a second.
 */
#ifndef VPTR_CUDA_RUNTIME_API_H
#define VPTR_CUDA_RUNTIME_API_H

#include "builtin_types.h"

/* The version of CUDA whose behaviour is followed, as 1000 * major + 10 * minor. */
#define CUDART_VERSION 13000

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors --------------------------------------------------------------------------------------------- */

/* The calling thread's last error; cudaGetLastError() also resets it to cudaSuccess. A later failure replaces
 * it, a success does not. Where there is no device, the answer is cudaErrorNoDevice at any time. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGetLastError(void);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaPeekAtLastError(void);

/* The enumerator's name and CUDA's short text for it. Static strings, never NULL; "unrecognized error code" for
 * a value that is none. They leave the last error as it is. */
VPTR_CUDA_API const char *CUDARTAPI cudaGetErrorName(cudaError_t error);
VPTR_CUDA_API const char *CUDARTAPI cudaGetErrorString(cudaError_t error);

/* ---- devices -------------------------------------------------------------------------------------------- */

/* How many devices there are. With none: cudaErrorNoDevice, and *count stays as it was.
 * Errors: cudaErrorInvalidValue (count is NULL). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGetDeviceCount(int *count);

/* The calling thread's current device, 0 in a new thread. Errors: cudaErrorInvalidValue (device is NULL). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGetDevice(int *device);

/* Makes a device current for the calling thread, and opens it if it is not open yet. On error the current device
 * stays. Errors: cudaErrorInvalidDevice (no such ordinal), and those of opening it. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaSetDevice(int device);

/* Blocks until the current device has done all work of its queues. Errors of that work surface here. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceSynchronize(void);

/* CUDART_VERSION of the library that is running. The "driver" is vptr itself and answers the same. They need no
 * device. Errors: cudaErrorInvalidValue (the output is NULL). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaRuntimeGetVersion(int *runtimeVersion);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDriverGetVersion(int *driverVersion);

/* ---- memory --------------------------------------------------------------------------------------------- */

/* Allocates size bytes on the current device, aligned to 256 bytes at least, contents undefined, committed: if
 * the device has no room, this call says so. Size 0: NULL and success. The caller owns the memory and gives it
 * to cudaFree(). If there is no room *devPtr becomes NULL, as CUDA has it.
 * Errors: cudaErrorInvalidValue (devPtr is NULL), cudaErrorMemoryAllocation. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMalloc(void **devPtr, size_t size);

/* Frees what cudaMalloc() returned, on whatever device it lies. NULL opens the current device and does nothing
 * else. Work in flight may still use the memory.
 * Errors: cudaErrorInvalidValue (interior, freed before, host or wild address: nothing is freed),
 * cudaErrorAlreadyMapped (open to the host by vptr_map()). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaFree(void *devPtr);

/* Bytes of the current device that are not in use, and all it has; either output may be NULL. Counted by vptr:
 * buffers kept for reuse are free, memory taken by other processes is not known. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemGetInfo(size_t *free, size_t *total);

/* Copies count bytes; ranges may overlap. Blocks until the copy is done. A count of 0 succeeds whatever the
 * other arguments are. Both ends of the copy may lie on different devices.
 * Errors: cudaErrorInvalidMemcpyDirection (kind is no direction), cudaErrorInvalidValue (NULL, a range that is
 * not inside one allocation, or kind says "device" of an address that is none): nothing is copied. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy(void *dst, const void *src, size_t count,
                                               enum cudaMemcpyKind kind);

/* Sets count bytes of device memory to (unsigned char)value. Blocks until done. A count of 0 succeeds whatever
 * the address is. Errors: cudaErrorInvalidValue (as for cudaMemcpy()): nothing is written. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemset(void *devPtr, int value, size_t count);

/* ---- addresses ------------------------------------------------------------------------------------------ */

/* Says what an address stands for; any value may be asked about. What lies in no live allocation (host memory,
 * freed memory, the address one past the end, NULL) is cudaMemoryTypeUnregistered, and that is a success; ask
 * vptr_resolve() for the exact verdict. Takes no lock. Does not write attributes->reserved.
 * Errors: cudaErrorInvalidValue (attributes is NULL). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                                             const void *ptr);

#ifdef __cplusplus
}
#endif

#endif
