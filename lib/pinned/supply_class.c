/* SPDX-License-Identifier: MIT */
/*
 * supply_class - blocks by size class, for builds without jemalloc.
 *
 * Freed blocks are kept by class, last in, first out, and never merged or split: what was cut small stays small. That
 * suits pinned memory, of which programs hold a few buffers of few sizes. Classes are four to a doubling, so a block is
 * at most a quarter larger than asked for.
 *
 * A free block is noted in a stack beside its class, not in the block, which the program may still scribble on. A stack
 * that cannot grow leaks the block, into a chunk that stays anyway.
 *
 * One lock, of rank LEAF, guards it all.
 */
#include "pinned/supply.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

enum { STEPS = 4, CLASSES = 64, FIRST_STACK = 64 };

typedef struct stack {
  void **blocks;
  size_t count, room;
} stack;

struct vptr__supply {
  vptr__depot *depot;
  vptr__lock lock;
  stack free[CLASSES];
};

/* Multiples of 256 up to 2 KiB; above, steps of a quarter of the power of two below. All are multiples of 256. */
static size_t class_of(size_t size, size_t *block_size_out) {
  size_t blocks = (size + (VPTR__BLOCK_STEP - 1)) / VPTR__BLOCK_STEP;
  unsigned shift = 0;
  while ((blocks - 1) >> shift >= 2 * STEPS)
    shift++;
  size_t steps = ((blocks - 1) >> shift) + 1;
  *block_size_out = (steps << shift) * VPTR__BLOCK_STEP;
  return shift * STEPS + steps - 1;
}

vptr_status vptr__supply_create(vptr__depot *depot, int ordinal, vptr__supply **supply_out) {
  (void)ordinal;
  vptr__supply *supply = vptr__memory_calloc(1, sizeof *supply);
  if (supply == NULL)
    return vptr__error_host_memory(sizeof *supply);
  supply->depot = depot;
  vptr__lock_init(&supply->lock, VPTR__RANK_LEAF);
  *supply_out = supply;
  return VPTR_SUCCESS;
}

void *vptr__supply_take(vptr__supply *supply, size_t size) {
  size_t block_size;
  stack *free = &supply->free[class_of(size, &block_size)];
  vptr__lock_take(&supply->lock);
  void *block = free->count > 0 ? free->blocks[--free->count] : NULL;
  vptr__lock_give(&supply->lock);
  return block != NULL ? block : vptr__depot_carve(supply->depot, block_size, VPTR__BLOCK_STEP);
}

/* Makes room for one more. Under the lock. */
static bool have_room(stack *free) {
  if (free->count < free->room)
    return true;
  size_t room = free->room == 0 ? FIRST_STACK : 2 * free->room;
  void **grown = vptr__memory_calloc(room, sizeof *grown);
  if (grown == NULL)
    return false;
  if (free->count > 0)
    memcpy(grown, free->blocks, free->count * sizeof *grown);
  vptr__memory_free(free->blocks);
  free->blocks = grown;
  free->room = room;
  return true;
}

/* All blocks are the depot's here. */
void vptr__supply_refuse(vptr__supply *supply, void *block, size_t size) {
  vptr__supply_give(supply, block, size);
}

void vptr__supply_give(vptr__supply *supply, void *block, size_t size) {
  size_t block_size;
  stack *free = &supply->free[class_of(size, &block_size)];
  vptr__lock_take(&supply->lock);
  if (have_room(free))
    free->blocks[free->count++] = block;
  vptr__lock_give(&supply->lock);
}
