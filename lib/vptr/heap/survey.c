/* SPDX-License-Identifier: MIT */
/*
 * survey - see survey.h: asks the device where a heap's buffers lie, and lists them.
 *
 * The file owns nothing: a survey is its caller's memory, and what the device told is kept in the heap's ranges and,
 * for fixed ones, in the directory's atomic `addresses` (range.c). It takes vptr__heap.lock (state.h), of rank HEAP,
 * which guards the ranges, for moments, and asks the device without it, with each buffer retained and the device held
 * (vptr__device_hold()): that waits while a device is exchanged, and may have the driver compile a kernel. So who makes
 * a survey holds no lock of rank HEAP or behind it. `buffer_serial` is atomic and read without it. Called by
 * mapper/translation_table.c, which makes one; and by mapper/trap.c, which asks without a lock, in a signal handler,
 * which buffer of the device's is nearest to an address.
 */
#include "heap/survey.h"

#include <stdatomic.h>

#include "base/error.h"
#include "base/memory.h"
#include "heap/residence.h"
#include "heap/span.h"

uint64_t vptr__survey_serial(const vptr__heap *heap) {
  return atomic_load_explicit(&heap->buffer_serial, memory_order_acquire);
}

/* The first range at or behind `from`; NULL: none. Under the lock, or in a process that is dying. */
static vptr__range *next_range(vptr__heap *heap, uint64_t from) {
  uintptr_t value;
  return vptr__tree_find_ge(&heap->ranges, from, &from, &value) ? (vptr__range *)value : NULL;
}

/* ---- asking --------------------------------------------------------------------------------------------- */

/* The next buffer whose address nobody has asked for, retained; false: there is none. */
static bool next_unknown(vptr__heap *heap, uintptr_t *from, cl_mem *buffer_out) {
  vptr__heap_lock(heap);
  vptr__range *range = next_range(heap, *from);
  while (range != NULL && (range->address_known || !vptr__residence_is_here(range)))
    range = next_range(heap, range->base + 1);
  if (range != NULL) {
    *from = range->base;
    *buffer_out = range->buffer;
    heap->device->ops->memory.retain(heap->device, range->buffer);
  }
  vptr__heap_unlock(heap);
  return range != NULL;
}

/* If it is still there. It is retained, so that no other one can be taken for it. */
static void record_address(vptr__heap *heap, uintptr_t base, cl_mem buffer, uint64_t address) {
  vptr__heap_lock(heap);
  vptr__range *range = next_range(heap, base);
  if (range != NULL && range->base == base && range->buffer == buffer)
    vptr__range_locate(heap, range, address);
  vptr__heap_unlock(heap);
}

static vptr_status ask_all(vptr__heap *heap) {
  vptr__device *device = heap->device;
  vptr_status status = VPTR_SUCCESS;
  uintptr_t from = 0;
  cl_mem buffer;
  while (status == VPTR_SUCCESS && next_unknown(heap, &from, &buffer)) {
    uint64_t address;
    vptr__device_hold(device);
    status = device->ops->memory.address(device, buffer, &address);
    if (status == VPTR_SUCCESS)
      record_address(heap, from++, buffer, address);
    vptr__device_let_go(device);
    device->ops->memory.release(device, buffer);
  }
  return status;
}

/* ---- listing -------------------------------------------------------------------------------------------- */

static size_t count_all(vptr__heap *heap) {
  size_t count = 0;
  vptr__heap_lock(heap);
  for (vptr__range *range = next_range(heap, 0); range != NULL; range = next_range(heap, range->base + 1))
    count++;
  vptr__heap_unlock(heap);
  return count;
}

/* Those that came meanwhile are left out; who made them has not seen this call return. */
static size_t list_ranges(vptr__heap *heap, vptr__survey_line *lines, size_t room) {
  size_t count = 0;
  vptr__heap_lock(heap);
  for (vptr__range *range = next_range(heap, 0); range != NULL && count < room;
       range = next_range(heap, range->base + 1))
    if (range->address_known && vptr__residence_is_here(range))
      lines[count++] = (vptr__survey_line){ range->base, range->bytes, range->windows, range->device_address,
                                            vptr__span_is_apart(range) };
  vptr__heap_unlock(heap);
  return count;
}

static vptr_status list_all(vptr__heap *heap, vptr__survey *survey) {
  size_t room = count_all(heap);
  do {
    room += 8; /* a list that is full may have left something out: buffers came meanwhile */
    vptr__memory_free(survey->lines);
    survey->lines = vptr__memory_calloc(room, sizeof *survey->lines);
    if (survey->lines == NULL)
      return vptr__error_host_memory(room * sizeof *survey->lines);
    survey->count = list_ranges(heap, survey->lines, room);
  } while (survey->count == room);
  return VPTR_SUCCESS;
}

vptr_status vptr__survey_make(vptr__heap *heap, vptr__survey *survey_out) {
  vptr__survey survey = { .serial = vptr__survey_serial(heap) };
  vptr_status status = ask_all(heap);
  if (status == VPTR_SUCCESS)
    status = list_all(heap, &survey);
  if (status == VPTR_SUCCESS)
    *survey_out = survey;
  return status;
}

/* ---- the nearest ---------------------------------------------------------------------------------------- */

static vptr__survey_near nearest_in_range(const vptr__range *range, uint64_t address) {
  uint64_t first = range->device_address, last = first + (range->bytes - 1);
  uint64_t at = address < first ? first : address > last ? last : address;
  return (vptr__survey_near){ .gap = address > at ? address - at : at - address,
                              .device_base = first,
                              .base = range->base,
                              .ptr = (const void *)(range->base + (uintptr_t)(at - first)) };
}

bool vptr__survey_nearest(vptr__heap *heap, uint64_t address, vptr__survey_near *near_out) {
  bool found = false;
  for (vptr__range *range = next_range(heap, 0); range != NULL; range = next_range(heap, range->base + 1)) {
    vptr__survey_near near = nearest_in_range(range, address);
    if (!range->address_known || (found && near.gap >= near_out->gap))
      continue;
    *near_out = near;
    found = true;
  }
  return found;
}
