/* SPDX-License-Identifier: MIT */
/*
 * space - a range of addresses that nobody may read, cut into windows.
 *
 * Reserves addresses from the system with no access and no memory behind them (space/reservation), so no device
 * pointer ever equals a host address, and a host dereference traps.
 *
 * Windows have one power-of-two size. Every buffer gets a run of whole windows, so the window number of an
 * address is its key to everything else: that makes look-up a shift and a load. The window is 64 MiB where
 * there are addresses in plenty, and smaller, down to 1 MiB, where they are scarce, so that there are always
 * some thousands of them.
 *
 *     window   0 1 2 3 4 5 6 7 8 9 ...
 *             [taken][free ][t][waiting][free ...            runs tile the space
 *
 * Runs are issued best fit: the smallest free run that is large enough, the one that became free first among
 * equals; what is left of it stays free. One list per length and a bitset over the lengths find it in a handful
 * of steps; free neighbours are merged at once, through boundary tags. A given-back run first waits in a queue
 * until more than a quarter of all windows wait (reuse_at_once: no waiting), so that stale pointers stay
 * recognisable; when nothing else fits, the longest waiting are freed until something does.
 *
 * Files: reservation (the system's part), foreign (a device's addresses), space (life), run (take, give), check.
 *
 * Not thread-safe: guarded by vptr__heap.lock (heap/state.h), of rank HEAP. `base`, `size`, `window_shift` and
 * `window_count` never change after init and may be read by anyone.
 */
#ifndef VPTR_SPACE_SPACE_H
#define VPTR_SPACE_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

#include "base/bitset.h"
#include "space/foreign.h"

typedef struct vptr__space {
  uintptr_t base;                /* a multiple of the window */
  size_t guard;                  /* bytes in front of it that are nobody's; 0: they may be anybody's */
  size_t size;                   /* a multiple of the window; a power of two, but of foreign addresses */
  unsigned window_shift;
  uint32_t window_count;
  struct vptr__space_run *runs;  /* one entry a window, those of a run's first and last window in use */
  uint32_t *head;                /* [length]: first free run of that length, if lengths has it */
  vptr__bitset lengths;          /* which lengths have a free run */
  uint32_t wait_first, wait_last; /* queue of runs given back and not yet free, if wait_windows > 0 */
  uint32_t wait_windows, wait_limit;
  uint32_t kept_first, kept_last; /* queue of runs taken for good, as long as others are left, if kept_windows > 0 */
  uint32_t kept_windows;
  uint32_t taken_windows;        /* kept ones included */
  bool is_foreign;               /* a device's addresses */
  vptr__foreign foreign;         /* what of them was free on the host, then */
  void *map; size_t map_size;    /* mapping that holds the three arrays above */
} vptr__space;

/* Reserves size bytes (rounded up to a power of two, at least 64 MiB), at base_address if that is not 0. The
 * reservation halves until it fits; `size` says what it became. The structure is written only on success.
 * Errors: OUT_OF_ADDRESSES, OUT_OF_HOST_MEMORY, INVALID_ARGUMENT (base_address taken or not aligned to the window
 * that goes with size). */
vptr_status vptr__space_init(vptr__space *space, uintptr_t base_address, size_t size, bool reuse_at_once);

/* What a space of a device's addresses is to be. */
typedef struct vptr__space_place {
  uintptr_t base;        /* a multiple of the window */
  size_t guard, size;    /* bytes before base that are the device's too; a multiple of the window from base on */
  unsigned window_shift;
} vptr__space_place;

/* The same over addresses that are a device's, and to which the host has no access from then on (space/foreign.h).
 * Errors: UNSUPPORTED, OUT_OF_HOST_MEMORY. */
vptr_status vptr__space_init_foreign(vptr__space *space, const vptr__space_place *place, bool reuse_at_once);

/* Gives the reservation back to the system. */
void vptr__space_fini(vptr__space *space);

/* Takes a run of count windows (at least 1). Errors: OUT_OF_ADDRESSES, of foreign ones
 * OUT_OF_DEVICE_MEMORY; runs that waited may be free then. */
vptr_status vptr__space_take(vptr__space *space, uint32_t count, uint32_t *first_out);

/* Takes the windows from first on, which must be free; those that wait are not. It looks through the runs from the
 * first one. Errors: OUT_OF_ADDRESSES. */
vptr_status vptr__space_take_at(vptr__space *space, uint32_t first, uint32_t count);

/* What waits is free from now on. */
void vptr__space_end_waiting(vptr__space *space);

/* Gives back the run that begins at window first, whole. Cannot fail. */
void vptr__space_give(vptr__space *space, uint32_t first);

/* Sets the run that begins at window first apart: nobody gets it as long as there are others. Cannot fail. */
void vptr__space_keep(vptr__space *space, uint32_t first);

/* Gives back the run that was set apart first; false if there is none. */
bool vptr__space_recall(vptr__space *space);

/* The least run of windows that can hold bytes and one byte more, so that the address one past the end belongs
 * to no other run; 0 if the space is smaller than that. */
uint32_t vptr__space_windows_for(const vptr__space *space, size_t bytes);

static inline uintptr_t vptr__space_address(const vptr__space *space, uint32_t window) {
  return space->base + ((uintptr_t)window << space->window_shift);
}

/* The number of windows that nobody holds, waiting ones included. */
static inline uint32_t vptr__space_free_windows(const vptr__space *space) {
  return space->window_count - space->taken_windows;
}

/* Every invariant: runs tile the space, free neighbours are merged, lists, queue, bitset and numbers agree. */
bool vptr__space_is_valid(const vptr__space *space);

#endif
