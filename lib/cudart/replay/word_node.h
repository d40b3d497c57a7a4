/* SPDX-License-Identifier: MIT */
/*
 * word_node - nodes of words that are waited for and written, for lib/driver: CUDA's runtime has no calls for them.
 *
 * Such a node is an empty one that makes a call (graph/graph.h); what a program sends to a captured stream is the
 * same. Besides the steps it keeps what it is told by: bytes that its caller reads, and nobody else.
 *
 * No data, no locks here: each call takes what graph_call.c and exec_node.c say. Called by driver/graph_word.c.
 */
#ifndef VPTR_REPLAY_WORD_NODE_H
#define VPTR_REPLAY_WORD_NODE_H

#include "cuda/word.h"
#include "replay/call.h"

/* What cudaGraphNodeGetType() says of them, in the driver's numbers alone. */
#define VPTR__NODE_TYPE_WORDS ((enum cudaGraphNodeType)12)

/* The words are looked for now, for the current device, and again when the node runs. Errors: cudaErrorInvalidValue,
 * which is said, and of memory. No last error is kept. */
VPTR_API cudaError_t vptr__word_node_add(const vptr__new_node *it, const vptr__words *words);
VPTR_API cudaError_t vptr__word_node_set(const char *call, cudaGraphNode_t node, const vptr__words *words);
VPTR_API cudaError_t vptr__word_node_set_exec(const char *call, cudaGraphExec_t exec, cudaGraphNode_t node,
                                              const vptr__words *words);

/* Told by: the node's own, until it changes or goes. */
VPTR_API cudaError_t vptr__word_node_get(const char *call, cudaGraphNode_t node, const void **told_out,
                                         size_t *bytes_out);

#endif
