/* SPDX-License-Identifier: MIT */
/*
 * tree/node - moving entries inside a node and between two of them. Leaves and inner nodes have the same shape,
 * so there is one function for each move, not two. See node.h for what searches may see meanwhile.
 *
 * No data: a node is its tree's (tree.c). Whoever changes the tree holds the lock of its owner (change.c names the
 * owners), or, when the owner ends, is the only one who still knows the tree. Called by change.c alone.
 */
#include "tree/node.h"

#include <assert.h>

static void set_count(vptr__tree_node *node, uint32_t count) {
  atomic_store_explicit(&node->count, count, memory_order_release);
}

static void set_entry(vptr__tree_node *node, uint32_t at, uint64_t key, uintptr_t slot) {
  atomic_store_explicit(&node->keys[at], key, memory_order_release);
  atomic_store_explicit(&node->slots[at], slot, memory_order_release);
}

static void copy_entry(const vptr__tree_node *from, uint32_t at, vptr__tree_node *to, uint32_t to_at) {
  set_entry(to, to_at, vptr__tree_node_key(from, at), vptr__tree_node_slot(from, at));
}

void vptr__tree_node_set_key(vptr__tree_node *node, uint32_t at, uint64_t key) {
  atomic_store_explicit(&node->keys[at], key, memory_order_release);
}

void vptr__tree_node_clear(vptr__tree_node *node) {
  set_count(node, 0);
}

void vptr__tree_node_put(vptr__tree_node *node, uint32_t at, uint64_t key, uintptr_t slot) {
  uint32_t count = vptr__tree_node_count(node);
  assert(at <= count && count < VPTR__TREE_CAPACITY);
  for (uint32_t i = count; i > at; i--)
    copy_entry(node, i - 1, node, i);
  set_entry(node, at, key, slot);
  set_count(node, count + 1);
}

void vptr__tree_node_cut(vptr__tree_node *node, uint32_t at) {
  uint32_t count = vptr__tree_node_count(node);
  assert(at < count);
  for (uint32_t i = at + 1; i < count; i++)
    copy_entry(node, i, node, i - 1);
  set_count(node, count - 1);
}

void vptr__tree_node_move(vptr__tree_node *from, uint32_t at, vptr__tree_node *to) {
  uint32_t count = vptr__tree_node_count(from), end = vptr__tree_node_count(to);
  assert(at <= count && end + (count - at) <= VPTR__TREE_CAPACITY);
  for (uint32_t i = at; i < count; i++)
    copy_entry(from, i, to, end++);
  set_count(to, end);
  set_count(from, at);
}
