/* SPDX-License-Identifier: MIT */
/*
 * latency - see latency.h.
 *
 * All memory is zero, and what a load brings is added to the address of the next: so loads wait for each other with
 * no list to be built in the memory, and the same addresses serve both orders. There are so many that a walk over
 * more than the caches hold does not come back to what it has seen before others have driven that out. A sample is
 * short, so that most are not interrupted where other programs want the processor, too.
 */
#include "latency.h"

#include "clock.h"
#include "random.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LINE = 64, PAGE = 4096, LARGE_PAGE = 2 << 20, LOADS = 1 << 14, WARM_LOADS = 1 << 19 };
enum { PICKS = LOADS * 256, SAMPLES_EACH = 4, MOST_SAMPLES = 128 };

typedef struct loads {
  char *map, *memory; /* the memory begins at a large page */
  size_t map_size;
  const char **picks;
  size_t next;
} loads;

static volatile size_t sink;

/* ---- memory ---------------------------------------------------------------------------------------------- */

/* Of spread lines each lies elsewhere in its page, lest all fall into the same few places of the caches. */
static char *line_at(const loads *of, latency_layout layout, size_t line) {
  if (layout != LATENCY_SPREAD)
    return of->memory + line * LINE;
  return of->memory + line * LATENCY_STRIDE + line * 29 % (PAGE / LINE) * LINE;
}

static void touch(const loads *of, latency_layout layout, size_t lines) {
  size_t step = layout == LATENCY_SPREAD ? 1 : PAGE / LINE;
  for (size_t line = 0; line < lines; line += step)
    *(volatile char *)line_at(of, layout, line) = 0;
}

static bool map(loads *of, latency_layout layout, size_t bytes) {
  size_t lines = bytes / LINE;
  of->map_size = (layout == LATENCY_SPREAD ? lines * LATENCY_STRIDE : bytes) + 2 * (size_t)LARGE_PAGE;
  of->map = mmap(NULL, of->map_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (of->map == MAP_FAILED)
    return false;
  madvise(of->map, of->map_size, layout == LATENCY_LARGE_PAGES ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  of->memory = of->map + (LARGE_PAGE - (uintptr_t)of->map % LARGE_PAGE) % LARGE_PAGE;
  touch(of, layout, lines);
  return true;
}

static bool choose(loads *of, latency_layout layout, size_t bytes) {
  uint64_t state = bytes;
  of->picks = malloc(PICKS * sizeof *of->picks);
  for (size_t i = 0; of->picks != NULL && i < PICKS; i++)
    of->picks[i] = line_at(of, layout, random_below(&state, bytes / LINE));
  return of->picks != NULL;
}

/* ---- loads ----------------------------------------------------------------------------------------------- */

static double time_chained(const char *const *picks) {
  size_t at = 0;
  uint64_t begin = clock_ns();
  for (size_t i = 0; i < LOADS; i++)
    at = *(const size_t *)(picks[i] + at);
  double passed = (double)clock_since(begin);
  sink = at;
  return passed / LOADS;
}

static double time_apart(const char *const *picks) {
  size_t sum = 0;
  uint64_t begin = clock_ns();
  for (size_t i = 0; i < LOADS; i++)
    sum += *(const size_t *)picks[i];
  double passed = (double)clock_since(begin);
  sink = sum;
  return passed / LOADS;
}

static const char *const *turn(loads *of) {
  const char *const *picks = of->picks + of->next;
  of->next = (of->next + LOADS) % PICKS;
  return picks;
}

static void sample(loads *of, size_t repetitions, double *ns_out) {
  double samples[LATENCY_ORDERS][MOST_SAMPLES];
  size_t wanted = repetitions * SAMPLES_EACH, count = wanted < MOST_SAMPLES ? wanted : MOST_SAMPLES;
  for (size_t warm = 0; warm < WARM_LOADS; warm += LOADS)
    time_apart(turn(of));
  for (size_t i = 0; i < count; i++) {
    samples[LATENCY_CHAINED][i] = time_chained(turn(of));
    samples[LATENCY_APART][i] = time_apart(turn(of));
  }
  for (latency_order order = 0; order < LATENCY_ORDERS; order++)
    ns_out[order] = summary_of(samples[order], count).median;
}

bool latency_add(latency_curve *curve, latency_layout layout, size_t bytes, size_t repetitions) {
  loads of = { .map = NULL };
  if (curve->count == LATENCY_MOST_POINTS || !map(&of, layout, bytes))
    return false;
  bool good = choose(&of, layout, bytes);
  if (good) {
    struct latency_point *point = &curve->points[curve->count++];
    point->bytes = (double)bytes;
    sample(&of, repetitions, point->ns);
  }
  free(of.picks);
  munmap(of.map, of.map_size);
  return good;
}

double latency_at(const latency_curve *curve, double bytes) {
  const struct latency_point *points = curve->points;
  size_t behind = 0;
  while (behind < curve->count && points[behind].bytes < bytes)
    behind++;
  if (behind == 0 || behind == curve->count)
    return points[behind == 0 ? 0 : behind - 1].ns[LATENCY_CHAINED];
  const struct latency_point *low = &points[behind - 1], *high = &points[behind];
  double share = log2(bytes / low->bytes) / log2(high->bytes / low->bytes);
  return low->ns[LATENCY_CHAINED] + share * (high->ns[LATENCY_CHAINED] - low->ns[LATENCY_CHAINED]);
}
