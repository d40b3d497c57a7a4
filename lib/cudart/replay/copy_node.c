/* SPDX-License-Identifier: MIT */
/*
 * copy_node - nodes that are copies: of rects, lines, and to and from symbols. All are rects once they are nodes.
 *
 * No data; vptr__graph_lock(), of rank GRAPH (graph/graph.c), guards the nodes: it is taken here to read one, and by
 * vptr__graph_node_add() and vptr__graph_node_set() (call.c) to change one. Called by programs, and by
 * driver/graph_node.c. Nothing blocks but the calls with a symbol, which make its variable on the current device first,
 * without the lock, if it is not there yet: that may start the driver, waits for the initial content, and fails without
 * device memory.
 */
#include "cuda/error.h"
#include "replay/call.h"

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const struct cudaMemcpy3DParms *pCopyParams) {
  const vptr__new_node it = { "cudaGraphAddMemcpyNode", pGraphNode, graph, pDependencies, NULL, numDependencies };
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_copy(it.call, pCopyParams, &work);
  return vptr__cuda_record(error == cudaSuccess ? vptr__graph_node_add(&it, cudaGraphNodeTypeMemcpy, &work) : error);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                     const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dst,
                                     const void *src, size_t count, enum cudaMemcpyKind kind) {
  const vptr__new_node it = { "cudaGraphAddMemcpyNode1D", pGraphNode, graph, pDependencies, NULL, numDependencies };
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_line(it.call, dst, src, count, kind, &work);
  return vptr__cuda_record(error == cudaSuccess ? vptr__graph_node_add(&it, cudaGraphNodeTypeMemcpy, &work) : error);
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                           const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                           const void *symbol, const void *src, size_t count, size_t offset,
                                           enum cudaMemcpyKind kind) {
  const vptr__new_node it = {
    "cudaGraphAddMemcpyNodeToSymbol", pGraphNode, graph, pDependencies, NULL, numDependencies
  };
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_line_to_symbol(it.call, symbol, src, count, offset, kind, &work);
  return vptr__cuda_record(error == cudaSuccess ? vptr__graph_node_add(&it, cudaGraphNodeTypeMemcpy, &work) : error);
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                             const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dst,
                                             const void *symbol, size_t count, size_t offset,
                                             enum cudaMemcpyKind kind) {
  const vptr__new_node it = {
    "cudaGraphAddMemcpyNodeFromSymbol", pGraphNode, graph, pDependencies, NULL, numDependencies
  };
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_line_from_symbol(it.call, dst, symbol, count, offset, kind, &work);
  return vptr__cuda_record(error == cudaSuccess ? vptr__graph_node_add(&it, cudaGraphNodeTypeMemcpy, &work) : error);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *pNodeParams) {
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_copy("cudaGraphMemcpyNodeSetParams", pNodeParams, &work);
  return vptr__cuda_record(error == cudaSuccess ? vptr__graph_node_set("cudaGraphMemcpyNodeSetParams", node,
                                                                       cudaGraphNodeTypeMemcpy, &work)
                                                : error);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src, size_t count,
                                           enum cudaMemcpyKind kind) {
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_line("cudaGraphMemcpyNodeSetParams1D", dst, src, count, kind, &work);
  return vptr__cuda_record(error == cudaSuccess ? vptr__graph_node_set("cudaGraphMemcpyNodeSetParams1D", node,
                                                                       cudaGraphNodeTypeMemcpy, &work)
                                                : error);
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol, const void *src,
                                                 size_t count, size_t offset, enum cudaMemcpyKind kind) {
  vptr__graph_work work;
  cudaError_t error =
      vptr__work_of_line_to_symbol("cudaGraphMemcpyNodeSetParamsToSymbol", symbol, src, count, offset, kind, &work);
  return vptr__cuda_record(error == cudaSuccess ? vptr__graph_node_set("cudaGraphMemcpyNodeSetParamsToSymbol", node,
                                                                       cudaGraphNodeTypeMemcpy, &work)
                                                : error);
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst, const void *symbol, size_t count,
                                                   size_t offset, enum cudaMemcpyKind kind) {
  vptr__graph_work work;
  cudaError_t error = vptr__work_of_line_from_symbol("cudaGraphMemcpyNodeSetParamsFromSymbol", dst, symbol, count,
                                                     offset, kind, &work);
  return vptr__cuda_record(error == cudaSuccess ? vptr__graph_node_set("cudaGraphMemcpyNodeSetParamsFromSymbol", node,
                                                                       cudaGraphNodeTypeMemcpy, &work)
                                                : error);
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *pNodeParams) {
  vptr__graph_node *found;
  if (pNodeParams == NULL)
    return vptr__cuda_record(vptr__cuda_null_output("cudaGraphMemcpyNodeGetParams", "pNodeParams"));
  vptr__graph_lock();
  cudaError_t error =
      vptr__graph_node_find_kind("cudaGraphMemcpyNodeGetParams", node, cudaGraphNodeTypeMemcpy, &found);
  if (error == cudaSuccess)
    *pNodeParams = found->work.copy;
  vptr__graph_unlock();
  return vptr__cuda_record(error);
}
