/* SPDX-License-Identifier: MIT */
/*
 * state - what a heap consists of. For the files of lib/vptr/heap only.
 *
 * vptr__heap.lock, of rank HEAP, guards all of it but what is said to be set once, is atomic, or has another lock's
 * name beside it. The memory of directory and trees stays mapped until the heap ends, so that searches need no lock.
 * Fields marked (set once) never change after creation and may be read freely. heap.c makes a heap and frees it.
 */
#ifndef VPTR_HEAP_STATE_H
#define VPTR_HEAP_STATE_H

#include "base/lock.h"
#include "heap/arena.h"
#include "heap/cache.h"
#include "heap/class.h"
#include "heap/heap.h"
#include "heap/magazine.h"
#include "heap/range.h"
#include "space/quarantine.h"
#include "space/space.h"
#include "tree/tree.h"

/* The slabs of one size class. */
typedef struct vptr__class_slabs {
  vptr__range *first;    /* slabs with a free slot, chained, oldest addresses first as far as is cheap */
  size_t bytes;          /* of all slabs of the class */
} vptr__class_slabs;

struct vptr__heap {
  vptr__lock lock;
  _Atomic(vptr__device *) device; /* borrowed; another one after vptr__heap_change_device() */
  unsigned granule_shift;    /* (set once) log2 of the alignment */
  bool trace;                /* (set once) */
  _Atomic(size_t) span_count, apart_count; /* apart: those whose buffers lie so; written under the lock */
  bool is_exact;             /* (set once) every allocation is a buffer of its own size, used once */
  vptr__directory directory; /* (set once; its contents are the heap's) */
  vptr__heap_arena arena;    /* (set once) */
  vptr__space space;
  vptr__tree ranges;         /* base address -> vptr__range; searches take no lock */
  vptr__tree derived;        /* base of an allocation -> its sub-buffer */
  vptr__tree pins;           /* base of an allocation -> how many host accessors are open on it */
  vptr__tree sites;          /* base of an allocation -> where it was made, if traced */
  vptr__class_slabs classes[VPTR__CLASS_COUNT];
  vptr__cache cache;
  vptr__quarantine quarantine;
  vptr__range *doomed;       /* left, to be released once the lock is given back */
  vptr__range *leased;       /* left, doomed when their last lease ends */
  vptr__range *lingering;    /* left, parts of the arena that others hold too */
  vptr__heap_insist *insist; /* (set once) and its context: makes room for what comes back; NULL: nothing leaves */
  void *insist_context;
  vptr__heap_move *move;     /* (set once) with the same context; NULL: the driver moves bytes */
  vptr__range *oldest, *newest; /* movable and on the device, by use; see residence.h */
  size_t moving;             /* buffers that threads are making, moving or evicting now */
  size_t coming;             /* ranges in that state */
  size_t away_count, away_bytes; /* of those entered */
  size_t packed_count, packed_bytes; /* likewise, of slabs that are packed, as long as they were */
  _Atomic(size_t) pack_bytes; /* of the buffers that those are in */
  vptr__store spare_store;   /* of what came back last, for what leaves next */
  pthread_cond_t moved;      /* a move ended */
  vptr__heap *next_peer;     /* and the next two: of the list of heaps that move, by its lock (residence_peers.c) */
  size_t guests;             /* who take memory of it for another heap of the device's */
  bool takes_guests;
  _Atomic(size_t) ending;    /* leases and buffers that are not counted any more, which is no change yet */
  _Atomic(uint64_t) changes; /* times that what is in the way of others may have changed: a lease or a move ended */
  vptr__magazines magazines;
  uint64_t serial;           /* of the latest allocation, or the last number that a magazine has taken */
  uint64_t slab_serial;      /* where the latest slab's numbers count from */
  size_t live_count, live_bytes; /* less what magazines count; they wrap */
  size_t attached_bytes;
  size_t buffer_count, buffer_bytes;
  size_t peak, peak_before;  /* most live bytes since peak_since, and in the time before: heap.c, recent_peak() */
  uint64_t peak_since;       /* ns of the clock */
  _Atomic(uint64_t) buffer_serial; /* of the latest coming or going of a buffer; written under the lock */
};

/* Whether requests of size bytes are pooled here. */
static inline bool vptr__heap_pools(const vptr__heap *heap, size_t size) {
  return !heap->is_exact && vptr__class_fits(size, (size_t)1 << heap->granule_shift);
}

/* Whether its addresses are the device's: parts of the arena. */
static inline bool vptr__heap_has_arena(const vptr__heap *heap) {
  return heap->arena.buffer != NULL;
}

/* The range that owns the window of ptr, or NULL. ptr lies in the directory. With the lock held, or by whoever has a
 * place in that range. */
static inline vptr__range *vptr__range_at(const vptr__heap *heap, const void *ptr) {
  return heap->directory.owners[vptr__directory_window(&heap->directory, ptr)];
}

/* How many sub-buffers and pins hang on the allocations of the range at ptr. */
static inline _Atomic(uint32_t) *vptr__range_derived(const vptr__heap *heap, const void *ptr) {
  return &heap->directory.derived[vptr__range_at(heap, ptr)->window];
}

/* Takes and gives the lock; giving it releases what was doomed meanwhile. */
void vptr__heap_lock(vptr__heap *heap);
void vptr__heap_unlock(vptr__heap *heap);

/* ---- with the lock held -------------------------------------------------------------------------------- */

/* Makes sure that the call site of the next allocation can be written down. Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__heap_prepare(vptr__heap *heap);

/* Whether an allocation may succeed once more has been released. */
static inline bool vptr__heap_lacks_room(vptr_status status) {
  return status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY || status == VPTR_ERROR_OUT_OF_ADDRESSES;
}

/* Counts an allocation that is live from now on, and writes down its call site if that is wanted: prepare first. */
void vptr__heap_account(vptr__heap *heap, uintptr_t base, size_t size, const void *site);

/* Puts the one allocation of a range in its place, and counts it. */
void vptr__heap_settle(vptr__heap *heap, vptr__range *range, vptr__role role, size_t size, const void *site);

/* The freed allocation at an address may be issued again from now on. */
void vptr__heap_make_free(vptr__heap *heap, uintptr_t address);

/* The freed allocation at an address is never issued again. */
void vptr__heap_make_withheld(vptr__heap *heap, uintptr_t address);

#endif
