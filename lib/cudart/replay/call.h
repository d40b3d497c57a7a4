/* SPDX-License-Identifier: MIT */
/*
 * call - what CUDA's calls about graphs have in common: handles, lists of nodes, and work from what a program gives.
 *
 * No data. Graphs and nodes are guarded by vptr__graph_lock(), of rank GRAPH (graph/graph.h); "under the lock" is said
 * of functions whose callers hold it, and those that are called without it take it themselves. Used by the files of
 * lib/cudart/replay.
 */
#ifndef VPTR_REPLAY_CALL_H
#define VPTR_REPLAY_CALL_H

#include <stddef.h>

#include "graph/graph.h"

/* What a program names a new node and its dependencies by. */
typedef struct vptr__new_node {
  const char *call;
  cudaGraphNode_t *node_out;
  cudaGraph_t graph;
  const cudaGraphNode_t *from;
  const cudaGraphEdgeData *edges;
  size_t count;
} vptr__new_node;

/* cudaErrorInvalidValue, which is said. */
cudaError_t vptr__graph_refuse(const char *call, const char *what);

/* cudaErrorIllegalState, which is said: a graph that a stream is captured into stays, and its nodes. */
cudaError_t vptr__graph_refuse_captured(const char *call);

/* cudaErrorNotSupported, which is said, if nodes of the graph allocate or free memory. Under the lock. */
cudaError_t vptr__graph_check_memory(const char *call, const vptr__graph *graph, const char *what);

/* Under the lock: the object of a handle. Errors: cudaErrorInvalidValue, which is said. */
cudaError_t vptr__graph_find(const char *call, cudaGraph_t handle, vptr__graph **graph_out);
cudaError_t vptr__graph_node_find(const char *call, cudaGraphNode_t handle, vptr__graph_node **node_out);
cudaError_t vptr__graph_node_find_kind(const char *call, cudaGraphNode_t handle, enum cudaGraphNodeType type,
                                       vptr__graph_node **node_out);

/* Under the lock: `count` nodes of one graph, none of them twice. */
cudaError_t vptr__graph_nodes_find(const char *call, const vptr__graph *graph, const cudaGraphNode_t *handles,
                                    size_t count);

/* NULL, or ordinary edges, or such as may be ordinary ones: cudaErrorInvalidValue for others. */
cudaError_t vptr__graph_edges_check(const char *call, const cudaGraphEdgeData *edges, size_t count);

/* Without the lock: adds a node. The work is taken over, or freed where it fails. */
cudaError_t vptr__graph_node_add(const vptr__new_node *it, enum cudaGraphNodeType type, vptr__graph_work *work);

/* The same of a child graph that is no copy: the graph that the program named is the node's from now on. Errors:
 * cudaErrorInvalidValue (it holds the node), cudaErrorNotSupported (it was moved before; with conditions; with
 * memory into a child graph, or while it has an executable graph). */
cudaError_t vptr__graph_node_add_moved(const vptr__new_node *it, cudaGraph_t child);

/* Under the lock: cudaErrorNotSupported, which is said, of a graph that was moved into a node. */
cudaError_t vptr__graph_check_moved(const char *call, const vptr__graph *graph);

/* The same of a node that allocates: memory is set aside, or found, and params->dptr is where. */
cudaError_t vptr__graph_node_add_alloc(const vptr__new_node *it, struct cudaMemAllocNodeParamsV2 *params,
                                       const void *site);

/* The same of a node that depends on a condition: params->phGraph_out is its bodies. */
cudaError_t vptr__graph_node_add_branch(const vptr__new_node *it, struct cudaConditionalNodeParams *params);

/* Without the lock: the node does this from now on; its kind is that of the work, which is taken over or freed. */
cudaError_t vptr__graph_node_set(const char *call, cudaGraphNode_t handle, enum cudaGraphNodeType type,
                                 vptr__graph_work *work);

/* Whether nodes of a kind do for ever what they were made for. */
bool vptr__node_is_fixed(enum cudaGraphNodeType type);

/* Frees work that no node has, with all that it holds. Takes the lock. */
void vptr__work_drop(enum cudaGraphNodeType type, vptr__graph_work *work);

/* ---- work: work_of.c ------------------------------------------------------------------------------------- */

/* Without the lock, but for a child graph's. What a program describes, looked at as far as can be before it runs. */
cudaError_t vptr__work_of_kernel(const char *call, const struct cudaKernelNodeParams *params, vptr__graph_work *work);
cudaError_t vptr__work_of_copy(const char *call, const struct cudaMemcpy3DParms *params, vptr__graph_work *work);
cudaError_t vptr__work_of_line(const char *call, void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                               vptr__graph_work *work);
cudaError_t vptr__work_of_line_to_symbol(const char *call, const void *symbol, const void *src, size_t count,
                                         size_t offset, enum cudaMemcpyKind kind, vptr__graph_work *work);
cudaError_t vptr__work_of_line_from_symbol(const char *call, void *dst, const void *symbol, size_t count,
                                           size_t offset, enum cudaMemcpyKind kind, vptr__graph_work *work);
cudaError_t vptr__work_of_set(const char *call, const struct cudaMemsetParams *params, vptr__graph_work *work);
cudaError_t vptr__work_of_host(const char *call, const struct cudaHostNodeParams *params, vptr__graph_work *work);
cudaError_t vptr__work_of_child(const char *call, cudaGraph_t child, vptr__graph_work *work);
cudaError_t vptr__work_of_event(const char *call, cudaEvent_t event, vptr__graph_work *work);
cudaError_t vptr__work_of_free(const char *call, void *ptr, vptr__graph_work *work); /* memory_node.c */

/* Of any kind, by params->type, but an allocation and what depends on a condition. */
cudaError_t vptr__work_of_params(const char *call, const struct cudaGraphNodeParams *params, vptr__graph_work *work);

#endif
