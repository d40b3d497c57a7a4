/* SPDX-License-Identifier: MIT */
/*
 * conform_driver_graph_memory - the driver's interface: nodes that allocate, free, and depend on conditions, added by
 * the call for each kind and by that for any; what they tell, and what is refused.
 */
#include "conform_driver.h"

#include <stdint.h>
#include <string.h>

enum { BYTES = 8192, LAUNCHES = 3 };

static CUdevice device;
static CUcontext context;
static CUstream stream;
static unsigned char back[BYTES];

static CUDA_MEM_ALLOC_NODE_PARAMS describe(size_t bytes) {
  CUDA_MEM_ALLOC_NODE_PARAMS params;
  memset(&params, 0, sizeof params);
  params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  params.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  params.poolProps.location.id = device;
  params.bytesize = bytes;
  return params;
}

static CUgraph make_graph(void) {
  CUgraph graph = NULL;
  driver_succeed(cuGraphCreate(&graph, 0));
  return graph;
}

static CUgraphNode add_set(CUgraph graph, const CUgraphNode *from, CUdeviceptr to, unsigned value) {
  const CUDA_MEMSET_NODE_PARAMS params = { to, 0, value, 1, BYTES, 1 };
  CUgraphNode node = NULL;
  driver_succeed(cuGraphAddMemsetNode(&node, graph, from, from != NULL, &params, context));
  return node;
}

static CUgraphNode add_copy(CUgraph graph, CUgraphNode from, CUdeviceptr source) {
  CUDA_MEMCPY3D params;
  CUgraphNode node = NULL;
  memset(&params, 0, sizeof params);
  params.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  params.srcDevice = source;
  params.dstMemoryType = CU_MEMORYTYPE_HOST;
  params.dstHost = back;
  params.WidthInBytes = BYTES;
  params.Height = params.Depth = 1;
  driver_succeed(cuGraphAddMemcpyNode(&node, graph, &from, 1, &params, context));
  return node;
}

static int is_all(unsigned value) {
  for (int i = 0; i < BYTES; i++)
    if (back[i] != value)
      return 0;
  return 1;
}

static CUgraphExec instantiate(CUgraph graph) {
  CUgraphExec exec = NULL;
  driver_succeed(cuGraphInstantiate(&exec, graph, 0));
  return exec;
}

static void launch(CUgraphExec exec) {
  memset(back, 0, sizeof back);
  driver_succeed(cuGraphLaunch(exec, stream));
  driver_succeed(cuStreamSynchronize(stream));
}

static void end(CUgraph graph, CUgraphExec exec) {
  driver_succeed(cuGraphExecDestroy(exec));
  driver_succeed(cuGraphDestroy(graph));
}

/* ---- memory --------------------------------------------------------------------------------------------- */

static unsigned long long used(void) {
  cuuint64_t bytes = 0;
  driver_succeed(cuDeviceGetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &bytes));
  return bytes;
}

static void graphs_allocate_and_free(void) {
  CUgraph graph = make_graph();
  CUDA_MEM_ALLOC_NODE_PARAMS params = describe(BYTES), told;
  CUgraphNode alloc = NULL, end_node = NULL;
  CUdeviceptr freed = 0;
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  driver_succeed(cuGraphAddMemAllocNode(&alloc, graph, NULL, 0, &params));
  driver_true(params.dptr != 0);
  CUgraphNode copy = add_copy(graph, add_set(graph, &alloc, params.dptr, 0x5a), params.dptr);
  driver_succeed(cuGraphAddMemFreeNode(&end_node, graph, &copy, 1, params.dptr));
  driver_succeed(cuGraphNodeGetType(alloc, &type));
  driver_true(type == CU_GRAPH_NODE_TYPE_MEM_ALLOC);
  memset(&told, 0, sizeof told);
  driver_succeed(cuGraphMemAllocNodeGetParams(alloc, &told));
  driver_true(told.dptr == params.dptr && told.bytesize == BYTES && told.poolProps.location.id == device);
  driver_succeed(cuGraphMemFreeNodeGetParams(end_node, &freed));
  driver_true(freed == params.dptr);
  CUgraphExec exec = instantiate(graph);
  for (int i = 0; i < LAUNCHES; i++) {
    launch(exec);
    driver_true(is_all(0x5a));
  }
  driver_true(used() >= BYTES);
  end(graph, exec);
}

/* The address is told by the parameters that described the node. */
static void nodes_of_any_kind_allocate(void) {
  CUgraph graph = make_graph();
  CUgraphNodeParams params;
  CUgraphNode alloc = NULL, end_node = NULL;
  memset(&params, 0, sizeof params);
  const CUDA_MEM_ALLOC_NODE_PARAMS memory = describe(BYTES);
  params.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
  memcpy(&params.alloc, &memory, sizeof params.alloc);
  driver_succeed(cuGraphAddNode(&alloc, graph, NULL, NULL, 0, &params));
  const CUdeviceptr ptr = params.alloc.dptr;
  driver_true(ptr != 0);
  CUgraphNode copy = add_copy(graph, add_set(graph, &alloc, ptr, 0x33), ptr);
  memset(&params, 0, sizeof params);
  params.type = CU_GRAPH_NODE_TYPE_MEM_FREE;
  params.free.dptr = ptr;
  driver_succeed(cuGraphAddNode(&end_node, graph, &copy, NULL, 1, &params));
  CUgraphExec exec = instantiate(graph);
  launch(exec);
  driver_true(is_all(0x33));
  end(graph, exec);
}

static void what_graphs_have_is_told(void) {
  cuuint64_t zero = 0, one = 1;
  driver_succeed(cuDeviceSetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &zero));
  driver_expect(CUDA_ERROR_INVALID_VALUE,
                cuDeviceSetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &zero));
  driver_expect(CUDA_ERROR_INVALID_VALUE,
                cuDeviceSetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &one));
  driver_expect(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetGraphMemAttribute(1000, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &one));
  driver_succeed(cuDeviceGraphMemTrim(device));
  driver_expect(CUDA_ERROR_INVALID_DEVICE, cuDeviceGraphMemTrim(1000));
}

static void what_is_wrong_is_refused(void) {
  CUgraph graph = make_graph();
  CUDA_MEM_ALLOC_NODE_PARAMS params = describe(0);
  CUgraphNode node = NULL;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddMemAllocNode(&node, graph, NULL, 0, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddMemFreeNode(&node, graph, NULL, 0, 0));
  driver_true(node == NULL && params.dptr == 0);
  params = describe(BYTES);
  params.poolProps.location.id = 1000;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
  driver_true(node == NULL && params.dptr == 0);
  driver_succeed(cuGraphDestroy(graph));
}

/* ---- conditions ----------------------------------------------------------------------------------------- */

static CUgraph *add_condition(CUgraph graph, CUgraphConditionalHandle handle, CUgraphConditionalNodeType type,
                              unsigned size, CUgraphNode *node) {
  CUgraphNodeParams params;
  memset(&params, 0, sizeof params);
  params.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = size;
  params.conditional.ctx = context;
  driver_succeed(cuGraphAddNode(node, graph, NULL, NULL, 0, &params));
  driver_true(params.conditional.phGraph_out != NULL);
  return params.conditional.phGraph_out;
}

static CUgraphConditionalHandle make_condition(CUgraph graph, unsigned value) {
  CUgraphConditionalHandle handle = 0;
  driver_succeed(cuGraphConditionalHandleCreate(&handle, graph, context, value, CU_GRAPH_COND_ASSIGN_DEFAULT));
  driver_true(handle != 0);
  return handle;
}

/* What a condition begins with decides, since nothing here sets one. */
static void bodies_are_chosen(CUgraphConditionalNodeType type, unsigned size, unsigned value, unsigned expected) {
  CUgraph graph = make_graph();
  CUdeviceptr memory = 0;
  CUgraphNode node = NULL;
  driver_succeed(cuMemAlloc(&memory, BYTES));
  driver_succeed(cuMemsetD8(memory, 0, BYTES));
  CUgraph *bodies = add_condition(graph, make_condition(graph, value), type, size, &node);
  for (unsigned i = 0; i < size; i++)
    add_set(bodies[i], NULL, memory, 10 + i);
  add_copy(graph, node, memory);
  CUgraphExec exec = instantiate(graph);
  launch(exec);
  driver_true(is_all(expected));
  end(graph, exec);
  driver_succeed(cuMemFree(memory));
}

static void wrong_conditions_are_refused(void) {
  CUgraph graph = make_graph(), other = make_graph();
  CUgraphConditionalHandle handle = 7;
  CUgraphNodeParams params;
  CUgraphNode node = NULL;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphConditionalHandleCreate(NULL, graph, context, 0, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphConditionalHandleCreate(&handle, graph, context, 0, 99));
  driver_true(handle == 7);
  memset(&params, 0, sizeof params);
  params.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  params.conditional.handle = make_condition(other, 0);
  params.conditional.size = 1;
  params.conditional.ctx = context;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode(&node, graph, NULL, NULL, 0, &params));
  driver_true(node == NULL && params.conditional.phGraph_out == NULL);
  driver_succeed(cuGraphDestroy(other));
  driver_succeed(cuGraphDestroy(graph));
}

int main(void) {
  driver_succeed(cuInit(0));
  driver_succeed(cuDeviceGet(&device, 0));
  driver_succeed(cuDevicePrimaryCtxRetain(&context, device));
  driver_succeed(cuCtxSetCurrent(context));
  driver_succeed(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  graphs_allocate_and_free();
  nodes_of_any_kind_allocate();
  what_graphs_have_is_told();
  what_is_wrong_is_refused();
  bodies_are_chosen(CU_GRAPH_COND_TYPE_IF, 1, 1, 10);
  bodies_are_chosen(CU_GRAPH_COND_TYPE_IF, 1, 0, 0);
  bodies_are_chosen(CU_GRAPH_COND_TYPE_IF, 2, 0, 11);
  bodies_are_chosen(CU_GRAPH_COND_TYPE_SWITCH, 4, 2, 12);
  bodies_are_chosen(CU_GRAPH_COND_TYPE_SWITCH, 4, 9, 0);
  bodies_are_chosen(CU_GRAPH_COND_TYPE_WHILE, 1, 0, 0);
  wrong_conditions_are_refused();
  driver_succeed(cuStreamDestroy(stream));
  driver_succeed(cuDevicePrimaryCtxRelease(device));
  return driver_done("conform_driver_graph_memory");
}
