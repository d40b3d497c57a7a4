/* SPDX-License-Identifier: MIT */
/*
 * handle - the set of live streams and events, by address (handle.h).
 *
 * The static `handles` has a tree from handle to kind, `kinds`. `handles.lock`, of rank LEAF, guards its changes;
 * searches take no lock, at any time, for the tree is never ended: the atomic `has_tree` says that it is there. Threads
 * mostly ask for the handle that they asked for last, a stream in a loop of launches, so each thread remembers that one
 * in the thread-local `last`. It is valid until `removals` changes, the atomic count of handles that were removed.
 *
 * Called by stream.c and event.c alone: they add a handle when a stream or an event is made, remove it when that is
 * destroyed, and search for it in vptr__stream_is_live() and vptr__event_is_live(). Nothing blocks, but for that lock;
 * adding fails without host memory. To remove a stream's handle ends the epoch (mapper/registry.h).
 */
#include "stream/handle.h"

#include <stdatomic.h>

#include "base/hot.h"
#include "base/lock.h"
#include "mapper/registry.h"
#include "tree/tree.h"

static struct {
  vptr__lock lock;
  atomic_bool has_tree;
  vptr__tree kinds; /* handle -> kind */
  atomic_uint_fast64_t removals;
} handles = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF) };

static _Thread_local struct {
  const void *handle;
  vptr__handle_kind kind;
  uint_fast64_t removals; /* when it was there */
} last;

static vptr_status add_locked(uintptr_t key, vptr__handle_kind kind) {
  if (!atomic_load(&handles.has_tree)) {
    vptr_status status = vptr__tree_init(&handles.kinds);
    if (status != VPTR_SUCCESS)
      return status;
    atomic_store(&handles.has_tree, true);
  }
  vptr_status status = vptr__tree_reserve(&handles.kinds);
  if (status == VPTR_SUCCESS)
    vptr__tree_insert(&handles.kinds, key, (uintptr_t)kind);
  return status;
}

vptr_status vptr__handle_add(const void *handle, vptr__handle_kind kind) {
  vptr__lock_take(&handles.lock);
  vptr_status status = add_locked((uintptr_t)handle, kind);
  vptr__lock_give(&handles.lock);
  return status;
}

bool vptr__handle_remove(const void *handle, vptr__handle_kind kind) {
  vptr__lock_take(&handles.lock);
  bool there = vptr__handle_is(handle, kind);
  if (there) {
    vptr__tree_remove(&handles.kinds, (uintptr_t)handle, NULL);
    atomic_fetch_add(&handles.removals, 1);
    if (kind == VPTR__HANDLE_STREAM)
      vptr__epoch_end();
  }
  vptr__lock_give(&handles.lock);
  return there;
}

static bool is_in_tree(const void *handle, vptr__handle_kind kind) {
  uint64_t key;
  uintptr_t value;
  return atomic_load_explicit(&handles.has_tree, memory_order_acquire) &&
         vptr__tree_find_le(&handles.kinds, (uintptr_t)handle, &key, &value) && key == (uintptr_t)handle &&
         value == (uintptr_t)kind;
}

/* How many were removed is read before the tree: what is removed meanwhile is searched for again next time. */
VPTR__HOT bool vptr__handle_is(const void *handle, vptr__handle_kind kind) {
  uint_fast64_t removals = atomic_load_explicit(&handles.removals, memory_order_acquire);
  if (handle == last.handle && kind == last.kind && removals == last.removals)
    return handle != NULL;
  if (!is_in_tree(handle, kind))
    return false;
  last.handle = handle;
  last.kind = kind;
  last.removals = removals;
  return true;
}
