/* SPDX-License-Identifier: MIT */
/*
 * graph_node - cuGraphAddKernelNode() and its kin: nodes by what they do.
 *
 * The runtime's, with what describes a node turned into its words and back (graph_work.h). No state, no locks. Called
 * by programs, directly or by the table in entry.c. Nothing here waits.
 */

#include "driver/graph_work.h"

#include <stddef.h>
#include <string.h>

#include "driver/context.h"
#include "driver/graph_variant.h"
#include "driver/result.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* ---- kernels ----------------------------------------------------------------------------------------------------- */

_Static_assert(sizeof(CUDA_KERNEL_NODE_PARAMS_v1) == offsetof(CUDA_KERNEL_NODE_PARAMS_v2, kern) &&
                   sizeof(CUkernelNodeAttrValue) == sizeof(cudaLaunchAttributeValue),
               "the second version has more behind the first");

/* As cuGraphAddKernelNode() had them before there were kernels without a context. */
static const CUDA_KERNEL_NODE_PARAMS *widen(const CUDA_KERNEL_NODE_PARAMS_v1 *from, CUDA_KERNEL_NODE_PARAMS *wide) {
  memset(wide, 0, sizeof *wide);
  if (from != NULL)
    memcpy(wide, from, sizeof *from);
  return from != NULL ? wide : NULL;
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                 size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS *nodeParams) {
  struct cudaKernelNodeParams made;
  CUresult result = vptr__driver_node_kernel("cuGraphAddKernelNode", nodeParams, &made);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaGraphAddKernelNode(phGraphNode, hGraph, dependencies, numDependencies, &made));
}

CUresult cuGraphAddKernelNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                              size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams) {
  CUDA_KERNEL_NODE_PARAMS wide;
  return cuGraphAddKernelNode_v2(phGraphNode, hGraph, dependencies, numDependencies, widen(nodeParams, &wide));
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams) {
  struct cudaKernelNodeParams params;
  CUresult result =
      vptr__driver_check_pointer(vptr__driver_begun(), "cuGraphKernelNodeGetParams", nodeParams, "nodeParams");
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(cudaGraphKernelNodeGetParams(hNode, &params));
  return result == CUDA_SUCCESS ? vptr__driver_node_kernel_told(&params, nodeParams) : result;
}

/* A kernel that is told by its function belongs to no context. */
CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS *nodeParams) {
  CUDA_KERNEL_NODE_PARAMS_v1 told;
  CUresult result = cuGraphKernelNodeGetParams(hNode, nodeParams != NULL ? &told : NULL);
  if (result == CUDA_SUCCESS)
    widen(&told, nodeParams);
  return result;
}

CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS *nodeParams) {
  struct cudaKernelNodeParams made;
  CUresult result = vptr__driver_node_kernel("cuGraphKernelNodeSetParams", nodeParams, &made);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphKernelNodeSetParams(hNode, &made)) : result;
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams) {
  CUDA_KERNEL_NODE_PARAMS wide;
  return cuGraphKernelNodeSetParams_v2(hNode, widen(nodeParams, &wide));
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphKernelNodeCopyAttributes(dst, src)) : result;
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr, CUkernelNodeAttrValue *value_out) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphKernelNodeGetAttribute(
                                      hNode, (cudaLaunchAttributeID)attr, (void *)value_out))
                                : result;
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr,
                                       const CUkernelNodeAttrValue *value) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphKernelNodeSetAttribute(
                                      hNode, (cudaLaunchAttributeID)attr, (const void *)value))
                                : result;
}

/* ---- copies and sets --------------------------------------------------------------------------------------------- */

CUresult cuGraphAddMemcpyNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                              size_t numDependencies, const CUDA_MEMCPY3D *copyParams, CUcontext ctx) {
  struct cudaMemcpy3DParms made;
  CUresult result = vptr__driver_node_context("cuGraphAddMemcpyNode", ctx);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_node_copy("cuGraphAddMemcpyNode", copyParams, &made);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaGraphAddMemcpyNode(phGraphNode, hGraph, dependencies, numDependencies, &made));
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode hNode, CUDA_MEMCPY3D *nodeParams) {
  struct cudaMemcpy3DParms params;
  CUresult result =
      vptr__driver_check_pointer(vptr__driver_begun(), "cuGraphMemcpyNodeGetParams", nodeParams, "nodeParams");
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(cudaGraphMemcpyNodeGetParams(hNode, &params));
  return result == CUDA_SUCCESS ? vptr__driver_node_copy_told(&params, nodeParams) : result;
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode hNode, const CUDA_MEMCPY3D *nodeParams) {
  struct cudaMemcpy3DParms made;
  CUresult result = vptr__driver_node_copy("cuGraphMemcpyNodeSetParams", nodeParams, &made);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphMemcpyNodeSetParams(hNode, &made)) : result;
}

CUresult cuGraphAddMemsetNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                              size_t numDependencies, const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx) {
  struct cudaMemsetParams made;
  CUresult result = vptr__driver_node_context("cuGraphAddMemsetNode", ctx);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_node_set("cuGraphAddMemsetNode", memsetParams, &made);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaGraphAddMemsetNode(phGraphNode, hGraph, dependencies, numDependencies, &made));
}

_Static_assert(sizeof(CUDA_MEMSET_NODE_PARAMS) == sizeof(struct cudaMemsetParams) &&
                   sizeof(CUDA_HOST_NODE_PARAMS) == sizeof(struct cudaHostNodeParams),
               "the runtime's, by other names");

CUresult cuGraphMemsetNodeGetParams(CUgraphNode hNode, CUDA_MEMSET_NODE_PARAMS *nodeParams) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphMemsetNodeGetParams(hNode, (void *)nodeParams))
                                : result;
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode hNode, const CUDA_MEMSET_NODE_PARAMS *nodeParams) {
  struct cudaMemsetParams made;
  CUresult result = vptr__driver_node_set("cuGraphMemsetNodeSetParams", nodeParams, &made);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphMemsetNodeSetParams(hNode, &made)) : result;
}

/* ---- host functions, child graphs, nothing, events --------------------------------------------------------------- */

CUresult cuGraphAddHostNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                            size_t numDependencies, const CUDA_HOST_NODE_PARAMS *nodeParams) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphAddHostNode(phGraphNode, hGraph, dependencies,
                                                                           numDependencies, (const void *)nodeParams))
                                : result;
}

CUresult cuGraphHostNodeGetParams(CUgraphNode hNode, CUDA_HOST_NODE_PARAMS *nodeParams) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphHostNodeGetParams(hNode, (void *)nodeParams)) : result;
}

CUresult cuGraphHostNodeSetParams(CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS *nodeParams) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphHostNodeSetParams(hNode, (const void *)nodeParams))
                                : result;
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                  size_t numDependencies, CUgraph childGraph) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphAddChildGraphNode(phGraphNode, hGraph, dependencies,
                                                                                 numDependencies, childGraph))
                                : result;
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph *phGraph) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphChildGraphNodeGetGraph(hNode, phGraph)) : result;
}

CUresult cuGraphAddEmptyNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                             size_t numDependencies) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS
             ? vptr__driver_result(cudaGraphAddEmptyNode(phGraphNode, hGraph, dependencies, numDependencies))
             : result;
}

CUresult cuGraphAddEventRecordNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                   size_t numDependencies, CUevent event) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphAddEventRecordNode(phGraphNode, hGraph, dependencies,
                                                                                  numDependencies, event))
                                : result;
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, CUevent *event_out) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphEventRecordNodeGetEvent(hNode, event_out)) : result;
}

CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphEventRecordNodeSetEvent(hNode, event)) : result;
}

CUresult cuGraphAddEventWaitNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                 size_t numDependencies, CUevent event) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphAddEventWaitNode(phGraphNode, hGraph, dependencies,
                                                                                numDependencies, event))
                                : result;
}

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, CUevent *event_out) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphEventWaitNodeGetEvent(hNode, event_out)) : result;
}

CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphEventWaitNodeSetEvent(hNode, event)) : result;
}

/* ---- of any kind ------------------------------------------------------------------------------------------------- */

CUresult cuGraphAddNode_v2(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                           const CUgraphEdgeData *dependencyData, size_t numDependencies,
                           CUgraphNodeParams *nodeParams) {
  const vptr__new_node it = { "cuGraphAddNode", phGraphNode, hGraph, dependencies, (const void *)dependencyData,
                              numDependencies };
  CUDA_BATCH_MEM_OP_NODE_PARAMS room;
  struct cudaGraphNodeParams made;
  if (vptr__driver_word_params(nodeParams, &room) != NULL)
    return vptr__driver_word_node_add(&it, &room);
  CUresult result = vptr__driver_node_any("cuGraphAddNode", nodeParams, &made);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(
        cudaGraphAddNode(phGraphNode, hGraph, dependencies, (const void *)dependencyData, numDependencies, &made));
  if (result == CUDA_SUCCESS)
    vptr__driver_node_any_told(&made, nodeParams);
  return result;
}

CUresult cuGraphAddNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                        size_t numDependencies, CUgraphNodeParams *nodeParams) {
  return cuGraphAddNode_v2(phGraphNode, hGraph, dependencies, NULL, numDependencies, nodeParams);
}

CUresult cuGraphNodeSetParams(CUgraphNode hNode, CUgraphNodeParams *nodeParams) {
  CUDA_BATCH_MEM_OP_NODE_PARAMS room;
  struct cudaGraphNodeParams made;
  if (vptr__driver_word_params(nodeParams, &room) != NULL)
    return vptr__driver_word_node_set("cuGraphNodeSetParams", hNode, &room);
  CUresult result = vptr__driver_node_any("cuGraphNodeSetParams", nodeParams, &made);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphNodeSetParams(hNode, &made)) : result;
}
