/* SPDX-License-Identifier: MIT */
/*
 * node - see node.h.
 */
#include "translate/lower/node.h"

vptr__node *vptr__node_new(vptr__arena *arena) {
  return VPTR__ARENA_NEW(arena, vptr__node);
}

vptr__node *vptr__node_find(vptr__node *node) {
  while (node->parent != NULL) {
    if (node->parent->parent != NULL)
      node->parent = node->parent->parent;
    node = node->parent;
  }
  return node;
}

vptr__node *vptr__node_target(vptr__arena *arena, vptr__node *node) {
  node = vptr__node_find(node);
  if (node->target == NULL)
    node->target = vptr__node_new(arena);
  return vptr__node_find(node->target);
}

/* Targets become one too, and theirs. Each round takes one node away, so it ends. */
void vptr__node_unify(vptr__node *left, vptr__node *right) {
  while (left != NULL && right != NULL) {
    left = vptr__node_find(left);
    right = vptr__node_find(right);
    if (left == right)
      return;
    vptr__node *left_target = left->target, *right_target = right->target;
    right->parent = left;
    left->is_divergent |= right->is_divergent;
    left->target = left_target != NULL ? left_target : right_target;
    left = left_target;
    right = right_target;
  }
}
