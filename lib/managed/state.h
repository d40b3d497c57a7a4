/* SPDX-License-Identifier: MIT */
/*
 * state - a mirror in private: what mirror.c, bring.c and atlas.c share.
 *
 * The invariant: a page is open to the host no farther than its state says. It may be less open, if a step failed half way
 * and could not be undone: then a fault opens it again.
 */
#ifndef VPTR_MANAGED_STATE_H
#define VPTR_MANAGED_STATE_H

#include "managed/link.h"
#include "managed/pages.h"
#include "managed/pattern.h"
#include "managed/mirror.h"
#include "managed/use.h"
#include "managed/view.h"

struct vptr__mirror {
  vptr_mapper *mapper; /* down to page_bytes: set once */
  vptr__link *link;
  cl_mem buffer;
  uint64_t address;
  size_t page_bytes;
  size_t size;         /* as asked for; the view has whole pages */
  vptr__lock lock;        /* rank MIRROR: guards what follows */
  pthread_cond_t settled; /* with the lock: loans is 0 */
  size_t loans;           /* lent, and what to wait for is not known yet */
  vptr__uses uses;
  vptr__view view;        /* how it is protected; where it is never changes */
  vptr__pages pages;
  vptr__pattern pattern;
  vptr__mirror_counts counts;
  bool pin_was_tried, is_pinned;
  cl_mem pin;
  size_t guests;          /* atlas.c, under its lock */
  bool is_claimed;        /* likewise */
};

static inline size_t vptr__mirror_at(const vptr__mirror *mirror, size_t page) {
  return page * mirror->page_bytes;
}

static inline size_t vptr__mirror_bytes(const vptr__mirror *mirror, vptr__run run) {
  return (run.end - run.first) * mirror->page_bytes;
}

/* What may be done with a run of the view from now on; see vptr__view_protect(). */
static inline vptr_status vptr__mirror_protect(vptr__mirror *mirror, vptr__run run, int protection) {
  return vptr__view_protect(&mirror->view, vptr__mirror_at(mirror, run.first), vptr__mirror_bytes(mirror, run),
                            protection);
}

static inline bool vptr__access_writes(vptr_access access) {
  return access != VPTR_ACCESS_READ;
}

static inline bool vptr__access_discards(vptr_access access) {
  return access == VPTR_ACCESS_DISCARD_WRITE || access == VPTR_ACCESS_DISCARD_READ_WRITE;
}

#endif
