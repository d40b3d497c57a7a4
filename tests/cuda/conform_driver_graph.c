/* SPDX-License-Identifier: MIT */
/*
 * conform_driver_graph - the driver's interface: graphs of copies, sets and host functions, and that a graph of one
 * interface is one of the other. Kernels: conform_driver_graph_kernel.c; capture: conform_driver_capture.c.
 */
#include "conform_driver.h"

#include <cuda_runtime.h>
#include <stdint.h>
#include <string.h>

enum { WIDTH = 96, HEIGHT = 5, DEPTH = 3, BYTES = WIDTH * HEIGHT * DEPTH, MOST = 16 };

static CUcontext context;
static CUstream stream;
static CUdeviceptr device;
static unsigned char host[BYTES], back[BYTES];
static int calls;

static void CUDA_CB count_call(void *counter) {
  ++*(int *)counter;
}

static CUgraph make_graph(void) {
  CUgraph graph = NULL;
  driver_succeed(cuGraphCreate(&graph, 0));
  driver_true(graph != NULL);
  return graph;
}

static CUDA_MEMCPY3D copy_of(CUmemorytype from, const void *src, CUmemorytype to, void *dst) {
  CUDA_MEMCPY3D copy;
  memset(&copy, 0, sizeof copy);
  copy.srcMemoryType = from;
  copy.dstMemoryType = to;
  copy.srcHost = from == CU_MEMORYTYPE_HOST ? src : NULL;
  copy.srcDevice = from == CU_MEMORYTYPE_HOST ? 0 : (CUdeviceptr)(uintptr_t)src;
  copy.dstHost = to == CU_MEMORYTYPE_HOST ? dst : NULL;
  copy.dstDevice = to == CU_MEMORYTYPE_HOST ? 0 : (CUdeviceptr)(uintptr_t)dst;
  copy.srcPitch = copy.dstPitch = copy.WidthInBytes = WIDTH;
  copy.srcHeight = copy.dstHeight = copy.Height = HEIGHT;
  copy.Depth = DEPTH;
  return copy;
}

static CUDA_MEMSET_NODE_PARAMS set_of(unsigned value) {
  const CUDA_MEMSET_NODE_PARAMS set = { device, 0, value, 1, BYTES, 1 };
  return set;
}

static int is_all(const unsigned char *bytes, int value) {
  for (int i = 0; i < BYTES; i++)
    if (bytes[i] != value)
      return 0;
  return 1;
}

static void run(CUgraph graph) {
  CUgraphExec exec = NULL;
  driver_succeed(cuGraphInstantiate(&exec, graph, 0));
  driver_succeed(cuGraphUpload(exec, stream));
  driver_succeed(cuGraphLaunch(exec, stream));
  driver_succeed(cuStreamSynchronize(stream));
  driver_succeed(cuGraphExecDestroy(exec));
}

/* ---- nodes ---------------------------------------------------------------------------------------------- */

static void nodes_do_what_they_say(void) {
  CUgraph graph = make_graph();
  CUgraphNode set = NULL, copy = NULL, call = NULL;
  CUDA_MEMSET_NODE_PARAMS set_params = set_of(7);
  const CUDA_MEMCPY3D copy_params =
      copy_of(CU_MEMORYTYPE_DEVICE, (void *)(uintptr_t)device, CU_MEMORYTYPE_HOST, back);
  const CUDA_HOST_NODE_PARAMS call_params = { count_call, &calls };
  memset(back, 0, sizeof back);
  calls = 0;
  driver_succeed(cuGraphAddMemsetNode(&set, graph, NULL, 0, &set_params, context));
  driver_succeed(cuGraphAddMemcpyNode(&copy, graph, &set, 1, &copy_params, context));
  driver_succeed(cuGraphAddHostNode(&call, graph, &copy, 1, &call_params));
  run(graph);
  driver_true(is_all(back, 7) && calls == 1);
  set_params.value = 9;
  driver_succeed(cuGraphMemsetNodeSetParams(set, &set_params));
  memset(&set_params, 0, sizeof set_params);
  driver_succeed(cuGraphMemsetNodeGetParams(set, &set_params));
  driver_true(set_params.dst == device && set_params.value == 9 && set_params.width == BYTES);
  run(graph);
  driver_true(is_all(back, 9) && calls == 2);
  driver_succeed(cuGraphDestroy(graph));
}

static int is_same_end(CUmemorytype type, const void *told, CUdeviceptr told_device, const void *given,
                       CUdeviceptr given_device) {
  return type == CU_MEMORYTYPE_HOST ? told == given : told_device == given_device;
}

/* A box within boxes: positions, pitches and heights are told as they were given. */
static void copies_are_told_as_they_were_given(void) {
  const CUmemorytype types[] = { CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_DEVICE };
  CUgraph graph = make_graph();
  for (int i = 0; i < 4; i++) {
    const CUmemorytype from = types[i / 2], to = types[i % 2];
    void *near = (void *)(uintptr_t)device;
    CUDA_MEMCPY3D params = copy_of(from, from == CU_MEMORYTYPE_HOST ? (void *)host : near, to,
                                   to == CU_MEMORYTYPE_HOST ? (void *)back : near),
                  told;
    CUgraphNode node = NULL;
    params.srcXInBytes = 8;
    params.dstXInBytes = 16;
    params.srcY = params.dstZ = 1;
    params.WidthInBytes = 32;
    params.Height = params.Depth = 2;
    driver_succeed(cuGraphAddMemcpyNode(&node, graph, NULL, 0, &params, context));
    memset(&told, 1, sizeof told);
    driver_succeed(cuGraphMemcpyNodeGetParams(node, &told));
    driver_true(told.srcMemoryType == from && told.dstMemoryType == to);
    driver_true(is_same_end(from, told.srcHost, told.srcDevice, params.srcHost, params.srcDevice));
    driver_true(is_same_end(to, told.dstHost, told.dstDevice, params.dstHost, params.dstDevice));
    driver_true(told.srcXInBytes == 8 && told.dstXInBytes == 16 && told.srcY == 1 && told.dstZ == 1);
    driver_true(told.srcPitch == WIDTH && told.dstPitch == WIDTH && told.srcHeight == HEIGHT);
    driver_true(told.WidthInBytes == 32 && told.Height == 2 && told.Depth == 2 && told.srcArray == NULL);
    driver_succeed(cuGraphMemcpyNodeSetParams(node, &told));
  }
  driver_succeed(cuGraphDestroy(graph));
}

static void boxes_are_copied(void) {
  CUgraph graph = make_graph();
  CUgraphNode in = NULL, out = NULL;
  CUDA_MEMCPY3D to = copy_of(CU_MEMORYTYPE_HOST, host, CU_MEMORYTYPE_DEVICE, (void *)(uintptr_t)device),
                from = copy_of(CU_MEMORYTYPE_DEVICE, (void *)(uintptr_t)device, CU_MEMORYTYPE_HOST, back);
  for (int i = 0; i < BYTES; i++)
    host[i] = (unsigned char)(i % 251);
  from.srcXInBytes = from.dstXInBytes = 8;
  from.srcY = from.dstY = from.srcZ = from.dstZ = 1;
  from.WidthInBytes = 32;
  from.Height = from.Depth = 2;
  memset(back, 255, sizeof back);
  driver_succeed(cuGraphAddMemcpyNode(&in, graph, NULL, 0, &to, context));
  driver_succeed(cuGraphAddMemcpyNode(&out, graph, &in, 1, &from, context));
  run(graph);
  int fine = 1;
  for (int i = 0; i < BYTES; i++) {
    const int x = i % WIDTH, y = i / WIDTH % HEIGHT, z = i / WIDTH / HEIGHT;
    const int is_in = x >= 8 && x < 40 && y >= 1 && y < 3 && z >= 1 && z < 3;
    fine &= back[i] == (is_in ? host[i] : 255);
  }
  driver_true(fine);
  driver_succeed(cuGraphDestroy(graph));
}

static void arrays_are_told_in_bytes(void) {
  const CUDA_ARRAY3D_DESCRIPTOR shape = { 16, 4, 0, CU_AD_FORMAT_FLOAT, 2, 0 };
  CUarray array = NULL;
  CUgraph graph = make_graph();
  CUgraphNode node = NULL;
  CUDA_MEMCPY3D params = copy_of(CU_MEMORYTYPE_HOST, host, CU_MEMORYTYPE_DEVICE, NULL), told;
  if (cuArray3DCreate(&array, &shape) == CUDA_SUCCESS) {
    params.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    params.dstArray = array;
    params.dstPitch = params.dstHeight = 0;
    params.dstXInBytes = 24;
    params.WidthInBytes = 64;
    params.Height = 4;
    params.Depth = 1;
    driver_succeed(cuGraphAddMemcpyNode(&node, graph, NULL, 0, &params, context));
    driver_succeed(cuGraphMemcpyNodeGetParams(node, &told));
    driver_true(told.dstMemoryType == CU_MEMORYTYPE_ARRAY && told.dstArray == array && told.dstXInBytes == 24);
    driver_true(told.srcMemoryType == CU_MEMORYTYPE_HOST && told.srcHost == host && told.WidthInBytes == 64);
    driver_true(told.Height == 4 && told.Depth == 1);
    run(graph);
    driver_succeed(cuArrayDestroy(array));
  }
  driver_succeed(cuGraphDestroy(graph));
}

static void nodes_of_any_kind(void) {
  CUgraph graph = make_graph(), child = make_graph(), got = NULL;
  CUgraphNode set = NULL, copy = NULL, call = NULL, inner = NULL, empty = NULL;
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_HOST;
  CUgraphNodeParams params;
  calls = 0;
  memset(&params, 0, sizeof params);
  params.type = CU_GRAPH_NODE_TYPE_HOST;
  params.host.fn = count_call;
  params.host.userData = &calls;
  driver_succeed(cuGraphAddNode(&call, child, NULL, NULL, 0, &params));
  memset(&params, 0, sizeof params);
  params.type = CU_GRAPH_NODE_TYPE_MEMSET;
  params.memset.dst = device;
  params.memset.value = 3;
  params.memset.elementSize = 1;
  params.memset.width = BYTES;
  params.memset.height = 1;
  params.memset.ctx = context;
  driver_succeed(cuGraphAddNode(&set, graph, NULL, NULL, 0, &params));
  memset(&params, 0, sizeof params);
  params.type = CU_GRAPH_NODE_TYPE_MEMCPY;
  params.memcpy.copyCtx = context;
  params.memcpy.copyParams = copy_of(CU_MEMORYTYPE_DEVICE, (void *)(uintptr_t)device, CU_MEMORYTYPE_HOST, back);
  driver_succeed(cuGraphAddNode(&copy, graph, &set, NULL, 1, &params));
  memset(&params, 0, sizeof params);
  params.type = CU_GRAPH_NODE_TYPE_GRAPH;
  params.graph.graph = child;
  driver_succeed(cuGraphAddNode(&inner, graph, &copy, NULL, 1, &params));
  driver_succeed(cuGraphAddEmptyNode(&empty, graph, &inner, 1));
  driver_succeed(cuGraphNodeGetType(inner, &type));
  driver_true(type == CU_GRAPH_NODE_TYPE_GRAPH);
  driver_succeed(cuGraphChildGraphNodeGetGraph(inner, &got));
  driver_true(got != NULL && got != child);
  run(graph);
  driver_true(is_all(back, 3) && calls == 1);
  memset(&params, 0, sizeof params);
  params.type = CU_GRAPH_NODE_TYPE_MEMSET;
  params.memset.dst = device;
  params.memset.value = 4;
  params.memset.elementSize = 1;
  params.memset.width = BYTES;
  params.memset.height = 1;
  params.memset.ctx = context;
  driver_succeed(cuGraphNodeSetParams(set, &params));
  run(graph);
  driver_true(is_all(back, 4) && calls == 2);
  driver_succeed(cuGraphDestroy(child));
  driver_succeed(cuGraphDestroy(graph));
}

/* ---- edges ---------------------------------------------------------------------------------------------- */

static void edges_and_copies(void) {
  CUgraph graph = make_graph(), clone = NULL;
  CUgraphNode a = NULL, b = NULL, c = NULL, got[MOST], to[MOST];
  CUgraphEdgeData data[MOST];
  size_t count = MOST;
  memset(data, 1, sizeof data);
  driver_succeed(cuGraphAddEmptyNode(&a, graph, NULL, 0));
  driver_succeed(cuGraphAddEmptyNode(&b, graph, &a, 1));
  driver_succeed(cuGraphAddEmptyNode(&c, graph, NULL, 0));
  driver_succeed(cuGraphAddDependencies(graph, &b, &c, NULL, 1));
  driver_succeed(cuGraphGetEdges(graph, got, to, data, &count));
  driver_true(count == 2 && got[0] == a && to[0] == b && got[1] == b && to[1] == c);
  driver_true(data[0].type == CU_GRAPH_DEPENDENCY_TYPE_DEFAULT && data[1].from_port == 0);
  count = MOST;
  driver_succeed(cuGraphNodeGetDependencies(c, got, NULL, &count));
  driver_true(count == 1 && got[0] == b);
  count = MOST;
  driver_succeed(cuGraphNodeGetDependentNodes(a, got, NULL, &count));
  driver_true(count == 1 && got[0] == b);
  count = MOST;
  driver_succeed(cuGraphGetRootNodes(graph, got, &count));
  driver_true(count == 1 && got[0] == a);
  driver_succeed(cuGraphClone(&clone, graph));
  driver_succeed(cuGraphNodeFindInClone(&got[0], b, clone));
  driver_true(got[0] != NULL && got[0] != b);
  driver_succeed(cuGraphRemoveDependencies(graph, &b, &c, NULL, 1));
  driver_succeed(cuGraphDestroyNode(b));
  driver_succeed(cuGraphGetNodes(graph, NULL, &count));
  driver_true(count == 2);
  driver_succeed(cuGraphGetNodes(clone, NULL, &count));
  driver_true(count == 3);
  driver_succeed(cuGraphDestroy(clone));
  driver_succeed(cuGraphDestroy(graph));
}

/* ---- executable graphs ---------------------------------------------------------------------------------- */

static void an_executable_graph_changes(void) {
  CUgraph graph = make_graph(), other = NULL;
  CUgraphNode set = NULL, copy = NULL;
  CUgraphExec exec = NULL;
  CUDA_GRAPH_INSTANTIATE_PARAMS params;
  CUgraphExecUpdateResultInfo info;
  CUDA_MEMSET_NODE_PARAMS set_params = set_of(1);
  CUDA_MEMCPY3D copy_params = copy_of(CU_MEMORYTYPE_DEVICE, (void *)(uintptr_t)device, CU_MEMORYTYPE_HOST, back);
  cuuint64_t flags = 99;
  unsigned is_enabled = 9;
  memset(&params, 0, sizeof params);
  memset(&info, 0, sizeof info);
  driver_succeed(cuGraphAddMemsetNode(&set, graph, NULL, 0, &set_params, context));
  driver_succeed(cuGraphAddMemcpyNode(&copy, graph, &set, 1, &copy_params, context));
  driver_succeed(cuGraphClone(&other, graph));
  params.flags = CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
  driver_succeed(cuGraphInstantiateWithParams(&exec, graph, &params));
  driver_true(params.result_out == CUDA_GRAPH_INSTANTIATE_SUCCESS && params.hErrNode_out == NULL);
  driver_succeed(cuGraphExecGetFlags(exec, &flags));
  set_params.value = 5;
  driver_succeed(cuGraphExecMemsetNodeSetParams(exec, set, &set_params, context));
#ifndef ON_NVIDIA /* which tells no flags */
  driver_true(flags == CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY);
#endif
  copy_params.dstHost = host; /* of a copy of one row this might change */
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphExecMemcpyNodeSetParams(exec, copy, &copy_params, context));
  copy_params.dstHost = back;
  driver_succeed(cuGraphLaunch(exec, stream));
  driver_succeed(cuStreamSynchronize(stream));
  driver_true(is_all(copy_params.dstHost, 5));
  driver_succeed(cuGraphNodeSetEnabled(exec, set, 0));
  driver_succeed(cuGraphNodeGetEnabled(exec, set, &is_enabled));
  driver_true(is_enabled == 0);
  driver_succeed(cuGraphNodeSetEnabled(exec, set, 1));
  driver_succeed(cuGraphExecUpdate(exec, other, &info));
  driver_true(info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS);
  driver_succeed(cuGraphLaunch(exec, stream));
  driver_succeed(cuStreamSynchronize(stream));
  driver_true(is_all(back, 1));
  driver_succeed(cuGraphAddEmptyNode(&copy, other, NULL, 0));
  driver_expect(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(exec, other, &info));
  driver_true(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  driver_succeed(cuGraphExecDestroy(exec));
  driver_succeed(cuGraphDestroy(other));
  driver_succeed(cuGraphDestroy(graph));
}

/* ---- with the runtime ----------------------------------------------------------------------------------- */

static void graphs_are_of_both_interfaces(void) {
  cudaGraph_t graph = NULL;
  cudaGraphNode_t set = NULL, copy = NULL;
  cudaGraphExec_t exec = NULL;
  struct cudaMemsetParams set_params, set_told;
  struct cudaMemcpy3DParms told;
  CUDA_MEMCPY3D params = copy_of(CU_MEMORYTYPE_DEVICE, (void *)(uintptr_t)device, CU_MEMORYTYPE_HOST, back);
  memset(&set_params, 0, sizeof set_params);
  set_params.dst = (void *)(uintptr_t)device;
  set_params.value = 8;
  set_params.elementSize = 1;
  set_params.width = BYTES;
  set_params.height = 1;
  driver_true(cudaGraphCreate(&graph, 0) == cudaSuccess);
  driver_true(cudaGraphAddMemsetNode(&set, graph, NULL, 0, &set_params) == cudaSuccess);
  driver_succeed(cuGraphAddMemcpyNode(&copy, graph, &set, 1, &params, context));
  driver_true(cudaGraphMemcpyNodeGetParams(copy, &told) == cudaSuccess);
  driver_true(told.kind == cudaMemcpyDeviceToHost && told.dstPtr.ptr == back && told.extent.width == WIDTH);
  driver_true(cudaGraphMemsetNodeGetParams(set, &set_told) == cudaSuccess && set_told.value == 8);
  driver_succeed(cuGraphInstantiate(&exec, graph, 0));
  driver_true(cudaGraphLaunch(exec, stream) == cudaSuccess);
  driver_succeed(cuStreamSynchronize(stream));
  driver_true(is_all(back, 8));
  driver_true(cudaGraphExecDestroy(exec) == cudaSuccess);
  driver_succeed(cuGraphDestroy(graph));
}

static void events_are_nodes(void) {
  CUgraph graph = make_graph();
  CUgraphNode record = NULL, wait = NULL;
  CUevent event = NULL, other = NULL, got = NULL;
  driver_succeed(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  driver_succeed(cuEventCreate(&other, CU_EVENT_DISABLE_TIMING));
  driver_succeed(cuGraphAddEventRecordNode(&record, graph, NULL, 0, event));
  driver_succeed(cuGraphAddEventWaitNode(&wait, graph, &record, 1, event));
  driver_succeed(cuGraphEventRecordNodeSetEvent(record, other));
  driver_succeed(cuGraphEventRecordNodeGetEvent(record, &got));
  driver_true(got == other);
  driver_succeed(cuGraphEventWaitNodeGetEvent(wait, &got));
  driver_true(got == event);
  driver_succeed(cuGraphEventWaitNodeSetEvent(wait, other));
  run(graph);
  driver_succeed(cuEventQuery(other));
  driver_succeed(cuGraphDestroy(graph));
  driver_succeed(cuEventDestroy(event));
  driver_succeed(cuEventDestroy(other));
}

static void user_objects_go_with_graphs(void) {
  CUuserObject object = NULL;
  CUgraph graph = make_graph();
  calls = 0;
  driver_succeed(cuUserObjectCreate(&object, &calls, count_call, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  driver_succeed(cuUserObjectRetain(object, 2));
  driver_succeed(cuUserObjectRelease(object, 2));
  driver_succeed(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
  driver_true(calls == 0);
  driver_succeed(cuGraphReleaseUserObject(graph, object, 1));
  driver_succeed(cuGraphDestroy(graph));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuUserObjectCreate(&object, &calls, NULL, 1, 1));
}

/* ---- wrong arguments ------------------------------------------------------------------------------------ */

static void wrong_arguments_are_refused(void) {
  CUgraph graph = make_graph();
  CUgraphNode node = NULL;
  CUDA_MEMSET_NODE_PARAMS set = set_of(1);
  const CUDA_MEMCPY3D copy = copy_of(CU_MEMORYTYPE_DEVICE, (void *)(uintptr_t)device, CU_MEMORYTYPE_HOST, back);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphCreate(NULL, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphCreate(&graph, 1));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddMemcpyNode(&node, graph, NULL, 0, NULL, context));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddMemcpyNode(NULL, graph, NULL, 0, &copy, context));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddMemsetNode(&node, graph, NULL, 0, NULL, context));
  set.elementSize = 3;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddMemsetNode(&node, graph, NULL, 0, &set, context));
#ifndef ON_NVIDIA /* which looks behind any value */
  CUDA_KERNEL_NODE_PARAMS kernel;
  CUgraphNodeParams any;
  memset(&kernel, 0, sizeof kernel);
  memset(&any, 0, sizeof any);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddKernelNode(&node, graph, NULL, 0, &kernel));
  kernel.func = (CUfunction)(void *)&kernel;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddKernelNode(&node, graph, NULL, 0, &kernel));
  any.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL;
  driver_expect(CUDA_ERROR_NOT_SUPPORTED, cuGraphAddNode(&node, graph, NULL, NULL, 0, &any));
  set.elementSize = 1;
  driver_expect(CUDA_ERROR_INVALID_CONTEXT,
                cuGraphAddMemsetNode(&node, graph, NULL, 0, &set, (CUcontext)(void *)&set));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy((CUgraph)(void *)&graph));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(NULL, stream));
  driver_true(node == NULL);
#endif
  size_t count = 9;
  driver_succeed(cuGraphGetNodes(graph, NULL, &count));
  driver_true(count == 0);
  driver_succeed(cuGraphDestroy(graph));
}

static void entries_are_found(void) {
  static const struct {
    const char *name;
    int first, second;
  } rows[] = { { "cuGraphAddKernelNode", 11080, 12000 },
               { "cuGraphInstantiate", 10020, 11000 },
               { "cuGraphGetEdges", 12000, 12030 },
               { "cuStreamBeginCapture", 10000, 10010 },
               { "cuStreamGetCaptureInfo", 10010, 11030 } };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    void *first = NULL, *second = NULL;
    driver_succeed(cuGetProcAddress(rows[i].name, &first, rows[i].first, CU_GET_PROC_ADDRESS_DEFAULT, NULL));
    driver_succeed(cuGetProcAddress(rows[i].name, &second, rows[i].second, CU_GET_PROC_ADDRESS_DEFAULT, NULL));
    driver_true(first != NULL && second != NULL && first != second);
  }
}

int main(void) {
  driver_succeed(cuInit(0));
  driver_succeed(cuDevicePrimaryCtxRetain(&context, 0));
  driver_succeed(cuCtxSetCurrent(context));
  driver_succeed(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  driver_succeed(cuMemAlloc(&device, BYTES));
  nodes_do_what_they_say();
  copies_are_told_as_they_were_given();
  boxes_are_copied();
  arrays_are_told_in_bytes();
  nodes_of_any_kind();
  edges_and_copies();
  an_executable_graph_changes();
  graphs_are_of_both_interfaces();
  events_are_nodes();
  user_objects_go_with_graphs();
  wrong_arguments_are_refused();
  entries_are_found();
  driver_succeed(cuMemFree(device));
  driver_succeed(cuStreamDestroy(stream));
  return driver_done("conform_driver_graph");
}
