/* SPDX-License-Identifier: MIT */
/*
 * tree/node - one node of the tree: its layout, and how entries move.
 *
 *     leaf        keys   [10][20][30][..]      slots  [value][value][value][..]
 *     inner       keys   [10][40][90][..]      slots  [child][child][child][..]      key = least key below child
 *
 * Searches read nodes while a change rewrites them. Therefore every field that changes is atomic, and what a
 * search may see halfway is harmless:
 *
 *   - `leaf` never changes, so a slot of an inner node only ever holds nodes: a stale slot leads to a node, not
 *     to a value taken for one.
 *   - A slot is written before the count that covers it, and is not cleared: each slot below any count that was
 *     ever stored leads somewhere.
 *   - Counts are clamped when read.
 *
 * Loads acquire and stores release, entry by entry, where the textbook has relaxed accesses and a fence at each
 * end. Both prove the same (whoever reads one entry of a change also sees the sequence number odd or moved on);
 * x86 compiles both to plain moves, and ThreadSanitizer does not understand fences.
 *
 * Changing functions need the owner's lock and an odd sequence number. For the files of this folder and their tests
 * alone.
 */
#ifndef VPTR_TREE_NODE_H
#define VPTR_TREE_NODE_H

#include <stdatomic.h>

#include "tree/tree.h"

/* Nodes of half a KiB. Measured from 14 to 62 entries: fewer lose to cache misses from 10^5 keys on, more lose to
 * longer counting below 10^4, where trees of buffers live, and make changes longer, which searches wait out. */
enum {
  VPTR__TREE_CAPACITY = 30,
  VPTR__TREE_MINIMUM = VPTR__TREE_CAPACITY / 2,
  VPTR__TREE_MAX_HEIGHT = 16 /* 15^16 keys and more: beyond any memory */
};

struct vptr__tree_node {
  _Atomic(uint32_t) count;
  bool leaf;                         /* for life */
  vptr__tree_node *next_in_stock;    /* while in reserve */
  vptr__tree_node *next_of_all;
  _Atomic(uint64_t) keys[VPTR__TREE_CAPACITY];   /* ascending */
  _Atomic(uintptr_t) slots[VPTR__TREE_CAPACITY]; /* leaf: values; inner: children */
};

static inline uint32_t vptr__tree_node_count(const vptr__tree_node *node) {
  uint32_t count = atomic_load_explicit(&node->count, memory_order_acquire);
  return count <= VPTR__TREE_CAPACITY ? count : VPTR__TREE_CAPACITY;
}

static inline uint64_t vptr__tree_node_key(const vptr__tree_node *node, uint32_t at) {
  return atomic_load_explicit(&node->keys[at], memory_order_acquire);
}

static inline uintptr_t vptr__tree_node_slot(const vptr__tree_node *node, uint32_t at) {
  return atomic_load_explicit(&node->slots[at], memory_order_acquire);
}

static inline vptr__tree_node *vptr__tree_node_child(const vptr__tree_node *node, uint32_t at) {
  return (vptr__tree_node *)vptr__tree_node_slot(node, at);
}

/* How many of the first count keys are <= bound. Counts them all: no branch depends on a key, and no load on the
 * one before. Halving needs fewer steps, but each waits for the last (twice the latency with conditional moves), or
 * is mispredicted every other time (with branches, which clang makes of it); stopping early mispredicts too. */
static inline uint32_t vptr__tree_node_rank(const vptr__tree_node *node, uint32_t count, uint64_t bound) {
  uint32_t rank = 0;
  for (uint32_t i = 0; i < count; i++)
    rank += vptr__tree_node_key(node, i) <= bound;
  return rank;
}

void vptr__tree_node_set_key(vptr__tree_node *node, uint32_t at, uint64_t key);

/* Empties a node that nothing leads to. */
void vptr__tree_node_clear(vptr__tree_node *node);

/* Puts an entry before the one at position `at`; there must be room. */
void vptr__tree_node_put(vptr__tree_node *node, uint32_t at, uint64_t key, uintptr_t slot);

/* Takes the entry at position `at` out. */
void vptr__tree_node_cut(vptr__tree_node *node, uint32_t at);

/* Moves the entries from position `at` on to the end of another node, which must have room. */
void vptr__tree_node_move(vptr__tree_node *from, uint32_t at, vptr__tree_node *to);

#endif
