/* SPDX-License-Identifier: MIT */
/*
 * pool_allocator - beginning and end of a mapper's pools, and what they do when the program waits (pool_allocator.h).
 *
 * The vptr__pool_allocator is the mapper's state of SUBSYSTEM_POOL from the first use of pools to the mapper's end.
 * This file makes and ends it, and changes its tree of all blocks; its free lists are changed by free_list.c, its
 * `notes` by dependency.c, and its pools by pool.c and reuse.c too. Its `lock`, of rank POOL, guards all of it but
 * three: `current`, which is atomic; the list of pools that a program may name (next_live), which has a lock in pool.c;
 * and searches of the tree, which take no lock, while a block that such a search finds is the lock's all the same.
 * Where pool_allocator.h says so, callers hold that lock; the other functions take it.
 *
 * Called through base/subsystem.h by mapper/memory.c, when memory that a pool has is freed by vptr_free(), and when the
 * mapper is cleared, and by mapper/mapper.c, which closes it; by dependency.c, pool.c and reuse.c, which make the
 * allocator, find and enter blocks, and shrink pools; by cudart/cuda/stream.c and device.c around a wait; by
 * cudart/cuda/reset.c, which empties it; and by tests. On a full device mapper/reclaim.c calls
 * vptr__pool_allocator_reclaim() by the same table, and so does reuse.c, directly, where a pool is full. That and
 * take_back() wait for the whole device, without the lock; the others do not, but where memory that goes back to the
 * heap has to.
 */
#include "pool/pool_allocator.h"

#include "base/error.h"
#include "base/memory.h"

vptr__block *vptr__pool_allocator_block_at(const vptr__pool_allocator *allocator, const void *ptr) {
  uint64_t key;
  uintptr_t block;
  bool found = vptr__tree_find_le(&allocator->blocks, (uintptr_t)ptr, &key, &block) && key == (uintptr_t)ptr;
  return found ? (vptr__block *)block : NULL;
}

void vptr__pool_allocator_enter(vptr__pool_allocator *allocator, vptr__block *block) {
  vptr__tree_insert(&allocator->blocks, block->base, (uintptr_t)block);
  allocator->known[vptr__pool_allocator_place(block->base)] = block;
}

void vptr__pool_allocator_leave(vptr__pool_allocator *allocator, const vptr__block *block) {
  vptr__block **place = &allocator->known[vptr__pool_allocator_place(block->base)];
  vptr__tree_remove(&allocator->blocks, block->base, NULL);
  if (*place == block)
    *place = NULL;
}

/* ---- life ----------------------------------------------------------------------------------------------- */

static void forget_notes(vptr__pool_allocator *allocator) {
  uint64_t key;
  uintptr_t value;
  while (vptr__tree_find_ge(&allocator->notes, 0, &key, &value)) {
    vptr__tree_remove(&allocator->notes, key, NULL);
    vptr__memory_free((void *)value);
  }
}

static void destroy_allocator(vptr__pool_allocator *allocator) {
  vptr__free_list_free_all(allocator);
  while (allocator->pools != NULL) {
    vptr__pool *pool = allocator->pools;
    allocator->pools = pool->next;
    vptr__pool_unlist(pool);
    vptr__memory_free(pool);
  }
  uint64_t key;
  uintptr_t value;
  while (vptr__tree_find_ge(&allocator->blocks, 0, &key, &value)) {
    vptr__tree_remove(&allocator->blocks, key, NULL);
    vptr__memory_free((void *)value);
  }
  forget_notes(allocator);
  vptr__tree_fini(&allocator->notes);
  vptr__tree_fini(&allocator->blocks);
  vptr__lock_fini(&allocator->lock);
  vptr__memory_free(allocator);
}

static vptr_status create_allocator(vptr_mapper *mapper, vptr__pool_allocator **allocator_out) {
  vptr__pool_allocator *allocator = vptr__memory_calloc(1, sizeof *allocator);
  if (allocator == NULL)
    return vptr__error_host_memory(sizeof *allocator);
  allocator->mapper = mapper;
  vptr_status status = vptr__tree_init(&allocator->blocks);
  if (status != VPTR_SUCCESS)
    goto free_allocator;
  status = vptr__tree_init(&allocator->notes);
  if (status != VPTR_SUCCESS)
    goto fini_blocks;
  vptr__lock_init(&allocator->lock, VPTR__RANK_POOL);
  status = vptr__pool_make(allocator, 0, &allocator->standard);
  if (status == VPTR_SUCCESS)
    status = vptr__pool_make(allocator, 0, &allocator->adopted);
  if (status != VPTR_SUCCESS) {
    destroy_allocator(allocator);
    return status;
  }
  allocator->current = allocator->standard;
  *allocator_out = allocator;
  return VPTR_SUCCESS;

fini_blocks:
  vptr__tree_fini(&allocator->blocks);
free_allocator:
  vptr__memory_free(allocator);
  return status;
}

/* ---- what is done --------------------------------------------------------------------------------------- */

static void done_to(vptr__pool_allocator *allocator, vptr__free_list *free_list, void *timestamp) {
  vptr__free_list_done(allocator, free_list, *(const uint64_t *)timestamp);
}

void vptr__pool_allocator_done(vptr__pool_allocator *allocator, uint64_t timestamp) {
  vptr__free_list_each(allocator, done_to, &timestamp);
}

void vptr__pool_allocator_shrink(vptr__pool_allocator *allocator) {
  vptr__pool *next;
  for (vptr__pool *pool = allocator->pools; pool != NULL; pool = next) {
    next = pool->next;
    if (pool->stats.reserved > pool->threshold)
      vptr__pool_shrink(pool, pool->threshold);
  }
}

static void record_if_needed(vptr__pool_allocator *allocator, vptr__free_list *free_list, void *context) {
  (void)context;
  if (free_list->count > 0)
    vptr__free_list_record(allocator, free_list);
}

void vptr__pool_before_wait(vptr_mapper *mapper, vptr__stream *stream) {
  vptr__pool_allocator *allocator = vptr__pool_allocator_if_any(mapper);
  if (allocator == NULL)
    return;
  vptr__lock_take(&allocator->lock);
  vptr__free_list *free_list = stream != NULL ? vptr__free_list_find(allocator, vptr__stream_id(stream)) : NULL;
  if (free_list != NULL)
    record_if_needed(allocator, free_list, NULL);
  else if (stream == NULL)
    vptr__free_list_each(allocator, record_if_needed, NULL);
  vptr__lock_give(&allocator->lock);
}

static void poll_free_list(vptr__pool_allocator *allocator, vptr__free_list *free_list, void *context) {
  (void)context;
  vptr__free_list_poll(allocator, free_list);
}

void vptr__pool_after_wait(vptr_mapper *mapper) {
  vptr__pool_allocator *allocator = vptr__pool_allocator_if_any(mapper);
  if (allocator == NULL)
    return;
  vptr__lock_take(&allocator->lock);
  vptr__free_list_each(allocator, poll_free_list, NULL);
  vptr__pool_allocator_shrink(allocator);
  vptr__lock_give(&allocator->lock);
}

/* ---- for the mapper ------------------------------------------------------------------------------------- */

static uint64_t timestamp_of(vptr__pool_allocator *allocator) {
  vptr__lock_take(&allocator->lock);
  uint64_t timestamp = allocator->timestamp;
  vptr__lock_give(&allocator->lock);
  return timestamp;
}

static size_t count_shelved(vptr__pool_allocator *allocator) {
  size_t count = vptr__tree_count(&allocator->blocks);
  for (const vptr__pool *pool = allocator->pools; pool != NULL; pool = pool->next)
    count -= pool->live;
  return count;
}

static void shrink_all(vptr__pool_allocator *allocator) {
  vptr__pool *next;
  for (vptr__pool *pool = allocator->pools; pool != NULL; pool = next) {
    next = pool->next;
    vptr__pool_shrink(pool, 0);
  }
}

bool vptr__pool_allocator_reclaim(vptr_mapper *mapper) {
  vptr__pool_allocator *allocator = vptr__pool_allocator_if_any(mapper);
  if (allocator == NULL)
    return false;
  vptr__lock_take(&allocator->lock);
  uint64_t timestamp = allocator->timestamp;
  bool worth_it = count_shelved(allocator) > 0;
  vptr__lock_give(&allocator->lock);
  if (!worth_it || mapper->device->ops->queue.finish_all(mapper->device) != VPTR_SUCCESS)
    return false;
  vptr__lock_take(&allocator->lock);
  vptr__pool_allocator_done(allocator, timestamp);
  shrink_all(allocator);
  vptr__lock_give(&allocator->lock);
  return true;
}

/* A live block of a pool is the heap's alone from now on. */
static void forget_live(vptr__pool_allocator *allocator) {
  uint64_t key = 0;
  uintptr_t value;
  while (vptr__tree_find_ge(&allocator->blocks, key, &key, &value)) {
    vptr__block *block = (vptr__block *)value;
    vptr__pool_allocator_leave(allocator, block);
    vptr__pool_count(block->pool, -(int64_t)block->size, -(int64_t)block->room);
    block->pool->live--;
    vptr__pool_left(block->pool);
    vptr__memory_free(block);
  }
}

static void clear_allocator(vptr__pool_allocator *allocator) {
  vptr__pool_allocator_done(allocator, allocator->timestamp);
  shrink_all(allocator);
  forget_live(allocator);
}

static void clear_live(vptr_mapper *mapper) {
  vptr__pool_allocator *allocator = vptr__pool_allocator_if_any(mapper);
  if (allocator == NULL)
    return;
  vptr__lock_take(&allocator->lock);
  clear_allocator(allocator);
  vptr__lock_give(&allocator->lock);
}

static bool is_created(const vptr__pool *pool) {
  return pool != pool->allocator->standard && pool != pool->allocator->adopted;
}

/* Free lists go, since their streams and events are about to. Once more cleared, for a thread may have used a pool
 * since. */
void vptr__pool_reset_all(vptr_mapper *mapper) {
  vptr__pool_allocator *allocator = vptr__pool_allocator_if_any(mapper);
  if (allocator == NULL)
    return;
  vptr__lock_take(&allocator->lock);
  clear_allocator(allocator);
  vptr__free_list_free_all(allocator);
  forget_notes(allocator);
  vptr__pool *next;
  for (vptr__pool *pool = allocator->pools; pool != NULL; pool = next) {
    next = pool->next;
    if (!is_created(pool))
      continue;
    vptr__pool_unlist(pool);
    vptr__pool_end(pool);
  }
  allocator->current = allocator->standard;
  vptr__pool_renew(allocator->standard);
  vptr__lock_give(&allocator->lock);
}

static bool owns(vptr_mapper *mapper, const void *ptr) {
  const vptr__pool_allocator *allocator = vptr__pool_allocator_if_any(mapper);
  return allocator != NULL && vptr__pool_allocator_block_at(allocator, ptr) != NULL;
}

/* Waiting for everything settles what others freed, too. */
static vptr_status take_back(vptr_mapper *mapper, void *ptr) {
  vptr__pool_allocator *allocator = vptr__pool_allocator_if_any(mapper);
  uint64_t timestamp = timestamp_of(allocator);
  vptr_status status = mapper->device->ops->queue.finish_all(mapper->device);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__lock_take(&allocator->lock);
  vptr__block *block = vptr__pool_allocator_find(allocator, ptr);
  status = block != NULL ? vptr__heap_retire(mapper->heap, ptr) : VPTR_ERROR_UNKNOWN_ADDRESS;
  if (status == VPTR_SUCCESS) {
    vptr__pool_count(block->pool, -(int64_t)block->size, 0);
    block->pool->live--;
    vptr__pool_accept(block->pool, block);
  }
  vptr__pool_allocator_done(allocator, timestamp);
  vptr__pool_allocator_shrink(allocator);
  vptr__lock_give(&allocator->lock);
  return status;
}

/* ---- what the mapper calls, and its first pool ---------------------------------------------------------- */

/* Before its streams end, which free lists know. */
static void close_allocator(vptr_mapper *mapper) {
  vptr__pool_allocator *allocator = vptr__mapper_take_state(mapper, VPTR__SUBSYSTEM_POOL);
  if (allocator != NULL)
    destroy_allocator(allocator);
}

static void enter_subsystem(void) {
  static const vptr__subsystem subsystem = { .close = close_allocator,
                                             .clear = clear_live,
                                             .reclaim_idle = vptr__pool_allocator_reclaim,
                                             .owns = owns,
                                             .take_back = take_back,
                                             .stream_ends = vptr__pool_stream_gone };
  vptr__subsystem_enter(VPTR__SUBSYSTEM_POOL, &subsystem);
}

/* Of threads that make the first one together, one wins. Whoever finds it may name its default pool at once, so that is
 * among the live ones before; destroy_allocator() takes it out again. */
vptr_status vptr__pool_allocator_make(vptr_mapper *mapper, vptr__pool_allocator **allocator_out) {
  vptr__pool_allocator *made = NULL;
  vptr_status status = create_allocator(mapper, &made);
  if (status != VPTR_SUCCESS)
    return status;
  enter_subsystem();
  vptr__pool_list(made->standard);
  *allocator_out = vptr__mapper_keep_state(mapper, VPTR__SUBSYSTEM_POOL, made);
  if (*allocator_out != made)
    destroy_allocator(made);
  return VPTR_SUCCESS;
}

/* ---- invariants ----------------------------------------------------------------------------------------- */

typedef struct sums {
  const vptr__pool *pool;
  uint64_t reserved, used;
  size_t blocks, live;
} sums;

static void sum_up(const vptr__pool_allocator *allocator, sums *of) {
  uint64_t key = 0;
  uintptr_t value;
  for (; vptr__tree_find_ge(&allocator->blocks, key, &key, &value); key++) {
    const vptr__block *block = (const vptr__block *)value;
    if (block->pool != of->pool)
      continue;
    of->blocks++;
    of->reserved += block->room;
    if (block->bins != NULL)
      continue;
    of->live++;
    of->used += block->size;
  }
}

static bool pool_is_valid(const vptr__pool_allocator *allocator, const vptr__pool *pool) {
  sums of = { .pool = pool };
  sum_up(allocator, &of);
  return of.blocks == pool->blocks && of.live == pool->live && of.reserved == pool->stats.reserved &&
         of.used == pool->stats.used && vptr__bins_is_valid(&pool->common) &&
         pool->stats.reserved <= pool->stats.reserved_high && pool->stats.used <= pool->stats.used_high &&
         (pool->blocks > 0 || pool->holds > 0 || !pool->is_destroyed);
}

static void check_free_list(vptr__pool_allocator *allocator, vptr__free_list *free_list, void *context) {
  size_t count = 0;
  bool *is_valid = context;
  (void)allocator;
  for (const vptr__free_list_bins *bins = free_list->bins; bins != NULL; bins = bins->next) {
    *is_valid &= vptr__bins_is_valid(&bins->bins);
    count += bins->bins.count;
    for (const vptr__block *block = bins->bins.oldest; block != NULL; block = block->newer)
      *is_valid &= block->pool == bins->pool && block->timestamp > free_list->done &&
                   (block->newer == NULL || block->timestamp <= block->newer->timestamp);
  }
  *is_valid &= count == free_list->count;
}

static bool known_are_valid(const vptr__pool_allocator *allocator) {
  for (size_t i = 0; i < sizeof allocator->known / sizeof *allocator->known; i++) {
    const vptr__block *block =
        allocator->known[i]; /* if the tree has none like it, it may be freed: not to be read */
    uint64_t key = 0;
    uintptr_t value;
    bool is_there = block == NULL;
    for (; !is_there && vptr__tree_find_ge(&allocator->blocks, key, &key, &value); key++)
      is_there = value == (uintptr_t)block && key == block->base && vptr__pool_allocator_place(block->base) == i;
    if (!is_there)
      return false;
  }
  return true;
}

vptr_status vptr__pool_check(vptr_mapper *mapper) {
  vptr__pool_allocator *allocator = vptr__pool_allocator_if_any(mapper);
  if (allocator == NULL)
    return VPTR_SUCCESS;
  vptr__lock_take(&allocator->lock);
  bool is_valid =
      vptr__tree_is_valid(&allocator->blocks) && vptr__tree_is_valid(&allocator->notes) && known_are_valid(allocator);
  for (const vptr__pool *pool = allocator->pools; pool != NULL; pool = pool->next)
    is_valid &= pool_is_valid(allocator, pool);
  vptr__free_list_each(allocator, check_free_list, &is_valid);
  vptr__lock_give(&allocator->lock);
  return is_valid ? VPTR_SUCCESS
                  : vptr__error(VPTR_ERROR_CORRUPT, "the pools of a mapper do not hold what they must");
}
