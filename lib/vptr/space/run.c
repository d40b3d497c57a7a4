/* SPDX-License-Identifier: MIT */
/*
 * run - takes and gives runs of windows. space.h says by which rules, run.h how they are noted down. Everything is
 * constant time but for the few levels of the bitset, for vptr__space_take_at(), and for giving many small runs back
 * from the queue, which each had a constant-time give to pay for it.
 *
 * The file has no data of its own: it changes `runs`, `head`, `lengths`, the queues `wait_*` and `kept_*`, and
 * `taken_windows` of a vptr__space, whose arrays space.c maps. The lock that guards them is `lock` of vptr__heap
 * (heap/state.h), of rank HEAP, which callers hold.
 *
 * Called by space.c when a space begins, by heap/range.c, which takes a run for each buffer and gives it back, and
 * span.c; by heap/placed.c, which takes one at a place; and by heap/heap.c, which recalls what was set apart. Declared
 * in space.h, vptr__run_init_all() in run.h. Taking fails where no addresses are left.
 */
#include "space/run.h"

#include <assert.h>

#include "base/error.h"

static void set_run(vptr__space *space, uint32_t first, uint32_t length, vptr__run_state state) {
  vptr__space_run *head = &space->runs[first], *tail = &space->runs[first + length - 1];
  head->length = tail->length = length;
  head->state = tail->state = state;
}

/* To the end of its list: the run that became free first is issued first. */
static void list_add(vptr__space *space, uint32_t first) {
  vptr__space_run *run = &space->runs[first];
  if (!vptr__bitset_has(&space->lengths, run->length)) {
    run->next = run->previous = first;
    space->head[run->length] = first;
    vptr__bitset_add(&space->lengths, run->length);
    return;
  }
  uint32_t front = space->head[run->length], back = space->runs[front].previous;
  run->next = front;
  run->previous = back;
  space->runs[back].next = first;
  space->runs[front].previous = first;
}

static void list_remove(vptr__space *space, uint32_t first) {
  const vptr__space_run *run = &space->runs[first];
  if (run->next == first) {
    vptr__bitset_remove(&space->lengths, run->length);
    return;
  }
  space->runs[run->previous].next = run->next;
  space->runs[run->next].previous = run->previous;
  if (space->head[run->length] == first)
    space->head[run->length] = run->next;
}

static void make_free(vptr__space *space, uint32_t first, uint32_t length) {
  uint32_t end = first + length;
  if (first > 0 && space->runs[first - 1].state == VPTR__RUN_FREE) {
    first -= space->runs[first - 1].length;
    list_remove(space, first);
  }
  if (end < space->window_count && space->runs[end].state == VPTR__RUN_FREE) {
    list_remove(space, end);
    end += space->runs[end].length;
  }
  set_run(space, first, end - first, VPTR__RUN_FREE);
  list_add(space, first);
}

void vptr__run_init_all(vptr__space *space) {
  make_free(space, 0, space->window_count);
}

static void wait_add(vptr__space *space, uint32_t first) {
  if (space->wait_windows == 0)
    space->wait_first = first;
  else
    space->runs[space->wait_last].next = first;
  space->wait_last = first;
  space->wait_windows += space->runs[first].length;
}

static void free_longest_waiting(vptr__space *space) {
  uint32_t first = space->wait_first, length = space->runs[first].length;
  space->wait_first = space->runs[first].next;
  space->wait_windows -= length;
  make_free(space, first, length);
}

static vptr_status refuse_window_run(const vptr__space *space, uint32_t count) {
  if (space->is_foreign)
    return vptr__error(
        VPTR_ERROR_OUT_OF_DEVICE_MEMORY,
        "no %zu MiB in one piece of the %zu MiB that VPTR_ADDRESSES=device took of the device: %zu MiB "
        "are free; free something, or take more (VPTR_ADDRESSES=device:SIZE)",
        (((size_t)count << space->window_shift) + (1 << 20) - 1) >> 20, space->size >> 20,
        ((size_t)vptr__space_free_windows(space) << space->window_shift) >> 20);
  return vptr__error(VPTR_ERROR_OUT_OF_ADDRESSES,
                     "no %zu MiB of addresses in one piece: %zu of %zu MiB are free; free something, or reserve more "
                     "(VPTR_RESERVE or vptr_config.reserve_size, as far as ulimit -v allows)",
                     ((size_t)count << space->window_shift) >> 20,
                     ((size_t)vptr__space_free_windows(space) << space->window_shift) >> 20, space->size >> 20);
}

vptr_status vptr__space_take(vptr__space *space, uint32_t count, uint32_t *first_out) {
  assert(count > 0);
  if (count > vptr__space_free_windows(space))
    return refuse_window_run(space, count); /* nor would emptying the queue help */
  uint32_t length;
  while ((length = vptr__bitset_next(&space->lengths, count)) == VPTR__BITSET_NONE) {
    if (space->wait_windows == 0)
      return refuse_window_run(space, count);
    free_longest_waiting(space);
  }
  uint32_t first = space->head[length];
  list_remove(space, first);
  set_run(space, first, count, VPTR__RUN_TAKEN);
  if (length > count) {
    set_run(space, first + count, length - count, VPTR__RUN_FREE);
    list_add(space, first + count);
  }
  space->taken_windows += count;
  *first_out = first;
  return VPTR_SUCCESS;
}

/* The free run that a window lies in, or the count of windows. */
static uint32_t free_run_around(const vptr__space *space, uint32_t window) {
  uint32_t first = 0;
  while (first < space->window_count && first + space->runs[first].length <= window)
    first += space->runs[first].length;
  return first < space->window_count && space->runs[first].state == VPTR__RUN_FREE ? first : space->window_count;
}

vptr_status vptr__space_take_at(vptr__space *space, uint32_t first, uint32_t count) {
  assert(count > 0);
  uint32_t around = free_run_around(space, first);
  uint32_t end = around < space->window_count ? around + space->runs[around].length : 0;
  if (end < first || end - first < count)
    return vptr__error(VPTR_ERROR_OUT_OF_ADDRESSES,
                       "%zu MiB of addresses from %#zx on are not free: something else was allocated there",
                       ((size_t)count << space->window_shift) >> 20, (size_t)vptr__space_address(space, first));
  list_remove(space, around);
  if (first > around) {
    set_run(space, around, first - around, VPTR__RUN_FREE);
    list_add(space, around);
  }
  set_run(space, first, count, VPTR__RUN_TAKEN);
  if (end > first + count) {
    set_run(space, first + count, end - first - count, VPTR__RUN_FREE);
    list_add(space, first + count);
  }
  space->taken_windows += count;
  return VPTR_SUCCESS;
}

void vptr__space_end_waiting(vptr__space *space) {
  while (space->wait_windows > 0)
    free_longest_waiting(space);
}

void vptr__space_give(vptr__space *space, uint32_t first) {
  assert(first < space->window_count && space->runs[first].state == VPTR__RUN_TAKEN);
  uint32_t length = space->runs[first].length;
  set_run(space, first, length, VPTR__RUN_WAITING);
  space->taken_windows -= length;
  wait_add(space, first);
  while (space->wait_windows > space->wait_limit)
    free_longest_waiting(space);
}

/* The links of a taken run are nobody's. */
void vptr__space_keep(vptr__space *space, uint32_t first) {
  assert(first < space->window_count && space->runs[first].state == VPTR__RUN_TAKEN);
  if (space->kept_windows == 0)
    space->kept_first = first;
  else
    space->runs[space->kept_last].next = first;
  space->kept_last = first;
  space->kept_windows += space->runs[first].length;
}

bool vptr__space_recall(vptr__space *space) {
  if (space->kept_windows == 0)
    return false;
  uint32_t first = space->kept_first;
  space->kept_first = space->runs[first].next;
  space->kept_windows -= space->runs[first].length;
  vptr__space_give(space, first);
  return true;
}
