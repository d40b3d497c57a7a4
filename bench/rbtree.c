/* SPDX-License-Identifier: MIT */
/*
 * rbtree - see rbtree.h. The rules of the tree:
 *
 *   1. a red node's children are black;
 *   2. every path from a node down to a missing child passes the same number of black nodes.
 *
 * Missing children are one black sentinel, whose parent pointer a removal uses to find its way up. Left and right are
 * mirror images; a node's child on a side is reached through child_link(), so that each case is written once.
 */
#include "rbtree.h"

#include <stdlib.h>

typedef enum side { LEFT, RIGHT } side;

enum { ADDRESS_ALIGNMENT = 256 };

/* ---- shape ----------------------------------------------------------------------------------------------- */

static side opposite(side of) {
  return of == LEFT ? RIGHT : LEFT;
}

static rbnode **child_link(rbnode *node, side at) {
  return at == LEFT ? &node->left : &node->right;
}

static side side_of(const rbnode *node) {
  return node->parent->left == node ? LEFT : RIGHT;
}

/* Puts `with` in the place of `node` below node's parent. */
static void replace(rbtree *tree, rbnode *node, rbnode *with) {
  if (node->parent == &tree->nil)
    tree->root = with;
  else
    *child_link(node->parent, side_of(node)) = with;
  with->parent = node->parent;
}

/*        node                       up
 *       /    \                     /  \
 *      a      up     --LEFT-->  node   c
 *            /  \               /  \
 *           b    c             a    b
 */
static void rotate(rbtree *tree, rbnode *node, side to) {
  rbnode *up = *child_link(node, opposite(to));
  rbnode *between = *child_link(up, to);
  *child_link(node, opposite(to)) = between;
  if (between != &tree->nil)
    between->parent = node;
  replace(tree, node, up);
  *child_link(up, to) = node;
  node->parent = up;
}

static rbnode *least(rbtree *tree, rbnode *node) {
  while (node->left != &tree->nil)
    node = node->left;
  return node;
}

/* ---- insertion ------------------------------------------------------------------------------------------- */

/* A red node was added below a red parent, which breaks rule 1 only. A red uncle: both take the grandparent's black,
 * and the question moves two levels up. A black one: at most two rotations answer it. */
static void repair_insertion(rbtree *tree, rbnode *node) {
  while (node->parent->red) {
    rbnode *grandparent = node->parent->parent;
    side parent_side = side_of(node->parent);
    rbnode *uncle = *child_link(grandparent, opposite(parent_side));
    if (uncle->red) {
      node->parent->red = uncle->red = false;
      grandparent->red = true;
      node = grandparent;
      continue;
    }
    if (side_of(node) != parent_side) {
      node = node->parent;
      rotate(tree, node, parent_side);
    }
    node->parent->red = false;
    grandparent->red = true;
    rotate(tree, grandparent, opposite(parent_side));
  }
  tree->root->red = false;
}

static void insert(rbtree *tree, rbnode *node) {
  rbnode *parent = &tree->nil;
  rbnode **link = &tree->root;
  while (*link != &tree->nil) {
    parent = *link;
    link = child_link(parent, node->base < parent->base ? LEFT : RIGHT);
  }
  *link = node;
  node->parent = parent;
  node->left = node->right = &tree->nil;
  node->red = true;
  repair_insertion(tree, node);
  tree->count++;
}

/* ---- removal --------------------------------------------------------------------------------------------- */

/* The paths through `node` lack one black. A red sibling is first rotated away; a black sibling without red children
 * turns red, which moves the lack up; one with a red child lends it, which ends it. */
static void repair_removal(rbtree *tree, rbnode *node) {
  while (node != tree->root && !node->red) {
    side at = side_of(node);
    rbnode *sibling = *child_link(node->parent, opposite(at));
    if (sibling->red) {
      sibling->red = false;
      node->parent->red = true;
      rotate(tree, node->parent, at);
      sibling = *child_link(node->parent, opposite(at));
    }
    if (!sibling->left->red && !sibling->right->red) {
      sibling->red = true;
      node = node->parent;
      continue;
    }
    if (!(*child_link(sibling, opposite(at)))->red) {
      (*child_link(sibling, at))->red = false;
      sibling->red = true;
      rotate(tree, sibling, opposite(at));
      sibling = *child_link(node->parent, opposite(at));
    }
    sibling->red = node->parent->red;
    node->parent->red = false;
    (*child_link(sibling, opposite(at)))->red = false;
    rotate(tree, node->parent, at);
    node = tree->root;
  }
  node->red = false;
}

/* A node with two children leaves its place to its successor, which has at most one. */
static void remove_node(rbtree *tree, rbnode *node) {
  rbnode *leaving = node->left != &tree->nil && node->right != &tree->nil ? least(tree, node->right) : node;
  rbnode *child = leaving->left != &tree->nil ? leaving->left : leaving->right;
  bool lost_black = !leaving->red;
  replace(tree, leaving, child);
  if (leaving != node) {
    leaving->red = node->red;
    leaving->left = node->left;
    leaving->right = node->right;
    leaving->left->parent = leaving;
    leaving->right->parent = leaving;
    if (child->parent == node)
      child->parent = leaving;
    replace(tree, node, leaving);
  }
  if (lost_black)
    repair_removal(tree, child);
  tree->count--;
}

/* ---- search ---------------------------------------------------------------------------------------------- */

/* The node with the greatest base <= address, or NULL. */
static rbnode *find_le(const rbtree *tree, uintptr_t address) {
  rbnode *found = NULL;
  for (rbnode *node = tree->root; node != &tree->nil;) {
    if (address < node->base) {
      node = node->left;
    } else {
      found = node;
      node = node->right;
    }
  }
  return found;
}

static rbnode *find_holder(const rbtree *tree, uintptr_t address) {
  rbnode *node = find_le(tree, address);
  return node != NULL && address - node->base < node->size ? node : NULL;
}

/* ---- the mapper on top ----------------------------------------------------------------------------------- */

void rbtree_init(rbtree *tree) {
  *tree = (rbtree){ .next_address = (uintptr_t)1 << 40 };
  tree->nil.parent = tree->nil.left = tree->nil.right = &tree->nil;
  tree->root = &tree->nil;
  pthread_mutex_init(&tree->mutex, NULL);
}

void rbtree_fini(rbtree *tree) {
  while (tree->root != &tree->nil) {
    rbnode *node = tree->root;
    remove_node(tree, node);
    free(node);
  }
  pthread_mutex_destroy(&tree->mutex);
}

void *rbtree_allocate(rbtree *tree, size_t size) {
  rbnode *node = malloc(sizeof *node);
  if (node == NULL)
    return NULL;
  pthread_mutex_lock(&tree->mutex);
  *node = (rbnode){ .base = tree->next_address, .size = size, .serial = ++tree->serial };
  tree->next_address += size / ADDRESS_ALIGNMENT * ADDRESS_ALIGNMENT + ADDRESS_ALIGNMENT;
  insert(tree, node);
  pthread_mutex_unlock(&tree->mutex);
  return (void *)node->base;
}

bool rbtree_free(rbtree *tree, void *ptr) {
  pthread_mutex_lock(&tree->mutex);
  rbnode *node = find_le(tree, (uintptr_t)ptr);
  bool found = node != NULL && node->base == (uintptr_t)ptr;
  if (found)
    remove_node(tree, node);
  pthread_mutex_unlock(&tree->mutex);
  if (found)
    free(node);
  return found;
}

static void describe(const rbnode *node, uintptr_t address, vptr_location *location_out) {
  *location_out = (vptr_location){
    .buffer = node->buffer,
    .buffer_offset = address - node->base,
    .base = (void *)node->base,
    .offset = address - node->base,
    .size = node->size,
    .kind = VPTR_KIND_DEVICE,
    .serial = node->serial,
  };
}

bool rbtree_resolve(rbtree *tree, const void *ptr, vptr_location *location_out) {
  pthread_mutex_lock(&tree->mutex);
  const rbnode *node = find_holder(tree, (uintptr_t)ptr);
  if (node != NULL)
    describe(node, (uintptr_t)ptr, location_out);
  pthread_mutex_unlock(&tree->mutex);
  return node != NULL;
}

ptrdiff_t rbtree_get_offset(rbtree *tree, const void *ptr) {
  pthread_mutex_lock(&tree->mutex);
  const rbnode *node = find_holder(tree, (uintptr_t)ptr);
  ptrdiff_t offset = node != NULL ? (ptrdiff_t)((uintptr_t)ptr - node->base) : -1;
  pthread_mutex_unlock(&tree->mutex);
  return offset;
}

/* ---- invariants ------------------------------------------------------------------------------------------ */

/* Black nodes on every path down from node, or -1. Keys lie in [low, high). */
static int black_height(const rbtree *tree, const rbnode *node, uintptr_t low, uintptr_t high, size_t *count) {
  if (node == &tree->nil)
    return 0;
  if (node->base < low || node->base >= high || (node->red && (node->left->red || node->right->red)))
    return -1;
  if ((node->left != &tree->nil && node->left->parent != node) ||
      (node->right != &tree->nil && node->right->parent != node))
    return -1;
  int left = black_height(tree, node->left, low, node->base, count);
  int right = black_height(tree, node->right, node->base + 1, high, count);
  ++*count;
  return left >= 0 && left == right ? left + !node->red : -1;
}

bool rbtree_is_valid(const rbtree *tree) {
  size_t count = 0;
  return !tree->nil.red && !tree->root->red && black_height(tree, tree->root, 0, UINTPTR_MAX, &count) >= 0 &&
         count == tree->count;
}
