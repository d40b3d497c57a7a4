/* SPDX-License-Identifier: MIT */
/*
 * snapshot - see snapshot.h: takes and frees snapshots, and leases the buffers in one. Restoring is in placed.c.
 *
 * The file owns nothing: a snapshot is its caller's. vptr__heap.lock (state.h), of rank HEAP, is held while all is
 * listed, and magazines are stopped, so that it is one moment; room for the list is made without it. A lease takes it
 * for a moment, to read a buffer's size. Callers hold none. Called by checkpoint/taker.c, checkpoint.c, reader.c and
 * restore.c. A lease may block, as lease.h says.
 */
#include "heap/snapshot.h"

#include "base/error.h"
#include "base/memory.h"
#include "heap/slab.h"
#include "heap/span.h"
#include "heap/state.h"

void vptr__snapshot_free(vptr__snapshot *snapshot) {
  vptr__memory_free(snapshot->buffers);
  vptr__memory_free(snapshot->places);
  vptr__memory_free(snapshot->attached);
  *snapshot = (vptr__snapshot){ .buffers = NULL };
}

/* ---- listing, under the lock ---------------------------------------------------------------------------- */

/* What there is room for is written; what there is, is counted. */
typedef struct listing {
  vptr__snapshot *snapshot;
  size_t buffer_room, place_room, attached_room;
  size_t buffers, places, attached;
} listing;

static void list_place(listing *list, uint64_t base, uint64_t size, uint64_t serial) {
  if (list->places < list->place_room)
    list->snapshot->places[list->places] = (vptr__snapshot_place){ base, size, serial };
  list->places++;
}

static void list_attached(listing *list, const vptr__range *range) {
  if (list->attached < list->attached_room)
    list->snapshot->attached[list->attached] = (vptr__snapshot_place){ range->base, range->size, range->serial };
  list->attached++;
}

static void list_slots(listing *list, const vptr__range *range) {
  const vptr__slab *slab = &range->slab;
  for (uint32_t slot = 0; slot < slab->slots; slot++) {
    int16_t state = atomic_load_explicit(&slab->states[slot], memory_order_acquire);
    if (vptr__slot_state_is_live(state))
      list_place(list, range->base + (uint64_t)slot * slab->slot_size,
                 slab->slot_size - vptr__slot_state_slack(state),
                 slab->serial + atomic_load(vptr__directory_serial(slab->states, slot)));
  }
}

/* Of a span's parts that have a byte of the allocation. */
static uint64_t bytes_with_parts(const vptr__range *range) {
  const vptr__span *span = range->span;
  uint64_t bytes = span == NULL ? range->bytes : 0;
  for (uint32_t i = 0; span != NULL && i < span->count; i++)
    if (vptr__span_share(span, span->parts[i], range->size) > 0)
      bytes += span->parts[i]->bytes;
  return bytes;
}

/* A span is told by its first part. */
static void list_range(listing *list, const vptr__range *range) {
  const size_t first = list->places;
  if (range->role == VPTR__ROLE_ATTACHED)
    list_attached(list, range);
  if (range->role == VPTR__ROLE_WHOLE || (range->role == VPTR__ROLE_PART && range == range->span->parts[0]))
    list_place(list, range->base, range->size, range->serial);
  if (range->role == VPTR__ROLE_SLAB)
    list_slots(list, range);
  if (list->places == first)
    return;
  if (list->buffers < list->buffer_room)
    list->snapshot->buffers[list->buffers] =
        (vptr__snapshot_buffer){ range->base, bytes_with_parts(range), first, (uint32_t)(list->places - first),
                                 range->role == VPTR__ROLE_SLAB ? range->slab.slot_size : 0 };
  list->buffers++;
}

static void list_all(vptr__heap *heap, listing *list) {
  uint64_t base = 0;
  uintptr_t value;
  list->buffers = list->places = list->attached = 0;
  vptr__heap_lock(heap);
  vptr__magazines_stop(heap);
  for (; vptr__tree_find_ge(&heap->ranges, base, &base, &value); base++)
    list_range(list, (const vptr__range *)value);
  list->snapshot->serial = heap->serial;
  vptr__magazines_go(heap);
  vptr__heap_unlock(heap);
}

/* ---- taking --------------------------------------------------------------------------------------------- */

static vptr_status make_room(listing *list) {
  list->buffer_room = list->buffers + list->buffers / 8 + 8;
  list->place_room = list->places + list->places / 8 + 64;
  list->attached_room = list->attached + list->attached / 8 + 8;
  vptr__snapshot_free(list->snapshot);
  list->snapshot->buffers = vptr__memory_calloc(list->buffer_room, sizeof *list->snapshot->buffers);
  list->snapshot->places = vptr__memory_calloc(list->place_room, sizeof *list->snapshot->places);
  list->snapshot->attached = vptr__memory_calloc(list->attached_room, sizeof *list->snapshot->attached);
  if (list->snapshot->buffers != NULL && list->snapshot->places != NULL && list->snapshot->attached != NULL)
    return VPTR_SUCCESS;
  return vptr__error_host_memory(list->place_room * sizeof *list->snapshot->places);
}

static vptr_status list_what_is_live(vptr__heap *heap, vptr__snapshot *snapshot) {
  listing list = { .snapshot = snapshot };
  vptr_status status = VPTR_SUCCESS;
  list_all(heap, &list);
  do {
    status = make_room(&list);
    if (status == VPTR_SUCCESS)
      list_all(heap, &list);
  } while (status == VPTR_SUCCESS &&
           (list.buffers > list.buffer_room || list.places > list.place_room || list.attached > list.attached_room));
  snapshot->buffer_count = list.buffers;
  snapshot->place_count = list.places;
  snapshot->attached_count = list.attached;
  return status;
}

vptr_status vptr__snapshot_take(vptr__heap *heap, vptr__snapshot *snapshot_out) {
  vptr__snapshot snapshot = { .buffers = NULL };
  if (vptr__heap_has_arena(heap))
    return vptr__error(
        VPTR_ERROR_UNSUPPORTED,
        "with VPTR_ADDRESSES=device addresses are the device's, which no other process can ask for: run "
        "the program without it");
  vptr_status status = list_what_is_live(heap, &snapshot);
  if (status == VPTR_SUCCESS)
    *snapshot_out = snapshot;
  else
    vptr__snapshot_free(&snapshot);
  return status;
}

/* ---- leasing -------------------------------------------------------------------------------------------- */

/* Where a kernel's pointers would have it: a slab is needed as a whole. */
static vptr_status take_lease(vptr__heap *heap, bool is_slab, vptr_access access, const void *ptr,
                              vptr_location *location_out, vptr__lease *lease_out) {
  if (is_slab)
    return vptr__lease_take_whole(heap, ptr, 1, location_out, lease_out);
  return access == VPTR_ACCESS_READ ? vptr__lease_take_to_read(heap, ptr, 1, location_out, lease_out)
                                    : vptr__lease_take(heap, ptr, 1, location_out, lease_out);
}

/* Bytes of a leased buffer; 0: what it was leased for has left meanwhile. */
static uint64_t bytes_of(vptr__heap *heap, const void *ptr, cl_mem memory) {
  vptr__heap_lock(heap);
  const vptr__range *range = vptr__range_at(heap, ptr);
  const uint64_t bytes = range != NULL && range->buffer == memory ? range->bytes : 0;
  vptr__heap_unlock(heap);
  return bytes;
}

/* An address may have been issued again meanwhile, even of another buffer: the serial number says so. FREED, in
 * silence: it was. */
static vptr_status lease_by(vptr__heap *heap, const vptr__snapshot_buffer *it, const vptr__snapshot_place *place,
                            vptr_access access, vptr__snapshot_part *part) {
  const bool is_slab = it->slot_size != 0;
  const void *ptr = (const void *)(uintptr_t)(is_slab ? place->base : it->base + part->from);
  vptr_location location;
  vptr_status status = take_lease(heap, is_slab, access, ptr, &location, &part->lease);
  if (status == VPTR_ERROR_UNKNOWN_ADDRESS || status == VPTR_ERROR_PAST_END)
    return VPTR_ERROR_FREED;
  if (status != VPTR_SUCCESS)
    return status;
  part->memory = location.buffer;
  part->bytes = bytes_of(heap, ptr, location.buffer);
  if (location.serial == place->serial && part->bytes > 0 && part->bytes <= it->bytes - part->from &&
      (uintptr_t)ptr - location.buffer_offset == it->base + part->from)
    return VPTR_SUCCESS;
  vptr__lease_give(&part->lease);
  return VPTR_ERROR_FREED;
}

vptr_status vptr__snapshot_lease(vptr__heap *heap, const vptr__snapshot *snapshot, size_t buffer, uint64_t from,
                                 vptr_access access, vptr__snapshot_part *part_out) {
  const vptr__snapshot_buffer *it = &snapshot->buffers[buffer];
  vptr__snapshot_part part = { .from = from };
  vptr_status status = VPTR_ERROR_FREED;
  for (uint32_t i = 0; i < it->place_count && status == VPTR_ERROR_FREED; i++)
    status = lease_by(heap, it, &snapshot->places[it->first_place + i], access, &part);
  if (status == VPTR_SUCCESS)
    *part_out = part;
  return status;
}
