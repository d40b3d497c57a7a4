/* SPDX-License-Identifier: MIT */
/*
 * virtual_range - addresses that have no memory yet: what cuMemAddressReserve() gives, and cuMemMap() fills.
 *
 *     virtual    base                                               one allocation of the heap's, one OpenCL buffer
 *                [ mapping | mapping |      nothing      | mapping ]
 *     host       pages                                              CL_MEM_USE_HOST_PTR: they are the buffer's bytes
 *                [ file 1  | file 2  | zeros, not taken  | file 1  ]
 *
 * A kernel reaches what lies in the buffer of its argument, and nothing else. So a range that grows in place is one
 * buffer from the beginning, and memory comes and goes under it: by the system's page tables, where device memory is
 * the host's. Elsewhere a buffer has all its memory at once, and a reservation is refused.
 *
 * What is reserved and not mapped reads as zeros; what is written there is lost when something is mapped. Access is
 * kept and told, and hinders nobody. No program frees a reservation by cudaFree(): the allocation is pinned.
 *
 * A reset of the device ends the buffer, not the addresses: they are given back by their name, and take no mappings.
 *
 * Lock: vptr__physical_lock() (physical.h), of rank LEAF, guards the reservations, a list of virtual_range.c's, and
 * what is mapped under each. Unmapping waits for the device before it takes the lock. Called by shared_memory.c,
 * cuda/sharing.c and cuda/reset.c, and by driver/device.c and driver/virtual.c.
 */
#ifndef VPTR_VIRTUAL_VIRTUAL_RANGE_H
#define VPTR_VIRTUAL_VIRTUAL_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

/* Whether a device can have any; in silence. */
VPTR_API bool vptr__virtual_range_is_possible(vptr_mapper *mapper);

/* bytes: a multiple of the granule. Errors: UNSUPPORTED (of the device; of the alignment, a power of two or 0),
 * OUT_OF_ADDRESSES, OUT_OF_DEVICE_MEMORY (more than one buffer has), OUT_OF_HOST_MEMORY, and of making a buffer. */
VPTR_API vptr_status vptr__virtual_range_make(vptr_mapper *mapper, int device, size_t bytes, size_t alignment,
                                            uintptr_t *base_out);

/* All of it, with nothing mapped there. Waits for the device's work. Errors: INVALID_ARGUMENT; BUSY's (vptr_free()). */
VPTR_API vptr_status vptr__virtual_range_free(uintptr_t base, size_t bytes);

/* The first bytes of what a handle is of, at an address. Errors: INVALID_ARGUMENT, OUT_OF_HOST_MEMORY. */
VPTR_API vptr_status vptr__virtual_range_map(uintptr_t at, size_t bytes, uint64_t handle);

/* Whole mappings, one behind the other. Waits for the device's work. Errors: INVALID_ARGUMENT, OUT_OF_HOST_MEMORY. */
VPTR_API vptr_status vptr__virtual_range_unmap(uintptr_t at, size_t bytes);

/* Before a device is reset: all its memory may be freed. */
void vptr__virtual_ranges_let_go(const vptr_mapper *mapper);

/* Whole mappings have these rights from now on; those at an address (0: none). Errors: INVALID_ARGUMENT. */
VPTR_API vptr_status vptr__virtual_range_allow(uintptr_t at, size_t bytes, int device, unsigned rights);
VPTR_API vptr_status vptr__virtual_range_rights(uintptr_t at, int device, unsigned *rights_out);

/* The handle of what is mapped at an address, with a reference more. Errors: INVALID_ARGUMENT. */
VPTR_API vptr_status vptr__virtual_range_retain_at(uintptr_t at, uint64_t *handle_out);

#endif
