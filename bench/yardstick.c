/* SPDX-License-Identifier: MIT */
/* yardstick - see yardstick.h. */
#include "yardstick.h"

#include "clock.h"
#include "random.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LINE_SLOTS = 64 / sizeof(size_t), HUGE_PAGE = 2 << 20, STEPS = 1 << 20 };

/* Sattolo's shuffle: a permutation that is one cycle, so that the walk visits everything. */
static void make_cycle(size_t *next, size_t slots) {
  uint64_t state = 1;
  for (size_t i = 0; i < slots; i++)
    next[i * LINE_SLOTS] = i * LINE_SLOTS;
  for (size_t i = slots - 1; i > 0; i--) {
    size_t other = random_below(&state, i);
    size_t kept = next[i * LINE_SLOTS];
    next[i * LINE_SLOTS] = next[other * LINE_SLOTS];
    next[other * LINE_SLOTS] = kept;
  }
}

/* Huge pages, if the system has them, keep the cost of address translation out of the number. */
bool yardstick_init(yardstick *stick, size_t bytes) {
  size_t alignment = bytes >= HUGE_PAGE ? (size_t)HUGE_PAGE : (size_t)4096;
  stick->slots = bytes / 64;
  stick->next = aligned_alloc(alignment, bytes);
  if (stick->next == NULL)
    return false;
  madvise(stick->next, bytes, MADV_HUGEPAGE);
  make_cycle(stick->next, stick->slots);
  return true;
}

void yardstick_fini(yardstick *stick) {
  free(stick->next);
}

double yardstick_measure(const yardstick *stick) {
  static volatile size_t sink;
  const size_t *next = stick->next;
  size_t at = sink % LINE_SLOTS; /* 0, but the compiler cannot know */
  uint64_t begin = clock_ns();
  for (int i = 0; i < STEPS; i++)
    at = next[at];
  double passed = (double)clock_since(begin);
  sink = at / LINE_SLOTS * LINE_SLOTS;
  return passed / STEPS;
}
