/* SPDX-License-Identifier: MIT */
/*
 * pattern - how many pages a fault brings, by walks and by density (pattern.h).
 *
 * A vptr__pattern is a part of its mirror (state.h); vptr__mirror.lock, of rank MIRROR, guards it. Called by bring.c
 * for each fault and for reading ahead; by acquire.c and move.c, which stop reading ahead, since the device has the
 * pages then; and by mirror.c, which makes it. Nothing blocks or fails.
 */
#include "mirror/pattern.h"

#include "base/number.h"

void vptr__pattern_init(vptr__pattern *pattern, size_t page_bytes) {
  size_t most = VPTR__PATTERN_MOST_BYTES / page_bytes;
  *pattern = (vptr__pattern){ .most = most > 0 ? most : 1 };
}

/* ---- density -------------------------------------------------------------------------------------------- */

static vptr__run block_around(const vptr__pages *pages, size_t page, size_t length) {
  size_t first = page - page % length;
  return (vptr__run){ first, vptr__smaller(first + length, pages->count) };
}

static size_t open_pages(const vptr__pages *pages, vptr__run run, bool writes) {
  size_t open = vptr__pages_tally(pages, run, VPTR__PAGE_HOST);
  return writes ? open : open + vptr__pages_tally(pages, run, VPTR__PAGE_BOTH);
}

/* The page itself counts as open: it is about to be. */
static vptr__run densest_block(const vptr__pattern *pattern, const vptr__pages *pages, size_t page, bool writes) {
  for (size_t length = pattern->most; length > 1; length /= 2) {
    vptr__run block = block_around(pages, page, length);
    if (2 * (open_pages(pages, block, writes) + 1) > block.end - block.first)
      return block;
  }
  return (vptr__run){ page, page + 1 };
}

/* ---- walks ---------------------------------------------------------------------------------------------- */

/* The walk that goes on at the page, else the one that was not used for longest, begun anew. */
static vptr__walk *walk_at(vptr__walk walks[VPTR__PATTERN_WALKS], size_t page) {
  vptr__walk *oldest = &walks[0];
  for (int i = 0; i < VPTR__PATTERN_WALKS; i++) {
    if (walks[i].length > 0 && walks[i].next == page)
      return &walks[i];
    if (walks[i].used < oldest->used)
      oldest = &walks[i];
  }
  oldest->length = 0;
  return oldest;
}

static vptr__run next_step(const vptr__walk *walk, const vptr__pattern *pattern, const vptr__pages *pages,
                           size_t page) {
  size_t length = walk->length == 0 ? 1 : vptr__smaller(2 * walk->length, pattern->most);
  return (vptr__run){ page, vptr__smaller(page + length, pages->count) };
}

static size_t length_of(vptr__run run) {
  return run.end - run.first;
}

vptr__run vptr__pattern_piece(vptr__pattern *pattern, const vptr__pages *pages, size_t page, bool writes) {
  vptr__walk *walk = walk_at(pattern->walks[writes], page);
  vptr__run piece = next_step(walk, pattern, pages, page);
  vptr__run block = densest_block(pattern, pages, page, writes);
  if (length_of(block) > length_of(piece))
    piece = block;
  *walk = (vptr__walk){ .next = piece.end, .length = length_of(piece), .used = ++pattern->now };
  pattern->steady = !writes && walk->length == pattern->most ? walk : NULL;
  pattern->ahead = VPTR__PATTERN_AHEAD;
  return piece;
}

bool vptr__pattern_ahead(vptr__pattern *pattern, const vptr__pages *pages, vptr__run *run_out) {
  vptr__walk *walk = pattern->steady;
  if (walk == NULL || walk->next >= pages->count || pattern->ahead == 0)
    return false;
  pattern->ahead--;
  *run_out = (vptr__run){ walk->next, vptr__smaller(walk->next + pattern->most, pages->count) };
  walk->next = run_out->end;
  return true;
}

void vptr__pattern_break(vptr__pattern *pattern) {
  pattern->steady = NULL;
}
