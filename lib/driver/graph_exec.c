/* SPDX-License-Identifier: MIT */
/*
 * graph_exec - cuGraphInstantiate(), cuGraphLaunch() and their kin: executable graphs.
 *
 * The runtime's, with what describes a node turned into its words (graph_work.h). No state, no locks. Called by
 * programs, directly or by the table in entry.c. Calls wait for what the runtime's wait for.
 */

#include "driver/graph_work.h"

#include <string.h>

#include "base/error.h"
#include "driver/context.h"
#include "driver/graph_variant.h"
#include "driver/result.h"

#include <vptr/cuda/cuda_runtime_api.h>

_Static_assert(sizeof(CUDA_GRAPH_INSTANTIATE_PARAMS) == sizeof(cudaGraphInstantiateParams) &&
                   sizeof(CUgraphExecUpdateResultInfo) == sizeof(cudaGraphExecUpdateResultInfo) &&
                   sizeof(cuuint64_t) == sizeof(vptr_unsigned_long_long),
               "the runtime's, by other names");

/* ---- life -------------------------------------------------------------------------------------------------------- */

CUresult cuGraphInstantiateWithFlags(CUgraphExec *phGraphExec, CUgraph hGraph, unsigned long long flags) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphInstantiateWithFlags(phGraphExec, hGraph, flags))
                                : result;
}

CUresult cuGraphInstantiateWithParams(CUgraphExec *phGraphExec, CUgraph hGraph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS
             ? vptr__driver_result(cudaGraphInstantiateWithParams(phGraphExec, hGraph, (void *)instantiateParams))
             : result;
}

CUresult cuGraphInstantiateWithParams_ptsz(CUgraphExec *phGraphExec, CUgraph hGraph,
                                           CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphInstantiateWithParams_ptsz(phGraphExec, hGraph,
                                                                                          (void *)instantiateParams))
                                : result;
}

/* CUDA 10's and 11's: the node that is to blame, and words about it. */
CUresult cuGraphInstantiate(CUgraphExec *phGraphExec, CUgraph hGraph, CUgraphNode *phErrorNode, char *logBuffer,
                            size_t bufferSize) {
  CUDA_GRAPH_INSTANTIATE_PARAMS params = { .flags = 0 };
  CUresult result = cuGraphInstantiateWithParams(phGraphExec, hGraph, &params);
  const char *words = result == CUDA_SUCCESS ? "" : vptr_last_error();
  if (phErrorNode != NULL)
    *phErrorNode = params.hErrNode_out;
  if (logBuffer != NULL && bufferSize > 0) {
    size_t length = strlen(words) < bufferSize ? strlen(words) : bufferSize - 1;
    memcpy(logBuffer, words, length);
    logBuffer[length] = 0;
  }
  return result;
}

CUresult cuGraphInstantiate_v2(CUgraphExec *phGraphExec, CUgraph hGraph, CUgraphNode *phErrorNode, char *logBuffer,
                               size_t bufferSize) {
  return cuGraphInstantiate(phGraphExec, hGraph, phErrorNode, logBuffer, bufferSize);
}

CUresult cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t *flags) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphExecGetFlags(hGraphExec, (void *)flags)) : result;
}

CUresult cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphUpload(hGraphExec, hStream)) : result;
}

CUresult cuGraphUpload_ptsz(CUgraphExec hGraphExec, CUstream hStream) {
  return cuGraphUpload(hGraphExec, vptr__driver_own_default(hStream));
}

CUresult cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphLaunch(hGraphExec, hStream)) : result;
}

CUresult cuGraphLaunch_ptsz(CUgraphExec hGraphExec, CUstream hStream) {
  return cuGraphLaunch(hGraphExec, vptr__driver_own_default(hStream));
}

CUresult cuGraphExecDestroy(CUgraphExec hGraphExec) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphExecDestroy(hGraphExec)) : result;
}

/* ---- changes ----------------------------------------------------------------------------------------------------- */

CUresult cuGraphExecUpdate_v2(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphExecUpdateResultInfo *resultInfo) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphExecUpdate(hGraphExec, hGraph, (void *)resultInfo))
                                : result;
}

CUresult cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphNode *hErrorNode_out,
                           CUgraphExecUpdateResult *updateResult_out) {
  CUgraphExecUpdateResultInfo info = { .result = CU_GRAPH_EXEC_UPDATE_ERROR };
  CUresult result =
      vptr__driver_check_pointer(vptr__driver_begun(), "cuGraphExecUpdate", updateResult_out, "updateResult_out");
  if (result != CUDA_SUCCESS)
    return result;
  result = cuGraphExecUpdate_v2(hGraphExec, hGraph, &info);
  *updateResult_out = info.result;
  if (hErrorNode_out != NULL)
    *hErrorNode_out = info.errorNode;
  return result;
}

CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec hGraphExec, CUgraphNode hNode,
                                           const CUDA_KERNEL_NODE_PARAMS *nodeParams) {
  struct cudaKernelNodeParams made;
  CUresult result = vptr__driver_node_kernel("cuGraphExecKernelNodeSetParams", nodeParams, &made);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphExecKernelNodeSetParams(hGraphExec, hNode, &made))
                                : result;
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                        const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams) {
  CUDA_KERNEL_NODE_PARAMS wide = { .kern = NULL };
  if (nodeParams != NULL)
    memcpy(&wide, nodeParams, sizeof *nodeParams);
  return cuGraphExecKernelNodeSetParams_v2(hGraphExec, hNode, nodeParams != NULL ? &wide : NULL);
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_MEMCPY3D *copyParams,
                                        CUcontext ctx) {
  struct cudaMemcpy3DParms made;
  CUresult result = vptr__driver_node_context("cuGraphExecMemcpyNodeSetParams", ctx);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_node_copy("cuGraphExecMemcpyNodeSetParams", copyParams, &made);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphExecMemcpyNodeSetParams(hGraphExec, hNode, &made))
                                : result;
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                        const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx) {
  struct cudaMemsetParams made;
  CUresult result = vptr__driver_node_context("cuGraphExecMemsetNodeSetParams", ctx);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_node_set("cuGraphExecMemsetNodeSetParams", memsetParams, &made);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphExecMemsetNodeSetParams(hGraphExec, hNode, &made))
                                : result;
}

CUresult cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                      const CUDA_HOST_NODE_PARAMS *nodeParams) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS
             ? vptr__driver_result(cudaGraphExecHostNodeSetParams(hGraphExec, hNode, (const void *)nodeParams))
             : result;
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraph childGraph) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS
             ? vptr__driver_result(cudaGraphExecChildGraphNodeSetParams(hGraphExec, hNode, childGraph))
             : result;
}

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphExecEventRecordNodeSetEvent(hGraphExec, hNode, event))
                                : result;
}

CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphExecEventWaitNodeSetEvent(hGraphExec, hNode, event))
                                : result;
}

CUresult cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraphNodeParams *nodeParams) {
  CUDA_BATCH_MEM_OP_NODE_PARAMS room;
  struct cudaGraphNodeParams made;
  if (vptr__driver_word_params(nodeParams, &room) != NULL)
    return vptr__driver_word_node_set_exec("cuGraphExecNodeSetParams", hGraphExec, hNode, &room);
  CUresult result = vptr__driver_node_any("cuGraphExecNodeSetParams", nodeParams, &made);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphExecNodeSetParams(hGraphExec, hNode, &made)) : result;
}

CUresult cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int isEnabled) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphNodeSetEnabled(hGraphExec, hNode, isEnabled)) : result;
}

CUresult cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int *isEnabled) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphNodeGetEnabled(hGraphExec, hNode, isEnabled)) : result;
}
