/* SPDX-License-Identifier: MIT */
/*
 * map - see map.h.
 */
#include "translate/source/map.h"

enum { MAP_FIRST_CAPACITY = 16 };

/* The entry of a key, or the free one where it belongs. A table is at most half full: there is always a free one. */
static vptr__map_entry *find_entry(vptr__map_entry *entries, uint32_t capacity, uintptr_t key) {
  uint64_t hash = (uint64_t)key * UINT64_C(0x9e3779b97f4a7c15);
  uint32_t i = (uint32_t)(hash >> 32) & (capacity - 1);
  while (entries[i].key != 0 && entries[i].key != key)
    i = (i + 1) & (capacity - 1);
  return &entries[i];
}

static void grow_map(vptr__arena *arena, vptr__map *map) {
  uint32_t capacity = map->capacity ? map->capacity * 2 : MAP_FIRST_CAPACITY;
  vptr__map_entry *entries = vptr__arena_allocate(arena, capacity * sizeof *entries);
  for (uint32_t i = 0; i < map->capacity; i++)
    if (map->entries[i].key != 0)
      *find_entry(entries, capacity, map->entries[i].key) = map->entries[i];
  map->entries = entries;
  map->capacity = capacity;
}

void **vptr__map_find(const vptr__map *map, uintptr_t key) {
  if (map->entries == NULL)
    return NULL;
  vptr__map_entry *entry = find_entry(map->entries, map->capacity, key);
  return entry->key != 0 ? &entry->value : NULL;
}

void **vptr__map_put(vptr__arena *arena, vptr__map *map, uintptr_t key) {
  if (map->count * 2 >= map->capacity)
    grow_map(arena, map);
  vptr__map_entry *entry = find_entry(map->entries, map->capacity, key);
  if (entry->key == 0) {
    entry->key = key;
    map->count++;
  }
  return &entry->value;
}
