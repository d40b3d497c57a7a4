/* SPDX-License-Identifier: MIT */
/*
 * bitset - the part of bitset.h that is not inline, and needed once for a set: its layout, filling it, and a check that
 * it is sound. The levels lie one behind the other in the caller's words, members first.
 *
 * One formula gives every size: level k has ((capacity - 1) >> 6k) + 1 bits, and as many words as level k + 1 has bits.
 * The highest level in use is the first of a single word. No data and no locks: a set is its owner's, and guarded by
 * vptr__heap.lock, of rank HEAP, which callers hold. Called by heap/directory.c and slab.c, and by space/space.c and
 * check.c. The inline half is used by space/run.c, too.
 */
#include "base/bitset.h"

#include <string.h>

static uint32_t bits_in_level(uint32_t capacity, uint32_t k) {
  return ((capacity - 1) >> (6 * k)) + 1;
}

static uint32_t words_in_level(uint32_t capacity, uint32_t k) {
  return bits_in_level(capacity, k + 1);
}

static uint32_t levels_for(uint32_t capacity) {
  uint32_t levels = 1;
  while (words_in_level(capacity, levels - 1) > 1)
    levels++;
  return levels;
}

size_t vptr__bitset_words(uint32_t capacity) {
  size_t words = 0;
  for (uint32_t k = 0; k < levels_for(capacity); k++)
    words += words_in_level(capacity, k);
  return words;
}

void vptr__bitset_init(vptr__bitset *set, uint64_t *words, uint32_t capacity) {
  *set = (vptr__bitset){ .levels = levels_for(capacity), .capacity = capacity };
  for (uint32_t k = 0; k < set->levels; k++) {
    set->level[k] = words;
    words += words_in_level(capacity, k);
  }
}

/* The bits of the last word of level k that stand for something. */
static uint64_t last_word_mask(uint32_t capacity, uint32_t k) {
  return ~UINT64_C(0) >> (63 - ((bits_in_level(capacity, k) - 1) & 63));
}

void vptr__bitset_fill(vptr__bitset *set) {
  for (uint32_t k = 0; k < set->levels; k++) {
    uint32_t words = words_in_level(set->capacity, k);
    memset(set->level[k], 0xff, words * sizeof(uint64_t));
    set->level[k][words - 1] = last_word_mask(set->capacity, k);
  }
}

static bool level_summarizes(const vptr__bitset *set, uint32_t k) {
  for (uint32_t i = 0; i < bits_in_level(set->capacity, k); i++)
    if ((set->level[k][i >> 6] >> (i & 63) & 1) != (set->level[k - 1][i] != 0))
      return false;
  return true;
}

bool vptr__bitset_is_valid(const vptr__bitset *set) {
  if (set->capacity == 0 || set->levels != levels_for(set->capacity))
    return false;
  for (uint32_t k = 0; k < set->levels; k++) {
    uint32_t last = words_in_level(set->capacity, k) - 1;
    if ((set->level[k][last] & ~last_word_mask(set->capacity, k)) != 0 || (k > 0 && !level_summarizes(set, k)))
      return false;
  }
  return true;
}
