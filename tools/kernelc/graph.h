/* SPDX-License-Identifier: MIT */
/*
 * graph - the control flow of a kernel: blocks in reverse postorder, who dominates whom, and loops.
 *
 * Dominators as K. D. Cooper, T. J. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
 */
#ifndef KERNELC_GRAPH_H
#define KERNELC_GRAPH_H

#include "writer.h"

enum { KC_NO_BLOCK = -1 };

typedef struct kc_block {
  LLVMBasicBlockRef ir;
  int dominator; /* the immediate one; the entry's is itself */
  int loop;      /* the header of the innermost loop it is in, itself for a header; KC_NO_BLOCK: none */
  int outer;     /* of a header: the header of the loop around */
  int entries;   /* edges that come from blocks before it */
  bool is_header;
  bool is_labelled; /* a goto leads here */
} kc_block;

typedef struct kc_graph {
  kc_block *blocks; /* in reverse postorder: a block stands behind its dominators */
  int count;
} kc_graph;

/* Of the kernel at work. Refuses loops that have two entries. */
kc_graph *kc_graph_of(kc_writer *writer, LLVMValueRef function);

int kc_graph_index(const kc_graph *graph, LLVMBasicBlockRef block);
unsigned kc_graph_successor_count(const kc_graph *graph, int block);
int kc_graph_successor(const kc_graph *graph, int block, unsigned which);

/* Whether the block is in the loop of that header, at any depth. */
bool kc_graph_is_in(const kc_graph *graph, int block, int header);

#endif
