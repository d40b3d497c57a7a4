/* SPDX-License-Identifier: MIT */
/*
 * blocks - which blocks of a chunk are live, and how large they are.
 *
 * A chunk is cut at multiples of 256 bytes. A bit for each says whether a live block starts there, a word beside it
 * what that block is. So the start of the block that an interior address lies in is found by stepping back over 64 bits
 * at a time, and of two threads that free a block, the one that clears the bit has freed it.
 *
 * No locks: everything is atomic. Answers about a block are exact as long as nobody allocates or frees it meanwhile.
 * The tables lie outside the chunk, where the program cannot overwrite them, and last as long as the process. Used by
 * chunk.c, pinned.c, region.c and alias.c.
 */
#ifndef VPTR_PINNED_BLOCKS_H
#define VPTR_PINNED_BLOCKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  VPTR__BLOCK_STEP = 256,       /* all blocks start at multiples of this, which is their alignment */
  VPTR__BLOCK_LIMIT = 1 << 20   /* all blocks are smaller */
};

/* A block in a word: its size in bits 0 .. 19, then the caller's flags, then whether it has a device address. */
enum { VPTR__BLOCK_FLAGS_SHIFT = 24 };
#define VPTR__BLOCK_SHARED (UINT32_C(1) << 31)

typedef struct vptr__blocks {
  _Atomic(uint64_t) *starts;
  _Atomic(uint32_t) *words;
} vptr__blocks;

/* Tables for a chunk of bytes. False if there is no memory for them. */
bool vptr__blocks_init(vptr__blocks *blocks, size_t bytes);

/* For tables that no chunk ever used. */
void vptr__blocks_fini(vptr__blocks *blocks, size_t bytes);

/* A block begins to live at the slot; nobody else knows of it yet. */
void vptr__blocks_issue(vptr__blocks *blocks, size_t slot, size_t size, unsigned flags);

/* A block stops living. False if none lives at the slot. */
bool vptr__blocks_end(vptr__blocks *blocks, size_t slot);

/* Remembers that the block at the slot has a device address. */
void vptr__blocks_mark_shared(vptr__blocks *blocks, size_t slot);

/* The same where it starts among the 64 slots that are looked at first, as nearly all do. */
static inline bool vptr__blocks_find_near(const vptr__blocks *blocks, size_t slot, size_t *start_out,
                                          uint32_t *word_out) {
  uint64_t bits = atomic_load_explicit(&blocks->starts[slot / 64], memory_order_acquire) << (63 - slot % 64);
  if (bits == 0)
    return false;
  *start_out = slot - (size_t)__builtin_clzll(bits);
  *word_out = atomic_load_explicit(&blocks->words[*start_out], memory_order_relaxed);
  return true;
}

/* Whether a block starts at the slot, and its word. */
bool vptr__blocks_get(const vptr__blocks *blocks, size_t slot, uint32_t *word_out);

/* The nearest block that starts at or before a slot, if it starts near enough to reach it. */
bool vptr__blocks_find(const vptr__blocks *blocks, size_t slot, size_t *start_out, uint32_t *word_out);

static inline size_t vptr__block_size(uint32_t word) {
  return word & (VPTR__BLOCK_LIMIT - 1);
}

static inline unsigned vptr__block_flags(uint32_t word) {
  return (word & ~VPTR__BLOCK_SHARED) >> VPTR__BLOCK_FLAGS_SHIFT;
}

#endif
