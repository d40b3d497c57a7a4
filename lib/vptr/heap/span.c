/* SPDX-License-Identifier: MIT */
/*
 * span - see span.h: several buffers, made together, entered together, and taken out together.
 *
 * A vptr__span is its parts': it is made here, and freed with the last of them. vptr__heap.lock, of rank HEAP, guards
 * it but for `unreleased`, which is atomic; callers hold that lock where the next sentence says so. Called by heap.c,
 * place.c, placed.c, snapshot.c, range.c and query.c, with the lock, but by range.c without it where a part is
 * released; and without it by lease.c, mapper/explain.c, mapper/lookup.c, transfer/access.c, async.c, copy.c, fill.c,
 * line.c, seam.c and set.c, which ask for seams and parts. To allocate gives the lock back while the driver makes the
 * buffers.
 */
#include "heap/span.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/option.h"
#include "heap/residence.h"

enum { PAGE = 4096 /* as of buffers of their own */ };

static size_t window_bytes(const vptr__heap *heap) {
  return (size_t)1 << heap->space.window_shift;
}

/* The most whole windows that one buffer may have; 0: not one. */
static size_t part_bytes(const vptr__heap *heap) {
  const uint64_t most = heap->device->max_buffer_bytes;
  return most < SIZE_MAX / 2 ? (size_t)most & ~(window_bytes(heap) - 1) : 0;
}

/* Whether so many bytes are more than one buffer may have, and several may have them. */
static bool is_for_span(const vptr__heap *heap, size_t bytes) {
  return bytes > heap->device->max_buffer_bytes && part_bytes(heap) > 0 && !heap->is_exact &&
         !vptr__heap_has_arena(heap);
}

size_t vptr__span_share(const vptr__span *span, const vptr__range *part, size_t size) {
  const size_t before = part->base - span->parts[0]->base;
  if (size <= before)
    return 0;
  return size - before < part->bytes ? size - before : part->bytes;
}

/* ---- making --------------------------------------------------------------------------------------------- */

static void free_span(vptr__span *span) {
  for (uint32_t i = 0; i < span->count; i++)
    vptr__memory_free(span->parts[i]);
  vptr__memory_free(span);
}

/* Its parts, without buffers and places. */
static vptr_status make_span(const vptr__heap *heap, size_t bytes, vptr__span **span_out) {
  const size_t part = part_bytes(heap), count = (bytes - 1) / part + 1;
  vptr__span *span = vptr__memory_calloc(1, sizeof *span + count * sizeof *span->parts);
  if (span == NULL)
    return vptr__error_host_memory(sizeof *span + count * sizeof *span->parts);
  span->bytes = bytes;
  span->part_bytes = part;
  for (; span->count < count; span->count++) {
    const size_t before = span->count * part;
    vptr__range *range = vptr__memory_calloc(1, sizeof *range);
    if (range == NULL) {
      free_span(span);
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

static vptr_status fill_span(const vptr__heap *heap, vptr__span *span, unsigned char byte) {
  cl_mem *buffers = vptr__memory_calloc(span->count, sizeof *buffers);
  if (buffers == NULL)
    return vptr__error_host_memory(span->count * sizeof *buffers);
  vptr_status status = heap->device->ops->memory.create_span(heap->device, span->count, span->part_bytes,
                                                             span->parts[span->count - 1]->bytes, byte, buffers);
  for (uint32_t i = 0; status == VPTR_SUCCESS && i < span->count; i++)
    span->parts[i]->buffer = buffers[i];
  vptr__memory_free(buffers);
  return status;
}

/* Of a span without a place. */
static void drop_buffers(const vptr__heap *heap, vptr__span *span) {
  for (uint32_t i = 0; i < span->count; i++)
    heap->device->ops->memory.release(heap->device, span->parts[i]->buffer);
  free_span(span);
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
static vptr_status begin_span(vptr__heap *heap, size_t bytes, uintptr_t address, unsigned char byte,
                              vptr__span **span_out) {
  vptr__span *span = NULL;
  vptr_status status = make_span(heap, bytes, &span);
  if (status != VPTR_SUCCESS)
    return status;
  heap->moving++;
  vptr__heap_unlock(heap);
  status = fill_span(heap, span, byte);
  vptr__heap_lock(heap);
  heap->moving--;
  vptr__residence_note_change(heap);
  if (status != VPTR_SUCCESS) {
    free_span(span);
    return status;
  }
  status = vptr__heap_prepare(heap);
  if (status == VPTR_SUCCESS)
    status = claim_windows(heap, span, address);
  if (status != VPTR_SUCCESS) {
    vptr__heap_unlock(heap);
    drop_buffers(heap, span);
    vptr__heap_lock(heap);
    return status;
  }
  status = enter_parts(heap, span);
  if (status == VPTR_SUCCESS)
    *span_out = span;
  return status;
}

static vptr_status allocate_span(vptr__heap *heap, size_t size, const void *site, void **ptr_out) {
  vptr__span *span;
  vptr_status status =
      begin_span(heap, (size + PAGE - 1) / PAGE * PAGE, 0, vptr__option_flag(VPTR__OPTION_POISON) ? 0xff : 0, &span);
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
  if (refusal != VPTR_ERROR_INVALID_SIZE || !is_for_span(heap, (size + PAGE - 1) / PAGE * PAGE))
    return refusal;
  vptr__error_try();
  const vptr_status status = insist_on_span(heap, size, site, ptr_out);
  if (status != VPTR_ERROR_UNSUPPORTED)
    return vptr__error_tried(status);
  vptr__error_tried(VPTR_SUCCESS);
  return refusal;
}

vptr_status vptr__span_place(vptr__heap *heap, vptr_status refusal, uintptr_t address, size_t bytes,
                             vptr__span **span_out) {
  if (refusal != VPTR_ERROR_INVALID_SIZE || !is_for_span(heap, bytes))
    return refusal;
  vptr__error_try();
  const vptr_status status = begin_span(heap, bytes, address, 0, span_out);
  if (status != VPTR_ERROR_UNSUPPORTED)
    return vptr__error_tried(status);
  vptr__error_tried(VPTR_SUCCESS);
  return refusal;
}

/* ---- life ----------------------------------------------------------------------------------------------- */

static void publish_part(vptr__heap *heap, const vptr__range *part, vptr__entry_kind kind, size_t size) {
  const bool is_live = kind == VPTR__ENTRY_PART;
  vptr__directory_publish(&heap->directory, part->window, part->windows,
                          &(vptr__directory_content){ .kind = kind,
                                                      .base = part->base,
                                                      .size = is_live ? size : part->size,
                                                      .buffer = part->buffer,
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
    publish_part(heap, part, share > 0 ? VPTR__ENTRY_PART : VPTR__ENTRY_TOMB, share);
  }
  vptr__heap_account(heap, span->parts[0]->base, size, site);
}

void vptr__span_retire(vptr__heap *heap, const vptr__span *span) {
  for (uint32_t i = 0; i < span->count; i++) {
    vptr__range *part = span->parts[i];
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

void vptr__span_release_part(vptr__span *span) {
  if (atomic_fetch_sub(&span->unreleased, 1) == 1)
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
