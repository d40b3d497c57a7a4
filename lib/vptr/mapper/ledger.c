/* SPDX-License-Identifier: MIT */
/*
 * ledger - see ledger.h. A tree from first address to entry; entries are allocated here, and freed when struck out.
 *
 * The static `ledger` has the tree, the count of entries and its `lock`, of rank LEAF, which guards them and is taken
 * here; vptr__ledger_is_kept is atomic. Called by cudart/cuda/host.c, cudart/cuda/managed.c, cudart/usm/usm.c and
 * mirror/restored.c, which enter; by cudart/pinned/restored.c, which does both; by cudart/pinned/pinned.c and
 * mirror/mirror.c, which strike out; by cudart/module/grid.c, group.c, print.c, room.c, spill.c and
 * cudart/pinned/alias.c, for what is the library's own; and by leaks.c, which has the ledger kept, and lists.
 * Nothing blocks.
 */
#include "mapper/ledger.h"

#include "base/lock.h"
#include "base/memory.h"
#include "tree/tree.h"

atomic_bool vptr__ledger_is_kept;

static struct {
  vptr__lock lock;
  bool has_tree;
  size_t count;
  vptr__tree by_base;
} ledger = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF) };

/* ---- under the lock ------------------------------------------------------------------------------------- */

static vptr__ledger_entry *find_ledger_entry(const void *base) {
  uint64_t key;
  uintptr_t value;
  bool found = ledger.has_tree && vptr__tree_find_ge(&ledger.by_base, (uintptr_t)base, &key, &value);
  return found && key == (uintptr_t)base ? (vptr__ledger_entry *)value : NULL;
}

static bool has_room(void) {
  if (!ledger.has_tree)
    ledger.has_tree = vptr__tree_init(&ledger.by_base) == VPTR_SUCCESS;
  return ledger.has_tree && vptr__tree_reserve(&ledger.by_base) == VPTR_SUCCESS;
}

static void store_entry(const vptr__ledger_entry *entry) {
  vptr__ledger_entry *made = find_ledger_entry(entry->base);
  if (made == NULL) {
    made = has_room() ? vptr__memory_calloc(1, sizeof *made) : NULL;
    if (made == NULL)
      return;
    vptr__tree_insert(&ledger.by_base, (uintptr_t)entry->base, (uintptr_t)made);
    ledger.count++;
  }
  *made = *entry;
}

/* ---- entering and striking out -------------------------------------------------------------------------- */

void vptr__ledger_restore(const vptr__ledger_entry *entry) {
  if (entry->kind == VPTR__LEDGER_NONE)
    return;
  vptr__lock_take(&ledger.lock);
  store_entry(entry);
  vptr__lock_give(&ledger.lock);
}

void vptr__ledger_enter(vptr__ledger_kind kind, const vptr_mapper *mapper, const void *base, size_t size,
                        const void *site) {
  if (vptr__ledger_wanted())
    vptr__ledger_restore(&(vptr__ledger_entry){ kind, mapper, base, size, 0, site });
}

void vptr__ledger_own(vptr_mapper *mapper, const void *ptr) {
  vptr_location location;
  if (vptr__ledger_wanted() && vptr__mapper_locate(mapper, ptr, 1, &location) == VPTR_SUCCESS)
    vptr__ledger_restore(
        &(vptr__ledger_entry){ VPTR__LEDGER_OWN, mapper, location.base, location.size, location.serial, NULL });
}

vptr__ledger_entry vptr__ledger_strike(const void *base) {
  vptr__ledger_entry struck = { VPTR__LEDGER_NONE, NULL, NULL, 0, 0, NULL };
  if (!vptr__ledger_wanted())
    return struck;
  vptr__lock_take(&ledger.lock);
  vptr__ledger_entry *entry = find_ledger_entry(base);
  if (entry != NULL) {
    struck = *entry;
    vptr__tree_remove(&ledger.by_base, (uintptr_t)base, NULL);
    vptr__memory_free(entry);
    ledger.count--;
  }
  vptr__lock_give(&ledger.lock);
  return struck;
}

/* ---- asking --------------------------------------------------------------------------------------------- */

bool vptr__ledger_is_own(const vptr_location *location) {
  vptr__lock_take(&ledger.lock);
  const vptr__ledger_entry *entry = find_ledger_entry(location->base);
  bool is_own = entry != NULL && entry->kind == VPTR__LEDGER_OWN && entry->serial == location->serial;
  vptr__lock_give(&ledger.lock);
  return is_own;
}

bool vptr__ledger_next(const vptr_mapper *mapper, uintptr_t from, vptr__ledger_entry *entry_out) {
  bool found = false;
  uint64_t key = from;
  uintptr_t value;
  vptr__lock_take(&ledger.lock);
  while (!found && ledger.has_tree && vptr__tree_find_ge(&ledger.by_base, key, &key, &value)) {
    *entry_out = *(const vptr__ledger_entry *)value;
    found = entry_out->mapper == mapper && entry_out->kind != VPTR__LEDGER_OWN;
    key++;
  }
  vptr__lock_give(&ledger.lock);
  return found;
}

size_t vptr__ledger_count(void) {
  vptr__lock_take(&ledger.lock);
  size_t count = ledger.count;
  vptr__lock_give(&ledger.lock);
  return count;
}
