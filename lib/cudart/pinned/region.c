/* SPDX-License-Identifier: MIT */
/*
 * region - the registry of all ranges of pinned memory, and the work that uses each (region.h).
 *
 * The static `registry` has the tree of regions, the list of all records ever made and those to use again, a table of
 * guesses by address, and the bounds of all addresses; its member `lock`, of rank HEAP, guards changes of the tree and
 * of what is not atomic. Of a region's atomic fields, alias.c sets is_shared, pinned.c sets size to 0 when it frees a
 * WHOLE one, and depot.c sets size, flags and is_shared when it gives an idle region away again, and `next` of idle
 * ones, under vptr__region_lock(), which lends it the lock; its blocks are set by pinned.c and alias.c (blocks.h). All
 * else is written here. Searches take no lock, and records are never freed.
 *
 * Called by chunk.c and register.c, which enter and remove regions, and register.c searches, too; by pinned.c,
 * bounds.c, alias.c, restored.c, system.c, supply_jemalloc.c and usm/place.c, which search; by depot.c, which keeps
 * idle regions in order, and searches for a new block's; and by pinned.c and alias.c, which note a device that uses
 * a region. alias.c also calls vptr__region_wait() before a region is freed, which blocks until those devices have
 * done their work, by vptr_finish(), so that its callers hold no lock. A region that leaves is unpinned without the
 * lock, and so is a stale one where another enters; to enter fails without host memory, or where another region
 * lies.
 */
#include "pinned/region.h"

#include "base/error.h"
#include "base/hot.h"
#include "base/memory.h"
#include "mapper/host.h"
#include "tree/tree.h"

enum { GUESS_SHIFT = 20 /* allocations have regions of their own from there on */, GUESSES = 256 };

static struct {
  vptr__lock lock;
  _Atomic(bool) has_tree;
  vptr__tree by_base;             /* first address -> region; searches take no lock */
  _Atomic(vptr__region *) latest; /* every record ever made */
  vptr__region *first_free;
  _Atomic(uintptr_t) low, high; /* all regions ever lay between the two: most memory does not */
  _Atomic(vptr__region *)
      guesses[GUESSES]; /* the latest in that piece of the addresses, or in one that shares its place */
} registry = { .lock = VPTR__LOCK_INIT(VPTR__RANK_HEAP), .low = UINTPTR_MAX };

void vptr__region_lock(void) {
  vptr__lock_take(&registry.lock);
}

void vptr__region_unlock(void) {
  vptr__lock_give(&registry.lock);
}

/* ---- look-up -------------------------------------------------------------------------------------------- */

static vptr__region *at_or_before(uintptr_t address) {
  uintptr_t value;
  if (!atomic_load_explicit(&registry.has_tree, memory_order_acquire) ||
      !vptr__tree_find_le(&registry.by_base, address, NULL, &value))
    return NULL;
  return (vptr__region *)value;
}

static _Atomic(vptr__region *) *guess_for(uintptr_t address) {
  return &registry.guesses[(address >> GUESS_SHIFT) % GUESSES];
}

/* Nearly always right, and then as exact as the tree: since regions do not overlap, the one that has the address is it.
 * The record may be another region by now, or become one; then its life moves on. */
static vptr__region *guess_region(uintptr_t address) {
  vptr__region *region = atomic_load_explicit(guess_for(address), memory_order_acquire);
  if (region == NULL)
    return NULL;
  unsigned life = atomic_load_explicit(&region->life, memory_order_acquire);
  uintptr_t base = atomic_load_explicit(&region->base, memory_order_acquire);
  size_t bytes = atomic_load_explicit(&region->bytes, memory_order_acquire);
  bool has = address - base < bytes && life % 2 != 0;
  return has && atomic_load_explicit(&region->life, memory_order_relaxed) == life ? region : NULL;
}

VPTR__APART static vptr__region *search_tree(uintptr_t address) {
  vptr__region *region = at_or_before(address);
  if (region == NULL)
    return NULL;
  uintptr_t base = atomic_load_explicit(&region->base, memory_order_relaxed);
  return address - base < atomic_load_explicit(&region->bytes, memory_order_relaxed) ? region : NULL;
}

VPTR__HOT vptr__region *vptr__region_of(const void *host) {
  if ((uintptr_t)host < atomic_load_explicit(&registry.low, memory_order_relaxed) ||
      (uintptr_t)host >= atomic_load_explicit(&registry.high, memory_order_acquire))
    return NULL;
  vptr__region *region = guess_region((uintptr_t)host);
  return region != NULL ? region : search_tree((uintptr_t)host);
}

VPTR__HOT bool vptr__region_has_near(const void *host, size_t size) {
  const uintptr_t address = (uintptr_t)host;
  size_t start;
  uint32_t word;
  if (address < atomic_load_explicit(&registry.low, memory_order_relaxed))
    return false;
  const vptr__region *region = guess_region(address);
  if (region == NULL || atomic_load_explicit(&region->kind, memory_order_acquire) != VPTR__REGION_BLOCKS)
    return false;
  size_t offset = address - atomic_load_explicit(&region->base, memory_order_relaxed);
  if (offset >= atomic_load_explicit(&region->bytes, memory_order_relaxed)) /* it may be another region by now */
    return false;
  if (!vptr__blocks_find_near(&region->blocks, offset / VPTR__BLOCK_STEP, &start, &word))
    return false;
  size_t inside = offset - start * VPTR__BLOCK_STEP, whole = vptr__block_size(word);
  return inside < whole && size <= whole - inside;
}

static vptr__region *find_overlapping(uintptr_t base, size_t size) {
  vptr__region *region = at_or_before(base + (size - 1));
  return region != NULL && atomic_load(&region->base) + atomic_load(&region->bytes) > base ? region : NULL;
}

bool vptr__region_overlaps(const void *host, size_t size) {
  return find_overlapping((uintptr_t)host, size) != NULL;
}

vptr__region *vptr__region_latest(void) {
  return atomic_load_explicit(&registry.latest, memory_order_acquire);
}

/* ---- coming and going ----------------------------------------------------------------------------------- */

/* Under the lock, as all to remove_locked(). */
static vptr_status prepare_insert(void) {
  if (!atomic_load(&registry.has_tree)) {
    vptr_status status = vptr__tree_init(&registry.by_base);
    if (status != VPTR_SUCCESS)
      return status;
    atomic_store_explicit(&registry.has_tree, true, memory_order_release);
  }
  vptr_status status = vptr__tree_reserve(&registry.by_base);
  if (status != VPTR_SUCCESS || registry.first_free != NULL)
    return status;
  vptr__region *made = vptr__memory_calloc(1, sizeof *made);
  if (made == NULL)
    return vptr__error_host_memory(sizeof *made);
  made->older = atomic_load(&registry.latest);
  atomic_store_explicit(&registry.latest, made, memory_order_release);
  registry.first_free = made;
  return VPTR_SUCCESS;
}

static void widen_bounds(uintptr_t base, size_t bytes) {
  if (base < atomic_load(&registry.low))
    atomic_store(&registry.low, base);
  if (base + bytes > atomic_load(&registry.high))
    atomic_store(&registry.high, base + bytes);
}

/* A region that is larger than all that the table has places for takes them all. */
static void set_guesses(vptr__region *region, uintptr_t base, size_t bytes) {
  uintptr_t first = base >> GUESS_SHIFT, last = (base + (bytes - 1)) >> GUESS_SHIFT;
  for (uintptr_t at = first; at <= last && at < first + GUESSES; at++)
    atomic_store_explicit(&registry.guesses[at % GUESSES], region, memory_order_release);
}

static vptr__region *insert_region(const vptr__region_plan *plan) {
  vptr__region *region = registry.first_free;
  registry.first_free = region->next;
  region->next = NULL;
  region->blocks = plan->blocks;
  region->pin = plan->pin;
  region->is_restored = plan->is_restored;
  atomic_store(&region->base, (uintptr_t)plan->base);
  atomic_store(&region->bytes, plan->bytes);
  atomic_store(&region->mapper, plan->mapper);
  atomic_store(&region->size, plan->size);
  atomic_store(&region->flags, plan->flags);
  atomic_store(&region->is_shared, false);
  atomic_store(&region->users, 0);
  atomic_store(&region->waited, atomic_load(&region->acquired));
  atomic_store(&region->kind, plan->kind);
  atomic_fetch_add(&region->life, 1);
  vptr__tree_insert(&registry.by_base, (uintptr_t)plan->base, (uintptr_t)region);
  widen_bounds((uintptr_t)plan->base, plan->bytes);
  if (plan->kind != VPTR__REGION_REGISTERED)
    vptr__host_widen(plan->base, plan->bytes);
  set_guesses(region, (uintptr_t)plan->base, plan->bytes);
  return region;
}

/* Chunks stay for good, so a record that is free never has blocks. */
static void remove_locked(vptr__region *region) {
  vptr__tree_remove(&registry.by_base, atomic_load(&region->base), NULL);
  atomic_fetch_add(&region->life, 1);
  atomic_store(&region->kind, VPTR__REGION_NONE);
  atomic_store(&region->size, 0);
  atomic_store(&region->bytes, 0);
  region->next = registry.first_free;
  registry.first_free = region;
}

static void unpin_region(vptr_mapper *mapper, cl_mem pin, uintptr_t base) {
  if (pin != NULL)
    mapper->device->ops->memory.unpin_host(mapper->device, pin, (void *)base);
}

bool vptr__region_leave(vptr__region *region, vptr__region_kind kind, uintptr_t base) {
  vptr__region_lock();
  bool is_it = atomic_load(&region->kind) == kind && atomic_load(&region->base) == base;
  vptr_mapper *mapper = atomic_load(&region->mapper);
  cl_mem pin = region->pin;
  if (is_it)
    remove_locked(region);
  vptr__region_unlock();
  if (is_it)
    unpin_region(mapper, pin, base);
  return is_it;
}

static vptr_status refuse_overlap(const vptr__region_plan *plan, const vptr__region *other) {
  return vptr__error(VPTR_ERROR_MAPPED, "%zu bytes at %p: pinned memory of %zu bytes at %p is in the way",
                     plan->bytes, plan->base, (size_t)atomic_load(&other->bytes), (void *)atomic_load(&other->base));
}

/* Enters it, or tells by *stale_out which registration has to go before. Under the lock. */
static vptr_status enter_locked(const vptr__region_plan *plan, vptr__region **region_out, vptr__region **stale_out) {
  vptr__region *other = find_overlapping((uintptr_t)plan->base, plan->bytes);
  *stale_out = NULL;
  if (other != NULL) {
    bool is_stale = plan->kind != VPTR__REGION_REGISTERED && atomic_load(&other->kind) == VPTR__REGION_REGISTERED;
    *stale_out = is_stale ? other : NULL;
    return is_stale ? VPTR_ERROR_MAPPED : refuse_overlap(plan, other);
  }
  vptr_status status = prepare_insert();
  if (status == VPTR_SUCCESS)
    *region_out = insert_region(plan);
  return status;
}

vptr_status vptr__region_enter(const vptr__region_plan *plan, vptr__region **region_out) {
  for (;;) {
    vptr__region *stale;
    vptr__region_lock();
    vptr_status status = enter_locked(plan, region_out, &stale);
    uintptr_t base = stale != NULL ? atomic_load(&stale->base) : 0;
    vptr__region_unlock();
    if (stale == NULL)
      return status;
    vptr__region_leave(stale, VPTR__REGION_REGISTERED, base);
  }
}

/* ---- acquiring -------------------------------------------------------------------------------------------- */

_Static_assert(VPTR__MOST_DEVICES <= 64, "users has a bit for each device");

void vptr__region_acquire(vptr__region *region, int ordinal) {
  uint64_t user = ordinal >= 0 && ordinal < VPTR__MOST_DEVICES ? UINT64_C(1) << ordinal : 0;
  if ((atomic_load(&region->users) & user) != user)
    atomic_fetch_or(&region->users, user);
  atomic_fetch_add(&region->acquired, 1);
}

static vptr_status wait_for(uint64_t users) {
  vptr_status first = VPTR_SUCCESS;
  for (int ordinal = 0; users != 0; ordinal++, users >>= 1) {
    vptr_mapper *mapper;
    if ((users & 1) == 0)
      continue;
    vptr_status status = vptr__mapper_for_device(ordinal, &mapper);
    if (status == VPTR_SUCCESS)
      status = vptr_finish(mapper);
    if (first == VPTR_SUCCESS)
      first = status;
  }
  return first;
}

vptr_status vptr__region_wait(vptr__region *region) {
  uint64_t acquired = atomic_load(&region->acquired);
  uint64_t waited = atomic_load(&region->waited);
  if (waited >= acquired)
    return VPTR_SUCCESS;
  vptr_status status = wait_for(atomic_load(&region->users));
  while (status == VPTR_SUCCESS && waited < acquired)
    if (atomic_compare_exchange_weak(&region->waited, &waited, acquired))
      break;
  return status;
}
