/* SPDX-License-Identifier: MIT */
/*
 * blocks - making, changing and searching the tables of a chunk's live blocks (blocks.h).
 *
 * A vptr__blocks is part of a region's record (region.h); its two tables are mapped by vptr__blocks_init() and outlive
 * all their readers. There is no lock: bits and words are atomic, and of two threads that end a block one gets true.
 *
 * Called by chunk.c, which makes the tables; by pinned.c, which issues, ends and finds blocks; by restored.c, which
 * issues and ends those of a checkpoint; and by alias.c, which marks shared ones. Nothing blocks, and only
 * vptr__blocks_init() can fail, without host memory.
 */
#include "pinned/blocks.h"

#include <sys/mman.h>

enum { BITS = 64, FARTHEST_WORDS = VPTR__BLOCK_LIMIT / VPTR__BLOCK_STEP / BITS + 1 };

static size_t starts_bytes(size_t bytes) {
  return bytes / VPTR__BLOCK_STEP / 8;
}

static size_t table_bytes(size_t bytes) {
  return starts_bytes(bytes) + bytes / VPTR__BLOCK_STEP * sizeof(uint32_t);
}

/* Mapped and not from calloc(): most of it is never touched. */
bool vptr__blocks_init(vptr__blocks *blocks, size_t bytes) {
  void *table = mmap(NULL, table_bytes(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (table == MAP_FAILED)
    return false;
  blocks->starts = table;
  blocks->words = (void *)((char *)table + starts_bytes(bytes));
  return true;
}

void vptr__blocks_fini(vptr__blocks *blocks, size_t bytes) {
  munmap(blocks->starts, table_bytes(bytes));
}

static uint64_t bit_of(size_t slot) {
  return UINT64_C(1) << slot % BITS;
}

void vptr__blocks_issue(vptr__blocks *blocks, size_t slot, size_t size, unsigned flags) {
  uint32_t word = (uint32_t)size | (uint32_t)flags << VPTR__BLOCK_FLAGS_SHIFT;
  atomic_store_explicit(&blocks->words[slot], word, memory_order_relaxed);
  atomic_fetch_or_explicit(&blocks->starts[slot / BITS], bit_of(slot), memory_order_release);
}

bool vptr__blocks_end(vptr__blocks *blocks, size_t slot) {
  return (atomic_fetch_and(&blocks->starts[slot / BITS], ~bit_of(slot)) & bit_of(slot)) != 0;
}

void vptr__blocks_mark_shared(vptr__blocks *blocks, size_t slot) {
  atomic_fetch_or(&blocks->words[slot], VPTR__BLOCK_SHARED);
}

bool vptr__blocks_get(const vptr__blocks *blocks, size_t slot, uint32_t *word_out) {
  if ((atomic_load_explicit(&blocks->starts[slot / BITS], memory_order_acquire) & bit_of(slot)) == 0)
    return false;
  *word_out = atomic_load_explicit(&blocks->words[slot], memory_order_relaxed);
  return true;
}

bool vptr__blocks_find(const vptr__blocks *blocks, size_t slot, size_t *start_out, uint32_t *word_out) {
  size_t place = slot / BITS;
  size_t last = place > FARTHEST_WORDS ? place - FARTHEST_WORDS : 0;
  uint64_t mask = ~UINT64_C(0) >> (BITS - 1 - slot % BITS); /* the slot's bit and those below */
  for (;; place--, mask = ~UINT64_C(0)) {
    uint64_t bits = atomic_load_explicit(&blocks->starts[place], memory_order_acquire) & mask;
    if (bits != 0) {
      *start_out = place * BITS + (BITS - 1) - (size_t)__builtin_clzll(bits);
      *word_out = atomic_load_explicit(&blocks->words[*start_out], memory_order_relaxed);
      return true;
    }
    if (place == last)
      return false;
  }
}
