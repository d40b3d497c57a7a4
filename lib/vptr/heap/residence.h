/* SPDX-License-Identifier: MIT */
/*
 * residence - whether an allocation's buffer is on the device, and who brings it there.
 *
 * On a heap that moves (VPTR_OVERSUBSCRIBE) an allocation with a buffer of its own is movable, and so is a slab, with
 * all that lies in it: its entries in the directory have no buffer, so that nobody gets it by a look-up. What the
 * library allocates for itself lies in no slab there. A movable range is in one of four states, under the heap's lock:
 *
 *              .---- evicted ----> LEAVING ----.             LEAVING and COMING belong to one thread, which works
 *     born --> HERE                            AWAY          without the lock; others wait for `moved`. Failures lead
 *              ^---------------- COMING <------'             back to where it began.
 *
 * A slab that is nearly empty may be PACKED (heap/packing.h), which is another way to be there: it goes and comes as
 * one that is HERE or AWAY does.
 *
 * Whoever needs the buffer has a lease of it (heap/lease.h), and what is leased is not evicted. An eviction waits for
 * all of the device's queues, since commands outlive the leases of those who sent them. A fixed allocation, of the
 * library's own, or of whose buffer the program was told, has it in its entries, and never leaves.
 *
 * Nobody waits for room while he holds leases of movable allocations: he fails with OUT_OF_DEVICE_MEMORY, gives them
 * back, and begins anew by vptr__heap_anew_begin() (held_copy.c, peer.c, launch.c), as the only one, who may wait. Who
 * holds none waits until the others have sent their work. So who is waited for waits for nobody. A function that a
 * stream calls on the host waits for no move at all, which may wait for its stream: it calls an eviction off, and is
 * refused what has to come.
 *
 * Guarded by vptr__heap.lock, of rank HEAP, which is not held while the device works.
 */
#ifndef VPTR_HEAP_RESIDENCE_H
#define VPTR_HEAP_RESIDENCE_H

#include "heap/span.h"
#include "heap/state.h"

/* ---- with the lock held --------------------------------------------------------------------------------- */

/* A range is WHOLE or a SLAB from now on, the program's or the library's; it is not published yet. */
void vptr__residence_begin(vptr__heap *heap, vptr__range *range, bool of_program);

/* That ends, and its role is as it was still; the place stays. */
void vptr__residence_end(vptr__heap *heap, vptr__range *range);

/* Whether a range without an allocation has its buffer, and no thread moves it: only then may it be used again. It is
 * fixed from now on. */
bool vptr__residence_settle(vptr__heap *heap, vptr__range *range);

/* A range leaves the heap, in whatever state. */
void vptr__residence_forget(vptr__heap *heap, vptr__range *range);

/* Into and out of the list of those that may be evicted. */
void vptr__residence_link(vptr__heap *heap, vptr__range *range);
void vptr__residence_unlink(vptr__heap *heap, vptr__range *range);

/* What the entries of a range have as its buffer. */
static inline cl_mem vptr__residence_shown(const vptr__range *range) {
  return range->residence == VPTR__RESIDENCE_FIXED ? range->buffer : NULL;
}

/* Whether it may have a place in the list of what is there: it is an allocation, or has some. */
static inline bool vptr__residence_is_used(const vptr__range *range) {
  return range->role == VPTR__ROLE_WHOLE || range->role == VPTR__ROLE_SLAB ||
         (range->role == VPTR__ROLE_PART && vptr__span_share(range->span, range, range->size) > 0);
}

/* Whether there is a buffer, and nobody is about to take it away. */
static inline bool vptr__residence_is_here(const vptr__range *range) {
  return range->residence == VPTR__RESIDENCE_FIXED || range->residence == VPTR__RESIDENCE_HERE;
}

/* Gives up what is kept for the next move; the heap ends, or is trimmed. */
void vptr__residence_forget_spare(vptr__heap *heap);

/* The state to which a range that is LEAVING goes back if it stays; and whether a range is in one of the two states in
 * which it is listed for eviction, and may be leased as it is. */
static inline vptr__residence vptr__residence_before(const vptr__range *range) {
  return range->packing.pack != NULL ? VPTR__RESIDENCE_PACKED : VPTR__RESIDENCE_HERE;
}
static inline bool vptr__residence_is_listed(const vptr__range *range) {
  return range->residence == VPTR__RESIDENCE_HERE || range->residence == VPTR__RESIDENCE_PACKED;
}

/* A slab is not packed any more. */
void vptr__residence_unpack(vptr__heap *heap, vptr__range *range);

/* What is worth keeping of a range's bytes. */
size_t vptr__residence_bytes(const vptr__range *range);

/* A range that is HERE may still have a copy on the host, the store that it came from (residence_store.c). may_keep:
 * whether this one may keep it. copies: bytes of host memory that all copies take. drop_copy and give_copy: the copy is
 * not true any more, and its store is closed; the latter gives the lock back meanwhile. */
bool vptr__residence_may_keep(const vptr__heap *heap, const vptr__range *range);
size_t vptr__residence_copies(const vptr__heap *heap);
void vptr__residence_drop_copy(vptr__heap *heap, vptr__range *range);
void vptr__residence_give_copy(vptr__heap *heap, vptr__range *range);

/* Whether other threads hold leases of movable allocations, or move some. */
bool vptr__residence_others(const vptr__heap *heap);

/* Brings an allocation that is AWAY, and of which the caller has a lease; the lock is given back meanwhile. Errors: as
 * of making a buffer; it is AWAY then. */
vptr_status vptr__residence_bring(vptr__heap *heap, vptr__range *range);

/* ---- heaps of one device: without the heap's lock, but for what has changed -------------------------------- */

/* A heap begins; it ends, and nobody visits it from the return on; and all of its memory is released. */
void vptr__residence_join(vptr__heap *heap);
void vptr__residence_close(vptr__heap *heap);
void vptr__residence_part(vptr__heap *heap);

/* Another heap that moves, on the same device, behind the one that was visited before, whose visit ends; NULL: there is
 * none. It does not end while it is visited. */
vptr__heap *vptr__residence_next_peer(const vptr__heap *heap, vptr__heap *before);
void vptr__residence_end_visit(vptr__heap *peer);

/* Whether another heap on the same device ends, whose memory is on its way back. */
bool vptr__residence_peer_ends(const vptr__heap *heap);

/* As vptr__residence_changes() counts them, of the others, and of those that ended: it never falls. */
uint64_t vptr__residence_peers_changes(const vptr__heap *heap);

/* What is known of the device's address of the buffer that something in the range is leased with; 0: nothing. */
static inline uint64_t vptr__range_address(const vptr__range *range, cl_mem buffer) {
  if (range->packing.pack != NULL && range->packing.pack->buffer == buffer)
    return atomic_load(&range->packing.pack->address);
  return range->buffer == buffer && range->address_known ? range->device_address : 0;
}

/* ---- for leases, without the lock ----------------------------------------------------------------------- */

/* The location of a live address whose entry has no buffer, and which is counted already; the buffer is there on
 * success. *moves_out: the lease is one of a movable allocation, and *address_out, which is left alone else, is what is
 * known of the device's address of the buffer, or 0. */
vptr_status vptr__residence_come(vptr__heap *heap, const void *ptr, size_t need, vptr__lease_use use,
                                 vptr_location *location_out, bool *moves_out, uint64_t *address_out);

/* Room for bytes that leave. Errors: as vptr__store_open(). */
vptr_status vptr__residence_open_store(vptr__heap *heap, size_t bytes, vptr__store *store_out);

/* A lease of a movable allocation of this thread's is not counted any more. */
void vptr__residence_leave(vptr__heap *heap);

/* What is in the way of others may not be any more; and how often others have said so, of all heaps of the device. */
void vptr__residence_note_change(vptr__heap *heap);
uint64_t vptr__residence_changes(const vptr__heap *heap);

/* Whether this thread has to let another one pass, which tries anew on the same device, for whichever mapper, before it
 * leases what may have to come: it has no such leases itself. The second waits until that one has passed; its caller
 * has no count of the range meanwhile, which would be in the way. */
bool vptr__residence_lets_pass(const vptr__heap *heap);
void vptr__residence_let_pass(const vptr__heap *heap);

/* Between two looks at what others have: who waits leaves them the processor. Some 50 us. */
void vptr__residence_nap(void);

/* Whether this thread may wait for others: it has no such leases, or is the one that tries anew. */
bool vptr__residence_may_wait(void);

#endif
