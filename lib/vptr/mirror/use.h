/* SPDX-License-Identifier: MIT */
/*
 * use - the work in flight that uses a mirror of managed memory.
 *
 * One event for each stream, the last command's: streams are in order, so it stands for those before it, provided that
 * uses are noted in the stream's order. Streams go and new ones come, so events that are over are dropped when the
 * list is full, before it grows.
 *
 * All are one device's: a mirror comes to another only when it has waited for them.
 *
 * It has no lock: vptr__mirror.lock, of rank MIRROR, guards it (but see vptr__uses_wait()).
 */
#ifndef VPTR_MIRROR_USE_H
#define VPTR_MIRROR_USE_H

#include "device/device.h"

typedef struct vptr__use {
  uint64_t stream; /* vptr__stream_id(); 0: none, and no use stands for another */
  cl_event last;
} vptr__use;

typedef struct vptr__uses {
  vptr__device *device; /* set anew while there are none */
  vptr__use *uses;
  size_t count, room;
} vptr__uses;

/* Makes sure that there is a place for `more` uses. Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__uses_reserve(vptr__uses *uses, size_t more);

/* The stream's last use is this now; the event is retained. Needs a reserve before it. */
void vptr__uses_note(vptr__uses *uses, uint64_t stream, cl_event last);

/* Whether all of them are over. Does not wait. */
bool vptr__uses_are_over(vptr__uses *uses);

/* The stream that all of them are of which are not over; 0 if there is no such stream. Does not wait. */
uint64_t vptr__uses_sole_stream(vptr__uses *uses);

/* Waits for all of them, and forgets them, also one that cannot be waited for at all: the queue that would have to be
 * waited for in its place may be the one that calls the caller, a function of a stream. What failed is over, too: its
 * stream tells of it, and nothing is said here. */
void vptr__uses_wait(vptr__uses *uses);

/* Waits, and frees the list. */
void vptr__uses_fini(vptr__uses *uses);

#endif
