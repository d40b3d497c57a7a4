/* SPDX-License-Identifier: MIT */
/*
 * live - a table of live handles (live.h): open addressing, a power of two of places, at most half of them in use.
 *
 * A key that goes leaves no mark: those behind it that would not be found any more move up. The table shrinks only to
 * nothing, when its last key goes. The static `table` is guarded by vptr__graph_lock(), of rank GRAPH (graph.c), which
 * the callers hold. Called by captured_work.c, graph.c and user_object.c, and by the files of lib/cudart/replay.
 * Nothing here blocks; adding fails without host memory.
 */
#include "graph/live.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdint.h>

typedef struct live_place {
  const void *handle; /* NULL: free */
  vptr__live_kind kind;
} live_place;

static struct {
  live_place *places;
  size_t count, room;
} table;

static size_t place_of(const void *handle) {
  return (size_t)(((uint64_t)(uintptr_t)handle >> 4) * 0x9e3779b97f4a7c15u >> 20) & (table.room - 1);
}

/* That of the handle, or the free one where it belongs. There are places. */
static live_place *look_up(const void *handle) {
  size_t at = place_of(handle);
  while (table.places[at].handle != NULL && table.places[at].handle != handle)
    at = (at + 1) & (table.room - 1);
  return &table.places[at];
}

static vptr_status grow(void) {
  enum { LEAST = 64 };
  live_place *old = table.places;
  const size_t before = table.room, room = before == 0 ? LEAST : before * 2;
  live_place *places = vptr__memory_calloc(room, sizeof *places);
  if (places == NULL)
    return vptr__error_host_memory(room * sizeof *places);
  table.places = places;
  table.room = room;
  for (size_t i = 0; i < before; i++)
    if (old[i].handle != NULL)
      *look_up(old[i].handle) = old[i];
  vptr__memory_free(old);
  return VPTR_SUCCESS;
}

vptr_status vptr__live_add(const void *handle, vptr__live_kind kind) {
  vptr_status status = 2 * (table.count + 1) > table.room ? grow() : VPTR_SUCCESS;
  if (status != VPTR_SUCCESS)
    return status;
  *look_up(handle) = (live_place){ handle, kind };
  table.count++;
  return VPTR_SUCCESS;
}

/* Closes the gap that a key has left. */
static void move_up(size_t gap) {
  const size_t mask = table.room - 1;
  for (size_t at = (gap + 1) & mask; table.places[at].handle != NULL; at = (at + 1) & mask) {
    const size_t home = place_of(table.places[at].handle);
    if (((at - home) & mask) < ((at - gap) & mask))
      continue;
    table.places[gap] = table.places[at];
    table.places[at].handle = NULL;
    gap = at;
  }
}

void vptr__live_remove(const void *handle) {
  live_place *place = table.room > 0 ? look_up(handle) : NULL;
  if (place == NULL || place->handle == NULL)
    return;
  place->handle = NULL;
  move_up((size_t)(place - table.places));
  if (--table.count > 0)
    return;
  vptr__memory_free(table.places);
  table.places = NULL;
  table.room = 0;
}

bool vptr__live_is(const void *handle, vptr__live_kind kind) {
  if (handle == NULL || table.room == 0)
    return false;
  const live_place *place = look_up(handle);
  return place->handle != NULL && place->kind == kind;
}
