/* SPDX-License-Identifier: MIT */
/*
 * address_index - the search for the mirror that an address lies in, and the references to mirrors (address_index.h).
 *
 * Two trees, `ends` (first address: behind the last) and `mirrors` (first address: vptr__mirror), are made with the
 * first mirror, which the atomic `is_made` tells, and stay: a signal handler may be searching. The static `lock`, of
 * rank LEAF, guards their changes, the searches of `mirrors`, and `references` and `is_taken` of each vptr__mirror
 * (state.h); who waits until nobody has a reference sleeps on the condition `left`, which gives the lock back.
 * vptr__address_index_has() searches `ends` without the lock. A search waits for a change that is under way; a handler
 * cannot have interrupted one, since changes touch no managed memory.
 *
 * Called by mirror.c, which adds and removes mirrors; by fault.c for each fault; by move.c, resident_set.c, restored.c,
 * service.c and visit.c, which need a reference to a mirror; and by all who are given an address: the files of
 * lib/vptr/transfer, cudart/cuda, cudart/module, cudart/pinned and cudart/usm, cudart/managed/managed.c and
 * prefetch_task.c, cudart/replay/fit.c and curand/call.c. vptr__address_index_remove() blocks until nobody has a
 * reference; nothing else blocks.
 */
#include "mirror/address_index.h"

#include "mirror/tombstones.h"
#include "mirror/state.h"
#include "mapper/host.h"
#include "tree/tree.h"

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static pthread_cond_t left = PTHREAD_COND_INITIALIZER;
static atomic_bool is_made; /* the trees; set once, under the lock */
static vptr__tree ends;     /* first address: behind the last */
static vptr__tree mirrors;  /* first address: vptr__mirror */

static uint64_t begin_of(const vptr__mirror *mirror) {
  return (uintptr_t)vptr__mirror_host(mirror);
}

static vptr_status make_trees(void) {
  if (atomic_load_explicit(&is_made, memory_order_relaxed))
    return VPTR_SUCCESS;
  vptr_status status = vptr__tree_init(&ends);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__tree_init(&mirrors);
  if (status != VPTR_SUCCESS) {
    vptr__tree_fini(&ends);
    return status;
  }
  atomic_store_explicit(&is_made, true, memory_order_release);
  return VPTR_SUCCESS;
}

/* Under the lock. Nothing can fail once there are nodes for both. */
static vptr_status insert_mirror(vptr__mirror *mirror) {
  vptr_status status = make_trees();
  if (status == VPTR_SUCCESS)
    status = vptr__tree_reserve(&ends);
  if (status == VPTR_SUCCESS)
    status = vptr__tree_reserve(&mirrors);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__host_widen(vptr__mirror_host(mirror), mirror->view.size);
  vptr__tree_insert(&mirrors, begin_of(mirror), (uintptr_t)mirror);
  vptr__tree_insert(&ends, begin_of(mirror), (uintptr_t)begin_of(mirror) + mirror->view.size);
  return VPTR_SUCCESS;
}

vptr_status vptr__address_index_add(vptr__mirror *mirror) {
  vptr__lock_take(&lock);
  vptr_status status = insert_mirror(mirror);
  vptr__lock_give(&lock);
  return status;
}

void vptr__address_index_remove(vptr__mirror *mirror) {
  vptr__lock_take(&lock);
  vptr__tree_remove(&ends, begin_of(mirror), NULL);
  vptr__tree_remove(&mirrors, begin_of(mirror), NULL);
  while (mirror->references > 0)
    pthread_cond_wait(&left, &lock.mutex);
  vptr__lock_give(&lock);
}

bool vptr__address_index_has(const void *address) {
  uintptr_t end;
  return atomic_load_explicit(&is_made, memory_order_acquire) &&
         vptr__tree_find_le(&ends, (uintptr_t)address, NULL, &end) && (uintptr_t)address < end;
}

vptr__mirror *vptr__address_index_enter(const void *address, size_t *offset_out) {
  vptr__mirror *mirror = NULL;
  uintptr_t found;
  vptr__lock_take(&lock);
  if (vptr__address_index_has(address) && vptr__tree_find_le(&mirrors, (uintptr_t)address, NULL, &found)) {
    mirror = (vptr__mirror *)found;
    mirror->references++;
    *offset_out = (uintptr_t)address - begin_of(mirror);
  }
  vptr__lock_give(&lock);
  return mirror;
}

vptr__mirror *vptr__address_index_enter_next(const void *from) {
  vptr__mirror *mirror = NULL;
  uintptr_t found;
  vptr__lock_take(&lock);
  if (atomic_load_explicit(&is_made, memory_order_relaxed) &&
      vptr__tree_find_ge(&mirrors, (uintptr_t)from, NULL, &found)) {
    mirror = (vptr__mirror *)found;
    mirror->references++;
  }
  vptr__lock_give(&lock);
  return mirror;
}

void vptr__address_index_enter_again(vptr__mirror *mirror) {
  vptr__lock_take(&lock);
  mirror->references++;
  vptr__lock_give(&lock);
}

bool vptr__address_index_was(const void *address) {
  return !vptr__address_index_has(address) && vptr__tombstones_has(address);
}

/* ---- claims ---------------------------------------------------------------------------------------------- */

/* Under the lock, and the trees are made: the first that nobody has claimed, from an address on. */
static vptr__mirror *untaken_from(uint64_t bound, const vptr_mapper *mapper) {
  uint64_t begin;
  uintptr_t found;
  while (vptr__tree_find_ge(&mirrors, bound, &begin, &found)) {
    vptr__mirror *mirror = (vptr__mirror *)found;
    if (!mirror->is_taken && (mapper == NULL || mirror->mapper == mapper))
      return mirror;
    bound = begin + 1;
  }
  return NULL;
}

static vptr__mirror *mark_taken(vptr__mirror *mirror) {
  if (mirror != NULL)
    mirror->is_taken = true;
  return mirror;
}

vptr__mirror *vptr__address_index_take(const void *begin) {
  vptr__mirror *mirror = NULL;
  vptr__lock_take(&lock);
  if (vptr__address_index_has(begin))
    mirror = untaken_from((uintptr_t)begin, NULL);
  if (mirror != NULL && begin_of(mirror) != (uintptr_t)begin)
    mirror = NULL;
  mark_taken(mirror);
  vptr__lock_give(&lock);
  return mirror;
}

vptr__mirror *vptr__address_index_take_any(const vptr_mapper *mapper) {
  vptr__lock_take(&lock);
  vptr__mirror *mirror = mark_taken(atomic_load(&is_made) ? untaken_from(0, mapper) : NULL);
  vptr__lock_give(&lock);
  return mirror;
}

void vptr__address_index_leave(vptr__mirror *mirror) {
  vptr__lock_take(&lock);
  if (--mirror->references == 0)
    pthread_cond_broadcast(&left);
  vptr__lock_give(&lock);
}
