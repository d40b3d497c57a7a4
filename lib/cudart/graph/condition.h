/* SPDX-License-Identifier: MIT */
/*
 * condition - words of device memory that say whether, or how often, a part of a graph runs.
 *
 * A handle of CUDA's is the word's address: kernels store there (cudaGraphSetConditional()), and the host reads it when
 * a launch comes to the node that depends on it. It belongs to the graph that it was created for, and is used by one
 * node of that graph, or of a body in it. Graph and steps hold it; the word goes with the last.
 *
 * vptr__graph_lock(), of rank GRAPH, guards all of them, and is held by callers unless a function says otherwise. Used
 * by graph.c and work.c, and by replay/condition_node.c, condition_step.c and exec.c.
 */
#ifndef VPTR_GRAPH_CONDITION_H
#define VPTR_GRAPH_CONDITION_H

#include "graph/memory.h"

typedef struct vptr__condition {
  struct vptr__condition *next; /* of the process */
  vptr__graph_place *word;
  unsigned initial; /* what it is when a launch begins */
  unsigned holders;
  uint64_t graph;   /* the id of the one that it was created for */
  bool is_used;     /* by a node */
} vptr__condition;

/* Without the lock. Errors: as vptr_malloc(). It is held once. */
vptr_status vptr__condition_make(vptr_mapper *mapper, unsigned initial, vptr__condition **condition_out);

/* That of a handle for a node of a graph, or of a body in it; NULL: there is none, or it is used. */
vptr__condition *vptr__condition_find(const struct vptr__graph *graph, cudaGraphConditionalHandle handle);

void vptr__condition_hold(vptr__condition *condition);
void vptr__condition_let_go(vptr__condition *condition);

/* All that were created for a graph that ends are let go of, and whether one of them has no node. */
void vptr__condition_let_go_all(const struct vptr__graph *graph);
bool vptr__condition_any_unused(const struct vptr__graph *graph);

#endif
