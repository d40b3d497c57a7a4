/* SPDX-License-Identifier: MIT */
/*
 * entry_driver_graph_older - rows of the driver's interface: graphs and capture by the names that older headers gave
 * the functions, which cuda.h maps to newer ones.
 */
#include "entry.h"

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
#undef cuStreamGetCaptureInfo_v2
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cuStreamBeginCapture cuStreamBeginCapture_ptsz
#define cuStreamGetCaptureInfo cuStreamGetCaptureInfo_ptsz
#define cuStreamGetCaptureInfo_v2 cuStreamGetCaptureInfo_v2_ptsz
#define cuStreamUpdateCaptureDependencies cuStreamUpdateCaptureDependencies_ptsz
#endif
VPTR_CUDA_API CUresult CUDAAPI cuStreamBeginCapture(CUstream hStream);
VPTR_CUDA_API CUresult CUDAAPI cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus *captureStatus_out,
                                                      cuuint64_t *id_out);
VPTR_CUDA_API CUresult CUDAAPI cuStreamGetCaptureInfo_v2(CUstream hStream, CUstreamCaptureStatus *captureStatus_out,
                                                         cuuint64_t *id_out, CUgraph *graph_out,
                                                         const CUgraphNode **dependencies_out,
                                                         size_t *numDependencies_out);
VPTR_CUDA_API CUresult CUDAAPI cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode *dependencies,
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

static const CUresult refused = CUDA_ERROR_INVALID_VALUE;
static CUgraph graph;
static CUgraphNode first, second;

static void edges(void) {
  CUgraphNode from = NULL, to = NULL;
  CUgraphNodeParams params;
  size_t count = 1;
  memset(&params, 0, sizeof params);
  params.type = CU_GRAPH_NODE_TYPE_EMPTY;
  ENTRY(cuGraphAddNode, (&first, graph, NULL, 0, &params), CUDA_SUCCESS, first != NULL,
        (&first, graph, NULL, 0, NULL), refused);
  NEED(cuGraphAddNode(&second, graph, NULL, 0, &params) == CUDA_SUCCESS);
  ENTRY(cuGraphAddDependencies, (graph, &first, &second, 1), CUDA_SUCCESS, 1, (graph, &first, &second, 1), refused);
  ENTRY(cuGraphGetEdges, (graph, &from, &to, &count), CUDA_SUCCESS, from == first && to == second,
        (graph, &from, &to, NULL), refused);
  ENTRY(cuGraphNodeGetDependencies, (second, &from, &count), CUDA_SUCCESS, from == first, (NULL, &from, &count),
        refused);
  ENTRY(cuGraphNodeGetDependentNodes, (first, &to, &count), CUDA_SUCCESS, to == second, (NULL, &to, &count), refused);
  ENTRY(cuGraphRemoveDependencies, (graph, &first, &second, 1), CUDA_SUCCESS, 1, (NULL, &first, &second, 1), refused);
}

static void executables(void) {
  CUgraphExec exec = NULL;
  CUgraphNode culprit = NULL;
  CUgraphExecUpdateResult updated = CU_GRAPH_EXEC_UPDATE_ERROR;
  char words[20] = "x";
  ENTRY(cuGraphInstantiate_v2, (&exec, graph, &culprit, NULL, 0), CUDA_SUCCESS,
        culprit == NULL && cuGraphExecDestroy(exec) == CUDA_SUCCESS, (NULL, graph, NULL, words, sizeof words),
        refused);
  NEED(words[0] != 'x' && words[sizeof words - 1] == 0);
  ENTRY(cuGraphInstantiate, (&exec, graph, &culprit, words, sizeof words), CUDA_SUCCESS, words[0] == 0,
        (&exec, NULL, NULL, NULL, 0), refused);
  ENTRY(cuGraphExecUpdate, (exec, graph, &culprit, &updated), CUDA_SUCCESS, updated == CU_GRAPH_EXEC_UPDATE_SUCCESS,
        (exec, graph, &culprit, NULL), refused);
  NEED(cuGraphExecDestroy(exec) == CUDA_SUCCESS);
}

static void kernels(void) {
  CUmodule module = NULL;
  CUgraphNode node = NULL;
  CUgraphExec exec = NULL;
  CUDA_KERNEL_NODE_PARAMS_v1 params, got;
  CUdeviceptr at = 0;
  size_t size = 0;
  int by = 1;
  void *arguments[] = { &at, &by };
  memset(&params, 0, sizeof params);
  NEED(cuModuleLoadData(&module, entry_image(&size)) == CUDA_SUCCESS);
  NEED(cuModuleGetFunction(&params.func, module, "add") == CUDA_SUCCESS);
  params.gridDimX = params.gridDimY = params.gridDimZ = 1;
  params.blockDimX = params.blockDimY = params.blockDimZ = 1;
  params.kernelParams = arguments;
  ENTRY(cuGraphAddKernelNode, (&node, graph, NULL, 0, &params), CUDA_SUCCESS, node != NULL,
        (&node, graph, NULL, 0, NULL), refused);
  ENTRY(cuGraphKernelNodeGetParams, (node, &got), CUDA_SUCCESS, got.func == params.func, (node, NULL), refused);
  ENTRY(cuGraphKernelNodeSetParams, (node, &params), CUDA_SUCCESS, 1, (node, NULL), refused);
  NEED(cuGraphInstantiate(&exec, graph, NULL, NULL, 0) == CUDA_SUCCESS);
  ENTRY(cuGraphExecKernelNodeSetParams, (exec, node, &params), CUDA_SUCCESS, 1, (exec, node, NULL), refused);
  NEED(cuGraphExecDestroy(exec) == CUDA_SUCCESS && cuGraphDestroyNode(node) == CUDA_SUCCESS);
  NEED(cuModuleUnload(module) == CUDA_SUCCESS);
}

static void captures(void) {
  CUstream stream = NULL;
  CUgraph made = NULL, told = NULL;
  const CUgraphNode *tips = NULL;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  cuuint64_t id = 0, same = 1;
  size_t count = 9;
  NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
  ENTRY(cuStreamBeginCapture, (stream), CUDA_SUCCESS, 1, (stream), CUDA_ERROR_ILLEGAL_STATE);
  ENTRY(cuStreamUpdateCaptureDependencies, (stream, NULL, 0, CU_STREAM_SET_CAPTURE_DEPENDENCIES), CUDA_SUCCESS, 1,
        (stream, NULL, 0, 99), refused);
  ENTRY(cuStreamGetCaptureInfo, (stream, &status, &id), CUDA_SUCCESS, status == CU_STREAM_CAPTURE_STATUS_ACTIVE,
        (stream, NULL, &id), refused);
  ENTRY(cuStreamGetCaptureInfo_v2, (stream, &status, &same, &told, &tips, &count), CUDA_SUCCESS,
        same == id && count == 0, (stream, NULL, &same, &told, &tips, &count), refused);
  NEED(cuStreamEndCapture(stream, &made) == CUDA_SUCCESS && made == told && cuGraphDestroy(made) == CUDA_SUCCESS);
  NEED(cuStreamDestroy(stream) == CUDA_SUCCESS);
}

void entry_driver_graph_older(void) {
  NEED(cuGraphCreate(&graph, 0) == CUDA_SUCCESS);
  edges();
  executables();
  kernels();
  captures();
  NEED(cuGraphDestroy(graph) == CUDA_SUCCESS);
}
