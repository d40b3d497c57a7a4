/* SPDX-License-Identifier: MIT */
/*
 * state - struct vptr__mirror, the private state of a mirror, for acquire.c, address_index.c, bring.c, mirror.c,
 * move.c, resident_set.c and visit.c alone.
 *
 * The invariant: a page is open to the host no farther than its state says. It may be less open, if a step failed half
 * way and could not be undone: then a fault opens it again. Without a backing buffer no page is DEVICE.
 *
 * The lock is vptr__mirror.lock, one a mirror, of rank MIRROR. It guards what stands after it but `references` and
 * `is_taken`, which are the address index's, and `visit.next`, which is visit.c's.
 */
#ifndef VPTR_MIRROR_STATE_H
#define VPTR_MIRROR_STATE_H

#include "mirror/backing.h"
#include "mirror/pages.h"
#include "mirror/pattern.h"
#include "mirror/mirror.h"
#include "mirror/use.h"
#include "mirror/view.h"

/* What a stream's host function has of the mirror while it runs: see visit.h. */
typedef struct vptr__visit {
  vptr__mirror *next;    /* of those that the function visits: visit.c's, under its lock */
  bool is_open;
  bool is_alone;         /* no work but the function's own stream's can have written what was fetched */
  uint64_t stream;       /* the function's */
  vptr__pages pages;     /* BOTH: fetched to be read; HOST: to be written; DEVICE: not visited */
  unsigned char *before; /* as large as the view: the written pages' bytes as they were */
  vptr__run last;        /* what the last fault opened */
} vptr__visit;

struct vptr__mirror {
  vptr_mapper *mapper; /* down to page_bytes: set once */
  bool is_one_address;
  size_t page_bytes;
  size_t size;         /* as asked for; the view has whole pages */
  vptr__lock lock;        /* rank MIRROR: guards what follows */
  pthread_cond_t settled; /* with the lock: acquired is 0, is_parked is false, or the visit has ended */
  bool is_parked;         /* who holds the mirror waits for work, and has given the lock to visits */
  uint64_t sole_stream;   /* while it is parked: see vptr__uses_sole_stream() */
  vptr__visit visit;
  size_t acquired;        /* acquired, and what to wait for is not known yet */
  uint64_t acquisitions;  /* all there ever were */
  vptr__backing *backings; /* all; of a mapper at most one */
  vptr__backing *backing;  /* the one in use; NULL: the host has all */
  vptr__uses uses;        /* of the backing buffer's work */
  vptr__view view;        /* how it is protected; where it is never changes */
  vptr__pages pages;
  vptr__pattern pattern;
  vptr__mirror_counts counts;
  size_t references;      /* address_index.c, under its lock */
  bool is_taken;          /* likewise */
};

static inline size_t vptr__mirror_at(const vptr__mirror *mirror, size_t page) {
  return page * mirror->page_bytes;
}

static inline size_t vptr__mirror_bytes(const vptr__mirror *mirror, vptr__run run) {
  return (run.end - run.first) * mirror->page_bytes;
}

/* Opens a run of the view, or closes it; see vptr__view_grant() and vptr__view_revoke(). */
static inline vptr_status vptr__mirror_grant(vptr__mirror *mirror, vptr__run run, int protection) {
  return vptr__view_grant(&mirror->view, vptr__mirror_at(mirror, run.first), vptr__mirror_bytes(mirror, run),
                          protection);
}

static inline vptr_status vptr__mirror_revoke(vptr__mirror *mirror, vptr__run run, int protection) {
  return vptr__view_revoke(&mirror->view, vptr__mirror_at(mirror, run.first), vptr__mirror_bytes(mirror, run),
                           protection);
}

/* The pages that lie in a range, with all of their bytes or with some. */
static inline size_t vptr__mirror_page_behind(const vptr__mirror *mirror, size_t offset) {
  return offset / mirror->page_bytes + (offset % mirror->page_bytes != 0);
}

/* Behind its last byte the last page has none of the mirror's. */
static inline vptr__run vptr__mirror_whole(const vptr__mirror *mirror, size_t offset, size_t size) {
  size_t end = offset + size;
  vptr__run run = { vptr__mirror_page_behind(mirror, offset),
                    end >= mirror->size ? vptr__mirror_page_behind(mirror, end) : end / mirror->page_bytes };
  if (run.first > run.end)
    run.first = run.end;
  return run;
}

static inline vptr__run vptr__mirror_touched(const vptr__mirror *mirror, size_t offset, size_t size) {
  size_t first = offset / mirror->page_bytes;
  return (vptr__run){ first, size > 0 ? vptr__mirror_page_behind(mirror, offset + size) : first };
}

/* Of what lies in a range, the pages whose bytes nobody wants: an empty run at its end, unless they are discarded. */
static inline vptr__run vptr__mirror_unwanted(const vptr__mirror *mirror, size_t offset, size_t size, bool discards) {
  vptr__run touched = vptr__mirror_touched(mirror, offset, size);
  vptr__run whole = vptr__mirror_whole(mirror, offset, size);
  return discards && whole.first < whole.end ? whole : (vptr__run){ touched.end, touched.end };
}

static inline bool vptr__access_writes(vptr_access access) {
  return access != VPTR_ACCESS_READ;
}

static inline bool vptr__access_discards(vptr_access access) {
  return access == VPTR_ACCESS_DISCARD_WRITE || access == VPTR_ACCESS_DISCARD_READ_WRITE;
}

/* Errors: OUT_OF_BOUNDS. */
vptr_status vptr__mirror_check_range(const vptr__mirror *mirror, size_t offset, size_t size);

/* Takes the mirror's lock when nobody is parked. Visits take it plainly, and so does who only looks. */
void vptr__mirror_hold(vptr__mirror *mirror);

/* ---- with the lock held --------------------------------------------------------------------------------- */

/* Until a condition may hold; nobody is parked when it returns. */
void vptr__mirror_await_settled(vptr__mirror *mirror);

/* Waits for all work that uses the mirror, and for the visit. Parks: visits take place meanwhile, which may fetch,
 * send, and make BOTH pages DEVICE; other pages keep their states, and are less open than before or just as open. */
void vptr__mirror_await_uses(vptr__mirror *mirror);

/* Answers a fault of a host function's. The mirror has a backing buffer. Errors: as fetch(). */
vptr_status vptr__mirror_visit(vptr__mirror *mirror, size_t page, vptr__touch touch);

/* Brings all that only the device has, and opens all of the view: every page is HOST. Errors: as fetch(). */
vptr_status vptr__mirror_bring_all(vptr__mirror *mirror);

/* Makes a mapper's device the one of its backing buffer. May give the lock back meanwhile. Errors: as
 * vptr__mirror_acquire(). */
vptr_status vptr__mirror_come_to(vptr__mirror *mirror, vptr_mapper *mapper);

/* Some mirror has another backing buffer now, or its first, or none any more; see vptr__mirrors_serial(). */
void vptr__mirror_moved(void);

/* ---- without it, for resident_set.c ----------------------------------------------------------------------------- */

/* Gives up the backing buffer that was used last at that moment, if it may go still; false if not, which is not
 * said. */
bool vptr__mirror_evict(vptr__mirror *mirror, uint64_t used);

#endif
