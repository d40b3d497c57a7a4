/* SPDX-License-Identifier: MIT */
/*
 * tree - a balanced search tree (B+-tree) from 64-bit keys to values, with ordered walks.
 *
 * It knows neither buffers nor OpenCL. Keys are unique. A heap's tree of buffers is the authority on which address
 * belongs to which; others find mappers, streams, mirrors, blocks of pools and the like by address. Most are searched
 * far more often than changed, so the tree is tuned for readers.
 *
 *                 [ 10    40    90 ]              inner: the least key of each child, and the child
 *                  /       |       \
 *         [10 20 30]   [40 60]   [90 95]          leaves: keys and values, all on one level
 *
 * An inner node repeats the least key of every child, the first one included, and exactly: a removal corrects
 * it. So inner nodes and leaves have the same shape and share all code that moves entries about, and the search
 * for the greatest key <= bound goes straight down: it never has to step back to a left neighbour.
 *
 * Who may do what:
 *   - Changes (reserve, insert, remove) need the owner's lock, or, when the owner ends, that nobody else knows the
 *     tree any more; init and fini need that, too.
 *   - Searches (find_le, find_ge, count) take no lock and may run beside a change. They read a sequence number
 *     before and after and try again if it moved; nodes are never unmapped or handed out for other use before
 *     fini, so a search that loses the race reads stale memory of the right type, never freed memory.
 *   - An insert cannot fail: vptr__tree_reserve() gets the nodes it may need beforehand (prepare, then commit).
 *
 * Files: node (layout, moving entries), tree (life, stocks of nodes), search, change, check.
 */
#ifndef VPTR_TREE_TREE_H
#define VPTR_TREE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <vptr/vptr.h>

typedef struct vptr__tree_node vptr__tree_node;

/* Nodes that are in no tree now. */
typedef struct vptr__tree_stock {
  vptr__tree_node *first;
  size_t count;
} vptr__tree_stock;

typedef struct vptr__tree {
  _Atomic(uint64_t) sequence;         /* odd while a change is under way */
  _Atomic(vptr__tree_node *) root;
  _Atomic(size_t) count;
  uint32_t height;                    /* levels above the leaves; from here on: the owner's lock */
  vptr__tree_stock leaves, inners;    /* in reserve; a node never changes from one kind to the other */
  vptr__tree_node *all;               /* every node ever made, for fini */
} vptr__tree;

/* An empty tree. Errors: OUT_OF_HOST_MEMORY. */
VPTR_API vptr_status vptr__tree_init(vptr__tree *tree);

/* Frees the nodes; values are the owner's. No search may run. */
VPTR_API void vptr__tree_fini(vptr__tree *tree);

/* Makes sure that the next vptr__tree_insert() finds the nodes it may need. Errors: OUT_OF_HOST_MEMORY. */
VPTR_API vptr_status vptr__tree_reserve(vptr__tree *tree);

/* Adds key, which must be absent; returns false, changing nothing, if it is there. Needs a reserve before it. */
VPTR_API bool vptr__tree_insert(vptr__tree *tree, uint64_t key, uintptr_t value);

/* Takes key out and gives its value (value_out may be NULL); false if it was absent. Cannot fail otherwise. */
VPTR_API bool vptr__tree_remove(vptr__tree *tree, uint64_t key, uintptr_t *value_out);

/* The greatest key <= bound (least key >= bound) and its value; false if there is none. The outputs may be
 * NULL. Lock-free. */
VPTR_API bool vptr__tree_find_le(const vptr__tree *tree, uint64_t bound, uint64_t *key_out, uintptr_t *value_out);
VPTR_API bool vptr__tree_find_ge(const vptr__tree *tree, uint64_t bound, uint64_t *key_out, uintptr_t *value_out);

size_t vptr__tree_count(const vptr__tree *tree);

/* Every invariant: order, fill, equal depth, least keys, number of keys and of nodes. Needs the owner's lock. */
bool vptr__tree_is_valid(const vptr__tree *tree);

/* Draws the tree, for a debugger. Needs the owner's lock. */
void vptr__tree_dump(const vptr__tree *tree, FILE *out);

#endif
