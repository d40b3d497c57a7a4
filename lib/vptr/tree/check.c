/* SPDX-License-Identifier: MIT */
/*
 * tree/check - every invariant of the tree in one predicate, and a drawing of it, for tests and debuggers.
 *
 * No data: the tree is its owner's, whose lock callers hold, or which nobody changes meanwhile. Nothing blocks or
 * fails. Called by heap/cache.c and query.c, and by pool/pool_allocator.c.
 */
#include "tree/tree.h"

#include <inttypes.h>

#include "tree/node.h"

struct tally {
  size_t keys, nodes;
};

static bool is_ascending(const vptr__tree_node *node) {
  uint32_t count = vptr__tree_node_count(node);
  for (uint32_t i = 1; i < count; i++)
    if (vptr__tree_node_key(node, i - 1) >= vptr__tree_node_key(node, i))
      return false;
  return true;
}

/* The root may hold less than the minimum, but as an inner node it must have a choice to offer. */
static bool has_right_fill(const vptr__tree_node *node, bool is_root) {
  uint32_t count = atomic_load_explicit(&node->count, memory_order_relaxed);
  uint32_t least = !is_root ? VPTR__TREE_MINIMUM : node->leaf ? 0 : 2;
  return count >= least && count <= VPTR__TREE_CAPACITY;
}

/* A node and all below it, `height` levels. Every key must lie in [low, high], and the first be low itself: that
 * is what the node above says about it. */
static bool is_valid_below(const vptr__tree_node *node, uint32_t height, uint64_t low, uint64_t high,
                           struct tally *tally) {
  uint32_t count = vptr__tree_node_count(node);
  tally->nodes++;
  if (node->leaf != (height == 0) || !is_ascending(node))
    return false;
  if (count > 0 && (vptr__tree_node_key(node, 0) != low || vptr__tree_node_key(node, count - 1) > high))
    return false;
  if (node->leaf) {
    tally->keys += count;
    return true;
  }
  for (uint32_t i = 0; i < count; i++) {
    const vptr__tree_node *child = vptr__tree_node_child(node, i);
    uint64_t end = i + 1 < count ? vptr__tree_node_key(node, i + 1) - 1 : high;
    if (!has_right_fill(child, false) || !is_valid_below(child, height - 1, vptr__tree_node_key(node, i), end, tally))
      return false;
  }
  return true;
}

/* How many nodes of one kind are chained up in a stock, or SIZE_MAX if its count lies. */
static size_t count_stock(const vptr__tree_stock *stock, bool leaf) {
  size_t count = 0;
  for (const vptr__tree_node *node = stock->first; node != NULL; node = node->next_in_stock)
    if (node->leaf != leaf || ++count > stock->count)
      return SIZE_MAX;
  return count == stock->count ? count : SIZE_MAX;
}

static size_t count_all(const vptr__tree *tree) {
  size_t count = 0;
  for (const vptr__tree_node *node = tree->all; node != NULL; node = node->next_of_all)
    count++;
  return count;
}

bool vptr__tree_is_valid(const vptr__tree *tree) {
  const vptr__tree_node *root = atomic_load_explicit(&tree->root, memory_order_relaxed);
  size_t leaves = count_stock(&tree->leaves, true), inners = count_stock(&tree->inners, false);
  struct tally tally = { 0, 0 };
  if (leaves == SIZE_MAX || inners == SIZE_MAX)
    return false;
  if (atomic_load_explicit(&tree->sequence, memory_order_relaxed) % 2 != 0)
    return false;
  if (tree->height > VPTR__TREE_MAX_HEIGHT || !has_right_fill(root, true))
    return false;
  if (!is_valid_below(root, tree->height, vptr__tree_node_key(root, 0), UINT64_MAX, &tally))
    return false;
  return tally.keys == vptr__tree_count(tree) && tally.nodes + leaves + inners == count_all(tree);
}

static void dump_node(const vptr__tree_node *node, int depth, FILE *out) {
  uint32_t count = vptr__tree_node_count(node);
  fprintf(out, "%*s%s %p, %" PRIu32 " of %d:", 2 * depth, "", node->leaf ? "leaf" : "inner", (const void *)node,
          count, VPTR__TREE_CAPACITY);
  for (uint32_t i = 0; i < count; i++)
    if (node->leaf)
      fprintf(out, " %#" PRIx64 "=%#" PRIxPTR, vptr__tree_node_key(node, i), vptr__tree_node_slot(node, i));
    else
      fprintf(out, " %#" PRIx64, vptr__tree_node_key(node, i));
  fputc('\n', out);
  for (uint32_t i = 0; i < count && !node->leaf && depth < VPTR__TREE_MAX_HEIGHT; i++)
    dump_node(vptr__tree_node_child(node, i), depth + 1, out);
}

void vptr__tree_dump(const vptr__tree *tree, FILE *out) {
  fprintf(out, "tree %p: %zu keys, height %" PRIu32 ", %zu leaves and %zu inner nodes in reserve\n",
          (const void *)tree, vptr__tree_count(tree), tree->height, tree->leaves.count, tree->inners.count);
  dump_node(atomic_load_explicit(&tree->root, memory_order_relaxed), 1, out);
}
