/* SPDX-License-Identifier: MIT */
/*
 * vptr_usm.h - unified shared memory in C: the kinds of memory that SYCL 2020 has (its section 4.8).
 *
 *     kind       allocated in        the host reads it     kernels read it
 *     device     device memory       no: it copies         yes
 *     host       the host's memory   yes                   yes where vptr_usm_supports(): in place, it never moves
 *     shared     both                yes                   yes, by launches (vptr_kernel.h, CUDA's); not while
 *                                                          the host touches it: in place the host waits for
 *                                                          kernels first, by page faults its access does
 *     system     nowhere: malloc()   yes                   yes where vptr_usm_supports(), as it is; not while
 *                and the like                              the host touches it
 *
 * These calls are in libvptr-cudart: `pkg-config --cflags --libs vptr-cudart`. What SYCL calls a context is a mapper
 * here, and it has one device. Memory belongs to the mapper that it was allocated with: to the calls of another mapper
 * it is unknown. Host and shared memory need a mapper of the process's own: NULL, or one of vptr_usm_mapper(). The CUDA
 * runtime's memory is the same memory: cudaMalloc() makes the device kind, cudaMallocHost() the host kind and
 * cudaMallocManaged() the shared kind, and may be freed here; what is allocated here is freed here.
 *
 * The conventions of vptr.h hold: sizes are bytes, NULL is the default mapper, every call may come from any thread,
 * outputs are written on success alone, a call that fails has changed nothing, and vptr_last_error() has the words.
 * "Inside" an allocation are its bytes as they were asked for: what lies past its end is unknown.
 */
#ifndef VPTR_VPTR_USM_H
#define VPTR_VPTR_USM_H

#include <vptr/vptr.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What kind of memory an address stands for. */
typedef enum vptr_usm_type {
  VPTR_USM_UNKNOWN = 0, /* nothing of this mapper's: never allocated, freed, attached, or of another mapper */
  VPTR_USM_DEVICE = 1,
  VPTR_USM_HOST = 2,
  VPTR_USM_SHARED = 3,
  VPTR_USM_SYSTEM = 4   /* plain memory of the program's that kernels take as it is: heap, stack, globals */
} vptr_usm_type;

/* How a range of shared memory will be used. */
typedef enum vptr_usm_advice {
  VPTR_USM_ADVICE_NONE = 0,         /* as if nothing had been advised */
  VPTR_USM_ADVICE_READ_MOSTLY = 1,  /* hardly ever written */
  VPTR_USM_ADVICE_ON_DEVICE = 2,    /* best kept on the device */
  VPTR_USM_ADVICE_ON_HOST = 3       /* best kept on the host */
} vptr_usm_advice;

/* The process's own mapper on its device-th device, 0 being the default mapper; made on first use, and then it blocks
 * while the driver starts. It is the mapper of the CUDA runtime's device of that number, and cannot be destroyed.
 * Errors: NULL_POINTER, NO_DEVICE, those of vptr_mapper_create(). */
VPTR_API vptr_status vptr_usm_mapper(int device, vptr_mapper **mapper_out);

/* Whether kernels on the mapper's device reach memory of a kind: 1 or 0. Where they do not reach host memory, it can be
 * allocated all the same, and makes copies fast. SYSTEM is tried on CPUs when it is first asked about, here or below,
 * and blocks for some 100 ms then. 0 also when there is no mapper. */
VPTR_API int vptr_usm_supports(vptr_mapper *mapper, vptr_usm_type kind);

/* ---- memory --------------------------------------------------------------------------------------------- */

/* Allocates size bytes of a kind, DEVICE, HOST or SHARED. Contents are undefined. Size 0: NULL and success. alignment
 * is a power of two; 0: 256, which is the most that every kind has (the device kind has what its mapper was made with,
 * if that is more). The memory is the caller's until vptr_usm_free(). Blocks as vptr_malloc() does, or while memory is
 * pinned.
 * Errors: NULL_POINTER, INVALID_ARGUMENT (no such kind, alignment no power of two), UNSUPPORTED (more alignment than
 * there is, host or shared memory of a mapper that is not the process's own), OUT_OF_HOST_MEMORY, those of
 * vptr_malloc(). */
VPTR_API vptr_status vptr_usm_alloc(vptr_mapper *mapper, vptr_usm_type kind, size_t size, size_t alignment,
                                    void **ptr_out);

/* Frees what the above allocated, or the CUDA runtime. NULL: success, nothing done. Work that vptr knows of may still
 * use the memory: it is waited for where the memory could go to somebody else before. Errors: INTERIOR, FREED,
 * PAST_END, UNKNOWN_ADDRESS (also registered and attached memory), OTHER_MAPPER, MAPPED; nothing is freed then. */
VPTR_API vptr_status vptr_usm_free(vptr_mapper *mapper, void *ptr);

/* ---- look-up -------------------------------------------------------------------------------------------- */

/* The kind of the allocation that ptr points into, anywhere inside. SYSTEM for plain memory, where vptr_usm_supports()
 * that: anything that the process can read and vptr knows nothing of, by one system call. UNKNOWN for everything else:
 * NULL, freed and registered memory, addresses where nothing is, and when there is no mapper. Takes no lock, and does
 * not block but to make the default mapper, and the first time as above. */
VPTR_API vptr_usm_type vptr_usm_kind(vptr_mapper *mapper, const void *ptr);

/* The ordinal of the device that ptr was allocated for; of host memory the mapper's device. -1: a device that
 * vptr_config named, and that is none of the chosen ones. Errors: NULL_POINTER, UNKNOWN_ADDRESS (also plain memory,
 * of any kind), FREED, PAST_END, OTHER_MAPPER. */
VPTR_API vptr_status vptr_usm_device(vptr_mapper *mapper, const void *ptr, int *device_out);

/* ---- hints ---------------------------------------------------------------------------------------------- */

/* Says that kernels of the mapper's device will use these bytes, of any kind, next. The range is checked. Shared memory
 * that is kept one by page faults (vptr(7), VPTR_MANAGED) is brought to the device, and blocks until it is there; what
 * the host has not written is there already. To all other memory nothing happens. size 0: success. Errors: those of
 * vptr_usm_device(), OUT_OF_BOUNDS; OUT_OF_DEVICE_MEMORY, OUT_OF_HOST_MEMORY, OPENCL. */
VPTR_API vptr_status vptr_usm_prefetch(vptr_mapper *mapper, const void *ptr, size_t size);

/* Says how these bytes will be used. A hint: the range is checked, and nothing else happens. Errors also:
 * INVALID_ARGUMENT (no such advice). */
VPTR_API vptr_status vptr_usm_advise(vptr_mapper *mapper, const void *ptr, size_t size, vptr_usm_advice advice);

/* ---- transfers ------------------------------------------------------------------------------------------ */

/* Copies between any two of the kinds and plain host memory. Ranges may overlap, as with memmove(). Comes after what
 * was queued before on the mapper's queues and blocking streams, and blocks until it is done. Plain host memory is
 * taken on trust. size 0: success. Errors: NULL_POINTER, OUT_OF_BOUNDS, PAST_END, FREED (device memory), OTHER_MAPPER,
 * those of vptr_memcpy(). */
VPTR_API vptr_status vptr_usm_memcpy(vptr_mapper *mapper, void *dst, const void *src, size_t size);

/* Sets size bytes of any kind to (unsigned char)value; order and blocking as above. Plain memory that has
 * no kind is refused: UNKNOWN_ADDRESS. size 0: success. */
VPTR_API vptr_status vptr_usm_memset(vptr_mapper *mapper, void *ptr, int value, size_t size);

/* Writes a pattern of pattern_size bytes (any size from 1, of host memory) count times, one behind the other, at any
 * alignment. As vptr_usm_memset(). Errors also: INVALID_ARGUMENT (no pattern bytes, a pattern in device memory),
 * INVALID_SIZE. */
VPTR_API vptr_status vptr_usm_fill(vptr_mapper *mapper, void *ptr, const void *pattern, size_t pattern_size,
                                   size_t count);

#ifdef __cplusplus
}
#endif

#endif
