/* SPDX-License-Identifier: MIT */
/*
 * span - see span.h: several buffers, made together, entered together, and taken out together.
 *
 * A vptr__span is its parts': it is made here, and freed with the last of them. vptr__heap.lock, of rank HEAP, guards
 * it but for `unreleased`, which is atomic; callers hold that lock where the next sentence says so. Called by heap.c,
 * place.c, placed.c, snapshot.c, survey.c, range.c, query.c, compact.c, residence.c and residence_store.c, with the
 * lock, but by range.c without it where a part is released, and by residence_move.c where one comes; and without it by
 * heap/lease.c, mapper/explain.c, mapper/lookup.c, transfer/access.c, async.c, copy.c, fill.c, line.c, seam.c and
 * set.c, and cudart/module/argument.c, cudart/module/lease.c and prepare.c, and cudart/cuda/array_seam.c, which ask for
 * seams and parts. To allocate gives the lock back while the driver makes the buffers.
 */
#include "heap/span.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/option.h"
#include "heap/residence.h"
#include "space/reservation.h"

enum { PAGE = 4096 /* as of buffers of their own */ };
enum { AT_ONCE = 8, MOST_BEYOND = 1 << 30 }; /* parts of what is larger than the device */

static size_t window_bytes(const vptr__heap *heap) {
  return (size_t)1 << heap->space.window_shift;
}

static size_t whole_windows(const vptr__heap *heap, uint64_t bytes) {
  return bytes < SIZE_MAX / 2 ? (size_t)bytes & ~(window_bytes(heap) - 1) : 0;
}

static bool is_beyond(const vptr__heap *heap, size_t bytes) {
  return bytes > heap->device->memory_bytes;
}

/* The most whole windows that one buffer may have; 0: not one. Of what is larger than the device some parts have to be
 * there at once, and who needs a byte brings all of its part. */
static size_t part_bytes(const vptr__heap *heap, size_t bytes) {
  const size_t most = whole_windows(heap, heap->device->max_buffer_bytes);
  const uint64_t memory = heap->device->memory_bytes,
                 share = memory / AT_ONCE < MOST_BEYOND ? memory / AT_ONCE : (uint64_t)MOST_BEYOND;
  if (!is_beyond(heap, bytes) || most == 0)
    return most;
  const size_t wanted = vptr__larger(whole_windows(heap, share), window_bytes(heap));
  return wanted > memory ? 0 : vptr__smaller(wanted, most);
}

/* Whether its parts may leave the device: those of the program's do. */
static bool may_leave(const vptr__heap *heap, const void *site) {
  return heap->insist != NULL && site != NULL;
}

/* Whether so many bytes are more than one buffer may have, and several may have them. */
static bool is_for_span(const vptr__heap *heap, size_t bytes) {
  return (bytes > heap->device->max_buffer_bytes || is_beyond(heap, bytes)) && part_bytes(heap, bytes) > 0 &&
         !heap->is_exact && !vptr__heap_has_arena(heap);
}

bool vptr__span_may_exceed(const vptr__heap *heap, size_t bytes, const void *site) {
  return is_beyond(heap, bytes) && bytes <= heap->space.size && may_leave(heap, site) && is_for_span(heap, bytes);
}

/* Whose windows are not larger than the device (space/reservation.h), if it has a window's least. */
static size_t reservation_for(uint64_t memory) {
  return (size_t)VPTR__WINDOWS_WANTED << (63 - __builtin_clzll(memory | 1 << VPTR__WINDOW_SHIFT_LEAST));
}

vptr_status vptr__span_refuse_beyond(const vptr__heap *heap, size_t bytes, const void *site) {
  const unsigned long long memory = heap->device->memory_bytes;
  const char *name = heap->device->name;
  if (heap->is_exact && may_leave(heap, site))
    return vptr__error(
        VPTR_ERROR_INVALID_SIZE,
        "%zu bytes asked for, but %s has %llu, and with VPTR_EXACT=1 each allocation is one buffer: ask "
        "for less, or unset it",
        bytes, name, memory);
  if (!may_leave(heap, site))
    return vptr__error(VPTR_ERROR_INVALID_SIZE,
                       "%zu bytes asked for, but %s has %llu: ask for less, or set VPTR_OVERSUBSCRIBE=1", bytes, name,
                       memory);
  if (bytes > heap->space.size)
    return vptr__error(
        VPTR_ERROR_INVALID_SIZE,
        "%zu bytes asked for, but %s has %llu, and the mapper %zu bytes of addresses: ask for less, or "
        "for more addresses (VPTR_RESERVE)",
        bytes, name, memory, heap->space.size);
  return vptr__error(VPTR_ERROR_INVALID_SIZE,
                     "%zu bytes asked for, but %s has %llu, and what is larger than that has parts of %zu bytes at "
                     "least, a window of the mapper's addresses: ask for less, or for fewer addresses "
                     "(VPTR_RESERVE=%zu)",
                     bytes, name, memory, window_bytes(heap), reservation_for(memory));
}

bool vptr__span_is_apart(const vptr__range *range) {
  return range->span != NULL && range->span->row == NULL;
}

size_t vptr__span_share(const vptr__span *span, const vptr__range *part, size_t size) {
  const size_t before = part->base - span->parts[0]->base;
  if (size <= before)
    return 0;
  return size - before < part->bytes ? size - before : part->bytes;
}

/* ---- making --------------------------------------------------------------------------------------------- */

/* Of which no part has a buffer. */
static void free_span(const vptr__heap *heap, vptr__span *span) {
  if (span->row != NULL)
    heap->device->ops->memory.row_release(heap->device, span->row);
  for (uint32_t i = 0; i < span->count; i++)
    vptr__memory_free(span->parts[i]);
  vptr__memory_free(span);
}

/* Its parts, without buffers and places. */
static vptr_status make_span(const vptr__heap *heap, size_t bytes, vptr__span **span_out) {
  const size_t part = part_bytes(heap, bytes), count = (bytes - 1) / part + 1;
  vptr__span *span = vptr__memory_calloc(1, sizeof *span + count * sizeof *span->parts);
  if (span == NULL)
    return vptr__error_host_memory(sizeof *span + count * sizeof *span->parts);
  span->bytes = bytes;
  span->part_bytes = part;
  for (; span->count < count; span->count++) {
    const size_t before = span->count * part;
    vptr__range *range = vptr__memory_calloc(1, sizeof *range);
    if (range == NULL) {
      free_span(heap, span);
      return vptr__error_host_memory(sizeof *range);
    }
    range->span = span;
    range->bytes = bytes - before < part ? bytes - before : part;
    range->store.file = -1;
    span->parts[span->count] = range;
  }
  span->undoomed = span->count;
  span->unreleased = span->count;
  *span_out = span;
  return VPTR_SUCCESS;
}

static vptr_status fill_part(const vptr__heap *heap, const vptr__span *span, uint32_t index, cl_mem *buffer_out) {
  vptr__device *device = heap->device;
  if (span->row != NULL)
    return device->ops->memory.row_part(device, span->row, index, span->byte, buffer_out);
  return device->ops->memory.create_set(device, span->parts[index]->bytes, span->byte, buffer_out);
}

vptr_status vptr__span_fill_part(const vptr__heap *heap, const vptr__range *part, cl_mem *buffer_out) {
  const vptr__span *span = part->span;
  uint32_t index = 0;
  while (span->parts[index] != part)
    index++;
  return fill_part(heap, span, index, buffer_out);
}

/* Where the device cannot have them in a row, they lie apart. */
static vptr_status find_row(const vptr__heap *heap, vptr__span *span) {
  vptr__error_try();
  vptr_status status = heap->device->ops->memory.row_create(heap->device, span->bytes, span->part_bytes, &span->row);
  return vptr__error_tried(status == VPTR_ERROR_UNSUPPORTED ? VPTR_SUCCESS : status);
}

/* Of a span without a place. */
static void drop_buffers(const vptr__heap *heap, vptr__span *span) {
  for (uint32_t i = 0; i < span->count; i++)
    if (span->parts[i]->buffer != NULL)
      heap->device->ops->memory.release(heap->device, span->parts[i]->buffer);
  free_span(heap, span);
}

/* Parts that may leave come when they are wanted. */
static vptr_status fill_span(const vptr__heap *heap, vptr__span *span, bool moves) {
  vptr_status status = find_row(heap, span);
  for (uint32_t i = 0; status == VPTR_SUCCESS && i < span->count; i++)
    if (moves)
      span->parts[i]->residence = VPTR__RESIDENCE_AWAY;
    else
      status = fill_part(heap, span, i, &span->parts[i]->buffer);
  return status;
}

/* ---- places --------------------------------------------------------------------------------------------- */

/* address: where it is to be; 0: anywhere. */
static vptr_status claim_windows(vptr__heap *heap, vptr__span *span, uintptr_t address) {
  const uint32_t windows = vptr__space_windows_for(&heap->space, span->bytes),
                 each = (uint32_t)(span->part_bytes >> heap->space.window_shift);
  if (windows == 0)
    return vptr__error(VPTR_ERROR_OUT_OF_ADDRESSES,
                       "%zu bytes do not fit the %zu bytes of reserved addresses: raise VPTR_RESERVE", span->bytes,
                       heap->space.size);
  vptr_status status;
  if (address != 0) {
    span->window = (uint32_t)((address - heap->space.base) >> heap->space.window_shift);
    status = vptr__space_take_at(&heap->space, span->window, windows);
  } else {
    status = vptr__space_take(&heap->space, windows, &span->window);
  }
  if (status != VPTR_SUCCESS)
    return status;
  for (uint32_t i = 0; i < span->count; i++) {
    vptr__range *part = span->parts[i];
    part->window = span->window + i * each;
    part->windows = i + 1 < span->count ? each : windows - i * each;
    part->base = vptr__space_address(&heap->space, part->window);
  }
  return VPTR_SUCCESS;
}

/* Parts that were entered leave again if a later one cannot be. */
static vptr_status enter_parts(vptr__heap *heap, vptr__span *span) {
  vptr_status status = VPTR_SUCCESS;
  uint32_t entered = 0;
  while (entered < span->count && (status = vptr__range_enter(heap, span->parts[entered])) == VPTR_SUCCESS)
    entered++;
  if (status == VPTR_SUCCESS)
    return status;
  for (uint32_t i = span->count; i-- > 0;)
    if (i < entered)
      vptr__range_leave(heap, span->parts[i]);
    else
      vptr__range_doom(heap, span->parts[i]);
  return status;
}

/* Made and entered, and without an allocation yet. */
static vptr_status begin_span(vptr__heap *heap, size_t bytes, uintptr_t address, unsigned char byte, bool moves,
                              vptr__span **span_out) {
  vptr__span *span = NULL;
  vptr_status status = make_span(heap, bytes, &span);
  if (status != VPTR_SUCCESS)
    return status;
  span->byte = byte;
  heap->moving++;
  vptr__heap_unlock(heap);
  status = fill_span(heap, span, moves);
  vptr__heap_lock(heap);
  if (status == VPTR_SUCCESS)
    status = vptr__heap_prepare(heap);
  if (status == VPTR_SUCCESS)
    status = claim_windows(heap, span, address);
  if (status != VPTR_SUCCESS) {
    vptr__heap_unlock(heap);
    drop_buffers(heap, span);
    vptr__heap_lock(heap);
  }
  heap->moving--;
  vptr__residence_note_change(heap);
  if (status != VPTR_SUCCESS)
    return status;
  status = enter_parts(heap, span);
  if (status == VPTR_SUCCESS)
    *span_out = span;
  return status;
}

static vptr_status allocate_span(vptr__heap *heap, size_t size, const void *site, void **ptr_out) {
  vptr__span *span;
  vptr_status status = begin_span(heap, vptr__align_up(size, PAGE), 0,
                                  vptr__option_flag(VPTR__OPTION_POISON) ? 0xff : 0, may_leave(heap, site), &span);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__span_settle(heap, span, size, site);
  *ptr_out = (void *)span->parts[0]->base;
  return VPTR_SUCCESS;
}

/* Once more after everything idle was released, if that was anything. */
static vptr_status insist_on_span(vptr__heap *heap, size_t size, const void *site, void **ptr_out) {
  vptr_status status = allocate_span(heap, size, site, ptr_out);
  if (!vptr__heap_lacks_room(status))
    return status;
  vptr__heap_unlock(heap);
  const bool gave = vptr__heap_give_idle(heap);
  vptr__heap_lock(heap);
  return gave ? allocate_span(heap, size, site, ptr_out) : status;
}

/* A driver may well make a buffer that is larger than it says (NVIDIA's), so it was asked for one. */
vptr_status vptr__span_instead(vptr__heap *heap, vptr_status refusal, size_t size, const void *site, void **ptr_out) {
  if (refusal != VPTR_ERROR_INVALID_SIZE || !is_for_span(heap, vptr__align_up(size, PAGE)))
    return refusal;
  return insist_on_span(heap, size, site, ptr_out);
}

vptr_status vptr__span_place(vptr__heap *heap, vptr_status refusal, uintptr_t address, size_t bytes, const void *site,
                             vptr__span **span_out) {
  if (refusal != VPTR_ERROR_INVALID_SIZE || !is_for_span(heap, bytes))
    return refusal;
  return begin_span(heap, bytes, address, 0, may_leave(heap, site), span_out);
}

/* ---- life ----------------------------------------------------------------------------------------------- */

static void publish_part(vptr__heap *heap, const vptr__range *part, vptr__entry_kind kind, size_t size) {
  const bool is_live = kind == VPTR__ENTRY_PART;
  vptr__directory_publish(&heap->directory, part->window, part->windows,
                          &(vptr__directory_content){ .kind = kind,
                                                      .base = part->base,
                                                      .size = is_live ? size : part->size,
                                                      .buffer = vptr__residence_shown(part),
                                                      .serial = part->serial,
                                                      .windows_before = part->window - part->span->window,
                                                      .whole_size = part->size });
}

/* Of an allocation smaller than the place was made for the last parts may have no byte, and are freed. */
void vptr__span_settle(vptr__heap *heap, vptr__span *span, size_t size, const void *site) {
  const uint64_t serial = ++heap->serial;
  for (uint32_t i = 0; i < span->count; i++) {
    vptr__range *part = span->parts[i];
    const size_t share = vptr__span_share(span, part, size);
    part->role = VPTR__ROLE_PART;
    part->size = size;
    part->serial = serial;
    vptr__residence_begin(heap, part, site != NULL);
    publish_part(heap, part, share > 0 ? VPTR__ENTRY_PART : VPTR__ENTRY_TOMB, share);
  }
  heap->span_count++;
  heap->apart_count += span->row == NULL;
  vptr__heap_account(heap, span->parts[0]->base, size, site);
}

void vptr__span_retire(vptr__heap *heap, const vptr__span *span) {
  heap->span_count--;
  heap->apart_count -= span->row == NULL;
  for (uint32_t i = 0; i < span->count; i++) {
    vptr__range *part = span->parts[i];
    vptr__residence_end(heap, part);
    vptr__directory_record_issued(&heap->directory, part->window, vptr__span_share(span, part, part->size));
    publish_part(heap, part, VPTR__ENTRY_TOMB, 0);
    part->role = VPTR__ROLE_HELD;
  }
}

bool vptr__span_leave(vptr__heap *heap, const vptr__range *range, bool is_withheld) {
  const vptr__span *span = range->span;
  for (uint32_t i = 0; span != NULL && i < span->count; i++) {
    span->parts[i]->is_withheld |= is_withheld;
    vptr__range_leave(heap, span->parts[i]);
  }
  return span != NULL;
}

bool vptr__span_doom_part(vptr__span *span) {
  return --span->undoomed == 0;
}

void vptr__span_release_part(const vptr__heap *heap, vptr__span *span) {
  if (atomic_fetch_sub(&span->unreleased, 1) > 1)
    return;
  if (span->row != NULL)
    heap->device->ops->memory.row_release(heap->device, span->row);
  vptr__memory_free(span);
}

/* ---- seams --------------------------------------------------------------------------------------------- */

bool vptr__heap_has_seam(const vptr__heap *heap, const void *ptr, size_t size) {
  return size > vptr__directory_reach(&heap->directory, ptr);
}

vptr_status vptr__heap_refuse_seam(const vptr__heap *heap, const void *ptr, size_t size) {
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "the %zu bytes at %p lie in several buffers, of which the first has %zu of them, and this call "
                     "takes one: use the buffers one by one (vptr_get_parts())",
                     size, ptr, vptr__directory_reach(&heap->directory, ptr));
}

vptr_status vptr__heap_part_at(const vptr__heap *heap, const void *ptr, vptr_part *part_out) {
  vptr_location location;
  vptr_status status = vptr__directory_locate(&heap->directory, ptr, 1, &location);
  if (status != VPTR_SUCCESS)
    return status;
  const size_t reach = vptr__directory_reach(&heap->directory, ptr), left = location.size - location.offset;
  *part_out = (vptr_part){ .ptr = (void *)(uintptr_t)ptr,
                           .size = reach < left ? reach : left,
                           .buffer = location.buffer,
                           .buffer_offset = location.buffer_offset };
  return VPTR_SUCCESS;
}

bool vptr__heap_has_parts(const vptr__heap *heap) {
  return atomic_load_explicit(&heap->span_count, memory_order_acquire) > 0;
}

bool vptr__heap_has_apart(const vptr__heap *heap) {
  return atomic_load_explicit(&heap->apart_count, memory_order_acquire) > 0;
}

bool vptr__heap_is_apart(vptr__heap *heap, const void *ptr) {
  vptr_location location;
  if (!vptr__heap_has_apart(heap) || vptr__directory_locate(&heap->directory, ptr, 1, &location) != VPTR_SUCCESS ||
      location.kind != VPTR_KIND_PART)
    return false;
  vptr__heap_lock(heap);
  const vptr__range *range = vptr__range_at(heap, ptr);
  const bool is = range != NULL && vptr__span_is_apart(range);
  vptr__heap_unlock(heap);
  return is;
}

vptr_status vptr__heap_refuse_apart(const vptr__heap *heap, const void *ptr) {
  return vptr__error(
      VPTR_ERROR_UNSUPPORTED,
      "the allocation at %p consists of several buffers, which lie apart on %s, so that no address leads "
      "from one into the next: compile kernels with vptrcc --finds-buffers, or with VPTR_FINDS_BUFFERS=1 where they "
      "are compiled at run time, so that they look up what they reach, or use the buffers one by one "
      "(vptr_get_parts())",
      ptr, heap->device->name);
}
