/* SPDX-License-Identifier: MIT */
/*
 * space/check - every invariant of a space in one predicate, for tests and debuggers.
 *
 * The file has no data and takes no lock: callers hold vptr__heap.lock (heap/state.h), of rank HEAP, which guards the
 * space. Each walk is bounded, so that it ends on a damaged space too. Called by heap/query.c, for vptr__heap_check(),
 * and by tests. Declared in space.h.
 */
#include "space/run.h"

struct tally {
  uint32_t free_runs, waiting_runs;
  uint32_t windows[VPTR__RUN_WAITING + 1]; /* [state] */
};

/* Adds the run that begins at a window, if its tags make sense there. */
static bool add_run(const vptr__space *space, uint32_t first, struct tally *tally) {
  const vptr__space_run *run = &space->runs[first];
  if (run->length == 0 || run->length > space->window_count - first)
    return false;
  if (run->state < VPTR__RUN_FREE || run->state > VPTR__RUN_WAITING)
    return false;
  const vptr__space_run *last = &space->runs[first + run->length - 1];
  if (last->length != run->length || last->state != run->state)
    return false;
  if (run->state == VPTR__RUN_FREE && first > 0 && run[-1].state == VPTR__RUN_FREE)
    return false; /* should have been merged */
  tally->free_runs += run->state == VPTR__RUN_FREE;
  tally->waiting_runs += run->state == VPTR__RUN_WAITING;
  tally->windows[run->state] += run->length;
  return true;
}

static bool runs_tile(const vptr__space *space, struct tally *tally) {
  for (uint32_t first = 0; first < space->window_count; first += space->runs[first].length)
    if (!add_run(space, first, tally))
      return false;
  return tally->windows[VPTR__RUN_TAKEN] == space->taken_windows &&
         tally->windows[VPTR__RUN_WAITING] == space->wait_windows;
}

/* Takes the members of one list off *left, the number of free runs not yet met. */
static bool list_is_valid(const vptr__space *space, uint32_t length, uint32_t *left) {
  uint32_t front = space->head[length], first = front;
  do {
    if (first >= space->window_count || *left == 0)
      return false;
    const vptr__space_run *run = &space->runs[first];
    if (run->state != VPTR__RUN_FREE || run->length != length || run->next >= space->window_count ||
        space->runs[run->next].previous != first)
      return false;
    --*left;
    first = run->next;
  } while (first != front);
  return true;
}

static bool lists_are_valid(const vptr__space *space, uint32_t free_runs) {
  if (!vptr__bitset_is_valid(&space->lengths) || vptr__bitset_has(&space->lengths, 0))
    return false;
  for (uint32_t length = vptr__bitset_next(&space->lengths, 1); length != VPTR__BITSET_NONE;
       length = vptr__bitset_next(&space->lengths, length + 1))
    if (!list_is_valid(space, length, &free_runs))
      return false;
  return free_runs == 0;
}

static bool queue_is_valid(const vptr__space *space, uint32_t waiting_runs) {
  uint32_t first = space->wait_first;
  for (uint32_t left = waiting_runs; left > 0; left--, first = space->runs[first].next) {
    if (first >= space->window_count || space->runs[first].state != VPTR__RUN_WAITING)
      return false;
    if (left == 1)
      return first == space->wait_last;
  }
  return true;
}

bool vptr__space_is_valid(const vptr__space *space) {
  struct tally tally = { 0 };
  return runs_tile(space, &tally) && lists_are_valid(space, tally.free_runs) &&
         queue_is_valid(space, tally.waiting_runs) && space->wait_windows <= space->wait_limit;
}
