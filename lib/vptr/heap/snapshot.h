/* SPDX-License-Identifier: MIT */
/*
 * snapshot - what is live in a heap at one moment, buffer by buffer: to be written down, and to be made again in a heap
 * that has the same addresses (lib/vptr/checkpoint).
 *
 * Small allocations are told slab by slab, since a slab's place, its slot size and its buffer say what their addresses
 * mean; so a heap that is made again from a snapshot issues, frees and numbers as the first one did. What is freed and
 * not yet issued again has no place in it. The bytes are not in it: see vptr__snapshot_lease().
 *
 * A snapshot is its caller's. The functions here take vptr__heap.lock, of rank HEAP, for moments; callers hold none.
 */
#ifndef VPTR_HEAP_SNAPSHOT_H
#define VPTR_HEAP_SNAPSHOT_H

#include "heap/heap.h"
#include "heap/lease.h"

/* One allocation. */
typedef struct vptr__snapshot_place {
  uint64_t base, size, serial;
} vptr__snapshot_place;

/* A buffer with something live in it; or all those of one allocation (heap/span.h), which are told as one, since how
 * many there are is the device's affair. */
typedef struct vptr__snapshot_buffer {
  uint64_t base, bytes;
  uint64_t first_place;  /* its allocations are place_count from this one on, by address */
  uint32_t place_count;
  uint32_t slot_size;    /* of a slab; 0: one allocation, which begins at base */
} vptr__snapshot_buffer;

/* The device's buffer that begins so many bytes behind the base of a snapshot's, and its lease. */
typedef struct vptr__snapshot_part {
  uint64_t from, bytes;
  cl_mem memory;
  vptr__lease lease;
} vptr__snapshot_part;

typedef struct vptr__snapshot {
  vptr__snapshot_buffer *buffers; /* by address; all are vptr__memory_free()'s, see vptr__snapshot_free() */
  vptr__snapshot_place *places;
  size_t buffer_count, place_count;
  vptr__snapshot_place *attached; /* buffers that are not the heap's own; NULL in one that came from a file */
  size_t attached_count;
  uint64_t serial;                /* of the latest allocation */
} vptr__snapshot;

/* Errors: UNSUPPORTED (the addresses are the device's), OUT_OF_HOST_MEMORY. Threads that allocate meanwhile wait. */
vptr_status vptr__snapshot_take(vptr__heap *heap, vptr__snapshot *snapshot_out);

void vptr__snapshot_free(vptr__snapshot *snapshot);

/* A lease of the part of a buffer of it that begins at `from`, which is 0 or behind the part before, by any allocation
 * that lives there still. It comes to the device if need be, and a packed slab into a buffer of its own. access: READ
 * keeps the copy that the host may have. The lease is to be given back. Errors: FREED, in silence: all of them were
 * freed meanwhile; as vptr__lease_take(). */
vptr_status vptr__snapshot_lease(vptr__heap *heap, const vptr__snapshot *snapshot, size_t buffer, uint64_t from,
                                 vptr_access access, vptr__snapshot_part *part_out);

/* Makes all of it in a heap in which nothing is live, with zeros in it (heap/placed.c). Errors: INVALID_ARGUMENT (a
 * buffer of it is one that a heap with this alignment and window cannot have), OUT_OF_ADDRESSES, UNSUPPORTED, and those
 * of vptr__heap_allocate(); nothing is live then. */
vptr_status vptr__snapshot_restore(vptr__heap *heap, const vptr__snapshot *snapshot, const void *site);

/* Frees all that is live, and gives its addresses back at once. */
void vptr__snapshot_undo(vptr__heap *heap);

#endif
