/* SPDX-License-Identifier: MIT */
/*
 * plain_node - nodes that are sets, host functions, child graphs, events, nothing, and nodes of any kind.
 *
 * A child graph is a copy, whose handle the program may have, and which it may change. No data; vptr__graph_lock(), of
 * rank GRAPH (graph/graph.c), guards the nodes, and is taken here. Called by programs, by graph_12.c, driver/graph.c
 * and driver/graph_node.c. What blocks: to find a kernel whose unit is not registered yet (work_of.c);
 * cudaGraphAddNode() of an allocation, which sets device memory aside without the lock, and waits where the device is
 * full (memory_node.c); ending a conditional node whose condition goes with it (vptr__graph_unlock()); and nothing
 * else. User objects that go with a node or its work have the program's function called here, in this thread, without
 * the lock.
 */
#include "cuda/error.h"
#include "cuda/stream.h"
#include "graph/user_object.h"
#include "replay/call.h"
#include "replay/word_node.h"

#include <string.h>

/* ---- by kind -------------------------------------------------------------------------------------------- */

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const struct cudaMemsetParams *pMemsetParams) {
  const vptr__new_node it = { "cudaGraphAddMemsetNode", pGraphNode, graph, pDependencies, NULL, numDependencies };
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_set(it.call, pMemsetParams, &work);
  return vptr__cuda_record(error == cudaSuccess ? vptr__graph_node_add(&it, cudaGraphNodeTypeMemset, &work) : error);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *pNodeParams) {
  vptr__graph_node *found;
  if (pNodeParams == NULL)
    return vptr__cuda_record(vptr__cuda_null_output("cudaGraphMemsetNodeGetParams", "pNodeParams"));
  vptr__graph_lock();
  cudaError_t error =
      vptr__graph_node_find_kind("cudaGraphMemsetNodeGetParams", node, cudaGraphNodeTypeMemset, &found);
  if (error == cudaSuccess)
    *pNodeParams = found->work.set;
  vptr__graph_unlock();
  return vptr__cuda_record(error);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *pNodeParams) {
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_set("cudaGraphMemsetNodeSetParams", pNodeParams, &work);
  return vptr__cuda_record(error == cudaSuccess ? vptr__graph_node_set("cudaGraphMemsetNodeSetParams", node,
                                                                       cudaGraphNodeTypeMemset, &work)
                                                : error);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                                 size_t numDependencies, const struct cudaHostNodeParams *pNodeParams) {
  const vptr__new_node it = { "cudaGraphAddHostNode", pGraphNode, graph, pDependencies, NULL, numDependencies };
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_host(it.call, pNodeParams, &work);
  return vptr__cuda_record(error == cudaSuccess ? vptr__graph_node_add(&it, cudaGraphNodeTypeHost, &work) : error);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *pNodeParams) {
  vptr__graph_node *found;
  if (pNodeParams == NULL)
    return vptr__cuda_record(vptr__cuda_null_output("cudaGraphHostNodeGetParams", "pNodeParams"));
  vptr__graph_lock();
  cudaError_t error = vptr__graph_node_find_kind("cudaGraphHostNodeGetParams", node, cudaGraphNodeTypeHost, &found);
  if (error == cudaSuccess)
    *pNodeParams = found->work.host;
  vptr__graph_unlock();
  return vptr__cuda_record(error);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams *pNodeParams) {
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_host("cudaGraphHostNodeSetParams", pNodeParams, &work);
  return vptr__cuda_record(
      error == cudaSuccess ? vptr__graph_node_set("cudaGraphHostNodeSetParams", node, cudaGraphNodeTypeHost, &work)
                           : error);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                       const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                       cudaGraph_t childGraph) {
  const vptr__new_node it = { "cudaGraphAddChildGraphNode", pGraphNode, graph, pDependencies, NULL, numDependencies };
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_child(it.call, childGraph, &work);
  return vptr__cuda_record(error == cudaSuccess ? vptr__graph_node_add(&it, cudaGraphNodeTypeGraph, &work) : error);
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *pGraph) {
  vptr__graph_node *found;
  if (pGraph == NULL)
    return vptr__cuda_record(vptr__cuda_null_output("cudaGraphChildGraphNodeGetGraph", "pGraph"));
  vptr__graph_lock();
  cudaError_t error =
      vptr__graph_node_find_kind("cudaGraphChildGraphNodeGetGraph", node, cudaGraphNodeTypeGraph, &found);
  if (error == cudaSuccess)
    *pGraph = (cudaGraph_t)found->work.child;
  vptr__graph_unlock();
  return vptr__cuda_record(error);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                  const cudaGraphNode_t *pDependencies, size_t numDependencies) {
  const vptr__new_node it = { "cudaGraphAddEmptyNode", pGraphNode, graph, pDependencies, NULL, numDependencies };
  vptr__graph_work work;
  memset(&work, 0, sizeof work);
  return vptr__cuda_record(vptr__graph_node_add(&it, cudaGraphNodeTypeEmpty, &work));
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                        const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                        cudaEvent_t event) {
  const vptr__new_node it = {
    "cudaGraphAddEventRecordNode", pGraphNode, graph, pDependencies, NULL, numDependencies
  };
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_event(it.call, event, &work);
  return vptr__cuda_record(error == cudaSuccess ? vptr__graph_node_add(&it, cudaGraphNodeTypeEventRecord, &work)
                                                : error);
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event_out) {
  vptr__graph_node *found;
  if (event_out == NULL)
    return vptr__cuda_record(vptr__cuda_null_output("cudaGraphEventRecordNodeGetEvent", "event_out"));
  vptr__graph_lock();
  cudaError_t error =
      vptr__graph_node_find_kind("cudaGraphEventRecordNodeGetEvent", node, cudaGraphNodeTypeEventRecord, &found);
  if (error == cudaSuccess)
    *event_out = found->work.event;
  vptr__graph_unlock();
  return vptr__cuda_record(error);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_event("cudaGraphEventRecordNodeSetEvent", event, &work);
  return vptr__cuda_record(error == cudaSuccess ? vptr__graph_node_set("cudaGraphEventRecordNodeSetEvent", node,
                                                                       cudaGraphNodeTypeEventRecord, &work)
                                                : error);
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                      const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                      cudaEvent_t event) {
  const vptr__new_node it = { "cudaGraphAddEventWaitNode", pGraphNode, graph, pDependencies, NULL, numDependencies };
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_event(it.call, event, &work);
  return vptr__cuda_record(error == cudaSuccess ? vptr__graph_node_add(&it, cudaGraphNodeTypeWaitEvent, &work)
                                                : error);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event_out) {
  vptr__graph_node *found;
  if (event_out == NULL)
    return vptr__cuda_record(vptr__cuda_null_output("cudaGraphEventWaitNodeGetEvent", "event_out"));
  vptr__graph_lock();
  cudaError_t error =
      vptr__graph_node_find_kind("cudaGraphEventWaitNodeGetEvent", node, cudaGraphNodeTypeWaitEvent, &found);
  if (error == cudaSuccess)
    *event_out = found->work.event;
  vptr__graph_unlock();
  return vptr__cuda_record(error);
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_event("cudaGraphEventWaitNodeSetEvent", event, &work);
  return vptr__cuda_record(error == cudaSuccess ? vptr__graph_node_set("cudaGraphEventWaitNodeSetEvent", node,
                                                                       cudaGraphNodeTypeWaitEvent, &work)
                                                : error);
}

/* ---- of any kind ---------------------------------------------------------------------------------------- */

cudaError_t cudaGraphAddNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                             const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                             struct cudaGraphNodeParams *nodeParams) {
  const vptr__new_node it = { "cudaGraphAddNode", pGraphNode, graph, pDependencies, dependencyData, numDependencies };
  vptr__graph_work work;
  if (nodeParams != NULL && nodeParams->type == cudaGraphNodeTypeMemAlloc)
    return vptr__cuda_record(vptr__graph_node_add_alloc(&it, &nodeParams->alloc, __builtin_return_address(0)));
  if (nodeParams != NULL && nodeParams->type == cudaGraphNodeTypeConditional)
    return vptr__cuda_record(vptr__graph_node_add_branch(&it, &nodeParams->conditional));
  if (nodeParams != NULL && nodeParams->type == cudaGraphNodeTypeGraph &&
      nodeParams->graph.ownership == cudaGraphChildGraphOwnershipMove)
    return vptr__cuda_record(vptr__graph_node_add_moved(&it, nodeParams->graph.graph));
  cudaError_t error = vptr__work_of_params(it.call, nodeParams, &work);
  return vptr__cuda_record(error == cudaSuccess ? vptr__graph_node_add(&it, nodeParams->type, &work) : error);
}

static cudaError_t set_any(cudaGraphNode_t node, const struct cudaGraphNodeParams *params) {
  static const char call[] = "cudaGraphNodeSetParams";
  vptr__graph_work work;
  if (params != NULL && vptr__node_is_fixed(params->type))
    return vptr__graph_refuse(
        call, "child graphs, empty nodes, conditions, allocations and frees have nothing to change here");
  cudaError_t error = vptr__work_of_params(call, params, &work);
  return error == cudaSuccess ? vptr__graph_node_set(call, node, params->type, &work) : error;
}

static cudaError_t get_type(cudaGraphNode_t handle, enum cudaGraphNodeType *type) {
  static const char call[] = "cudaGraphNodeGetType";
  vptr__graph_node *node = NULL;
  size_t bytes;
  if (type == NULL)
    return vptr__cuda_null_output(call, "pType");
  vptr__graph_lock();
  cudaError_t error = vptr__graph_node_find(call, handle, &node);
  if (error == cudaSuccess)
    *type = node->type != cudaGraphNodeTypeEmpty || vptr__cuda_words_told(&node->work, &bytes) == NULL
                ? node->type
                : VPTR__NODE_TYPE_WORDS;
  vptr__graph_unlock();
  return error;
}

static cudaError_t destroy_node(cudaGraphNode_t handle) {
  vptr__graph_node *node = NULL;
  vptr__user_holding *holdings = NULL;
  cudaError_t error = vptr__cuda_may_call();
  if (error != cudaSuccess)
    return error;
  vptr__graph_lock();
  error = vptr__graph_node_find("cudaGraphDestroyNode", handle, &node);
  if (error == cudaSuccess)
    error = vptr__graph_check_memory("cudaGraphDestroyNode", node->graph, "none of them can go");
  if (error == cudaSuccess && (node->graph->captures > 0 || vptr__graph_node_is_captured_into(node)))
    error = vptr__graph_refuse_captured("cudaGraphDestroyNode");
  if (error == cudaSuccess)
    vptr__graph_remove(node, &holdings);
  vptr__graph_unlock();
  vptr__user_holdings_release(holdings);
  return error;
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *nodeParams) {
  return vptr__cuda_record(set_any(node, nodeParams));
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *pType) {
  return vptr__cuda_record(get_type(node, pType));
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return vptr__cuda_record(destroy_node(node));
}
