/* SPDX-License-Identifier: MIT */
/* store - see store.h: how the pools of a mapper begin and end, and what they do when the program waits. */
#include "stream/store.h"

#include "base/error.h"
#include "base/memory.h"

vptr__block *vptr__store_block_at(const vptr__store *store, const void *ptr) {
  uint64_t key;
  uintptr_t block;
  bool found = vptr__tree_find_le(&store->blocks, (uintptr_t)ptr, &key, &block) && key == (uintptr_t)ptr;
  return found ? (vptr__block *)block : NULL;
}

void vptr__store_enter(vptr__store *store, vptr__block *block) {
  vptr__tree_insert(&store->blocks, block->base, (uintptr_t)block);
  store->known[vptr__store_place(block->base)] = block;
}

void vptr__store_leave(vptr__store *store, const vptr__block *block) {
  vptr__block **place = &store->known[vptr__store_place(block->base)];
  vptr__tree_remove(&store->blocks, block->base, NULL);
  if (*place == block)
    *place = NULL;
}

/* ---- life ----------------------------------------------------------------------------------------------- */

static void forget_notes(vptr__store *store) {
  uint64_t key;
  uintptr_t value;
  while (vptr__tree_find_ge(&store->notes, 0, &key, &value)) {
    vptr__tree_remove(&store->notes, key, NULL);
    vptr__memory_free((void *)value);
  }
}

static void destroy_store(vptr__store *store) {
  vptr__free_list_free_all(store);
  while (store->pools != NULL) {
    vptr__pool *pool = store->pools;
    store->pools = pool->next;
    vptr__pool_unlist(pool);
    vptr__memory_free(pool);
  }
  uint64_t key;
  uintptr_t value;
  while (vptr__tree_find_ge(&store->blocks, 0, &key, &value)) {
    vptr__tree_remove(&store->blocks, key, NULL);
    vptr__memory_free((void *)value);
  }
  forget_notes(store);
  vptr__tree_fini(&store->notes);
  vptr__tree_fini(&store->blocks);
  vptr__lock_fini(&store->lock);
  vptr__memory_free(store);
}

static vptr_status create_store(vptr_mapper *mapper, vptr__store **store_out) {
  vptr__store *store = vptr__memory_calloc(1, sizeof *store);
  if (store == NULL)
    return vptr__error_host_memory(sizeof *store);
  store->mapper = mapper;
  vptr_status status = vptr__tree_init(&store->blocks);
  if (status != VPTR_SUCCESS)
    goto free_store;
  status = vptr__tree_init(&store->notes);
  if (status != VPTR_SUCCESS)
    goto fini_blocks;
  vptr__lock_init(&store->lock, VPTR__RANK_POOL);
  status = vptr__pool_make(store, 0, &store->standard);
  if (status == VPTR_SUCCESS)
    status = vptr__pool_make(store, 0, &store->guests);
  if (status != VPTR_SUCCESS) {
    destroy_store(store);
    return status;
  }
  store->current = store->standard;
  *store_out = store;
  return VPTR_SUCCESS;

fini_blocks:
  vptr__tree_fini(&store->blocks);
free_store:
  vptr__memory_free(store);
  return status;
}

/* Of threads that make the first one together, one wins. */
vptr_status vptr__store_make(vptr_mapper *mapper, vptr__store **store_out) {
  vptr__store *made = NULL, *there = NULL;
  vptr_status status = create_store(mapper, &made);
  if (status != VPTR_SUCCESS)
    return status;
  bool is_first = atomic_compare_exchange_strong(&mapper->store, &there, made);
  if (is_first)
    vptr__pool_list(made->standard);
  else
    destroy_store(made);
  *store_out = is_first ? made : there;
  return VPTR_SUCCESS;
}

void vptr__store_close(vptr_mapper *mapper) {
  vptr__store *store = vptr__store_if_any(mapper);
  if (store == NULL)
    return;
  atomic_store(&mapper->store, NULL);
  destroy_store(store);
}

/* ---- what is done --------------------------------------------------------------------------------------- */

static void done_to(vptr__store *store, vptr__free_list *free_list, void *timestamp) {
  vptr__free_list_done(store, free_list, *(const uint64_t *)timestamp);
}

void vptr__store_done(vptr__store *store, uint64_t timestamp) {
  vptr__free_list_each(store, done_to, &timestamp);
}

void vptr__store_shrink(vptr__store *store) {
  vptr__pool *next;
  for (vptr__pool *pool = store->pools; pool != NULL; pool = next) {
    next = pool->next;
    if (pool->stats.reserved > pool->threshold)
      vptr__pool_shrink(pool, pool->threshold);
  }
}

static void record_if_needed(vptr__store *store, vptr__free_list *free_list, void *context) {
  (void)context;
  if (free_list->count > 0)
    vptr__free_list_record(store, free_list);
}

void vptr__pool_before_wait(vptr_mapper *mapper, vptr__stream *stream) {
  vptr__store *store = vptr__store_if_any(mapper);
  if (store == NULL)
    return;
  vptr__lock_take(&store->lock);
  vptr__free_list *free_list = stream != NULL ? vptr__free_list_find(store, vptr__stream_id(stream)) : NULL;
  if (free_list != NULL)
    record_if_needed(store, free_list, NULL);
  else if (stream == NULL)
    vptr__free_list_each(store, record_if_needed, NULL);
  vptr__lock_give(&store->lock);
}

static void poll_free_list(vptr__store *store, vptr__free_list *free_list, void *context) {
  (void)context;
  vptr__free_list_poll(store, free_list);
}

void vptr__pool_after_wait(vptr_mapper *mapper) {
  vptr__store *store = vptr__store_if_any(mapper);
  if (store == NULL)
    return;
  vptr__lock_take(&store->lock);
  vptr__free_list_each(store, poll_free_list, NULL);
  vptr__store_shrink(store);
  vptr__lock_give(&store->lock);
}

/* ---- for the mapper ------------------------------------------------------------------------------------- */

static uint64_t timestamp_of(vptr__store *store) {
  vptr__lock_take(&store->lock);
  uint64_t timestamp = store->timestamp;
  vptr__lock_give(&store->lock);
  return timestamp;
}

static size_t count_shelved(vptr__store *store) {
  size_t count = vptr__tree_count(&store->blocks);
  for (const vptr__pool *pool = store->pools; pool != NULL; pool = pool->next)
    count -= pool->live;
  return count;
}

static void shrink_all(vptr__store *store) {
  vptr__pool *next;
  for (vptr__pool *pool = store->pools; pool != NULL; pool = next) {
    next = pool->next;
    vptr__pool_shrink(pool, 0);
  }
}

bool vptr__store_reclaim(vptr_mapper *mapper) {
  vptr__store *store = vptr__store_if_any(mapper);
  if (store == NULL)
    return false;
  vptr__lock_take(&store->lock);
  uint64_t timestamp = store->timestamp;
  bool worth_it = count_shelved(store) > 0;
  vptr__lock_give(&store->lock);
  if (!worth_it || mapper->device->ops->finish(mapper->device) != VPTR_SUCCESS)
    return false;
  vptr__lock_take(&store->lock);
  vptr__store_done(store, timestamp);
  shrink_all(store);
  vptr__lock_give(&store->lock);
  return true;
}

/* A live block of a pool is the heap's alone from now on. */
static void forget_live(vptr__store *store) {
  uint64_t key = 0;
  uintptr_t value;
  while (vptr__tree_find_ge(&store->blocks, key, &key, &value)) {
    vptr__block *block = (vptr__block *)value;
    vptr__store_leave(store, block);
    vptr__pool_count(block->pool, -(int64_t)block->size, -(int64_t)block->room);
    block->pool->live--;
    vptr__pool_left(block->pool);
    vptr__memory_free(block);
  }
}

static void clear_store(vptr__store *store) {
  vptr__store_done(store, store->timestamp);
  shrink_all(store);
  forget_live(store);
}

void vptr__store_clear(vptr_mapper *mapper) {
  vptr__store *store = vptr__store_if_any(mapper);
  if (store == NULL)
    return;
  vptr__lock_take(&store->lock);
  clear_store(store);
  vptr__lock_give(&store->lock);
}

static bool is_created(const vptr__pool *pool) {
  return pool != pool->store->standard && pool != pool->store->guests;
}

/* Free lists go, since their streams and events are about to. Once more cleared, for a thread may have used a pool
 * since. */
void vptr__pool_reset_all(vptr_mapper *mapper) {
  vptr__store *store = vptr__store_if_any(mapper);
  if (store == NULL)
    return;
  vptr__lock_take(&store->lock);
  clear_store(store);
  vptr__free_list_free_all(store);
  forget_notes(store);
  vptr__pool *next;
  for (vptr__pool *pool = store->pools; pool != NULL; pool = next) {
    next = pool->next;
    if (!is_created(pool))
      continue;
    vptr__pool_unlist(pool);
    vptr__pool_end(pool);
  }
  store->current = store->standard;
  vptr__pool_renew(store->standard);
  vptr__lock_give(&store->lock);
}

bool vptr__store_owns(vptr_mapper *mapper, const void *ptr) {
  const vptr__store *store = vptr__store_if_any(mapper);
  return store != NULL && vptr__store_block_at(store, ptr) != NULL;
}

/* Waiting for everything settles what others freed, too. */
vptr_status vptr__store_take_back(vptr_mapper *mapper, void *ptr) {
  vptr__store *store = vptr__store_if_any(mapper);
  uint64_t timestamp = timestamp_of(store);
  vptr_status status = mapper->device->ops->finish(mapper->device);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__lock_take(&store->lock);
  vptr__block *block = vptr__store_find(store, ptr);
  status = block != NULL ? vptr__heap_retire(mapper->heap, ptr) : VPTR_ERROR_UNKNOWN_ADDRESS;
  if (status == VPTR_SUCCESS) {
    vptr__pool_count(block->pool, -(int64_t)block->size, 0);
    block->pool->live--;
    vptr__pool_accept(block->pool, block);
  }
  vptr__store_done(store, timestamp);
  vptr__store_shrink(store);
  vptr__lock_give(&store->lock);
  return status;
}

/* ---- invariants ----------------------------------------------------------------------------------------- */

typedef struct sums {
  const vptr__pool *pool;
  uint64_t reserved, used;
  size_t blocks, live;
} sums;

static void sum_up(const vptr__store *store, sums *of) {
  uint64_t key = 0;
  uintptr_t value;
  for (; vptr__tree_find_ge(&store->blocks, key, &key, &value); key++) {
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

static bool pool_is_valid(const vptr__store *store, const vptr__pool *pool) {
  sums of = { .pool = pool };
  sum_up(store, &of);
  return of.blocks == pool->blocks && of.live == pool->live && of.reserved == pool->stats.reserved &&
         of.used == pool->stats.used && vptr__bins_is_valid(&pool->common) &&
         pool->stats.reserved <= pool->stats.reserved_high && pool->stats.used <= pool->stats.used_high &&
         (pool->blocks > 0 || !pool->is_destroyed);
}

static void check_free_list(vptr__store *store, vptr__free_list *free_list, void *context) {
  size_t count = 0;
  bool *is_valid = context;
  (void)store;
  for (const vptr__free_list_bins *bins = free_list->bins; bins != NULL; bins = bins->next) {
    *is_valid &= vptr__bins_is_valid(&bins->bins);
    count += bins->bins.count;
    for (const vptr__block *block = bins->bins.oldest; block != NULL; block = block->newer)
      *is_valid &= block->pool == bins->pool && block->timestamp > free_list->done &&
                   (block->newer == NULL || block->timestamp <= block->newer->timestamp);
  }
  *is_valid &= count == free_list->count;
}

static bool known_are_valid(const vptr__store *store) {
  for (size_t i = 0; i < sizeof store->known / sizeof *store->known; i++) {
    const vptr__block *block = store->known[i]; /* if the tree has none like it, it may be freed: not to be read */
    uint64_t key = 0;
    uintptr_t value;
    bool is_there = block == NULL;
    for (; !is_there && vptr__tree_find_ge(&store->blocks, key, &key, &value); key++)
      is_there = value == (uintptr_t)block && key == block->base && vptr__store_place(block->base) == i;
    if (!is_there)
      return false;
  }
  return true;
}

vptr_status vptr__pool_check(vptr_mapper *mapper) {
  vptr__store *store = vptr__store_if_any(mapper);
  if (store == NULL)
    return VPTR_SUCCESS;
  vptr__lock_take(&store->lock);
  bool is_valid = vptr__tree_is_valid(&store->blocks) && vptr__tree_is_valid(&store->notes) && known_are_valid(store);
  for (const vptr__pool *pool = store->pools; pool != NULL; pool = pool->next)
    is_valid &= pool_is_valid(store, pool);
  vptr__free_list_each(store, check_free_list, &is_valid);
  vptr__lock_give(&store->lock);
  return is_valid ? VPTR_SUCCESS
                  : vptr__error(VPTR_ERROR_CORRUPT, "the pools of a mapper do not hold what they must");
}
