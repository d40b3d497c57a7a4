/* SPDX-License-Identifier: MIT */
/*
 * lease - a hold on a buffer for the time of one call.
 *
 * A call that hands a buffer to the driver must keep it from being released meanwhile by a free in another thread.
 * Retaining the driver's object does that, for 271 ns a pair on an H100, beside which all that a copy costs here is
 * little. So who needs the buffer for a call only takes a lease: one added to a counter, and taken away again.
 *
 * There is a counter for each window, mapped for as long as the heap lives, and a buffer's is that of its first
 * window. Neither side takes a lock while there is nobody to disturb:
 *
 *     taking:   add 1; then look the address up: is it live?    no: take 1 away again
 *     leaving:  entries say that nothing is live; then look at the counter: 0?    no: mark it, and leave the buffer
 *
 * Both touch the counter, so one of them comes later and sees what the other did before. Whoever takes the last lease
 * from a marked counter gives the buffer up, under vptr__heap.lock; until then the addresses stay taken too, so that
 * nobody else comes to use the counter.
 *
 * A lease holds the buffer, not the allocation: a free is never refused for it, and the freed memory may be issued
 * again at once, as always. For longer than a call, and for callers outside, there is vptr__heap_retain().
 */
#ifndef VPTR_HEAP_LEASE_H
#define VPTR_HEAP_LEASE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

struct vptr__heap;
struct vptr__range;

typedef _Atomic(uint32_t) vptr__lease_count;

/* What for: to read alone; for anything; or for anything, and what lies in one buffer with it is to be there too, each
 * where its address says. */
typedef enum vptr__lease_use { VPTR__LEASE_READ, VPTR__LEASE_WRITE, VPTR__LEASE_WHOLE } vptr__lease_use;

typedef struct vptr__lease {
  struct vptr__heap *heap; /* NULL: nothing is leased */
  uint32_t window;
  bool moves;              /* of a movable allocation, which stays while it is leased (heap/residence.h) */
} vptr__lease;

/* Resolves as vptr__heap_retain() does, and leases the root buffer in one step that no free can come between. A count
 * that found nothing is taken back by vptr__lease_give(): what is said there of locks and waiting holds here, too. A
 * movable allocation comes to the device first; errors are then also those of making a buffer, and NOT_READY where the
 * thread may not wait. */
VPTR_API vptr_status vptr__lease_take(struct vptr__heap *heap, const void *ptr, size_t need,
                                      vptr_location *location_out, vptr__lease *lease_out);

/* The same for what only reads: the copy that the host may have of a movable allocation still holds then. */
VPTR_API vptr_status vptr__lease_take_to_read(struct vptr__heap *heap, const void *ptr, size_t need,
                                              vptr_location *location_out, vptr__lease *lease_out);

/* The same as vptr__lease_take(), where the buffer is found by address, or its other allocations are. */
VPTR_API vptr_status vptr__lease_take_whole(struct vptr__heap *heap, const void *ptr, size_t need,
                                            vptr_location *location_out, vptr__lease *lease_out);

/* The device's own address of ptr (heap.h: vptr__heap_device_address()), which holds as long as the lease does: one of
 * nothing where the buffer stays anyway. access: READ is a lease to read. */
VPTR_API vptr_status vptr__lease_address(struct vptr__heap *heap, const void *ptr, vptr_access access,
                                         uint64_t *address_out, vptr__lease *lease_out);

/* Once for each lease, with no lock of rank HEAP or above held. It may be the one to release the buffer, and that may
 * wait for the device, see vptr__heap_device_address(): so nobody sends to a stream meanwhile. */
VPTR_API void vptr__lease_give(const vptr__lease *lease);

/* Whether a lease counts for the buffer that begins at this address: the counter is that of the window it begins in. */
bool vptr__lease_counts(const vptr__lease *lease, const void *buffer);

/* ---- for the heap, with its lock held -------------------------------------------------------------------- */

/* For a range whose entries are tombstones: whether somebody has a lease. Then the range must be put on the heap's
 * list of leased ones, where the last lease finds it. */
bool vptr__lease_outlasts(struct vptr__heap *heap, const struct vptr__range *range);

/* The second of its two looks, for a counter that was not 0 at the first: from now on the last lease ends it. Whether
 * there is one; where the last has gone meanwhile, the counter is 0 again. */
bool vptr__lease_mark(vptr__lease_count *count);

#endif
