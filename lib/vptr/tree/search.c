/* SPDX-License-Identifier: MIT */
/*
 * tree/search - finding the neighbours of a key, without a lock, beside changes.
 *
 * A search is an optimistic reader: it notes the sequence number, goes down, and believes what it found only if the
 * number is still the same and even. One that lost the race may have met any mixture of old and new entries; node.h
 * says why that is harmless, and the bound on the levels ends a walk in a circle. A change is some hundred moves long,
 * so a reader that has to wait spins, and after a while gives the processor away, for the case that the writer was
 * interrupted halfway.
 *
 * The file has no data, and needs no lock: changes are kept apart by the lock of the tree's owner, and nodes stay
 * mapped until vptr__tree_fini(), during which no search may run. Declared in tree.h. Called by the owners of trees:
 * heap/cache.c, compact.c, exchange.c, heap.c, place.c, query.c, range.c, residence.c, snapshot.c and survey.c,
 * mapper/ledger.c and registry.c, mirror/address_index.c, pool/dependency.c and pool_allocator.c, stream/handle.c,
 * cudart/pinned/alias.c and region.c.
 */
#include "tree/tree.h"

#include <sched.h>

#include "tree/node.h"

enum { SPINS_BEFORE_YIELD = 100 };

struct entry {
  uint64_t key;
  uintptr_t value;
};

/* One try: may be wrong if a change ran beside it. False: no such key. */
typedef bool attempt(const vptr__tree *tree, uint64_t bound, struct entry *found);

static void load_entry(const vptr__tree_node *leaf, uint32_t at, struct entry *found) {
  found->key = vptr__tree_node_key(leaf, at);
  found->value = vptr__tree_node_slot(leaf, at);
}

static const vptr__tree_node *load_root(const vptr__tree *tree) {
  return atomic_load_explicit(&tree->root, memory_order_acquire);
}

/* Inner keys are exact, so where a node has no key <= bound the tree has none, and the way down never turns. */
static bool search_le(const vptr__tree *tree, uint64_t bound, struct entry *found) {
  const vptr__tree_node *node = load_root(tree);
  for (int level = 0; level <= VPTR__TREE_MAX_HEIGHT; level++) {
    uint32_t rank = vptr__tree_node_rank(node, vptr__tree_node_count(node), bound);
    if (rank == 0)
      return false;
    if (node->leaf) {
      load_entry(node, rank - 1, found);
      return true;
    }
    node = vptr__tree_node_child(node, rank - 1);
  }
  return false;
}

static bool search_least(const vptr__tree_node *node, struct entry *found) {
  for (int level = 0; level <= VPTR__TREE_MAX_HEIGHT; level++) {
    if (node->leaf) {
      if (vptr__tree_node_count(node) == 0)
        return false;
      load_entry(node, 0, found);
      return true;
    }
    node = vptr__tree_node_child(node, 0);
  }
  return false;
}

/* Goes down as search_le() does, and remembers the subtree to the right of the way: when the leaf ends before
 * bound, the least key of that subtree is the answer. Links between leaves would save this second descent, once
 * in fifteen searches, and cost an invariant in every split and merge. */
static bool search_ge(const vptr__tree *tree, uint64_t bound, struct entry *found) {
  const vptr__tree_node *node = load_root(tree), *right = NULL;
  for (int level = 0; level <= VPTR__TREE_MAX_HEIGHT; level++) {
    uint32_t count = vptr__tree_node_count(node);
    uint32_t rank = vptr__tree_node_rank(node, count, bound);
    uint32_t at = rank > 0 ? rank - 1 : 0;
    if (node->leaf) {
      if (rank > 0 && vptr__tree_node_key(node, at) < bound)
        at = rank;
      if (at == count)
        return right != NULL && search_least(right, found);
      load_entry(node, at, found);
      return true;
    }
    if (at + 1 < count)
      right = vptr__tree_node_child(node, at + 1);
    node = vptr__tree_node_child(node, at);
  }
  return false;
}

/* Waits until no change is under way. */
static uint64_t read_begin(const vptr__tree *tree) {
  for (int spins = 1;; spins++) {
    uint64_t sequence = atomic_load_explicit(&tree->sequence, memory_order_acquire);
    if (sequence % 2 == 0)
      return sequence;
    if (spins % SPINS_BEFORE_YIELD == 0)
      sched_yield();
  }
}

/* Relaxed is enough: all loads before this one acquire, so it cannot move ahead of them. */
static bool read_held(const vptr__tree *tree, uint64_t sequence) {
  return atomic_load_explicit(&tree->sequence, memory_order_relaxed) == sequence;
}

static inline bool find_bound(attempt *search, const vptr__tree *tree, uint64_t bound, uint64_t *key_out,
                              uintptr_t *value_out) {
  struct entry found = { 0, 0 };
  uint64_t sequence;
  bool hit;
  do {
    sequence = read_begin(tree);
    hit = search(tree, bound, &found);
  } while (!read_held(tree, sequence));
  if (hit && key_out != NULL)
    *key_out = found.key;
  if (hit && value_out != NULL)
    *value_out = found.value;
  return hit;
}

bool vptr__tree_find_le(const vptr__tree *tree, uint64_t bound, uint64_t *key_out, uintptr_t *value_out) {
  return find_bound(search_le, tree, bound, key_out, value_out);
}

bool vptr__tree_find_ge(const vptr__tree *tree, uint64_t bound, uint64_t *key_out, uintptr_t *value_out) {
  return find_bound(search_ge, tree, bound, key_out, value_out);
}
