/* SPDX-License-Identifier: MIT */
/*
 * class - size classes of pooled allocations.
 *
 * Eight classes to each doubling, so a slot is at most an eighth larger than what it was made for (and a granule, for
 * the smallest). Every slot has room for one byte more than the request: the address one past an allocation's end then
 * never is the next one's base. Eight and not four, because powers of two, the commonest sizes, fall just behind a
 * class for the sake of that byte; with four they would waste a quarter.
 *
 * A granule is the alignment of every allocation. Pure arithmetic: no data and no locks. Used by heap.c, magazine.c,
 * place.c, placed.c and slab.c, through state.h too, and by mapper/report.c.
 */
#ifndef VPTR_HEAP_CLASS_H
#define VPTR_HEAP_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  VPTR__CLASS_MAX_SLOT = 256 << 10,   /* bytes: what is larger gets a buffer of its own */
  VPTR__CLASS_MAX_GRANULE = 16 << 10, /* above, a slot's slack would not fit a state (heap/slot_state.h): no pooling */
  VPTR__CLASS_COUNT = 64              /* with granules of 256 bytes; fewer with larger ones */
};

/* Whether requests of size bytes are pooled. */
static inline bool vptr__class_fits(size_t size, size_t granule) {
  return size < VPTR__CLASS_MAX_SLOT && granule <= VPTR__CLASS_MAX_GRANULE;
}

/* The class of a request that fits. granule_shift: log2 of the granule. */
static inline unsigned vptr__class_of(size_t size, unsigned granule_shift) {
  unsigned last = (unsigned)(size >> granule_shift); /* index of the last granule, the extra byte's */
  if (last < 16)
    return last;
  unsigned shift = 28 - (unsigned)__builtin_clz(last); /* leaves the top four bits: 8 .. 15 */
  return shift * 8 + (last >> shift);
}

/* Bytes of a slot of a class. */
static inline uint32_t vptr__class_slot_size(unsigned class, unsigned granule_shift) {
  if (class < 16)
    return (class + 1) << granule_shift;
  unsigned shift = class / 8 - 1;
  return ((class - shift * 8 + 1) << shift) << granule_shift;
}

#endif
