/* SPDX-License-Identifier: MIT */
/*
 * query - what there is in a heap, and the OpenCL objects behind it. Its functions are declared in heap.h.
 *
 * The file owns nothing. Of the heap (state.h) it reads all, and changes what hangs on allocations: the trees `pins`
 * and `derived` (sub-buffers), and known device addresses. It takes vptr__heap.lock, of rank HEAP, which guards these,
 * for all but vptr__heap_directory(), vptr__heap_next() and vptr__heap_nearest(), whose callers hold no lock either,
 * and a device address that is known: these read the directory and search the trees, which is safe beside a change
 * (tree/tree.h). OpenCL makes sub-buffers and tells addresses without it.
 *
 * Called by the files of lib/vptr/mapper, for look-ups, walks, counts, kernel arguments and vptr_check(); by lease.c
 * and cudart/cuda/texture.c, for device addresses; by placed.c, for a walk; by cudart/module/assert.c, child.c, grid.c,
 * managed.c, print.c and spill.c, cudart/image/image.c and stream/word.c, which retain a buffer; by mirror/backing.c,
 * for counts; by cudart/record/reach.c, which asks where memory was allocated; by transfer/access.c and
 * cudart/virtual/virtual_range.c, which pin; and by transfer/endpoint.c, which asks for the directory. The first
 * question for a buffer's device address may have the driver compile a kernel; a pin, a sub-buffer and a check wait for
 * other threads to leave their magazines; what needs the buffer of a movable allocation waits for it to come
 * (residence.c).
 */
#include <stdatomic.h>

#include "base/error.h"
#include "base/hot.h"
#include "heap/residence.h"
#include "heap/slab.h"
#include "heap/span.h"

const vptr__directory *vptr__heap_directory(const vptr__heap *heap) {
  return &heap->directory;
}

/* With the lock held. */
static size_t live_count(const vptr__heap *heap) {
  return heap->live_count + vptr__magazines_live_count(heap);
}

static size_t live_bytes(const vptr__heap *heap) {
  return heap->live_bytes + vptr__magazines_live_bytes(heap);
}

size_t vptr__heap_count(vptr__heap *heap) {
  vptr__heap_lock(heap);
  size_t count = live_count(heap);
  vptr__heap_unlock(heap);
  return count;
}

/* The bytes of slabs that stay although nothing is live in them; such a slab has a free slot, and so is in its class's
 * list. The caller holds the lock. */
static size_t empty_slab_bytes(const vptr__heap *heap) {
  size_t bytes = 0;
  for (unsigned class = 0; class < VPTR__CLASS_COUNT; class ++)
    for (const vptr__range *range = heap->classes[class].first; range != NULL; range = range->next)
      if (vptr__slab_used(&range->slab) == 0 && vptr__residence_is_here(range))
        bytes += range->bytes;
  return bytes;
}

void vptr__heap_stats(vptr__heap *heap, vptr_stats *stats_out) {
  vptr__heap_lock(heap);
  vptr__magazine_settle(heap);
  const vptr__slab_use use = vptr__heap_slab_use(heap);
  *stats_out = (vptr_stats){
    .struct_size = stats_out->struct_size,
    .live_count = live_count(heap),
    .live_bytes = live_bytes(heap),
    .attached_bytes = heap->attached_bytes,
    .buffer_count = heap->buffer_count - heap->away_count - heap->packed_count,
    .buffer_bytes = heap->buffer_bytes - heap->away_bytes - heap->packed_bytes + use.pack_bytes,
    .idle_bytes = heap->cache.bytes + empty_slab_bytes(heap),
    .device_bytes = vptr__heap_has_arena(heap) ? heap->space.size : heap->device->memory_bytes,
    .reserve_base = heap->space.base,
    .reserve_bytes = heap->space.size,
    .window_bytes = (size_t)1 << heap->space.window_shift,
    .serial = heap->serial,
    .slab_bytes = use.bytes,
    .slab_free_bytes = use.bytes - use.live_bytes,
    .packed_bytes = use.pack_bytes,
  };
  vptr__heap_unlock(heap);
}

/* ---- holding on to buffers ------------------------------------------------------------------------------ */

static vptr_status retain_locked(vptr__heap *heap, const void *ptr, size_t need, vptr_location *location_out) {
  vptr_status status = vptr__directory_locate(&heap->directory, ptr, need, location_out);
  if (status == VPTR_SUCCESS && location_out->buffer == NULL)
    return VPTR_ERROR_FREED; /* another thread freed it, and allocated there again, behind vptr__heap_fix() */
  if (status == VPTR_ERROR_UNSUPPORTED)
    return vptr__heap_refuse_seam(heap, ptr, need);
  if (status == VPTR_SUCCESS)
    heap->device->ops->memory.retain(heap->device, location_out->buffer);
  return status;
}

vptr_status vptr__heap_retain(vptr__heap *heap, const void *ptr, size_t need, vptr_location *location_out) {
  vptr_status status = vptr__heap_fix(heap, ptr);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__heap_lock(heap);
  status = retain_locked(heap, ptr, need, location_out);
  vptr__heap_unlock(heap);
  return status;
}

/* Adds one to (or takes one from) the pins of a base; the tree has no update, and this is rare. A free reads the
 * range's count of pins and sub-buffers without the lock, so the count never falls while a pin is left. */
static void change_pins(vptr__heap *heap, uintptr_t base, int by) {
  uintptr_t before = 0;
  vptr__tree_remove(&heap->pins, base, &before);
  uintptr_t after = before + (uintptr_t)by;
  if (after != 0)
    vptr__tree_insert(&heap->pins, base, after);
  *vptr__range_derived(heap, (void *)base) += (uint32_t)(after != 0) - (uint32_t)(before != 0);
}

/* A free takes no lock: it asks whether the range has pins or sub-buffers, and then ends the allocation. So the
 * magazines are stopped: no pin may come between that question and the end. */
vptr_status vptr__heap_pin(vptr__heap *heap, const void *ptr, size_t need, vptr_location *location_out) {
  vptr_location location;
  vptr_status status = need > 0 ? vptr__heap_fix(heap, ptr) : VPTR_SUCCESS;
  if (status != VPTR_SUCCESS)
    return status;
  vptr__heap_lock(heap);
  vptr__magazines_stop(heap);
  status = vptr__tree_reserve(&heap->pins);
  if (status == VPTR_SUCCESS)
    status = need > 0 ? retain_locked(heap, ptr, need, &location)
                      : vptr__directory_locate(&heap->directory, ptr, 1, &location);
  if (status == VPTR_SUCCESS && need == 0)
    location.buffer = NULL;
  if (status == VPTR_SUCCESS) {
    change_pins(heap, (uintptr_t)location.base, 1);
    *location_out = location;
  }
  vptr__magazines_go(heap);
  vptr__heap_unlock(heap);
  return status;
}

void vptr__heap_unpin(vptr__heap *heap, void *base) {
  vptr__heap_lock(heap);
  change_pins(heap, (uintptr_t)base, -1);
  vptr__heap_unlock(heap);
}

/* ---- what OpenCL sees ----------------------------------------------------------------------------------- */

/* The buffer that begins at a live allocation's base, if it exists already. */
static bool find_buffer_at_base(vptr__heap *heap, const vptr_location *location, cl_mem *buffer_out) {
  vptr__range *range = vptr__range_at(heap, location->base);
  uint64_t key;
  uintptr_t value;
  if (range->role != VPTR__ROLE_SLAB) {
    *buffer_out = range->buffer;
    return true;
  }
  if (!vptr__tree_find_le(&heap->derived, (uintptr_t)location->base, &key, &value) ||
      key != (uintptr_t)location->base)
    return false;
  *buffer_out = (cl_mem)value;
  return true;
}

/* Keeps a new sub-buffer for the allocation that `made_for` describes, unless that is gone, or another thread was
 * faster. Takes over the sub-buffer: what is not kept is released by the caller when *buffer_out differs. */
static vptr_status keep_sub_buffer(vptr__heap *heap, const vptr_location *made_for, cl_mem sub_buffer,
                                   cl_mem *buffer_out) {
  vptr_location now;
  vptr_status status = vptr__directory_locate(&heap->directory, made_for->base, 1, &now);
  if (status != VPTR_SUCCESS)
    return status;
  if (now.serial != made_for->serial)
    return VPTR_ERROR_FREED;
  if (find_buffer_at_base(heap, &now, buffer_out))
    return VPTR_SUCCESS;
  status = vptr__tree_reserve(&heap->derived);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__tree_insert(&heap->derived, (uintptr_t)made_for->base, (uintptr_t)sub_buffer);
  ++*vptr__range_derived(heap, made_for->base);
  *buffer_out = sub_buffer;
  return VPTR_SUCCESS;
}

vptr_status vptr__heap_buffer_at_base(vptr__heap *heap, const void *ptr, cl_mem *buffer_out) {
  vptr__device *device = heap->device;
  vptr_location location;
  vptr_status status = vptr__heap_fix(heap, ptr);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__heap_lock(heap);
  status = vptr__directory_locate(&heap->directory, ptr, 1, &location);
  if (status == VPTR_SUCCESS && location.buffer == NULL)
    status = VPTR_ERROR_FREED;
  if (status == VPTR_SUCCESS && vptr__heap_has_seam(heap, location.base, location.size))
    status = vptr__heap_refuse_seam(heap, location.base, location.size);
  bool done = status != VPTR_SUCCESS || find_buffer_at_base(heap, &location, buffer_out);
  if (!done)
    device->ops->memory.retain(device, location.buffer);
  vptr__heap_unlock(heap);
  if (done)
    return status;

  cl_mem sub_buffer, kept = NULL;
  status = device->ops->memory.create_sub(device, location.buffer, location.buffer_offset - location.offset,
                                          location.size, &sub_buffer);
  device->ops->memory.release(device, location.buffer);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__heap_lock(heap);
  vptr__magazines_stop(heap); /* a free must not end the allocation meanwhile: see vptr__heap_pin() */
  status = keep_sub_buffer(heap, &location, sub_buffer, &kept);
  vptr__magazines_go(heap);
  vptr__heap_unlock(heap);
  if (kept != sub_buffer)
    device->ops->memory.release(device, sub_buffer);
  if (status == VPTR_SUCCESS)
    *buffer_out = kept;
  return status;
}

/* The range of a live address, if its device address is known. */
static vptr__range *range_with_address(vptr__heap *heap, const vptr_location *location) {
  vptr__range *range = vptr__range_at(heap, (const char *)location->base + location->offset);
  return range->address_known && range->buffer == location->buffer ? range : NULL;
}

/* Where the address of a live allocation's buffer is kept. */
static _Atomic(uint64_t) *place_of_address(vptr__heap *heap, const vptr_location *location) {
  const char *first = (const char *)location->base - (location->buffer_offset - location->offset);
  return &heap->directory.addresses[vptr__directory_window(&heap->directory, first)];
}

/* Without a lock: a buffer's address is forgotten before its windows are anybody else's. */
static bool has_address(vptr__heap *heap, const void *ptr, uint64_t *address_out) {
  vptr_location location;
  if (vptr__directory_locate(&heap->directory, ptr, 1, &location) != VPTR_SUCCESS)
    return false;
  uint64_t address = atomic_load_explicit(place_of_address(heap, &location), memory_order_acquire);
  if (address != 0)
    *address_out = address + location.buffer_offset;
  return address != 0;
}

/* Who has an address in one of several buffers goes on in the others, if that can be. */
static vptr_status fix_reach(vptr__heap *heap, const void *ptr) {
  vptr_location location;
  vptr_part part;
  if (vptr__directory_locate(&heap->directory, ptr, 1, &location) != VPTR_SUCCESS || location.kind != VPTR_KIND_PART)
    return vptr__heap_fix(heap, ptr);
  if (vptr__heap_is_apart(heap, ptr))
    return vptr__heap_refuse_apart(heap, ptr);
  vptr_status status = VPTR_SUCCESS;
  for (size_t at = 0; at < location.size && status == VPTR_SUCCESS; at += part.size) {
    const void *next = (const char *)location.base + at;
    status = vptr__heap_part_at(heap, next, &part);
    if (status == VPTR_SUCCESS)
      status = vptr__heap_fix(heap, next);
  }
  return status;
}

static vptr_status ask_address(vptr__heap *heap, const void *ptr, uint64_t *address_out) {
  vptr__device *device = heap->device;
  vptr_location location;
  vptr_status status = fix_reach(heap, ptr);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__heap_lock(heap);
  status = vptr__directory_locate(&heap->directory, ptr, 1, &location);
  if (status == VPTR_SUCCESS && location.buffer == NULL)
    status = VPTR_ERROR_FREED;
  vptr__range *known = status == VPTR_SUCCESS ? range_with_address(heap, &location) : NULL;
  if (known != NULL)
    *address_out = known->device_address + location.buffer_offset;
  else if (status == VPTR_SUCCESS)
    device->ops->memory.retain(device, location.buffer);
  vptr__heap_unlock(heap);
  if (known != NULL || status != VPTR_SUCCESS)
    return status;

  uint64_t address;
  status = device->ops->memory.address(device, location.buffer, &address);
  if (status == VPTR_SUCCESS) {
    vptr_location now;
    vptr__heap_lock(heap);
    status = vptr__directory_locate(&heap->directory, ptr, 1, &now);
    if (status == VPTR_SUCCESS && now.serial != location.serial)
      status = VPTR_ERROR_FREED;
    if (status == VPTR_SUCCESS) {
      vptr__range_locate(heap, vptr__range_at(heap, ptr), address);
      *address_out = address + location.buffer_offset;
    }
    vptr__heap_unlock(heap);
  }
  device->ops->memory.release(device, location.buffer);
  return status;
}

/* What is noted of a device's address is of the device that told it. */
VPTR__HOT vptr_status vptr__heap_device_address(vptr__heap *heap, const void *ptr, uint64_t *address_out) {
  if (has_address(heap, ptr, address_out))
    return VPTR_SUCCESS;
  const vptr__device *device = heap->device;
  vptr__device_hold(device);
  vptr_status status = ask_address(heap, ptr, address_out);
  vptr__device_let_go(device);
  return status;
}

/* ---- order ---------------------------------------------------------------------------------------------- */

bool vptr__heap_next(vptr__heap *heap, uintptr_t from, vptr_location *location_out) {
  const vptr__directory *directory = &heap->directory;
  if (vptr__directory_covers(directory, (void *)from) &&
      vptr__directory_next_in(directory, vptr__directory_window(directory, (void *)from), from, location_out))
    return true;
  uint64_t base = from;
  while (vptr__tree_find_ge(&heap->ranges, base, &base, NULL)) {
    if (vptr__directory_next_in(directory, vptr__directory_window(directory, (void *)base), base, location_out))
      return true;
    base++;
  }
  return false;
}

static bool find_previous(vptr__heap *heap, uintptr_t from, vptr_location *location_out) {
  uint64_t base = from;
  while (vptr__tree_find_le(&heap->ranges, base, &base, NULL)) {
    uint32_t window = vptr__directory_window(&heap->directory, (void *)base);
    if (vptr__directory_last_in(&heap->directory, window, from, location_out))
      return true;
    if (base-- == 0)
      break;
  }
  return false;
}

static const void *site_of(vptr__heap *heap, const void *base) {
  uint64_t key;
  uintptr_t site;
  bool found = vptr__tree_find_le(&heap->sites, (uintptr_t)base, &key, &site) && key == (uintptr_t)base;
  return found ? (const void *)site : NULL;
}

bool vptr__heap_nearest(vptr__heap *heap, const void *ptr, vptr_location *location_out, vptr_status *state_out,
                        const void **site_out) {
  vptr_location location = { .device = heap->directory.device, .kind = VPTR_KIND_DEVICE };
  vptr__trace_of trace;
  *state_out = VPTR_SUCCESS;
  if (vptr__directory_trace(&heap->directory, ptr, &trace)) {
    location.base = trace.base;
    location.size = trace.size;
    location.serial = trace.serial;
    *state_out = trace.live ? VPTR_SUCCESS : VPTR_ERROR_FREED;
  } else if (!find_previous(heap, (uintptr_t)ptr, &location) && !vptr__heap_next(heap, (uintptr_t)ptr, &location)) {
    return false;
  }
  location.offset = (uintptr_t)ptr - (uintptr_t)location.base;
  *location_out = location;
  *site_out = site_of(heap, location.base);
  return true;
}

/* ---- invariants ----------------------------------------------------------------------------------------- */

typedef struct totals {
  size_t live_count, live_bytes, new_slots, buffer_count, buffer_bytes, attached_bytes;
} totals;

static bool owns_its_windows(const vptr__heap *heap, const vptr__range *range) {
  for (uint32_t i = 0; i < range->windows; i++) {
    const vptr__directory_entry *entry = &heap->directory.entries[range->window + i];
    if (heap->directory.owners[range->window + i] != range || entry->base != range->base ||
        (entry->sequence & 1) != 0)
      return false;
  }
  const bool is_followed = range->span != NULL && range != range->span->parts[range->span->count - 1];
  const uint32_t least = is_followed ? (uint32_t)(range->bytes >> heap->space.window_shift)
                                     : vptr__space_windows_for(&heap->space, range->bytes);
  return range->base == vptr__space_address(&heap->space, range->window) && range->windows == least;
}

static bool entry_agrees(const vptr__heap *heap, const vptr__range *range) {
  const vptr__directory_entry *entry = &heap->directory.entries[range->window];
  switch (range->role) {
  case VPTR__ROLE_SLAB:
    return entry->kind == VPTR__ENTRY_SLAB && entry->slot_size == range->slab.slot_size &&
           entry->states == range->slab.states && entry->buffer == vptr__residence_shown(range);
  case VPTR__ROLE_WHOLE:
    return entry->kind == VPTR__ENTRY_WHOLE && entry->size == range->size &&
           entry->buffer == vptr__residence_shown(range);
  case VPTR__ROLE_ATTACHED:
    return entry->kind == VPTR__ENTRY_ATTACHED && entry->size == range->bytes && entry->buffer == range->buffer;
  case VPTR__ROLE_PART:
    return entry->buffer == vptr__residence_shown(range) && entry->slot_size == range->window - range->span->window &&
           (entry->kind == VPTR__ENTRY_PART ? entry->size == vptr__span_share(range->span, range, range->size)
                                            : vptr__span_share(range->span, range, range->size) == 0);
  case VPTR__ROLE_HELD:
  case VPTR__ROLE_IDLE:
    return entry->kind == VPTR__ENTRY_TOMB;
  case VPTR__ROLE_NONE:
    break;
  }
  return false;
}

static bool range_is_valid(const vptr__heap *heap, const vptr__range *range, totals *sum) {
  if (!owns_its_windows(heap, range) || !entry_agrees(heap, range))
    return false;
  if (range->role == VPTR__ROLE_ATTACHED) {
    sum->attached_bytes += range->bytes;
  } else {
    sum->buffer_count++;
    sum->buffer_bytes += range->bytes;
  }
  if (range->role == VPTR__ROLE_SLAB)
    return vptr__slab_is_valid(range, &sum->live_count, &sum->live_bytes, &sum->new_slots);
  if (range->role == VPTR__ROLE_WHOLE || range->role == VPTR__ROLE_ATTACHED ||
      (range->role == VPTR__ROLE_PART && range == range->span->parts[0])) {
    sum->live_count++;
    sum->live_bytes += range->size;
  }
  return true;
}

static bool ranges_are_valid(const vptr__heap *heap, totals *sum) {
  uint64_t base = 0;
  uintptr_t value;
  while (vptr__tree_find_ge(&heap->ranges, base, &base, &value)) {
    if (((const vptr__range *)value)->base != base || !range_is_valid(heap, (const vptr__range *)value, sum))
      return false;
    base++;
  }
  return true;
}

static bool classes_are_valid(const vptr__heap *heap) {
  for (unsigned class = 0; class < VPTR__CLASS_COUNT; class ++) {
    const vptr__range *previous_range = NULL;
    for (const vptr__range *range = heap->classes[class].first; range != NULL; range = range->next) {
      if (range->role != VPTR__ROLE_SLAB || range->slab.class != class || range->slab.free_slots == 0 ||
          range->prev != previous_range)
        return false;
      previous_range = range;
    }
  }
  return true;
}

static const char *broken_invariant(vptr__heap *heap) {
  totals sum = { 0 };
  if (!vptr__space_is_valid(&heap->space))
    return "the windows of the address space";
  if (!vptr__tree_is_valid(&heap->ranges) || !vptr__tree_is_valid(&heap->derived) ||
      !vptr__tree_is_valid(&heap->pins) || !vptr__tree_is_valid(&heap->sites))
    return "a tree";
  if (!ranges_are_valid(heap, &sum))
    return "a range and its entries";
  if (!classes_are_valid(heap))
    return "a class's list of slabs";
  if (!vptr__cache_is_valid(&heap->cache))
    return "the cache";
  if (sum.live_count != live_count(heap) || sum.live_bytes != live_bytes(heap) ||
      sum.attached_bytes != heap->attached_bytes)
    return "the count of live allocations";
  if (sum.new_slots != vptr__magazines_new_slots(heap))
    return "the slots that threads have at hand";
  if (sum.buffer_count != heap->buffer_count || sum.buffer_bytes != heap->buffer_bytes)
    return "the count of buffers";
  return NULL;
}

vptr_status vptr__heap_check(vptr__heap *heap) {
  vptr__heap_lock(heap);
  vptr__magazines_stop(heap);
  const char *broken = broken_invariant(heap);
  vptr__magazines_go(heap);
  vptr__heap_unlock(heap);
  if (broken == NULL)
    return VPTR_SUCCESS;
  return vptr__error(VPTR_ERROR_CORRUPT, "%s does not hold what it must: a bug in vptr, or memory overwritten",
                     broken);
}
