/* SPDX-License-Identifier: MIT */
/*
 * graph_call - CUDA's calls that make, end and copy graphs, change their edges, and list nodes and edges.
 *
 * No data; vptr__graph_lock(), of rank GRAPH (graph/graph.c), guards the graphs, and is taken here. Ending a graph may
 * end user objects, whose functions are called then. Called by programs, by graph_12.c and by driver/graph.c. Nothing
 * here blocks but what such a function does, the look for devices while none has been found yet, and ending a graph
 * whose memory goes with it, which waits for the device (vptr__graph_unlock()).
 */
#include "base/error.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/stream.h"
#include "graph/user_object.h"
#include "replay/call.h"

/* ---- life ----------------------------------------------------------------------------------------------- */

static cudaError_t create_graph(cudaGraph_t *graph_out, unsigned flags) {
  static const char call[] = "cudaGraphCreate";
  vptr__graph *graph = NULL;
  cudaError_t error = vptr__cuda_may_call();
  if (error == cudaSuccess)
    error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if (graph_out == NULL)
    return vptr__cuda_null_output(call, "pGraph");
  if (flags != 0)
    return vptr__graph_refuse(call, "flags can only be 0");
  vptr__graph_lock();
  error = vptr__cuda_from_status(vptr__graph_create(&graph));
  vptr__graph_unlock();
  if (error == cudaSuccess)
    *graph_out = (cudaGraph_t)graph;
  return error;
}

static cudaError_t destroy_graph(cudaGraph_t handle) {
  static const char call[] = "cudaGraphDestroy";
  vptr__graph *graph = NULL;
  vptr__user_holding *holdings = NULL;
  cudaError_t error = vptr__cuda_may_call();
  if (error != cudaSuccess)
    return error;
  vptr__graph_lock();
  error = vptr__graph_find(call, handle, &graph);
  if (error == cudaSuccess && graph->parent != NULL)
    error = vptr__graph_refuse(call, "it is a node's child graph, and goes with that");
  if (error == cudaSuccess && vptr__graph_is_captured_into(graph))
    error = vptr__graph_refuse_captured(call);
  if (error == cudaSuccess)
    vptr__graph_destroy(graph, &holdings);
  vptr__graph_unlock();
  vptr__user_holdings_release(holdings);
  return error;
}

static cudaError_t clone_graph(cudaGraph_t *clone_out, cudaGraph_t handle) {
  static const char call[] = "cudaGraphClone";
  vptr__graph *graph, *clone;
  cudaError_t error = vptr__cuda_may_call();
  if (error != cudaSuccess)
    return error;
  if (clone_out == NULL)
    return vptr__cuda_null_output(call, "pGraphClone");
  vptr__graph_lock();
  error = vptr__graph_find(call, handle, &graph);
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(vptr__graph_clone(graph, &clone));
  vptr__graph_unlock();
  if (error == cudaSuccess)
    *clone_out = (cudaGraph_t)clone;
  return error;
}

/* Also in the child graphs. Under the lock. */
static vptr__graph_node *find_copy(const vptr__graph *graph, uint64_t origin) {
  vptr__graph_node *found = NULL;
  for (uint32_t i = 0; i < graph->nodes.count && found == NULL; i++) {
    vptr__graph_node *node = graph->nodes.items[i];
    if (node->origin == origin)
      found = node;
    else if (node->type == cudaGraphNodeTypeGraph)
      found = find_copy(node->work.child, origin);
  }
  return found;
}

static cudaError_t find_in_clone(cudaGraphNode_t *node_out, cudaGraphNode_t handle, cudaGraph_t clone_handle) {
  static const char call[] = "cudaGraphNodeFindInClone";
  vptr__graph *clone = NULL;
  vptr__graph_node *node, *found = NULL;
  if (node_out == NULL)
    return vptr__cuda_null_output(call, "pNode");
  vptr__graph_lock();
  cudaError_t error = vptr__graph_find(call, clone_handle, &clone);
  if (error == cudaSuccess)
    error = vptr__graph_node_find(call, handle, &node);
  if (error == cudaSuccess)
    found = find_copy(clone, node->id);
  vptr__graph_unlock();
  if (error == cudaSuccess && found == NULL)
    error = vptr__graph_refuse(call, "the graph has no copy of the node");
  if (error == cudaSuccess)
    *node_out = (cudaGraphNode_t)found;
  return error;
}

cudaError_t cudaGraphCreate(cudaGraph_t *pGraph, unsigned int flags) {
  return vptr__cuda_record(create_graph(pGraph, flags));
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return vptr__cuda_record(destroy_graph(graph));
}

cudaError_t cudaGraphClone(cudaGraph_t *pGraphClone, cudaGraph_t originalGraph) {
  return vptr__cuda_record(clone_graph(pGraphClone, originalGraph));
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *pNode, cudaGraphNode_t originalNode, cudaGraph_t clonedGraph) {
  return vptr__cuda_record(find_in_clone(pNode, originalNode, clonedGraph));
}

/* ---- lists of nodes ------------------------------------------------------------------------------------- */

/* Under the lock. What is behind the last is NULL. */
static void tell_nodes(const vptr__graph_list *list, bool roots_only, cudaGraphNode_t *nodes, size_t *count) {
  size_t there = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    if (roots_only && list->items[i]->from.count > 0)
      continue;
    if (nodes != NULL && there == *count)
      break;
    if (nodes != NULL)
      nodes[there] = (cudaGraphNode_t)list->items[i];
    there++;
  }
  for (size_t i = there; nodes != NULL && i < *count; i++)
    nodes[i] = NULL;
  *count = there;
}

static cudaError_t get_nodes(const char *call, cudaGraph_t handle, bool roots_only, cudaGraphNode_t *nodes,
                             size_t *count) {
  vptr__graph *graph = NULL;
  if (count == NULL)
    return vptr__cuda_null_output(call, roots_only ? "pNumRootNodes" : "numNodes");
  vptr__graph_lock();
  cudaError_t error = vptr__graph_find(call, handle, &graph);
  if (error == cudaSuccess)
    tell_nodes(&graph->nodes, roots_only, nodes, count);
  vptr__graph_unlock();
  return error;
}

/* What is said of edges would be lost on who asks for the nodes alone. */
static cudaError_t refuse_loss(const char *call) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: an edge is no ordinary one: ask for the edges' data, too", call);
  return cudaErrorLossyQuery;
}

static cudaError_t refuse_data_alone(const char *call) {
  return vptr__graph_refuse(call, "edgeData is told beside the nodes, and these are NULL");
}

static const cudaGraphEdgeData *data_of(const vptr__graph_node *node, bool dependents, uint32_t i) {
  return dependents ? vptr__edge_data_of(node, node->to.items[i]) : vptr__edge_data_of(node->from.items[i], node);
}

/* Under the lock. */
static cudaError_t tell_neighbours(const char *call, const vptr__graph_node *node, bool dependents,
                                   cudaGraphNode_t *nodes, cudaGraphEdgeData *edges, size_t *count) {
  const vptr__graph_list *list = dependents ? &node->to : &node->from;
  for (uint32_t i = 0; i < list->count && nodes != NULL && edges == NULL; i++)
    if (!vptr__edge_data_is_same(data_of(node, dependents, i), NULL))
      return refuse_loss(call);
  tell_nodes(list, false, nodes, count);
  for (uint32_t i = 0; i < *count && edges != NULL; i++)
    edges[i] = *data_of(node, dependents, i);
  return cudaSuccess;
}

static cudaError_t get_neighbours(const char *call, cudaGraphNode_t handle, bool dependents, cudaGraphNode_t *nodes,
                                  cudaGraphEdgeData *edges, size_t *count) {
  vptr__graph_node *node = NULL;
  if (count == NULL)
    return vptr__cuda_null_output(call, "the number");
  if (edges != NULL && nodes == NULL)
    return refuse_data_alone(call);
  vptr__graph_lock();
  cudaError_t error = vptr__graph_node_find(call, handle, &node);
  if (error == cudaSuccess)
    error = tell_neighbours(call, node, dependents, nodes, edges, count);
  vptr__graph_unlock();
  return error;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *numNodes) {
  return vptr__cuda_record(get_nodes("cudaGraphGetNodes", graph, false, nodes, numNodes));
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *pRootNodes, size_t *pNumRootNodes) {
  return vptr__cuda_record(get_nodes("cudaGraphGetRootNodes", graph, true, pRootNodes, pNumRootNodes));
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *pDependencies,
                                         cudaGraphEdgeData *edgeData, size_t *pNumDependencies) {
  return vptr__cuda_record(
      get_neighbours("cudaGraphNodeGetDependencies", node, false, pDependencies, edgeData, pNumDependencies));
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *pDependentNodes,
                                           cudaGraphEdgeData *edgeData, size_t *pNumDependentNodes) {
  return vptr__cuda_record(
      get_neighbours("cudaGraphNodeGetDependentNodes", node, true, pDependentNodes, edgeData, pNumDependentNodes));
}

/* ---- edges ---------------------------------------------------------------------------------------------- */

typedef struct edge_list {
  const char *call;
  const cudaGraphNode_t *from, *to;
  const cudaGraphEdgeData *data; /* NULL: ordinary edges */
  size_t count;
} edge_list;

static const cudaGraphEdgeData *data_at(const edge_list *it, size_t i) {
  return it->data != NULL ? &it->data[i] : NULL;
}

static cudaError_t check_pair(const edge_list *it, const vptr__graph *graph, size_t i, bool is_there) {
  vptr__graph_node *from, *to;
  cudaError_t error = vptr__graph_node_find(it->call, it->from[i], &from);
  if (error == cudaSuccess)
    error = vptr__graph_node_find(it->call, it->to[i], &to);
  if (error != cudaSuccess)
    return error;
  if (from->graph != graph || to->graph != graph || from == to)
    return vptr__graph_refuse(it->call, "an edge is between two nodes of the graph");
  if (vptr__graph_is_connected(from, to) == is_there)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: edge %zu is %s", it->call, i,
              is_there ? "not there" : "there already");
  return cudaErrorInvalidValue;
}

/* Takes back the edges before the i-th, which could not be put in. */
static void undo_edges(const edge_list *it, size_t i) {
  while (i-- > 0)
    vptr__graph_disconnect((vptr__graph_node *)it->from[i], (vptr__graph_node *)it->to[i]);
}

/* One after the other, so that an edge that is named twice is there already. */
static cudaError_t add_edges(const edge_list *it, const vptr__graph *graph) {
  cudaError_t error = cudaSuccess;
  size_t i = 0;
  for (; i < it->count && error == cudaSuccess; i++) {
    error = check_pair(it, graph, i, false);
    if (error == cudaSuccess)
      error = vptr__cuda_from_status(
          vptr__graph_connect((vptr__graph_node *)it->from[i], (vptr__graph_node *)it->to[i], data_at(it, i)));
  }
  if (error != cudaSuccess)
    undo_edges(it, i - 1);
  return error;
}

/* Whatever their data are, as NVIDIA's runtime has it. */
static cudaError_t remove_edges(const edge_list *it, const vptr__graph *graph) {
  cudaError_t error = vptr__graph_check_memory(it->call, graph, "no edge can go");
  for (size_t i = 0; i < it->count && error == cudaSuccess; i++)
    error = check_pair(it, graph, i, true);
  for (size_t i = 0; i < it->count && error == cudaSuccess; i++)
    vptr__graph_disconnect((vptr__graph_node *)it->from[i], (vptr__graph_node *)it->to[i]);
  return error;
}

static cudaError_t change_edges(const edge_list *it, cudaGraph_t handle,
                                cudaError_t (*change)(const edge_list *it, const vptr__graph *graph)) {
  vptr__graph *graph = NULL;
  if (it->count > 0 && (it->from == NULL || it->to == NULL))
    return vptr__graph_refuse(it->call, "from or to is NULL, and the number of edges is not 0");
  cudaError_t error = vptr__graph_edges_check(it->call, it->data, it->count);
  if (error != cudaSuccess)
    return error;
  vptr__graph_lock();
  error = vptr__graph_find(it->call, handle, &graph);
  if (error == cudaSuccess)
    error = change(it, graph);
  vptr__graph_unlock();
  return error;
}

/* Under the lock. */
static size_t tell_pairs(const vptr__graph *graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                         cudaGraphEdgeData *edges, size_t room) {
  size_t there = 0;
  for (uint32_t i = 0; i < graph->nodes.count; i++) {
    vptr__graph_node *node = graph->nodes.items[i];
    for (uint32_t k = 0; k < node->to.count; k++, there++) {
      if (from == NULL)
        continue;
      if (there == room)
        return there;
      from[there] = (cudaGraphNode_t)node;
      to[there] = (cudaGraphNode_t)node->to.items[k];
      if (edges != NULL)
        edges[there] = *vptr__edge_data_of(node, node->to.items[k]);
    }
  }
  for (size_t i = there; from != NULL && i < room; i++)
    from[i] = to[i] = NULL;
  return there;
}

static cudaError_t get_edges(cudaGraph_t handle, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *edges,
                             size_t *count) {
  static const char call[] = "cudaGraphGetEdges";
  vptr__graph *graph = NULL;
  if (count == NULL)
    return vptr__cuda_null_output(call, "numEdges");
  if ((from == NULL) != (to == NULL))
    return vptr__graph_refuse(call, "one of from and to is NULL; both, to ask for the number");
  if (edges != NULL && from == NULL)
    return refuse_data_alone(call);
  vptr__graph_lock();
  cudaError_t error = vptr__graph_find(call, handle, &graph);
  if (error == cudaSuccess && from != NULL && edges == NULL && graph->edge_count > 0)
    error = refuse_loss(call);
  if (error == cudaSuccess)
    *count = tell_pairs(graph, from, to, edges, *count);
  vptr__graph_unlock();
  return error;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                     const cudaGraphEdgeData *edgeData, size_t numDependencies) {
  const edge_list it = { "cudaGraphAddDependencies", from, to, edgeData, numDependencies };
  return vptr__cuda_record(change_edges(&it, graph, add_edges));
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                        const cudaGraphEdgeData *edgeData, size_t numDependencies) {
  const edge_list it = { "cudaGraphRemoveDependencies", from, to, edgeData, numDependencies };
  return vptr__cuda_record(change_edges(&it, graph, remove_edges));
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              cudaGraphEdgeData *edgeData, size_t *numEdges) {
  return vptr__cuda_record(get_edges(graph, from, to, edgeData, numEdges));
}
