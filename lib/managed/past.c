/* SPDX-License-Identifier: MIT */
/* past - see past.h. */
#include "managed/past.h"

#include "base/lock.h"
#include "managed/view.h"

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static struct { uintptr_t begin, end; } ring[VPTR__PAST_MOST];
static size_t next;

void vptr__past_add(const void *begin, size_t size) {
  vptr__lock_take(&lock);
  ring[next].begin = (uintptr_t)begin;
  ring[next].end = (uintptr_t)begin + size;
  next = (next + 1) % VPTR__PAST_MOST;
  vptr__lock_give(&lock);
}

static bool is_remembered(uintptr_t address) {
  bool found = false;
  vptr__lock_take(&lock);
  for (size_t i = 0; i < VPTR__PAST_MOST && !found; i++)
    found = ring[i].begin <= address && address < ring[i].end;
  vptr__lock_give(&lock);
  return found;
}

bool vptr__past_has(const void *address) {
  return is_remembered((uintptr_t)address) && vptr__view_is_vacant(address);
}
