/* SPDX-License-Identifier: MIT */
/*
 * pool - one pool: its life, its settings, its figures, and its common bins (pool.h).
 *
 * A vptr__pool (pool_allocator.h) belongs to its mapper's pool allocator. vptr__pool_allocator.lock, of rank POOL,
 * guards it; which one is current is atomic. vptr__pool_make() allocates a pool. pool_free() frees one that has ended
 * when it has no block any more and no allocation looks in it, and pool_allocator.c frees all that are left when the
 * allocator ends. All pools that a program may name hang in one list for the process too, the static `live_pools`, so
 * that any value can be checked without looking at any memory behind it; `live_lock`, of rank LEAF, guards that list
 * alone.
 *
 * Called by cudart/cuda/pool.c and pool_attribute.c for CUDA's calls about pools, without the lock; by reuse.c and
 * free_list.c, with the lock held, when a block comes to a pool or leaves it; and by pool_allocator.c, with the lock
 * held but when it makes and ends the allocator. Nothing here waits for the device on purpose. With the lock held,
 * giving a block back to the heap may have to (heap/heap.c), and looking how far the streams are may wait until another
 * thread has sent what it is sending (free_list.c). So whoever takes the lock may wait as long, if only to ask for an
 * attribute. Allocation and free are in reuse.c, which counts what is live and how many blocks there are, under the
 * same lock.
 */
#include "pool/pool_allocator.h"

#include "base/error.h"
#include "base/memory.h"

static vptr__lock live_lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static vptr__pool *live_pools;

void vptr__pool_list(vptr__pool *pool) {
  vptr__lock_take(&live_lock);
  pool->next_live = live_pools;
  live_pools = pool;
  vptr__lock_give(&live_lock);
}

void vptr__pool_unlist(vptr__pool *pool) {
  vptr__lock_take(&live_lock);
  vptr__pool **link = &live_pools;
  while (*link != NULL && *link != pool)
    link = &(*link)->next_live;
  if (*link != NULL)
    *link = pool->next_live;
  vptr__lock_give(&live_lock);
}

bool vptr__pool_is_live(const void *pool) {
  vptr__lock_take(&live_lock);
  const vptr__pool *found = live_pools;
  while (found != NULL && found != pool)
    found = found->next_live;
  vptr__lock_give(&live_lock);
  return found != NULL;
}

/* ---- life ----------------------------------------------------------------------------------------------- */

void vptr__pool_renew(vptr__pool *pool) {
  pool->flags = VPTR__POOL_ALL_REUSE;
  pool->threshold = 0;
  pool->stats.reserved_high = pool->stats.reserved;
  pool->stats.used_high = pool->stats.used;
}

vptr_status vptr__pool_make(vptr__pool_allocator *allocator, size_t most, vptr__pool **pool_out) {
  vptr__pool *pool = vptr__memory_calloc(1, sizeof *pool);
  if (pool == NULL)
    return vptr__error_host_memory(sizeof *pool);
  pool->allocator = allocator;
  vptr__pool_renew(pool);
  pool->most = most != 0 ? most : SIZE_MAX;
  pool->next = allocator->pools;
  allocator->pools = pool;
  *pool_out = pool;
  return VPTR_SUCCESS;
}

vptr_status vptr__pool_create(vptr_mapper *mapper, size_t most, vptr__pool **pool_out) {
  vptr__pool_allocator *allocator;
  vptr_status status = vptr__pool_allocator_of(mapper, &allocator);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__pool *pool = NULL;
  vptr__lock_take(&allocator->lock);
  status = vptr__pool_make(allocator, most, &pool);
  vptr__lock_give(&allocator->lock);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__pool_list(pool);
  *pool_out = pool;
  return VPTR_SUCCESS;
}

static void pool_free(vptr__pool *pool) {
  vptr__pool_allocator *allocator = pool->allocator;
  vptr__free_list_drop_pool(allocator, pool);
  vptr__pool **link = &allocator->pools;
  while (*link != pool)
    link = &(*link)->next;
  *link = pool->next;
  vptr__memory_free(pool);
}

static void pool_free_unused(vptr__pool *pool) {
  if (pool->is_destroyed && pool->blocks == 0 && pool->holds == 0)
    pool_free(pool);
}

void vptr__pool_left(vptr__pool *pool) {
  pool->blocks--;
  pool_free_unused(pool);
}

void vptr__pool_hold(vptr__pool *pool) {
  pool->holds++;
}

void vptr__pool_release_hold(vptr__pool *pool) {
  pool->holds--;
  pool_free_unused(pool);
}

void vptr__pool_end(vptr__pool *pool) {
  vptr__pool_allocator *allocator = pool->allocator;
  if (allocator->current == pool)
    allocator->current = allocator->standard;
  vptr__pool_shrink(pool, 0);
  pool->is_destroyed = true;
  pool->threshold = 0;
  pool_free_unused(pool);
}

vptr_status vptr__pool_destroy(vptr__pool *pool) {
  vptr__pool_allocator *allocator = pool->allocator;
  if (pool == allocator->standard)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "a device's default memory pool lives as long as the device");
  vptr__pool_unlist(pool);
  vptr__lock_take(&allocator->lock);
  vptr__free_list_each(allocator, vptr__free_list_look, NULL);
  vptr__pool_end(pool);
  vptr__lock_give(&allocator->lock);
  return VPTR_SUCCESS;
}

/* ---- which one ------------------------------------------------------------------------------------------ */

vptr_status vptr__pool_default(vptr_mapper *mapper, vptr__pool **pool_out) {
  vptr__pool_allocator *allocator;
  vptr_status status = vptr__pool_allocator_of(mapper, &allocator);
  if (status == VPTR_SUCCESS)
    *pool_out = allocator->standard;
  return status;
}

vptr_status vptr__pool_current(vptr_mapper *mapper, vptr__pool **pool_out) {
  vptr__pool_allocator *allocator;
  vptr_status status = vptr__pool_allocator_of(mapper, &allocator);
  if (status == VPTR_SUCCESS)
    *pool_out = atomic_load_explicit(&allocator->current, memory_order_acquire);
  return status;
}

void vptr__pool_make_current(vptr__pool *pool) {
  atomic_store_explicit(&pool->allocator->current, pool, memory_order_release);
}

vptr_mapper *vptr__pool_mapper(const vptr__pool *pool) {
  return pool->allocator->mapper;
}

/* ---- attributes ----------------------------------------------------------------------------------------- */

unsigned vptr__pool_flags(vptr__pool *pool) {
  vptr__lock_take(&pool->allocator->lock);
  unsigned flags = pool->flags;
  vptr__lock_give(&pool->allocator->lock);
  return flags;
}

void vptr__pool_change_flags(vptr__pool *pool, unsigned clear, unsigned set) {
  vptr__lock_take(&pool->allocator->lock);
  pool->flags = (pool->flags & ~clear) | set;
  vptr__lock_give(&pool->allocator->lock);
}

uint64_t vptr__pool_threshold(vptr__pool *pool) {
  vptr__lock_take(&pool->allocator->lock);
  uint64_t threshold = pool->threshold;
  vptr__lock_give(&pool->allocator->lock);
  return threshold;
}

void vptr__pool_set_threshold(vptr__pool *pool, uint64_t bytes) {
  vptr__lock_take(&pool->allocator->lock);
  pool->threshold = bytes;
  vptr__lock_give(&pool->allocator->lock);
}

void vptr__pool_get_stats(vptr__pool *pool, vptr__pool_stats *stats_out) {
  vptr__lock_take(&pool->allocator->lock);
  *stats_out = pool->stats;
  vptr__lock_give(&pool->allocator->lock);
}

void vptr__pool_reset_reserved_high(vptr__pool *pool) {
  vptr__lock_take(&pool->allocator->lock);
  pool->stats.reserved_high = pool->stats.reserved;
  vptr__lock_give(&pool->allocator->lock);
}

void vptr__pool_reset_used_high(vptr__pool *pool) {
  vptr__lock_take(&pool->allocator->lock);
  pool->stats.used_high = pool->stats.used;
  vptr__lock_give(&pool->allocator->lock);
}

/* ---- giving back ---------------------------------------------------------------------------------------- */

void vptr__pool_accept(vptr__pool *pool, vptr__block *block) {
  bool is_kept = !pool->is_destroyed && pool != pool->allocator->adopted &&
                 !vptr__heap_has_quarantine(pool->allocator->mapper->heap);
  if (is_kept)
    vptr__bins_put(&pool->common, block);
  else
    vptr__pool_release(pool, block);
}

void vptr__pool_release(vptr__pool *pool, vptr__block *block) {
  vptr__pool_allocator *allocator = pool->allocator;
  vptr__pool_allocator_leave(allocator, block);
  vptr__heap_recycle(allocator->mapper->heap, (void *)block->base);
  vptr__pool_count(pool, 0, -(int64_t)block->room);
  vptr__memory_free(block);
  vptr__pool_left(pool);
}

void vptr__pool_shrink(vptr__pool *pool, uint64_t keep) {
  vptr__block *block;
  while ((block = pool->common.oldest) != NULL && pool->stats.reserved > keep) {
    vptr__free_list_take(block);
    vptr__pool_release(pool, block);
  }
}

void vptr__pool_trim(vptr__pool *pool, size_t keep) {
  vptr__pool_allocator *allocator = pool->allocator;
  vptr__lock_take(&allocator->lock);
  vptr__free_list_each(allocator, vptr__free_list_look, NULL);
  vptr__pool_shrink(pool, keep);
  vptr__lock_give(&allocator->lock);
}
