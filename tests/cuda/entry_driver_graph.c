/* SPDX-License-Identifier: MIT */
/* entry_driver_graph - rows of the driver's interface: graphs, their nodes and edges, executable graphs, capture. */
#include "entry.h"

#include <stdint.h>
#include <stdio.h>

static const CUresult refused = CUDA_ERROR_INVALID_VALUE;
static CUcontext context;
static CUgraph graph;
static CUgraphNode set, copy, host, child, empty, record, wait_node, kernel;
static CUmodule module;
static CUdeviceptr device;
static unsigned char bytes[BYTES];
static int calls;

static void CUDA_CB count_call(void *unused) {
  (void)unused;
  calls++;
}

static void sets_and_hosts(void) {
  CUDA_MEMSET_NODE_PARAMS params = { device, 0, 1, 1, BYTES, 1 }, got;
  CUDA_HOST_NODE_PARAMS call = { count_call, NULL }, called;
  memset(&got, 0, sizeof got);
  memset(&called, 0, sizeof called);
  ENTRY(cuGraphAddMemsetNode, (&set, graph, NULL, 0, &params, context), CUDA_SUCCESS, set != NULL,
        (&set, graph, NULL, 0, NULL, context), refused);
  ENTRY(cuGraphMemsetNodeGetParams, (set, &got), CUDA_SUCCESS, got.dst == device, (set, NULL), refused);
  ENTRY(cuGraphMemsetNodeSetParams, (set, &params), CUDA_SUCCESS, 1, (NULL, &params), refused);
  ENTRY(cuGraphAddHostNode, (&host, graph, &set, 1, &call), CUDA_SUCCESS, host != NULL, (&host, graph, &set, 1, NULL),
        refused);
  ENTRY(cuGraphHostNodeGetParams, (host, &called), CUDA_SUCCESS, called.fn == count_call, (set, &called), refused);
  ENTRY(cuGraphHostNodeSetParams, (host, &call), CUDA_SUCCESS, 1, (host, NULL), refused);
}

static CUDA_MEMCPY3D line(void) {
  CUDA_MEMCPY3D params;
  memset(&params, 0, sizeof params);
  params.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  params.srcDevice = device;
  params.dstMemoryType = CU_MEMORYTYPE_HOST;
  params.dstHost = bytes;
  params.WidthInBytes = BYTES;
  params.Height = params.Depth = 1;
  return params;
}

static void copies(void) {
  CUDA_MEMCPY3D params = line(), got;
  memset(&got, 0, sizeof got);
  ENTRY(cuGraphAddMemcpyNode, (&copy, graph, &set, 1, &params, context), CUDA_SUCCESS, copy != NULL,
        (&copy, graph, &set, 1, NULL, context), refused);
  ENTRY(cuGraphMemcpyNodeSetParams, (copy, &params), CUDA_SUCCESS, 1, (copy, NULL), refused);
  ENTRY(cuGraphMemcpyNodeGetParams, (copy, &got), CUDA_SUCCESS, got.WidthInBytes == BYTES, (copy, NULL), refused);
}

static CUDA_KERNEL_NODE_PARAMS one_block(void **arguments) {
  CUDA_KERNEL_NODE_PARAMS params;
  memset(&params, 0, sizeof params);
  NEED(cuModuleGetFunction(&params.func, module, "add") == CUDA_SUCCESS);
  params.gridDimX = params.gridDimY = params.gridDimZ = 1;
  params.blockDimX = params.blockDimY = params.blockDimZ = 1;
  params.kernelParams = arguments;
  return params;
}

static void kernels(void) {
  int by = 1;
  void *arguments[] = { &device, &by };
  CUDA_KERNEL_NODE_PARAMS params = one_block(arguments), got;
  CUkernelNodeAttrValue value;
  memset(&value, 0, sizeof value);
  ENTRY(cuGraphAddKernelNode, (&kernel, graph, NULL, 0, &params), CUDA_SUCCESS, kernel != NULL,
        (&kernel, graph, NULL, 0, NULL), refused);
  ENTRY(cuGraphKernelNodeGetParams, (kernel, &got), CUDA_SUCCESS, got.func == params.func, (kernel, NULL), refused);
  ENTRY(cuGraphKernelNodeSetParams, (kernel, &params), CUDA_SUCCESS, 1, (set, &params), refused);
  value.priority = -1;
  ENTRY(cuGraphKernelNodeSetAttribute, (kernel, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value), CUDA_SUCCESS, 1,
        (kernel, CU_LAUNCH_ATTRIBUTE_PRIORITY, NULL), refused);
  value.priority = 0;
  ENTRY(cuGraphKernelNodeGetAttribute, (kernel, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value), CUDA_SUCCESS,
        value.priority == -1, (kernel, CU_LAUNCH_ATTRIBUTE_PRIORITY, NULL), refused);
  ENTRY(cuGraphKernelNodeCopyAttributes, (kernel, kernel), CUDA_SUCCESS, 1, (kernel, set), refused);
}

static void others(CUevent event) {
  CUgraph inner = NULL, got = NULL;
  CUgraphNode any = NULL;
  CUevent told = NULL;
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_HOST;
  CUgraphNodeParams params;
  memset(&params, 0, sizeof params);
  params.type = CU_GRAPH_NODE_TYPE_EMPTY;
  NEED(cuGraphCreate(&inner, 0) == CUDA_SUCCESS);
  ENTRY(cuGraphAddNode, (&any, inner, NULL, NULL, 0, &params), CUDA_SUCCESS, any != NULL,
        (&any, inner, NULL, NULL, 0, NULL), refused);
  ENTRY(cuGraphNodeGetType, (any, &type), CUDA_SUCCESS, type == CU_GRAPH_NODE_TYPE_EMPTY, (any, NULL), refused);
  ENTRY(cuGraphAddChildGraphNode, (&child, graph, NULL, 0, inner), CUDA_SUCCESS, child != NULL,
        (&child, graph, NULL, 0, NULL), refused);
  ENTRY(cuGraphChildGraphNodeGetGraph, (child, &got), CUDA_SUCCESS, got != NULL, (set, &got), refused);
  ENTRY(cuGraphDestroyNode, (any), CUDA_SUCCESS, 1, (NULL), refused);
  ENTRY(cuGraphDestroy, (inner), CUDA_SUCCESS, 1, (NULL), refused);
  ENTRY(cuGraphAddEmptyNode, (&empty, graph, NULL, 0), CUDA_SUCCESS, empty != NULL, (NULL, graph, NULL, 0), refused);
  ENTRY(cuGraphAddEventRecordNode, (&record, graph, NULL, 0, event), CUDA_SUCCESS, record != NULL,
        (&record, graph, NULL, 0, NULL), refused);
  ENTRY(cuGraphEventRecordNodeGetEvent, (record, &told), CUDA_SUCCESS, told == event, (record, NULL), refused);
  ENTRY(cuGraphEventRecordNodeSetEvent, (record, event), CUDA_SUCCESS, 1, (record, NULL), refused);
  ENTRY(cuGraphAddEventWaitNode, (&wait_node, graph, &record, 1, event), CUDA_SUCCESS, wait_node != NULL,
        (&wait_node, graph, &record, 1, NULL), refused);
  ENTRY(cuGraphEventWaitNodeGetEvent, (wait_node, &told), CUDA_SUCCESS, told == event, (wait_node, NULL), refused);
  ENTRY(cuGraphEventWaitNodeSetEvent, (wait_node, event), CUDA_SUCCESS, 1, (wait_node, NULL), refused);
  params.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD;
  params.eventRecord.event = event;
  ENTRY(cuGraphNodeSetParams, (record, &params), CUDA_SUCCESS, 1, (set, &params), refused);
}

/* In a graph of their own: one that has such nodes loses none, and is not copied. */
static void memory(void) {
  CUgraph own = NULL;
  CUgraphNode alloc = NULL, end = NULL;
  CUDA_MEM_ALLOC_NODE_PARAMS params, told;
  CUgraphConditionalHandle condition = 0;
  CUdeviceptr freed = 0;
  cuuint64_t used = 0;
  memset(&params, 0, sizeof params);
  memset(&told, 0, sizeof told);
  params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  params.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  params.bytesize = BYTES;
  NEED(cuGraphCreate(&own, 0) == CUDA_SUCCESS);
  ENTRY(cuGraphAddMemAllocNode, (&alloc, own, NULL, 0, &params), CUDA_SUCCESS, alloc != NULL && params.dptr != 0,
        (&alloc, own, NULL, 0, NULL), refused);
  ENTRY(cuGraphMemAllocNodeGetParams, (alloc, &told), CUDA_SUCCESS, told.dptr == params.dptr, (alloc, NULL), refused);
  ENTRY(cuGraphAddMemFreeNode, (&end, own, &alloc, 1, params.dptr), CUDA_SUCCESS, end != NULL,
        (&end, own, &alloc, 1, 0), refused);
  ENTRY(cuGraphMemFreeNodeGetParams, (end, &freed), CUDA_SUCCESS, freed == params.dptr, (end, NULL), refused);
  ENTRY(cuDeviceGetGraphMemAttribute, (0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &used), CUDA_SUCCESS, used >= BYTES,
        (0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, NULL), refused);
  used = 0;
  ENTRY(cuDeviceSetGraphMemAttribute, (0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &used), CUDA_SUCCESS, 1,
        (0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used), refused);
  ENTRY(cuDeviceGraphMemTrim, (0), CUDA_SUCCESS, 1, (1000), CUDA_ERROR_INVALID_DEVICE);
  ENTRY(cuGraphConditionalHandleCreate, (&condition, own, context, 1, CU_GRAPH_COND_ASSIGN_DEFAULT), CUDA_SUCCESS,
        condition != 0, (NULL, own, context, 1, 0), refused);
  NEED(cuGraphDestroy(own) == CUDA_SUCCESS);
}

/* In a graph of its own. */
static void words(void) {
  CUstreamBatchMemOpParams write;
  CUDA_BATCH_MEM_OP_NODE_PARAMS params = { context, 1, &write, 0 }, told;
  CUgraph own = NULL;
  CUgraphNode node = NULL;
  CUgraphExec exec = NULL;
  memset(&write, 0, sizeof write);
  memset(&told, 0, sizeof told);
  write.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  write.writeValue.address = device;
  NEED(cuGraphCreate(&own, 0) == CUDA_SUCCESS);
  ENTRY(cuGraphAddBatchMemOpNode, (&node, own, NULL, 0, &params), CUDA_SUCCESS, node != NULL,
        (&node, own, NULL, 0, NULL), refused);
  ENTRY(cuGraphBatchMemOpNodeGetParams, (node, &told), CUDA_SUCCESS, told.count == 1, (node, NULL), refused);
  ENTRY(cuGraphBatchMemOpNodeSetParams, (node, &params), CUDA_SUCCESS, 1, (node, NULL), refused);
  NEED(cuGraphInstantiate(&exec, own, 0) == CUDA_SUCCESS);
  ENTRY(cuGraphExecBatchMemOpNodeSetParams, (exec, node, &params), CUDA_SUCCESS, 1, (exec, node, NULL), refused);
  NEED(cuGraphExecDestroy(exec) == CUDA_SUCCESS && cuGraphDestroy(own) == CUDA_SUCCESS);
}

static void edges(void) {
  CUgraph clone = NULL;
  CUgraphNode from[32], to[32];
  size_t count = 32;
  ENTRY(cuGraphAddDependencies, (graph, &set, &empty, NULL, 1), CUDA_SUCCESS, 1, (graph, &set, &empty, NULL, 1),
        refused);
  ENTRY(cuGraphGetEdges, (graph, from, to, NULL, &count), CUDA_SUCCESS, count > 0, (graph, from, to, NULL, NULL),
        refused);
  count = 32;
  ENTRY(cuGraphNodeGetDependencies, (empty, from, NULL, &count), CUDA_SUCCESS, count == 1 && from[0] == set,
        (NULL, from, NULL, &count), refused);
  count = 32;
  ENTRY(cuGraphNodeGetDependentNodes, (set, to, NULL, &count), CUDA_SUCCESS, count == 3, (NULL, to, NULL, &count),
        refused);
  ENTRY(cuGraphRemoveDependencies, (graph, &set, &empty, NULL, 1), CUDA_SUCCESS, 1, (NULL, &set, &empty, NULL, 1),
        refused);
  count = 32;
  ENTRY(cuGraphGetNodes, (graph, from, &count), CUDA_SUCCESS, count == 8, (graph, from, NULL), refused);
  count = 32;
  ENTRY(cuGraphGetRootNodes, (graph, from, &count), CUDA_SUCCESS, count == 5, (graph, from, NULL), refused);
  ENTRY(cuGraphClone, (&clone, graph), CUDA_SUCCESS, clone != NULL, (&clone, NULL), refused);
  NEED(clone != NULL);
  ENTRY(cuGraphNodeFindInClone, (&to[0], set, clone), CUDA_SUCCESS, to[0] != set, (NULL, set, clone), refused);
  NEED(cuGraphDestroy(clone) == CUDA_SUCCESS);
  ENTRY(cuGraphDebugDotPrint, (graph, "entry_driver_graph.dot", 0), CUDA_SUCCESS,
        remove("entry_driver_graph.dot") == 0, (graph, NULL, 0), refused);
}

static void objects(void) {
  CUuserObject object = NULL;
  ENTRY(cuUserObjectCreate, (&object, NULL, count_call, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC), CUDA_SUCCESS,
        object != NULL, (&object, NULL, NULL, 1, 1), refused);
  ENTRY(cuUserObjectRetain, (object, 2), CUDA_SUCCESS, 1, (object, 0), refused);
  ENTRY(cuGraphRetainUserObject, (graph, object, 1, 0), CUDA_SUCCESS, 1, (NULL, object, 1, 0), refused);
  ENTRY(cuGraphReleaseUserObject, (graph, object, 1), CUDA_SUCCESS, 1, (graph, object, 0), refused);
  calls = 0;
  ENTRY(cuUserObjectRelease, (object, 3), CUDA_SUCCESS, calls == 1, (NULL, 1), refused);
}

/* ---- executable graphs ---------------------------------------------------------------------------------- */

static void changed(CUgraphExec exec, CUevent event) {
  CUDA_MEMSET_NODE_PARAMS set_params = { device, 0, 2, 1, BYTES, 1 };
  CUDA_MEMCPY3D copy_params = line();
  CUDA_HOST_NODE_PARAMS call = { count_call, NULL };
  CUgraphExecUpdateResultInfo info;
  CUgraph inner = NULL;
  CUgraphNodeParams any;
  unsigned is_enabled = 9;
  int by = 1;
  void *arguments[] = { &device, &by };
  CUDA_KERNEL_NODE_PARAMS kernel_params = one_block(arguments);
  memset(&any, 0, sizeof any);
  any.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD;
  any.eventRecord.event = event;
  ENTRY(cuGraphExecMemsetNodeSetParams, (exec, set, &set_params, context), CUDA_SUCCESS, 1,
        (exec, set, NULL, context), refused);
  ENTRY(cuGraphExecMemcpyNodeSetParams, (exec, copy, &copy_params, context), CUDA_SUCCESS, 1,
        (exec, copy, NULL, context), refused);
  ENTRY(cuGraphExecHostNodeSetParams, (exec, host, &call), CUDA_SUCCESS, 1, (exec, set, &call), refused);
  ENTRY(cuGraphExecKernelNodeSetParams, (exec, kernel, &kernel_params), CUDA_SUCCESS, 1, (exec, kernel, NULL),
        refused);
  NEED(cuGraphChildGraphNodeGetGraph(child, &inner) == CUDA_SUCCESS);
  ENTRY(cuGraphExecChildGraphNodeSetParams, (exec, child, inner), CUDA_SUCCESS, 1, (exec, child, NULL), refused);
  ENTRY(cuGraphExecEventRecordNodeSetEvent, (exec, record, event), CUDA_SUCCESS, 1, (exec, record, NULL), refused);
  ENTRY(cuGraphExecEventWaitNodeSetEvent, (exec, wait_node, event), CUDA_SUCCESS, 1, (exec, wait_node, NULL),
        refused);
  ENTRY(cuGraphExecNodeSetParams, (exec, record, &any), CUDA_SUCCESS, 1, (exec, record, NULL), refused);
  ENTRY(cuGraphNodeSetEnabled, (exec, kernel, 0), CUDA_SUCCESS, 1, (exec, host, 0), refused);
  ENTRY(cuGraphNodeGetEnabled, (exec, kernel, &is_enabled), CUDA_SUCCESS, is_enabled == 0, (exec, kernel, NULL),
        refused);
  ENTRY(cuGraphExecUpdate, (exec, graph, &info), CUDA_SUCCESS, info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS,
        (exec, inner, &info), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
}

static void launched(CUstream stream, CUevent event) {
  CUgraphExec exec = NULL, other = NULL;
  CUDA_GRAPH_INSTANTIATE_PARAMS params;
  cuuint64_t flags = 99;
  memset(&params, 0, sizeof params);
  ENTRY(cuGraphInstantiate, (&exec, graph, 0), CUDA_SUCCESS, exec != NULL, (&exec, NULL, 0), refused);
  ENTRY(cuGraphInstantiateWithParams, (&other, graph, &params), CUDA_SUCCESS,
        other != NULL && params.result_out == CUDA_GRAPH_INSTANTIATE_SUCCESS, (&other, graph, NULL), refused);
  NEED(exec != NULL && other != NULL);
  ENTRY(cuGraphExecDestroy, (other), CUDA_SUCCESS, 1, (NULL), refused);
  ENTRY(cuGraphExecGetFlags, (exec, &flags), CUDA_SUCCESS, flags == 0, (exec, NULL), refused);
  changed(exec, event);
  NEED(cuGraphNodeSetEnabled(exec, kernel, 0) == CUDA_SUCCESS);
  calls = 0;
  ENTRY(cuGraphUpload, (exec, stream), CUDA_SUCCESS, 1, (NULL, stream), refused);
  ENTRY(cuGraphLaunch, (exec, stream), CUDA_SUCCESS,
        cuStreamSynchronize(stream) == CUDA_SUCCESS && calls == 1 && entry_host_holds(bytes, 1, BYTES),
        (NULL, stream), refused);
  NEED(cuGraphExecDestroy(exec) == CUDA_SUCCESS);
}

static void captured(CUstream stream) {
  CUgraph made = NULL, told = NULL;
  CUgraphNode node = NULL;
  const CUgraphNode *tips = NULL;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  cuuint64_t id = 0;
  size_t count = 0;
  ENTRY(cuThreadExchangeStreamCaptureMode, (&mode), CUDA_SUCCESS,
        cuThreadExchangeStreamCaptureMode(&mode) == CUDA_SUCCESS && mode == CU_STREAM_CAPTURE_MODE_RELAXED, (NULL),
        refused);
  ENTRY(cuStreamBeginCapture, (stream, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS, 1,
        (stream, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_ERROR_ILLEGAL_STATE);
  NEED(cuMemsetD8Async(device, 1, BYTES, stream) == CUDA_SUCCESS);
  ENTRY(cuStreamGetCaptureInfo, (stream, &status, &id, &told, &tips, NULL, &count), CUDA_SUCCESS,
        status == CU_STREAM_CAPTURE_STATUS_ACTIVE && id != 0 && count == 1,
        (stream, NULL, &id, &told, &tips, NULL, &count), refused);
  NEED(count == 1);
  node = tips[0];
  ENTRY(cuStreamUpdateCaptureDependencies, (stream, &node, NULL, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES), CUDA_SUCCESS,
        1, (stream, &node, NULL, 1, 99), refused);
  ENTRY(cuStreamEndCapture, (stream, &made), CUDA_SUCCESS, made == told, (stream, &made), CUDA_ERROR_ILLEGAL_STATE);
  ENTRY(cuStreamBeginCaptureToGraph, (stream, told, &node, NULL, 1, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS, 1,
        (stream, NULL, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_GLOBAL), refused);
  NEED(cuStreamEndCapture(stream, &made) == CUDA_SUCCESS && cuGraphDestroy(made) == CUDA_SUCCESS);
}

void entry_driver_graph(void) {
  CUstream stream = NULL;
  CUevent event = NULL;
  size_t size = 0;
  const char *image = entry_image(&size);
  NEED(cuCtxGetCurrent(&context) == CUDA_SUCCESS && cuModuleLoadData(&module, image) == CUDA_SUCCESS);
  NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS && cuEventCreate(&event, 0) == CUDA_SUCCESS);
  NEED(cuMemAlloc(&device, BYTES) == CUDA_SUCCESS);
  ENTRY(cuGraphCreate, (&graph, 0), CUDA_SUCCESS, graph != NULL, (&graph, 1), refused);
  NEED(graph != NULL);
  sets_and_hosts();
  copies();
  kernels();
  others(event);
  memory();
  words();
  edges();
  objects();
  launched(stream, event);
  captured(stream);
  NEED(cuGraphDestroy(graph) == CUDA_SUCCESS && cuEventDestroy(event) == CUDA_SUCCESS);
  NEED(cuMemFree(device) == CUDA_SUCCESS && cuStreamDestroy(stream) == CUDA_SUCCESS);
  NEED(cuModuleUnload(module) == CUDA_SUCCESS);
}
