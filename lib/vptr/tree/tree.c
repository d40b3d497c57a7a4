/* SPDX-License-Identifier: MIT */
/*
 * tree/tree - the life of a tree, and the nodes it owns.
 *
 * A node is either in the tree or in one of two stocks, and stays on the list of all nodes until fini. Nodes do
 * not go back to the system before, since a search that lost a race may still be reading them; the stocks are
 * bounded by the largest tree there ever was. Leaves and inner nodes have stocks of their own, because a search
 * relies on a node's kind (see node.h).
 *
 * A vptr__tree is a part of its owner; its nodes are allocated by vptr__tree_init() and vptr__tree_reserve(), and freed
 * by vptr__tree_fini(). Everything here needs the owner's lock, but for count, and for init and fini, while nobody else
 * knows the tree; its only failure is want of host memory. Called by the owners of trees, heap/cache.c, heap.c, query.c
 * and range.c, mapper/ledger.c and registry.c, mirror/address_index.c, pool/dependency.c, pool_allocator.c and reuse.c,
 * stream/handle.c, cudart/pinned/alias.c and region.c; and by change.c and check.c, which ask for the count.
 */
#include "tree/tree.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "tree/node.h"

static vptr__tree_node *make_node(vptr__tree *tree, bool leaf) {
  vptr__tree_node *node = vptr__memory_calloc(1, sizeof *node);
  if (node == NULL)
    return NULL;
  node->leaf = leaf;
  node->next_of_all = tree->all;
  tree->all = node;
  return node;
}

vptr_status vptr__tree_init(vptr__tree *tree) {
  memset(tree, 0, sizeof *tree);
  vptr__tree_node *root = make_node(tree, true);
  if (root == NULL)
    return vptr__error_host_memory(sizeof *root);
  atomic_init(&tree->root, root);
  return VPTR_SUCCESS;
}

void vptr__tree_fini(vptr__tree *tree) {
  vptr__tree_node *next;
  for (vptr__tree_node *node = tree->all; node != NULL; node = next) {
    next = node->next_of_all;
    vptr__memory_free(node);
  }
  memset(tree, 0, sizeof *tree);
}

static vptr_status fill_stock(vptr__tree *tree, vptr__tree_stock *stock, bool leaf, size_t wanted) {
  while (stock->count < wanted) {
    vptr__tree_node *node = make_node(tree, leaf);
    if (node == NULL)
      return vptr__error_host_memory(sizeof *node);
    node->next_in_stock = stock->first;
    stock->first = node;
    stock->count++;
  }
  return VPTR_SUCCESS;
}

/* The worst an insert can do is to split the leaf and every inner node above it, and to put a new root on top. */
vptr_status vptr__tree_reserve(vptr__tree *tree) {
  vptr_status status = fill_stock(tree, &tree->leaves, true, 1);
  if (status == VPTR_SUCCESS)
    status = fill_stock(tree, &tree->inners, false, (size_t)tree->height + 1);
  return status;
}

size_t vptr__tree_count(const vptr__tree *tree) {
  return atomic_load_explicit(&tree->count, memory_order_relaxed);
}
