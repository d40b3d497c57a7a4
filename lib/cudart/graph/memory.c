/* SPDX-License-Identifier: MIT */
/*
 * memory - places, the memory that nodes of graphs allocate: set aside, opened, closed and given back (memory.h).
 *
 * Data: the static lists `places`, `leaving` (those that nobody holds, until the lock is given back) and `all_marks`
 * (the high marks of each mapper) are guarded by vptr__graph_lock(), of rank GRAPH (graph.c); memory.h says of each
 * function whether it takes that lock or is called with it held. `vptr__graph_places`, how many there are, is atomic,
 * so that frees pay for one load where there are none. Places are made and freed here, and written here but for
 * `event`, which replay/memory_step.c takes out when a launch opens a place, and puts back where the wait fails, under
 * the same lock; the records of `all_marks` are never freed. Of a graph (graph.h) this file sets `has_memory`, as
 * replay/call.c does where a child graph brings some, and its nodes' `mark` while it looks for memory to use again.
 *
 * Called by graph.c, condition.c, work.c and captured_work.c, by replay/memory_node.c and memory_step.c, and by
 * cuda/memory.c, pool.c, capture_work.c, copy.c, copy_rect.c and reset.c. To make a place asks the device for memory;
 * to free one, or to give it back when nobody holds it, waits for the device's work, in both cases without the lock. A
 * free in a stream waits only for a stream of another device.
 */
#include "graph/memory.h"

#include "base/error.h"
#include "base/memory.h"
#include "graph/graph.h"
#include "heap/heap.h"
#include "mapper/mapper.h"
#include "pool/pool.h"

#include <string.h>

atomic_uint vptr__graph_places;

typedef struct marks {
  struct marks *next;
  const vptr_mapper *mapper;
  uint64_t used_high, reserved_high;
} marks;

static vptr__graph_place *places, *leaving;
static marks *all_marks;

/* ---- bytes ---------------------------------------------------------------------------------------------- */

static marks *marks_of(const vptr_mapper *mapper) {
  marks *it = all_marks;
  while (it != NULL && it->mapper != mapper)
    it = it->next;
  return it;
}

static void count_bytes(const vptr_mapper *mapper, uint64_t *used_out, uint64_t *reserved_out) {
  *used_out = *reserved_out = 0;
  for (const vptr__graph_place *it = places; it != NULL; it = it->next) {
    if (it->mapper != mapper)
      continue;
    *reserved_out += it->room;
    *used_out += it->holders > 0 ? it->room : 0;
  }
}

static void raise_marks(const vptr_mapper *mapper) {
  uint64_t used, reserved;
  marks *it = marks_of(mapper);
  count_bytes(mapper, &used, &reserved);
  it->used_high = used > it->used_high ? used : it->used_high;
  it->reserved_high = reserved > it->reserved_high ? reserved : it->reserved_high;
}

static vptr_status have_marks(const vptr_mapper *mapper) {
  vptr_status status = VPTR_SUCCESS;
  vptr__graph_lock();
  if (marks_of(mapper) == NULL) {
    marks *it = vptr__memory_calloc(1, sizeof *it);
    if (it != NULL) {
      *it = (marks){ .next = all_marks, .mapper = mapper };
      all_marks = it;
    } else
      status = vptr__error_host_memory(sizeof *it);
  }
  vptr__graph_unlock();
  return status;
}

void vptr__graph_memory_get_stats(const vptr_mapper *mapper, vptr__graph_memory_stats *stats_out) {
  vptr__graph_lock();
  const marks *it = marks_of(mapper);
  count_bytes(mapper, &stats_out->used, &stats_out->reserved);
  stats_out->used_high = it != NULL ? it->used_high : 0;
  stats_out->reserved_high = it != NULL ? it->reserved_high : 0;
  vptr__graph_unlock();
}

void vptr__graph_memory_reset_used_high(const vptr_mapper *mapper) {
  uint64_t reserved;
  vptr__graph_lock();
  marks *it = marks_of(mapper);
  if (it != NULL)
    count_bytes(mapper, &it->used_high, &reserved);
  vptr__graph_unlock();
}

void vptr__graph_memory_reset_reserved_high(const vptr_mapper *mapper) {
  uint64_t used;
  vptr__graph_lock();
  marks *it = marks_of(mapper);
  if (it != NULL)
    count_bytes(mapper, &used, &it->reserved_high);
  vptr__graph_unlock();
}

/* ---- places --------------------------------------------------------------------------------------------- */

/* Retired, and so nobody's yet. */
static vptr_status allocate(vptr_mapper *mapper, size_t size, const void *site, vptr__graph_place *place) {
  void *ptr;
  vptr_status status = vptr__mapper_allocate(mapper, size, site, &ptr);
  if (status != VPTR_SUCCESS)
    return status;
  *place = (vptr__graph_place){ .mapper = mapper,
                                .ptr = ptr,
                                .room = vptr__heap_room(mapper->heap, ptr),
                                .bin = vptr__heap_bin(mapper->heap, size),
                                .holders = 1 };
  return vptr__heap_retire(mapper->heap, ptr);
}

vptr_status vptr__graph_memory_make(vptr_mapper *mapper, size_t size, const void *site, vptr__graph_alloc *alloc) {
  vptr__graph_place *place = vptr__memory_calloc(1, sizeof *place);
  if (place == NULL)
    return vptr__error_host_memory(sizeof *place);
  vptr_status status = have_marks(mapper);
  if (status == VPTR_SUCCESS)
    status = allocate(mapper, size, site, place);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(place);
    return status;
  }
  vptr__graph_lock();
  place->next = places;
  places = place;
  atomic_fetch_add(&vptr__graph_places, 1);
  raise_marks(mapper);
  vptr__graph_unlock();
  alloc->place = place;
  alloc->behind = NULL;
  return VPTR_SUCCESS;
}

static void unlist(const vptr__graph_place *place) {
  vptr__graph_place **link = &places;
  while (*link != place)
    link = &(*link)->next;
  *link = place->next;
  atomic_fetch_sub(&vptr__graph_places, 1);
}

void vptr__graph_memory_hold(vptr__graph_place *place) {
  place->holders++;
}

void vptr__graph_memory_let_go(vptr__graph_place *place) {
  if (--place->holders > 0 || (place->is_live && place->mapper != NULL))
    return;
  unlist(place);
  place->next = leaving;
  leaving = place;
}

vptr__graph_place *vptr__graph_memory_leaving(void) {
  vptr__graph_place *list = leaving;
  leaving = NULL;
  return list;
}

/* A reset has ended it, or it goes now. */
static void end_event(vptr__event *event) {
  if (event != NULL && vptr__event_is_live(event))
    vptr__pool_event_destroy(event);
}

/* Work in flight may use it still; what that fails with is for who asks for its stream. */
static void give_back(vptr__graph_place *place) {
  if (place->mapper != NULL) {
    vptr__error_try();
    vptr__streams_drain(place->mapper);
    vptr__error_tried(VPTR_SUCCESS);
    vptr__heap_recycle(place->mapper->heap, place->ptr);
  }
  end_event(place->event);
  vptr__memory_free(place);
}

void vptr__graph_memory_release(vptr__graph_place *list) {
  while (list != NULL) {
    vptr__graph_place *next = list->next;
    give_back(list);
    list = next;
  }
}

void vptr__graph_memory_forget_all(const vptr_mapper *mapper) {
  vptr__graph_lock();
  for (vptr__graph_place *it = places, *next; it != NULL; it = next) {
    next = it->next;
    if (it->mapper != mapper)
      continue;
    if (!it->is_live)
      vptr__heap_recycle(mapper->heap, it->ptr);
    it->mapper = NULL;
    it->event = NULL; /* the reset ends it */
    it->is_live = false;
    if (it->holders > 0)
      continue;
    unlist(it);
    vptr__memory_free(it);
  }
  marks *it = marks_of(mapper);
  if (it != NULL)
    it->used_high = it->reserved_high = 0;
  vptr__graph_unlock();
}

/* ---- nodes ---------------------------------------------------------------------------------------------- */

static bool fits(const vptr__graph_place *place, const vptr__graph *graph, const vptr_mapper *mapper, unsigned bin,
                 size_t size) {
  return place->graph == graph->id && place->mapper == mapper && place->freed_by != NULL && place->bin == bin &&
         place->room >= size;
}

static bool any_fits(const vptr__graph *graph, const vptr_mapper *mapper, unsigned bin, size_t size) {
  for (const vptr__graph_place *it = places; it != NULL; it = it->next)
    if (fits(it, graph, mapper, bin, size))
      return true;
  return false;
}

/* All nodes that a new one comes behind get the mark 1, all others 0. False: no memory for the way. */
static bool mark_before(const vptr__graph *graph, vptr__graph_node *const *from, size_t count) {
  vptr__graph_list way = { .count = 0 };
  bool fits = true;
  for (uint32_t i = 0; i < graph->nodes.count; i++)
    graph->nodes.items[i]->mark = 0;
  for (size_t i = 0; i < count && fits; i++) {
    from[i]->mark = 1;
    fits = vptr__graph_list_push(&way, from[i]) == VPTR_SUCCESS;
  }
  while (way.count > 0 && fits) {
    const vptr__graph_node *node = way.items[--way.count];
    for (uint32_t i = 0; i < node->from.count && fits; i++) {
      if (node->from.items[i]->mark != 0)
        continue;
      node->from.items[i]->mark = 1;
      fits = vptr__graph_list_push(&way, node->from.items[i]) == VPTR_SUCCESS;
    }
  }
  vptr__memory_free(way.items);
  return fits;
}

/* Of those that fit the smallest. */
bool vptr__graph_memory_find(const vptr__graph *graph, vptr__graph_node *const *from, size_t count,
                             vptr_mapper *mapper, size_t size, vptr__graph_alloc *alloc) {
  const unsigned bin = vptr__heap_bin(mapper->heap, size);
  vptr__graph_place *best = NULL;
  if (!any_fits(graph, mapper, bin, size) || !mark_before(graph, from, count))
    return false;
  for (vptr__graph_place *it = places; it != NULL; it = it->next)
    if (fits(it, graph, mapper, bin, size) && it->freed_by->mark == 1 && (best == NULL || it->room < best->room))
      best = it;
  if (best == NULL)
    return false;
  best->holders++;
  alloc->place = best;
  alloc->behind = best->freed_by;
  return true;
}

/* The place at an address that the graph's nodes may free, or NULL. */
static vptr__graph_place *find_place(const void *ptr) {
  vptr__graph_place *it = places;
  while (it != NULL && (it->ptr != ptr || it->mapper == NULL))
    it = it->next;
  return it;
}

bool vptr__graph_memory_has(const void *ptr, size_t bytes) {
  bool has = false;
  vptr__graph_lock();
  for (const vptr__graph_place *it = places; it != NULL && !has; it = it->next) {
    const uintptr_t offset = (uintptr_t)ptr - (uintptr_t)it->ptr;
    has = it->mapper != NULL && offset < it->room && bytes <= it->room - offset;
  }
  vptr__graph_unlock();
  return has;
}

/* Whether a node of the graph frees the address, which is another graph's memory. */
static bool frees(const vptr__graph *graph, const void *ptr) {
  for (uint32_t i = 0; i < graph->nodes.count; i++)
    if (graph->nodes.items[i]->type == cudaGraphNodeTypeMemFree && graph->nodes.items[i]->work.free == ptr)
      return true;
  return false;
}

static vptr_status check_free(const vptr__graph *graph, const void *ptr) {
  const vptr__graph_place *place = find_place(ptr);
  if (place == NULL)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%p is no address that a node of a graph allocates", ptr);
  if (place->graph == graph->id ? place->freed_by != NULL : frees(graph, ptr))
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "another node of the graph frees %p already", ptr);
  return VPTR_SUCCESS;
}

vptr_status vptr__graph_memory_check(const vptr__graph *graph, enum cudaGraphNodeType type,
                                     const vptr__graph_work *work) {
  if (graph->parent != NULL)
    return vptr__error(VPTR_ERROR_UNSUPPORTED, "nodes of child graphs neither allocate nor free memory");
  if (type == cudaGraphNodeTypeMemFree)
    return check_free(graph, work->free);
  if (work->alloc.place->freed_by != work->alloc.behind)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "another thread has added a node to the graph meanwhile");
  return VPTR_SUCCESS;
}

void vptr__graph_memory_added(vptr__graph_node *node) {
  vptr__graph_place *place =
      node->type == cudaGraphNodeTypeMemAlloc ? node->work.alloc.place : find_place(node->work.free);
  node->graph->has_memory = true;
  if (node->type == cudaGraphNodeTypeMemAlloc) {
    place->graph = node->graph->id;
    place->freed_by = NULL;
  } else if (place->graph == node->graph->id)
    place->freed_by = node;
}

/* ---- launches ------------------------------------------------------------------------------------------- */

vptr_status vptr__graph_memory_open(const vptr__graph_alloc *alloc, const char *what) {
  vptr__graph_place *place = alloc->place;
  if (place->mapper == NULL)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the memory at %p is gone: its device was reset", what,
                       place->ptr);
  if (place->is_live)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "%s: the memory at %p that an earlier launch allocated is not freed: free it, or instantiate "
                       "the graph with cudaGraphInstantiateFlagAutoFreeOnLaunch",
                       what, place->ptr);
  vptr_status status = vptr__heap_reissue(place->mapper->heap, place->ptr, alloc->params.bytesize, alloc->site);
  if (status == VPTR_ERROR_NOT_READY)
    return vptr__error(VPTR_ERROR_OUT_OF_DEVICE_MEMORY,
                       "%s: the numbers of allocations at %p have run out: make the graph anew", what, place->ptr);
  place->is_live = status == VPTR_SUCCESS;
  return status;
}

vptr_status vptr__graph_memory_close(vptr__graph_place *place) {
  vptr_status status = vptr__heap_retire(place->mapper->heap, place->ptr);
  if (status == VPTR_SUCCESS)
    place->is_live = false;
  return status;
}

vptr__graph_place *vptr__graph_memory_at(const void *ptr) {
  vptr__graph_place *place = find_place(ptr);
  return place != NULL && place->is_live ? place : NULL;
}

/* ---- frees ---------------------------------------------------------------------------------------------- */

/* False: nobody holds it any more, and it is an allocation as any other. */
static bool is_held(const void *ptr, vptr_mapper **mapper_out) {
  vptr__event *event = NULL;
  vptr__graph_lock();
  vptr__graph_place *place = vptr__graph_memory_at(ptr);
  const bool held = place != NULL && place->holders > 0;
  if (held)
    *mapper_out = place->mapper;
  else if (place != NULL) {
    event = place->event;
    unlist(place);
    vptr__memory_free(place);
  }
  vptr__graph_unlock();
  end_event(event);
  return held;
}

/* An event behind the stream's work, for the next launch; *event_out stays NULL where the work is waited for. */
static vptr_status put_event(vptr_mapper *mapper, vptr__stream *stream, vptr__event **event_out) {
  vptr__event *event = NULL;
  if (stream == NULL)
    return vptr__mapper_holds_frees(mapper) ? vptr__streams_drain(mapper) : VPTR_SUCCESS;
  if (vptr__stream_mapper(stream) != mapper)
    return vptr__stream_synchronize(stream);
  vptr_status status = vptr__event_create(mapper, VPTR__EVENT_NO_TIMING, &event);
  if (status == VPTR_SUCCESS)
    status = vptr__pool_event_record(event, stream);
  if (status == VPTR_SUCCESS)
    *event_out = event;
  else
    end_event(event);
  return status;
}

bool vptr__graph_memory_free(void *ptr, vptr__stream *stream, vptr_status *status_out) {
  vptr_mapper *mapper = NULL;
  vptr__event *event = NULL;
  if (!is_held(ptr, &mapper))
    return false;
  *status_out = put_event(mapper, stream, &event);
  if (*status_out != VPTR_SUCCESS)
    return true;
  vptr__graph_lock();
  vptr__graph_place *place = vptr__graph_memory_at(ptr);
  *status_out = place != NULL ? vptr__graph_memory_close(place)
                              : vptr__error(VPTR_ERROR_FREED, "another thread has freed %p meanwhile", ptr);
  if (*status_out == VPTR_SUCCESS) {
    vptr__event *before = place->event;
    place->event = event;
    event = before;
    if (place->holders == 0) { /* since a moment */
      place->holders = 1;
      vptr__graph_memory_let_go(place);
    }
  }
  vptr__graph_unlock();
  end_event(event);
  return true;
}
