/* SPDX-License-Identifier: MIT */
/*
 * pages - where the valid bytes of each page of managed memory are.
 *
 *     BOTH     host and device have the same bytes; the host may read
 *     HOST     only the host's are valid, since it may write: dirty
 *     DEVICE   only the device's are valid; the host may not touch them
 *
 * One byte a page, and how many pages are in each state: so "is anything dirty" is one look, and a run of pages is
 * found at the speed of memchr(). It knows neither memory nor devices. It has no lock: vptr__mirror.lock, of rank
 * MIRROR, guards it.
 */
#ifndef VPTR_MIRROR_PAGES_H
#define VPTR_MIRROR_PAGES_H

#include <stdbool.h>
#include <stddef.h>

#include <vptr/vptr.h>

typedef enum vptr__page { VPTR__PAGE_BOTH, VPTR__PAGE_HOST, VPTR__PAGE_DEVICE, VPTR__PAGE_STATES } vptr__page;

/* Pages [first, end). */
typedef struct vptr__run {
  size_t first, end;
} vptr__run;

typedef struct vptr__pages {
  unsigned char *states;         /* a vptr__page each */
  size_t count;
  size_t in[VPTR__PAGE_STATES];  /* how many pages are in each state */
} vptr__pages;

/* All of them BOTH. count at least 1. Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__pages_init(vptr__pages *pages, size_t count);
void vptr__pages_fini(vptr__pages *pages);

static inline vptr__page vptr__pages_at(const vptr__pages *pages, size_t page) {
  return (vptr__page)pages->states[page];
}

static inline vptr__run vptr__pages_all(const vptr__pages *pages) {
  return (vptr__run){ 0, pages->count };
}

void vptr__pages_set(vptr__pages *pages, vptr__run run, vptr__page state);

/* The first run of pages in that state (in any other one) within a run; false if there is none. To go on, look from its
 * end. */
bool vptr__pages_find(const vptr__pages *pages, vptr__run within, vptr__page state, vptr__run *run_out);
bool vptr__pages_find_other(const vptr__pages *pages, vptr__run within, vptr__page state, vptr__run *run_out);

/* How many pages of a run are in that state. */
size_t vptr__pages_tally(const vptr__pages *pages, vptr__run run, vptr__page state);

#endif
