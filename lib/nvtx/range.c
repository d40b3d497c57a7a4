/* SPDX-License-Identifier: MIT */
/*
 * range - see range.h.
 *
 * The open ranges are chains by their number's last bits: a program may have thousands open, one for each request.
 * Lock: `lock`, of rank LEAF, which is not held while a line is written. Called by injection.c alone.
 */
#include "nvtx/range.h"

#include <inttypes.h>

#include "base/clock.h"
#include "base/lock.h"
#include "base/memory.h"
#include "nvtx/line.h"
#include "nvtx/stack.h"

typedef struct started_range {
  struct started_range *next;
  nvtxRangeId_t number;
  uint64_t begin;
  vptr__nvtx_text message;
} started_range;

enum { CHAINS = 256 };

static struct {
  vptr__lock lock;
  nvtxRangeId_t last;
  started_range *chains[CHAINS];
} open = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF) };

nvtxRangeId_t vptr__nvtx_range_start(const vptr__nvtx_event *event) {
  started_range *range = vptr__memory_calloc(1, sizeof *range);
  if (range == NULL)
    return 0;
  range->message = event->message;
  range->begin = vptr__clock_ns();
  vptr__lock_take(&open.lock);
  nvtxRangeId_t number = ++open.last;
  range->number = number;
  range->next = open.chains[number % CHAINS];
  open.chains[number % CHAINS] = range;
  vptr__lock_give(&open.lock);
  vptr__nvtx_line(vptr__nvtx_stack_depth(), "start %s, range %" PRIu64 "%s", event->message.bytes, number,
                  event->details);
  return number;
}

static started_range *take_range(nvtxRangeId_t number) {
  vptr__lock_take(&open.lock);
  started_range **place = &open.chains[number % CHAINS];
  while (*place != NULL && (*place)->number != number)
    place = &(*place)->next;
  started_range *range = *place;
  if (range != NULL)
    *place = range->next;
  vptr__lock_give(&open.lock);
  return range;
}

void vptr__nvtx_range_end(nvtxRangeId_t number) {
  uint64_t now = vptr__clock_ns();
  started_range *range = take_range(number);
  if (range == NULL)
    return;
  vptr__nvtx_line(vptr__nvtx_stack_depth(), "stop %s, range %" PRIu64 ", %.3f ms", range->message.bytes, number,
                  (double)(now - range->begin) * 1e-6);
  vptr__memory_free(range);
}
