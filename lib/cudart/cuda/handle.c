/* SPDX-License-Identifier: MIT */
/*
 * handle - a table from handles to objects (handle.h).
 *
 * Each table is a static of the file that has the objects; its `lock`, of rank LEAF, guards it. The memory of a table
 * is freed when its last handle ends; `generations`, atomic, counts for all tables how often places were given away. An
 * object's references are atomic, and its last one is released without the lock.
 *
 * Called by array.c, mipmap.c, texture.c and surface.c, each for its own table; by texture_object.c, array_saved.c,
 * reference.c and lacking.c, which let go of objects. Nothing blocks but for the lock; adding fails without host
 * memory.
 */
#include "cuda/handle.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

enum { FEWEST = 16, MOST = 1 << 24 /* places */ };

struct vptr__cuda_handle_place {
  vptr__cuda_object *object; /* NULL: free */
  uint32_t generation;
  uint32_t next_free;
};

/* Of all tables, so that a place of a table that was freed and made again gives no old handle. Never 0 in a handle. */
static atomic_uint_least32_t generations;

static uint64_t handle_of(const struct vptr__cuda_handle_place *place, uint32_t index) {
  return (uint64_t)place->generation << 32 | (index + 1);
}

/* Under the lock. */
static struct vptr__cuda_handle_place *look_up(const vptr__cuda_handles *table, uint64_t handle) {
  uint32_t index = (uint32_t)(handle & UINT32_MAX) - 1;
  if (index >= table->count || table->places[index].object == NULL ||
      handle_of(&table->places[index], index) != handle)
    return NULL;
  return &table->places[index];
}

/* The new places come in front of those that are free. Under the lock. */
static bool grow_table(vptr__cuda_handles *table, uint32_t count) {
  struct vptr__cuda_handle_place *grown = vptr__memory_calloc(count, sizeof *grown);
  if (grown == NULL)
    return false;
  if (table->count > 0)
    memcpy(grown, table->places, table->count * sizeof *grown);
  vptr__memory_free(table->places);
  for (uint32_t index = table->count; index < count; index++)
    grown[index].next_free = index + 1 < count ? index + 2 : table->first_free;
  table->first_free = table->count + 1;
  table->places = grown;
  table->count = count;
  return true;
}

/* Makes sure that a place is free. Under the lock. */
static bool have_place(vptr__cuda_handles *table) {
  return table->first_free != 0 || grow_table(table, table->count == 0 ? FEWEST : table->count * 2);
}

vptr_status vptr__cuda_handle_add(vptr__cuda_handles *table, vptr__cuda_object *object, uint64_t *handle_out) {
  vptr__lock_take(&table->lock);
  bool fits = have_place(table);
  if (fits) {
    uint32_t index = table->first_free - 1;
    struct vptr__cuda_handle_place *place = &table->places[index];
    table->first_free = place->next_free;
    table->live++;
    place->object = object;
    place->generation = (uint32_t)(atomic_fetch_add(&generations, 1) % UINT32_MAX) + 1;
    *handle_out = handle_of(place, index);
  }
  vptr__lock_give(&table->lock);
  return fits ? VPTR_SUCCESS : vptr__error_host_memory(sizeof *table->places);
}

/* Under the lock. */
static void take_out_free(vptr__cuda_handles *table, uint32_t index) {
  uint32_t *link = &table->first_free;
  while (*link != index + 1)
    link = &table->places[*link - 1].next_free;
  *link = table->places[index].next_free;
}

static void raise_generations(uint32_t generation) {
  uint_least32_t now = atomic_load(&generations);
  while (now < generation && !atomic_compare_exchange_weak(&generations, &now, generation))
    continue;
}

/* Under the lock. */
static vptr_status put_at(vptr__cuda_handles *table, vptr__cuda_object *object, uint32_t index, uint32_t generation) {
  uint32_t count = table->count == 0 ? FEWEST : table->count;
  while (count <= index)
    count *= 2;
  if (count > table->count && !grow_table(table, count))
    return vptr__error_host_memory(count * sizeof *table->places);
  struct vptr__cuda_handle_place *place = &table->places[index];
  if (place->object != NULL)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "the handle %#llx has the place of one that this process has given away: restore before any "
                       "array, texture or surface is made",
                       (unsigned long long)generation << 32 | (index + 1));
  take_out_free(table, index);
  table->live++;
  place->object = object;
  place->generation = generation;
  raise_generations(generation);
  return VPTR_SUCCESS;
}

vptr_status vptr__cuda_handle_add_at(vptr__cuda_handles *table, vptr__cuda_object *object, uint64_t handle) {
  const uint32_t index = (uint32_t)(handle & UINT32_MAX) - 1, generation = (uint32_t)(handle >> 32);
  if (index >= MOST || generation == 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%#llx is no handle of an array, a texture or a surface",
                       (unsigned long long)handle);
  vptr__lock_take(&table->lock);
  const vptr_status status = put_at(table, object, index, generation);
  vptr__lock_give(&table->lock);
  return status;
}

vptr__cuda_object *vptr__cuda_handle_next(vptr__cuda_handles *table, const vptr_mapper *mapper, uint32_t *index,
                                          uint64_t *handle_out) {
  vptr__cuda_object *object = NULL;
  vptr__lock_take(&table->lock);
  for (; *index < table->count && object == NULL; ++*index) {
    vptr__cuda_object *candidate = table->places[*index].object;
    if (candidate == NULL || candidate->mapper != mapper)
      continue;
    object = candidate;
    atomic_fetch_add(&object->references, 1);
    *handle_out = handle_of(&table->places[*index], *index);
  }
  vptr__lock_give(&table->lock);
  return object;
}

vptr__cuda_object *vptr__cuda_handle_get(vptr__cuda_handles *table, uint64_t handle) {
  vptr__lock_take(&table->lock);
  const struct vptr__cuda_handle_place *place = look_up(table, handle);
  vptr__cuda_object *object = place != NULL ? place->object : NULL;
  if (object != NULL)
    atomic_fetch_add(&object->references, 1);
  vptr__lock_give(&table->lock);
  return object;
}

/* Frees a place; its object is the caller's to release. Under the lock. */
static vptr__cuda_object *vacate_place(vptr__cuda_handles *table, struct vptr__cuda_handle_place *place) {
  vptr__cuda_object *object = place->object;
  place->object = NULL;
  place->next_free = table->first_free;
  table->first_free = (uint32_t)(place - table->places) + 1;
  if (--table->live == 0) {
    vptr__memory_free(table->places);
    table->places = NULL;
    table->count = table->first_free = 0;
  }
  return object;
}

bool vptr__cuda_handle_end(vptr__cuda_handles *table, uint64_t handle) {
  vptr__lock_take(&table->lock);
  struct vptr__cuda_handle_place *place = look_up(table, handle);
  vptr__cuda_object *object = place != NULL ? vacate_place(table, place) : NULL;
  vptr__lock_give(&table->lock);
  vptr__cuda_object_release(object);
  return object != NULL;
}

/* The first object of a mapper from place *index on, taken out. */
static vptr__cuda_object *take_next(vptr__cuda_handles *table, const vptr_mapper *mapper, uint32_t *index) {
  vptr__cuda_object *object = NULL;
  vptr__lock_take(&table->lock);
  for (; *index < table->count && object == NULL; ++*index) {
    const vptr__cuda_object *candidate = table->places[*index].object;
    if (candidate != NULL && candidate->mapper == mapper)
      object = vacate_place(table, &table->places[*index]);
  }
  vptr__lock_give(&table->lock);
  return object;
}

/* An object that goes may call what takes other locks, so it goes outside of this one. */
void vptr__cuda_handle_end_all(vptr__cuda_handles *table, const vptr_mapper *mapper) {
  uint32_t index = 0;
  for (vptr__cuda_object *object; (object = take_next(table, mapper, &index)) != NULL;)
    vptr__cuda_object_release(object);
}

void vptr__cuda_object_release(vptr__cuda_object *object) {
  if (object != NULL && atomic_fetch_sub(&object->references, 1) == 1)
    object->destroy(object);
}
