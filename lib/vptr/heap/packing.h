/* SPDX-License-Identifier: MIT */
/*
 * packing - slabs that are nearly empty, in one buffer together: the slots that are live, one behind the other.
 *
 *     slab     [ . . 2 . . . 6 7 ]     no buffer of its own      residence PACKED, slots 2 6 7
 *     slab     [ . 1 . . . . . . ]                               slots 1
 *     pack     [ 2 6 7 1 ]             one buffer of both
 *
 * Addresses stay: who leases a packed slot gets the pack's buffer, and where in it the slot is. A slab comes back into
 * a buffer of its own where that does not do: for a slot that was issued since, for a kernel that finds its way by
 * pointers in memory, which reckons with whole slabs, and for who is told the buffer for good.
 *
 * A packing is compact.c's while it is made, and then its range's. It is changed and looked up under vptr__heap.lock,
 * until the range has left. Who moves a range (LEAVING, COMING) reads its packing without the lock, and so copies do,
 * since they wait for the device. A pack is freed with the last packing.
 */
#ifndef VPTR_HEAP_PACKING_H
#define VPTR_HEAP_PACKING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

struct vptr__heap;
struct vptr__store;

typedef struct vptr__pack {
  cl_mem buffer;
  size_t bytes;
  _Atomic(uint32_t) users;   /* packings in it */
  _Atomic(uint64_t) address; /* the device's; 0: nobody asked */
} vptr__pack;

typedef struct vptr__packing {
  vptr__pack *pack;   /* NULL: the range is not packed */
  size_t offset;      /* in the pack's buffer, of the first slot */
  uint32_t *slots;    /* which, rising */
  uint32_t count;
  uint32_t slot_size;
} vptr__packing;

/* Where a slot lies in the pack's buffer; false: it is not in it. */
bool vptr__packing_find(const vptr__packing *packing, uint32_t slot, size_t *offset_out);

/* Copies all slots from a slab's buffer into the pack's, or back into a buffer of so many bytes, or into a store, the
 * rest of which becomes zero. Waits for the device. Errors: OPENCL, OUT_OF_HOST_MEMORY. */
vptr_status vptr__packing_fill(struct vptr__heap *heap, const vptr__packing *packing, cl_mem from);
vptr_status vptr__packing_restore(struct vptr__heap *heap, const vptr__packing *packing, cl_mem to, size_t bytes);
vptr_status vptr__packing_save(struct vptr__heap *heap, const vptr__packing *packing, const struct vptr__store *store);

/* Nothing is packed any more. The last one gives the buffer back. */
void vptr__packing_end(struct vptr__heap *heap, vptr__packing *packing);

#endif
