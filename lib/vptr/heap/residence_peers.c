/* SPDX-License-Identifier: MIT */
/*
 * residence_peers - keeps the list of heaps that move (residence.h), by which a heap takes memory of others on its
 * device.
 *
 * Two mappers on one device, in two contexts or one, have one memory. A heap that finds none takes what another has
 * idle, and then what that used longest ago. That is like an eviction of its own, since the thread holds nothing of the
 * other heap, waits for its queues alone, and leaves alone what is leased there.
 *
 * The static `first` and the heaps' `next_peer` are the list; `takes_guests` and `guests` of each heap (state.h) say
 * whether a thread may begin to take memory of it, and how many do; `changes_before` is what heaps that have left the
 * list had counted. The static `lock`, of rank LEAF, guards these, and is taken here; `changes` is atomic.
 *
 * A heap that ends lets nobody in any more, and waits for its guests. Its memory cannot be taken from then on, and is
 * not free before all of it is released: so it stays in the list until then, and whoever looks for room waits for it.
 *
 * Called by heap.c, when a heap begins and ends; by residence.c, which asks whether others are busy, and what has
 * changed; and by residence_move.c, which takes memory. A heap's end waits for evictions of it.
 */
#include "heap/residence.h"

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static vptr__heap *first;
static uint64_t changes_before;

void vptr__residence_join(vptr__heap *heap) {
  if (heap->insist == NULL)
    return;
  vptr__lock_take(&lock);
  heap->takes_guests = true;
  heap->next_peer = first;
  first = heap;
  vptr__lock_give(&lock);
}

/* From now on the number of guests falls. */
static bool has_guests(vptr__heap *heap) {
  vptr__lock_take(&lock);
  heap->takes_guests = false;
  const bool has = heap->guests > 0;
  vptr__lock_give(&lock);
  return has;
}

void vptr__residence_close(vptr__heap *heap) {
  if (heap->insist == NULL)
    return;
  while (has_guests(heap))
    vptr__residence_nap();
}

void vptr__residence_part(vptr__heap *heap) {
  if (heap->insist == NULL)
    return;
  vptr__lock_take(&lock);
  vptr__heap **link = &first;
  while (*link != heap)
    link = &(*link)->next_peer;
  *link = heap->next_peer;
  changes_before += atomic_load(&heap->changes) + 1;
  vptr__lock_give(&lock);
}

static bool is_peer(const vptr__heap *heap, const vptr__heap *other) {
  return other != heap && other->device->cl_device == heap->device->cl_device;
}

static vptr__heap *next_peer(const vptr__heap *heap, vptr__heap *at) {
  while (at != NULL && !(at->takes_guests && is_peer(heap, at)))
    at = at->next_peer;
  return at;
}

vptr__heap *vptr__residence_next_peer(const vptr__heap *heap, vptr__heap *before) {
  vptr__lock_take(&lock);
  vptr__heap *next = next_peer(heap, before != NULL ? before->next_peer : first);
  if (before != NULL)
    before->guests--;
  if (next != NULL)
    next->guests++;
  vptr__lock_give(&lock);
  return next;
}

void vptr__residence_end_visit(vptr__heap *peer) {
  vptr__lock_take(&lock);
  peer->guests--;
  vptr__lock_give(&lock);
}

bool vptr__residence_peer_ends(const vptr__heap *heap) {
  bool ends = false;
  vptr__lock_take(&lock);
  for (const vptr__heap *other = first; other != NULL && !ends; other = other->next_peer)
    ends = !other->takes_guests && is_peer(heap, other);
  vptr__lock_give(&lock);
  return ends;
}

uint64_t vptr__residence_peers_changes(const vptr__heap *heap) {
  vptr__lock_take(&lock);
  uint64_t changes = changes_before;
  for (const vptr__heap *other = first; other != NULL; other = other->next_peer)
    if (is_peer(heap, other))
      changes += atomic_load(&other->changes);
  vptr__lock_give(&lock);
  return changes;
}
