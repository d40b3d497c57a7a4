/* SPDX-License-Identifier: MIT */
/*
 * depot - the pinned memory of a device that vptr hands out.
 *
 * Blocks come from the depot's supply (pinned/supply.h), which cuts them from what the depot carves off its latest
 * chunk. A chunk is made outside of the supply: jemalloc calls for memory with its own locks held, and while it does,
 * malloc() of that thread is served by another of its arenas: no place to start OpenCL from. So the supply is told
 * "none left", and asked again afterwards.
 *
 * Large regions that were freed are kept in a list by age, and the one that fits best is taken for the next.
 *
 * Depots are made on first use and last as long as the process: they are of the process's own mappers, one for each
 * device, which nobody can destroy. Locks: those of a depot are its members, below; depot.c has one more, `all.lock`,
 * of rank MAPPING, held while a depot is made. Used by pinned.c, and by supply_class.c and supply_jemalloc.c, which
 * carve.
 */
#ifndef VPTR_PINNED_DEPOT_H
#define VPTR_PINNED_DEPOT_H

#include <stddef.h>
#include <stdint.h>

#include "base/lock.h"
#include "mapper/mapper.h"
#include "pinned/region.h"

struct vptr__supply;

typedef struct vptr__depot {
  vptr_mapper *mapper;            /* (set once) */
  struct vptr__supply *supply;    /* (set once) */
  vptr__lock growing;             /* rank MAPPING: one thread makes a chunk, the others wait for it */
  size_t next_chunk;              /* bytes; under `growing` */
  vptr__lock carving;             /* rank LEAF: guards these two; taken by the supply, inside of jemalloc */
  uintptr_t carve_from, carve_end;
  vptr__region *oldest, *youngest; /* idle regions, by age; under the lock of regions (region.h), as idle_bytes is */
  size_t idle_bytes;
} vptr__depot;

/* The depot of a mapper. Errors: INVALID_ARGUMENT (not one of the process's own mappers), OUT_OF_HOST_MEMORY. */
vptr_status vptr__depot_of(vptr_mapper *mapper, vptr__depot **depot_out);

/* The depot of a mapper if there is one, else NULL. */
vptr__depot *vptr__depot_existing(const vptr_mapper *mapper);

/* A block's memory. Errors: OUT_OF_HOST_MEMORY, and what the driver says of pinning. NULL and SUCCESS: the
 * supply has no such block even after a chunk was made, or gave memory that is not the depot's, as jemalloc does in
 * threads that are ending; then a whole region is to be taken. */
vptr_status vptr__depot_take_block(vptr__depot *depot, size_t size, void **host_out);
void vptr__depot_give_block(vptr__depot *depot, void *host, size_t size);

/* Pages of the latest chunk, for the supply; NULL if there are none left. */
void *vptr__depot_carve(vptr__depot *depot, size_t size, size_t alignment);

/* A region with a live allocation of size bytes. Errors as above. */
vptr_status vptr__depot_take_whole(vptr__depot *depot, size_t size, unsigned flags, void **host_out);

/* Takes back a region whose allocation has ended. */
void vptr__depot_give_whole(vptr__depot *depot, vptr__region *region);

/* Gives idle regions back, the oldest first, until at most keep_bytes are left. */
void vptr__depot_trim(vptr__depot *depot, size_t keep_bytes);

#endif
