/* SPDX-License-Identifier: MIT */
/*
 * region - a range of pinned host memory, and the registry of all of them.
 *
 *     BLOCKS       a chunk of ours, cut into blocks (pinned/blocks.h), or pages with blocks that a checkpoint brought;
 *                  stays for good
 *     WHOLE        ours, one allocation, or none: idle then, and kept for the next
 *     REGISTERED   the program's
 *
 * A tree from first address to region answers "which region is this address in" without a lock. Regions do not overlap.
 * In front of it, a small table by address tells which region came last in each MiB: a guess, which the region
 * confirms. Their records are never freed, only used again, so a look-up that races the end of a region reads a record
 * that means something else by then, never freed memory; about memory that nobody ends meanwhile it is exact.
 *
 * Lock: the registry's, `registry.lock` of region.c, of rank HEAP, guards the tree's changes and the fields that are
 * not atomic; vptr__region_lock() takes it. Used by the files of this folder, and by usm/place.c.
 */
#ifndef VPTR_PINNED_REGION_H
#define VPTR_PINNED_REGION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mapper/mapper.h"
#include "pinned/blocks.h"

typedef enum vptr__region_kind {
  VPTR__REGION_NONE = 0, /* the record is free */
  VPTR__REGION_BLOCKS,
  VPTR__REGION_WHOLE,
  VPTR__REGION_REGISTERED
} vptr__region_kind;

typedef struct vptr__region {
  _Atomic(uintptr_t) base;
  _Atomic(size_t) bytes;       /* of the range */
  _Atomic(vptr__region_kind) kind;
  _Atomic(vptr_mapper *) mapper;
  _Atomic(size_t) size;        /* WHOLE: of its live allocation, 0 if it is idle. REGISTERED: of the registration */
  _Atomic(unsigned) flags;     /* of that one */
  _Atomic(bool) is_shared;     /* that one has a device address */
  atomic_uint life;            /* odd while it is a region: another number, another region */

  /* Work that may use it. An acquisition counts before the work is queued; a wait that began at a count covers all of
   * the work up to it. Only a finished wait raises `waited`, so nobody takes a wait under way for one that is over. */
  _Atomic(uint64_t) users;     /* a bit for each device, by ordinal, that it was ever acquired for */
  _Atomic(uint64_t) acquired, waited;

  vptr__blocks blocks;           /* BLOCKS; (set once) */
  bool is_restored;            /* BLOCKS: by a checkpoint, no supply knows of them; (set once) */
  cl_mem pin;                  /* what unpins it */
  struct vptr__region *next;   /* the next free record, or the next younger idle region */
  struct vptr__region *older;  /* every record, from the latest; (set once) */
} vptr__region;

/* What a new region shall be. */
typedef struct vptr__region_plan {
  vptr__region_kind kind;
  vptr_mapper *mapper;
  void *base;
  size_t bytes, size;
  unsigned flags;
  vptr__blocks blocks;
  bool is_restored;
  cl_mem pin;
} vptr__region_plan;

/* Makes a region known. Errors: OUT_OF_HOST_MEMORY; MAPPED if a byte of it belongs to another region. But where the new
 * one is ours, a registration in its place must be left over from memory that was unmapped since, and is forgotten. */
vptr_status vptr__region_enter(const vptr__region_plan *plan, vptr__region **region_out);

/* Forgets and unpins a region. False, and nothing done, unless it is of that kind and base (still). */
bool vptr__region_leave(vptr__region *region, vptr__region_kind kind, uintptr_t base);

/* The region that an address lies in, or NULL. Lock-free. */
vptr__region *vptr__region_of(const void *host);

/* Whether a live block of a chunk holds the range and starts near the address: what a copy from pinned memory mostly
 * asks, and asks first. If not, nothing is said. Lock-free. */
bool vptr__region_has_near(const void *host, size_t size);

/* Whether any region has a byte in [host, host + size). */
bool vptr__region_overlaps(const void *host, size_t size);

/* The latest record; go on by `older`. */
vptr__region *vptr__region_latest(void);

/* Notes that work of the ordinal-th device may use the region. */
void vptr__region_acquire(vptr__region *region, int ordinal);

/* Waits for all work that it was acquired for so far. */
vptr_status vptr__region_wait(vptr__region *region);

/* The registry's lock, for those who keep regions in lists of their own. */
void vptr__region_lock(void);
void vptr__region_unlock(void);

#endif
