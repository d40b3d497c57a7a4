/* SPDX-License-Identifier: MIT */
/*
 * graph_variant - symbols about graphs and capture that cuda.h maps names to, or that older versions of it did, and
 * variants for the thread's own default stream: see variant.h.
 */
#ifndef VPTR_DRIVER_GRAPH_VARIANT_H
#define VPTR_DRIVER_GRAPH_VARIANT_H

#include "driver/variant.h"

/* ---- variants ---------------------------------------------------------------------------------------------- */

VPTR_CUDA_API CUresult CUDAAPI cuGraphInstantiateWithParams_ptsz(CUgraphExec *phGraphExec, CUgraph hGraph,
                                                                 CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphLaunch_ptsz(CUgraphExec hGraphExec, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuGraphUpload_ptsz(CUgraphExec hGraphExec, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuStreamBeginCapture_v2_ptsz(CUstream hStream, CUstreamCaptureMode mode);
VPTR_CUDA_API CUresult CUDAAPI cuStreamBeginCaptureToGraph_ptsz(CUstream hStream, CUgraph hGraph,
                                                                const CUgraphNode *dependencies,
                                                                const CUgraphEdgeData *dependencyData,
                                                                size_t numDependencies, CUstreamCaptureMode mode);
VPTR_CUDA_API CUresult CUDAAPI cuStreamEndCapture_ptsz(CUstream hStream, CUgraph *phGraph);
VPTR_CUDA_API CUresult CUDAAPI cuStreamGetCaptureInfo_v3_ptsz(CUstream hStream,
                                                              CUstreamCaptureStatus *captureStatus_out,
                                                              cuuint64_t *id_out, CUgraph *graph_out,
                                                              const CUgraphNode **dependencies_out,
                                                              const CUgraphEdgeData **edgeData_out,
                                                              size_t *numDependencies_out);
VPTR_CUDA_API CUresult CUDAAPI cuStreamUpdateCaptureDependencies_v2_ptsz(CUstream hStream, CUgraphNode *dependencies,
                                                                         const CUgraphEdgeData *dependencyData,
                                                                         size_t numDependencies, unsigned int flags);

/* ---- older versions -------------------------------------------------------------------------------------- */

#undef cuStreamBeginCapture
#undef cuStreamGetCaptureInfo
#undef cuStreamUpdateCaptureDependencies
#undef cuGraphInstantiate
#undef cuGraphExecUpdate
#undef cuGraphAddKernelNode
#undef cuGraphKernelNodeGetParams
#undef cuGraphKernelNodeSetParams
#undef cuGraphExecKernelNodeSetParams
#undef cuGraphGetEdges
#undef cuGraphNodeGetDependencies
#undef cuGraphNodeGetDependentNodes
#undef cuGraphAddDependencies
#undef cuGraphRemoveDependencies
#undef cuGraphAddNode
VPTR_CUDA_API CUresult CUDAAPI cuStreamBeginCapture(CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuStreamBeginCapture_ptsz(CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus *captureStatus_out,
                                                      cuuint64_t *id_out);
VPTR_CUDA_API CUresult CUDAAPI cuStreamGetCaptureInfo_ptsz(CUstream hStream,
                                                           CUstreamCaptureStatus *captureStatus_out,
                                                           cuuint64_t *id_out);
VPTR_CUDA_API CUresult CUDAAPI cuStreamGetCaptureInfo_v2(CUstream hStream, CUstreamCaptureStatus *captureStatus_out,
                                                         cuuint64_t *id_out, CUgraph *graph_out,
                                                         const CUgraphNode **dependencies_out,
                                                         size_t *numDependencies_out);
VPTR_CUDA_API CUresult CUDAAPI cuStreamGetCaptureInfo_v2_ptsz(CUstream hStream,
                                                              CUstreamCaptureStatus *captureStatus_out,
                                                              cuuint64_t *id_out, CUgraph *graph_out,
                                                              const CUgraphNode **dependencies_out,
                                                              size_t *numDependencies_out);
VPTR_CUDA_API CUresult CUDAAPI cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode *dependencies,
                                                                 size_t numDependencies, unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuStreamUpdateCaptureDependencies_ptsz(CUstream hStream, CUgraphNode *dependencies,
                                                                      size_t numDependencies, unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuGraphInstantiate(CUgraphExec *phGraphExec, CUgraph hGraph, CUgraphNode *phErrorNode,
                                                  char *logBuffer, size_t bufferSize);
VPTR_CUDA_API CUresult CUDAAPI cuGraphInstantiate_v2(CUgraphExec *phGraphExec, CUgraph hGraph,
                                                     CUgraphNode *phErrorNode, char *logBuffer, size_t bufferSize);
VPTR_CUDA_API CUresult CUDAAPI cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphNode *hErrorNode_out,
                                                 CUgraphExecUpdateResult *updateResult_out);
VPTR_CUDA_API CUresult CUDAAPI cuGraphAddKernelNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                                    const CUgraphNode *dependencies, size_t numDependencies,
                                                    const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphKernelNodeGetParams(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphKernelNodeSetParams(CUgraphNode hNode,
                                                          const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                              const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphGetEdges(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to, size_t *numEdges);
VPTR_CUDA_API CUresult CUDAAPI cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode *dependencies,
                                                          size_t *numDependencies);
VPTR_CUDA_API CUresult CUDAAPI cuGraphNodeGetDependentNodes(CUgraphNode hNode, CUgraphNode *dependentNodes,
                                                            size_t *numDependentNodes);
VPTR_CUDA_API CUresult CUDAAPI cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                                      size_t numDependencies);
VPTR_CUDA_API CUresult CUDAAPI cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode *from,
                                                         const CUgraphNode *to, size_t numDependencies);
VPTR_CUDA_API CUresult CUDAAPI cuGraphAddNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                              const CUgraphNode *dependencies, size_t numDependencies,
                                              CUgraphNodeParams *nodeParams);

#endif
