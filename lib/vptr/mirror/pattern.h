/* SPDX-License-Identifier: MIT */
/*
 * pattern - how many pages to bring for a fault at one.
 *
 * A fault costs some 20 us before the first byte moves, and a transfer some 10 us, so who goes through memory page by
 * page must get more than a page at a time; who touches one here and one there must not. Two rules, and the larger
 * piece counts:
 *
 *   - Walks. A fault just behind what the last one brought goes on with its walk: twice as many pages as that, up to
 *     MOST_BYTES. Several walks are remembered, so that threads which each go through a part of their own are seen.
 *   - Density. Of the blocks of 2^n pages around the page (aligned, up to MOST_BYTES) the largest of which more than
 *     half is open already is opened to the end. That serves walks backwards, with a stride, and plain luck.
 *
 * Reading and writing are watched apart: what is opened for writing is dirty, and will be sent back. It has no lock:
 * vptr__mirror.lock, of rank MIRROR, guards it.
 */
#ifndef VPTR_MIRROR_PATTERN_H
#define VPTR_MIRROR_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mirror/pages.h"

enum { VPTR__PATTERN_MOST_BYTES = 2 << 20, VPTR__PATTERN_WALKS = 4, VPTR__PATTERN_AHEAD = 3 };

typedef struct vptr__walk {
  size_t next;   /* the page behind what was brought */
  size_t length; /* pages of the last piece; 0: no walk yet */
  uint64_t used; /* when */
} vptr__walk;

typedef struct vptr__pattern {
  size_t most;                           /* pages of MOST_BYTES, at least 1 */
  uint64_t now;                          /* faults until now */
  vptr__walk walks[2][VPTR__PATTERN_WALKS]; /* of reading, of writing */
  vptr__walk *steady;                    /* reads in the largest pieces, and did so last; else NULL */
  int ahead;                             /* pieces that may still be read ahead of it */
} vptr__pattern;

void vptr__pattern_init(vptr__pattern *pattern, size_t page_bytes);

/* The pages to open for a fault at a page, which is the first or among them. */
vptr__run vptr__pattern_piece(vptr__pattern *pattern, const vptr__pages *pages, size_t page, bool writes);

/* The piece that a steady walk will want next, which counts as brought then; false if nobody walks, or is AHEAD pieces
 * ahead already. */
bool vptr__pattern_ahead(vptr__pattern *pattern, const vptr__pages *pages, vptr__run *run_out);

/* The device has the pages now: nothing is read ahead until another fault makes a walk a steady one. */
void vptr__pattern_break(vptr__pattern *pattern);

#endif
