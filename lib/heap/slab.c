/* SPDX-License-Identifier: MIT */
/* slab - see slab.h: slots of one size class in one buffer. */
#include "heap/slab.h"

#include <stdatomic.h>

#include "heap/state.h"

enum { SMALLEST_SLAB = 64 << 10 /* bytes */ };

size_t vptr__slab_bytes(const vptr__heap *heap, unsigned class) {
  size_t slot = vptr__class_slot_size(class, heap->granule_shift);
  size_t window = (size_t)1 << heap->space.window_shift;
  size_t bytes = heap->classes[class].bytes / 2;
  if (bytes < SMALLEST_SLAB)
    bytes = SMALLEST_SLAB;
  if (bytes > window)
    bytes = window;
  return bytes < slot ? slot : bytes / slot * slot;
}

/* ---- the class's list of slabs with room ---------------------------------------------------------------- */

/* The lower of the two goes first; further order is not worth a walk. */
static void list_add(vptr__class_slabs *slabs, vptr__range *range) {
  vptr__range *first = slabs->first;
  vptr__range *after = first != NULL && first->base < range->base ? first : NULL;
  range->prev = after;
  range->next = after != NULL ? after->next : first;
  if (range->next != NULL)
    range->next->prev = range;
  if (after != NULL)
    after->next = range;
  else
    slabs->first = range;
}

static void list_remove(vptr__class_slabs *slabs, vptr__range *range) {
  if (range->prev != NULL)
    range->prev->next = range->next;
  else
    slabs->first = range->next;
  if (range->next != NULL)
    range->next->prev = range->prev;
  range->next = range->prev = NULL;
}

/* ---- life ----------------------------------------------------------------------------------------------- */

vptr_status vptr__slab_begin(vptr__heap *heap, vptr__range *range, unsigned class) {
  uint32_t slot_size = vptr__class_slot_size(class, heap->granule_shift);
  size_t window = (size_t)1 << heap->space.window_shift;
  uint32_t slots = (uint32_t)((range->bytes < window ? range->bytes : window) / slot_size);
  vptr__slab slab = { .slots = slots, .free_slots = slots, .slot_size = slot_size, .class = class };
  slab.reciprocal = vptr__directory_reciprocal(slot_size);
  vptr_status status = vptr__directory_notes(&heap->directory, range->window, slots, &slab.notes, &slab.free);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__bitset_fill(&slab.free);
  slab.serial = heap->slab_serial = heap->serial;
  range->slab = slab;
  range->role = VPTR__ROLE_SLAB;
  vptr__directory_publish(&heap->directory, range->window, range->windows,
                          &(vptr__card_text){
                              .kind = VPTR__CARD_SLAB,
                              .slot_size = slot_size,
                              .base = range->base,
                              .size = (size_t)slots * slot_size,
                              .buffer = range->buffer,
                              .notes = slab.notes,
                              .serial = slab.serial,
                          });
  heap->classes[class].bytes += range->bytes;
  list_add(&heap->classes[class], range);
  return VPTR_SUCCESS;
}

/* What was taken last need not have been issued. */
static uint32_t issued_slots(const vptr__slab *slab) {
  uint32_t issued = slab->top;
  while (issued > 0 && atomic_load_explicit(&slab->notes[issued - 1], memory_order_relaxed) == 0)
    issued--;
  return issued;
}

void vptr__slab_end(vptr__heap *heap, vptr__range *range) {
  vptr__slab *slab = &range->slab;
  vptr__class_slabs *slabs = &heap->classes[slab->class];
  list_remove(slabs, range);
  slabs->bytes -= range->bytes;
  vptr__range_entomb(heap, range, (size_t)issued_slots(slab) * slab->slot_size);
  vptr__directory_forget(&heap->directory, range->window, slab->slots);
  range->role = VPTR__ROLE_NONE;
}

/* ---- slots ---------------------------------------------------------------------------------------------- */

/* Serial numbers are kept as 32-bit steps from where the slab began. A slab that lives through 2^32 allocations
 * of the heap issues no more until it has run empty. */
static bool serials_exhausted(const vptr__heap *heap, const vptr__slab *slab) {
  return heap->serial - slab->serial >= UINT32_MAX;
}

vptr__range *vptr__slab_with_room(const vptr__heap *heap, unsigned class) {
  vptr__range *range = heap->classes[class].first;
  while (range != NULL && serials_exhausted(heap, &range->slab))
    range = range->next;
  return range;
}

static void write_note(vptr__heap *heap, vptr__slab *slab, uint32_t slot, size_t size) {
  uint32_t step = (uint32_t)(++heap->serial - slab->serial);
  vptr__directory_write_note(slab->notes, slot, step, slab->slot_size - size);
}

static uint32_t take(vptr__heap *heap, vptr__range *range) {
  vptr__slab *slab = &range->slab;
  uint32_t slot = vptr__bitset_next(&slab->free, 0);
  vptr__bitset_remove(&slab->free, slot);
  if (--slab->free_slots == 0)
    list_remove(&heap->classes[slab->class], range);
  if (slab->top <= slot)
    slab->top = slot + 1;
  return slot;
}

uint32_t vptr__slab_take(vptr__heap *heap, vptr__range *range, uintptr_t *slots_out, uint32_t count) {
  uint32_t taken = 0;
  for (; taken < count && range->slab.free_slots > 0; taken++)
    slots_out[taken] = range->base + (size_t)take(heap, range) * range->slab.slot_size;
  return taken;
}

void *vptr__slab_issue(vptr__heap *heap, unsigned class, size_t size) {
  vptr__range *range = vptr__slab_with_room(heap, class);
  if (range == NULL)
    return NULL;
  uint32_t slot = take(heap, range);
  write_note(heap, &range->slab, slot, size);
  return (void *)(range->base + (size_t)slot * range->slab.slot_size);
}

size_t vptr__slab_retire(vptr__range *range, uint32_t slot) {
  vptr__slab *slab = &range->slab;
  int16_t note = atomic_load_explicit(&slab->notes[slot], memory_order_relaxed);
  if (note <= 0 || !atomic_compare_exchange_strong(&slab->notes[slot], &note, (int16_t)-note))
    return 0;
  return slab->slot_size - (size_t)(note - 1);
}

bool vptr__slab_reissue(vptr__heap *heap, vptr__range *range, uint32_t slot, size_t size) {
  if (serials_exhausted(heap, &range->slab))
    return false;
  write_note(heap, &range->slab, slot, size);
  return true;
}

bool vptr__slab_recycle(vptr__heap *heap, vptr__range *range, uint32_t slot) {
  vptr__slab *slab = &range->slab;
  vptr__class_slabs *slabs = &heap->classes[slab->class];
  vptr__bitset_add(&slab->free, slot);
  if (slab->free_slots++ == 0)
    list_add(slabs, range);
  if (slab->free_slots < slab->slots)
    return false;
  bool only_room = slabs->first == range && range->next == NULL;
  return !only_room || range->bytes > VPTR__SLAB_KEPT || serials_exhausted(heap, slab);
}

uint32_t vptr__slab_live_slot(const vptr__range *range, const void *ptr) {
  const vptr__slab *slab = &range->slab;
  size_t offset = (uintptr_t)ptr - range->base;
  uint32_t slot = vptr__slab_slot(range, (uintptr_t)ptr);
  bool is_live = slot < slab->slots && offset == (size_t)slot * slab->slot_size &&
                 atomic_load_explicit(&slab->notes[slot], memory_order_relaxed) > 0;
  return is_live ? slot : VPTR__BITSET_NONE;
}

bool vptr__slab_is_valid(const vptr__range *range, size_t *live_count, size_t *live_bytes, size_t *new_slots) {
  const vptr__slab *slab = &range->slab;
  uint32_t free_slots = 0;
  if (!vptr__bitset_is_valid(&slab->free) || (size_t)slab->slots * slab->slot_size > range->bytes)
    return false;
  for (uint32_t slot = 0; slot < slab->slots; slot++) {
    int16_t note = atomic_load_explicit(&slab->notes[slot], memory_order_relaxed);
    bool is_free = vptr__bitset_has(&slab->free, slot);
    if ((note > 0 && is_free) || ((note != 0 || !is_free) && slot >= slab->top))
      return false;
    free_slots += is_free;
    *new_slots += note == 0 && !is_free;
    if (note > 0) {
      *live_count += 1;
      *live_bytes += slab->slot_size - (size_t)(note - 1);
    }
  }
  return free_slots == slab->free_slots;
}
