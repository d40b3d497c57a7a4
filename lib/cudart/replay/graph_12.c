/* SPDX-License-Identifier: MIT */
/*
 * graph_12 - calls about graphs as CUDA 12 has them: the same without edge data, or by a name with _v2 (graph_12.h).
 *
 * No data, no locks of its own: each is one call of what CUDA 13 has. Called by programs.
 */
#include "replay/graph_12.h"

#include "cuda/stream.h"

cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                        const cudaGraphEdgeData *edgeData, size_t numDependencies) {
  return cudaGraphAddDependencies(graph, from, to, edgeData, numDependencies);
}

cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                           const cudaGraphEdgeData *edgeData, size_t numDependencies) {
  return cudaGraphRemoveDependencies(graph, from, to, edgeData, numDependencies);
}

cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                 cudaGraphEdgeData *edgeData, size_t *numEdges) {
  return cudaGraphGetEdges(graph, from, to, edgeData, numEdges);
}

cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t *pDependencies,
                                            cudaGraphEdgeData *edgeData, size_t *pNumDependencies) {
  return cudaGraphNodeGetDependencies(node, pDependencies, edgeData, pNumDependencies);
}

cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t *pDependentNodes,
                                              cudaGraphEdgeData *edgeData, size_t *pNumDependentNodes) {
  return cudaGraphNodeGetDependentNodes(node, pDependentNodes, edgeData, pNumDependentNodes);
}

cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                                const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                struct cudaGraphNodeParams *nodeParams) {
  return cudaGraphAddNode(pGraphNode, graph, pDependencies, dependencyData, numDependencies, nodeParams);
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out,
                                        vptr_unsigned_long_long *id_out, cudaGraph_t *graph_out,
                                        const cudaGraphNode_t **dependencies_out, size_t *numDependencies_out) {
  return cudaStreamGetCaptureInfo(stream, captureStatus_out, id_out, graph_out, dependencies_out, NULL,
                                  numDependencies_out);
}

cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out,
                                        vptr_unsigned_long_long *id_out, cudaGraph_t *graph_out,
                                        const cudaGraphNode_t **dependencies_out,
                                        const cudaGraphEdgeData **edgeData_out, size_t *numDependencies_out) {
  return cudaStreamGetCaptureInfo(stream, captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out,
                                  numDependencies_out);
}

cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                   const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                                   unsigned int flags) {
  return cudaStreamUpdateCaptureDependencies(stream, dependencies, dependencyData, numDependencies, flags);
}

cudaError_t cudaStreamGetCaptureInfo_v2_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out,
                                             vptr_unsigned_long_long *id_out, cudaGraph_t *graph_out,
                                             const cudaGraphNode_t **dependencies_out, size_t *numDependencies_out) {
  return cudaStreamGetCaptureInfo(vptr__cuda_own_default(stream), captureStatus_out, id_out, graph_out,
                                  dependencies_out, NULL, numDependencies_out);
}

cudaError_t cudaStreamGetCaptureInfo_v3_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out,
                                             vptr_unsigned_long_long *id_out, cudaGraph_t *graph_out,
                                             const cudaGraphNode_t **dependencies_out,
                                             const cudaGraphEdgeData **edgeData_out, size_t *numDependencies_out) {
  return cudaStreamGetCaptureInfo(vptr__cuda_own_default(stream), captureStatus_out, id_out, graph_out,
                                  dependencies_out, edgeData_out, numDependencies_out);
}

cudaError_t cudaStreamUpdateCaptureDependencies_v2_ptsz(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                        const cudaGraphEdgeData *dependencyData,
                                                        size_t numDependencies, unsigned int flags) {
  return cudaStreamUpdateCaptureDependencies(vptr__cuda_own_default(stream), dependencies, dependencyData,
                                             numDependencies, flags);
}

cudaError_t vptr__cuda_graph_add_dependencies_12(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                 const cudaGraphNode_t *to, size_t numDependencies) {
  return cudaGraphAddDependencies(graph, from, to, NULL, numDependencies);
}

cudaError_t vptr__cuda_graph_remove_dependencies_12(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                    const cudaGraphNode_t *to, size_t numDependencies) {
  return cudaGraphRemoveDependencies(graph, from, to, NULL, numDependencies);
}

cudaError_t vptr__cuda_graph_get_edges_12(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                          size_t *numEdges) {
  return cudaGraphGetEdges(graph, from, to, NULL, numEdges);
}

cudaError_t vptr__cuda_graph_node_get_dependencies_12(cudaGraphNode_t node, cudaGraphNode_t *pDependencies,
                                                      size_t *pNumDependencies) {
  return cudaGraphNodeGetDependencies(node, pDependencies, NULL, pNumDependencies);
}

cudaError_t vptr__cuda_graph_node_get_dependent_nodes_12(cudaGraphNode_t node, cudaGraphNode_t *pDependentNodes,
                                                         size_t *pNumDependentNodes) {
  return cudaGraphNodeGetDependentNodes(node, pDependentNodes, NULL, pNumDependentNodes);
}

cudaError_t vptr__cuda_graph_add_node_12(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                         const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                         struct cudaGraphNodeParams *nodeParams) {
  return cudaGraphAddNode(pGraphNode, graph, pDependencies, NULL, numDependencies, nodeParams);
}

cudaError_t vptr__cuda_stream_get_capture_info_12(cudaStream_t stream,
                                                  enum cudaStreamCaptureStatus *captureStatus_out,
                                                  vptr_unsigned_long_long *id_out) {
  return cudaStreamGetCaptureInfo(stream, captureStatus_out, id_out, NULL, NULL, NULL, NULL);
}

cudaError_t vptr__cuda_stream_update_capture_dependencies_12(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                             size_t numDependencies, unsigned int flags) {
  return cudaStreamUpdateCaptureDependencies(stream, dependencies, NULL, numDependencies, flags);
}

cudaError_t vptr__cuda_stream_get_capture_info_12_ptsz(cudaStream_t stream,
                                                       enum cudaStreamCaptureStatus *captureStatus_out,
                                                       vptr_unsigned_long_long *id_out) {
  return cudaStreamGetCaptureInfo(vptr__cuda_own_default(stream), captureStatus_out, id_out, NULL, NULL, NULL, NULL);
}

cudaError_t vptr__cuda_stream_update_capture_dependencies_12_ptsz(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                                  size_t numDependencies, unsigned int flags) {
  return cudaStreamUpdateCaptureDependencies(vptr__cuda_own_default(stream), dependencies, NULL, numDependencies,
                                             flags);
}
