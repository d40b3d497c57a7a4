/* SPDX-License-Identifier: MIT */
/*
 * chunk - mapped memory, pinned for a device: what regions of the kinds BLOCKS and WHOLE (region.h) are made of.
 *
 * No data of its own. Making and destroying one takes the lock of the registry of regions (pinned/region.h, rank HEAP).
 * Used by depot.c.
 */
#ifndef VPTR_PINNED_CHUNK_H
#define VPTR_PINNED_CHUNK_H

#include "mapper/mapper.h"
#include "pinned/region.h"

/* Maps, pins and enters a region of plan->bytes, a multiple of the page size, in plan's kind, mapper, size and flags,
 * at plan->base if that is not NULL; the rest of the plan is found here. Errors: OUT_OF_HOST_MEMORY, OUT_OF_ADDRESSES
 * (something else is at the base), and what the driver says of pinning. */
vptr_status vptr__chunk_create(vptr__region_plan *plan, vptr__region **region_out);

/* Leaves, unpins and unmaps a WHOLE region that nobody else can reach, and whose work was waited for. It blocks while
 * the driver unpins. A chunk of BLOCKS is never destroyed. */
void vptr__chunk_destroy(vptr__region *region);

#endif
