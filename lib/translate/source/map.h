/* SPDX-License-Identifier: MIT */
/*
 * map - from a number or an address to something, in the arena: what an instance knows about the nodes of a tree
 * that it shares with the other instances of its function.
 *
 * Open addressing over powers of two; nothing is ever removed, and old tables stay in the arena until its end (they
 * sum up to less than the last one).
 */
#ifndef VPTR_TRANSLATE_SOURCE_MAP_H
#define VPTR_TRANSLATE_SOURCE_MAP_H

#include <stdint.h>

#include "translate/source/arena.h"

typedef struct vptr__map_entry {
  uintptr_t key; /* 0: free */
  void *value;
} vptr__map_entry;

typedef struct vptr__map {
  vptr__map_entry *entries; /* capacity of them, a power of two; NULL: empty */
  uint32_t capacity, count;
} vptr__map;

/* The value's slot; NULL: there is none. Key 0 is never there. Holds until the next vptr__map_put(). */
void **vptr__map_find(const vptr__map *map, uintptr_t key);

/* The same, made (NULL inside) if there was none. */
void **vptr__map_put(vptr__arena *arena, vptr__map *map, uintptr_t key);

#endif
