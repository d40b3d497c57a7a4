/* SPDX-License-Identifier: MIT */
/*
 * directory - see directory.h: entries of windows, states of slots, and the look-up that reads them.
 *
 * A vptr__directory is the field `directory` of its heap (heap/state.h): one mapping, which is made here and stays
 * until the heap ends. vptr__heap.lock, of rank HEAP, guards what is written into it; this file takes no lock, and
 * nothing blocks. Who writes an entry, its `issued`, or the room for states (vptr__directory_states() and _forget())
 * holds that lock; who reads one needs no lock, by the entry's sequence number. The state of a slot is written by
 * whoever has the slot: slab.c with the lock, magazine.c without. `owners`, `derived` and `addresses` lie here and are
 * written, with the lock, by range.c, place.c, query.c, residence.c and exchange.c; `leases` are atomic counters
 * (lease.c).
 *
 * Called by heap.c when a heap begins and ends; by range.c, slab.c and span.c, which write entries with the lock; by
 * residence.c, which writes a buffer into them with the lock, and looks up with it and without; by exchange.c and
 * place.c, which look up with it; by query.c and span.c, which do so with it or without; and by lease.c,
 * mapper/lookup.c and transfer/access.c, which look up without. The inline functions of directory.h and vptr_fast.h
 * read entries and states without a call.
 */
#include "heap/directory.h"

#include <stdatomic.h>
#include <sys/mman.h>

#include "base/error.h"
#include "base/hot.h"
#include "base/number.h"
#include "base/page.h"

/* Inlined into both callers by force: else the compiler passes the answer through memory. */
#define INLINED static inline __attribute__((always_inline))

/* Fields are read with acquire order, so that no read slides behind the second look at the sequence number, and
 * written with release order, so that none slides before the sequence became odd: a sequence lock without
 * fences, which thread checkers understand. On x86-64 all of these are plain moves. */
#define READ(field) atomic_load_explicit(&(field), memory_order_acquire)
#define WRITE(field, value) atomic_store_explicit(&(field), (value), memory_order_release)

enum { GROUP_BYTES = VPTR__GROUP_SLOTS * sizeof(vptr__slot_state) };

/* Serials lie below the states, which begin and end with a whole group. */
static size_t states_offset(uint32_t slots) {
  return vptr__align_up(slots * sizeof(vptr__serial_step), GROUP_BYTES);
}

static size_t words_offset(uint32_t slots) {
  return states_offset(slots) + vptr__align_up(slots * sizeof(vptr__slot_state), GROUP_BYTES);
}

static uint32_t groups_of(uint32_t slots) {
  return (slots + VPTR__GROUP_SLOTS - 1) / VPTR__GROUP_SLOTS;
}

static size_t states_bytes(uint32_t slots) {
  return words_offset(slots) + vptr__bitset_words(groups_of(slots)) * sizeof(uint64_t);
}

vptr_status vptr__directory_init(vptr__directory *directory, const vptr__space *space, size_t granule, int device) {
  size_t page = vptr__page_bytes();
  size_t entries = vptr__align_up((size_t)space->window_count * sizeof(vptr__directory_entry), page);
  size_t owners = vptr__align_up((size_t)space->window_count * sizeof(void *), page);
  size_t leases = vptr__align_up((size_t)space->window_count * sizeof(vptr__lease_count), page);
  size_t stride = vptr__align_up(states_bytes((uint32_t)(((size_t)1 << space->window_shift) / granule)), page);
  size_t addresses = vptr__align_up((size_t)space->window_count * sizeof(uint64_t), page);
  size_t derived = vptr__align_up((size_t)space->window_count * sizeof(uint32_t), page);
  size_t tables = entries + owners + leases + addresses + derived;
  size_t size = tables + stride * space->window_count;
  char *map = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED)
    return vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY,
                       "no room for the directory of %u windows (%zu bytes of addresses): lower VPTR_RESERVE or "
                       "raise `ulimit -v`",
                       space->window_count, size);
  if (mprotect(map, tables, PROT_READ | PROT_WRITE) != 0) {
    munmap(map, size);
    return vptr__error_host_memory(tables);
  }
  *directory = (vptr__directory){
    .entries = (vptr__directory_entry *)map,
    .base = space->base,
    .guard = space->guard,
    .size = space->size,
    .shift = space->window_shift,
    .device = device,
    .owners = (void **)(map + entries),
    .leases = (vptr__lease_count *)(map + entries + owners),
    .addresses = (void *)(map + entries + owners + leases),
    .derived = (void *)(map + entries + owners + leases + addresses),
    .states = map + tables,
    .states_stride = stride,
    .map = map,
    .map_size = size,
  };
  return VPTR_SUCCESS;
}

void vptr__directory_fini(vptr__directory *directory) {
  munmap(directory->map, directory->map_size);
}

/* ---- writing -------------------------------------------------------------------------------------------- */

static void entry_write(vptr__directory_entry *entry, const vptr__directory_content *content) {
  uint32_t sequence = atomic_load_explicit(&entry->sequence, memory_order_relaxed);
  WRITE(entry->sequence, sequence + 1);
  WRITE(entry->kind, (uint32_t)content->kind);
  const bool is_slab = content->kind == VPTR__ENTRY_SLAB, is_part = content->kind == VPTR__ENTRY_PART;
  WRITE(entry->slot_size, is_slab ? content->slot_size : content->windows_before);
  WRITE(entry->reciprocal, is_slab ? vptr__directory_reciprocal(content->slot_size) : 0);
  WRITE(entry->base, content->base);
  WRITE(entry->size, content->size);
  WRITE(entry->buffer, content->buffer);
  WRITE(entry->states, is_part ? (vptr__slot_state *)content->whole_size : content->states);
  WRITE(entry->serial, content->serial);
  WRITE(entry->sequence, sequence + 2);
}

void vptr__directory_publish(vptr__directory *directory, uint32_t first, uint32_t count,
                             const vptr__directory_content *content) {
  for (uint32_t window = first; window < first + count; window++)
    entry_write(&directory->entries[window], content);
}

void vptr__directory_show_buffer(vptr__directory *directory, uint32_t first, uint32_t count, cl_mem buffer) {
  for (uint32_t window = first; window < first + count; window++)
    WRITE(directory->entries[window].buffer, buffer);
}

void vptr__directory_record_issued(vptr__directory *directory, uint32_t first, size_t bytes) {
  size_t window = (size_t)1 << directory->shift;
  for (vptr__directory_entry *entry = &directory->entries[first]; bytes > 0; entry++) {
    size_t part = vptr__smaller(bytes, window);
    if (atomic_load_explicit(&entry->issued, memory_order_relaxed) < part)
      WRITE(entry->issued, part);
    bytes -= part;
  }
}

/* The whole stride becomes writable, not just what is needed now: neighbouring strides then merge into one
 * mapping, of which a process may only have some 65,000. */
vptr_status vptr__directory_states(vptr__directory *directory, uint32_t first, uint32_t slots,
                                   vptr__slot_state **states_out, vptr__bitset *groups_out) {
  char *room = directory->states + first * directory->states_stride;
  if (mprotect(room, directory->states_stride, PROT_READ | PROT_WRITE) != 0)
    return vptr__error_host_memory(states_bytes(slots));
  vptr__directory_forget(directory, first, slots);
  *states_out = (vptr__slot_state *)(room + states_offset(slots));
  vptr__bitset_init(groups_out, (uint64_t *)(room + words_offset(slots)), groups_of(slots));
  return VPTR_SUCCESS;
}

void vptr__directory_forget(vptr__directory *directory, uint32_t first, uint32_t slots) {
  char *room = directory->states + first * directory->states_stride;
  madvise(room, vptr__align_up(states_bytes(slots), vptr__page_bytes()), MADV_DONTNEED);
}

/* ---- reading -------------------------------------------------------------------------------------------- */

/* An entry, copied in one piece; false if it was being rewritten. */
static bool entry_read(vptr__directory_entry *entry, vptr__directory_content *content, uint32_t *reciprocal) {
  uint32_t sequence = READ(entry->sequence);
  content->kind = (vptr__entry_kind)READ(entry->kind);
  content->slot_size = content->windows_before = READ(entry->slot_size);
  *reciprocal = READ(entry->reciprocal);
  content->base = READ(entry->base);
  content->size = READ(entry->size);
  content->buffer = READ(entry->buffer);
  content->states = READ(entry->states);
  content->whole_size = (size_t)content->states;
  content->serial = READ(entry->serial);
  return !vptr__directory_has_moved(entry, sequence);
}

/* FREED or UNKNOWN_ADDRESS, for an address that no live allocation covers and no slot's state tells of. Writers record
 * `issued` before they rewrite an entry. So it is read after all else of the entry: the read of `sequence`, whose value
 * is not needed, acquires what the writer had done before. */
VPTR__APART static vptr_status classify_dead_address(const vptr__directory *directory, vptr__directory_entry *entry,
                                                     uintptr_t address) {
  size_t in_window = (address - directory->base) & (((size_t)1 << directory->shift) - 1);
  (void)READ(entry->sequence);
  return in_window < READ(entry->issued) ? VPTR_ERROR_FREED : VPTR_ERROR_UNKNOWN_ADDRESS;
}

/* The verdict on need bytes at `offset` into an allocation of `size` bytes. */
VPTR__HOT static inline vptr_status check_within(size_t offset, size_t need, size_t size) {
  if (offset >= size)
    return VPTR_ERROR_PAST_END;
  return need <= size - offset ? VPTR_SUCCESS : VPTR_ERROR_OUT_OF_BOUNDS;
}

/* What an entry says by itself; UNKNOWN_ADDRESS where it says nothing. If the entry was rewritten meanwhile, the caller
 * takes no other verdict for true; the location is written only after the entry was seen not to have moved. Slabs and
 * whole buffers have a function each, so that all fields stay in registers until then. */
INLINED vptr_status locate_in_slab(const vptr__directory *directory, vptr__directory_entry *entry, uint32_t sequence,
                                   uintptr_t address, size_t need, vptr_location *location_out) {
  uintptr_t base = READ(entry->base);
  size_t offset = address - base;
  if (offset >= READ(entry->size))
    return VPTR_ERROR_UNKNOWN_ADDRESS;
  uint32_t slot = vptr__directory_slot(offset, READ(entry->reciprocal));
  size_t slot_size = READ(entry->slot_size);
  vptr__slot_state *states = READ(entry->states);
  /* A half-written entry may lead anywhere; only a whole one leads to a state that is there. */
  if (vptr__directory_has_moved(entry, sequence))
    return VPTR_ERROR_UNKNOWN_ADDRESS;
  int16_t state = READ(states[slot]);
  if (!vptr__slot_state_is_live(state))
    return vptr__slot_state_was_issued(state) ? VPTR_ERROR_FREED : VPTR_ERROR_UNKNOWN_ADDRESS;
  size_t start = slot * slot_size;
  size_t size = slot_size - vptr__slot_state_slack(state);
  vptr_status status = check_within(offset - start, need, size);
  if (status != VPTR_SUCCESS)
    return status;
  uint64_t serial = READ(entry->serial) + READ(*vptr__directory_serial(states, slot));
  cl_mem buffer = READ(entry->buffer);
  /* The slot may have been issued again: the size read would be one allocation's, and the number the next one's. */
  if (atomic_load_explicit(&states[slot], memory_order_relaxed) != state)
    return VPTR_ERROR_FREED;
  if (vptr__directory_has_moved(entry, sequence))
    return VPTR_ERROR_UNKNOWN_ADDRESS;
  location_out->buffer = buffer;
  location_out->buffer_offset = offset;
  location_out->base = (void *)(base + start);
  location_out->offset = offset - start;
  location_out->size = size;
  location_out->kind = VPTR_KIND_DEVICE;
  location_out->device = directory->device;
  location_out->serial = serial;
  return VPTR_SUCCESS;
}

/* Of an allocation of several buffers: base, size and offset are the allocation's, the buffer and its offset the
 * part's. */
VPTR__APART static vptr_status locate_part(const vptr__directory *directory, vptr__directory_entry *entry,
                                           uint32_t sequence, uintptr_t address, size_t need,
                                           vptr_location *location_out) {
  const uintptr_t part = READ(entry->base), base = part - ((uintptr_t)READ(entry->slot_size) << directory->shift);
  const vptr_location location = {
    .buffer = READ(entry->buffer),
    .buffer_offset = address - part,
    .base = (void *)base,
    .offset = address - base,
    .size = (size_t)READ(entry->states),
    .kind = VPTR_KIND_PART,
    .device = directory->device,
    .serial = READ(entry->serial),
  };
  vptr_status status = check_within(location.offset, need, location.size);
  if (status == VPTR_SUCCESS && need > READ(entry->size) - location.buffer_offset)
    status = VPTR_ERROR_UNSUPPORTED;
  if (status != VPTR_SUCCESS)
    return status;
  if (vptr__directory_has_moved(entry, sequence))
    return VPTR_ERROR_UNKNOWN_ADDRESS;
  *location_out = location;
  return VPTR_SUCCESS;
}

VPTR__APART static vptr_status locate_whole(const vptr__directory *directory, vptr__directory_entry *entry,
                                            uint32_t sequence, uintptr_t address, size_t need,
                                            vptr_location *location_out) {
  vptr__entry_kind kind = (vptr__entry_kind)READ(entry->kind);
  if (kind != VPTR__ENTRY_WHOLE && kind != VPTR__ENTRY_ATTACHED)
    return kind == VPTR__ENTRY_PART ? locate_part(directory, entry, sequence, address, need, location_out)
                                    : VPTR_ERROR_UNKNOWN_ADDRESS;
  vptr_location location = {
    .buffer = READ(entry->buffer),
    .base = (void *)READ(entry->base),
    .size = READ(entry->size),
    .kind = kind == VPTR__ENTRY_WHOLE ? VPTR_KIND_DEVICE : VPTR_KIND_ATTACHED,
    .device = directory->device,
    .serial = READ(entry->serial),
  };
  location.offset = location.buffer_offset = address - (uintptr_t)location.base;
  vptr_status status = check_within(location.offset, need, location.size);
  if (status != VPTR_SUCCESS)
    return status;
  if (vptr__directory_has_moved(entry, sequence))
    return VPTR_ERROR_UNKNOWN_ADDRESS;
  *location_out = location;
  return VPTR_SUCCESS;
}

INLINED vptr_status locate_pointer(const vptr__directory *directory, const void *ptr, size_t need,
                                   vptr_location *location_out) {
  if (!vptr__directory_covers(directory, ptr))
    return ptr == NULL ? VPTR_ERROR_NULL_POINTER : VPTR_ERROR_UNKNOWN_ADDRESS;
  vptr__directory_entry *entry = &directory->entries[vptr__directory_window(directory, ptr)];
  uint32_t sequence = READ(entry->sequence);
  vptr_status status;
  need = need != 0 ? need : 1;
  if (__builtin_expect(READ(entry->kind) == VPTR__ENTRY_SLAB, 1))
    status = locate_in_slab(directory, entry, sequence, (uintptr_t)ptr, need, location_out);
  else
    status = locate_whole(directory, entry, sequence, (uintptr_t)ptr, need, location_out);
  if (__builtin_expect(status != VPTR_SUCCESS, 0) &&
      (status == VPTR_ERROR_UNKNOWN_ADDRESS || vptr__directory_has_moved(entry, sequence)))
    return classify_dead_address(directory, entry, (uintptr_t)ptr);
  return status;
}

VPTR__HOT vptr_status vptr__directory_locate(const vptr__directory *directory, const void *ptr, size_t need,
                                             vptr_location *location_out) {
  return locate_pointer(directory, ptr, need, location_out);
}

/* ---- many at once --------------------------------------------------------------------------------------- */

/* How many addresses earlier an entry is fetched, and what it leads to: far enough for a memory access each, near
 * enough to be still in the first cache when its turn comes. */
enum { ENTRIES_AHEAD = 24, STATES_AHEAD = 12 };

static inline void fetch_entry(const vptr__directory *directory, const void *ptr) {
  if (vptr__directory_covers(directory, ptr))
    __builtin_prefetch(&directory->entries[vptr__directory_window(directory, ptr)]);
}

/* By numbers, for a half-written entry may lead anywhere: to fetch what is not there does nothing. */
static inline void fetch_state(const vptr__directory *directory, const void *ptr) {
  if (!vptr__directory_covers(directory, ptr))
    return;
  vptr__directory_entry *entry = &directory->entries[vptr__directory_window(directory, ptr)];
  uintptr_t states = (uintptr_t)READ(entry->states);
  if (states == 0)
    return;
  size_t slot = vptr__directory_slot((uintptr_t)ptr - READ(entry->base), READ(entry->reciprocal));
  __builtin_prefetch((const void *)(states + slot * sizeof(vptr__slot_state)));
  __builtin_prefetch((const void *)(states - (slot + 1) * sizeof(vptr__serial_step)));
}

void vptr__directory_locate_each(const vptr__directory *directory, const void *const *ptrs, size_t count, size_t need,
                                 vptr_location *locations_out, vptr_status *verdicts_out) {
  for (size_t i = 0; i < count; i++) {
    if (count - i > ENTRIES_AHEAD)
      fetch_entry(directory, ptrs[i + ENTRIES_AHEAD]);
    if (count - i > STATES_AHEAD)
      fetch_state(directory, ptrs[i + STATES_AHEAD]);
    verdicts_out[i] = locate_pointer(directory, ptrs[i], need, &locations_out[i]);
  }
}

/* ---- walks and words ------------------------------------------------------------------------------------ */

static bool live_at(const vptr__directory *directory, uintptr_t address, vptr_location *location_out) {
  return vptr__directory_locate(directory, (void *)address, 1, location_out) == VPTR_SUCCESS;
}

/* Where the allocation begins that a part belongs to, or a part's tombstone tells of. */
static uintptr_t whole_base(const vptr__directory *directory, const vptr__directory_content *content) {
  return content->base - ((uintptr_t)content->windows_before << directory->shift);
}

static uint32_t slots_of(const vptr__directory_content *content) {
  return (uint32_t)(content->size / content->slot_size);
}

bool vptr__directory_next_in(const vptr__directory *directory, uint32_t entry_window, uintptr_t from,
                             vptr_location *location_out) {
  vptr__directory_content content;
  uint32_t reciprocal;
  if (!entry_read(&directory->entries[entry_window], &content, &reciprocal))
    return false;
  if (content.kind == VPTR__ENTRY_WHOLE || content.kind == VPTR__ENTRY_ATTACHED)
    return from <= content.base && live_at(directory, content.base, location_out);
  if (content.kind == VPTR__ENTRY_PART)
    return from <= whole_base(directory, &content) &&
           live_at(directory, whole_base(directory, &content), location_out);
  if (content.kind != VPTR__ENTRY_SLAB)
    return false;
  size_t offset = from > content.base ? from - content.base : 0;
  for (size_t slot = (offset + content.slot_size - 1) / content.slot_size; slot < slots_of(&content); slot++)
    if (vptr__slot_state_is_live(READ(content.states[slot])) &&
        live_at(directory, content.base + slot * content.slot_size, location_out))
      return true;
  return false;
}

bool vptr__directory_last_in(const vptr__directory *directory, uint32_t entry_window, uintptr_t from,
                             vptr_location *location_out) {
  vptr__directory_content content;
  uint32_t reciprocal;
  if (!entry_read(&directory->entries[entry_window], &content, &reciprocal) || from < content.base)
    return false;
  if (content.kind == VPTR__ENTRY_WHOLE || content.kind == VPTR__ENTRY_ATTACHED)
    return live_at(directory, content.base, location_out);
  if (content.kind == VPTR__ENTRY_PART)
    return live_at(directory, whole_base(directory, &content), location_out);
  if (content.kind != VPTR__ENTRY_SLAB)
    return false;
  size_t offset = from - content.base < content.size ? from - content.base : content.size - 1;
  for (size_t slot = offset / content.slot_size + 1; slot-- > 0;)
    if (vptr__slot_state_is_live(READ(content.states[slot])) &&
        live_at(directory, content.base + slot * content.slot_size, location_out))
      return true;
  return false;
}

bool vptr__directory_trace(const vptr__directory *directory, const void *ptr, vptr__trace_of *trace_out) {
  vptr__directory_content content;
  uint32_t reciprocal;
  if (!vptr__directory_covers(directory, ptr) ||
      !entry_read(&directory->entries[vptr__directory_window(directory, ptr)], &content, &reciprocal))
    return false;
  if (content.kind == VPTR__ENTRY_WHOLE || content.kind == VPTR__ENTRY_ATTACHED) {
    *trace_out = (vptr__trace_of){ (void *)content.base, content.size, content.serial, true };
    return true;
  }
  const uintptr_t whole = whole_base(directory, &content);
  if (content.kind == VPTR__ENTRY_PART) {
    *trace_out = (vptr__trace_of){ (void *)whole, content.whole_size, content.serial, true };
    return true;
  }
  if (content.kind == VPTR__ENTRY_TOMB && content.size != 0) {
    *trace_out = (vptr__trace_of){ (void *)whole, content.size, content.serial, false };
    return (uintptr_t)ptr - whole < content.size;
  }
  size_t offset = (uintptr_t)ptr - content.base;
  if (content.kind != VPTR__ENTRY_SLAB || offset >= content.size)
    return false;
  uint32_t slot = vptr__directory_slot(offset, reciprocal);
  int16_t state = READ(content.states[slot]);
  if (!vptr__slot_state_was_issued(state))
    return false;
  *trace_out = (vptr__trace_of){ (void *)(content.base + (size_t)slot * content.slot_size),
                                 content.slot_size - vptr__slot_state_slack(state),
                                 content.serial + READ(*vptr__directory_serial(content.states, slot)),
                                 vptr__slot_state_is_live(state) };
  return true;
}
