/* SPDX-License-Identifier: MIT */
/*
 * free_list - what was freed in each stream, how far the stream has come with it, and which streams it comes after.
 *
 * A vptr__free_list (pool_allocator.h) is made with the first allocation or free of a pool's in a stream. The pool
 * allocator has them: by stream id in `buckets`, and in `destroyed` once the stream is gone, until all that was freed
 * in it is done. Each has bins for each pool, one event that is recorded when somebody wants to know how far the
 * stream is, and the dependencies on other streams.
 *
 * vptr__pool_allocator.lock, of rank POOL, guards it all; callers hold it, but where the allocator ends, which nobody
 * uses then, and for vptr__pool_stream_gone(), which takes it. reuse.c also clears `is_pending`, to have the event
 * recorded anew. Nothing here waits for the device on purpose: with that lock held, recording an event may wait until
 * another thread has sent what it is sending, and what goes back to the heap may have to wait for work that uses it.
 *
 * Called by reuse.c, which searches in free lists and puts blocks in; by dependency.c, which notes what streams come
 * after, and what is done; by pool_allocator.c before the program waits and after, on a full device, when all is
 * cleared, at a reset, when the allocator ends, and for checks; by pool.c, which looks how far all are before a pool
 * shrinks or ends; and through base/subsystem.h by stream/stream.c, when a stream is destroyed. Declared in
 * pool_allocator.h; vptr__pool_stream_gone() in pool.h.
 */
#include "pool/pool_allocator.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

static vptr__free_list **bucket_of(vptr__pool_allocator *allocator, uint64_t id) {
  return &allocator->buckets[id % VPTR__POOL_ALLOCATOR_BUCKETS];
}

vptr__free_list *vptr__free_list_find(const vptr__pool_allocator *allocator, uint64_t id) {
  vptr__free_list *free_list = allocator->buckets[id % VPTR__POOL_ALLOCATOR_BUCKETS];
  while (free_list != NULL && free_list->id != id)
    free_list = free_list->next;
  return free_list;
}

vptr_status vptr__free_list_have(vptr__pool_allocator *allocator, vptr__stream *stream,
                                 vptr__free_list **free_list_out) {
  uint64_t id = stream->id;
  vptr__free_list *free_list = vptr__free_list_find(allocator, id);
  if (free_list == NULL) {
    if (!vptr__stream_is_live(stream))
      return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "stream %p is being destroyed", (void *)stream);
    free_list = vptr__memory_calloc(1, sizeof *free_list);
    if (free_list == NULL)
      return vptr__error_host_memory(sizeof *free_list);
    free_list->stream = stream;
    free_list->id = id;
    free_list->next = *bucket_of(allocator, id);
    *bucket_of(allocator, id) = free_list;
  }
  allocator->recent = free_list;
  *free_list_out = free_list;
  return VPTR_SUCCESS;
}

/* ---- bins ----------------------------------------------------------------------------------------------- */

vptr__bins *vptr__free_list_bins_if_any(const vptr__free_list *free_list, const vptr__pool *pool) {
  vptr__free_list_bins *bins = free_list->bins;
  while (bins != NULL && bins->pool != pool)
    bins = bins->next;
  return bins != NULL ? &bins->bins : NULL;
}

vptr_status vptr__free_list_bins_of(vptr__free_list *free_list, vptr__pool *pool, vptr__bins **bins_out) {
  vptr__bins *found = vptr__free_list_bins_if_any(free_list, pool);
  if (found == NULL) {
    vptr__free_list_bins *bins = vptr__memory_calloc(1, sizeof *bins);
    if (bins == NULL)
      return vptr__error_host_memory(sizeof *bins);
    bins->pool = pool;
    bins->next = free_list->bins;
    free_list->bins = bins;
    found = &bins->bins;
  }
  *bins_out = found;
  return VPTR_SUCCESS;
}

void vptr__free_list_put(vptr__free_list *free_list, vptr__bins *bins, vptr__block *block) {
  vptr__bins_put(bins, block);
  block->free_list = free_list;
  free_list->count++;
}

void vptr__free_list_take(vptr__block *block) {
  vptr__bins_remove(block);
  if (block->free_list != NULL)
    block->free_list->count--;
  block->free_list = NULL;
}

static void drop_bins(vptr__free_list *free_list, const vptr__pool *pool) {
  for (vptr__free_list_bins **link = &free_list->bins; *link != NULL; link = &(*link)->next) {
    vptr__free_list_bins *bins = *link;
    if (bins->pool != pool)
      continue;
    *link = bins->next;
    vptr__memory_free(bins);
    return;
  }
}

void vptr__free_list_drop_pool(vptr__pool_allocator *allocator, const vptr__pool *pool) {
  for (size_t i = 0; i < VPTR__POOL_ALLOCATOR_BUCKETS; i++)
    for (vptr__free_list *free_list = allocator->buckets[i]; free_list != NULL; free_list = free_list->next)
      drop_bins(free_list, pool);
  for (vptr__free_list *free_list = allocator->destroyed; free_list != NULL; free_list = free_list->next)
    drop_bins(free_list, pool);
}

/* ---- progress ------------------------------------------------------------------------------------------- */

/* Where the event cannot be put, nothing is known; the next who asks tries again. */
void vptr__free_list_record(vptr__pool_allocator *allocator, vptr__free_list *free_list) {
  if (free_list->stream == NULL)
    return;
  vptr__error_try();
  vptr_status status = VPTR_SUCCESS;
  if (free_list->event == NULL)
    status = vptr__event_create(allocator->mapper, VPTR__EVENT_NO_TIMING, &free_list->event);
  if (status == VPTR_SUCCESS)
    status = vptr__event_record(free_list->event, free_list->stream);
  if (status == VPTR_SUCCESS) {
    free_list->event_timestamp = allocator->timestamp;
    free_list->is_pending = true;
  }
  vptr__error_tried(VPTR_SUCCESS);
}

/* The oldest block of the bins, taken out of them, if it is done. */
static vptr__block *take_done(const vptr__free_list *free_list, vptr__bins *bins) {
  vptr__block *block = bins->oldest;
  if (block == NULL || block->timestamp > free_list->done)
    return NULL;
  vptr__free_list_take(block);
  return block;
}

/* A pool that goes away with its last block takes its bins along, so the search starts anew after each. */
static bool move_one(vptr__free_list *free_list) {
  for (vptr__free_list_bins *bins = free_list->bins; bins != NULL; bins = bins->next) {
    vptr__block *block = take_done(free_list, &bins->bins);
    if (block == NULL)
      continue;
    vptr__pool_accept(block->pool, block);
    return true;
  }
  return false;
}

void vptr__free_list_done(vptr__pool_allocator *allocator, vptr__free_list *free_list, uint64_t timestamp) {
  (void)allocator;
  if (timestamp <= free_list->done)
    return;
  free_list->done = timestamp;
  while (free_list->count > 0 && move_one(free_list))
    continue;
}

void vptr__free_list_poll(vptr__pool_allocator *allocator, vptr__free_list *free_list) {
  if (!free_list->is_pending)
    return;
  vptr__error_try();
  vptr_status status = vptr__event_poll(free_list->event);
  vptr__error_tried(VPTR_SUCCESS);
  free_list->is_pending = status == VPTR_ERROR_NOT_READY;
  if (status == VPTR_SUCCESS)
    vptr__free_list_done(allocator, free_list, free_list->event_timestamp);
}

/* An event that is under way may be reached by now; if there is none, the free list gets one, for next time at
   least. */
void vptr__free_list_look(vptr__pool_allocator *allocator, vptr__free_list *free_list, void *context) {
  (void)context;
  vptr__free_list_poll(allocator, free_list);
  if (free_list->count == 0 || free_list->is_pending)
    return;
  vptr__free_list_record(allocator, free_list);
  vptr__free_list_poll(allocator, free_list);
}

/* ---- all of them ---------------------------------------------------------------------------------------- */

static void free_list_free(vptr__free_list *free_list) {
  vptr__free_list_bins *next;
  for (vptr__free_list_bins *bins = free_list->bins; bins != NULL; bins = next) {
    next = bins->next;
    vptr__memory_free(bins);
  }
  if (free_list->event != NULL)
    vptr__event_destroy(free_list->event);
  vptr__memory_free(free_list->dependencies);
  vptr__memory_free(free_list);
}

/* A destroyed stream's free list is of no use once everything in it has moved on. */
static void visit_destroyed(vptr__pool_allocator *allocator,
                            void (*visit)(vptr__pool_allocator *, vptr__free_list *, void *), void *context) {
  for (vptr__free_list **link = &allocator->destroyed; *link != NULL;) {
    vptr__free_list *free_list = *link;
    visit(allocator, free_list, context);
    if (free_list->count > 0) {
      link = &free_list->next;
      continue;
    }
    *link = free_list->next;
    free_list_free(free_list);
  }
}

void vptr__free_list_each(vptr__pool_allocator *allocator,
                          void (*visit)(vptr__pool_allocator *allocator, vptr__free_list *free_list, void *context),
                          void *context) {
  for (size_t i = 0; i < VPTR__POOL_ALLOCATOR_BUCKETS; i++)
    for (vptr__free_list *free_list = allocator->buckets[i]; free_list != NULL; free_list = free_list->next)
      visit(allocator, free_list, context);
  visit_destroyed(allocator, visit, context);
}

void vptr__free_list_free_all(vptr__pool_allocator *allocator) {
  allocator->recent = NULL;
  for (size_t i = 0; i < VPTR__POOL_ALLOCATOR_BUCKETS; i++)
    while (allocator->buckets[i] != NULL) {
      vptr__free_list *free_list = allocator->buckets[i];
      allocator->buckets[i] = free_list->next;
      free_list_free(free_list);
    }
  while (allocator->destroyed != NULL) {
    vptr__free_list *free_list = allocator->destroyed;
    allocator->destroyed = free_list->next;
    free_list_free(free_list);
  }
}

/* The stream is still there, so an event can be put; without work to wait for, it is reached at once. */
void vptr__pool_stream_gone(vptr__stream *stream) {
  vptr__pool_allocator *allocator = vptr__pool_allocator_if_any(vptr__stream_mapper(stream));
  if (allocator == NULL)
    return;
  vptr__lock_take(&allocator->lock);
  vptr__free_list **link = bucket_of(allocator, vptr__stream_id(stream));
  while (*link != NULL && (*link)->stream != stream)
    link = &(*link)->next;
  vptr__free_list *free_list = *link;
  allocator->recent = NULL;
  if (free_list != NULL) {
    if (free_list->count > 0)
      vptr__free_list_record(allocator, free_list);
    vptr__free_list_poll(allocator, free_list);
    *link = free_list->next;
    free_list->stream = NULL;
    free_list->next = allocator->destroyed;
    allocator->destroyed = free_list;
    if (free_list->count == 0) {
      allocator->destroyed = free_list->next;
      free_list_free(free_list);
    }
  }
  vptr__lock_give(&allocator->lock);
}

/* ---- who comes behind whom ------------------------------------------------------------------------------ */

uint64_t vptr__free_list_dependency(const vptr__free_list *free_list, uint64_t id) {
  for (size_t i = 0; i < free_list->dependency_count; i++)
    if (free_list->dependencies[i].id == id)
      return free_list->dependencies[i].timestamp;
  return 0;
}

/* Streams come and go; what a free list knows of those that went is of no use. */
static void forget_destroyed(const vptr__pool_allocator *allocator, vptr__free_list *free_list) {
  size_t kept = 0;
  for (size_t i = 0; i < free_list->dependency_count; i++)
    if (vptr__free_list_find(allocator, free_list->dependencies[i].id) != NULL)
      free_list->dependencies[kept++] = free_list->dependencies[i];
  free_list->dependency_count = kept;
}

static bool has_room(const vptr__pool_allocator *allocator, vptr__free_list *free_list) {
  if (free_list->dependency_count == free_list->dependency_capacity)
    forget_destroyed(allocator, free_list);
  if (free_list->dependency_count < free_list->dependency_capacity)
    return true;
  size_t capacity = free_list->dependency_capacity != 0 ? free_list->dependency_capacity * 2 : 4;
  vptr__dependency *dependencies = vptr__memory_calloc(capacity, sizeof *dependencies);
  if (dependencies == NULL)
    return false;
  if (free_list->dependency_count > 0)
    memcpy(dependencies, free_list->dependencies, free_list->dependency_count * sizeof *dependencies);
  vptr__memory_free(free_list->dependencies);
  free_list->dependencies = dependencies;
  free_list->dependency_capacity = capacity;
  return true;
}

/* Without host memory it is not known, and memory is not reused: nothing is wrong. */
void vptr__free_list_depend(const vptr__pool_allocator *allocator, vptr__free_list *free_list, uint64_t id,
                            uint64_t timestamp) {
  for (size_t i = 0; i < free_list->dependency_count; i++)
    if (free_list->dependencies[i].id == id) {
      if (free_list->dependencies[i].timestamp < timestamp)
        free_list->dependencies[i].timestamp = timestamp;
      return;
    }
  if (has_room(allocator, free_list))
    free_list->dependencies[free_list->dependency_count++] = (vptr__dependency){ .id = id, .timestamp = timestamp };
}
