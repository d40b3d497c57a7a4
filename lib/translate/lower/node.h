/* SPDX-License-Identifier: MIT */
/*
 * node - memory of a thread's own, as the check of barriers sees it: a variable is one node, whatever it consists of.
 *
 * A node knows whether what is in it may differ between the threads of a block, and the node that pointers in it
 * point to. Nodes that a pointer may confuse are one (Steensgaard's analysis: one pass, no order, nearly linear;
 * finer ones would tell apart what kernels hardly mix). References are pointers that are never written.
 */
#ifndef VPTR_TRANSLATE_LOWER_NODE_H
#define VPTR_TRANSLATE_LOWER_NODE_H

#include <stdbool.h>

#include "translate/source/arena.h"

typedef struct vptr__node {
  struct vptr__node *parent; /* NULL: the one that counts */
  struct vptr__node *target;
  bool is_divergent;
} vptr__node;

vptr__node *vptr__node_new(vptr__arena *arena);
vptr__node *vptr__node_find(vptr__node *node);
vptr__node *vptr__node_target(vptr__arena *arena, vptr__node *node);
void vptr__node_unify(vptr__node *left, vptr__node *right);

#endif
