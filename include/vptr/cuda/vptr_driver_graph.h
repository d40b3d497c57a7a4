/* SPDX-License-Identifier: MIT */
/*
 * vptr_driver_graph - the driver's names for graphs of work and for capture; part of cuda.h.
 *
 * What they do is what the runtime's do (vptr_graph.h), and so are errors, but for these: cuInit() was not called, or
 * a call that needs a context has none. Memory of a copy is said to be the host's, a device's or an array, and is told
 * so again; what the runtime added by cudaMemcpyDefault is told as unified.
 */
#ifndef VPTR_CUDA_VPTR_DRIVER_GRAPH_H
#define VPTR_CUDA_VPTR_DRIVER_GRAPH_H

#include "vptr_driver_graph_types.h"

/* CUDA 12 has these names without edge data (vptr_graph_12 has the runtime's). */
#if !defined(CUDA_VERSION) || CUDA_VERSION >= 13000
#define cuGraphGetEdges cuGraphGetEdges_v2
#define cuGraphNodeGetDependencies cuGraphNodeGetDependencies_v2
#define cuGraphNodeGetDependentNodes cuGraphNodeGetDependentNodes_v2
#define cuGraphAddDependencies cuGraphAddDependencies_v2
#define cuGraphRemoveDependencies cuGraphRemoveDependencies_v2
#define cuGraphAddNode cuGraphAddNode_v2
#endif
#define cuGraphAddKernelNode cuGraphAddKernelNode_v2
#define cuGraphKernelNodeGetParams cuGraphKernelNodeGetParams_v2
#define cuGraphKernelNodeSetParams cuGraphKernelNodeSetParams_v2
#define cuGraphExecKernelNodeSetParams cuGraphExecKernelNodeSetParams_v2
#define cuGraphInstantiate cuGraphInstantiateWithFlags
#define cuGraphExecUpdate cuGraphExecUpdate_v2

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cuGraphInstantiateWithParams cuGraphInstantiateWithParams_ptsz
#define cuGraphLaunch cuGraphLaunch_ptsz
#define cuGraphUpload cuGraphUpload_ptsz
#define cuStreamBeginCapture cuStreamBeginCapture_v2_ptsz
#define cuStreamBeginCaptureToGraph cuStreamBeginCaptureToGraph_ptsz
#define cuStreamEndCapture cuStreamEndCapture_ptsz
#if !defined(CUDA_VERSION) || CUDA_VERSION >= 13000
#define cuStreamGetCaptureInfo cuStreamGetCaptureInfo_v3_ptsz
#define cuStreamUpdateCaptureDependencies cuStreamUpdateCaptureDependencies_v2_ptsz
#else
#define cuStreamGetCaptureInfo cuStreamGetCaptureInfo_v2_ptsz
#define cuStreamUpdateCaptureDependencies cuStreamUpdateCaptureDependencies_ptsz
#endif
#else
#define cuStreamBeginCapture cuStreamBeginCapture_v2
#if !defined(CUDA_VERSION) || CUDA_VERSION >= 13000
#define cuStreamGetCaptureInfo cuStreamGetCaptureInfo_v3
#define cuStreamUpdateCaptureDependencies cuStreamUpdateCaptureDependencies_v2
#else
#define cuStreamGetCaptureInfo cuStreamGetCaptureInfo_v2
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- graphs and their nodes ----------------------------------------------------------------------------------- */

VPTR_CUDA_API CUresult CUDAAPI cuGraphCreate(CUgraph *phGraph, unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuGraphDestroy(CUgraph hGraph);
VPTR_CUDA_API CUresult CUDAAPI cuGraphClone(CUgraph *phGraphClone, CUgraph originalGraph);
VPTR_CUDA_API CUresult CUDAAPI cuGraphNodeFindInClone(CUgraphNode *phNode, CUgraphNode hOriginalNode,
                                                      CUgraph hClonedGraph);

/* Copies and sets are for a context; NULL is the current one. */
VPTR_CUDA_API CUresult CUDAAPI cuGraphAddKernelNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                                    const CUgraphNode *dependencies, size_t numDependencies,
                                                    const CUDA_KERNEL_NODE_PARAMS *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphAddMemcpyNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                                    const CUgraphNode *dependencies, size_t numDependencies,
                                                    const CUDA_MEMCPY3D *copyParams, CUcontext ctx);
VPTR_CUDA_API CUresult CUDAAPI cuGraphAddMemsetNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                                    const CUgraphNode *dependencies, size_t numDependencies,
                                                    const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx);
VPTR_CUDA_API CUresult CUDAAPI cuGraphAddHostNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                                  const CUgraphNode *dependencies, size_t numDependencies,
                                                  const CUDA_HOST_NODE_PARAMS *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphAddChildGraphNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                                        const CUgraphNode *dependencies, size_t numDependencies,
                                                        CUgraph childGraph);
VPTR_CUDA_API CUresult CUDAAPI cuGraphAddEmptyNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                                   const CUgraphNode *dependencies, size_t numDependencies);
VPTR_CUDA_API CUresult CUDAAPI cuGraphAddEventRecordNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                                         const CUgraphNode *dependencies, size_t numDependencies,
                                                         CUevent event);
VPTR_CUDA_API CUresult CUDAAPI cuGraphAddEventWaitNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                                       const CUgraphNode *dependencies, size_t numDependencies,
                                                       CUevent event);
VPTR_CUDA_API CUresult CUDAAPI cuGraphAddMemAllocNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                                      const CUgraphNode *dependencies, size_t numDependencies,
                                                      CUDA_MEM_ALLOC_NODE_PARAMS *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphAddMemFreeNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                                     const CUgraphNode *dependencies, size_t numDependencies,
                                                     CUdeviceptr dptr);

/* Words that the graph waits for and writes where the node stands, in the context's device's order; ctx is not NULL. */
VPTR_CUDA_API CUresult CUDAAPI cuGraphAddBatchMemOpNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                                        const CUgraphNode *dependencies, size_t numDependencies,
                                                        const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphBatchMemOpNodeGetParams(CUgraphNode hNode,
                                                              CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams_out);
VPTR_CUDA_API CUresult CUDAAPI cuGraphBatchMemOpNodeSetParams(CUgraphNode hNode,
                                                              const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphExecBatchMemOpNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                                  const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphDestroyNode(CUgraphNode hNode);

/* The address of an allocation's memory is the same from the call that adds it, in every launch. */
VPTR_CUDA_API CUresult CUDAAPI cuGraphMemAllocNodeGetParams(CUgraphNode hNode, CUDA_MEM_ALLOC_NODE_PARAMS *params_out);
VPTR_CUDA_API CUresult CUDAAPI cuGraphMemFreeNodeGetParams(CUgraphNode hNode, CUdeviceptr *dptr_out);
VPTR_CUDA_API CUresult CUDAAPI cuDeviceGraphMemTrim(CUdevice device);
VPTR_CUDA_API CUresult CUDAAPI cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value);
VPTR_CUDA_API CUresult CUDAAPI cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value);

/* A condition of a graph, for a node that cuGraphAddNode() adds; on the context's device, whose kernels set it. */
VPTR_CUDA_API CUresult CUDAAPI cuGraphConditionalHandleCreate(CUgraphConditionalHandle *pHandle_out, CUgraph hGraph,
                                                              CUcontext ctx, unsigned int defaultLaunchValue,
                                                              unsigned int flags);

/* What a node does, and from now on. A kernel is told as its function, whatever named it. */
VPTR_CUDA_API CUresult CUDAAPI cuGraphKernelNodeGetParams(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphKernelNodeSetParams(CUgraphNode hNode,
                                                          const CUDA_KERNEL_NODE_PARAMS *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src);
VPTR_CUDA_API CUresult CUDAAPI cuGraphKernelNodeGetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr,
                                                             CUkernelNodeAttrValue *value_out);
VPTR_CUDA_API CUresult CUDAAPI cuGraphKernelNodeSetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr,
                                                             const CUkernelNodeAttrValue *value);
VPTR_CUDA_API CUresult CUDAAPI cuGraphMemcpyNodeGetParams(CUgraphNode hNode, CUDA_MEMCPY3D *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphMemcpyNodeSetParams(CUgraphNode hNode, const CUDA_MEMCPY3D *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphMemsetNodeGetParams(CUgraphNode hNode, CUDA_MEMSET_NODE_PARAMS *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphMemsetNodeSetParams(CUgraphNode hNode,
                                                          const CUDA_MEMSET_NODE_PARAMS *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphHostNodeGetParams(CUgraphNode hNode, CUDA_HOST_NODE_PARAMS *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphHostNodeSetParams(CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph *phGraph);
VPTR_CUDA_API CUresult CUDAAPI cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, CUevent *event_out);
VPTR_CUDA_API CUresult CUDAAPI cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event);
VPTR_CUDA_API CUresult CUDAAPI cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, CUevent *event_out);
VPTR_CUDA_API CUresult CUDAAPI cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event);
VPTR_CUDA_API CUresult CUDAAPI cuGraphNodeSetParams(CUgraphNode hNode, CUgraphNodeParams *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType *type);

/* ---- edges ---------------------------------------------------------------------------------------------------- */

VPTR_CUDA_API CUresult CUDAAPI cuGraphGetNodes(CUgraph hGraph, CUgraphNode *nodes, size_t *numNodes);
VPTR_CUDA_API CUresult CUDAAPI cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode *rootNodes, size_t *numRootNodes);

#if !defined(CUDA_VERSION) || CUDA_VERSION >= 13000
VPTR_CUDA_API CUresult CUDAAPI cuGraphAddNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                              const CUgraphNode *dependencies, const CUgraphEdgeData *dependencyData,
                                              size_t numDependencies, CUgraphNodeParams *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphGetEdges(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to,
                                               CUgraphEdgeData *edgeData, size_t *numEdges);
VPTR_CUDA_API CUresult CUDAAPI cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode *dependencies,
                                                          CUgraphEdgeData *edgeData, size_t *numDependencies);
VPTR_CUDA_API CUresult CUDAAPI cuGraphNodeGetDependentNodes(CUgraphNode hNode, CUgraphNode *dependentNodes,
                                                            CUgraphEdgeData *edgeData, size_t *numDependentNodes);
VPTR_CUDA_API CUresult CUDAAPI cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                                      const CUgraphEdgeData *edgeData, size_t numDependencies);
VPTR_CUDA_API CUresult CUDAAPI cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode *from,
                                                         const CUgraphNode *to, const CUgraphEdgeData *edgeData,
                                                         size_t numDependencies);
VPTR_CUDA_API CUresult CUDAAPI cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus *captureStatus_out,
                                                      cuuint64_t *id_out, CUgraph *graph_out,
                                                      const CUgraphNode **dependencies_out,
                                                      const CUgraphEdgeData **edgeData_out,
                                                      size_t *numDependencies_out);
VPTR_CUDA_API CUresult CUDAAPI cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode *dependencies,
                                                                 const CUgraphEdgeData *dependencyData,
                                                                 size_t numDependencies, unsigned int flags);
#else
VPTR_CUDA_API CUresult CUDAAPI cuGraphAddNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                              const CUgraphNode *dependencies, size_t numDependencies,
                                              CUgraphNodeParams *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphGetEdges(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to, size_t *numEdges);
VPTR_CUDA_API CUresult CUDAAPI cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode *dependencies,
                                                          size_t *numDependencies);
VPTR_CUDA_API CUresult CUDAAPI cuGraphNodeGetDependentNodes(CUgraphNode hNode, CUgraphNode *dependentNodes,
                                                            size_t *numDependentNodes);
VPTR_CUDA_API CUresult CUDAAPI cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                                      size_t numDependencies);
VPTR_CUDA_API CUresult CUDAAPI cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode *from,
                                                         const CUgraphNode *to, size_t numDependencies);
VPTR_CUDA_API CUresult CUDAAPI cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus *captureStatus_out,
                                                      cuuint64_t *id_out, CUgraph *graph_out,
                                                      const CUgraphNode **dependencies_out,
                                                      size_t *numDependencies_out);
VPTR_CUDA_API CUresult CUDAAPI cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode *dependencies,
                                                                 size_t numDependencies, unsigned int flags);
#endif

/* ---- executable graphs ---------------------------------------------------------------------------------------- */

VPTR_CUDA_API CUresult CUDAAPI cuGraphInstantiate(CUgraphExec *phGraphExec, CUgraph hGraph,
                                                  vptr_unsigned_long_long flags);
VPTR_CUDA_API CUresult CUDAAPI cuGraphInstantiateWithParams(CUgraphExec *phGraphExec, CUgraph hGraph,
                                                            CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t *flags);
VPTR_CUDA_API CUresult CUDAAPI cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuGraphExecDestroy(CUgraphExec hGraphExec);
VPTR_CUDA_API CUresult CUDAAPI cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph,
                                                 CUgraphExecUpdateResultInfo *resultInfo);
VPTR_CUDA_API CUresult CUDAAPI cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                              const CUDA_KERNEL_NODE_PARAMS *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                              const CUDA_MEMCPY3D *copyParams, CUcontext ctx);
VPTR_CUDA_API CUresult CUDAAPI cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                              const CUDA_MEMSET_NODE_PARAMS *memsetParams,
                                                              CUcontext ctx);
VPTR_CUDA_API CUresult CUDAAPI cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                            const CUDA_HOST_NODE_PARAMS *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                                  CUgraph childGraph);
VPTR_CUDA_API CUresult CUDAAPI cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                                  CUevent event);
VPTR_CUDA_API CUresult CUDAAPI cuGraphExecEventWaitNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                                CUevent event);
VPTR_CUDA_API CUresult CUDAAPI cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                        CUgraphNodeParams *nodeParams);
VPTR_CUDA_API CUresult CUDAAPI cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                     unsigned int isEnabled);
VPTR_CUDA_API CUresult CUDAAPI cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                     unsigned int *isEnabled);

/* ---- capture -------------------------------------------------------------------------------------------------- */

VPTR_CUDA_API CUresult CUDAAPI cuStreamBeginCapture(CUstream hStream, CUstreamCaptureMode mode);
VPTR_CUDA_API CUresult CUDAAPI cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph,
                                                           const CUgraphNode *dependencies,
                                                           const CUgraphEdgeData *dependencyData,
                                                           size_t numDependencies, CUstreamCaptureMode mode);
VPTR_CUDA_API CUresult CUDAAPI cuStreamEndCapture(CUstream hStream, CUgraph *phGraph);
VPTR_CUDA_API CUresult CUDAAPI cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode);

/* ---- pictures, and what goes with graphs ---------------------------------------------------------------------- */

VPTR_CUDA_API CUresult CUDAAPI cuGraphDebugDotPrint(CUgraph hGraph, const char *path, unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuUserObjectCreate(CUuserObject *object_out, void *ptr, CUhostFn destroy,
                                                  unsigned int initialRefcount, unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuUserObjectRetain(CUuserObject object, unsigned int count);
VPTR_CUDA_API CUresult CUDAAPI cuUserObjectRelease(CUuserObject object, unsigned int count);
VPTR_CUDA_API CUresult CUDAAPI cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count,
                                                       unsigned int flags);
VPTR_CUDA_API CUresult CUDAAPI cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count);

#ifdef __cplusplus
}
#endif

#endif
