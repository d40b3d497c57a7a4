/* SPDX-License-Identifier: MIT */
/*
 * loans - the managed memory that one piece of work uses, lent together.
 *
 * Who lends several mirrors has two rules to keep (mirror.h): rising order of addresses; and when there is no room because
 * others have loans too, give back all and begin anew. They are kept here. Those who have to begin anew do so one at a
 * time, so that they do not take turns in taking each other's room.
 *
 * One lock, rank LOANS, is held while lending anew: nobody waits for it who has loans.
 */
#ifndef VPTR_MANAGED_LOANS_H
#define VPTR_MANAGED_LOANS_H

#include "managed/mirror.h"

/* What is asked for, as vptr__mirror_lend() has it, and what was told. */
typedef struct vptr__want {
  vptr__mirror *mirror;
  size_t offset, size;
  vptr_access access;
  size_t tag;       /* the caller's, to know it again */
  vptr__loan loan;
} vptr__want;

/* All of them, or none; the wants are put in order. One mirror may be among them more than once: what is read of it is lent
 * before what is discarded. Errors: as
 * vptr__mirror_lend(), but not NOT_READY. The calling thread has no other loans. */
VPTR_API vptr_status vptr__loans_take(vptr_mapper *mapper, vptr__want *wants, size_t count);

/* As vptr__mirror_lent(), for each. */
VPTR_API void vptr__loans_give(const vptr__want *wants, size_t count, uint64_t stream, cl_event event);

#endif
