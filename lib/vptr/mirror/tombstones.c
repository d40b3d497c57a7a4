/* SPDX-License-Identifier: MIT */
/*
 * tombstones - the ring of addresses that were managed memory or pinned memory (tombstones.h).
 *
 * The static `ring` has the latest 256 of them, and `next` says which place is written next; `low` and `high`, atomic,
 * are the bounds of all there ever were, so that most addresses are answered without the lock. The static `lock`, of
 * rank LEAF, guards the ring and `next` and the changes of the bounds, and is not held while the system is asked
 * whether an address is vacant. Called by mirror.c and cudart/pinned/chunk.c when memory ends, and by address_index.c
 * for an address that is no mirror's. Nothing fails, and nothing blocks but for that lock.
 */
#include "mirror/tombstones.h"

#include <stdatomic.h>

#include "base/lock.h"
#include "mirror/view.h"

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static struct {
  uintptr_t begin, end;
  bool is_mapped; /* still */
} ring[VPTR__TOMBSTONES_MOST];
static size_t next;
static _Atomic(uintptr_t) low = UINTPTR_MAX, high; /* all of them lie between: most addresses do not */

void vptr__tombstones_add(const void *begin, size_t size) {
  vptr__lock_take(&lock);
  if ((uintptr_t)begin < atomic_load(&low))
    atomic_store(&low, (uintptr_t)begin);
  if ((uintptr_t)begin + size > atomic_load(&high))
    atomic_store(&high, (uintptr_t)begin + size);
  ring[next].begin = (uintptr_t)begin;
  ring[next].end = (uintptr_t)begin + size;
  ring[next].is_mapped = true;
  next = (next + 1) % VPTR__TOMBSTONES_MOST;
  vptr__lock_give(&lock);
}

void vptr__tombstones_settle(const void *begin) {
  vptr__lock_take(&lock);
  for (size_t i = 0; i < VPTR__TOMBSTONES_MOST; i++)
    if (ring[i].begin == (uintptr_t)begin)
      ring[i].is_mapped = false;
  vptr__lock_give(&lock);
}

static bool is_remembered(uintptr_t address, bool *is_mapped_out) {
  bool found = false, is_mapped = false;
  vptr__lock_take(&lock);
  for (size_t i = 0; i < VPTR__TOMBSTONES_MOST; i++)
    if (ring[i].begin <= address && address < ring[i].end) {
      found = true;
      is_mapped = is_mapped || ring[i].is_mapped;
    }
  vptr__lock_give(&lock);
  *is_mapped_out = is_mapped;
  return found;
}

bool vptr__tombstones_has(const void *address) {
  bool is_mapped;
  if ((uintptr_t)address < atomic_load(&low) || (uintptr_t)address >= atomic_load(&high))
    return false;
  return is_remembered((uintptr_t)address, &is_mapped) && (is_mapped || vptr__view_is_vacant(address));
}
