/* SPDX-License-Identifier: MIT */
/*
 * vptr_fast.h - look-ups that the compiler puts where they are used: what vptr_resolve() says, without a call.
 *
 * A view is opened once for a mapper and is good as long as that lives; so is a copy, and nothing is to be closed:
 *
 *     vptr_fast fast = VPTR_FAST_INIT;
 *     if (vptr_fast_open(NULL, &fast) != VPTR_SUCCESS) ...
 *
 *     vptr_fast_place place = vptr_fast_translate(&fast, ptr);        which buffer, which byte: one cache line
 *     vptr_fast_extent extent;
 *     status = vptr_fast_resolve(&fast, ptr, 1, &extent);             live? where does it begin and end?
 *
 * The conventions of vptr.h hold, with two exceptions: a view of a mapper that was destroyed must not be used (what
 * happens then is undefined), and in a child after fork() these look-ups do not say FORKED but what was so at fork().
 *
 * What is read lies in the library's memory, and its layout is compiled into the program: VPTR_FAST_LAYOUT numbers
 * it. vptr_fast_open() refuses a program whose layout is not the library's, so nothing is ever read wrongly. Such a
 * program still has vptr_resolve(), and its views again once it is compiled anew. Nobody but the functions here
 * should read entries.
 */
#ifndef VPTR_VPTR_FAST_H
#define VPTR_VPTR_FAST_H

#include <vptr/vptr.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the layout ----------------------------------------------------------------------------------------- */

#define VPTR_FAST_LAYOUT 1u

/* Kinds of entries that can have something live; those below have not. */
enum { VPTR_FAST_SLAB = 2, VPTR_FAST_WHOLE = 3, VPTR_FAST_ATTACHED = 4 };

/* The state of a slot is this less the bytes that a live allocation leaves of its slot, at least 1; if nothing is
 * live, it is no less. */
enum { VPTR_FAST_LIVE = -16384 };

/* What lies in a window of addresses. A buffer has whole windows to itself, each with the same entry. */
typedef struct vptr_fast_entry {
  uint32_t sequence;    /* odd while the entry is rewritten, and two more after that */
  uint32_t kind;
  uint32_t slot_size;   /* SLAB: bytes from one allocation to the next */
  uint32_t reciprocal;  /* SLAB: slot = (offset / 256 * reciprocal) >> 31 */
  uintptr_t base;       /* the address of the buffer's byte 0 */
  size_t size;          /* SLAB: bytes of all slots; else of the allocation */
  size_t issued;        /* the library's */
  cl_mem buffer;
  const int16_t *states; /* SLAB: one a slot: see VPTR_FAST_LIVE */
  uint64_t serial;      /* the library's */
} vptr_fast_entry;

/* A mapper's look-up. The first two members keep their place in every layout. */
typedef struct vptr_fast {
  size_t struct_size;          /* sizeof(vptr_fast) of the caller */
  uint32_t layout;             /* VPTR_FAST_LAYOUT of the caller */
  uint32_t shift;              /* a window has 1 << shift bytes */
  uintptr_t base;              /* the first address of the mapper's windows */
  size_t size;                 /* and how many bytes they have: their number is size >> shift */
  size_t window_mask;          /* (1 << shift) - 1 */
  const vptr_fast_entry *entries; /* [window] */
  vptr_mapper *mapper;
} vptr_fast;

#define VPTR_FAST_INIT { sizeof(vptr_fast), VPTR_FAST_LAYOUT, 0, 0, 0, 0, NULL, NULL }

/* Opens a view of a mapper; fast_out begins as VPTR_FAST_INIT. Errors: NULL_POINTER; INVALID_ARGUMENT for another
 * layout than the library's; those of making the default mapper. */
VPTR_API vptr_status vptr_fast_open(vptr_mapper *mapper, vptr_fast *fast_out);

/* ---- a buffer and an offset ----------------------------------------------------------------------------- */

typedef struct vptr_fast_place {
  cl_mem buffer; /* root OpenCL buffer, borrowed */
  size_t offset; /* where in it the byte lies */
} vptr_fast_place;

/* Compilers count the loads and find the functions too large; but a call costs as much as they do. */
#define VPTR_FAST_INLINE static inline __attribute__((always_inline))

#define VPTR_FAST_READ(field) __atomic_load_n(&(field), __ATOMIC_ACQUIRE)

/* From the mapper's first address to ptr: at or above fast->size if ptr is none of its addresses. */
VPTR_FAST_INLINE uintptr_t vptr_fast_distance(const vptr_fast *fast, const void *ptr) {
  return (uintptr_t)ptr - fast->base;
}

/* Where a live byte of the mapper's device memory lies. Whoever calls must know that it is live and stays so
 * meanwhile: then the answer is vptr_resolve()'s. Of other addresses it is no verdict: a buffer of NULL where the
 * mapper never had one, else perhaps a buffer that is gone, with any offset. A view of a mapper whose memory may leave
 * the device (VPTR_OVERSUBSCRIBE) covers no address: NULL here, and vptr_fast_resolve() always makes the call. */
VPTR_FAST_INLINE vptr_fast_place vptr_fast_translate(const vptr_fast *fast, const void *ptr) {
  vptr_fast_place place = { NULL, 0 };
  uintptr_t distance = vptr_fast_distance(fast, ptr);
  if (distance < fast->size) {
    const vptr_fast_entry *entry = &fast->entries[distance >> fast->shift];
    place.buffer = VPTR_FAST_READ(entry->buffer);
    place.offset = (uintptr_t)ptr - VPTR_FAST_READ(entry->base);
  }
  return place;
}

/* ---- the whole answer ----------------------------------------------------------------------------------- */

/* An allocation, and a byte in it. The members are as in vptr_location. */
typedef struct vptr_fast_extent {
  cl_mem buffer;
  size_t buffer_offset;
  void *base;
  size_t size;
} vptr_fast_extent;

VPTR_FAST_INLINE int vptr_fast_has_moved(const vptr_fast_entry *entry, uint32_t sequence) {
  return (sequence & 1) != 0 || __atomic_load_n(&entry->sequence, __ATOMIC_RELAXED) != sequence;
}

/* Non-zero if the bytes [ptr, ptr + need) lie in one live allocation of the mapper's device memory; need is not 0.
 * It is exact: an entry that moves meanwhile has nothing live on it. That is looked at twice: before a state is read,
 * lest a half-written entry lead where none is, and behind it, lest the state be another buffer's. */
VPTR_FAST_INLINE int vptr_fast_locate(const vptr_fast *fast, const void *ptr, size_t need,
                                      vptr_fast_extent *extent_out) {
  uintptr_t distance = vptr_fast_distance(fast, ptr);
  if (distance >= fast->size)
    return 0;
  const vptr_fast_entry *entry = &fast->entries[distance >> fast->shift];
  uint32_t sequence = VPTR_FAST_READ(entry->sequence);
  uint32_t kind = VPTR_FAST_READ(entry->kind);
  uintptr_t base = VPTR_FAST_READ(entry->base);
  size_t size = VPTR_FAST_READ(entry->size);
  cl_mem buffer = VPTR_FAST_READ(entry->buffer);
  size_t offset = (uintptr_t)ptr - base, start = 0;
  if (__builtin_expect(kind == VPTR_FAST_SLAB, 1)) {
    size_t slot_size = VPTR_FAST_READ(entry->slot_size);
    uint64_t reciprocal = VPTR_FAST_READ(entry->reciprocal);
    const int16_t *states = VPTR_FAST_READ(entry->states);
    if (offset >= size || vptr_fast_has_moved(entry, sequence))
      return 0;
    /* A slab's slots lie in the first window of its buffer: this is the offset, and does not wait for the entry. */
    size_t in_window = distance & fast->window_mask;
    size_t slot = (size_t)(((in_window >> 8) * reciprocal) >> 31);
    ptrdiff_t state = VPTR_FAST_READ(states[slot]);
    if (state >= VPTR_FAST_LIVE)
      return 0;
    start = slot * slot_size;
    size = slot_size + (size_t)(state - VPTR_FAST_LIVE);
  } else if (kind - (uint32_t)VPTR_FAST_WHOLE > 1) { /* neither whole nor attached */
    return 0;
  }
  /* Of an entry that did not move, no offset comes near half of all addresses: the sum does not overflow. */
  if (need > SIZE_MAX / 2 || offset - start + need > size || vptr_fast_has_moved(entry, sequence))
    return 0;
  extent_out->buffer = buffer;
  extent_out->buffer_offset = offset;
  extent_out->base = (void *)(base + start);
  extent_out->size = size;
  return 1;
}

/* Fetches what a look-up of ptr will read, and waits for nothing. It pays where allocations are so many (some hundred
 * thousand) that their states are not in the caches, called 16 look-ups ahead or so. Any address will do. The state's
 * place is a number here, since a half-written entry may lead anywhere: to fetch what is not there does nothing. */
VPTR_FAST_INLINE void vptr_fast_prefetch(const vptr_fast *fast, const void *ptr) {
  uintptr_t distance = vptr_fast_distance(fast, ptr);
  if (distance < fast->size) {
    const vptr_fast_entry *entry = &fast->entries[distance >> fast->shift];
    uintptr_t offset = (uintptr_t)ptr - VPTR_FAST_READ(entry->base);
    uintptr_t slot = (uintptr_t)(((uint64_t)(offset >> 8) * VPTR_FAST_READ(entry->reciprocal)) >> 31);
    __builtin_prefetch((const void *)((uintptr_t)VPTR_FAST_READ(entry->states) + slot * sizeof(int16_t)));
  }
}

/* vptr_resolve(), by a call: what has no inline answer. */
static inline __attribute__((cold)) vptr_status vptr_fast_ask(const vptr_fast *fast, const void *ptr, size_t need,
                                                              vptr_fast_extent *extent_out) {
  vptr_location location;
  vptr_status status = vptr_resolve(fast->mapper, ptr, need, &location);
  if (status == VPTR_SUCCESS) {
    extent_out->buffer = location.buffer;
    extent_out->buffer_offset = location.buffer_offset;
    extent_out->base = location.base;
    extent_out->size = location.size;
  }
  return status;
}

/* vptr_resolve() in every respect, the verdict, its words and memory of the host's included, with a leaner answer:
 * live device memory without a call, all else by one. extent_out is not NULL. */
VPTR_FAST_INLINE vptr_status vptr_fast_resolve(const vptr_fast *fast, const void *ptr, size_t need,
                                               vptr_fast_extent *extent_out) {
  if (__builtin_expect(vptr_fast_locate(fast, ptr, need != 0 ? need : 1, extent_out), 1))
    return VPTR_SUCCESS;
  return vptr_fast_ask(fast, ptr, need, extent_out);
}

#ifdef __cplusplus
}
#endif

#endif
