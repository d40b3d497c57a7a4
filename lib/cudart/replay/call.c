/* SPDX-License-Identifier: MIT */
/*
 * call - looking up handles of graphs and nodes, and adding and changing a node of any kind (call.h).
 *
 * There is no data here. vptr__graph_lock(), of rank GRAPH (graph/graph.c), which guards graphs and nodes, is taken by
 * what adds and changes nodes, and held by the callers of what only looks; work that is dropped may end user objects,
 * whose functions are called then, without the lock. Called by the files of lib/cudart/replay. Nothing here blocks, but
 * dropping work whose memory goes with it, which waits for the device (vptr__graph_unlock()).
 */
#include "replay/call.h"

#include <string.h>

#include "base/error.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "graph/user_object.h"

cudaError_t vptr__graph_refuse(const char *call, const char *what) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s", call, what);
  return cudaErrorInvalidValue;
}

cudaError_t vptr__graph_refuse_captured(const char *call) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
              "%s: the graph, or a child graph of it, is being captured into: end the capture first", call);
  return cudaErrorIllegalState;
}

cudaError_t vptr__graph_check_memory(const char *call, const vptr__graph *graph, const char *what) {
  if (!graph->has_memory)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: nodes of the graph allocate or free memory: %s", call, what);
  return cudaErrorNotSupported;
}

/* ---- handles -------------------------------------------------------------------------------------------- */

cudaError_t vptr__graph_find(const char *call, cudaGraph_t handle, vptr__graph **graph_out) {
  if (!vptr__live_is(handle, VPTR__LIVE_GRAPH)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no graph: it was destroyed, or never created", call,
                (void *)handle);
    return cudaErrorInvalidValue;
  }
  *graph_out = (vptr__graph *)handle;
  return cudaSuccess;
}

cudaError_t vptr__graph_node_find(const char *call, cudaGraphNode_t handle, vptr__graph_node **node_out) {
  if (!vptr__live_is(handle, VPTR__LIVE_NODE)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no node of a graph: it was destroyed, or never added", call,
                (void *)handle);
    return cudaErrorInvalidValue;
  }
  *node_out = (vptr__graph_node *)handle;
  return cudaSuccess;
}

cudaError_t vptr__graph_node_find_kind(const char *call, cudaGraphNode_t handle, enum cudaGraphNodeType type,
                                       vptr__graph_node **node_out) {
  cudaError_t error = vptr__graph_node_find(call, handle, node_out);
  if (error != cudaSuccess || (*node_out)->type == type)
    return error;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the node is of kind %s, and %s is wanted", call,
              vptr__graph_type_name((*node_out)->type), vptr__graph_type_name(type));
  return cudaErrorInvalidValue;
}

cudaError_t vptr__graph_nodes_find(const char *call, const vptr__graph *graph, const cudaGraphNode_t *handles,
                                   size_t count) {
  vptr__graph_node *node = NULL;
  if (count > 0 && handles == NULL)
    return vptr__graph_refuse(call, "the dependencies are NULL, and their number is not 0");
  for (size_t i = 0; i < count; i++) {
    cudaError_t error = vptr__graph_node_find(call, handles[i], &node);
    if (error != cudaSuccess)
      return error;
    if (node->graph != graph)
      return vptr__graph_refuse(call, "a node that is named is another graph's");
    node->mark = 0;
  }
  for (size_t i = 0; i < count; i++)
    if (((vptr__graph_node *)handles[i])->mark++ > 0)
      return vptr__graph_refuse(call, "a node is named twice among the dependencies");
  return cudaSuccess;
}

/* An edge that lets the later node begin early may as well not. */
static bool is_possible(const cudaGraphEdgeData *edge) {
  unsigned reserved = 0;
  for (size_t i = 0; i < sizeof edge->reserved; i++)
    reserved |= edge->reserved[i];
  bool is_ordinary = edge->type == cudaGraphDependencyTypeDefault && edge->from_port == 0;
  bool is_early = edge->type == cudaGraphDependencyTypeProgrammatic && edge->from_port > 0 &&
                  edge->from_port <= cudaGraphKernelNodePortLaunchCompletion;
  return reserved == 0 && edge->to_port == 0 && (is_ordinary || is_early);
}

cudaError_t vptr__graph_edges_check(const char *call, const cudaGraphEdgeData *edges, size_t count) {
  for (size_t i = 0; edges != NULL && i < count; i++)
    if (!is_possible(&edges[i])) {
      vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                  "%s: edge %zu is of type %u from port %u to port %u, and there is none", call, i, edges[i].type,
                  edges[i].from_port, edges[i].to_port);
      return cudaErrorInvalidValue;
    }
  return cudaSuccess;
}

/* ---- nodes ---------------------------------------------------------------------------------------------- */

void vptr__work_drop(enum cudaGraphNodeType type, vptr__graph_work *work) {
  vptr__user_holding *holdings = NULL;
  vptr__graph_lock();
  vptr__graph_work_free(type, work, &holdings);
  vptr__graph_unlock();
  vptr__user_holdings_release(holdings);
}

/* Under the lock. */
static cudaError_t add_found(const vptr__new_node *it, enum cudaGraphNodeType type, const vptr__graph_work *work) {
  vptr__graph *graph = NULL;
  vptr__graph_node *node = NULL;
  cudaError_t error = vptr__graph_find(it->call, it->graph, &graph);
  if (error == cudaSuccess)
    error = vptr__graph_nodes_find(it->call, graph, it->from, it->count);
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(
        vptr__graph_add(graph, (vptr__graph_node *const *)it->from, it->edges, it->count, type, work, &node));
  if (error == cudaSuccess)
    *it->node_out = (cudaGraphNode_t)node;
  return error;
}

bool vptr__node_is_fixed(enum cudaGraphNodeType type) {
  return type == cudaGraphNodeTypeGraph || type == cudaGraphNodeTypeEmpty || type == cudaGraphNodeTypeMemAlloc ||
         type == cudaGraphNodeTypeMemFree || type == cudaGraphNodeTypeConditional;
}

cudaError_t vptr__graph_node_add(const vptr__new_node *it, enum cudaGraphNodeType type, vptr__graph_work *work) {
  cudaError_t error = it->node_out != NULL ? vptr__graph_edges_check(it->call, it->edges, it->count)
                                           : vptr__cuda_null_output(it->call, "pGraphNode");
  if (error == cudaSuccess) {
    vptr__graph_lock();
    error = add_found(it, type, work);
    vptr__graph_unlock();
  }
  if (error != cudaSuccess)
    vptr__work_drop(type, work);
  return error;
}

/* ---- graphs that are moved into a node ------------------------------------------------------------------ */

cudaError_t vptr__graph_check_moved(const char *call, const vptr__graph *graph) {
  if (!graph->is_moved)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: the graph was moved into a node, and runs with that alone", call);
  return cudaErrorNotSupported;
}

/* Under the lock: whether the graph is another one's, part by part. */
static bool is_within(const vptr__graph *graph, const vptr__graph *other) {
  while (graph != other && graph->parent != NULL)
    graph = graph->parent->graph;
  return graph == other;
}

static cudaError_t check_child(const vptr__new_node *it, const vptr__graph *child) {
  vptr__graph *graph = NULL;
  cudaError_t error = vptr__graph_find(it->call, it->graph, &graph);
  if (error != cudaSuccess)
    return error;
  error = vptr__graph_check_moved(it->call, child);
  if (error != cudaSuccess)
    return error;
  if (child->parent != NULL || is_within(graph, child))
    return vptr__graph_refuse(it->call, "the child graph is a node's already, or has the graph in it");
  if (vptr__graph_is_captured_into(child))
    return vptr__graph_refuse(it->call, "the child graph is being captured into");
  if (!child->has_condition && (!child->has_memory || (graph->parent == NULL && child->instance == 0)))
    return cudaSuccess;
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: nodes of the child graph %s", it->call,
              child->has_condition   ? "depend on conditions: add them to the graph itself"
              : child->instance != 0 ? "allocate or free memory, and it has an executable graph: destroy that first"
                                     : "allocate or free memory, and the graph is a child graph itself");
  return cudaErrorNotSupported;
}

/* Under the lock. */
static cudaError_t add_moved(const vptr__new_node *it, cudaGraph_t handle) {
  vptr__graph_work work;
  memset(&work, 0, sizeof work);
  cudaError_t error = vptr__graph_find(it->call, handle, &work.child);
  if (error == cudaSuccess)
    error = check_child(it, work.child);
  if (error == cudaSuccess)
    error = add_found(it, cudaGraphNodeTypeGraph, &work);
  if (error != cudaSuccess)
    return error;
  work.child->is_moved = true;
  if (work.child->has_memory) /* what holds of the child holds of the whole */
    work.child->parent->graph->has_memory = true;
  return cudaSuccess;
}

cudaError_t vptr__graph_node_add_moved(const vptr__new_node *it, cudaGraph_t child) {
  cudaError_t error = it->node_out != NULL ? vptr__graph_edges_check(it->call, it->edges, it->count)
                                           : vptr__cuda_null_output(it->call, "pGraphNode");
  if (error != cudaSuccess)
    return error;
  vptr__graph_lock();
  error = add_moved(it, child);
  vptr__graph_unlock();
  return error;
}

cudaError_t vptr__graph_node_set(const char *call, cudaGraphNode_t handle, enum cudaGraphNodeType type,
                                 vptr__graph_work *work) {
  vptr__graph_node *node = NULL;
  vptr__graph_lock();
  cudaError_t error = vptr__graph_node_find_kind(call, handle, type, &node);
  if (error == cudaSuccess) {
    const vptr__graph_work old = node->work;
    node->work = *work;
    *work = old;
    if (type == cudaGraphNodeTypeKernel)
      vptr__graph_kernel_keep_attributes(&node->work.kernel, &work->kernel);
  }
  vptr__graph_unlock();
  vptr__work_drop(type, work);
  return error;
}
