/* SPDX-License-Identifier: MIT */
/*
 * range - one OpenCL buffer at its place in the address space.
 *
 * A range begins at the start of a run of windows, is an item of the tree (key: its first address) and the owner
 * of its windows in the directory. What it is used for changes over its life:
 *
 *     made ---> SLAB  ---> IDLE ---> SLAB or WHOLE again, at the same addresses
 *          \--> WHOLE ---> IDLE ---> released
 *     made ---> PART  ---> HELD, then released, with all of its span (heap/span.h)
 *     ATTACHED -------------------> released (the buffer is the caller's)
 *
 * From the first allocation of it that is freed for good (vptr_free_no_reuse()), a range is withheld: it is released as
 * soon as nothing lives in it, and its windows stay taken as long as the heap lives, in an arena as long as others are
 * left.
 *
 * A buffer that somebody has a lease of when its range leaves is released when that ends: see heap/lease.h.
 *
 * Guarded by vptr__heap.lock, of rank HEAP, except a range that is not yet or no longer entered, which its thread owns.
 */
#ifndef VPTR_HEAP_RANGE_H
#define VPTR_HEAP_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

#include "base/bitset.h"
#include "heap/directory.h"
#include "heap/packing.h"
#include "heap/store.h"

struct vptr__heap;

typedef enum vptr__role {
  VPTR__ROLE_NONE,     /* made, not yet used */
  VPTR__ROLE_SLAB,     /* slots of one class */
  VPTR__ROLE_WHOLE,    /* one live allocation */
  VPTR__ROLE_HELD,     /* one freed allocation, in quarantine or retired */
  VPTR__ROLE_PART,     /* one of several buffers of a live allocation: heap/span.h */
  VPTR__ROLE_ATTACHED, /* one live buffer of the caller's */
  VPTR__ROLE_IDLE      /* in the cache */
} vptr__role;

/* Where the buffer of an allocation is, and who has it: see heap/residence.h. */
typedef enum vptr__residence {
  VPTR__RESIDENCE_FIXED,   /* on the device, and stays: all that is no movable allocation */
  VPTR__RESIDENCE_HERE,    /* on the device */
  VPTR__RESIDENCE_LEAVING,
  VPTR__RESIDENCE_AWAY,    /* no buffer; its bytes are in the store */
  VPTR__RESIDENCE_COMING,
  VPTR__RESIDENCE_PACKED   /* a slab on the device, without a buffer of its own: see heap/packing.h */
} vptr__residence;

/* A slab's part: see heap/slab.h. */
typedef struct vptr__slab {
  vptr__slot_state *states;
  vptr__bitset groups;   /* all with a slot that can be issued, perhaps others */
  uint32_t slots;
  _Atomic(uint32_t) free_slots; /* in all groups; written under the lock */
  _Atomic(uint32_t) withheld; /* slots that are never issued again; written under the lock */
  uint32_t top;          /* slots at and above were never taken, so never issued */
  uint32_t slot_size;
  uint32_t reciprocal;   /* of slot_size, as in the entries: a division would cost more than all the rest of a free */
  unsigned class;
  uint64_t serial;       /* where its serial numbers count from */
} vptr__slab;

typedef struct vptr__range {
  uintptr_t base;
  cl_mem buffer;         /* NULL: it is away, or packed */
  size_t bytes;          /* of the buffer */
  size_t size;           /* WHOLE, PART, HELD, ATTACHED: as requested; of a part all of its allocation */
  uint64_t serial;       /* WHOLE, PART, HELD, ATTACHED */
  uint32_t window, windows;
  vptr__role role;
  struct vptr__span *span; /* NULL; or what it is a part of, always */
  bool is_withheld;      /* addresses of it are never issued again: it is not cached, and gives no windows back */
  bool address_known;    /* device_address was asked for: see vptr__heap_device_address() */
  uint64_t device_address;
  vptr__residence residence;
  bool has_left;         /* the heap, while a thread moves it */
  struct vptr__range *older, *newer; /* HERE, of a live allocation: in the heap's list, by use */
  vptr__store store;     /* AWAY and COMING; HERE and LEAVING: a copy of all bytes, or nothing */
  vptr__packing packing; /* PACKED, and while that is LEAVING or COMING */
  uint32_t waiters;      /* threads that wait to have a packed slab as a whole */
  uint64_t idle_since;   /* IDLE: ns */
  struct vptr__range *next, *prev; /* in its class's, the cache's, the leased, the doomed or the lingering list */
  vptr__slab slab;
} vptr__range;

/* Begins a range of `bytes`, without a buffer yet; it has its windows where an arena is what is behind them. Errors:
 * OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY. */
vptr_status vptr__range_begin(struct vptr__heap *heap, size_t bytes, vptr__range **range_out);

/* Makes the committed buffer of a range that was begun. Without the heap's lock. Errors: OUT_OF_HOST_MEMORY,
 * OUT_OF_DEVICE_MEMORY, INVALID_SIZE, OPENCL; then it is to be cancelled. */
vptr_status vptr__range_fill(struct vptr__heap *heap, vptr__range *range);

/* Ends a range that has no buffer. */
void vptr__range_cancel(struct vptr__heap *heap, vptr__range *range);

/* Gives a range its windows, if it has none, its tree item and its owners' entries. Errors: OUT_OF_ADDRESSES,
 * OUT_OF_HOST_MEMORY; the range is then as before. */
vptr_status vptr__range_enter(struct vptr__heap *heap, vptr__range *range);

/* Takes an entered range out again, leaving a tombstone, and dooms it, or puts it on the heap's list of leased ones.
 * Cannot fail. */
void vptr__range_leave(struct vptr__heap *heap, vptr__range *range);

/* Gives back the addresses of a range that has left and that nobody has a lease of, unless it is withheld, and puts it
 * on the heap's doomed list. In an arena addresses are memory, and are given back when the buffer is released. */
void vptr__range_doom(struct vptr__heap *heap, vptr__range *range);

/* Releases the buffers of a chain of ranges that have left, and the ranges. Without the heap's lock. In an arena those
 * whose buffer others hold too wait in the heap's list `lingering`. */
void vptr__range_release_all(struct vptr__heap *heap, vptr__range *doomed);

/* The same of those that are doomed. With the lock, which it gives. */
void vptr__range_release_doomed(struct vptr__heap *heap);

/* Puts lingering ranges that nobody else holds any more on the doomed list. Under the lock; false: there was none. */
bool vptr__range_doom_lingering(struct vptr__heap *heap);

/* Writes down where the device has an entered range's buffer, as it has told; for look-ups too, if that stays. */
void vptr__range_locate(struct vptr__heap *heap, vptr__range *range, uint64_t address);

/* Puts its one allocation on a range's entries: role WHOLE or ATTACHED, size and serial set. */
void vptr__range_publish(struct vptr__heap *heap, vptr__range *range);

/* Marks all of a range as freed, of which the first `issued` bytes had been issued: its entries become tombstones,
 * which remember the size of an allocation that was alone. */
void vptr__range_entomb(struct vptr__heap *heap, const vptr__range *range, size_t issued);

#endif
