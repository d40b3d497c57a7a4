/* SPDX-License-Identifier: MIT */
/*
 * vptr_graph - graphs of work that are put together once and launched often.
 *
 * All of these: cudaErrorInvalidValue for a handle that is none, a NULL where something is wanted, and what does not
 * fit. Graphs are for one thread at a time, as in CUDA; nothing breaks if two use one.
 */
#ifndef VPTR_CUDA_GRAPH_H
#define VPTR_CUDA_GRAPH_H

#include "vptr_graph_types.h"
#include "vptr_launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- graphs and their nodes ----------------------------------------------------------------------------------- */

/* An empty graph; flags are 0. Destroying one ends its nodes; executable graphs that were made of it stay. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphCreate(cudaGraph_t *pGraph, unsigned int flags);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphDestroy(cudaGraph_t graph);

/* A node that comes behind others of the graph, none of them named twice. What it does is copied: a kernel's
 * arguments, and a child graph as it is now. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphAddKernelNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                           const cudaGraphNode_t *pDependencies,
                                                           size_t numDependencies,
                                                           const struct cudaKernelNodeParams *pNodeParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphAddMemcpyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                           const cudaGraphNode_t *pDependencies,
                                                           size_t numDependencies,
                                                           const struct cudaMemcpy3DParms *pCopyParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphAddMemcpyNode1D(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                             const cudaGraphNode_t *pDependencies,
                                                             size_t numDependencies, void *dst, const void *src,
                                                             size_t count, enum cudaMemcpyKind kind);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                                   const cudaGraphNode_t *pDependencies,
                                                                   size_t numDependencies, const void *symbol,
                                                                   const void *src, size_t count, size_t offset,
                                                                   enum cudaMemcpyKind kind);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                                     const cudaGraphNode_t *pDependencies,
                                                                     size_t numDependencies, void *dst,
                                                                     const void *symbol, size_t count, size_t offset,
                                                                     enum cudaMemcpyKind kind);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphAddMemsetNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                           const cudaGraphNode_t *pDependencies,
                                                           size_t numDependencies,
                                                           const struct cudaMemsetParams *pMemsetParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphAddHostNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                         const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                                         const struct cudaHostNodeParams *pNodeParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphAddChildGraphNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                               const cudaGraphNode_t *pDependencies,
                                                               size_t numDependencies, cudaGraph_t childGraph);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphAddEmptyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                          const cudaGraphNode_t *pDependencies,
                                                          size_t numDependencies);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphAddEventRecordNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                                const cudaGraphNode_t *pDependencies,
                                                                size_t numDependencies, cudaEvent_t event);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphAddEventWaitNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                              const cudaGraphNode_t *pDependencies,
                                                              size_t numDependencies, cudaEvent_t event);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphAddNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                     const cudaGraphNode_t *pDependencies,
                                                     const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                                     struct cudaGraphNodeParams *nodeParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphDestroyNode(cudaGraphNode_t node);

/* What a node does, and from now on; executable graphs keep what they were made with. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                                                 struct cudaKernelNodeParams *pNodeParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                                 const struct cudaKernelNodeParams *pNodeParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t hDst, cudaGraphNode_t hSrc);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphKernelNodeGetAttribute(cudaGraphNode_t hNode, cudaLaunchAttributeID attr,
                                                                    cudaLaunchAttributeValue *value_out);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphKernelNodeSetAttribute(cudaGraphNode_t hNode, cudaLaunchAttributeID attr,
                                                                    const cudaLaunchAttributeValue *value);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
                                                                 struct cudaMemcpy3DParms *pNodeParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                                                 const struct cudaMemcpy3DParms *pNodeParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src,
                                                                   size_t count, enum cudaMemcpyKind kind);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol,
                                                                         const void *src, size_t count, size_t offset,
                                                                         enum cudaMemcpyKind kind);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst,
                                                                           const void *symbol, size_t count,
                                                                           size_t offset, enum cudaMemcpyKind kind);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphMemsetNodeGetParams(cudaGraphNode_t node,
                                                                 struct cudaMemsetParams *pNodeParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                                                 const struct cudaMemsetParams *pNodeParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphHostNodeGetParams(cudaGraphNode_t node,
                                                               struct cudaHostNodeParams *pNodeParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                                               const struct cudaHostNodeParams *pNodeParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *pGraph);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event_out);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event_out);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphNodeSetParams(cudaGraphNode_t node,
                                                           struct cudaGraphNodeParams *nodeParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *pType);

/* Edges, which are there or not. An array that is NULL asks for the number alone; one that is longer than the answer
 * has NULL behind it, and *num is what was written. Edge data that is NULL is that of ordinary edges. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                             const cudaGraphNode_t *to,
                                                             const cudaGraphEdgeData *edgeData,
                                                             size_t numDependencies);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                                const cudaGraphNode_t *to,
                                                                const cudaGraphEdgeData *edgeData,
                                                                size_t numDependencies);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *numNodes);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *pRootNodes,
                                                          size_t *pNumRootNodes);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                                      cudaGraphEdgeData *edgeData, size_t *numEdges);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *pDependencies,
                                                                 cudaGraphEdgeData *edgeData,
                                                                 size_t *pNumDependencies);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                                                   cudaGraphNode_t *pDependentNodes,
                                                                   cudaGraphEdgeData *edgeData,
                                                                   size_t *pNumDependentNodes);

/* A copy of its own, and the node there that is a copy of one here. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphClone(cudaGraph_t *pGraphClone, cudaGraph_t originalGraph);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphNodeFindInClone(cudaGraphNode_t *pNode, cudaGraphNode_t originalNode,
                                                             cudaGraph_t clonedGraph);

/* Writes a picture of it in Graphviz's language. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags);

/* `destroy` is called with ptr when the last reference goes: the program's, or those of graphs and what is made of
 * them. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaUserObjectCreate(cudaUserObject_t *object_out, void *ptr,
                                                         cudaHostFn_t destroy, unsigned int initialRefcount,
                                                         unsigned int flags);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaUserObjectRetain(cudaUserObject_t object,
                                                         unsigned int count VPTR_CUDA_DEFAULT(1));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaUserObjectRelease(cudaUserObject_t object,
                                                          unsigned int count VPTR_CUDA_DEFAULT(1));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                                              unsigned int count VPTR_CUDA_DEFAULT(1),
                                                              unsigned int flags VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                                               unsigned int count VPTR_CUDA_DEFAULT(1));

/* ---- memory --------------------------------------------------------------------------------------------------- */

/* A node that allocates device memory, and one that frees it. The address, nodeParams->dptr, is the node's for as long
 * as the graph lasts; the memory is there from the node on until it is freed: by a node, of this graph or another, by
 * cudaFree() or cudaFreeAsync(). It outlives the launch and the graph. A graph with such nodes has one executable
 * graph at a time, is not copied, is no child graph, and loses no nodes and edges (cudaErrorNotSupported); launched
 * again while its memory is not freed it is cudaErrorInvalidValue, unless it was instantiated with
 * cudaGraphInstantiateFlagAutoFreeOnLaunch. Memory is set aside when the node is added, and used again by nodes that
 * come behind the one that frees it. Errors: cudaErrorMemoryAllocation. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphAddMemAllocNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                             const cudaGraphNode_t *pDependencies,
                                                             size_t numDependencies,
                                                             struct cudaMemAllocNodeParams *nodeParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                                                   struct cudaMemAllocNodeParams *params_out);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphAddMemFreeNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                            const cudaGraphNode_t *pDependencies,
                                                            size_t numDependencies, void *dptr);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *dptr_out);

/* Gives idle memory back to the driver. And what graphs have: values are 64-bit numbers. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceGraphMemTrim(int device);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                                                   void *value);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                                                   void *value);

/* ---- conditions ----------------------------------------------------------------------------------------------- */

/* A condition for a graph: one node depends on it, which cudaGraphAddNode() adds to the graph or a body in it. Kernels
 * set it; with cudaGraphCondAssignDefault it is defaultLaunchValue when a launch begins, else 0. Bodies have kernels,
 * copies, sets, child graphs, empty and conditional nodes. Launching such a graph waits for what the conditions depend
 * on. It is not copied, is no child graph, and has one executable graph at a time (cudaErrorNotSupported). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphConditionalHandleCreate(
    cudaGraphConditionalHandle *pHandle_out, cudaGraph_t graph,
    unsigned int defaultLaunchValue VPTR_CUDA_DEFAULT(0), unsigned int flags VPTR_CUDA_DEFAULT(0));

/* ---- executable graphs ---------------------------------------------------------------------------------------- */

/* Puts a graph in order and copies all of it. Errors: cudaErrorInvalidValue (its edges make a circle; flags). */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                                         vptr_unsigned_long_long flags VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphInstantiateWithFlags(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                                                  vptr_unsigned_long_long flags VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphInstantiateWithParams(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                                                   cudaGraphInstantiateParams *instantiateParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphInstantiateWithParams_ptsz(cudaGraphExec_t *pGraphExec,
                                                                        cudaGraph_t graph,
                                                                        cudaGraphInstantiateParams *instantiateParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphExecGetFlags(cudaGraphExec_t graphExec, vptr_unsigned_long_long *flags);

/* Sends it to a stream: behind its earlier work, and its later work waits for all of it. What it names is looked at
 * now: an error names the node. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphLaunch_ptsz(cudaGraphExec_t graphExec, cudaStream_t stream);

/* Makes ready what a first launch would. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphUpload_ptsz(cudaGraphExec_t graphExec, cudaStream_t stream);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphExecDestroy(cudaGraphExec_t graphExec);

/* One node does something else from the next launch on, or nothing, if it is a kernel, a copy or a set. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphExecKernelNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                                     const struct cudaKernelNodeParams *pNodeParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                                     const struct cudaMemcpy3DParms *pNodeParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t hGraphExec,
                                                                       cudaGraphNode_t node, void *dst,
                                                                       const void *src, size_t count,
                                                                       enum cudaMemcpyKind kind);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t hGraphExec,
                                                                             cudaGraphNode_t node, const void *symbol,
                                                                             const void *src, size_t count,
                                                                             size_t offset, enum cudaMemcpyKind kind);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t hGraphExec,
                                                                               cudaGraphNode_t node, void *dst,
                                                                               const void *symbol, size_t count,
                                                                               size_t offset,
                                                                               enum cudaMemcpyKind kind);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                                     const struct cudaMemsetParams *pNodeParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphExecHostNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                                   const struct cudaHostNodeParams *pNodeParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t hGraphExec,
                                                                         cudaGraphNode_t node,
                                                                         cudaGraph_t childGraph);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t hGraphExec,
                                                                         cudaGraphNode_t hNode, cudaEvent_t event);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t hGraphExec,
                                                                       cudaGraphNode_t hNode, cudaEvent_t event);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphExecNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                                               struct cudaGraphNodeParams *nodeParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphNodeSetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                                            unsigned int isEnabled);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphNodeGetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                                            unsigned int *isEnabled);

/* All nodes do what those of another graph do, whose nodes and edges are the same ones in the same order. Errors:
 * cudaErrorGraphExecUpdateFailure: *resultInfo says why, and nothing has changed. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                                        cudaGraphExecUpdateResultInfo *resultInfo);

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cudaGraphInstantiateWithParams cudaGraphInstantiateWithParams_ptsz
#define cudaGraphLaunch cudaGraphLaunch_ptsz
#define cudaGraphUpload cudaGraphUpload_ptsz
#endif

/* ---- capture -------------------------------------------------------------------------------------------------- */

/* From begin to end what is sent to the stream becomes nodes of a graph, and nothing runs. A stream that waits for an
 * event that was recorded in a captured one is captured, too, until the stream where it began waits for it again. What
 * cannot be captured fails, and so does the end then. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamBeginCapture_ptsz(cudaStream_t stream, enum cudaStreamCaptureMode mode);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                                  const cudaGraphNode_t *dependencies,
                                                                  const cudaGraphEdgeData *dependencyData,
                                                                  size_t numDependencies,
                                                                  enum cudaStreamCaptureMode mode);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamBeginCaptureToGraph_ptsz(cudaStream_t stream, cudaGraph_t graph,
                                                                       const cudaGraphNode_t *dependencies,
                                                                       const cudaGraphEdgeData *dependencyData,
                                                                       size_t numDependencies,
                                                                       enum cudaStreamCaptureMode mode);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *pGraph);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamEndCapture_ptsz(cudaStream_t stream, cudaGraph_t *pGraph);

/* The node arrays are there until the stream is used again. */
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamGetCaptureInfo(
    cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out,
    vptr_unsigned_long_long *id_out VPTR_CUDA_DEFAULT(0), cudaGraph_t *graph_out VPTR_CUDA_DEFAULT(0),
    const cudaGraphNode_t **dependencies_out VPTR_CUDA_DEFAULT(0),
    const cudaGraphEdgeData **edgeData_out VPTR_CUDA_DEFAULT(0),
    size_t *numDependencies_out VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamGetCaptureInfo_ptsz(
    cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out,
    vptr_unsigned_long_long *id_out VPTR_CUDA_DEFAULT(0), cudaGraph_t *graph_out VPTR_CUDA_DEFAULT(0),
    const cudaGraphNode_t **dependencies_out VPTR_CUDA_DEFAULT(0),
    const cudaGraphEdgeData **edgeData_out VPTR_CUDA_DEFAULT(0),
    size_t *numDependencies_out VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                                        cudaGraphNode_t *dependencies,
                                                                        const cudaGraphEdgeData *dependencyData,
                                                                        size_t numDependencies,
                                                                        unsigned int flags VPTR_CUDA_DEFAULT(0));
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamUpdateCaptureDependencies_ptsz(cudaStream_t stream,
                                                                             cudaGraphNode_t *dependencies,
                                                                             const cudaGraphEdgeData *dependencyData,
                                                                             size_t numDependencies,
                                                                             unsigned int flags VPTR_CUDA_DEFAULT(0));

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cudaStreamBeginCapture cudaStreamBeginCapture_ptsz
#define cudaStreamBeginCaptureToGraph cudaStreamBeginCaptureToGraph_ptsz
#define cudaStreamEndCapture cudaStreamEndCapture_ptsz
#define cudaStreamGetCaptureInfo cudaStreamGetCaptureInfo_ptsz
#define cudaStreamUpdateCaptureDependencies cudaStreamUpdateCaptureDependencies_ptsz
#endif

#ifdef __cplusplus
}
#endif

#endif
