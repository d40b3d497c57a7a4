/* SPDX-License-Identifier: MIT */
/*
 * compact - packs slabs that are nearly empty (packing.h), so that their buffers can go. Its functions are declared in
 * heap.h.
 *
 * It is done as an eviction is: slabs that nobody has a lease of are LEAVING, the device's queues are waited for, their
 * live slots are copied into one buffer, and only then they are PACKED. Whatever fails leaves them where they were. So
 * nothing moves that a launch or a copy holds, and look-ups notice nothing, since a movable slab has no buffer in its
 * entries anyway. The pack has to have room beside the slabs: what is packed together is limited, and where the device
 * has no room for it, there is less.
 *
 * The file has no variables of its own. A `batch`, with the pack and the packings that are made, belongs to one call;
 * packings go to their ranges, and the pack is freed with the last of them (packing.c). Of the heap (state.h) it
 * changes the ranges' residence, `packed_count`, `packed_bytes` and `moving`, under vptr__heap.lock, of rank HEAP,
 * which vptr__heap_compact() takes for moments and not while the device works; `pack_bytes` and the counters of leases
 * are atomic. vptr__heap_slab_use() is called with that lock held.
 *
 * Called by mapper/memory.c, for vptr_compact(), by query.c, for what is free in slabs, and by residence_move.c, before
 * something is evicted. To compact waits for all of the device's queues.
 */
#include "heap/residence.h"

#include <stdatomic.h>

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/waiting.h"
#include "heap/slab.h"

enum { MOST_SLABS = 64, MOST_BYTES = 4 << 20 /* of a pack */ };

typedef struct batch {
  vptr__heap *heap;
  unsigned share; /* slabs are packed of which no more than one part in so many is live */
  uint64_t from;  /* the address behind the last one that was looked at */
  uint64_t first; /* that of the first slab */
  size_t count;
  size_t bytes, most; /* of the pack */
  vptr__range *ranges[MOST_SLABS];
  vptr__packing packings[MOST_SLABS];
  cl_mem released[MOST_SLABS];
  size_t released_bytes;
} batch;

/* ---- what is in slabs ----------------------------------------------------------------------------------- */

static bool is_live(const vptr__slab *slab, uint32_t slot) {
  return vptr__slot_state_is_live(atomic_load_explicit(&slab->states[slot], memory_order_acquire));
}

static uint32_t count_live(const vptr__slab *slab) {
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < slab->slots; slot++)
    count += is_live(slab, slot);
  return count;
}

vptr__slab_use vptr__heap_slab_use(vptr__heap *heap) {
  vptr__slab_use use = { .pack_bytes = atomic_load(&heap->pack_bytes) };
  uint64_t key = 0;
  uintptr_t value;
  for (; vptr__tree_find_ge(&heap->ranges, key, &key, &value); key++) {
    const vptr__range *range = (const vptr__range *)value;
    if (range->role != VPTR__ROLE_SLAB || !vptr__residence_is_here(range))
      continue;
    use.bytes += range->bytes;
    use.live_bytes += (size_t)vptr__slab_used(&range->slab) * range->slab.slot_size;
  }
  return use;
}

/* ---- choosing ------------------------------------------------------------------------------------------- */

static bool may_pack(const batch *it, const vptr__range *range) {
  return range->role == VPTR__ROLE_SLAB && range->residence == VPTR__RESIDENCE_HERE &&
         atomic_load(&it->heap->directory.leases[range->window]) == 0;
}

/* Which slots are live may change while they are looked at: one that comes to life later is in no packing, and one that
 * ends is copied for nothing. */
static bool list_slots(const vptr__range *range, uint32_t count, vptr__packing *packing) {
  const vptr__slab *slab = &range->slab;
  uint32_t *slots = vptr__memory_calloc(count + 1, sizeof *slots), found = 0;
  if (slots == NULL)
    return false;
  for (uint32_t slot = 0; slot < slab->slots && found < count; slot++)
    if (is_live(slab, slot))
      slots[found++] = slot;
  *packing = (vptr__packing){ .slots = slots, .count = found, .slot_size = slab->slot_size };
  return true;
}

/* With the lock. False: the batch is full, or there is no memory for lists. */
static bool add_slab(batch *it, vptr__range *range) {
  const uint32_t live = count_live(&range->slab);
  const size_t bytes = (size_t)live * range->slab.slot_size;
  vptr__packing *packing = &it->packings[it->count];
  if (live == 0 || bytes > range->bytes / it->share)
    return true;
  if (it->count == MOST_SLABS || (it->count > 0 && it->bytes + bytes > it->most) || !list_slots(range, live, packing))
    return false;
  packing->offset = it->bytes;
  it->first = it->count == 0 ? range->base : it->first;
  it->ranges[it->count++] = range;
  it->bytes += (size_t)packing->count * packing->slot_size;
  vptr__residence_unlink(it->heap, range);
  range->residence = VPTR__RESIDENCE_LEAVING;
  it->heap->moving++;
  atomic_fetch_add_explicit(&it->heap->directory.leases[range->window], 1, memory_order_acq_rel);
  return true;
}

/* False: there are none. */
static bool choose(batch *it) {
  uintptr_t value;
  bool has_room = true;
  it->count = it->bytes = it->released_bytes = 0;
  vptr__heap_lock(it->heap);
  while (has_room && vptr__tree_find_ge(&it->heap->ranges, it->from, &it->from, &value)) {
    vptr__range *range = (vptr__range *)value;
    has_room = !may_pack(it, range) || add_slab(it, range);
    it->from += has_room;
  }
  vptr__heap_unlock(it->heap);
  return it->count > 0;
}

/* ---- packing -------------------------------------------------------------------------------------------- */

static vptr_status make_pack(const batch *it, vptr__pack **pack_out) {
  vptr__device *device = it->heap->device;
  vptr__pack *pack = vptr__memory_calloc(1, sizeof *pack);
  if (pack == NULL)
    return vptr__error_host_memory(sizeof *pack);
  vptr_status status = device->ops->memory.create(device, it->bytes, &pack->buffer);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(pack);
    return status;
  }
  pack->bytes = it->bytes;
  atomic_store(&pack->users, 1); /* this call */
  atomic_fetch_add(&it->heap->pack_bytes, pack->bytes);
  *pack_out = pack;
  return VPTR_SUCCESS;
}

static vptr_status fill_pack(batch *it) {
  vptr_status status = it->heap->device->ops->queue.finish_all(it->heap->device);
  for (size_t i = 0; i < it->count && status == VPTR_SUCCESS; i++)
    status = vptr__packing_fill(it->heap, &it->packings[i], it->ranges[i]->buffer);
  return status;
}

/* With the lock: packed, or as before. One whose buffer somebody else holds stays, and so does one that a function on
 * the host called for meanwhile (residence.c). */
static void settle(batch *it, size_t i, vptr_status status) {
  vptr__range *range = it->ranges[i];
  vptr__device *device = it->heap->device;
  if (range->residence != VPTR__RESIDENCE_LEAVING)
    return;
  range->residence = VPTR__RESIDENCE_HERE;
  if (status == VPTR_SUCCESS && !device->ops->memory.is_shared(device, range->buffer)) {
    vptr__residence_drop_copy(it->heap, range);
    it->released[i] = range->buffer;
    it->released_bytes += range->bytes;
    range->packing = it->packings[i];
    atomic_fetch_add(&range->packing.pack->users, 1);
    it->packings[i] = (vptr__packing){ .pack = NULL };
    range->buffer = NULL;
    range->address_known = false;
    range->residence = VPTR__RESIDENCE_PACKED;
    it->heap->buffer_serial++;
    it->heap->packed_count += range->has_left ? 0 : 1;
    it->heap->packed_bytes += range->has_left ? 0 : range->bytes;
  }
  if (vptr__residence_is_used(range))
    vptr__residence_link(it->heap, range);
}

static void settle_all(batch *it, vptr_status status) {
  vptr__heap *heap = it->heap;
  vptr__heap_lock(heap);
  for (size_t i = 0; i < it->count; i++) {
    it->released[i] = NULL;
    settle(it, i, status);
  }
  pthread_cond_broadcast(&heap->moved);
  vptr__heap_unlock(heap);
  for (size_t i = 0; i < it->count; i++) {
    if (it->released[i] != NULL)
      heap->device->ops->memory.release(heap->device, it->released[i]);
    vptr__memory_free(it->packings[i].slots);
    vptr__lease_give(&(vptr__lease){ heap, it->ranges[i]->window, false });
  }
}

/* Behind the release of all that is released. */
static void end_moves(const batch *it) {
  vptr__heap_lock(it->heap);
  it->heap->moving -= it->count;
  vptr__residence_note_change(it->heap);
  vptr__heap_unlock(it->heap);
}

/* A pack that nobody uses in the end goes at once. */
static vptr_status pack_batch(batch *it) {
  vptr__pack *pack = NULL;
  vptr_status status = make_pack(it, &pack);
  for (size_t i = 0; i < it->count; i++)
    it->packings[i].pack = pack;
  if (status == VPTR_SUCCESS)
    status = fill_pack(it);
  settle_all(it, status);
  if (pack != NULL)
    vptr__packing_end(it->heap, &(vptr__packing){ .pack = pack });
  end_moves(it);
  if (it->released_bytes > 0)
    vptr__log(VPTR__LOG_DECISION, "%zu bytes of nearly empty slabs on %s are packed into %zu", it->released_bytes,
              it->heap->device->name, it->bytes);
  return status;
}

vptr_status vptr__heap_compact(vptr__heap *heap, unsigned share, size_t *released_out) {
  batch *it = vptr__memory_calloc(1, sizeof *it);
  if (it == NULL)
    return vptr__error_host_memory(sizeof *it);
  it->heap = heap;
  it->share = share;
  it->most = MOST_BYTES;
  vptr_status status = VPTR_SUCCESS;
  vptr__lock_begin_duty(); /* who wants a slab that is chosen waits for it */
  while (status == VPTR_SUCCESS && choose(it)) {
    status = pack_batch(it);
    *released_out += it->released_bytes > it->bytes ? it->released_bytes - it->bytes : 0;
    if (status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY && it->count > 1) {
      it->most = it->bytes / 4;
      it->from = it->first;
      status = VPTR_SUCCESS;
    }
  }
  vptr__lock_end_duty();
  vptr__memory_free(it);
  return status;
}
