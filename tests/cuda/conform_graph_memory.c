/* SPDX-License-Identifier: MIT */
/* conform_graph_memory - graphs that allocate and free: nodes, capture, what outlives a launch, and what is refused. */
#include "conform.h"

#include <string.h>

enum { BYTES = 1 << 20, SMALL = 4096, ROUNDS = 5 };

static struct cudaMemAllocNodeParams describe(size_t bytes) {
  struct cudaMemAllocNodeParams params;
  memset(&params, 0, sizeof params);
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = bytes;
  return params;
}

static cudaGraph_t make_graph(void) {
  cudaGraph_t graph = NULL;
  conform_succeed(cudaGraphCreate(&graph, 0));
  return graph;
}

static cudaGraphNode_t add_alloc(cudaGraph_t graph, const cudaGraphNode_t *from, size_t count, size_t bytes,
                                 void **ptr) {
  struct cudaMemAllocNodeParams params = describe(bytes);
  cudaGraphNode_t node = NULL;
  conform_succeed(cudaGraphAddMemAllocNode(&node, graph, from, count, &params));
  conform_true(node != NULL && params.dptr != NULL);
  *ptr = params.dptr;
  return node;
}

static cudaGraphNode_t add_free(cudaGraph_t graph, cudaGraphNode_t from, void *ptr) {
  cudaGraphNode_t node = NULL;
  conform_succeed(cudaGraphAddMemFreeNode(&node, graph, &from, 1, ptr));
  return node;
}

static cudaGraphNode_t add_set(cudaGraph_t graph, cudaGraphNode_t from, void *ptr, unsigned value, size_t bytes) {
  struct cudaMemsetParams params;
  cudaGraphNode_t node = NULL;
  memset(&params, 0, sizeof params);
  params.dst = ptr;
  params.value = value;
  params.elementSize = 1;
  params.width = bytes;
  params.height = 1;
  conform_succeed(cudaGraphAddMemsetNode(&node, graph, &from, 1, &params));
  return node;
}

static cudaGraphNode_t add_copy(cudaGraph_t graph, cudaGraphNode_t from, void *to, const void *source, size_t bytes) {
  cudaGraphNode_t node = NULL;
  conform_succeed(cudaGraphAddMemcpyNode1D(&node, graph, &from, 1, to, source, bytes, cudaMemcpyDefault));
  return node;
}

static cudaGraphExec_t instantiate(cudaGraph_t graph, unsigned flags) {
  cudaGraphExec_t exec = NULL;
  conform_succeed(cudaGraphInstantiate(&exec, graph, flags));
  conform_true(exec != NULL);
  return exec;
}

static int holds(const unsigned char *host, int value, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    if (host[i] != value)
      return 0;
  return 1;
}

static void end(cudaGraphExec_t exec, cudaGraph_t graph) {
  conform_succeed(cudaGraphExecDestroy(exec));
  conform_succeed(cudaGraphDestroy(graph));
}

static void a_graph_allocates_uses_and_frees(cudaStream_t stream, unsigned char *host, size_t bytes) {
  cudaGraph_t graph = make_graph();
  void *ptr;
  cudaGraphNode_t alloc = add_alloc(graph, NULL, 0, bytes, &ptr), set = add_set(graph, alloc, ptr, 7, bytes);
  cudaGraphNode_t copy = add_copy(graph, set, host, ptr, bytes);
  add_free(graph, copy, ptr);
  cudaGraphExec_t exec = instantiate(graph, 0);
  for (int i = 0; i < ROUNDS; i++) {
    memset(host, 0, bytes);
    conform_succeed(cudaGraphLaunch(exec, stream));
    conform_succeed(cudaStreamSynchronize(stream));
    conform_true(holds(host, 7, bytes));
  }
  end(exec, graph);
}

/* A child graph with memory is no copy; it is moved, and what holds of it holds of the whole then. */
static void a_child_that_allocates_is_moved(cudaStream_t stream, unsigned char *host, size_t bytes) {
  cudaGraph_t child = make_graph(), graph = make_graph();
  cudaGraphNode_t node = NULL, second = NULL;
  struct cudaGraphNodeParams params;
  struct cudaMemAllocNodeParams more = describe(bytes);
  cudaGraphExec_t none = NULL;
  void *ptr;
  cudaGraphNode_t alloc = add_alloc(child, NULL, 0, bytes, &ptr), set = add_set(child, alloc, ptr, 9, bytes);
  add_free(child, add_copy(child, set, host, ptr, bytes), ptr);
  memset(&params, 0, sizeof params);
  params.type = cudaGraphNodeTypeGraph;
  params.graph.graph = child;
  params.graph.ownership = cudaGraphChildGraphOwnershipMove;
  conform_succeed(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &params));
  conform_true(cudaGraphAddMemAllocNode(&second, child, NULL, 0, &more) != cudaSuccess && second == NULL);
  conform_true(cudaGraphInstantiate(&none, child, 0) != cudaSuccess && none == NULL);
  cudaGetLastError();
  cudaGraphExec_t exec = instantiate(graph, 0);
  conform_true(cudaGraphInstantiate(&none, graph, 0) != cudaSuccess && none == NULL); /* one at a time */
  cudaGetLastError();
  for (int i = 0; i < ROUNDS; i++) {
    memset(host, 0, bytes);
    conform_succeed(cudaGraphLaunch(exec, stream));
    conform_succeed(cudaStreamSynchronize(stream));
    conform_true(holds(host, 9, bytes));
  }
  end(exec, graph);
}

static void parameters_are_told(void) {
  cudaGraph_t graph = make_graph();
  void *ptr, *freed = NULL;
  struct cudaMemAllocNodeParams got;
  enum cudaGraphNodeType type;
  cudaGraphNode_t alloc = add_alloc(graph, NULL, 0, BYTES, &ptr), node = add_free(graph, alloc, ptr);
  memset(&got, 0, sizeof got);
  conform_succeed(cudaGraphMemAllocNodeGetParams(alloc, &got));
  conform_true(got.dptr == ptr && got.bytesize == BYTES && got.poolProps.allocType == cudaMemAllocationTypePinned);
  conform_true(got.poolProps.location.type == cudaMemLocationTypeDevice && got.poolProps.location.id == 0);
  conform_succeed(cudaGraphMemFreeNodeGetParams(node, (void *)&freed));
  conform_true(freed == ptr);
  conform_succeed(cudaGraphNodeGetType(alloc, &type));
  conform_true(type == cudaGraphNodeTypeMemAlloc);
  conform_succeed(cudaGraphNodeGetType(node, &type));
  conform_true(type == cudaGraphNodeTypeMemFree);
  conform_expect(cudaErrorInvalidValue, cudaGraphMemAllocNodeGetParams(node, &got));
  conform_expect(cudaErrorInvalidValue, cudaGraphMemFreeNodeGetParams(alloc, (void *)&freed));
  conform_expect(cudaErrorInvalidValue, cudaGraphMemAllocNodeGetParams(alloc, NULL));
  conform_succeed(cudaGraphDestroy(graph));
}

/* The same by the call for nodes of any kind. */
static void nodes_of_any_kind(cudaStream_t stream, unsigned char *host) {
  cudaGraph_t graph = make_graph();
  cudaGraphNode_t alloc = NULL, node = NULL;
  struct cudaGraphNodeParams params;
  memset(&params, 0, sizeof params);
  params.type = cudaGraphNodeTypeMemAlloc;
  params.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
  params.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
  params.alloc.bytesize = BYTES;
  conform_succeed(cudaGraphAddNode(&alloc, graph, NULL, NULL, 0, &params));
  void *ptr = params.alloc.dptr;
  conform_true(ptr != NULL);
  cudaGraphNode_t set = add_set(graph, alloc, ptr, 3, BYTES), copy = add_copy(graph, set, host, ptr, BYTES);
  memset(&params, 0, sizeof params);
  params.type = cudaGraphNodeTypeMemFree;
  params.free.dptr = ptr;
  conform_succeed(cudaGraphAddNode(&node, graph, &copy, NULL, 1, &params));
  cudaGraphExec_t exec = instantiate(graph, 0);
  conform_succeed(cudaGraphLaunch(exec, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_true(holds(host, 3, BYTES));
  end(exec, graph);
}

/* Freed by the program, it can be launched again; before that, it cannot. */
static void memory_outlives_a_launch(cudaStream_t stream, cudaStream_t other, unsigned char *host) {
  cudaGraph_t graph = make_graph();
  void *ptr;
  cudaGraphNode_t alloc = add_alloc(graph, NULL, 0, BYTES, &ptr);
  add_set(graph, alloc, ptr, 5, BYTES);
  cudaGraphExec_t exec = instantiate(graph, 0);
  for (int i = 0; i < ROUNDS; i++) {
    conform_succeed(cudaGraphLaunch(exec, stream));
    conform_expect(cudaErrorInvalidValue, cudaGraphLaunch(exec, stream));
    conform_succeed(cudaMemcpyAsync(host, ptr, BYTES, cudaMemcpyDeviceToHost, stream));
    conform_succeed(cudaStreamSynchronize(stream));
    conform_true(holds(host, 5, BYTES));
    if (i % 3 == 0)
      conform_succeed(cudaFree(ptr));
    else
      conform_succeed(cudaFreeAsync(ptr, i % 3 == 1 ? stream : other));
  }
  conform_succeed(cudaDeviceSynchronize());
  end(exec, graph);
}

/* It outlives the graph, too, and another graph may free it. */
static void memory_outlives_its_graph(cudaStream_t stream, unsigned char *host) {
  for (int i = 0; i < 2; i++) {
    cudaGraph_t graph = make_graph(), freeing = make_graph();
    void *ptr;
    cudaGraphNode_t alloc = add_alloc(graph, NULL, 0, BYTES, &ptr), node = NULL;
    add_set(graph, alloc, ptr, 9, BYTES);
    conform_succeed(cudaGraphAddMemFreeNode(&node, freeing, NULL, 0, ptr));
    cudaGraphExec_t exec = instantiate(graph, 0), freeing_exec = instantiate(freeing, 0);
    conform_succeed(cudaGraphLaunch(exec, stream));
    conform_succeed(cudaStreamSynchronize(stream));
    if (i == 0)
      conform_succeed(cudaGraphLaunch(freeing_exec, stream));
    end(exec, graph);
    if (i == 1) {
      memset(host, 0, BYTES);
      conform_succeed(cudaMemcpy(host, ptr, BYTES, cudaMemcpyDeviceToHost));
      conform_true(holds(host, 9, BYTES));
      conform_succeed(cudaFree(ptr));
    }
    conform_succeed(cudaStreamSynchronize(stream));
    end(freeing_exec, freeing);
  }
}

static void a_launch_may_free_what_the_one_before_left(cudaStream_t stream, unsigned char *host) {
  cudaGraph_t graph = make_graph();
  void *ptr;
  cudaGraphNode_t alloc = add_alloc(graph, NULL, 0, BYTES, &ptr);
  add_set(graph, alloc, ptr, 4, BYTES);
  cudaGraphExec_t exec = instantiate(graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
  for (int i = 0; i < ROUNDS; i++)
    conform_succeed(cudaGraphLaunch(exec, stream));
  conform_succeed(cudaMemcpyAsync(host, ptr, BYTES, cudaMemcpyDeviceToHost, stream));
  conform_succeed(cudaFreeAsync(ptr, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_true(holds(host, 4, BYTES));
  end(exec, graph);
}

static void memory_of_a_stream_is_captured(cudaStream_t stream, unsigned char *host) {
  cudaMemPool_t pool = NULL;
  cudaGraph_t graph = NULL;
  void *first = NULL, *second = NULL;
  size_t count = 0;
  conform_succeed(cudaDeviceGetDefaultMemPool(&pool, 0));
  conform_succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  conform_succeed(cudaMallocAsync(&first, BYTES, stream));
  conform_true(first != NULL);
  conform_succeed(cudaMemsetAsync(first, 2, BYTES, stream));
  conform_succeed(cudaMallocFromPoolAsync(&second, BYTES, pool, stream));
  conform_true(second != NULL && second != first);
  conform_succeed(cudaMemcpyAsync(second, first, BYTES, cudaMemcpyDeviceToDevice, stream));
  conform_succeed(cudaFreeAsync(first, stream));
  conform_succeed(cudaMemcpyAsync(host, second, BYTES, cudaMemcpyDeviceToHost, stream));
  conform_succeed(cudaFreeAsync(second, stream));
  conform_succeed(cudaStreamEndCapture(stream, &graph));
  conform_succeed(cudaGraphGetNodes(graph, NULL, &count));
  conform_true(count == 7);
  cudaGraphExec_t exec = instantiate(graph, 0);
  for (int i = 0; i < ROUNDS; i++) {
    memset(host, 0, BYTES);
    conform_succeed(cudaGraphLaunch(exec, stream));
    conform_succeed(cudaStreamSynchronize(stream));
    conform_true(holds(host, 2, BYTES));
  }
  end(exec, graph);
}

/* Memory of one node after the other, each as large as the last. */
static void a_chain_of_allocations(cudaStream_t stream, unsigned char *host) {
  enum { NODES = 16 };
  cudaGraph_t graph = make_graph();
  cudaGraphNode_t last = NULL;
  void *ptr = NULL, *addresses[NODES];
  int different = 0;
  for (int i = 0; i < NODES; i++) {
    cudaGraphNode_t alloc = add_alloc(graph, &last, last != NULL, BYTES, &ptr);
    cudaGraphNode_t set = add_set(graph, alloc, ptr, (unsigned)i, BYTES);
    last = add_free(graph, add_copy(graph, set, host + (size_t)i * SMALL, ptr, SMALL), ptr);
    addresses[i] = ptr;
    int is_new = 1;
    for (int k = 0; k < i; k++)
      is_new &= addresses[k] != ptr;
    different += is_new;
  }
  printf("observed: %d allocations behind each other have %d addresses\n", NODES, different);
  cudaGraphExec_t exec = instantiate(graph, 0);
  memset(host, 0xff, NODES * SMALL);
  conform_succeed(cudaGraphLaunch(exec, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  for (int i = 0; i < NODES; i++)
    conform_true(holds(host + (size_t)i * SMALL, i, SMALL));
  end(exec, graph);
}

static void what_is_refused(cudaStream_t stream) {
  cudaGraph_t graph = make_graph(), outer = make_graph(), clone = NULL;
  cudaGraphNode_t node = NULL;
  cudaGraphExec_t exec, second = NULL;
  void *ptr, *plain = NULL;
  int on_host = 0;
  struct cudaMemAllocNodeParams params = describe(BYTES);
  conform_expect(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(NULL, graph, NULL, 0, &params));
  conform_expect(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&node, NULL, NULL, 0, &params));
  conform_expect(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&node, graph, NULL, 0, NULL));
  params.poolProps.allocType = cudaMemAllocationTypeInvalid;
  conform_expect(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
  cudaGraphNode_t alloc = add_alloc(graph, NULL, 0, BYTES, &ptr);
  conform_succeed(cudaMalloc(&plain, SMALL));
  conform_expect(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&node, graph, &alloc, 1, NULL));
  conform_expect(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&node, graph, &alloc, 1, plain));
  conform_expect(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&node, graph, &alloc, 1, &on_host));
  cudaGraphNode_t freed = add_free(graph, alloc, ptr);
  conform_expect(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&node, graph, &freed, 1, ptr));
  conform_true(cudaGraphClone(&clone, graph) != cudaSuccess && clone == NULL);
  conform_true(cudaGraphDestroyNode(freed) != cudaSuccess);
  conform_true(cudaGraphRemoveDependencies(graph, &alloc, &freed, NULL, 1) != cudaSuccess);
  conform_true(cudaGraphAddChildGraphNode(&node, outer, NULL, 0, graph) != cudaSuccess);
  cudaGetLastError();
  exec = instantiate(graph, 0);
  cudaError_t twice = cudaGraphInstantiate(&second, graph, 0);
  conform_true(twice != cudaSuccess);
  printf("observed: a second instance is %s\n", cudaGetErrorName(twice));
  cudaGetLastError();
  conform_succeed(cudaGraphExecDestroy(exec));
  exec = instantiate(graph, 0);
  conform_succeed(cudaGraphLaunch(exec, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  end(exec, graph);
  conform_succeed(cudaGraphDestroy(outer));
  conform_succeed(cudaFree(plain));
}

static void what_a_device_has(cudaStream_t stream) {
  unsigned long long used = 0, high = 0, reserved = 0, zero = 0;
  cudaGraph_t graph = make_graph();
  void *ptr;
  cudaGraphNode_t alloc = add_alloc(graph, NULL, 0, BYTES, &ptr);
  add_free(graph, alloc, ptr);
  cudaGraphExec_t exec = instantiate(graph, 0);
  conform_succeed(cudaGraphLaunch(exec, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_succeed(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
  conform_succeed(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &high));
  conform_succeed(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved));
  printf("observed: used %llu, at most %llu, reserved %llu\n", used, high, reserved);
  conform_true(high >= BYTES && high >= used && reserved >= used);
  end(exec, graph);
  conform_succeed(cudaDeviceGraphMemTrim(0));
  conform_succeed(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &zero));
  conform_succeed(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
  conform_succeed(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &high));
  conform_true(high < BYTES);
  conform_expect(cudaErrorInvalidValue, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &zero));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetGraphMemAttribute(0, (enum cudaGraphMemAttributeType)99, &used));
}

int main(void) {
  cudaStream_t stream = NULL, other = NULL;
  unsigned char *host = NULL;
  conform_succeed(cudaStreamCreate(&stream));
  conform_succeed(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  conform_succeed(cudaMallocHost((void **)&host, BYTES));
  a_graph_allocates_uses_and_frees(stream, host, BYTES);
  a_graph_allocates_uses_and_frees(stream, host, SMALL);
  a_child_that_allocates_is_moved(stream, host, SMALL);
  parameters_are_told();
  nodes_of_any_kind(stream, host);
  memory_outlives_a_launch(stream, other, host);
  memory_outlives_its_graph(stream, host);
  a_launch_may_free_what_the_one_before_left(stream, host);
  memory_of_a_stream_is_captured(stream, host);
  a_chain_of_allocations(stream, host);
  what_is_refused(stream);
  what_a_device_has(stream);
  conform_succeed(cudaFreeHost(host));
  conform_succeed(cudaStreamDestroy(other));
  conform_succeed(cudaStreamDestroy(stream));
  return conform_done("conform_graph_memory");
}
