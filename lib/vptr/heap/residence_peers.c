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
 * whether a thread may begin to take memory of it, and how many do. The static `lock`, of rank LEAF, guards these, and
 * is taken here; `changes` is atomic. A heap that ends lets nobody in any more, and waits for its guests.
 *
 * Called by heap.c, when a heap begins and ends; by residence.c, which asks whether others are busy, and what has
 * changed; and by residence_move.c, which takes memory. A heap's end waits for evictions of it.
 */
#include "heap/residence.h"

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static vptr__heap *first;

void vptr__residence_join(vptr__heap *heap) {
  if (heap->insist == NULL)
    return;
  vptr__lock_take(&lock);
  heap->takes_guests = true;
  heap->next_peer = first;
  first = heap;
  vptr__lock_give(&lock);
}

/* A guest goes on from where it is, so the heap stays in the list until the last has left. */
static bool leaves_list(vptr__heap *heap) {
  vptr__lock_take(&lock);
  const bool leaves = heap->guests == 0;
  vptr__heap **link = &first;
  while (*link != heap)
    link = &(*link)->next_peer;
  if (leaves)
    *link = heap->next_peer;
  vptr__lock_give(&lock);
  return leaves;
}

void vptr__residence_part(vptr__heap *heap) {
  if (heap->insist == NULL)
    return;
  vptr__lock_take(&lock);
  heap->takes_guests = false;
  vptr__lock_give(&lock);
  while (!leaves_list(heap))
    vptr__residence_nap();
}

static vptr__heap *next_peer(const vptr__heap *heap, vptr__heap *at) {
  while (at != NULL && (at == heap || !at->takes_guests || at->device->cl_device != heap->device->cl_device))
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

uint64_t vptr__residence_peers_changes(const vptr__heap *heap) {
  uint64_t changes = 0;
  vptr__lock_take(&lock);
  for (vptr__heap *peer = next_peer(heap, first); peer != NULL; peer = next_peer(heap, peer->next_peer))
    changes += atomic_load(&peer->changes);
  vptr__lock_give(&lock);
  return changes;
}
