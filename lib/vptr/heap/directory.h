/* SPDX-License-Identifier: MIT */
/*
 * directory - what each window of addresses holds: the leaf level of the tree of buffers, laid flat.
 *
 * One 64-byte entry a window, in one reserved mapping, so that looking an address up is a shift, one entry and,
 * for a pooled allocation, one small number:
 *
 *     window = (p - base) >> shift          entry[window]: buffer, base address, slot size ...
 *     slot   = (p - entry.base) / slot_size by a reciprocal multiply
 *     state[slot]                           live? its size? 16 bits an allocation
 *
 * Entries and states are never unmapped while the mapper lives, so a look-up can never touch freed memory. An entry
 * has a sequence number that is odd while it is being rewritten; a reader that sees it move answers that nothing
 * is live there, which is so (below): readers are wait-free. Writers hold vptr__heap.lock, of rank HEAP.
 *
 * The state of a slot (heap/slot_state.h) says what a slot is, and tells its allocation's size. The serial number of
 * a slot's allocation lies before the states, counted downwards, so one pointer reaches both:
 *
 *     [ ... serial 2 | serial 1 | serial 0 | state 0 | state 1 | state 2 ... | groups with a free slot ]
 *                                          ^ entry.states
 *
 * Six bytes an allocation, and a bit for 64 of them: where a free slot is, their states say.
 *
 * A movable allocation (heap/residence.h) has no buffer in its entries, until it is fixed: that field alone is written
 * then, in one step, and all else still holds.
 *
 * A part's entry has base, size and buffer of the part, for look-ups inline in programs that know of no parts
 * (vptr_fast.h); how many windows before it the allocation begins is in `slot_size`, and the allocation's size, as a
 * number, in `states`. Its tombstone keeps the first, and the allocation's size.
 *
 * An entry is never rewritten while anything in its buffer is live, so what a reader sees in the middle of a
 * rewrite cannot be a live allocation. `issued`, how much of a window was ever issued, is outside of the sequence: it
 * only grows, and is written before the entry is, so that it tells a freed address from one that never was, at any
 * time. A released buffer's entry stays as a tombstone, for words about what lay there.
 */
#ifndef VPTR_HEAP_DIRECTORY_H
#define VPTR_HEAP_DIRECTORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

#include "base/bitset.h"
#include "heap/lease.h"
#include "heap/slot_state.h"
#include "space/space.h"

enum { VPTR__GROUP_SLOTS = 64 }; /* whose states are looked through for a free one */

typedef enum vptr__entry_kind {
  VPTR__ENTRY_EMPTY = 0, /* never issued */
  VPTR__ENTRY_TOMB,     /* nothing live any more */
  VPTR__ENTRY_SLAB,     /* slots of one size */
  VPTR__ENTRY_WHOLE,    /* one live allocation of ours */
  VPTR__ENTRY_ATTACHED, /* one live buffer of the caller's */
  VPTR__ENTRY_PART      /* one of several buffers of a live allocation: heap/span.h */
} vptr__entry_kind;

typedef _Atomic(uint32_t) vptr__serial_step;

typedef struct vptr__directory_entry {
  _Atomic(uint32_t) sequence;   /* odd while the entry is rewritten */
  _Atomic(uint32_t) kind;       /* vptr__entry_kind */
  _Atomic(uint32_t) slot_size;  /* SLAB */
  _Atomic(uint32_t) reciprocal; /* SLAB: slot = (offset / 256 * reciprocal) >> 31 */
  _Atomic(uintptr_t) base;      /* address of the buffer's byte 0 */
  /* SLAB: bytes of all slots, which lie in the first window; WHOLE, ATTACHED: bytes requested; TOMB: bytes of the
   * allocation that was alone there, 0 if it was a slab */
  _Atomic(size_t) size;
  /* bytes from the window's first that were issued under earlier entries; not in sequence */
  _Atomic(size_t) issued;
  _Atomic(cl_mem) buffer;
  _Atomic(vptr__slot_state *) states; /* SLAB: one a slot; serials before it */
  _Atomic(uint64_t) serial;     /* number of the allocation; SLAB: where serials count from */
} vptr__directory_entry;

_Static_assert(sizeof(vptr__directory_entry) == 64, "an entry is a cache line");

/* What goes into an entry: the same, plain. */
typedef struct vptr__directory_content {
  vptr__entry_kind kind;
  uint32_t slot_size;
  uintptr_t base;
  size_t size;
  cl_mem buffer;
  vptr__slot_state *states;
  uint64_t serial;
  uint32_t windows_before; /* PART and its TOMB: of the allocation */
  size_t whole_size;       /* PART: of the allocation */
} vptr__directory_content;

typedef struct vptr__directory {
  vptr__directory_entry *entries; /* [window] */
  uintptr_t base;      /* copies of the space's, next to the pointer that needs them */
  size_t size;
  size_t guard;
  unsigned shift;
  int device;          /* ordinal, for locations */
  char *states;        /* [window]: room for a slab's states, serials and free slots */
  size_t states_stride;
  void **owners;       /* [window]: for writers: what the heap keeps there, NULL if nothing */
  vptr__lease_count *leases; /* [window]: see heap/lease.h */
  /* [first window of a buffer]: how many sub-buffers and pins its allocations have; under the heap's lock */
  _Atomic(uint32_t) *derived;
  /* [first window of a buffer]: the device's own address of its byte 0; 0: nobody asked; under the heap's lock */
  _Atomic(uint64_t) *addresses;
  void *map;
  size_t map_size;
} vptr__directory;

/* The allocation that is or was at an address. */
typedef struct vptr__trace_of {
  void *base;
  size_t size;
  uint64_t serial;
  bool live;
} vptr__trace_of;

/* Maps the entries of a space whose slots are multiples of granule bytes. Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__directory_init(vptr__directory *directory, const vptr__space *space, size_t granule, int device);
void vptr__directory_fini(vptr__directory *directory);

/* The answer for any address, exact (see vptr_resolve); OTHER_MAPPER is the registry's to say. Of an allocation of
 * several buffers base, offset and size are the allocation's, the buffer and the offset in it the part's; need bytes
 * that are live, but not in that part alone, are UNSUPPORTED. Outputs are written only on success. Says nothing in
 * words. */
vptr_status vptr__directory_locate(const vptr__directory *directory, const void *ptr, size_t need,
                                   vptr_location *location_out);

/* The same for each of `count` addresses: verdicts_out[i] of ptrs[i], and locations_out[i] where that is SUCCESS. */
void vptr__directory_locate_each(const vptr__directory *directory, const void *const *ptrs, size_t count,
                                 size_t need, vptr_location *locations_out, vptr_status *verdicts_out);

/* The allocation that a slot or buffer holds or last held at ptr; false if none ever did, or its size is no
 * longer known. For words about errors. */
bool vptr__directory_trace(const vptr__directory *directory, const void *ptr, vptr__trace_of *trace_out);

/* The first live allocation whose base is at or after `from`, in the buffer at `entry_window`; false if there is
 * none. Lock-free, for walks. */
bool vptr__directory_next_in(const vptr__directory *directory, uint32_t entry_window, uintptr_t from,
                             vptr_location *location_out);

/* The last live allocation whose base is at or before `from`, likewise. */
bool vptr__directory_last_in(const vptr__directory *directory, uint32_t entry_window, uintptr_t from,
                             vptr_location *location_out);

/* For writers, under the heap's lock: rewrites the entries of `count` windows from `first`. */
void vptr__directory_publish(vptr__directory *directory, uint32_t first, uint32_t count,
                             const vptr__directory_content *content);

/* For writers, under the heap's lock: entries of a live allocation, which had no buffer, have one from now on. */
void vptr__directory_show_buffer(vptr__directory *directory, uint32_t first, uint32_t count, cl_mem buffer);

/* For writers, before the entry that tells of it is rewritten: the first `bytes` of a buffer that begins at window
 * `first` have been issued. Its windows remember that for good. */
void vptr__directory_record_issued(vptr__directory *directory, uint32_t first, size_t bytes);

/* Room for the states, serials and set of groups of a slab of `slots` slots at window `first`, zeroed. It is
 * never unmapped; vptr__directory_forget() gives its pages back to the system, whereupon it reads as zero.
 * Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__directory_states(vptr__directory *directory, uint32_t first, uint32_t slots,
                                  vptr__slot_state **states_out, vptr__bitset *groups_out);
void vptr__directory_forget(vptr__directory *directory, uint32_t first, uint32_t slots);

static inline vptr__serial_step *vptr__directory_serial(vptr__slot_state *states, uint32_t slot) {
  return (vptr__serial_step *)states - 1 - slot;
}

/* Makes a slot live, with so many bytes behind its allocation's end. The slot is the caller's: nobody else writes
 * there. Whoever reads the new number finds, when he looks again, that the state is not the last allocation's any
 * more. */
static inline void vptr__directory_write_state(vptr__slot_state *states, uint32_t slot, uint32_t serial, size_t slack) {
  atomic_store_explicit(vptr__directory_serial(states, slot), serial, memory_order_release);
  atomic_store_explicit(&states[slot], vptr__slot_state_live(slack), memory_order_release);
}

static inline uint32_t vptr__directory_window(const vptr__directory *directory, const void *ptr) {
  return (uint32_t)(((uintptr_t)ptr - directory->base) >> directory->shift);
}

/* 2^31 / (slot_size / 256), rounded up: exact for every offset below 64 MiB and slot up to 256 KiB, because the
 * error, offset / 256 * (slot_size / 256), stays below 2^18 * 2^10 < 2^31. */
static inline uint32_t vptr__directory_reciprocal(uint32_t slot_size) {
  uint32_t units = slot_size / 256;
  return (uint32_t)(((UINT64_C(1) << 31) + units - 1) / units);
}

static inline uint32_t vptr__directory_slot(size_t offset, uint32_t reciprocal) {
  return (uint32_t)(((uint64_t)(offset >> 8) * reciprocal) >> 31);
}

/* Whether an entry, whose sequence number was read before other fields were, has been rewritten since, or was about
 * to be. */
static inline bool vptr__directory_has_moved(const vptr__directory_entry *entry, uint32_t sequence) {
  return (sequence & 1) != 0 || atomic_load_explicit(&entry->sequence, memory_order_relaxed) != sequence;
}

typedef struct vptr__slot_at {
  vptr__slot_state *state;
  uint32_t slot_size;
  uint32_t sequence; /* of the entry */
} vptr__slot_at;

/* The slot that begins at address, in a slab on this entry; false if there is none. */
static inline bool vptr__directory_find_slot(const vptr__directory_entry *entry, uintptr_t address,
                                             vptr__slot_at *at_out) {
  uint32_t sequence = atomic_load_explicit(&entry->sequence, memory_order_acquire);
  uint32_t kind = atomic_load_explicit(&entry->kind, memory_order_acquire);
  size_t offset = address - atomic_load_explicit(&entry->base, memory_order_acquire);
  size_t size = atomic_load_explicit(&entry->size, memory_order_acquire);
  uint32_t reciprocal = atomic_load_explicit(&entry->reciprocal, memory_order_acquire);
  uint32_t slot_size = atomic_load_explicit(&entry->slot_size, memory_order_acquire);
  vptr__slot_state *states = atomic_load_explicit(&entry->states, memory_order_acquire);
  if (kind != VPTR__ENTRY_SLAB || offset >= size || vptr__directory_has_moved(entry, sequence))
    return false;
  uint32_t slot = vptr__directory_slot(offset, reciprocal);
  *at_out = (vptr__slot_at){ &states[slot], slot_size, sequence };
  return (size_t)slot * slot_size == offset;
}

/* The window that the buffer at ptr begins in, if there is one; in doubt some window. */
static inline uint32_t vptr__directory_first_window(const vptr__directory *directory, const void *ptr) {
  if ((uintptr_t)ptr - directory->base >= directory->size)
    return 0;
  vptr__directory_entry *entry = &directory->entries[vptr__directory_window(directory, ptr)];
  uintptr_t base = atomic_load_explicit(&entry->base, memory_order_acquire);
  return base != 0 ? vptr__directory_window(directory, (const void *)base) : 0;
}

static inline bool vptr__directory_covers(const vptr__directory *directory, const void *ptr) {
  return (uintptr_t)ptr - directory->base < directory->size;
}

/* How many bytes from ptr on lie in one buffer, if an allocation of several is there; else SIZE_MAX. An answer of the
 * moment, as every look-up's. */
static inline size_t vptr__directory_reach(const vptr__directory *directory, const void *ptr) {
  if (!vptr__directory_covers(directory, ptr))
    return SIZE_MAX;
  vptr__directory_entry *entry = &directory->entries[vptr__directory_window(directory, ptr)];
  if (__builtin_expect(atomic_load_explicit(&entry->kind, memory_order_acquire) != VPTR__ENTRY_PART, 1))
    return SIZE_MAX;
  const size_t size = atomic_load_explicit(&entry->size, memory_order_acquire),
               offset = (uintptr_t)ptr - atomic_load_explicit(&entry->base, memory_order_acquire);
  return offset < size ? size - offset : SIZE_MAX;
}

#endif
