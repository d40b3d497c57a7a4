/* SPDX-License-Identifier: MIT */
/*
 * slab - a range cut into slots of one size class.
 *
 * The slot with the lowest address is taken first: that keeps the upper slots and the younger slabs empty, so
 * that they can be released. Threads take some at a time (heap/magazine). Whether a slot is live or free, and how large
 * its allocation is, stands in its state in the directory, where look-ups read it. States are looked through by groups
 * of 64, two cache lines, of those that may have a free slot: a bitset beside the states tells which.
 *
 * Slabs of a class start at 64 KiB and grow by a quarter of what the class has, up to a window: memory is never more
 * than a quarter as much again as what is live at its peak, where a class has more than a few slabs. Guarded by
 * vptr__heap.lock, of rank HEAP, which callers of all functions here hold.
 */
#ifndef VPTR_HEAP_SLAB_H
#define VPTR_HEAP_SLAB_H

#include <stdatomic.h>

#include "heap/range.h"

enum { VPTR__SLAB_KEPT = 256 << 10 /* bytes: an empty slab up to this size stays if its class has no other room */ };

/* How many bytes the next slab of a class should have. */
size_t vptr__slab_bytes(const struct vptr__heap *heap, unsigned class);

/* Turns an entered or idle range into a slab of a class, with all slots free, and adds it to the class. Errors:
 * OUT_OF_HOST_MEMORY; the range is then as before. */
vptr_status vptr__slab_begin(struct vptr__heap *heap, vptr__range *range, unsigned class);

/* Takes an empty slab out of its class; the range's entries become tombstones. */
void vptr__slab_end(struct vptr__heap *heap, vptr__range *range);

/* The slab of a class that slots are taken from next, or NULL. */
vptr__range *vptr__slab_with_room(const struct vptr__heap *heap, unsigned class);

/* Takes at most count free slots, the lowest, and writes their addresses. They are not issued before somebody writes
 * their states, nor free before vptr__slab_recycle(). Returns how many there were. */
uint32_t vptr__slab_take(struct vptr__heap *heap, vptr__range *range, uintptr_t *slots_out, uint32_t count);

/* Issues a slot for a request of size bytes from the class's first slab; NULL if there is none with room. */
void *vptr__slab_issue(struct vptr__heap *heap, unsigned class, size_t size);

/* Marks the allocation at slot as freed; it is not issued again before vptr__slab_recycle(). Returns its size; 0 if
 * another thread was faster, without the heap's lock (heap/magazine.h). */
size_t vptr__slab_retire(vptr__range *range, uint32_t slot);

/* Makes a retired slot an allocation of size bytes of the slab's class again; false, and nothing done, if the slab's
 * serial numbers have run out. */
bool vptr__slab_reissue(struct vptr__heap *heap, vptr__range *range, uint32_t slot, size_t size);

/* Makes the slot at an address an allocation of size bytes with the number that it had in another process (placed.c);
 * false, and nothing done, if no slot is there, it is not free, or size or number is none that it can have. */
bool vptr__slab_put(struct vptr__heap *heap, vptr__range *range, uintptr_t address, size_t size, uint64_t serial);

/* Makes a retired slot free. If the slab is empty now and not worth keeping, returns true: end it. */
bool vptr__slab_recycle(struct vptr__heap *heap, vptr__range *range, uint32_t slot);

/* Marks a retired slot as one that is never issued again. If no slot of the slab is in use, returns true: end it. */
bool vptr__slab_withhold(vptr__range *range);

/* How many slots are live, or in somebody's hands. */
static inline uint32_t vptr__slab_used(const vptr__slab *slab) {
  return slab->slots - atomic_load_explicit(&slab->withheld, memory_order_relaxed) -
         atomic_load_explicit(&slab->free_slots, memory_order_relaxed);
}

/* The slot that address lies in. */
static inline uint32_t vptr__slab_slot(const vptr__range *range, uintptr_t address) {
  return vptr__directory_slot(address - range->base, range->slab.reciprocal);
}

/* The slot that begins at ptr and is live, or VPTR__BITSET_NONE. */
uint32_t vptr__slab_live_slot(const vptr__range *range, const void *ptr);

/* States, free slots and counts agree. Adds the live allocations, their bytes, and the slots that are taken and were
 * never issued. */
bool vptr__slab_is_valid(const vptr__range *range, size_t *live_count, size_t *live_bytes, size_t *new_slots);

#endif
