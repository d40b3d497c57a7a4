/* SPDX-License-Identifier: MIT */
/*
 * packing - see packing.h: where the slots of a packed slab lie, how their bytes are copied, and the end of a packing.
 *
 * The file has no variables and takes no locks. A vptr__packing is the field `packing` of its range, which changes
 * under vptr__heap.lock, of rank HEAP; a vptr__pack is freed here with its last packing. `users` and `address` of a
 * pack and the heap's `pack_bytes` are atomic. Who copies holds no lock, but a lease of the range; copies wait for the
 * device.
 *
 * Called by compact.c, which packs, and without the lock ends what was packed in vain; by residence_move.c, which moves
 * what is packed; by residence.c, which looks slots up, and ends the packing of what has come or gone, with the lock;
 * and by range.c, where a range is released, in an arena with the lock, else without.
 */
#include "heap/packing.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "heap/state.h"

bool vptr__packing_find(const vptr__packing *packing, uint32_t slot, size_t *offset_out) {
  uint32_t low = 0, high = packing->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (packing->slots[middle] < slot)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == packing->count || packing->slots[low] != slot)
    return false;
  *offset_out = packing->offset + (size_t)low * packing->slot_size;
  return true;
}

/* ---- bytes ---------------------------------------------------------------------------------------------- */

/* Slots that are neighbours in the slab, and so in the pack. */
typedef struct run {
  size_t in_slab, in_pack, bytes;
} run;

static bool next_run(const vptr__packing *packing, uint32_t *at, run *run_out) {
  const uint32_t first = *at, *slots = packing->slots;
  uint32_t end = first + 1;
  if (first == packing->count)
    return false;
  while (end < packing->count && slots[end] == slots[end - 1] + 1)
    end++;
  *run_out = (run){ (size_t)slots[first] * packing->slot_size, packing->offset + (size_t)first * packing->slot_size,
                    (size_t)(end - first) * packing->slot_size };
  *at = end;
  return true;
}

vptr_status vptr__packing_fill(vptr__heap *heap, const vptr__packing *packing, cl_mem from) {
  vptr_status status = VPTR_SUCCESS;
  uint32_t at = 0;
  run run;
  while (status == VPTR_SUCCESS && next_run(packing, &at, &run))
    status = heap->device->ops->transfer.copy(heap->device, from, run.in_slab, packing->pack->buffer, run.in_pack,
                                              run.bytes);
  return status;
}

vptr_status vptr__packing_restore(vptr__heap *heap, const vptr__packing *packing, cl_mem to, size_t bytes) {
  const unsigned char zero = 0;
  vptr_status status = heap->device->ops->transfer.fill(heap->device, to, 0, bytes, &zero, 1);
  uint32_t at = 0;
  run run;
  while (status == VPTR_SUCCESS && next_run(packing, &at, &run))
    status = heap->device->ops->transfer.copy(heap->device, packing->pack->buffer, run.in_pack, to, run.in_slab,
                                              run.bytes);
  return status;
}

static vptr_status save_run(const vptr__heap *heap, const vptr__packing *packing, const vptr__store *store,
                            const run *of) {
  unsigned char *memory = vptr__store_at(store, of->in_slab), *room = memory;
  if (room == NULL)
    room = vptr__memory_calloc(of->bytes, 1);
  if (room == NULL)
    return vptr__error_host_memory(of->bytes);
  vptr_status status =
      heap->device->ops->transfer.read(heap->device, packing->pack->buffer, of->in_pack, room, of->bytes);
  if (memory != NULL)
    return status;
  if (status == VPTR_SUCCESS)
    status = vptr__store_write(store, of->in_slab, room, of->bytes);
  vptr__memory_free(room);
  return status;
}

/* The blocks of a file are zero. */
vptr_status vptr__packing_save(vptr__heap *heap, const vptr__packing *packing, const vptr__store *store) {
  vptr_status status = VPTR_SUCCESS;
  uint32_t at = 0;
  run run;
  if (store->memory != NULL)
    memset(store->memory, 0, store->bytes);
  while (status == VPTR_SUCCESS && next_run(packing, &at, &run))
    status = save_run(heap, packing, store, &run);
  return status;
}

/* ---- the end -------------------------------------------------------------------------------------------- */

void vptr__packing_end(vptr__heap *heap, vptr__packing *packing) {
  vptr__pack *pack = packing->pack;
  vptr__memory_free(packing->slots);
  *packing = (vptr__packing){ .pack = NULL };
  if (pack == NULL || atomic_fetch_sub(&pack->users, 1) != 1)
    return;
  heap->device->ops->memory.release(heap->device, pack->buffer);
  atomic_fetch_sub(&heap->pack_bytes, pack->bytes);
  vptr__memory_free(pack);
}
