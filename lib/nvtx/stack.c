/* SPDX-License-Identifier: MIT */
/*
 * stack - see stack.h.
 *
 * One list for all domains, the innermost range first: ranges of different domains need not nest, so that a pop takes
 * the first of its own domain out of it. It is its thread's alone, and needs no lock; it is given back when the thread
 * ends. Called by injection.c and range.c, and by the C library when a thread ends.
 */
#include "nvtx/stack.h"

#include <pthread.h>

#include "base/clock.h"
#include "base/memory.h"
#include "nvtx/domain.h"
#include "nvtx/line.h"

typedef struct open_range {
  struct open_range *outer;
  uint64_t domain, begin;
  int level;
  vptr__nvtx_text message;
} open_range;

static _Thread_local open_range *innermost;
static _Thread_local size_t depth;

static pthread_key_t thread_end;
static pthread_once_t thread_end_made = PTHREAD_ONCE_INIT;

static void forget_ranges(void *unused) {
  (void)unused;
  while (innermost != NULL) {
    open_range *range = innermost;
    innermost = range->outer;
    vptr__memory_free(range);
  }
  depth = 0;
}

static void make_thread_end(void) {
  pthread_key_create(&thread_end, forget_ranges);
}

/* Where the innermost range of a domain hangs, or the list's end. */
static open_range **find_range(uint64_t domain) {
  open_range **place = &innermost;
  while (*place != NULL && (*place)->domain != domain)
    place = &(*place)->outer;
  return place;
}

int vptr__nvtx_stack_push(nvtxDomainHandle_t domain, const vptr__nvtx_event *event) {
  open_range *range = vptr__memory_calloc(1, sizeof *range);
  if (range == NULL)
    return VPTR__NVTX_NO_LEVEL;
  pthread_once(&thread_end_made, make_thread_end);
  if (innermost == NULL)
    pthread_setspecific(thread_end, range); /* any value but NULL: the function finds the list by itself */
  range->domain = vptr__nvtx_domain_number(domain);
  const open_range *around = *find_range(range->domain);
  range->level = around != NULL ? around->level + 1 : 0;
  range->message = event->message;
  range->outer = innermost;
  innermost = range;
  vptr__nvtx_line(depth++, "begin %s%s", event->message.bytes, event->details);
  range->begin = vptr__clock_ns();
  return range->level;
}

int vptr__nvtx_stack_pop(nvtxDomainHandle_t domain) {
  uint64_t now = vptr__clock_ns();
  open_range **place = find_range(vptr__nvtx_domain_number(domain));
  open_range *range = *place;
  if (range == NULL)
    return VPTR__NVTX_NO_LEVEL;
  *place = range->outer;
  int level = range->level;
  vptr__nvtx_line(--depth, "end %s, %.3f ms", range->message.bytes, (double)(now - range->begin) * 1e-6);
  vptr__memory_free(range);
  return level;
}

size_t vptr__nvtx_stack_depth(void) {
  return depth;
}
