/* SPDX-License-Identifier: MIT */
/*
 * pages - searching and changing the states of pages (pages.h).
 *
 * A vptr__pages is part of its owner: a mirror, a view or a visit (state.h, view.h); its array `states` is allocated
 * and freed here. The file has no lock: callers have vptr__mirror.lock, of rank MIRROR, but for a mirror that is made
 * or ends (mirror.c) and for the view of trial.c, which nobody else knows. Called by mirror.c, acquire.c, bring.c,
 * move.c, pattern.c, view.c and visit.c. Nothing blocks, and only vptr__pages_init() can fail, without host memory.
 */
#include "mirror/pages.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdint.h>
#include <string.h>

vptr_status vptr__pages_init(vptr__pages *pages, size_t count) {
  _Static_assert(VPTR__PAGE_BOTH == 0, "zeroed memory is pages that both sides have");
  unsigned char *states = vptr__memory_calloc(count, 1);
  if (states == NULL)
    return vptr__error_host_memory(count);
  *pages = (vptr__pages){ .states = states, .count = count, .in = { [VPTR__PAGE_BOTH] = count } };
  return VPTR_SUCCESS;
}

void vptr__pages_fini(vptr__pages *pages) {
  vptr__memory_free(pages->states);
}

size_t vptr__pages_tally(const vptr__pages *pages, vptr__run run, vptr__page state) {
  size_t tally = 0;
  for (size_t i = run.first; i < run.end; i++)
    tally += pages->states[i] == (unsigned char)state;
  return tally;
}

/* ---- runs ----------------------------------------------------------------------------------------------- */

/* The first page that is in the state, or the end. */
static size_t seek_state(const vptr__pages *pages, vptr__run within, vptr__page state) {
  if (within.first >= within.end)
    return within.end;
  const unsigned char *at = memchr(pages->states + within.first, state, within.end - within.first);
  return at != NULL ? (size_t)(at - pages->states) : within.end;
}

/* The first page that is not. Eight at a time: of large memory nearly all pages are alike. */
static size_t skip_state(const vptr__pages *pages, vptr__run within, vptr__page state) {
  const uint64_t alike = UINT64_C(0x0101010101010101) * (uint64_t)state;
  uint64_t eight = alike;
  size_t page = within.first;
  for (; page < within.end && within.end - page >= sizeof eight; page += sizeof eight) {
    memcpy(&eight, pages->states + page, sizeof eight);
    if (eight != alike)
      break;
  }
  while (page < within.end && pages->states[page] == (unsigned char)state)
    page++;
  return page;
}

bool vptr__pages_find(const vptr__pages *pages, vptr__run within, vptr__page state, vptr__run *run_out) {
  size_t first = seek_state(pages, within, state);
  if (first >= within.end)
    return false;
  *run_out = (vptr__run){ first, skip_state(pages, (vptr__run){ first, within.end }, state) };
  return true;
}

bool vptr__pages_find_other(const vptr__pages *pages, vptr__run within, vptr__page state, vptr__run *run_out) {
  size_t first = skip_state(pages, within, state);
  if (first >= within.end)
    return false;
  *run_out = (vptr__run){ first, seek_state(pages, (vptr__run){ first, within.end }, state) };
  return true;
}

void vptr__pages_set(vptr__pages *pages, vptr__run run, vptr__page state) {
  for (size_t page = run.first, end; page < run.end; page = end) {
    vptr__page old = vptr__pages_at(pages, page);
    end = skip_state(pages, (vptr__run){ page, run.end }, old);
    pages->in[old] -= end - page;
    pages->in[state] += end - page;
  }
  memset(pages->states + run.first, state, run.end - run.first);
}
