/* SPDX-License-Identifier: MIT */
/*
 * tree/change - adding and removing a key, under the owner's lock.
 *
 * A change first walks down and notes its path; up to there it can still say no without having touched
 * anything. Then it makes the sequence number odd, works its way up the path, and makes the number even again.
 * Nodes are changed in place: a copied path would let searches go on undisturbed, but then the old nodes would
 * need an epoch before they can be used again, and changes are too rare to pay for one.
 *
 *     insert into a full node: split              remove from a node at its minimum:
 *
 *          [ . a . ]         [ . a c . ]           borrow    [abc] [x-]   ->  [ab] [cx]
 *            |           ->    |   |               merge     [ab]  [x-]   ->  [abx]
 *          [a b c d]       [a b]   [c d]
 *
 * Every node but the root keeps at least half its capacity, so two at and below the minimum fit into one. The data is
 * the owner's vptr__tree, and callers hold the lock that the owner's head names. Searches that run meanwhile take no
 * lock: they see the atomic `sequence` change, and try again. Nothing blocks or fails: vptr__tree_reserve() comes
 * first. Called by the owners of trees: heap/cache.c, heap.c, place.c, query.c and range.c, mapper/ledger.c and
 * registry.c, mirror/address_index.c, pool/dependency.c and pool_allocator.c, stream/handle.c, cudart/pinned/alias.c
 * and region.c.
 */
#include "tree/tree.h"

#include <assert.h>

#include "tree/node.h"

/* The way to a leaf: node[0] is the root, node[depth] the leaf, at[i] the position taken in node[i]. */
struct path {
  vptr__tree_node *node[VPTR__TREE_MAX_HEIGHT + 1];
  uint32_t at[VPTR__TREE_MAX_HEIGHT + 1];
  uint32_t depth;
};

static void change_begin(vptr__tree *tree) {
  uint64_t sequence = atomic_load_explicit(&tree->sequence, memory_order_relaxed);
  assert(sequence % 2 == 0);
  /* what follows are release stores: none of them is seen before this one */
  atomic_store_explicit(&tree->sequence, sequence + 1, memory_order_relaxed);
}

static void change_end(vptr__tree *tree, size_t count) {
  uint64_t sequence = atomic_load_explicit(&tree->sequence, memory_order_relaxed);
  atomic_store_explicit(&tree->count, count, memory_order_relaxed);
  atomic_store_explicit(&tree->sequence, sequence + 1, memory_order_release);
}

static void set_root(vptr__tree *tree, vptr__tree_node *root, uint32_t height) {
  atomic_store_explicit(&tree->root, root, memory_order_release);
  tree->height = height;
}

static vptr__tree_node *take_spare(vptr__tree *tree, bool leaf) {
  vptr__tree_stock *stock = leaf ? &tree->leaves : &tree->inners;
  vptr__tree_node *node = stock->first;
  assert(node != NULL); /* vptr__tree_reserve() saw to it */
  stock->first = node->next_in_stock;
  stock->count--;
  vptr__tree_node_clear(node);
  return node;
}

static void give_spare(vptr__tree *tree, vptr__tree_node *node) {
  vptr__tree_stock *stock = node->leaf ? &tree->leaves : &tree->inners;
  node->next_in_stock = stock->first;
  stock->first = node;
  stock->count++;
}

/* Goes down to where key is or belongs: `at` is the position of the greatest key <= key, and 0 all the way where
 * there is none such. Returns whether key is there. */
static bool walk_down(const vptr__tree *tree, uint64_t key, struct path *path) {
  vptr__tree_node *node = atomic_load_explicit(&tree->root, memory_order_relaxed);
  for (uint32_t depth = 0;; depth++) {
    uint32_t rank = vptr__tree_node_rank(node, vptr__tree_node_count(node), key);
    path->node[depth] = node;
    path->at[depth] = rank > 0 ? rank - 1 : 0;
    if (node->leaf) {
      path->depth = depth;
      return rank > 0 && vptr__tree_node_key(node, rank - 1) == key;
    }
    node = vptr__tree_node_child(node, path->at[depth]);
  }
}

/* Says the least key of the path's leaf to the nodes above, as far up as it is the least of theirs too. */
static void update_least(const struct path *path) {
  uint64_t least = vptr__tree_node_key(path->node[path->depth], 0);
  for (uint32_t depth = path->depth; depth > 0; depth--) {
    vptr__tree_node_set_key(path->node[depth - 1], path->at[depth - 1], least);
    if (path->at[depth - 1] != 0)
      return;
  }
}

static void grow_root(vptr__tree *tree, vptr__tree_node *left, vptr__tree_node *right) {
  vptr__tree_node *root = take_spare(tree, false);
  vptr__tree_node_put(root, 0, vptr__tree_node_key(left, 0), (uintptr_t)left);
  vptr__tree_node_put(root, 1, vptr__tree_node_key(right, 0), (uintptr_t)right);
  set_root(tree, root, tree->height + 1);
}

/* Puts an entry at a position, in a node or, if that is full, in one of the halves it is split into. Returns the
 * new right half, or NULL. */
static vptr__tree_node *put_or_split(vptr__tree *tree, vptr__tree_node *node, uint32_t at, uint64_t key,
                                     uintptr_t slot) {
  if (vptr__tree_node_count(node) < VPTR__TREE_CAPACITY) {
    vptr__tree_node_put(node, at, key, slot);
    return NULL;
  }
  vptr__tree_node *right = take_spare(tree, node->leaf);
  vptr__tree_node_move(node, VPTR__TREE_CAPACITY / 2, right);
  if (at <= VPTR__TREE_CAPACITY / 2)
    vptr__tree_node_put(node, at, key, slot);
  else
    vptr__tree_node_put(right, at - VPTR__TREE_CAPACITY / 2, key, slot);
  return right;
}

bool vptr__tree_insert(vptr__tree *tree, uint64_t key, uintptr_t value) {
  struct path path;
  if (walk_down(tree, key, &path))
    return false;
  vptr__tree_node *leaf = path.node[path.depth];
  bool is_least = vptr__tree_node_count(leaf) == 0 || key < vptr__tree_node_key(leaf, 0);
  uint32_t at = is_least ? 0 : path.at[path.depth] + 1;

  change_begin(tree);
  vptr__tree_node *right = put_or_split(tree, leaf, at, key, value);
  if (is_least)
    update_least(&path);
  /* invariant: all is well from path.node[depth] down, but that `right`, split off there, has no parent yet */
  uint32_t depth = path.depth;
  for (; right != NULL && depth > 0; depth--)
    right = put_or_split(tree, path.node[depth - 1], path.at[depth - 1] + 1, vptr__tree_node_key(right, 0),
                         (uintptr_t)right);
  if (right != NULL)
    grow_root(tree, path.node[0], right);
  change_end(tree, vptr__tree_count(tree) + 1);
  return true;
}

/* Moves the last entry of the left neighbour, the child before position `at`, to the front of child `at`. */
static void borrow_left(vptr__tree_node *parent, uint32_t at) {
  vptr__tree_node *left = vptr__tree_node_child(parent, at - 1), *node = vptr__tree_node_child(parent, at);
  uint32_t last = vptr__tree_node_count(left) - 1;
  vptr__tree_node_put(node, 0, vptr__tree_node_key(left, last), vptr__tree_node_slot(left, last));
  vptr__tree_node_cut(left, last);
  vptr__tree_node_set_key(parent, at, vptr__tree_node_key(node, 0));
}

/* Moves the first entry of the right neighbour to the end of child `at`. */
static void borrow_right(vptr__tree_node *parent, uint32_t at) {
  vptr__tree_node *node = vptr__tree_node_child(parent, at), *right = vptr__tree_node_child(parent, at + 1);
  vptr__tree_node_put(node, vptr__tree_node_count(node), vptr__tree_node_key(right, 0),
                      vptr__tree_node_slot(right, 0));
  vptr__tree_node_cut(right, 0);
  vptr__tree_node_set_key(parent, at + 1, vptr__tree_node_key(right, 0));
}

/* Empties child at + 1 into child `at`. */
static void merge_children(vptr__tree *tree, vptr__tree_node *parent, uint32_t at) {
  vptr__tree_node *right = vptr__tree_node_child(parent, at + 1);
  vptr__tree_node_move(right, 0, vptr__tree_node_child(parent, at));
  vptr__tree_node_cut(parent, at + 1);
  give_spare(tree, right);
}

static bool can_lend(const vptr__tree_node *parent, uint32_t at) {
  return vptr__tree_node_count(vptr__tree_node_child(parent, at)) > VPTR__TREE_MINIMUM;
}

/* Brings child `at`, which is one entry short, back to its minimum. Borrowing is tried first: it ends the
 * change, while a merge may leave the parent short. The least key below parent stays what it is. */
static void refill_child(vptr__tree *tree, vptr__tree_node *parent, uint32_t at) {
  bool has_left = at > 0, has_right = at + 1 < vptr__tree_node_count(parent);
  assert(has_left || has_right);
  if (has_left && can_lend(parent, at - 1))
    borrow_left(parent, at);
  else if (has_right && can_lend(parent, at + 1))
    borrow_right(parent, at);
  else
    merge_children(tree, parent, has_left ? at - 1 : at);
}

static void shrink_root(vptr__tree *tree, vptr__tree_node *root) {
  if (root->leaf || vptr__tree_node_count(root) > 1)
    return;
  set_root(tree, vptr__tree_node_child(root, 0), tree->height - 1);
  give_spare(tree, root);
}

bool vptr__tree_remove(vptr__tree *tree, uint64_t key, uintptr_t *value_out) {
  struct path path;
  if (!walk_down(tree, key, &path))
    return false;
  vptr__tree_node *leaf = path.node[path.depth];
  uint32_t at = path.at[path.depth];
  uintptr_t value = vptr__tree_node_slot(leaf, at);

  change_begin(tree);
  vptr__tree_node_cut(leaf, at);
  if (at == 0 && vptr__tree_node_count(leaf) > 0)
    update_least(&path);
  /* invariant: all is well below path.node[depth], and that node is at most one entry short */
  for (uint32_t depth = path.depth; depth > 0; depth--) {
    if (vptr__tree_node_count(path.node[depth]) >= VPTR__TREE_MINIMUM)
      break;
    refill_child(tree, path.node[depth - 1], path.at[depth - 1]);
  }
  shrink_root(tree, path.node[0]);
  change_end(tree, vptr__tree_count(tree) - 1);
  if (value_out != NULL)
    *value_out = value;
  return true;
}
