/* SPDX-License-Identifier: MIT */
/* conform_graph_launch - graphs that run: in order, in branches, again, changed, and beside a model on the host. */
#include "conform.h"

#include <string.h>
#include <unistd.h>

enum { WORDS = 256, BYTES = WORDS * 4, BUFFERS = 6, NODES = 24, ROUNDS = 30 };

static int order[64], ordered;

static void CUDART_CB note_order(void *context) {
  order[__atomic_fetch_add(&ordered, 1, __ATOMIC_ACQ_REL)] = *(const int *)context;
}

static cudaGraphExec_t instantiate(cudaGraph_t graph) {
  cudaGraphExec_t exec = NULL;
  conform_succeed(cudaGraphInstantiate(&exec, graph, 0));
  conform_true(exec != NULL);
  return exec;
}

static void launch_and_wait(cudaGraphExec_t exec, cudaStream_t stream) {
  conform_succeed(cudaGraphLaunch(exec, stream));
  conform_succeed(cudaStreamSynchronize(stream));
}

static cudaGraphNode_t add_set(cudaGraph_t graph, const cudaGraphNode_t *from, size_t count, void *device,
                               unsigned value) {
  const struct cudaMemsetParams params = { device, 0, value, 4, WORDS, 1 };
  cudaGraphNode_t node = NULL;
  conform_succeed(cudaGraphAddMemsetNode(&node, graph, from, count, &params));
  return node;
}

static cudaGraphNode_t add_copy(cudaGraph_t graph, const cudaGraphNode_t *from, size_t count, void *to,
                                const void *source) {
  cudaGraphNode_t node = NULL;
  conform_succeed(cudaGraphAddMemcpyNode1D(&node, graph, from, count, to, source, BYTES, cudaMemcpyDefault));
  return node;
}

static int holds(const unsigned *words, unsigned value) {
  for (int i = 0; i < WORDS; i++)
    if (words[i] != value)
      return 0;
  return 1;
}

static void a_chain_runs_again_and_again(cudaStream_t stream, void *device, unsigned *host) {
  cudaGraph_t graph = NULL;
  conform_succeed(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t set = add_set(graph, NULL, 0, device, 0x01020304), copy = add_copy(graph, &set, 1, host, device);
  cudaGraphExec_t exec = instantiate(graph);
  for (int i = 0; i < 3; i++) {
    memset(host, 0, BYTES);
    launch_and_wait(exec, stream);
    conform_true(holds(host, 0x01020304));
  }
  const struct cudaMemsetParams other = { device, 0, 0xabcdef01u, 4, WORDS, 1 };
  conform_succeed(cudaGraphExecMemsetNodeSetParams(exec, set, &other));
  launch_and_wait(exec, stream);
  conform_true(holds(host, 0xabcdef01u));
  unsigned is_enabled = 9;
  conform_succeed(cudaGraphNodeSetEnabled(exec, copy, 0));
  conform_succeed(cudaGraphNodeGetEnabled(exec, copy, &is_enabled));
  conform_true(is_enabled == 0);
  memset(host, 0, BYTES);
  launch_and_wait(exec, stream);
  conform_true(holds(host, 0));
  conform_succeed(cudaGraphNodeSetEnabled(exec, copy, 1));
  conform_succeed(cudaGraphDestroy(graph));
  launch_and_wait(exec, stream);
  conform_true(holds(host, 0xabcdef01u));
  conform_succeed(cudaGraphExecDestroy(exec));
}

static void host_functions_are_called_in_order(cudaStream_t stream) {
  static int numbers[] = { 0, 1, 2, 3 };
  cudaGraph_t graph = NULL;
  cudaGraphNode_t nodes[4];
  conform_succeed(cudaGraphCreate(&graph, 0));
  for (int i = 0; i < 4; i++) { /* 0, then 1 and 2, then 3 */
    const struct cudaHostNodeParams params = { note_order, &numbers[i] };
    conform_succeed(cudaGraphAddHostNode(&nodes[i], graph, i == 3 ? &nodes[1] : nodes,
                                         i == 0   ? 0
                                         : i == 3 ? 2
                                                  : 1,
                                         &params));
  }
  cudaGraphExec_t exec = instantiate(graph);
  for (int i = 0; i < 5; i++) {
    ordered = 0;
    launch_and_wait(exec, stream);
    conform_true(ordered == 4 && order[0] == 0 && order[3] == 3 && order[1] + order[2] == 3);
  }
  conform_succeed(cudaGraphExecDestroy(exec));
  conform_succeed(cudaGraphDestroy(graph));
}

static void child_graphs_run_in_their_place(cudaStream_t stream, void *device, void *between, unsigned *host) {
  cudaGraph_t graph = NULL, child = NULL;
  cudaGraphNode_t node = NULL;
  conform_succeed(cudaGraphCreate(&child, 0));
  conform_succeed(cudaGraphCreate(&graph, 0));
  add_copy(child, NULL, 0, between, device);
  cudaGraphNode_t set = add_set(graph, NULL, 0, device, 5);
  conform_succeed(cudaGraphAddChildGraphNode(&node, graph, &set, 1, child));
  add_copy(graph, &node, 1, host, between);
  cudaGraphExec_t exec = instantiate(graph);
  launch_and_wait(exec, stream);
  conform_true(holds(host, 5));
  conform_succeed(cudaGraphDestroy(child));
  conform_succeed(cudaGraphCreate(&child, 0));
  const struct cudaMemsetParams other = { between, 0, 6, 4, WORDS, 1 };
  conform_succeed(cudaGraphAddMemsetNode(&set, child, NULL, 0, &other));
  conform_expect(cudaErrorGraphExecUpdateFailure, cudaGraphExecChildGraphNodeSetParams(exec, node, child));
  conform_succeed(cudaGraphDestroy(child));
  conform_succeed(cudaGraphExecDestroy(exec));
  conform_succeed(cudaGraphDestroy(graph));
}

static cudaError_t move_into(cudaGraph_t graph, cudaGraph_t child, cudaGraphNode_t *node_out) {
  struct cudaGraphNodeParams params;
  memset(&params, 0, sizeof params);
  params.type = cudaGraphNodeTypeGraph;
  params.graph.graph = child;
  params.graph.ownership = cudaGraphChildGraphOwnershipMove;
  return cudaGraphAddNode(node_out, graph, NULL, NULL, 0, &params);
}

/* The graph that the program named is the node's own: it changes with that, runs with that and goes with that. */
static void child_graphs_are_moved(cudaStream_t stream, void *device, unsigned *host) {
  cudaGraph_t graph = NULL, child = NULL, inner = NULL;
  cudaGraphNode_t node = NULL, second = NULL;
  cudaGraphExec_t none = NULL;
  conform_succeed(cudaGraphCreate(&child, 0));
  conform_succeed(cudaGraphCreate(&graph, 0));
#ifdef VPTR_CUDA_RUNTIME_API_H /* NVIDIA's makes graphs that are in themselves */
  conform_expect(cudaErrorInvalidValue, move_into(child, child, &node));
#endif
  cudaGraphNode_t set = add_set(child, NULL, 0, device, 7);
  conform_succeed(move_into(graph, child, &node));
  conform_succeed(cudaGraphChildGraphNodeGetGraph(node, &inner));
  conform_true(inner == child);
  conform_expect(cudaErrorNotSupported, move_into(graph, child, &second));
#ifdef VPTR_CUDA_RUNTIME_API_H
  conform_expect(cudaErrorInvalidValue, move_into(child, graph, &second));
#endif
  conform_expect(cudaErrorNotSupported, cudaGraphAddChildGraphNode(&second, graph, NULL, 0, child));
  conform_expect(cudaErrorNotSupported, cudaGraphInstantiate(&none, child, 0));
  conform_true(second == NULL && none == NULL);
  add_copy(child, &set, 1, host, device); /* what is added to it is in the graph */
  cudaGraphExec_t exec = instantiate(graph);
  conform_expect(cudaErrorInvalidValue, cudaGraphExecUpdate(exec, child, &(cudaGraphExecUpdateResultInfo){ 0 }));
  launch_and_wait(exec, stream);
  conform_true(holds(host, 7));
  conform_expect(cudaErrorInvalidValue, cudaGraphDestroy(child));
  conform_succeed(cudaGraphExecDestroy(exec));
  conform_succeed(cudaGraphDestroy(graph));
#ifdef VPTR_CUDA_RUNTIME_API_H /* NVIDIA's looks behind any value */
  conform_expect(cudaErrorInvalidValue, cudaGraphDestroy(child));
#endif
}

static void events_lead_out_and_in(cudaStream_t stream, void *device, unsigned *host) {
  cudaGraph_t graph = NULL;
  cudaGraphNode_t wait, set, record;
  cudaEvent_t before, behind;
  cudaStream_t other;
  conform_succeed(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  conform_succeed(cudaEventCreate(&before));
  conform_succeed(cudaEventCreate(&behind));
  conform_succeed(cudaGraphCreate(&graph, 0));
  conform_succeed(cudaGraphAddEventWaitNode(&wait, graph, NULL, 0, before));
  set = add_set(graph, &wait, 1, device, 8);
  conform_succeed(cudaGraphAddEventRecordNode(&record, graph, &set, 1, behind));
  cudaGraphExec_t exec = instantiate(graph);
  conform_succeed(cudaMemsetAsync(device, 1, BYTES, other));
  conform_succeed(cudaEventRecord(before, other));
  conform_succeed(cudaGraphLaunch(exec, stream));
  conform_succeed(cudaStreamWaitEvent(other, behind, 0));
  conform_succeed(cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, other));
  conform_succeed(cudaStreamSynchronize(other));
  conform_true(holds(host, 8));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_succeed(cudaGraphExecDestroy(exec));
  conform_succeed(cudaGraphDestroy(graph));
  conform_succeed(cudaEventDestroy(before));
  conform_succeed(cudaEventDestroy(behind));
  conform_succeed(cudaStreamDestroy(other));
}

static void a_whole_graph_is_exchanged(cudaStream_t stream, void *device, unsigned *host) {
  cudaGraph_t graph = NULL, other = NULL;
  cudaGraphExecUpdateResultInfo info;
  conform_succeed(cudaGraphCreate(&graph, 0));
  conform_succeed(cudaGraphCreate(&other, 0));
  cudaGraphNode_t set = add_set(graph, NULL, 0, device, 1);
  add_copy(graph, &set, 1, host, device);
  cudaGraphExec_t exec = instantiate(graph);
  set = add_set(other, NULL, 0, device, 2);
  conform_expect(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, other, &info));
  conform_true(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  add_copy(other, &set, 1, host, device);
  conform_succeed(cudaGraphExecUpdate(exec, other, &info));
  conform_true(info.result == cudaGraphExecUpdateSuccess);
  launch_and_wait(exec, stream);
  conform_true(holds(host, 2));
  conform_succeed(cudaGraphExecDestroy(exec));
  conform_succeed(cudaGraphDestroy(graph));
  conform_succeed(cudaGraphDestroy(other));
}

/* What a copy is of, and how many rows a set has, is planned when a graph is instantiated. */
static void copies_stay_what_they_are(cudaStream_t stream, void *device, void *between, unsigned *host) {
  cudaGraph_t graph = NULL, other = NULL;
  cudaGraphNode_t node = NULL, back = NULL;
  cudaGraphExecUpdateResultInfo info;
  conform_succeed(cudaGraphCreate(&graph, 0));
  conform_succeed(cudaGraphCreate(&other, 0));
  conform_succeed(cudaGraphAddMemcpyNode1D(&node, graph, NULL, 0, device, host, BYTES, cudaMemcpyHostToDevice));
  cudaGraphExec_t exec = instantiate(graph);
  const enum cudaMemcpyKind kinds[] = { cudaMemcpyHostToHost, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice,
                                        cudaMemcpyDefault };
  for (int i = 0; i < 4; i++)
    conform_expect(cudaErrorInvalidValue,
                   cudaGraphExecMemcpyNodeSetParams1D(exec, node, i == 1 ? (void *)host : device,
                                                      i == 1 ? device : (void *)host, BYTES, kinds[i]));
  conform_expect(cudaErrorInvalidValue,
                 cudaGraphExecMemcpyNodeSetParams1D(exec, node, device, host, BYTES + 10, cudaMemcpyHostToDevice));
  conform_succeed(cudaGraphAddMemcpyNode1D(&back, other, NULL, 0, host, device, BYTES, cudaMemcpyDeviceToHost));
  conform_expect(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, other, &info));
  conform_true(info.result == cudaGraphExecUpdateErrorParametersChanged && info.errorNode == back);
  conform_expect(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, other, NULL));
  conform_succeed(cudaGraphExecUpdate(exec, graph, NULL));
  conform_succeed(cudaGraphExecMemcpyNodeSetParams1D(exec, node, between, host, BYTES, cudaMemcpyHostToDevice));
  host[0] = host[WORDS - 1] = 77;
  launch_and_wait(exec, stream);
  memset(host, 0, BYTES);
  conform_succeed(cudaMemcpy(host, between, BYTES, cudaMemcpyDeviceToHost));
  conform_true(host[0] == 77 && host[WORDS - 1] == 77);
  conform_succeed(cudaGraphExecDestroy(exec));
  conform_succeed(cudaGraphDestroy(graph));
  conform_succeed(cudaGraphDestroy(other));
}

static void rects_stay_what_they_are(void *device, unsigned *host) {
  cudaGraph_t graph = NULL;
  cudaGraphNode_t copy = NULL, rect = NULL, line = NULL;
  struct cudaMemcpy3DParms params;
  cudaGraphExecUpdateResultInfo info;
  struct cudaMemsetParams set = { device, 64, 1, 4, 8, 4 }, row = { device, 0, 1, 4, 8, 1 };
  memset(&params, 0, sizeof params);
  params.kind = cudaMemcpyHostToDevice;
  params.srcPtr = make_cudaPitchedPtr(host, 64, 64, 4);
  params.dstPtr = make_cudaPitchedPtr(device, 64, 64, 4);
  params.extent = make_cudaExtent(64, 4, 1);
  conform_succeed(cudaGraphCreate(&graph, 0));
  conform_succeed(cudaGraphAddMemcpyNode(&copy, graph, NULL, 0, &params));
  conform_succeed(cudaGraphAddMemsetNode(&rect, graph, NULL, 0, &set));
  conform_succeed(cudaGraphAddMemsetNode(&line, graph, NULL, 0, &row));
  cudaGraphExec_t exec = instantiate(graph);
  conform_succeed(cudaGraphExecMemcpyNodeSetParams(exec, copy, &params)); /* nothing changes */
  params.srcPtr.ptr = host + 1;
  conform_expect(cudaErrorInvalidValue, cudaGraphExecMemcpyNodeSetParams(exec, copy, &params));
  conform_succeed(cudaGraphMemcpyNodeSetParams(copy, &params));
  conform_expect(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, graph, &info));
  conform_true(info.result == cudaGraphExecUpdateErrorParametersChanged);
  params.srcPtr.ptr = host;
  conform_succeed(cudaGraphMemcpyNodeSetParams(copy, &params));
  conform_succeed(cudaGraphExecUpdate(exec, graph, &info));
  set.width = 7;
  conform_expect(cudaErrorInvalidValue, cudaGraphExecMemsetNodeSetParams(exec, rect, &set));
  row.height = 2;
  row.pitch = 64;
  conform_expect(cudaErrorInvalidValue, cudaGraphExecMemsetNodeSetParams(exec, line, &row));
  conform_succeed(cudaGraphExecDestroy(exec));
  conform_succeed(cudaGraphDestroy(graph));
}

/* ---- random graphs -------------------------------------------------------------------------------------- */

static unsigned random_state = 1;

static unsigned random_below(unsigned limit) {
  random_state = random_state * 1664525u + 1013904223u;
  return (random_state >> 8) % limit;
}

typedef struct model {
  void *device[BUFFERS];
  unsigned value[BUFFERS];         /* as the host computes it */
  cudaGraphNode_t writer[BUFFERS]; /* the last that wrote it, and those that read it since */
  cudaGraphNode_t readers[BUFFERS][NODES];
  unsigned reader_count[BUFFERS];
} model;

static size_t push_unique(cudaGraphNode_t *list, size_t count, cudaGraphNode_t node) {
  for (size_t i = 0; i < count; i++)
    if (list[i] == node)
      return count;
  if (node != NULL)
    list[count++] = node;
  return count;
}

/* A set of a buffer or a copy between two, behind what it must be behind and nothing else. */
static void add_random(model *it, cudaGraph_t graph) {
  cudaGraphNode_t from[2 * NODES];
  size_t count = 0;
  unsigned to = random_below(BUFFERS), source = random_below(BUFFERS);
  count = push_unique(from, count, it->writer[to]);
  for (unsigned i = 0; i < it->reader_count[to]; i++)
    count = push_unique(from, count, it->readers[to][i]);
  cudaGraphNode_t node;
  if (source == to || random_below(3) == 0) {
    it->value[to] = random_below(1u << 20);
    node = add_set(graph, from, count, it->device[to], it->value[to]);
  } else {
    count = push_unique(from, count, it->writer[source]);
    node = add_copy(graph, from, count, it->device[to], it->device[source]);
    it->value[to] = it->value[source];
    it->readers[source][it->reader_count[source]++] = node;
  }
  it->writer[to] = node;
  it->reader_count[to] = 0;
}

static void run_random(model *it, cudaStream_t streams[2], unsigned *host) {
  cudaGraph_t graph = NULL;
  memset(it->writer, 0, sizeof it->writer);
  memset(it->reader_count, 0, sizeof it->reader_count);
  for (int i = 0; i < BUFFERS; i++) /* a graph that is launched twice must find the same */
    it->value[i] = 0;
  conform_succeed(cudaGraphCreate(&graph, 0));
  for (int i = 0; i < BUFFERS; i++)
    it->writer[i] = add_set(graph, NULL, 0, it->device[i], 0);
  for (unsigned i = random_below(NODES - BUFFERS); i > 0; i--)
    add_random(it, graph);
  cudaGraphExec_t exec = instantiate(graph);
  conform_succeed(cudaGraphLaunch(exec, streams[0]));
  launch_and_wait(exec, streams[random_below(2)]);
  conform_succeed(cudaDeviceSynchronize());
  for (int i = 0; i < BUFFERS; i++) {
    conform_succeed(cudaMemcpy(host, it->device[i], BYTES, cudaMemcpyDeviceToHost));
    conform_true(holds(host, it->value[i]));
  }
  conform_succeed(cudaGraphExecDestroy(exec));
  conform_succeed(cudaGraphDestroy(graph));
}

static void random_graphs_do_what_the_model_does(cudaStream_t streams[2], unsigned *host) {
  static model it;
  for (int i = 0; i < BUFFERS; i++)
    conform_succeed(cudaMalloc(&it.device[i], BYTES));
  for (int i = 0; i < ROUNDS; i++)
    run_random(&it, streams, host);
  for (int i = 0; i < BUFFERS; i++)
    conform_succeed(cudaFree(it.device[i]));
}

#ifndef ON_NVIDIA /* a pointer that was freed: CUDA's launch may succeed, and its error comes later */
static void what_was_freed_is_named(cudaStream_t stream) {
  void *device = NULL;
  cudaGraph_t graph = NULL;
  conform_succeed(cudaMalloc(&device, BYTES));
  conform_succeed(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t empty;
  conform_succeed(cudaGraphAddEmptyNode(&empty, graph, NULL, 0));
  add_set(graph, &empty, 1, device, 1);
  cudaGraphExec_t exec = instantiate(graph);
  launch_and_wait(exec, stream);
  conform_succeed(cudaFree(device));
  conform_true(cudaGraphLaunch(exec, stream) != cudaSuccess);
  cudaGetLastError();
  conform_succeed(cudaStreamSynchronize(stream));
  conform_succeed(cudaGraphExecDestroy(exec));
  conform_succeed(cudaGraphDestroy(graph));
}
#endif

int main(void) {
  void *device = NULL, *between = NULL, *host = NULL;
  cudaStream_t streams[2];
  conform_succeed(cudaMalloc(&device, BYTES));
  conform_succeed(cudaMalloc(&between, BYTES));
  conform_succeed(cudaMallocHost(&host, BYTES));
  conform_succeed(cudaStreamCreate(&streams[0]));
  conform_succeed(cudaStreamCreateWithFlags(&streams[1], cudaStreamNonBlocking));
  a_chain_runs_again_and_again(streams[0], device, host);
  a_chain_runs_again_and_again(NULL, device, host);
  a_chain_runs_again_and_again(cudaStreamPerThread, device, host);
  host_functions_are_called_in_order(streams[1]);
  child_graphs_run_in_their_place(streams[0], device, between, host);
  child_graphs_are_moved(streams[0], device, host);
  events_lead_out_and_in(streams[0], device, host);
  a_whole_graph_is_exchanged(streams[1], device, host);
  copies_stay_what_they_are(streams[0], device, between, host);
  rects_stay_what_they_are(device, host);
  random_graphs_do_what_the_model_does(streams, host);
#ifndef ON_NVIDIA
  what_was_freed_is_named(streams[0]);
#endif
  conform_succeed(cudaStreamDestroy(streams[0]));
  conform_succeed(cudaStreamDestroy(streams[1]));
  conform_succeed(cudaFreeHost(host));
  conform_succeed(cudaFree(device));
  conform_succeed(cudaFree(between));
  return conform_done("conform_graph_launch");
}
