/* SPDX-License-Identifier: MIT */
/*
 * placed - makes allocations at addresses that the caller names: one, vptr__heap_allocate_at() (heap.h), or all of a
 * snapshot (snapshot.h), and attaches buffers there, vptr__heap_attach_at(). All bring back what was there in another
 * process.
 *
 * One that is named alone always has a buffer of its own, also if it is small, since a slab says itself where its slots
 * are; a snapshot tells slabs as such. Buffers are made without the heap's lock, and released again if their windows
 * are not free by then.
 *
 * The file owns nothing: it changes the heap (state.h), whose `lock`, of rank HEAP, it takes to enter each buffer;
 * under it the numbers `serial` and `slab_serial` go back to those of the snapshot for a moment. Callers hold no lock
 * of rank HEAP or above. Called by checkpoint/restore.c and
 * cudart/pinned/alias.c; by tests; and by the tool vptr-replay. It blocks while the
 * driver makes the buffer, and on a full device while others give memory up (mapper/reclaim.h).
 */
#include "heap/class.h"
#include "heap/slab.h"
#include "heap/snapshot.h"
#include "heap/span.h"
#include "heap/state.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"

enum { PAGE = 4096 };

static vptr_status check_place(const vptr__heap *heap, uintptr_t address, size_t size) {
  const vptr__space *space = &heap->space;
  const size_t window = (size_t)1 << space->window_shift;
  if (vptr__heap_has_arena(heap))
    return vptr__error(VPTR_ERROR_UNSUPPORTED,
                       "with VPTR_ADDRESSES=device no allocation can be placed at an address");
  if (size > heap->device->memory_bytes)
    return vptr__error(VPTR_ERROR_INVALID_SIZE, "%zu bytes asked for, but %s has %llu", size, heap->device->name,
                       (unsigned long long)heap->device->memory_bytes);
  if (address < space->base || address - space->base >= space->size || (address - space->base) % window != 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "no allocation can begin at %#zx: addresses are %#zx to %#zx, and buffers begin at multiples "
                       "of %zu bytes",
                       (size_t)address, (size_t)space->base, (size_t)(space->base + space->size - 1), window);
  return VPTR_SUCCESS;
}

/* ---- a buffer at its place ------------------------------------------------------------------------------- */

/* A range that needs its buffer. */
typedef struct filling {
  vptr__heap *heap;
  vptr__range *range;
  bool is_zero;
} filling;

static vptr_status fill_range(void *context) {
  const filling *it = context;
  return it->is_zero
             ? it->heap->device->ops->memory.create_set(it->heap->device, it->range->bytes, 0, &it->range->buffer)
             : vptr__range_fill(it->heap, it->range);
}

/* With a buffer, and not entered yet. */
static vptr_status make_there(vptr__heap *heap, uintptr_t address, size_t bytes, bool is_zero,
                              vptr__range **range_out) {
  vptr__range *range = vptr__memory_calloc(1, sizeof *range);
  if (range == NULL)
    return vptr__error_host_memory(sizeof *range);
  range->base = address;
  range->bytes = bytes;
  range->window = (uint32_t)((address - heap->space.base) >> heap->space.window_shift);
  filling it = { heap, range, is_zero };
  vptr_status status = heap->insist != NULL ? heap->insist(heap->insist_context, fill_range, &it) : fill_range(&it);
  if (status == VPTR_SUCCESS)
    *range_out = range;
  else
    vptr__memory_free(range);
  return status;
}

static void drop_range(vptr__heap *heap, vptr__range *range) {
  heap->device->ops->memory.release(heap->device, range->buffer);
  vptr__memory_free(range);
}

/* Under the lock. */
static vptr_status enter_there(vptr__heap *heap, vptr__range *range) {
  uint32_t windows = vptr__space_windows_for(&heap->space, range->bytes);
  vptr_status status = vptr__heap_prepare(heap);
  if (status == VPTR_SUCCESS)
    status = windows == 0 ? vptr__error(VPTR_ERROR_OUT_OF_ADDRESSES,
                                        "a buffer of %zu bytes does not fit the %zu bytes of reserved addresses",
                                        range->bytes, heap->space.size)
                          : vptr__space_take_at(&heap->space, range->window, windows);
  if (status != VPTR_SUCCESS)
    return status;
  range->windows = windows;
  status = vptr__range_enter(heap, range);
  if (status != VPTR_SUCCESS) {
    vptr__space_give(&heap->space, range->window);
    range->windows = 0;
  }
  return status;
}

vptr_status vptr__heap_allocate_at(vptr__heap *heap, uintptr_t address, size_t size, const void *site) {
  vptr__range *range = NULL;
  vptr_status status = check_place(heap, address, size);
  if (status == VPTR_SUCCESS)
    status = make_there(heap, address, heap->is_exact ? size : vptr__align_up(size, PAGE), false, &range);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__heap_lock(heap);
  vptr__magazine_settle(heap);
  status = enter_there(heap, range);
  if (status == VPTR_SUCCESS)
    vptr__heap_settle(heap, range, VPTR__ROLE_WHOLE, size, site);
  vptr__heap_unlock(heap);
  if (status != VPTR_SUCCESS)
    drop_range(heap, range);
  return status;
}

/* ---- a buffer of somebody else's ------------------------------------------------------------------------- */

/* Under the lock. */
static vptr_status enter_attached(vptr__heap *heap, vptr__range *range, uint64_t serial, const void *site) {
  const vptr_status status = enter_there(heap, range);
  if (status != VPTR_SUCCESS)
    return status;
  const uint64_t latest = heap->serial;
  heap->device->ops->memory.retain(heap->device, range->buffer);
  heap->serial = serial - 1;
  vptr__heap_settle(heap, range, VPTR__ROLE_ATTACHED, range->bytes, site);
  heap->serial = heap->slab_serial = vptr__larger(latest, serial);
  heap->attached_bytes += range->bytes;
  return VPTR_SUCCESS;
}

vptr_status vptr__heap_attach_at(vptr__heap *heap, cl_mem buffer, uintptr_t address, uint64_t serial,
                                 const void *site) {
  size_t bytes = 0;
  vptr_status status = heap->device->ops->memory.size(heap->device, buffer, &bytes);
  if (status == VPTR_SUCCESS)
    status = check_place(heap, address, 1);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__range *range = vptr__memory_calloc(1, sizeof *range);
  if (range == NULL)
    return vptr__error_host_memory(sizeof *range);
  *range = (vptr__range){ .base = address, .buffer = buffer, .bytes = bytes, .role = VPTR__ROLE_ATTACHED };
  range->window = (uint32_t)((address - heap->space.base) >> heap->space.window_shift);
  vptr__heap_lock(heap);
  vptr__magazine_settle(heap);
  status = enter_attached(heap, range, serial, site);
  vptr__heap_unlock(heap);
  if (status != VPTR_SUCCESS)
    vptr__memory_free(range);
  return status;
}

/* ---- all of a snapshot ---------------------------------------------------------------------------------- */

/* What is made again. */
typedef struct restoring {
  vptr__heap *heap;
  const vptr__snapshot *snapshot;
  const void *site;
} restoring;

static vptr_status refuse_line(const vptr__snapshot_buffer *line) {
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                     "%u allocations in a buffer of %llu bytes at %#llx, in slots of %u bytes, cannot be made in a "
                     "mapper with this alignment and window",
                     line->place_count, (unsigned long long)line->bytes, (unsigned long long)line->base,
                     line->slot_size);
}

/* Whether the class of these slots has the size here that it had there, and they lie in the first window. */
static bool is_slab_of_ours(const vptr__heap *heap, const vptr__snapshot_buffer *line) {
  const size_t slot = line->slot_size, window = (size_t)1 << heap->space.window_shift;
  return vptr__heap_pools(heap, slot - 1) && line->bytes <= window && slot <= line->bytes &&
         vptr__class_slot_size(vptr__class_of(slot - 1, heap->granule_shift), heap->granule_shift) == slot;
}

static bool is_line_right(const restoring *it, const vptr__snapshot_buffer *line) {
  const vptr__snapshot *from = it->snapshot;
  if (line->place_count == 0 || line->first_place > from->place_count ||
      line->place_count > from->place_count - line->first_place)
    return false;
  if (line->slot_size != 0)
    return is_slab_of_ours(it->heap, line);
  const vptr__snapshot_place *place = &from->places[line->first_place];
  return line->place_count == 1 && place->base == line->base && place->size > 0 && place->size <= line->bytes;
}

static uint64_t least_serial(const restoring *it, const vptr__snapshot_buffer *line) {
  uint64_t least = UINT64_MAX;
  for (uint32_t i = 0; i < line->place_count; i++)
    least = vptr__smaller(least, it->snapshot->places[line->first_place + i].serial);
  return least;
}

/* Nobody can have a magazine's slot of a slab that has not been seen yet. */
static vptr_status put_slots(const restoring *it, vptr__range *range, const vptr__snapshot_buffer *line) {
  vptr_status status =
      vptr__slab_begin(it->heap, range, vptr__class_of(line->slot_size - 1, it->heap->granule_shift));
  for (uint32_t i = 0; i < line->place_count && status == VPTR_SUCCESS; i++) {
    const vptr__snapshot_place *place = &it->snapshot->places[line->first_place + i];
    if (!vptr__slab_put(it->heap, range, place->base, place->size, place->serial))
      return refuse_line(line);
    vptr__heap_account(it->heap, place->base, place->size, it->site);
    status = vptr__heap_prepare(it->heap);
  }
  return status;
}

/* Under the lock, around what issues a line's allocations: they have the numbers of then. begin_numbers() returns the
 * latest number here. */
static uint64_t begin_numbers(const restoring *it, const vptr__snapshot_buffer *line) {
  const uint64_t latest = it->heap->serial;
  it->heap->serial = least_serial(it, line) - 1;
  return latest;
}

static void end_numbers(const restoring *it, uint64_t latest) {
  it->heap->serial = vptr__larger(latest, it->snapshot->serial);
  it->heap->slab_serial = it->heap->serial;
}

/* Under the lock: an entered range becomes what the line says. */
static vptr_status fill_line(const restoring *it, vptr__range *range, const vptr__snapshot_buffer *line) {
  const uint64_t latest = begin_numbers(it, line);
  vptr_status status = VPTR_SUCCESS;
  if (line->slot_size != 0)
    status = put_slots(it, range, line);
  else
    vptr__heap_settle(it->heap, range, VPTR__ROLE_WHOLE, it->snapshot->places[line->first_place].size, it->site);
  end_numbers(it, latest);
  if (status != VPTR_SUCCESS && range->role == VPTR__ROLE_NONE)
    vptr__range_leave(it->heap, range);
  return status;
}

/* A line whose one buffer was refused. */
typedef struct spanning {
  const restoring *it;
  const vptr__snapshot_buffer *line;
  vptr_status refusal;
} spanning;

static vptr_status make_span_there(void *context) {
  const spanning *of = context;
  const restoring *it = of->it;
  vptr__span *span;
  vptr__heap_lock(it->heap);
  vptr__magazine_settle(it->heap);
  const vptr_status status =
      vptr__span_place(it->heap, of->refusal, of->line->base, of->line->bytes, it->site, &span);
  if (status == VPTR_SUCCESS) {
    const uint64_t latest = begin_numbers(it, of->line);
    vptr__span_settle(it->heap, span, it->snapshot->places[of->line->first_place].size, it->site);
    end_numbers(it, latest);
  }
  vptr__heap_unlock(it->heap);
  return status;
}

/* As several buffers, if that is why it was refused: another device had it as one, or in other parts. */
static vptr_status restore_span(const restoring *it, const vptr__snapshot_buffer *line, vptr_status refusal) {
  spanning of = { it, line, refusal };
  if (line->slot_size != 0)
    return refusal;
  return it->heap->insist != NULL ? it->heap->insist(it->heap->insist_context, make_span_there, &of)
                                  : make_span_there(&of);
}

static vptr_status restore_buffer(const restoring *it, const vptr__snapshot_buffer *line, vptr__range *range) {
  vptr__heap_lock(it->heap);
  vptr__magazine_settle(it->heap);
  vptr_status status = enter_there(it->heap, range);
  const bool is_entered = status == VPTR_SUCCESS;
  if (is_entered)
    status = fill_line(it, range, line);
  vptr__heap_unlock(it->heap);
  if (!is_entered)
    drop_range(it->heap, range);
  return status;
}

static vptr_status restore_line(const restoring *it, const vptr__snapshot_buffer *line) {
  vptr__range *range = NULL;
  vptr_status status = is_line_right(it, line) ? check_place(it->heap, line->base, line->bytes) : refuse_line(line);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__error_try();
  status = make_there(it->heap, line->base, line->bytes, true, &range);
  status = status == VPTR_SUCCESS ? restore_buffer(it, line, range) : restore_span(it, line, status);
  return vptr__error_tried(status);
}

/* What is kept for later use is in the way, and so are addresses that rest for a while. */
static void make_way(vptr__heap *heap) {
  vptr__heap_trim(heap, 0);
  vptr__heap_lock(heap);
  vptr__space_end_waiting(&heap->space);
  vptr__heap_unlock(heap);
}

void vptr__snapshot_undo(vptr__heap *heap) {
  vptr_location location;
  uintptr_t from = 0;
  while (vptr__heap_next(heap, from, &location)) {
    vptr__heap_free(heap, location.base);
    from = (uintptr_t)location.base + 1;
  }
  make_way(heap);
}

vptr_status vptr__snapshot_restore(vptr__heap *heap, const vptr__snapshot *snapshot, const void *site) {
  const restoring it = { heap, snapshot, site };
  vptr_status status = VPTR_SUCCESS;
  make_way(heap);
  for (size_t i = 0; i < snapshot->buffer_count && status == VPTR_SUCCESS; i++)
    status = restore_line(&it, &snapshot->buffers[i]);
  if (status != VPTR_SUCCESS)
    vptr__snapshot_undo(heap);
  return status;
}
