/* SPDX-License-Identifier: MIT */
/*
 * magazine - free slots that a thread has at hand, so that most allocations and frees of its own take no lock.
 *
 *     heap, with its lock:   slabs of class 0 | class 1 | ...        which slots are free
 *                                 |  ^            |  ^
 *                              fill  empty     fill  empty           a few slots at a time
 *                                 v  |            v  |
 *     thread's magazine:     rack of class 0 | class 1 | ...         at most 16 slots and 64 KiB each
 *
 * A slot in a rack is neither live nor free for its slab, which therefore stays. Its state says what it was before:
 * never issued, or freed. What is issued next is what was freed last, whose state is in the processor's cache. The
 * numbers of allocations are taken a batch at a time, too, and what is left of it is given back whenever the thread
 * comes to the heap, so the allocations of one thread alone are numbered without a gap.
 *
 * What keeps this honest:
 * - An allocation is ended by one atomic exchange of its state, so of two frees one is refused, in whatever threads.
 * - Memory follows: slots of a slab that has hardly more than slots in racks are not put into racks but given back, and
 *   a slab that is about to be empty calls in all racks of its class. Trimming, a full device, and the end of a thread
 *   empty racks, too. Small slabs, which a class keeps anyway, are left out of this.
 * - Others get at a magazine with the heap's lock, having stopped its thread (base/barrier.h), which costs that thread
 *   nothing until then.
 * - A heap with a quarantine, or one that writes down call sites, has no magazines.
 *
 * A thread gets one when it has been to the heap some times: most programs allocate little. It is the heap's; the
 * thread finds it by the heap's number, which is used once. A lock of rank MAGAZINE (`books`, magazine.c) guards the
 * list of heaps, so that a thread that ends does not visit one that is gone.
 */
#ifndef VPTR_HEAP_MAGAZINE_H
#define VPTR_HEAP_MAGAZINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

struct vptr__heap;
struct vptr__range;
typedef struct vptr__magazine vptr__magazine;

/* The heap's part. */
typedef struct vptr__magazines {
  uint64_t number;            /* (set once) of the heap, used by no other; 0: it has no magazines */
  vptr__magazine *first;      /* guarded by the heap's lock, as is what the others say */
  _Atomic(uint32_t) count;    /* written under the lock */
  struct vptr__heap *next_heap; /* guarded by the lock of rank MAGAZINE */
} vptr__magazines;

/* At the beginning and the end of a heap. */
void vptr__magazines_init(struct vptr__heap *heap);
void vptr__magazines_fini(struct vptr__heap *heap);

/* ---- without the heap's lock ----------------------------------------------------------------------------- */

/* An allocation of size bytes; NULL: ask the heap. */
void *vptr__magazine_issue(struct vptr__heap *heap, size_t size);

/* What became of a free: its two ends, and what lies between: the size of an allocation that has been ended, and whose
 * slot is the caller's to give back with the heap's lock. */
enum { VPTR__RETURN_DONE = 0 };
#define VPTR__RETURN_UNDONE SIZE_MAX /* nothing has happened: ask the heap, which knows why */

/* Ends the allocation that begins at ptr, any address in the directory, and keeps its slot. */
size_t vptr__magazine_return(struct vptr__heap *heap, void *ptr);

/* Before the heap's lock is taken for an allocation or a free: the thread may get a magazine, or become entitled to
 * one. */
void vptr__magazine_visit(struct vptr__heap *heap);

/* ---- with the heap's lock -------------------------------------------------------------------------------- */

/* Numbers that this thread has taken and not used go back, if nobody has taken any since. */
void vptr__magazine_settle(struct vptr__heap *heap);

/* Before an allocation of a class that the magazine could not do: what this thread's rack has of it is the heap's
 * again. */
void vptr__magazine_unfill(struct vptr__heap *heap, unsigned class);

/* Behind that: this thread's rack gets some slots, and its magazine numbers for them. */
void vptr__magazine_fill(struct vptr__heap *heap, unsigned class);

/* Behind a free into a slab: if that has hardly anything else, what of it is in racks goes back. */
void vptr__magazine_call_in(struct vptr__heap *heap, struct vptr__range *range);

/* Makes half of a full rack of this thread free again, before a free of that class. */
void vptr__magazine_make_room(struct vptr__heap *heap, unsigned class);

/* All racks of all threads are emptied. */
void vptr__magazines_empty(struct vptr__heap *heap);

/* Keeps all threads from their magazines, and lets them again, for those who count. */
void vptr__magazines_stop(struct vptr__heap *heap);
void vptr__magazines_go(struct vptr__heap *heap);

/* What threads have allocated and freed by themselves, as numbers that wrap: to be added to the heap's own. */
size_t vptr__magazines_live_count(const struct vptr__heap *heap);
size_t vptr__magazines_live_bytes(const struct vptr__heap *heap);

/* Slots in racks of stopped magazines that were never issued: for checks. */
size_t vptr__magazines_new_slots(const struct vptr__heap *heap);

/* Whether a range has so little in use that all of it may be in racks, and is not of the kind that stays anyway. */
bool vptr__magazine_is_nearly_empty(const struct vptr__heap *heap, const struct vptr__range *range);

#endif
