/* SPDX-License-Identifier: MIT */
/*
 * bitset - a set of small integers with "the least member from here on" in a few steps.
 *
 * Words of 64 bits with summary levels above them: a bit of level k+1 says whether a word of level k has any
 * member. Finding, adding and removing touch one word a level, and there are at most four levels for 2^24
 * members.
 *
 *     level 2   [1.......]                       one word for each 64 words below
 *     level 1   [1..1....][........]
 *     level 0   [.1..][....][....][...1] ...     one bit a member
 *
 * Adding, removing and finding lie on the path of every allocation, so they are inline here.
 *
 * The memory is the caller's (vptr__bitset_words() says how much), so that a set can live in a mapping next to what it
 * describes. Not thread-safe: guarded by what guards its owner, which is vptr__heap.lock, of rank HEAP, for all sets
 * that there are: of lengths of free runs (lib/vptr/space), and of slots (heap/directory.c, slab.c).
 */
#ifndef VPTR_BASE_BITSET_H
#define VPTR_BASE_BITSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VPTR__BITSET_LEVELS = 4 };

typedef struct vptr__bitset {
  uint64_t *level[VPTR__BITSET_LEVELS]; /* into the caller's memory; level[0] holds the members */
  uint32_t levels;                      /* in use, at least 1 */
  uint32_t capacity;                    /* members are 0 .. capacity - 1 */
} vptr__bitset;

#define VPTR__BITSET_NONE UINT32_MAX

/* How many 64-bit words a set of this capacity (1 .. 2^24) needs. */
size_t vptr__bitset_words(uint32_t capacity);

/* Makes a set in words, which must be zero (an empty set) or hold a set of the same capacity. */
void vptr__bitset_init(vptr__bitset *set, uint64_t *words, uint32_t capacity);

/* Adds all of 0 .. capacity - 1, whatever is in the set. */
void vptr__bitset_fill(vptr__bitset *set);

/* For the next three, member < capacity is the caller's to know. */

static inline bool vptr__bitset_has(const vptr__bitset *set, uint32_t member) {
  return set->level[0][member >> 6] >> (member & 63) & 1;
}

/* Climbs only as long as a word was empty: above any other the summaries are set already. */
static inline void vptr__bitset_add(vptr__bitset *set, uint32_t member) {
  for (uint32_t k = 0; k < set->levels; k++, member >>= 6) {
    uint64_t *word = &set->level[k][member >> 6];
    uint64_t before = *word;
    *word = before | UINT64_C(1) << (member & 63);
    if (before != 0)
      return;
  }
}

/* Climbs only as long as a word became empty. */
static inline void vptr__bitset_remove(vptr__bitset *set, uint32_t member) {
  for (uint32_t k = 0; k < set->levels; k++, member >>= 6) {
    uint64_t *word = &set->level[k][member >> 6];
    *word &= ~(UINT64_C(1) << (member & 63));
    if (*word != 0)
      return;
  }
}

/* The least member at or below word, which is not empty, of level k. */
static inline uint32_t vptr__bitset_least_below(const vptr__bitset *set, uint32_t k, uint32_t word) {
  for (;; k--) {
    word = word * 64 + (uint32_t)__builtin_ctzll(set->level[k][word]);
    if (k == 0)
      return word;
  }
}

/* The least member >= from, or VPTR__BITSET_NONE. from may be any number. Climbs until a word has something at or
 * behind the place, then goes down to the left. */
static inline uint32_t vptr__bitset_next(const vptr__bitset *set, uint32_t from) {
  uint32_t last = set->capacity - 1;
  for (uint32_t k = 0; k < set->levels && from <= last; k++, from = (from >> 6) + 1, last >>= 6) {
    uint64_t rest = set->level[k][from >> 6] >> (from & 63);
    if (rest == 0)
      continue;
    from += (uint32_t)__builtin_ctzll(rest);
    return k == 0 ? from : vptr__bitset_least_below(set, k - 1, from);
  }
  return VPTR__BITSET_NONE;
}

/* Whether the summaries agree with the members, and nothing at or above the capacity is a member. */
bool vptr__bitset_is_valid(const vptr__bitset *set);

#endif
