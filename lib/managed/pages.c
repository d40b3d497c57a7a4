/* SPDX-License-Identifier: MIT */
/* pages - see pages.h. */
#include "managed/pages.h"

#include "base/error.h"
#include "base/memory.h"

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

void vptr__pages_set(vptr__pages *pages, vptr__run run, vptr__page state) {
  for (int old = 0; old < VPTR__PAGE_STATES; old++)
    pages->in[old] -= vptr__pages_tally(pages, run, (vptr__page)old);
  memset(pages->states + run.first, state, run.end - run.first);
  pages->in[state] += run.end - run.first;
}

/* ---- runs ----------------------------------------------------------------------------------------------- */

/* The first page that is in the state, or the end. */
static size_t seek(const vptr__pages *pages, vptr__run within, vptr__page state) {
  if (within.first >= within.end)
    return within.end;
  const unsigned char *at = memchr(pages->states + within.first, state, within.end - within.first);
  return at != NULL ? (size_t)(at - pages->states) : within.end;
}

/* The first page that is not. */
static size_t skip(const vptr__pages *pages, vptr__run within, vptr__page state) {
  size_t page = within.first;
  while (page < within.end && pages->states[page] == (unsigned char)state)
    page++;
  return page;
}

bool vptr__pages_find(const vptr__pages *pages, vptr__run within, vptr__page state, vptr__run *run_out) {
  size_t first = seek(pages, within, state);
  if (first >= within.end)
    return false;
  *run_out = (vptr__run){ first, skip(pages, (vptr__run){ first, within.end }, state) };
  return true;
}

bool vptr__pages_find_other(const vptr__pages *pages, vptr__run within, vptr__page state, vptr__run *run_out) {
  size_t first = skip(pages, within, state);
  if (first >= within.end)
    return false;
  *run_out = (vptr__run){ first, seek(pages, (vptr__run){ first, within.end }, state) };
  return true;
}
