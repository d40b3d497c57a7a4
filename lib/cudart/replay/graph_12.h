/* SPDX-License-Identifier: MIT */
/*
 * graph_12 - calls about graphs as CUDA 12 has them.
 *
 * CUDA 12 has edges without data under the plain names, and under names with _v2 or _v3 what CUDA 13 has under the
 * plain ones. Declarations alone: no data, no locks. Used by programs, which have these names from libraries of CUDA
 * 12.
 */
#ifndef VPTR_REPLAY_GRAPH_12_H
#define VPTR_REPLAY_GRAPH_12_H

#include <vptr/cuda/cuda_runtime_api.h>

/* The names that CUDA 12's library has beside. */
VPTR_CUDA_API cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                      const cudaGraphNode_t *to, const cudaGraphEdgeData *edgeData,
                                                      size_t numDependencies);
VPTR_CUDA_API cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                         const cudaGraphNode_t *to, const cudaGraphEdgeData *edgeData,
                                                         size_t numDependencies);
VPTR_CUDA_API cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                               cudaGraphEdgeData *edgeData, size_t *numEdges);
VPTR_CUDA_API cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t *pDependencies,
                                                          cudaGraphEdgeData *edgeData, size_t *pNumDependencies);
VPTR_CUDA_API cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t *pDependentNodes,
                                                            cudaGraphEdgeData *edgeData, size_t *pNumDependentNodes);
VPTR_CUDA_API cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                              const cudaGraphNode_t *pDependencies,
                                              const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                              struct cudaGraphNodeParams *nodeParams);
VPTR_CUDA_API cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream,
                                                      enum cudaStreamCaptureStatus *captureStatus_out,
                                                      vptr_unsigned_long_long *id_out, cudaGraph_t *graph_out,
                                                      const cudaGraphNode_t **dependencies_out,
                                                      size_t *numDependencies_out);
VPTR_CUDA_API cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream,
                                                      enum cudaStreamCaptureStatus *captureStatus_out,
                                                      vptr_unsigned_long_long *id_out, cudaGraph_t *graph_out,
                                                      const cudaGraphNode_t **dependencies_out,
                                                      const cudaGraphEdgeData **edgeData_out,
                                                      size_t *numDependencies_out);
VPTR_CUDA_API cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                                 const cudaGraphEdgeData *dependencyData,
                                                                 size_t numDependencies, unsigned int flags);
VPTR_CUDA_API cudaError_t cudaStreamGetCaptureInfo_v2_ptsz(cudaStream_t stream,
                                                           enum cudaStreamCaptureStatus *captureStatus_out,
                                                           vptr_unsigned_long_long *id_out, cudaGraph_t *graph_out,
                                                           const cudaGraphNode_t **dependencies_out,
                                                           size_t *numDependencies_out);
VPTR_CUDA_API cudaError_t cudaStreamGetCaptureInfo_v3_ptsz(cudaStream_t stream,
                                                           enum cudaStreamCaptureStatus *captureStatus_out,
                                                           vptr_unsigned_long_long *id_out, cudaGraph_t *graph_out,
                                                           const cudaGraphNode_t **dependencies_out,
                                                           const cudaGraphEdgeData **edgeData_out,
                                                           size_t *numDependencies_out);
VPTR_CUDA_API cudaError_t cudaStreamUpdateCaptureDependencies_v2_ptsz(cudaStream_t stream,
                                                                      cudaGraphNode_t *dependencies,
                                                                      const cudaGraphEdgeData *dependencyData,
                                                                      size_t numDependencies, unsigned int flags);

/* Where lib/cudart-versions.awk leads CUDA 12's plain names. */
VPTR_CUDA_API cudaError_t vptr__cuda_graph_add_dependencies_12(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                               const cudaGraphNode_t *to, size_t numDependencies);
VPTR_CUDA_API cudaError_t vptr__cuda_graph_remove_dependencies_12(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                                  const cudaGraphNode_t *to, size_t numDependencies);
VPTR_CUDA_API cudaError_t vptr__cuda_graph_get_edges_12(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                                        size_t *numEdges);
VPTR_CUDA_API cudaError_t vptr__cuda_graph_node_get_dependencies_12(cudaGraphNode_t node,
                                                                    cudaGraphNode_t *pDependencies,
                                                                    size_t *pNumDependencies);
VPTR_CUDA_API cudaError_t vptr__cuda_graph_node_get_dependent_nodes_12(cudaGraphNode_t node,
                                                                       cudaGraphNode_t *pDependentNodes,
                                                                       size_t *pNumDependentNodes);
VPTR_CUDA_API cudaError_t vptr__cuda_graph_add_node_12(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                       const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                                       struct cudaGraphNodeParams *nodeParams);
VPTR_CUDA_API cudaError_t vptr__cuda_stream_get_capture_info_12(cudaStream_t stream,
                                                                enum cudaStreamCaptureStatus *captureStatus_out,
                                                                vptr_unsigned_long_long *id_out);
VPTR_CUDA_API cudaError_t vptr__cuda_stream_update_capture_dependencies_12(cudaStream_t stream,
                                                                           cudaGraphNode_t *dependencies,
                                                                           size_t numDependencies,
                                                                           unsigned int flags);
VPTR_CUDA_API cudaError_t vptr__cuda_stream_get_capture_info_12_ptsz(cudaStream_t stream,
                                                                     enum cudaStreamCaptureStatus *captureStatus_out,
                                                                     vptr_unsigned_long_long *id_out);
VPTR_CUDA_API cudaError_t vptr__cuda_stream_update_capture_dependencies_12_ptsz(cudaStream_t stream,
                                                                                cudaGraphNode_t *dependencies,
                                                                                size_t numDependencies,
                                                                                unsigned int flags);

#endif
