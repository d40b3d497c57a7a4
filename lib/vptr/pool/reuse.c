/* SPDX-License-Identifier: MIT */
/*
 * reuse - allocation and free in the order of streams, and the search for memory that can be used again.
 *
 * An allocation looks in this order: for what its own stream freed; for what is known to be done (pool->common); for
 * what others freed that its stream waits for already, or that proves to be done when looked at; in the heap. Before it
 * fails, it makes its stream wait for another's free, and at last waits for the whole device. The pool's flags say
 * which memory of others' may be taken; while the heap has a quarantine, no memory is used again. Only the first two
 * are fast, and they are the usual case.
 *
 * The file has no variables: it makes blocks, frees them, and moves them between the bins of pools and free lists
 * (pool_allocator.h) under vptr__pool_allocator.lock, of rank POOL, which it takes. That is not held when a new block
 * comes from the heap, nor while vptr__pool_allocator_reclaim() waits for the whole device. It is held while a stream
 * is told to wait, which sleeps until another thread has sent what it is sending, and while a pool shrinks, whose
 * memory goes back to the heap, which may have to wait for the device.
 *
 * Called by cudart/cuda/pool.c for cudaMallocAsync() and cudaFreeAsync(), by cublas/call.c, cufft/run.c and
 * cusparse/call.c for the work space of a call, by curand/call.c and generator.c for the states of a generator, by
 * cudart/module/spill.c, which frees a launch's spilled parameters, and by cudart/replay/memory_step.c, which frees
 * what graphs have left. Apart from that lock, a free waits only where the stream is another mapper's, or the memory is
 * an attached buffer: for the stream, and then for the memory's device. Declared in pool.h.
 */
#include "pool/pool_allocator.h"

#include "base/error.h"
#include "base/memory.h"

/* What is asked for. */
typedef struct request {
  vptr__pool *pool;
  vptr__free_list *free_list;
  size_t size;
  unsigned bin; /* of the heap */
  const void *site;
} request;

/* ---- looking for a block -------------------------------------------------------------------------------- */

static vptr__block *find_on(const vptr__bins *bins, const request *want, uint64_t until) {
  return bins != NULL ? vptr__bins_find(bins, want->bin, want->size, until) : NULL;
}

static vptr__block *find_own(const request *want) {
  vptr__block *block = find_on(vptr__free_list_bins_if_any(want->free_list, want->pool), want, UINT64_MAX);
  return block != NULL ? block : find_on(&want->pool->common, want, UINT64_MAX);
}

typedef struct search {
  const request *want;
  vptr__block *found;
  vptr__free_list *where; /* the free list of the found one */
} search;

static bool may_hold(const search *look, const vptr__free_list *free_list) {
  return look->found == NULL && free_list != look->want->free_list && free_list->count > 0;
}

static void find_followed(vptr__pool_allocator *allocator, vptr__free_list *free_list, void *context) {
  search *look = context;
  (void)allocator;
  if (!may_hold(look, free_list))
    return;
  uint64_t timestamp = vptr__free_list_dependency(look->want->free_list, free_list->id);
  if (timestamp > 0)
    look->found = find_on(vptr__free_list_bins_if_any(free_list, look->want->pool), look->want, timestamp);
}

static void find_done(vptr__pool_allocator *allocator, vptr__free_list *free_list, void *context) {
  search *look = context;
  if (!may_hold(look, free_list) ||
      find_on(vptr__free_list_bins_if_any(free_list, look->want->pool), look->want, UINT64_MAX) == NULL)
    return;
  vptr__free_list_look(allocator, free_list, NULL);
  look->found = find_on(&look->want->pool->common, look->want, UINT64_MAX);
}

static vptr__block *find_foreign(const request *want) {
  search look = { .want = want };
  vptr__pool_allocator *allocator = want->pool->allocator;
  if ((want->pool->flags & VPTR__POOL_FOLLOW) != 0)
    vptr__free_list_each(allocator, find_followed, &look);
  if (look.found == NULL && (want->pool->flags & VPTR__POOL_OPPORTUNISTIC) != 0)
    vptr__free_list_each(allocator, find_done, &look);
  return look.found;
}

static void find_any(vptr__pool_allocator *allocator, vptr__free_list *free_list, void *context) {
  search *look = context;
  (void)allocator;
  if (!may_hold(look, free_list))
    return;
  look->found = find_on(vptr__free_list_bins_if_any(free_list, look->want->pool), look->want, UINT64_MAX);
  look->where = free_list;
}

/* Another stream's block, with this stream made to wait for its free. */
static vptr__block *find_by_waiting(const request *want) {
  search look = { .want = want };
  vptr__pool_allocator *allocator = want->pool->allocator;
  if ((want->pool->flags & VPTR__POOL_DEPEND) == 0)
    return NULL;
  vptr__free_list_each(allocator, find_any, &look);
  if (look.found == NULL)
    return NULL;
  vptr__free_list *free_list = look.where;
  if (!free_list->is_pending || free_list->event_timestamp < look.found->timestamp) {
    free_list->is_pending = false;
    vptr__free_list_record(allocator, free_list);
  }
  if (!free_list->is_pending || vptr__stream_wait(want->free_list->stream, free_list->event) != VPTR_SUCCESS)
    return NULL;
  vptr__free_list_depend(allocator, want->free_list, free_list->id, free_list->event_timestamp);
  return look.found;
}

/* ---- allocation ----------------------------------------------------------------------------------------- */

/* The block becomes an allocation. A slab whose numbers have run out takes no more (NOT_READY): what is done of it
 * goes. */
static vptr_status hand_over(const request *want, vptr__block *block, void **ptr_out) {
  vptr__pool *pool = want->pool;
  void *ptr = (void *)block->base;
  vptr_status status = vptr__heap_reissue(pool->allocator->mapper->heap, ptr, want->size, want->site);
  if (status == VPTR_ERROR_NOT_READY && block->free_list == NULL) {
    vptr__free_list_take(block);
    vptr__pool_release(pool, block);
  }
  if (status != VPTR_SUCCESS)
    return status;
  vptr__free_list_take(block);
  block->size = want->size;
  pool->live++;
  vptr__pool_count(pool, (int64_t)want->size, 0);
  *ptr_out = ptr;
  return VPTR_SUCCESS;
}

/* NOT_READY: nothing can be used again. Otherwise tells what became of it. */
static vptr_status reuse_block(const request *want, void **ptr_out) {
  if (want->pool->live == want->pool->blocks)
    return VPTR_ERROR_NOT_READY;
  vptr__block *block = find_own(want);
  if (block == NULL)
    block = find_foreign(want);
  return block != NULL ? hand_over(want, block, ptr_out) : VPTR_ERROR_NOT_READY;
}

static vptr_status reuse_by_waiting(const request *want, void **ptr_out) {
  vptr__block *block = find_by_waiting(want);
  return block != NULL ? hand_over(want, block, ptr_out) : VPTR_ERROR_NOT_READY;
}

/* Finds the free list of a stream and tries to use memory again, in one of the two ways; NOT_READY: in vain. Under the
 * lock. */
static vptr_status try_reuse(request *want, vptr__stream *stream,
                             vptr_status (*way)(const request *want, void **ptr_out), void **ptr_out) {
  vptr__pool_allocator *allocator = want->pool->allocator;
  if (vptr__heap_has_quarantine(allocator->mapper->heap))
    return VPTR_ERROR_NOT_READY;
  vptr_status status = vptr__free_list_of(allocator, stream, &want->free_list);
  return status == VPTR_SUCCESS ? way(want, ptr_out) : status;
}

/* A block at an address that the allocator knows already was freed behind its back, by threads that raced to free
   it. */
static void forget_stale(vptr__pool_allocator *allocator, uintptr_t base) {
  vptr__block *stale = vptr__pool_allocator_find(allocator, (void *)base);
  if (stale == NULL)
    return;
  vptr__pool_allocator_leave(allocator, stale);
  vptr__pool_count(stale->pool, -(int64_t)stale->size, -(int64_t)stale->room);
  stale->pool->live--;
  vptr__pool_left(stale->pool);
  vptr__memory_free(stale);
}

/* Takes a new block into the pool, if there is room for it. Under the lock. */
static vptr_status insert_block(vptr__pool *pool, vptr__block *block) {
  vptr__pool_allocator *allocator = pool->allocator;
  vptr_status status = vptr__tree_reserve(&allocator->blocks);
  if (status != VPTR_SUCCESS)
    return status;
  if (block->room <= pool->most)
    vptr__pool_shrink(pool, pool->most - block->room);
  if (block->room > pool->most || pool->stats.reserved > pool->most - block->room)
    return vptr__error(VPTR_ERROR_OUT_OF_DEVICE_MEMORY,
                       "%zu bytes asked for, but a memory pool of at most %zu bytes has %llu in use: free some, or "
                       "make a larger pool",
                       block->size, pool->most, (unsigned long long)pool->stats.reserved);
  forget_stale(allocator, block->base);
  vptr__pool_allocator_enter(allocator, block);
  pool->blocks++;
  pool->live++;
  vptr__pool_count(pool, (int64_t)block->size, (int64_t)block->room);
  return VPTR_SUCCESS;
}

static vptr_status allocate_of_heap(const request *want, void **ptr_out) {
  return vptr__heap_allocate(want->pool->allocator->mapper->heap, want->size, want->site, ptr_out);
}

static vptr_status allocate_of_all(const request *want, void **ptr_out) {
  return vptr__mapper_allocate_for_program(want->pool->allocator->mapper, want->size, want->site, ptr_out);
}

/* A new block of what one of the two gives. */
static vptr_status allocate_new(const request *want, vptr_status (*way)(const request *want, void **ptr_out),
                                void **ptr_out) {
  vptr__pool_allocator *allocator = want->pool->allocator;
  vptr__heap *heap = allocator->mapper->heap;
  vptr__block *block = vptr__memory_calloc(1, sizeof *block);
  if (block == NULL)
    return vptr__error_host_memory(sizeof *block);
  void *ptr;
  vptr_status status = way(want, &ptr);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(block);
    return status;
  }
  size_t room = vptr__heap_room(heap, ptr);
  *block = (vptr__block){ .base = (uintptr_t)ptr, .room = room, .size = want->size, .pool = want->pool };
  block->bin = vptr__bin_index(want->bin, room);
  vptr__lock_take(&allocator->lock);
  status = insert_block(want->pool, block);
  vptr__lock_give(&allocator->lock);
  if (status != VPTR_SUCCESS) {
    vptr__heap_free(heap, ptr);
    vptr__memory_free(block);
    return status;
  }
  *ptr_out = ptr;
  return VPTR_SUCCESS;
}

static bool is_full(vptr_status status) {
  return status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY || status == VPTR_ERROR_OUT_OF_ADDRESSES;
}

static vptr_status allocate_slowly(request *want, vptr__stream *stream, void **ptr_out) {
  vptr__pool_allocator *allocator = want->pool->allocator;
  vptr_status status = allocate_new(want, allocate_of_heap, ptr_out);
  if (!is_full(status))
    return status;
  vptr__lock_take(&allocator->lock);
  vptr_status reused = try_reuse(want, stream, reuse_by_waiting, ptr_out);
  vptr__lock_give(&allocator->lock);
  if (reused == VPTR_SUCCESS)
    return VPTR_SUCCESS;
  vptr__pool_allocator_reclaim(
      allocator->mapper); /* here, since it may be the pool that is full, and not the device */
  return allocate_new(want, allocate_of_all, ptr_out);
}

/* For a pool that was found by the current one another thread may end it while the lock is not held: it is held. */
static vptr_status allocate_held(request *want, vptr__stream *stream, void **ptr_out) {
  vptr__pool_allocator *allocator = want->pool->allocator;
  vptr__error_try();
  vptr_status status = vptr__error_tried(allocate_slowly(want, stream, ptr_out));
  vptr__lock_take(&allocator->lock);
  vptr__pool_release_hold(want->pool);
  vptr__lock_give(&allocator->lock);
  return status;
}

vptr_status vptr__pool_allocate(vptr__pool *pool, size_t size, vptr__stream *stream, const void *site,
                                void **ptr_out) {
  vptr_mapper *mapper = stream->mapper;
  vptr__pool_allocator *allocator;
  vptr_status status = vptr__pool_allocator_of(mapper, &allocator);
  if (status != VPTR_SUCCESS)
    return status;
  if (pool != NULL && pool->allocator != allocator)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "the memory pool and the stream are of different devices");
  request want = { .pool = pool, .size = size, .bin = vptr__heap_bin(mapper->heap, size), .site = site };
  vptr__lock_take(&allocator->lock);
  if (want.pool == NULL)
    want.pool = atomic_load_explicit(&allocator->current, memory_order_relaxed);
  status = try_reuse(&want, stream, reuse_block, ptr_out);
  if (status == VPTR_ERROR_NOT_READY)
    vptr__pool_hold(want.pool);
  vptr__lock_give(&allocator->lock);
  return status == VPTR_ERROR_NOT_READY ? allocate_held(&want, stream, ptr_out) : status;
}

/* ---- free ----------------------------------------------------------------------------------------------- */

/* A block for an allocation that no pool made, or NULL. */
static vptr__block *adopt_block(vptr__pool_allocator *allocator, void *ptr) {
  size_t room = vptr__heap_room(allocator->mapper->heap, ptr);
  vptr__block *block =
      vptr__tree_reserve(&allocator->blocks) == VPTR_SUCCESS ? vptr__memory_calloc(1, sizeof *block) : NULL;
  if (block == NULL)
    return NULL;
  *block = (vptr__block){ .base = (uintptr_t)ptr, .room = room, .pool = allocator->adopted };
  block->bin = vptr__bin_index(VPTR__HEAP_BIN_WHOLE, room);
  return block;
}

/* Ends the allocation of a block, new to the allocator or not, and puts it into the free list's bins. */
static vptr_status retire_block(vptr__pool_allocator *allocator, vptr__free_list *free_list, vptr__block *block,
                                bool is_new) {
  vptr__pool *pool = block->pool;
  vptr__bins *bins;
  vptr_status status = vptr__free_list_bins_of(free_list, pool, &bins);
  if (status == VPTR_SUCCESS)
    status = vptr__heap_retire(allocator->mapper->heap, (void *)block->base);
  if (status != VPTR_SUCCESS)
    return status;
  if (is_new) {
    vptr__pool_allocator_enter(allocator, block);
    pool->blocks++;
    vptr__pool_count(pool, 0, (int64_t)block->room);
  } else {
    pool->live--;
    vptr__pool_count(pool, -(int64_t)block->size, 0);
  }
  block->timestamp = ++allocator->timestamp;
  vptr__free_list_put(free_list, bins, block);
  return VPTR_SUCCESS;
}

static vptr_status free_locked(vptr__pool_allocator *allocator, void *ptr, vptr__stream *stream) {
  vptr__free_list *free_list;
  vptr_status status = vptr__free_list_of(allocator, stream, &free_list);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__block *block = vptr__pool_allocator_find(allocator, ptr);
  if (block != NULL)
    return retire_block(allocator, free_list, block, false);
  block = adopt_block(allocator, ptr);
  if (block == NULL)
    return vptr__error_host_memory(sizeof *block);
  status = retire_block(allocator, free_list, block, true);
  if (status != VPTR_SUCCESS)
    vptr__memory_free(block);
  return status;
}

static bool is_verdict(vptr_status status) {
  return status == VPTR_ERROR_UNKNOWN_ADDRESS || status == VPTR_ERROR_FREED || status == VPTR_ERROR_PAST_END ||
         status == VPTR_ERROR_INTERIOR || status == VPTR_ERROR_MAPPED;
}

/* In the order of another device's stream: not before it is done. What that work failed with is told, and the memory is
 * freed all the same, since the caller has given it up: nobody would free it again. (Where the wait itself fails,
 * vptr_free() still waits for the memory's own device, and no other device works on it but under calls that block.) */
static vptr_status free_after(vptr_mapper *mapper, void *ptr, vptr__stream *stream, const char *what) {
  vptr_location location;
  vptr_status status = vptr__mapper_locate(mapper, ptr, 1, &location);
  if (status == VPTR_SUCCESS && location.base != ptr)
    status = VPTR_ERROR_INTERIOR;
  if (status != VPTR_SUCCESS)
    return vptr__mapper_explain(mapper, status, what, ptr, 1);
  status = vptr__stream_synchronize(stream);
  vptr_status freed = vptr_free(mapper, ptr);
  return status != VPTR_SUCCESS ? status : freed;
}

vptr_status vptr__pool_free(vptr_mapper *mapper, void *ptr, vptr__stream *stream, const char *what) {
  if (stream->mapper != mapper)
    return free_after(mapper, ptr, stream, what);
  vptr__pool_allocator *allocator;
  vptr_status status = vptr__pool_allocator_of(mapper, &allocator);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__lock_take(&allocator->lock);
  status = free_locked(allocator, ptr, stream);
  vptr__lock_give(&allocator->lock);
  if (status == VPTR_ERROR_UNSUPPORTED) /* an attached buffer, which is the program's */
    return free_after(mapper, ptr, stream, what);
  return is_verdict(status) ? vptr__mapper_explain(mapper, status, what, ptr, 1) : status;
}
