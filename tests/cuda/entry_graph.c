/* SPDX-License-Identifier: MIT */
/* entry_graph - rows of the runtime: graphs, their nodes and edges, and executable graphs. */
#include "entry.h"

#include <stdio.h>
#include <vptr_kernel.h>
#include <vptr_symbol.h>

/* Names of CUDA 12's library, which no header of CUDA 13 declares. */
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cudaStreamGetCaptureInfo_v2 cudaStreamGetCaptureInfo_v2_ptsz
#define cudaStreamGetCaptureInfo_v3 cudaStreamGetCaptureInfo_v3_ptsz
#define cudaStreamUpdateCaptureDependencies_v2 cudaStreamUpdateCaptureDependencies_v2_ptsz
#endif
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                                const cudaGraphNode_t *to,
                                                                const cudaGraphEdgeData *edgeData,
                                                                size_t numDependencies);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                                   const cudaGraphNode_t *to,
                                                                   const cudaGraphEdgeData *edgeData,
                                                                   size_t numDependencies);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from,
                                                         cudaGraphNode_t *to, cudaGraphEdgeData *edgeData,
                                                         size_t *numEdges);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node,
                                                                    cudaGraphNode_t *pDependencies,
                                                                    cudaGraphEdgeData *edgeData,
                                                                    size_t *pNumDependencies);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node,
                                                                      cudaGraphNode_t *pDependentNodes,
                                                                      cudaGraphEdgeData *edgeData,
                                                                      size_t *pNumDependentNodes);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaGraphAddNode_v2(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                        const cudaGraphNode_t *pDependencies,
                                                        const cudaGraphEdgeData *dependencyData,
                                                        size_t numDependencies,
                                                        struct cudaGraphNodeParams *nodeParams);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamGetCaptureInfo_v2(
    cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out, vptr_unsigned_long_long *id_out,
    cudaGraph_t *graph_out, const cudaGraphNode_t **dependencies_out, size_t *numDependencies_out);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamGetCaptureInfo_v3(
    cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out, vptr_unsigned_long_long *id_out,
    cudaGraph_t *graph_out, const cudaGraphNode_t **dependencies_out, const cudaGraphEdgeData **edgeData_out,
    size_t *numDependencies_out);
VPTR_CUDA_API cudaError_t CUDARTAPI cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream,
                                                                           cudaGraphNode_t *dependencies,
                                                                           const cudaGraphEdgeData *dependencyData,
                                                                           size_t numDependencies,
                                                                           unsigned int flags);

static char add; /* a stub */
static int lone[4] = { 5, 6, 7, 8 };
static const vptr_cuda_kernel kernels[] = { { &add, "add" } };

static cudaGraph_t graph;
static int calls;

static void CUDART_CB count_call(void *context) {
  (void)context;
  calls++;
}

static size_t node_count(void) {
  size_t count = 0;
  return cudaGraphGetNodes(graph, NULL, &count) == cudaSuccess ? count : 0;
}

/* ---- nodes ---------------------------------------------------------------------------------------------- */

static cudaGraphNode_t set, copy, to_symbol, from_symbol, host, child, empty, record, wait_node, kernel, any;

static void sets_and_hosts(void *device) {
  struct cudaMemsetParams set_params = { device, 0, 1, 1, BYTES, 1 }, set_got = { NULL, 0, 0, 0, 0, 0 };
  struct cudaHostNodeParams host_params = { count_call, NULL }, host_got = { NULL, NULL };
  ENTRY(cudaGraphAddMemsetNode, (&set, graph, NULL, 0, &set_params), cudaSuccess, set != NULL,
        (&set, graph, NULL, 0, NULL), cudaErrorInvalidValue);
  ENTRY(cudaGraphMemsetNodeGetParams, (set, &set_got), cudaSuccess, set_got.dst == device, (set, NULL),
        cudaErrorInvalidValue);
  ENTRY(cudaGraphMemsetNodeSetParams, (set, &set_params), cudaSuccess, 1, (NULL, &set_params), cudaErrorInvalidValue);
  ENTRY(cudaGraphAddHostNode, (&host, graph, &set, 1, &host_params), cudaSuccess, host != NULL,
        (&host, graph, &set, 1, NULL), cudaErrorInvalidValue);
  ENTRY(cudaGraphHostNodeGetParams, (host, &host_got), cudaSuccess, host_got.fn == count_call, (set, &host_got),
        cudaErrorInvalidValue);
  ENTRY(cudaGraphHostNodeSetParams, (host, &host_params), cudaSuccess, 1, (host, NULL), cudaErrorInvalidValue);
}

static void copies(void *device, void *bytes) {
  const enum cudaMemcpyKind in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost;
  struct cudaMemcpy3DParms params;
  memset(&params, 0, sizeof params);
  params.srcPtr.ptr = device;
  params.dstPtr.ptr = bytes;
  params.srcPtr.pitch = params.dstPtr.pitch = params.extent.width = 16;
  params.extent.height = params.extent.depth = params.srcPtr.ysize = params.dstPtr.ysize = 1;
  params.kind = out;
  ENTRY(cudaGraphAddMemcpyNode, (&any, graph, NULL, 0, &params), cudaSuccess, any != NULL,
        (&any, graph, NULL, 0, NULL), cudaErrorInvalidValue);
  ENTRY(cudaGraphMemcpyNodeSetParams, (any, &params), cudaSuccess, 1, (any, NULL), cudaErrorInvalidValue);
  ENTRY(cudaGraphMemcpyNodeGetParams, (any, &params), cudaSuccess, params.extent.width == 16, (any, NULL),
        cudaErrorInvalidValue);
  ENTRY(cudaGraphDestroyNode, (any), cudaSuccess, 1, (NULL), cudaErrorInvalidValue);
  ENTRY(cudaGraphAddMemcpyNode1D, (&copy, graph, &set, 1, bytes, device, BYTES, out), cudaSuccess, copy != NULL,
        (&copy, graph, &set, 1, NULL, device, BYTES, out), cudaErrorInvalidValue);
  ENTRY(cudaGraphMemcpyNodeSetParams1D, (copy, bytes, device, BYTES, out), cudaSuccess, 1,
        (copy, bytes, device, BYTES, (enum cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
  NEED(vptr_cuda_register_symbol(lone, "lone", sizeof lone, lone, 0) == cudaSuccess);
  ENTRY(cudaGraphAddMemcpyNodeToSymbol, (&to_symbol, graph, &copy, 1, lone, bytes, 16, 0, in), cudaSuccess,
        to_symbol != NULL, (&to_symbol, graph, &copy, 1, lone, bytes, 16, 1, in), cudaErrorInvalidValue);
  ENTRY(cudaGraphMemcpyNodeSetParamsToSymbol, (to_symbol, lone, bytes, 16, 0, in), cudaSuccess, 1,
        (to_symbol, &calls, bytes, 16, 0, in), cudaErrorInvalidSymbol);
  ENTRY(cudaGraphAddMemcpyNodeFromSymbol, (&from_symbol, graph, &to_symbol, 1, bytes, lone, 16, 0, out), cudaSuccess,
        from_symbol != NULL, (&from_symbol, graph, &copy, 1, bytes, lone, 16, 1, out), cudaErrorInvalidValue);
  ENTRY(cudaGraphMemcpyNodeSetParamsFromSymbol, (from_symbol, bytes, lone, 16, 0, out), cudaSuccess, 1,
        (from_symbol, bytes, &calls, 16, 0, out), cudaErrorInvalidSymbol);
}

static void kernel_nodes(void) {
  struct cudaKernelNodeParams params;
  cudaLaunchAttributeValue value;
  int *pointer = NULL, by = 1;
  void *arguments[] = { &pointer, &by };
  memset(&params, 0, sizeof params);
  memset(&value, 0, sizeof value);
  params.func = &add;
  params.gridDim.x = params.gridDim.y = params.gridDim.z = 1;
  params.blockDim = params.gridDim;
  params.kernelParams = arguments;
  ENTRY(cudaGraphAddKernelNode, (&kernel, graph, NULL, 0, &params), cudaSuccess, kernel != NULL,
        (&kernel, graph, NULL, 0, NULL), cudaErrorInvalidValue);
  ENTRY(cudaGraphKernelNodeGetParams, (kernel, &params), cudaSuccess, *(int *)params.kernelParams[1] == 1,
        (kernel, NULL), cudaErrorInvalidValue);
  params.kernelParams = arguments;
  ENTRY(cudaGraphKernelNodeSetParams, (kernel, &params), cudaSuccess, 1, (set, &params), cudaErrorInvalidValue);
  value.priority = -1;
  ENTRY(cudaGraphKernelNodeSetAttribute, (kernel, cudaLaunchAttributePriority, &value), cudaSuccess, 1,
        (kernel, cudaLaunchAttributePriority, NULL), cudaErrorInvalidValue);
  value.priority = 0;
  ENTRY(cudaGraphKernelNodeGetAttribute, (kernel, cudaLaunchAttributePriority, &value), cudaSuccess,
        value.priority == -1, (kernel, cudaLaunchAttributePriority, NULL), cudaErrorInvalidValue);
  ENTRY(cudaGraphKernelNodeCopyAttributes, (kernel, kernel), cudaSuccess, 1, (kernel, set), cudaErrorInvalidValue);
}

static void other_nodes(cudaEvent_t event) {
  cudaGraph_t inner = NULL;
  cudaEvent_t got = NULL;
  enum cudaGraphNodeType type = cudaGraphNodeTypeHost;
  struct cudaGraphNodeParams params;
  memset(&params, 0, sizeof params);
  params.type = cudaGraphNodeTypeEmpty;
  ENTRY(cudaGraphAddNode, (&any, graph, NULL, NULL, 0, &params), cudaSuccess, any != NULL,
        (&any, graph, NULL, NULL, 0, NULL), cudaErrorInvalidValue);
  params.type = cudaGraphNodeTypeHost;
  params.host.fn = count_call;
  ENTRY(cudaGraphNodeSetParams, (host, &params), cudaSuccess, 1, (any, &params), cudaErrorInvalidValue);
  ENTRY(cudaGraphAddEmptyNode, (&empty, graph, NULL, 0), cudaSuccess, empty != NULL, (NULL, graph, NULL, 0),
        cudaErrorInvalidValue);
  ENTRY(cudaGraphNodeGetType, (empty, &type), cudaSuccess, type == cudaGraphNodeTypeEmpty, (empty, NULL),
        cudaErrorInvalidValue);
  ENTRY(cudaGraphAddChildGraphNode, (&child, graph, NULL, 0, graph), cudaSuccess, child != NULL,
        (&child, graph, NULL, 0, NULL), cudaErrorInvalidValue);
  ENTRY(cudaGraphChildGraphNodeGetGraph, (child, &inner), cudaSuccess, inner != NULL && inner != graph, (set, &inner),
        cudaErrorInvalidValue);
  NEED(cudaGraphDestroyNode(child) == cudaSuccess);
  ENTRY(cudaGraphAddEventRecordNode, (&record, graph, NULL, 0, event), cudaSuccess, record != NULL,
        (&record, graph, NULL, 0, NULL), cudaErrorInvalidValue);
  ENTRY(cudaGraphEventRecordNodeGetEvent, (record, &got), cudaSuccess, got == event, (record, NULL),
        cudaErrorInvalidValue);
  ENTRY(cudaGraphEventRecordNodeSetEvent, (record, event), cudaSuccess, 1, (record, NULL), cudaErrorInvalidValue);
  ENTRY(cudaGraphAddEventWaitNode, (&wait_node, graph, &record, 1, event), cudaSuccess, wait_node != NULL,
        (&wait_node, graph, NULL, 0, NULL), cudaErrorInvalidValue);
  ENTRY(cudaGraphEventWaitNodeGetEvent, (wait_node, &got), cudaSuccess, got == event, (record, &got),
        cudaErrorInvalidValue);
  ENTRY(cudaGraphEventWaitNodeSetEvent, (wait_node, event), cudaSuccess, 1, (wait_node, NULL), cudaErrorInvalidValue);
}

static void memory_nodes(void) {
  struct cudaMemAllocNodeParams params;
  cudaGraph_t own = NULL;
  cudaGraphNode_t node = NULL, end = NULL;
  void *freed = NULL;
  unsigned long long bytes = 0;
  memset(&params, 0, sizeof params);
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = BYTES;
  NEED(cudaGraphCreate(&own, 0) == cudaSuccess);
  ENTRY(cudaGraphAddMemAllocNode, (&node, own, NULL, 0, &params), cudaSuccess, params.dptr != NULL,
        (&node, own, NULL, 0, NULL), cudaErrorInvalidValue);
  ENTRY(cudaGraphMemAllocNodeGetParams, (node, &params), cudaSuccess, params.bytesize == BYTES, (node, NULL),
        cudaErrorInvalidValue);
  ENTRY(cudaGraphAddMemFreeNode, (&end, own, &node, 1, params.dptr), cudaSuccess, end != NULL,
        (&end, own, &node, 1, NULL), cudaErrorInvalidValue);
  ENTRY(cudaGraphMemFreeNodeGetParams, (end, &freed), cudaSuccess, freed == params.dptr, (node, &freed),
        cudaErrorInvalidValue);
  ENTRY(cudaDeviceGetGraphMemAttribute, (0, cudaGraphMemAttrUsedMemCurrent, &bytes), cudaSuccess, bytes >= BYTES,
        (0, cudaGraphMemAttrUsedMemCurrent, NULL), cudaErrorInvalidValue);
  NEED(cudaGraphDestroy(own) == cudaSuccess);
  bytes = 0;
  ENTRY(cudaDeviceSetGraphMemAttribute, (0, cudaGraphMemAttrUsedMemHigh, &bytes), cudaSuccess, 1,
        (0, cudaGraphMemAttrUsedMemCurrent, &bytes), cudaErrorInvalidValue);
  ENTRY(cudaDeviceGraphMemTrim, (0), cudaSuccess, 1, (-1), cudaErrorInvalidDevice);
}

static void conditions(void) {
  cudaGraph_t own = NULL;
  cudaGraphConditionalHandle handle = 0;
  NEED(cudaGraphCreate(&own, 0) == cudaSuccess);
  ENTRY(cudaGraphConditionalHandleCreate, (&handle, own, 1, cudaGraphCondAssignDefault), cudaSuccess, handle != 0,
        (&handle, own, 1, 99), cudaErrorInvalidValue);
  NEED(cudaGraphDestroy(own) == cudaSuccess);
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static void edges(void) {
  cudaGraphNode_t nodes[32];
  size_t count = 0;
  ENTRY(cudaGraphAddDependencies, (graph, &empty, &any, NULL, 1), cudaSuccess, 1, (graph, &empty, &any, NULL, 1),
        cudaErrorInvalidValue);
  ENTRY(cudaGraphGetEdges, (graph, NULL, NULL, NULL, &count), cudaSuccess, count > 3, (graph, NULL, NULL, NULL, NULL),
        cudaErrorInvalidValue);
  count = 32;
  ENTRY(cudaGraphNodeGetDependencies, (any, nodes, NULL, &count), cudaSuccess, count == 1 && nodes[0] == empty,
        (any, nodes, NULL, NULL), cudaErrorInvalidValue);
  count = 32;
  ENTRY(cudaGraphNodeGetDependentNodes, (empty, nodes, NULL, &count), cudaSuccess, count == 1 && nodes[0] == any,
        (empty, nodes, NULL, NULL), cudaErrorInvalidValue);
  ENTRY(cudaGraphRemoveDependencies, (graph, &empty, &any, NULL, 1), cudaSuccess, 1, (graph, &empty, &any, NULL, 1),
        cudaErrorInvalidValue);
  ENTRY(cudaGraphGetNodes, (graph, NULL, &count), cudaSuccess, count == node_count(), (graph, NULL, NULL),
        cudaErrorInvalidValue);
  ENTRY(cudaGraphGetRootNodes, (graph, NULL, &count), cudaSuccess, count > 0 && count < node_count(),
        (graph, NULL, NULL), cudaErrorInvalidValue);
  ENTRY(cudaGraphDebugDotPrint, (graph, "entry_graph.dot", 0), cudaSuccess, remove("entry_graph.dot") == 0,
        (graph, NULL, 0), cudaErrorInvalidValue);
}

static void clones_and_objects(void) {
  cudaGraph_t clone = NULL;
  cudaGraphNode_t found = NULL;
  cudaUserObject_t object = NULL;
  const unsigned no_sync = cudaUserObjectNoDestructorSync;
  ENTRY(cudaGraphClone, (&clone, graph), cudaSuccess, clone != NULL, (NULL, graph), cudaErrorInvalidValue);
  ENTRY(cudaGraphNodeFindInClone, (&found, set, clone), cudaSuccess, found != NULL && found != set,
        (&found, set, graph), cudaErrorInvalidValue);
  calls = 0;
  ENTRY(cudaUserObjectCreate, (&object, NULL, count_call, 1, no_sync), cudaSuccess, object != NULL,
        (&object, NULL, NULL, 1, no_sync), cudaErrorInvalidValue);
  ENTRY(cudaUserObjectRetain, (object, 1), cudaSuccess, 1, (object, 0), cudaErrorInvalidValue);
  ENTRY(cudaUserObjectRelease, (object, 1), cudaSuccess, calls == 0, (NULL, 1), cudaErrorInvalidValue);
  ENTRY(cudaGraphRetainUserObject, (clone, object, 1, cudaGraphUserObjectMove), cudaSuccess, 1, (clone, NULL, 1, 0),
        cudaErrorInvalidValue);
  ENTRY(cudaGraphReleaseUserObject, (clone, object, 1), cudaSuccess, calls == 1, (clone, object, 1),
        cudaErrorInvalidValue);
  ENTRY(cudaGraphDestroy, (clone), cudaSuccess, 1, (NULL), cudaErrorInvalidValue);
}

/* ---- executable graphs ---------------------------------------------------------------------------------- */

static void exec_nodes(cudaGraphExec_t exec, void *device, void *bytes, cudaEvent_t event) {
  const enum cudaMemcpyKind in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost;
  struct cudaMemsetParams set_params = { device, 0, 3, 1, BYTES, 1 };
  struct cudaHostNodeParams host_params = { count_call, NULL };
  struct cudaMemcpy3DParms copy_params;
  struct cudaKernelNodeParams kernel_params;
  struct cudaGraphNodeParams params;
  unsigned on = 9;
  NEED(cudaGraphMemcpyNodeGetParams(copy, &copy_params) == cudaSuccess);
  NEED(cudaGraphKernelNodeGetParams(kernel, &kernel_params) == cudaSuccess);
  ENTRY(cudaGraphExecMemsetNodeSetParams, (exec, set, &set_params), cudaSuccess, 1, (exec, copy, &set_params),
        cudaErrorInvalidValue);
  ENTRY(cudaGraphExecHostNodeSetParams, (exec, host, &host_params), cudaSuccess, 1, (exec, host, NULL),
        cudaErrorInvalidValue);
  ENTRY(cudaGraphExecMemcpyNodeSetParams, (exec, copy, &copy_params), cudaSuccess, 1, (exec, copy, NULL),
        cudaErrorInvalidValue);
  ENTRY(cudaGraphExecMemcpyNodeSetParams1D, (exec, copy, bytes, device, BYTES, out), cudaSuccess, 1,
        (exec, set, bytes, device, BYTES, out), cudaErrorInvalidValue);
  ENTRY(cudaGraphExecMemcpyNodeSetParamsToSymbol, (exec, to_symbol, lone, bytes, 16, 0, in), cudaSuccess, 1,
        (exec, to_symbol, lone, bytes, 16, 1, in), cudaErrorInvalidValue);
  ENTRY(cudaGraphExecMemcpyNodeSetParamsFromSymbol, (exec, from_symbol, bytes, lone, 16, 0, out), cudaSuccess, 1,
        (exec, from_symbol, bytes, lone, 16, 1, out), cudaErrorInvalidValue);
  ENTRY(cudaGraphExecKernelNodeSetParams, (exec, kernel, &kernel_params), cudaSuccess, 1, (exec, kernel, NULL),
        cudaErrorInvalidValue);
  ENTRY(cudaGraphExecEventRecordNodeSetEvent, (exec, record, event), cudaSuccess, 1, (exec, record, NULL),
        cudaErrorInvalidValue);
  ENTRY(cudaGraphExecEventWaitNodeSetEvent, (exec, wait_node, event), cudaSuccess, 1, (exec, record, event),
        cudaErrorInvalidValue);
  memset(&params, 0, sizeof params);
  params.type = cudaGraphNodeTypeHost;
  params.host.fn = count_call;
  ENTRY(cudaGraphExecNodeSetParams, (exec, host, &params), cudaSuccess, 1, (exec, set, &params),
        cudaErrorInvalidValue);
  params.type = cudaGraphNodeTypeGraph;
  params.graph.graph = NULL;
  entry_messages();
  NEED(cudaGraphExecNodeSetParams(exec, host, &params) == cudaErrorInvalidValue);
  entry_judge_messages("cudaGraphExecNodeSetParams of a child", __FILE__, __LINE__, entry_messages(), 1);
  ENTRY(cudaGraphNodeSetEnabled, (exec, kernel, 0), cudaSuccess, 1, (exec, host, 0), cudaErrorInvalidValue);
  ENTRY(cudaGraphNodeGetEnabled, (exec, kernel, &on), cudaSuccess, on == 0, (exec, kernel, NULL),
        cudaErrorInvalidValue);
}

static void child_of_exec(void) {
  cudaGraph_t outer = NULL, inner = NULL;
  cudaGraphNode_t node = NULL, within;
  cudaGraphExec_t exec = NULL;
  cudaGraphExecUpdateResultInfo info;
  NEED(cudaGraphCreate(&outer, 0) == cudaSuccess && cudaGraphCreate(&inner, 0) == cudaSuccess);
  NEED(cudaGraphAddEmptyNode(&within, inner, NULL, 0) == cudaSuccess);
  NEED(cudaGraphAddChildGraphNode(&node, outer, NULL, 0, inner) == cudaSuccess);
  ENTRY(cudaGraphInstantiateWithFlags, (&exec, outer, 0), cudaSuccess, exec != NULL, (&exec, outer, 99),
        cudaErrorInvalidValue);
  ENTRY(cudaGraphExecChildGraphNodeSetParams, (exec, node, inner), cudaSuccess, 1, (exec, node, outer),
        cudaErrorGraphExecUpdateFailure);
  ENTRY(cudaGraphExecUpdate, (exec, outer, &info), cudaSuccess, info.result == cudaGraphExecUpdateSuccess,
        (exec, inner, &info), cudaErrorGraphExecUpdateFailure);
  NEED(cudaGraphExecDestroy(exec) == cudaSuccess && cudaGraphDestroy(outer) == cudaSuccess &&
       cudaGraphDestroy(inner) == cudaSuccess);
}

static void execs(void *device, void *bytes, cudaEvent_t event) {
  cudaGraphExec_t exec = NULL, other = NULL;
  cudaGraphInstantiateParams params;
  vptr_unsigned_long_long flags = 9;
  cudaStream_t stream = NULL;
  memset(&params, 0, sizeof params);
  NEED(cudaStreamCreate(&stream) == cudaSuccess);
  ENTRY(cudaGraphInstantiate, (&exec, graph, 0), cudaSuccess, exec != NULL, (&exec, NULL, 0), cudaErrorInvalidValue);
  ENTRY(cudaGraphInstantiateWithParams, (&other, graph, &params), cudaSuccess,
        other != NULL && params.result_out == cudaGraphInstantiateSuccess, (&other, graph, NULL),
        cudaErrorInvalidValue);
  ENTRY(cudaGraphExecGetFlags, (exec, &flags), cudaSuccess, flags == 0, (exec, NULL), cudaErrorInvalidValue);
  exec_nodes(exec, device, bytes, event);
  calls = 0;
  ENTRY(cudaGraphUpload, (exec, stream), cudaSuccess, 1, (NULL, stream), cudaErrorInvalidValue);
  ENTRY(cudaGraphLaunch, (exec, stream), cudaSuccess, cudaStreamSynchronize(stream) == cudaSuccess && calls == 1,
        (NULL, stream), cudaErrorInvalidValue);
  ENTRY_HOLDS(cudaGraphLaunch, entry_device_holds(device, 3, BYTES));
  ENTRY(cudaGraphExecDestroy, (exec), cudaSuccess, cudaGraphExecDestroy(other) == cudaSuccess, (NULL),
        cudaErrorInvalidValue);
  NEED(cudaStreamDestroy(stream) == cudaSuccess);
}

/* ---- capture -------------------------------------------------------------------------------------------- */

static void captures(void *device) {
  enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaStream_t stream = NULL;
  cudaGraph_t ended = NULL;
  cudaGraphNode_t node = NULL;
  NEED(cudaStreamCreate(&stream) == cudaSuccess);
  ENTRY(cudaStreamBeginCapture, (stream, cudaStreamCaptureModeGlobal), cudaSuccess, 1,
        (stream, (enum cudaStreamCaptureMode)9), cudaErrorInvalidValue);
  NEED(cudaMemsetAsync(device, 4, BYTES, stream) == cudaSuccess);
  ENTRY(cudaStreamGetCaptureInfo, (stream, &status, NULL, &ended, NULL, NULL, NULL), cudaSuccess,
        status == cudaStreamCaptureStatusActive && ended != NULL, (stream, NULL, NULL, NULL, NULL, NULL, NULL),
        cudaErrorInvalidValue);
  NEED(cudaGraphAddEmptyNode(&node, ended, NULL, 0) == cudaSuccess);
  ENTRY(cudaStreamUpdateCaptureDependencies, (stream, &node, NULL, 1, cudaStreamAddCaptureDependencies), cudaSuccess,
        1, (stream, &node, NULL, 1, 9), cudaErrorInvalidValue);
  ended = NULL;
  ENTRY(cudaStreamEndCapture, (stream, &ended), cudaSuccess, ended != NULL, (stream, NULL), cudaErrorIllegalState);
  ENTRY(cudaStreamBeginCaptureToGraph, (stream, ended, &node, NULL, 1, cudaStreamCaptureModeRelaxed), cudaSuccess, 1,
        (stream, NULL, NULL, NULL, 0, cudaStreamCaptureModeRelaxed), cudaErrorInvalidValue);
  NEED(cudaStreamEndCapture(stream, &ended) == cudaSuccess && cudaGraphDestroy(ended) == cudaSuccess);
  NEED(cudaStreamDestroy(stream) == cudaSuccess);
}

/* ---- CUDA 12's names ------------------------------------------------------------------------------------ */

static void edges_of_12(void) {
  cudaGraphNode_t node = NULL;
  struct cudaGraphNodeParams params;
  size_t count = 0;
  memset(&params, 0, sizeof params);
  params.type = cudaGraphNodeTypeEmpty;
  ENTRY(cudaGraphAddNode_v2, (&node, graph, &empty, NULL, 1, &params), cudaSuccess, node != NULL,
        (&node, graph, NULL, NULL, 0, NULL), cudaErrorInvalidValue);
  ENTRY(cudaGraphNodeGetDependencies_v2, (node, NULL, NULL, &count), cudaSuccess, count == 1,
        (node, NULL, NULL, NULL), cudaErrorInvalidValue);
  ENTRY(cudaGraphRemoveDependencies_v2, (graph, &empty, &node, NULL, 1), cudaSuccess, 1,
        (graph, &empty, &node, NULL, 1), cudaErrorInvalidValue);
  ENTRY(cudaGraphAddDependencies_v2, (graph, &empty, &node, NULL, 1), cudaSuccess, 1, (graph, &empty, &node, NULL, 1),
        cudaErrorInvalidValue);
  ENTRY(cudaGraphNodeGetDependentNodes_v2, (empty, NULL, NULL, &count), cudaSuccess, count == 1,
        (empty, NULL, NULL, NULL), cudaErrorInvalidValue);
  ENTRY(cudaGraphGetEdges_v2, (graph, NULL, NULL, NULL, &count), cudaSuccess, count > 3,
        (graph, NULL, NULL, NULL, NULL), cudaErrorInvalidValue);
}

static void captures_of_12(void) {
  enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  const enum cudaStreamCaptureStatus active = cudaStreamCaptureStatusActive;
  cudaStream_t stream = NULL;
  cudaGraph_t ended = NULL;
  size_t count = 9;
  NEED(cudaStreamCreate(&stream) == cudaSuccess);
  NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  ENTRY(cudaStreamGetCaptureInfo_v2, (stream, &status, NULL, NULL, NULL, &count), cudaSuccess,
        status == active && count == 0, (stream, NULL, NULL, NULL, NULL, NULL), cudaErrorInvalidValue);
  status = cudaStreamCaptureStatusNone;
  ENTRY(cudaStreamGetCaptureInfo_v3, (stream, &status, NULL, NULL, NULL, NULL, &count), cudaSuccess, status == active,
        (stream, NULL, NULL, NULL, NULL, NULL, NULL), cudaErrorInvalidValue);
  ENTRY(cudaStreamUpdateCaptureDependencies_v2, (stream, NULL, NULL, 0, 1), cudaSuccess, 1,
        (stream, NULL, NULL, 1, 1), cudaErrorInvalidValue);
  NEED(cudaStreamEndCapture(stream, &ended) == cudaSuccess && cudaGraphDestroy(ended) == cudaSuccess);
  NEED(cudaStreamDestroy(stream) == cudaSuccess);
}

void entry_runtime_graph(void) {
  size_t length;
  void *handle = NULL, *device = NULL, *bytes = NULL;
  cudaEvent_t event = NULL;
  const char *text = entry_image(&length);
  const vptr_cuda_module module = { sizeof module, text, length, kernels, 1, NULL, 0 };
  NEED(vptr_cuda_register_module(&module, &handle) == cudaSuccess);
  NEED(cudaMalloc(&device, BYTES) == cudaSuccess && cudaMallocHost(&bytes, BYTES) == cudaSuccess &&
       cudaEventCreate(&event) == cudaSuccess);
  ENTRY(cudaGraphCreate, (&graph, 0), cudaSuccess, graph != NULL, (NULL, 0), cudaErrorInvalidValue);
  sets_and_hosts(device);
  copies(device, bytes);
  kernel_nodes();
  other_nodes(event);
  memory_nodes();
  conditions();
  edges();
  clones_and_objects();
  edges_of_12();
  captures_of_12();
  execs(device, bytes, event);
  child_of_exec();
  captures(device);
  NEED(cudaGraphDestroy(graph) == cudaSuccess && cudaEventDestroy(event) == cudaSuccess &&
       cudaFreeHost(bytes) == cudaSuccess && cudaFree(device) == cudaSuccess);
  NEED(vptr_cuda_unregister_symbol(lone) == cudaSuccess && vptr_cuda_unregister_module(handle) == cudaSuccess);
}
