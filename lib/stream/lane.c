/* SPDX-License-Identifier: MIT */
/* lane - see store.h: how far a stream has come with what was freed in it, and which other streams it comes behind. */
#include "stream/store.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

static vptr__lane **bucket_of(vptr__store *store, uint64_t id) {
  return &store->buckets[id % VPTR__STORE_BUCKETS];
}

vptr__lane *vptr__lane_find(const vptr__store *store, uint64_t id) {
  vptr__lane *lane = store->buckets[id % VPTR__STORE_BUCKETS];
  while (lane != NULL && lane->id != id)
    lane = lane->next;
  return lane;
}

vptr_status vptr__lane_have(vptr__store *store, vptr__stream *stream, vptr__lane **lane_out) {
  uint64_t id = stream->id;
  vptr__lane *lane = vptr__lane_find(store, id);
  if (lane == NULL) {
    if (!vptr__stream_is_live(stream))
      return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "stream %p is being destroyed", (void *)stream);
    lane = vptr__memory_calloc(1, sizeof *lane);
    if (lane == NULL)
      return vptr__error_host_memory(sizeof *lane);
    lane->stream = stream;
    lane->id = id;
    lane->next = *bucket_of(store, id);
    *bucket_of(store, id) = lane;
  }
  store->recent = lane;
  *lane_out = lane;
  return VPTR_SUCCESS;
}

/* ---- bins -------------------------------------------------------------------------------------------- */

vptr__bins *vptr__lane_bins_if_any(const vptr__lane *lane, const vptr__pool *pool) {
  vptr__lane_bins *bins = lane->bins;
  while (bins != NULL && bins->pool != pool)
    bins = bins->next;
  return bins != NULL ? &bins->bins : NULL;
}

vptr_status vptr__lane_bins_of(vptr__lane *lane, vptr__pool *pool, vptr__bins **bins_out) {
  vptr__bins *found = vptr__lane_bins_if_any(lane, pool);
  if (found == NULL) {
    vptr__lane_bins *bins = vptr__memory_calloc(1, sizeof *bins);
    if (bins == NULL)
      return vptr__error_host_memory(sizeof *bins);
    bins->pool = pool;
    bins->next = lane->bins;
    lane->bins = bins;
    found = &bins->bins;
  }
  *bins_out = found;
  return VPTR_SUCCESS;
}

void vptr__lane_put(vptr__lane *lane, vptr__bins *bins, vptr__block *block) {
  vptr__bins_put(bins, block);
  block->lane = lane;
  lane->count++;
}

void vptr__lane_take(vptr__block *block) {
  vptr__bins_remove(block);
  if (block->lane != NULL)
    block->lane->count--;
  block->lane = NULL;
}

static void drop_bins(vptr__lane *lane, const vptr__pool *pool) {
  for (vptr__lane_bins **link = &lane->bins; *link != NULL; link = &(*link)->next) {
    vptr__lane_bins *bins = *link;
    if (bins->pool != pool)
      continue;
    *link = bins->next;
    vptr__memory_free(bins);
    return;
  }
}

void vptr__lane_drop_pool(vptr__store *store, const vptr__pool *pool) {
  for (size_t i = 0; i < VPTR__STORE_BUCKETS; i++)
    for (vptr__lane *lane = store->buckets[i]; lane != NULL; lane = lane->next)
      drop_bins(lane, pool);
  for (vptr__lane *lane = store->destroyed; lane != NULL; lane = lane->next)
    drop_bins(lane, pool);
}

/* ---- progress ------------------------------------------------------------------------------------------- */

/* Where the event cannot be put, nothing is known; the next who asks tries again. */
void vptr__lane_record(vptr__store *store, vptr__lane *lane) {
  if (lane->stream == NULL)
    return;
  vptr__error_try();
  vptr_status status = VPTR_SUCCESS;
  if (lane->event == NULL)
    status = vptr__event_create(store->mapper, VPTR__EVENT_NO_TIMING, &lane->event);
  if (status == VPTR_SUCCESS)
    status = vptr__event_record(lane->event, lane->stream);
  if (status == VPTR_SUCCESS) {
    lane->marked = store->moment;
    lane->is_pending = true;
  }
  vptr__error_tried(VPTR_SUCCESS);
}

/* The oldest block of the bins, taken out of them, if it is done. */
static vptr__block *take_done(const vptr__lane *lane, vptr__bins *bins) {
  vptr__block *block = bins->oldest;
  if (block == NULL || block->moment > lane->done)
    return NULL;
  vptr__lane_take(block);
  return block;
}

/* A pool that goes away with its last block takes its bins along, so the search starts anew after each. */
static bool move_one(vptr__lane *lane) {
  for (vptr__lane_bins *bins = lane->bins; bins != NULL; bins = bins->next) {
    vptr__block *block = take_done(lane, &bins->bins);
    if (block == NULL)
      continue;
    vptr__pool_accept(block->pool, block);
    return true;
  }
  return false;
}

void vptr__lane_done(vptr__store *store, vptr__lane *lane, uint64_t moment) {
  (void)store;
  if (moment <= lane->done)
    return;
  lane->done = moment;
  while (lane->count > 0 && move_one(lane))
    continue;
}

void vptr__lane_poll(vptr__store *store, vptr__lane *lane) {
  if (!lane->is_pending)
    return;
  vptr__error_try();
  vptr_status status = vptr__event_poll(lane->event);
  vptr__error_tried(VPTR_SUCCESS);
  lane->is_pending = status == VPTR_ERROR_NOT_READY;
  if (status == VPTR_SUCCESS)
    vptr__lane_done(store, lane, lane->marked);
}

/* An event that is under way may be reached by now; if there is none, the lane gets one, for next time at least. */
void vptr__lane_look(vptr__store *store, vptr__lane *lane, void *context) {
  (void)context;
  vptr__lane_poll(store, lane);
  if (lane->count == 0 || lane->is_pending)
    return;
  vptr__lane_record(store, lane);
  vptr__lane_poll(store, lane);
}

/* ---- all of them ---------------------------------------------------------------------------------------- */

static void lane_free(vptr__lane *lane) {
  vptr__lane_bins *next;
  for (vptr__lane_bins *bins = lane->bins; bins != NULL; bins = next) {
    next = bins->next;
    vptr__memory_free(bins);
  }
  if (lane->event != NULL)
    vptr__event_destroy(lane->event);
  vptr__memory_free(lane->follows);
  vptr__memory_free(lane);
}

/* A destroyed stream's lane is of no use once everything in it has moved on. */
static void visit_destroyed(vptr__store *store, void (*visit)(vptr__store *, vptr__lane *, void *), void *context) {
  for (vptr__lane **link = &store->destroyed; *link != NULL;) {
    vptr__lane *lane = *link;
    visit(store, lane, context);
    if (lane->count > 0) {
      link = &lane->next;
      continue;
    }
    *link = lane->next;
    lane_free(lane);
  }
}

void vptr__lane_each(vptr__store *store, void (*visit)(vptr__store *store, vptr__lane *lane, void *context),
                     void *context) {
  for (size_t i = 0; i < VPTR__STORE_BUCKETS; i++)
    for (vptr__lane *lane = store->buckets[i]; lane != NULL; lane = lane->next)
      visit(store, lane, context);
  visit_destroyed(store, visit, context);
}

void vptr__lane_free_all(vptr__store *store) {
  store->recent = NULL;
  for (size_t i = 0; i < VPTR__STORE_BUCKETS; i++)
    while (store->buckets[i] != NULL) {
      vptr__lane *lane = store->buckets[i];
      store->buckets[i] = lane->next;
      lane_free(lane);
    }
  while (store->destroyed != NULL) {
    vptr__lane *lane = store->destroyed;
    store->destroyed = lane->next;
    lane_free(lane);
  }
}

/* The stream is still there, so an event can be put; without work to wait for, it is reached at once. */
void vptr__pool_stream_gone(vptr__stream *stream) {
  vptr__store *store = vptr__store_if_any(vptr__stream_mapper(stream));
  if (store == NULL)
    return;
  vptr__lock_take(&store->lock);
  vptr__lane **link = bucket_of(store, vptr__stream_id(stream));
  while (*link != NULL && (*link)->stream != stream)
    link = &(*link)->next;
  vptr__lane *lane = *link;
  store->recent = NULL;
  if (lane != NULL) {
    if (lane->count > 0)
      vptr__lane_record(store, lane);
    vptr__lane_poll(store, lane);
    *link = lane->next;
    lane->stream = NULL;
    lane->next = store->destroyed;
    store->destroyed = lane;
    if (lane->count == 0) {
      store->destroyed = lane->next;
      lane_free(lane);
    }
  }
  vptr__lock_give(&store->lock);
}

/* ---- who comes behind whom ------------------------------------------------------------------------------ */

uint64_t vptr__lane_follows(const vptr__lane *lane, uint64_t id) {
  for (size_t i = 0; i < lane->follow_count; i++)
    if (lane->follows[i].id == id)
      return lane->follows[i].moment;
  return 0;
}

/* Streams come and go; what a lane knows of those that went is of no use. */
static void forget_destroyed(const vptr__store *store, vptr__lane *lane) {
  size_t kept = 0;
  for (size_t i = 0; i < lane->follow_count; i++)
    if (vptr__lane_find(store, lane->follows[i].id) != NULL)
      lane->follows[kept++] = lane->follows[i];
  lane->follow_count = kept;
}

static bool has_room(const vptr__store *store, vptr__lane *lane) {
  if (lane->follow_count == lane->follow_capacity)
    forget_destroyed(store, lane);
  if (lane->follow_count < lane->follow_capacity)
    return true;
  size_t capacity = lane->follow_capacity != 0 ? lane->follow_capacity * 2 : 4;
  vptr__follow *follows = vptr__memory_calloc(capacity, sizeof *follows);
  if (follows == NULL)
    return false;
  if (lane->follow_count > 0)
    memcpy(follows, lane->follows, lane->follow_count * sizeof *follows);
  vptr__memory_free(lane->follows);
  lane->follows = follows;
  lane->follow_capacity = capacity;
  return true;
}

/* Without host memory it is not known, and memory is not reused: nothing is wrong. */
void vptr__lane_follow(const vptr__store *store, vptr__lane *lane, uint64_t id, uint64_t moment) {
  for (size_t i = 0; i < lane->follow_count; i++)
    if (lane->follows[i].id == id) {
      if (lane->follows[i].moment < moment)
        lane->follows[i].moment = moment;
      return;
    }
  if (has_room(store, lane))
    lane->follows[lane->follow_count++] = (vptr__follow){ .id = id, .moment = moment };
}
