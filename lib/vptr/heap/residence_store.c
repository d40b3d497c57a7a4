/* SPDX-License-Identifier: MIT */
/*
 * residence_store - what the host has of movable allocations (residence.h): stores of what is away, a copy of what came
 * back, as long as it holds, and one store that is spare.
 *
 * What came back keeps its store until somebody may write to it: a lease that is not one to read (heap/lease.h), a
 * free, another life of the buffer. So a program that reads more than the device has copies one way only. Copies take
 * no more memory than the device has, and not more than a part of the host's; and they are given up, the one that was
 * used longest ago first, where something leaves and has no room. Memory that was never touched costs more than the
 * bytes, so the store that was given up last is spare, for what leaves next, if that is as large.
 *
 * The file has no variables. Stores are their ranges' (`store`), and range.c closes them with these; the heap's
 * `spare_store` is changed here alone. vptr__heap.lock, of rank HEAP, guards them: vptr__residence_open_store() takes
 * it, and whoever calls anything else here holds it, but when the heap ends. A store that was opened is the moving
 * thread's until residence_move.c puts it into its range; while a range is LEAVING or COMING, its mover reads the store
 * without the lock. Called by residence.c, where memory is written to, freed, fixed or used again; by residence_move.c
 * and compact.c, around a move; and by heap.c, which is trimmed or ends. What goes to files waits for the disk.
 */
#include "heap/residence.h"

#include <unistd.h>

enum { SHARE = 4 /* copies take a quarter of the host's memory at most */ };

/* A slot that was never issued is zero, and stays that. */
size_t vptr__residence_bytes(const vptr__range *range) {
  if (range->span != NULL)
    return vptr__span_share(range->span, range, range->size);
  return range->role == VPTR__ROLE_SLAB ? (size_t)range->slab.slots * range->slab.slot_size : range->size;
}

/* ---- the spare one -------------------------------------------------------------------------------------- */

/* What is to be closed. Of files there is nothing to spare: the system has their pages. */
static vptr__store make_spare(vptr__heap *heap, vptr__range *range) {
  vptr__store old = range->store;
  if (old.memory != NULL) {
    old = heap->spare_store;
    heap->spare_store = range->store;
  }
  range->store = (vptr__store){ .file = -1 };
  return old;
}

void vptr__residence_forget_spare(vptr__heap *heap) {
  vptr__store spare = heap->spare_store;
  heap->spare_store = (vptr__store){ .file = -1 };
  vptr__store_close(&spare);
}

/* ---- copies --------------------------------------------------------------------------------------------- */

void vptr__residence_drop_copy(vptr__heap *heap, vptr__range *range) {
  vptr__store old = range->store.bytes > 0 ? make_spare(heap, range) : range->store;
  vptr__store_close(&old);
}

void vptr__residence_give_copy(vptr__heap *heap, vptr__range *range) {
  vptr__store old = range->store.bytes > 0 ? make_spare(heap, range) : range->store;
  if (old.bytes == 0)
    return;
  vptr__heap_unlock(heap);
  vptr__store_close(&old);
  vptr__heap_lock(heap);
}

size_t vptr__residence_copies(const vptr__heap *heap) {
  size_t bytes = 0;
  for (const vptr__range *range = heap->oldest; range != NULL; range = range->newer)
    bytes += range->store.memory != NULL ? range->store.bytes : 0;
  return bytes;
}

static size_t most_bytes(void) {
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (size_t)pages / SHARE * (size_t)page : 0;
}

bool vptr__residence_may_keep(const vptr__heap *heap, const vptr__range *range) {
  return vptr__residence_is_used(range) && range->store.bytes == vptr__residence_bytes(range) &&
         (range->store.memory == NULL || vptr__residence_copies(heap) <= most_bytes());
}

/* The copy of what was used longest ago; false: there is none in memory. */
static bool give_oldest(vptr__heap *heap) {
  vptr__store store = { .file = -1 };
  vptr__heap_lock(heap);
  vptr__range *range = heap->oldest;
  while (range != NULL && range->store.memory == NULL)
    range = range->newer;
  if (range != NULL) {
    store = range->store;
    range->store = (vptr__store){ .file = -1 };
  }
  vptr__heap_unlock(heap);
  vptr__store_close(&store);
  return range != NULL;
}

/* ---- room for what leaves -------------------------------------------------------------------------------- */

static bool take_spare(vptr__heap *heap, size_t bytes, vptr__store *store_out) {
  vptr__heap_lock(heap);
  const bool fits = heap->spare_store.bytes == bytes;
  if (fits) {
    *store_out = heap->spare_store;
    heap->spare_store = (vptr__store){ .file = -1 };
  }
  vptr__heap_unlock(heap);
  return fits;
}

vptr_status vptr__residence_open_store(vptr__heap *heap, size_t bytes, vptr__store *store_out) {
  if (take_spare(heap, bytes, store_out))
    return VPTR_SUCCESS;
  while (!vptr__store_has_memory(bytes) && give_oldest(heap)) {
  }
  vptr_status status;
  do
    status = vptr__store_open(bytes, store_out);
  while (status == VPTR_ERROR_OUT_OF_HOST_MEMORY && give_oldest(heap));
  return status;
}
