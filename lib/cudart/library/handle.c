/* SPDX-License-Identifier: MIT */
/*
 * handle - tables of the handles and generators that a program holds of a library (handle.h).
 *
 * Each table is a static of the library's file that has the handles: of struct cublasContext and its like. Blocks are
 * made when a place is wanted and all others are taken, and are never freed.
 *
 * Lock: `lock` of the table, of rank LEAF, while a free place is looked for and filled. `blocks` and `is_live` of a
 * place are atomic: whether a handle is live is asked, and a handle ended, without the lock. Called by cublas/handle.c,
 * cusparse/handle.c, cusolver/handle.c and curand/generator.c, each for its own table. Nothing blocks but for the lock.
 */
#include "library/handle.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdint.h>
#include <string.h>

bool vptr__library_handle_is_live(const vptr__library_handles *table, const void *handle) {
  for (int i = 0; i < VPTR__LIBRARY_BLOCKS; i++) {
    const char *block = atomic_load_explicit(&table->blocks[i], memory_order_acquire);
    if (block == NULL)
      return false;
    uintptr_t distance = (uintptr_t)handle - (uintptr_t)block;
    if (distance < VPTR__LIBRARY_PLACES * table->size && distance % table->size == 0)
      return atomic_load_explicit(&((const vptr__library_place *)handle)->is_live, memory_order_acquire);
  }
  return false;
}

static bool refuse_handle(const vptr__library_handles *table, const char *call, const void *handle) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no %s: it was destroyed, or never created", call, handle,
              table->noun);
  return false;
}

bool vptr__library_handle_check(const vptr__library_handles *table, const char *call, const void *handle) {
  return vptr__library_handle_is_live(table, handle) || refuse_handle(table, call, handle);
}

/* The load acquires: a place is given back without the lock, and what the thread that did so read of the place comes
   before what the next owner writes. */
static vptr__library_place *find_place_in(const vptr__library_handles *table, char *block) {
  for (size_t i = 0; i < VPTR__LIBRARY_PLACES; i++) {
    vptr__library_place *place = (vptr__library_place *)(void *)(block + i * table->size);
    if (!atomic_load_explicit(&place->is_live, memory_order_acquire))
      return place;
  }
  return NULL;
}

/* A place that is free, under the lock. */
static vptr__library_place *find_place(vptr__library_handles *table) {
  for (int i = 0; i < VPTR__LIBRARY_BLOCKS; i++) {
    char *block = atomic_load_explicit(&table->blocks[i], memory_order_relaxed);
    if (block == NULL) {
      block = vptr__memory_calloc(VPTR__LIBRARY_PLACES, table->size);
      atomic_store_explicit(&table->blocks[i], block, memory_order_release);
    }
    vptr__library_place *place = block != NULL ? find_place_in(table, block) : NULL;
    if (block == NULL || place != NULL)
      return place;
  }
  return NULL;
}

/* All but whether the place is in use, which others may be asking. */
static void fill_place(const vptr__library_handles *table, vptr__library_place *place, const void *fresh) {
  const size_t head = sizeof *place;
  memcpy((char *)place + head, (const char *)fresh + head, table->size - head);
  atomic_store_explicit(&place->is_live, true, memory_order_release);
}

void *vptr__library_handle_create(vptr__library_handles *table, const char *call, const void *fresh) {
  vptr__lock_take(&table->lock);
  vptr__library_place *place = find_place(table);
  if (place != NULL)
    fill_place(table, place, fresh);
  vptr__lock_give(&table->lock);
  if (place == NULL)
    vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "%s: no host memory, or %d %ss are live already", call,
                VPTR__LIBRARY_BLOCKS * VPTR__LIBRARY_PLACES, table->noun);
  return place;
}

bool vptr__library_handle_end(const vptr__library_handles *table, const char *call, void *handle) {
  bool was_live = true;
  if (!vptr__library_handle_check(table, call, handle))
    return false;
  vptr__library_place *place = handle;
  return atomic_compare_exchange_strong(&place->is_live, &was_live, false) || refuse_handle(table, call, handle);
}
