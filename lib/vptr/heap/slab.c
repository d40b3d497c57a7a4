/* SPDX-License-Identifier: MIT */
/*
 * slab - see slab.h: slots of one size class in one buffer.
 *
 * A vptr__slab is a part of its range (range.h). The lists of slabs with room, heap->classes (state.h), are changed
 * here alone, and `slab_serial` here and in placed.c. vptr__heap.lock, of rank HEAP, guards them and is held by all
 * callers; nothing here takes a lock or blocks. States of slots are atomic: slots that are in a magazine are its
 * thread's, which writes their states without the lock (magazine.c). `free_slots` and `withheld` are atomic too, for
 * threads that read them without it (vptr__slab_used()). Called by heap.c, magazine.c, place.c, placed.c and query.c.
 */
#include "heap/slab.h"

#include <stdatomic.h>

#include "heap/residence.h"
#include "heap/state.h"

enum { SMALLEST_SLAB = 64 << 10 /* bytes */ };

_Static_assert(
    (int)VPTR__CLASS_MAX_GRANULE <= (int)VPTR__SLOT_STATE_MAX_SLACK &&
        VPTR__CLASS_MAX_SLOT / 16 <= (int)VPTR__SLOT_STATE_MAX_SLACK,
    "states hold the slack of every class: a granule of the smallest, an eighth of the doubling of the largest");

size_t vptr__slab_bytes(const vptr__heap *heap, unsigned class) {
  size_t slot = vptr__class_slot_size(class, heap->granule_shift);
  size_t window = (size_t)1 << heap->space.window_shift;
  size_t bytes = heap->classes[class].bytes / 4;
  if (bytes < SMALLEST_SLAB)
    bytes = SMALLEST_SLAB;
  if (bytes > window)
    bytes = window;
  if (vptr__heap_has_arena(heap)) /* the rest of the window would be lost */
    bytes = window - 1;
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
  vptr_status status = vptr__directory_states(&heap->directory, range->window, slots, &slab.states, &slab.groups);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__bitset_fill(&slab.groups);
  slab.serial = heap->slab_serial = heap->serial;
  range->slab = slab;
  range->role = VPTR__ROLE_SLAB;
  vptr__residence_begin(heap, range, true);
  vptr__directory_publish(&heap->directory, range->window, range->windows,
                          &(vptr__directory_content){
                              .kind = VPTR__ENTRY_SLAB,
                              .slot_size = slot_size,
                              .base = range->base,
                              .size = (size_t)slots * slot_size,
                              .buffer = vptr__residence_shown(range),
                              .states = slab.states,
                              .serial = slab.serial,
                          });
  heap->classes[class].bytes += range->bytes;
  list_add(&heap->classes[class], range);
  return VPTR_SUCCESS;
}

static inline int16_t state_of(const vptr__slab *slab, uint32_t slot) {
  return atomic_load_explicit(&slab->states[slot], memory_order_relaxed);
}

static inline void set_state(vptr__slab *slab, uint32_t slot, int16_t state) {
  atomic_store_explicit(&slab->states[slot], state, memory_order_release);
}

/* What was taken last need not have been issued. */
static uint32_t issued_slots(const vptr__slab *slab) {
  uint32_t issued = slab->top;
  while (issued > 0 && !vptr__slot_state_was_issued(state_of(slab, issued - 1)))
    issued--;
  return issued;
}

void vptr__slab_end(vptr__heap *heap, vptr__range *range) {
  vptr__slab *slab = &range->slab;
  vptr__class_slabs *slabs = &heap->classes[slab->class];
  if (slab->free_slots > 0)
    list_remove(slabs, range);
  slabs->bytes -= range->bytes;
  vptr__residence_end(heap, range);
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

static void write_state(vptr__heap *heap, vptr__slab *slab, uint32_t slot, size_t size) {
  uint32_t step = (uint32_t)(++heap->serial - slab->serial);
  vptr__directory_write_state(slab->states, slot, step, slab->slot_size - size);
}

static uint32_t end_of_group(const vptr__slab *slab, uint32_t group) {
  uint32_t end = (group + 1) * VPTR__GROUP_SLOTS;
  return end < slab->slots ? end : slab->slots;
}

static void take_slot(vptr__slab *slab, uint32_t slot) {
  set_state(slab, slot, vptr__slot_state_taken(state_of(slab, slot)));
  if (slab->top <= slot)
    slab->top = slot + 1;
}

/* At most count of the lowest group that may have any. One that was looked through to its end has none left. */
static uint32_t take_of_group(vptr__range *range, uintptr_t *slots_out, uint32_t count) {
  vptr__slab *slab = &range->slab;
  uint32_t group = vptr__bitset_next(&slab->groups, 0), end = end_of_group(slab, group);
  uint32_t taken = 0;
  for (uint32_t four = group * VPTR__GROUP_SLOTS; four < end && taken < count; four += 4)
    for (uint64_t lanes = vptr__slot_states_free_of_four(&slab->states[four]); lanes != 0 && taken < count;
         lanes &= lanes - 1) {
      uint32_t slot = four + (uint32_t)__builtin_ctzll(lanes) / 16;
      if (slot >= end)
        break;
      take_slot(slab, slot);
      slots_out[taken++] = range->base + (size_t)slot * slab->slot_size;
    }
  if (taken < count)
    vptr__bitset_remove(&slab->groups, group);
  return taken;
}

uint32_t vptr__slab_take(vptr__heap *heap, vptr__range *range, uintptr_t *slots_out, uint32_t count) {
  vptr__slab *slab = &range->slab;
  uint32_t taken = 0, most = count < slab->free_slots ? count : slab->free_slots;
  while (taken < most)
    taken += take_of_group(range, slots_out + taken, most - taken);
  slab->free_slots -= taken;
  if (slab->free_slots == 0 && taken > 0)
    list_remove(&heap->classes[slab->class], range);
  return taken;
}

void *vptr__slab_issue(vptr__heap *heap, unsigned class, size_t size) {
  vptr__range *range = vptr__slab_with_room(heap, class);
  if (range == NULL)
    return NULL;
  uintptr_t address;
  vptr__slab_take(heap, range, &address, 1);
  write_state(heap, &range->slab, vptr__slab_slot(range, address), size);
  return (void *)address;
}

size_t vptr__slab_retire(vptr__range *range, uint32_t slot) {
  vptr__slab *slab = &range->slab;
  int16_t state = state_of(slab, slot);
  if (!vptr__slot_state_is_live(state) ||
      !atomic_compare_exchange_strong(&slab->states[slot], &state, vptr__slot_state_ended(state)))
    return 0;
  return slab->slot_size - vptr__slot_state_slack(state);
}

bool vptr__slab_reissue(vptr__heap *heap, vptr__range *range, uint32_t slot, size_t size) {
  if (serials_exhausted(heap, &range->slab))
    return false;
  write_state(heap, &range->slab, slot, size);
  return true;
}

bool vptr__slab_put(vptr__heap *heap, vptr__range *range, uintptr_t address, size_t size, uint64_t serial) {
  vptr__slab *slab = &range->slab;
  const uint64_t step = serial - slab->serial;
  const uint32_t slot = vptr__slab_slot(range, address);
  if (slot >= slab->slots || address != range->base + (uintptr_t)slot * slab->slot_size || step == 0 ||
      step > UINT32_MAX || size == 0 || size >= slab->slot_size ||
      slab->slot_size - size > VPTR__SLOT_STATE_MAX_SLACK || !vptr__slot_state_is_free(state_of(slab, slot)))
    return false;
  take_slot(slab, slot);
  vptr__directory_write_state(slab->states, slot, (uint32_t)step, slab->slot_size - size);
  if (--slab->free_slots == 0)
    list_remove(&heap->classes[slab->class], range);
  return true;
}

bool vptr__slab_recycle(vptr__heap *heap, vptr__range *range, uint32_t slot) {
  vptr__slab *slab = &range->slab;
  vptr__class_slabs *slabs = &heap->classes[slab->class];
  uint32_t group = slot / VPTR__GROUP_SLOTS;
  set_state(slab, slot, vptr__slot_state_returned(state_of(slab, slot)));
  if (!vptr__bitset_has(&slab->groups, group))
    vptr__bitset_add(&slab->groups, group);
  if (slab->free_slots++ == 0)
    list_add(slabs, range);
  if (vptr__slab_used(slab) > 0)
    return false;
  bool only_room = slabs->first == range && range->next == NULL;
  return !only_room || range->bytes > VPTR__SLAB_KEPT || serials_exhausted(heap, slab) ||
         !vptr__residence_is_here(range);
}

bool vptr__slab_withhold(vptr__range *range) {
  range->slab.withheld++;
  return vptr__slab_used(&range->slab) == 0;
}

uint32_t vptr__slab_live_slot(const vptr__range *range, const void *ptr) {
  const vptr__slab *slab = &range->slab;
  size_t offset = (uintptr_t)ptr - range->base;
  uint32_t slot = vptr__slab_slot(range, (uintptr_t)ptr);
  bool is_live = slot < slab->slots && offset == (size_t)slot * slab->slot_size &&
                 vptr__slot_state_is_live(state_of(slab, slot));
  return is_live ? slot : VPTR__BITSET_NONE;
}

bool vptr__slab_is_valid(const vptr__range *range, size_t *live_count, size_t *live_bytes, size_t *new_slots) {
  const vptr__slab *slab = &range->slab;
  uint32_t free_slots = 0;
  if (!vptr__bitset_is_valid(&slab->groups) || (size_t)slab->slots * slab->slot_size > range->bytes ||
      slab->withheld > slab->slots - slab->free_slots || (slab->withheld > 0 && !range->is_withheld))
    return false;
  for (uint32_t slot = 0; slot < slab->slots; slot++) {
    int16_t state = state_of(slab, slot);
    if (state != VPTR__SLOT_STATE_NEW && slot >= slab->top)
      return false;
    if (vptr__slot_state_is_free(state) && !vptr__bitset_has(&slab->groups, slot / VPTR__GROUP_SLOTS))
      return false;
    free_slots += vptr__slot_state_is_free(state);
    *new_slots += state == VPTR__SLOT_STATE_NEW_TAKEN;
    if (vptr__slot_state_is_live(state)) {
      *live_count += 1;
      *live_bytes += slab->slot_size - vptr__slot_state_slack(state);
    }
  }
  return free_slots == slab->free_slots;
}
