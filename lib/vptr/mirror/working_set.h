/* SPDX-License-Identifier: MIT */
/*
 * working_set - the managed memory that one piece of work uses, acquired together.
 *
 * A caller that acquires several mirrors has two rules to keep (mirror.h): rising order of addresses; and when there
 * is no room because others have acquired memory too, give back all and begin anew. They are kept here. Those who
 * have to begin anew do so one at a time, so that they do not take turns in taking each other's room.
 *
 * The static lock `one_at_a_time` of working_set.c, of rank WORKING_SET, is held while a thread acquires anew: nobody
 * waits for it who has acquired memory.
 */
#ifndef VPTR_MIRROR_WORKING_SET_H
#define VPTR_MIRROR_WORKING_SET_H

#include "mirror/mirror.h"

/* One request, with the arguments of vptr__mirror_acquire(), and its result. */
typedef struct vptr__working_set_item {
  vptr__mirror *mirror;
  size_t offset, size;
  vptr_access access;
  size_t tag;       /* the caller's, to know it again */
  vptr__acquired acquisition;
} vptr__working_set_item;

/* Acquires all of them, or none; the items are put in order. One mirror may be among them more than once: what is read
 * of it is acquired before what is discarded. Errors: as vptr__mirror_acquire(), but not NOT_READY. The calling thread
 * has acquired nothing else. */
VPTR_API vptr_status vptr__working_set_acquire(vptr_mapper *mapper, vptr__working_set_item *items, size_t count);

/* As vptr__mirror_release(), for each. */
VPTR_API void vptr__working_set_release(const vptr__working_set_item *items, size_t count, uint64_t stream,
                                        cl_event event);

#endif
