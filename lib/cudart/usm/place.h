/* SPDX-License-Identifier: MIT */
/*
 * place - what an address is among the kinds of unified shared memory.
 *
 * Device memory is known by the reservation it lies in, host memory, and shared memory in place, by their region of
 * pinned memory, shared memory by page faults by the address index: look-ups by numbers, of which only the last takes a
 * lock, that of mirror/address_index, of rank LEAF, and only where it finds something. To tell that an address was
 * freed takes that of mirror/tombstones, of rank LEAF. No data. What the program made itself and only made known,
 * attached buffers and registered memory, is of no kind, as SYCL has it: the kinds are those of allocations.
 *
 * Called by usm.c and transfer.c, for each pointer of a call; vptr__usm_find_for_kernel() by libvptr (place.c).
 */
#ifndef VPTR_USM_PLACE_H
#define VPTR_USM_PLACE_H

#include <vptr/vptr_usm.h>

#include "mapper/mapper.h"

typedef struct vptr__usm_place {
  vptr_usm_type kind; /* UNKNOWN: the rest is 0 */
  vptr_mapper *mapper;
  void *base;
  size_t size;
} vptr__usm_place;

/* The mapper that a public call means: itself, or the default one for NULL. */
vptr_status vptr__usm_mapper_of(vptr_mapper **mapper);

/* The live allocation that ptr points into, of any mapper's. */
vptr__usm_place vptr__usm_find(const void *ptr);

/* The same if it is the mapper's and has size bytes (at least 1) from ptr on, or if those are plain memory that its
 * kernels take: of the kind SYSTEM, with no more than these bytes. Else says in words why not, beginning with `what`.
 * Errors: NULL_POINTER, UNKNOWN_ADDRESS, FREED, PAST_END, OUT_OF_BOUNDS, OTHER_MAPPER. */
vptr_status vptr__usm_check(vptr_mapper *mapper, const char *what, const void *ptr, size_t size,
                            vptr__usm_place *place_out);

/* usm.c: as vptr__subsystem.find_host has it. */
vptr_status vptr__usm_find_for_kernel(vptr_mapper *mapper, const char *what, const void *host, void **device_out);

#endif
