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
#define __CUDA_RUNTIME_API_H__

#include "builtin_types.h"

/* The version of CUDA whose behaviour is followed, as 1000 * major + 10 * minor. */
#define CUDART_VERSION 13000

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors --------------------------------------------------------------------------------------------- */

/* The calling thread's last error; cudaGetLastError() also resets it to cudaSuccess. A later failure replaces
 * it; a success does not, nor does cudaErrorNotReady, the answer of a query. Where there is no device, the answer is
 * cudaErrorNoDevice at any time. */
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

/* ---- what devices are, and how they are set up ---------------------------------------------------------- */

/* All of these that take an ordinal: cudaErrorInvalidDevice if there is no such device. Outputs that are NULL, and
 * enumerators and flags that CUDA does not know: cudaErrorInvalidValue. */

/* What a device is, in full, or one number of it. doc/cuda-device-properties.md says which value is the device's own
 * answer and which is invented. Only a CPU, or a device that shares the host's memory, is opened, where a trial alone
 * tells (canMapHostMemory, pageableMemoryAccess). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device);

/* CUDA 12's name in sources. The symbol of that name writes CUDA 12's layout, for objects compiled against its
 * header. */
#define cudaGetDeviceProperties_v2 cudaGetDeviceProperties

/* The device that grants most of the wishes: capability, sizes, counts and clock at least as in prop, and its name.
 * What is 0 in prop is not wished for; among equals the first. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaChooseDevice(int *device, const struct cudaDeviceProp *prop);

/* Threads that have not called cudaSetDevice() get the first of these devices; with len 0, device 0 again. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaSetValidDevices(int *device_arr, int len);

/* Opens a device without making it current. deviceFlags count if flags is cudaInitDeviceFlagsAreValid; else it is 0. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags);

/* Waits for the current device's work, then frees all its memory; its flags and limits are as in the beginning. The
 * device can be used again at once. Errors: cudaErrorAlreadyMapped (open to the host by vptr_map(): nothing is
 * freed). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceReset(void);

/* "domain:bus:device.function", 13 bytes with its end. A device that tells no place (a CPU) is in domain ffff, at its
 * ordinal. The reverse takes a text without domain or function too. Errors: cudaErrorInvalidValue (len is too small;
 * no such form), cudaErrorInvalidDevice (nothing there). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceGetPCIBusId(char *pciBusId, int len, int device);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceGetByPCIBusId(int *device, const char *pciBusId);

/* Kernels of one device cannot reach another's memory: the answers are 0, cudaErrorPeerAccessUnsupported,
 * cudaErrorPeerAccessNotEnabled and 0. Copies between devices always work. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceDisablePeerAccess(int peerDevice);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr,
                                                              int srcDevice, int dstDevice);

/* Flags of the current device, cudaDevice*: kept and told, with no effect on OpenCL, whose driver decides how it waits.
 * cudaDeviceMapHost is always on. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaSetDeviceFlags(unsigned int flags);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGetDeviceFlags(unsigned int *flags);

/* Limits of the current device. Stack size and fetch granularity are hints, kept and told; the printf buffer's size is
 * the device's own and stays; the others are cudaErrorUnsupportedLimit. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceGetLimit(size_t *pValue, enum cudaLimit limit);

/* Fixed: wishes are taken and change nothing, the answers are cudaFuncCachePreferNone and
 * cudaSharedMemBankSizeFourByte. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceGetCacheConfig(enum cudaFuncCache *pCacheConfig);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *pConfig);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);

/* Former names, removed by CUDA 13, of cudaDeviceReset(), cudaDeviceSynchronize(), ... */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaThreadExit(void);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaThreadSynchronize(void);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaThreadSetLimit(enum cudaLimit limit, size_t value);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaThreadGetLimit(size_t *pValue, enum cudaLimit limit);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaThreadGetCacheConfig(enum cudaFuncCache *pCacheConfig);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaThreadSetCacheConfig(enum cudaFuncCache cacheConfig);

/* ---- memory --------------------------------------------------------------------------------------------- */

/* Allocates size bytes on the current device, aligned to 256 bytes at least, contents undefined, committed: if
 * the device has no room, this call says so. Size 0: NULL and success. The caller owns the memory and gives it
 * to cudaFree(). If there is no room *devPtr becomes NULL, as CUDA has it.
 * Errors: cudaErrorInvalidValue (devPtr is NULL), cudaErrorMemoryAllocation. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMalloc(void **devPtr, size_t size);

/* Frees what cudaMalloc() returned, on whatever device it lies, after waiting for all work in flight there, whatever
 * that uses (VPTR_FREE_WAITS=0: it returns at once where the work may keep the memory). NULL opens the current device
 * and does nothing else.
 * Errors: cudaErrorInvalidValue (interior, freed before, host or wild address: nothing is freed),
 * cudaErrorAlreadyMapped (open to the host by vptr_map()). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaFree(void *devPtr);

/* Bytes of the current device that are not in use, and all it has; either output may be NULL. Counted by vptr:
 * buffers kept for reuse are free, memory taken by other processes is not known. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemGetInfo(size_t *free, size_t *total);

/* Copies count bytes; ranges may overlap. Blocks until the copy is done, unless both ends are on one device. A count of
 * 0 succeeds whatever the other arguments are. Both ends of the copy may lie on different devices.
 * Errors: cudaErrorInvalidMemcpyDirection (kind is no direction), cudaErrorInvalidValue (NULL, a range that is
 * not inside one allocation, or kind says "device" of an address that is none): nothing is copied. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy(void *dst, const void *src, size_t count,
                                               enum cudaMemcpyKind kind);

/* Sets count bytes of device memory to (unsigned char)value; does not wait for it. A count of 0 succeeds whatever
 * the address is. Errors: cudaErrorInvalidValue (as for cudaMemcpy()): nothing is written. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemset(void *devPtr, int value, size_t count);

/* ---- copies and settings of rectangles, and on streams ------------------------------------------------------- */

/* Rows of width bytes begin every pitch bytes; slices every pitch * ysize. Bytes between rows are never touched, not
 * even with what they hold: another stream may write them meanwhile. A rectangle with no bytes is a success whatever
 * the other arguments are.
 *
 * A call without a stream is work of the legacy stream: it comes after all earlier work of blocking streams. Copies
 * between places of one device, and settings of device memory, return as soon as they are queued; who reads the memory
 * through an OpenCL queue that vptr does not know calls cudaDeviceSynchronize() first. Copies with the host return when
 * they are done.
 *
 * A call with a stream (Async) returns at once: copies of device memory, settings, and copies between the device and
 * pinned memory, which must stay until the stream is there. It may wait for the stream: from pageable memory if there
 * is more than 64 KiB or kernels were given such memory, to pageable memory, from host to host, and where the memory is
 * of another device than the stream.
 * Errors: as for cudaMemcpy() and cudaMemset(), cudaErrorInvalidResourceHandle (no such stream); errors of the work
 * itself surface at the next call that waits for the stream.
 *
 * Rectangles of one allocation may overlap if their pitches are equal; else the result is undefined. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                                                    cudaStream_t stream VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemsetAsync(void *devPtr, int value, size_t count,
                                                    cudaStream_t stream VPTR_CUDA_DEFAULT(0));

/* Errors: cudaErrorInvalidPitchValue (a row is longer than a pitch). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                                                 size_t height, enum cudaMemcpyKind kind);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
                                                      size_t width, size_t height, enum cudaMemcpyKind kind,
                                                      cudaStream_t stream VPTR_CUDA_DEFAULT(0));

/* Errors: cudaErrorInvalidPitchValue (position and row are longer than a pitch), cudaErrorInvalidValue (an end has both
 * an array and a pointer, or neither; with several slices, more rows than ysize). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy3D(const struct cudaMemcpy3DParms *p);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p,
                                                      cudaStream_t stream VPTR_CUDA_DEFAULT(0));

/* Between devices, through host memory; the call returns when it is done. An address knows its device, so the ordinals
 * are only checked to be some. Errors: cudaErrorInvalidDevice. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice,
                                                   size_t count);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice,
                                                        size_t count, cudaStream_t stream VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p,
                                                          cudaStream_t stream VPTR_CUDA_DEFAULT(0));

/* Pinned host memory may be set too. Errors: cudaErrorInvalidValue (a row is longer than the pitch, among others). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width,
                                                      size_t height, cudaStream_t stream VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemset3D(struct cudaPitchedPtr pitchedDevPtr, int value,
                                                 struct cudaExtent extent);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemset3DAsync(struct cudaPitchedPtr pitchedDevPtr, int value,
                                                      struct cudaExtent extent,
                                                      cudaStream_t stream VPTR_CUDA_DEFAULT(0));

/* As cudaMalloc(), for height (times depth) rows of width bytes, which begin at multiples of 512 bytes. With no bytes:
 * NULL, a pitch of 0, and success. On error the outputs stay. Errors: as for cudaMalloc(). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMalloc3D(struct cudaPitchedPtr *pitchedDevPtr, struct cudaExtent extent);

/* Variants with the thread's own stream for the default one (see streams). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy_ptds(void *dst, const void *src, size_t count,
                                                    enum cudaMemcpyKind kind);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyAsync_ptsz(void *dst, const void *src, size_t count,
                                                         enum cudaMemcpyKind kind,
                                                         cudaStream_t stream VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy2D_ptds(void *dst, size_t dpitch, const void *src, size_t spitch,
                                                      size_t width, size_t height, enum cudaMemcpyKind kind);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy2DAsync_ptsz(void *dst, size_t dpitch, const void *src, size_t spitch,
                                                           size_t width, size_t height, enum cudaMemcpyKind kind,
                                                           cudaStream_t stream VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy3D_ptds(const struct cudaMemcpy3DParms *p);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy3DAsync_ptsz(const struct cudaMemcpy3DParms *p,
                                                           cudaStream_t stream VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy3DPeer_ptds(const struct cudaMemcpy3DPeerParms *p);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpy3DPeerAsync_ptsz(const struct cudaMemcpy3DPeerParms *p,
                                                               cudaStream_t stream VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemset_ptds(void *devPtr, int value, size_t count);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemsetAsync_ptsz(void *devPtr, int value, size_t count,
                                                         cudaStream_t stream VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemset2D_ptds(void *devPtr, size_t pitch, int value, size_t width,
                                                      size_t height);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemset2DAsync_ptsz(void *devPtr, size_t pitch, int value, size_t width,
                                                           size_t height, cudaStream_t stream VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemset3D_ptds(struct cudaPitchedPtr pitchedDevPtr, int value,
                                                      struct cudaExtent extent);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemset3DAsync_ptsz(struct cudaPitchedPtr pitchedDevPtr, int value,
                                                           struct cudaExtent extent,
                                                           cudaStream_t stream VPTR_CUDA_DEFAULT(0));

/* ---- addresses ------------------------------------------------------------------------------------------ */

/* Says what an address stands for; any value may be asked about. What lies in no live allocation (host memory,
 * freed memory, the address one past the end, NULL) is cudaMemoryTypeUnregistered, and that is a success; ask
 * vptr_resolve() for the exact verdict. Memory of cudaMallocManaged() and __managed__ variables are
 * cudaMemoryTypeManaged; variables are told as the current device's. Pinned memory is cudaMemoryTypeHost, and its
 * devicePointer is what cudaHostGetDevicePointer() gives, or NULL where the device has none for it. Ordinary host
 * memory has one where cudaDevAttrPageableMemoryAccess is 1 and the device was used before: its own. Does not write
 * attributes->reserved.
 * Errors: cudaErrorInvalidValue (attributes is NULL). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                                             const void *ptr);

/* ---- symbols -------------------------------------------------------------------------------------------- */

/* A symbol is a variable of the device, named by the address of its shadow on the host. Compilers and translators make
 * it known (vptr_symbol.h). It has memory on each device, made when first needed there; the current device's is meant.
 * All of these: cudaErrorInvalidSymbol if nothing is registered at that address. */

/* Copy to or from count bytes at offset of a symbol. Kinds: those whose end at the symbol is the device, and Default.
 * Errors: cudaErrorInvalidMemcpyDirection (another kind), cudaErrorInvalidValue (the range leaves the symbol; and as
 * for cudaMemcpy()). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count,
                                                       size_t offset VPTR_CUDA_DEFAULT(0),
                                                       enum cudaMemcpyKind kind
                                                           VPTR_CUDA_DEFAULT(cudaMemcpyHostToDevice));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count,
                                                         size_t offset VPTR_CUDA_DEFAULT(0),
                                                         enum cudaMemcpyKind kind
                                                             VPTR_CUDA_DEFAULT(cudaMemcpyDeviceToHost));

/* The same as work of a stream, with cudaMemcpyAsync()'s rules for the host's memory. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count,
                                                            size_t offset, enum cudaMemcpyKind kind,
                                                            cudaStream_t stream VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count,
                                                              size_t offset, enum cudaMemcpyKind kind,
                                                              cudaStream_t stream VPTR_CUDA_DEFAULT(0));

/* The symbol's address on the current device, for kernels and copies; cudaFree() refuses it. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGetSymbolAddress(void **devPtr, const void *symbol);

/* Its size in bytes, as registered. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGetSymbolSize(size_t *size, const void *symbol);

/* Variants with the thread's own stream for the default one (see streams). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyToSymbol_ptds(const void *symbol, const void *src, size_t count,
                                                            size_t offset VPTR_CUDA_DEFAULT(0),
                                                            enum cudaMemcpyKind kind
                                                                VPTR_CUDA_DEFAULT(cudaMemcpyHostToDevice));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyFromSymbol_ptds(void *dst, const void *symbol, size_t count,
                                                              size_t offset VPTR_CUDA_DEFAULT(0),
                                                              enum cudaMemcpyKind kind
                                                                  VPTR_CUDA_DEFAULT(cudaMemcpyDeviceToHost));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyToSymbolAsync_ptsz(const void *symbol, const void *src, size_t count,
                                                                 size_t offset, enum cudaMemcpyKind kind,
                                                                 cudaStream_t stream VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaMemcpyFromSymbolAsync_ptsz(void *dst, const void *symbol, size_t count,
                                                                   size_t offset, enum cudaMemcpyKind kind,
                                                                   cudaStream_t stream VPTR_CUDA_DEFAULT(0));

/* ---- streams -------------------------------------------------------------------------------------------- */

/* A stream is work in order, beside the work of other streams. Every call that takes one also takes NULL and
 * cudaStreamLegacy, the current device's legacy default stream, and cudaStreamPerThread, the calling thread's own one.
 * What is sent to the legacy stream begins after all earlier work of the device's streams, those that were created with
 * cudaStreamNonBlocking excepted, and their later work begins after it.
 *
 * All of these: cudaErrorInvalidResourceHandle if the handle is no live stream; cudaErrorNotPermitted from inside a
 * host function, like all calls that allocate, free, send or wait. What went wrong in a stream's earlier work is told
 * by the call that waits for it.
 *
 * With CUDA_API_PER_THREAD_DEFAULT_STREAM defined before this header, NULL means the thread's own stream: the calls
 * become those of the same name with _ptsz, as in CUDA. */

/* A new stream of the current device. Flags: cudaStreamDefault or cudaStreamNonBlocking. A priority beyond the range
 * is moved into it. Errors: cudaErrorInvalidValue (pStream is NULL, unknown flags). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamCreate(cudaStream_t *pStream);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamCreateWithPriority(cudaStream_t *pStream, unsigned int flags,
                                                                 int priority);

/* The priorities there are: 0, and -1, which goes first where the driver knows priorities. Either output may be
 * NULL. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority);

/* The handle is gone at once, the stream when its work is done. Does not wait. The default streams cannot be
 * destroyed: cudaErrorInvalidResourceHandle. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamDestroy(cudaStream_t stream);

/* Whether all work is done: cudaSuccess or cudaErrorNotReady. Never waits. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamQuery(cudaStream_t stream);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamQuery_ptsz(cudaStream_t stream);

/* Blocks until all work is done; of the legacy stream, also the work that it would come after. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamSynchronize(cudaStream_t stream);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamSynchronize_ptsz(cudaStream_t stream);

/* Later work of the stream begins after what the event records now, on whatever device; an event that was never
 * recorded holds nothing up. Errors: cudaErrorInvalidValue (flags are not 0). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                                        unsigned int flags VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamWaitEvent_ptsz(cudaStream_t stream, cudaEvent_t event,
                                                             unsigned int flags VPTR_CUDA_DEFAULT(0));

/* Calls the function once, on a thread of the runtime's, after all earlier work of the stream and before all later
 * work. It may not call the runtime. A callback is also called when the earlier work failed, and is told so; a host
 * function is then left out. Errors: cudaErrorInvalidValue (no function; flags are not 0). */
typedef void(CUDART_CB *cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *userData);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                                          void *userData, unsigned int flags);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamAddCallback_ptsz(cudaStream_t stream, cudaStreamCallback_t callback,
                                                               void *userData, unsigned int flags);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaLaunchHostFunc_ptsz(cudaStream_t stream, cudaHostFn_t fn, void *userData);

/* What a stream is. An id is unique in the process. Errors: cudaErrorInvalidValue (the output is NULL). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamGetFlags(cudaStream_t hStream, unsigned int *flags);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamGetFlags_ptsz(cudaStream_t hStream, unsigned int *flags);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamGetPriority(cudaStream_t hStream, int *priority);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamGetPriority_ptsz(cudaStream_t hStream, int *priority);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamGetId(cudaStream_t hStream, vptr_unsigned_long_long *streamId);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamGetId_ptsz(cudaStream_t hStream, vptr_unsigned_long_long *streamId);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamGetDevice(cudaStream_t hStream, int *device);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamGetDevice_ptsz(cudaStream_t hStream, int *device);

/* Whether a stream is captured (vptr_graph.h). The mode is the thread's: what it may call while streams are captured.
 * Errors: cudaErrorInvalidValue (NULL, no such mode). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamIsCapturing(cudaStream_t stream,
                                                          enum cudaStreamCaptureStatus *pCaptureStatus);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamIsCapturing_ptsz(cudaStream_t stream,
                                                               enum cudaStreamCaptureStatus *pCaptureStatus);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);

/* ---- events --------------------------------------------------------------------------------------------- */

/* An event is a place in a stream's work. All of these: cudaErrorInvalidResourceHandle if the handle is no live event;
 * cudaErrorNotPermitted from inside a host function. */

/* A new event of the current device. Flags: cudaEventDefault, or any of cudaEventBlockingSync, cudaEventDisableTiming,
 * cudaEventInterprocess (the last only with the one before). Errors: cudaErrorInvalidValue (event is NULL, flags). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaEventCreate(cudaEvent_t *event);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);

/* Puts the event behind all work that the stream has now, also when it was recorded before. Errors:
 * cudaErrorInvalidResourceHandle (stream and event are of different devices), cudaErrorInvalidValue (flags not 0). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaEventRecord(cudaEvent_t event, cudaStream_t stream VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaEventRecord_ptsz(cudaEvent_t event, cudaStream_t stream VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaEventRecordWithFlags(cudaEvent_t event,
                                                             cudaStream_t stream VPTR_CUDA_DEFAULT(0),
                                                             unsigned int flags VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaEventRecordWithFlags_ptsz(cudaEvent_t event,
                                                                  cudaStream_t stream VPTR_CUDA_DEFAULT(0),
                                                                  unsigned int flags VPTR_CUDA_DEFAULT(0));

/* Whether the work before the event is done: cudaSuccess, also for an event that was never recorded, or
 * cudaErrorNotReady. cudaEventSynchronize() blocks until it is. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaEventQuery(cudaEvent_t event);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaEventSynchronize(cudaEvent_t event);

/* The handle is gone at once; who waits for the event goes on waiting. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaEventDestroy(cudaEvent_t event);

/* Milliseconds between two events by the device's clock. cudaEventElapsedTime_v2() is CUDA 12.8's name for the same.
 * Errors: cudaErrorNotReady, cudaErrorInvalidResourceHandle (never recorded, created without timing, or of different
 * devices), cudaErrorInvalidValue (ms is NULL). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaEventElapsedTime_v2(float *ms, cudaEvent_t start, cudaEvent_t end);

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cudaStreamQuery cudaStreamQuery_ptsz
#define cudaStreamSynchronize cudaStreamSynchronize_ptsz
#define cudaStreamWaitEvent cudaStreamWaitEvent_ptsz
#define cudaStreamAddCallback cudaStreamAddCallback_ptsz
#define cudaLaunchHostFunc cudaLaunchHostFunc_ptsz
#define cudaStreamGetFlags cudaStreamGetFlags_ptsz
#define cudaStreamGetPriority cudaStreamGetPriority_ptsz
#define cudaStreamGetId cudaStreamGetId_ptsz
#define cudaStreamGetDevice cudaStreamGetDevice_ptsz
#define cudaStreamIsCapturing cudaStreamIsCapturing_ptsz
#define cudaEventRecord cudaEventRecord_ptsz
#define cudaEventRecordWithFlags cudaEventRecordWithFlags_ptsz
#define cudaMemcpyAsync cudaMemcpyAsync_ptsz
#define cudaMemcpy2DAsync cudaMemcpy2DAsync_ptsz
#define cudaMemcpy3DAsync cudaMemcpy3DAsync_ptsz
#define cudaMemcpy3DPeerAsync cudaMemcpy3DPeerAsync_ptsz
#define cudaMemsetAsync cudaMemsetAsync_ptsz
#define cudaMemset2DAsync cudaMemset2DAsync_ptsz
#define cudaMemset3DAsync cudaMemset3DAsync_ptsz
#define cudaMemcpy cudaMemcpy_ptds
#define cudaMemcpy2D cudaMemcpy2D_ptds
#define cudaMemcpy3D cudaMemcpy3D_ptds
#define cudaMemcpy3DPeer cudaMemcpy3DPeer_ptds
#define cudaMemset cudaMemset_ptds
#define cudaMemset2D cudaMemset2D_ptds
#define cudaMemset3D cudaMemset3D_ptds
#define cudaMemcpyToSymbol cudaMemcpyToSymbol_ptds
#define cudaMemcpyFromSymbol cudaMemcpyFromSymbol_ptds
#define cudaMemcpyToSymbolAsync cudaMemcpyToSymbolAsync_ptsz
#define cudaMemcpyFromSymbolAsync cudaMemcpyFromSymbolAsync_ptsz
#endif

#ifdef __cplusplus
}
#endif

#include "vptr_array.h" /* arrays, texture and surface objects */
#include "vptr_batch.h" /* several copies or prefetches by one call */
#include "vptr_error_log.h"
#include "vptr_external.h" /* memory of a descriptor */
#include "vptr_function.h" /* kernels: attributes, occupancy */
#include "vptr_lacking.h"
#include "vptr_graph.h"
#include "vptr_launch.h"
#include "vptr_managed.h" /* managed memory, advice and prefetches */
#include "vptr_pinned.h" /* host memory that devices reach */
#include "vptr_pool.h" /* memory in the order of streams */
#include "vptr_library.h" /* libraries of kernels, functions of the driver's */
#include "vptr_stream_attribute.h"
#include "vptr_reference.h" /* texture and surface references */

#endif
