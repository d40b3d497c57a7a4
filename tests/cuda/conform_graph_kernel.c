/* SPDX-License-Identifier: MIT */
/* conform_graph_kernel - graphs of kernels, captured as they are launched: arguments, order, branches, many nodes. */
#include "conform_kernel.h"

enum { COUNT = CONFORM_BLOCKS * CONFORM_THREADS, BYTES = COUNT * 4, STEPS = 32, MANY = 1000 };

static const char text[] = "extern \"C\" __global__ void step(int *x, int by, int times) {\n"
                           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                           "  x[i] = x[i] * times + by;\n"
                           "}\n"
                           "struct pair { int *x; const int *y; };\n"
                           "extern \"C\" __global__ void sum(pair of, int by) {\n"
                           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                           "  of.x[i] += of.y[i] + by;\n"
                           "}\n";

static int host[COUNT];

static int holds(const void *device, int value) {
  if (cudaMemcpy(host, device, BYTES, cudaMemcpyDeviceToHost) != cudaSuccess)
    return 0;
  for (int i = 0; i < COUNT; i++)
    if (host[i] != value)
      return 0;
  return 1;
}

static void launch_step(CUfunction function, cudaStream_t stream, void *x, int by, int times) {
  void *arguments[] = { &x, &by, &times };
  conform_true(conform_launch(function, stream, arguments));
}

static cudaGraphExec_t end(cudaStream_t stream) {
  cudaGraph_t graph = NULL;
  cudaGraphExec_t exec = NULL;
  conform_succeed(cudaStreamEndCapture(stream, &graph));
  conform_succeed(cudaGraphInstantiate(&exec, graph, 0));
  conform_succeed(cudaGraphDestroy(graph));
  return exec;
}

/* What a loop of kernels computes, as often as it is launched. */
static void a_loop_of_kernels(CUfunction step, cudaStream_t stream, void *x) {
  int value = 1;
  conform_succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < STEPS; i++)
    launch_step(step, stream, x, i, i % 3);
  cudaGraphExec_t exec = end(stream);
  conform_succeed(cudaMemset(x, 0, BYTES));
  for (int round = 0; round < 3; round++) {
    conform_succeed(cudaGraphLaunch(exec, stream));
    conform_succeed(cudaStreamSynchronize(stream));
    value = 0;
    for (int i = 0; i < STEPS; i++)
      value = value * (i % 3) + i;
    conform_true(holds(x, value));
  }
  conform_succeed(cudaGraphExecDestroy(exec));
}

/* Two kernels beside each other, and one that needs both. */
static void branches(CUfunction step, CUfunction sum, cudaStream_t stream, cudaStream_t other, void *x, void *y) {
  struct pair {
    void *x;
    const void *y;
  } of = { x, y };
  int by = 1000;
  void *arguments[] = { &of, &by };
  cudaEvent_t fork, join;
  conform_succeed(cudaEventCreate(&fork));
  conform_succeed(cudaEventCreate(&join));
  conform_succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  conform_succeed(cudaEventRecord(fork, stream));
  conform_succeed(cudaStreamWaitEvent(other, fork, 0));
  launch_step(step, stream, x, 3, 0);
  launch_step(step, other, y, 40, 0);
  conform_succeed(cudaEventRecord(join, other));
  conform_succeed(cudaStreamWaitEvent(stream, join, 0));
  conform_true(conform_launch(sum, stream, arguments));
  cudaGraphExec_t exec = end(stream);
  for (int round = 0; round < 5; round++)
    conform_succeed(cudaGraphLaunch(exec, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_true(holds(x, 1043) && holds(y, 40));
  conform_succeed(cudaGraphExecDestroy(exec));
  conform_succeed(cudaEventDestroy(fork));
  conform_succeed(cudaEventDestroy(join));
}

static void many_nodes(CUfunction step, cudaStream_t stream, void *x) {
  conform_succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  conform_succeed(cudaMemsetAsync(x, 0, BYTES, stream));
  for (int i = 0; i < MANY; i++)
    launch_step(step, stream, x, 1, 1);
  cudaGraphExec_t exec = end(stream);
  for (int round = 0; round < 2; round++) {
    conform_succeed(cudaGraphLaunch(exec, stream));
    conform_succeed(cudaStreamSynchronize(stream));
    conform_true(holds(x, MANY));
  }
  conform_succeed(cudaGraphExecDestroy(exec));
}

/* A kernel that may begin before the one in front of it is over: what the edge says is told, and is part of it. */
static void edges_keep_their_data(CUfunction step, cudaStream_t stream, void *x) {
  cudaGraph_t graph = NULL, clone = NULL;
  cudaGraphNode_t nodes[2], from[2], to[2];
  cudaGraphEdgeData early, got[2];
  size_t count = 2;
  memset(&early, 0, sizeof early);
  early.type = cudaGraphDependencyTypeProgrammatic;
  early.from_port = cudaGraphKernelNodePortProgrammatic;
  conform_succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  launch_step(step, stream, x, 1, 0);
  launch_step(step, stream, x, 2, 0);
  conform_succeed(cudaStreamEndCapture(stream, &graph));
  conform_succeed(cudaGraphGetNodes(graph, nodes, &count));
  conform_succeed(cudaGraphRemoveDependencies(graph, &nodes[0], &nodes[1], NULL, 1));
  conform_succeed(cudaGraphAddDependencies(graph, &nodes[0], &nodes[1], &early, 1));
  conform_succeed(cudaGraphClone(&clone, graph));
  conform_expect(cudaErrorLossyQuery, cudaGraphGetEdges(graph, from, to, NULL, &count));
  conform_expect(cudaErrorLossyQuery, cudaGraphNodeGetDependencies(nodes[1], from, NULL, &count));
  conform_expect(cudaErrorLossyQuery, cudaGraphNodeGetDependentNodes(nodes[0], to, NULL, &count));
  for (int i = 0; i < 2; i++) {
    memset(got, 0, sizeof got);
    count = 2;
    conform_succeed(cudaGraphGetEdges(i == 0 ? graph : clone, from, to, got, &count));
    conform_true(count == 1 && memcmp(&got[0], &early, sizeof early) == 0);
  }
  memset(got, 0, sizeof got);
  count = 2;
  conform_succeed(cudaGraphNodeGetDependencies(nodes[1], from, got, &count));
  conform_true(count == 1 && from[0] == nodes[0] && memcmp(&got[0], &early, sizeof early) == 0);
  conform_succeed(cudaGraphRemoveDependencies(graph, &nodes[0], &nodes[1], &early, 1));
  conform_succeed(cudaGraphAddDependencies(graph, &nodes[0], &nodes[1], NULL, 1));
  conform_succeed(cudaGraphGetEdges(graph, from, to, NULL, &count));
  conform_succeed(cudaGraphRemoveDependencies(graph, &nodes[0], &nodes[1], &early, 1)); /* its data do not matter */
  conform_expect(cudaErrorInvalidValue, cudaGraphRemoveDependencies(graph, &nodes[0], &nodes[1], NULL, 1));
  conform_succeed(cudaGraphDestroy(graph));
  conform_succeed(cudaGraphDestroy(clone));
}

#ifndef ON_NVIDIA /* whose runtime knows nodes by what is compiled into the program alone */
static void nodes_are_asked_and_changed(CUfunction step, cudaStream_t stream, void *x) {
  cudaGraph_t graph = NULL;
  cudaGraphNode_t node = NULL;
  cudaGraphExec_t exec = NULL;
  struct cudaKernelNodeParams params;
  size_t count = 1;
  conform_succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  launch_step(step, stream, x, 11, 0);
  conform_succeed(cudaStreamEndCapture(stream, &graph));
  conform_succeed(cudaGraphGetNodes(graph, &node, &count));
  conform_succeed(cudaGraphKernelNodeGetParams(node, &params));
  conform_true(params.func == (void *)step && params.gridDim.x == CONFORM_BLOCKS &&
               params.blockDim.x == CONFORM_THREADS && *(int *)params.kernelParams[1] == 11);
  conform_succeed(cudaGraphInstantiate(&exec, graph, 0));
  int by = 12, times = 0;
  void *arguments[] = { &x, &by, &times };
  params.kernelParams = arguments;
  conform_succeed(cudaGraphExecKernelNodeSetParams(exec, node, &params));
  conform_succeed(cudaGraphLaunch(exec, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_true(holds(x, 12));
  conform_succeed(cudaGraphNodeSetEnabled(exec, node, 0));
  conform_succeed(cudaMemset(x, 0, BYTES));
  conform_succeed(cudaGraphLaunch(exec, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_true(holds(x, 0));
  conform_succeed(cudaGraphExecDestroy(exec));
  conform_succeed(cudaGraphDestroy(graph));
}

static void what_was_freed_is_named(CUfunction step, cudaStream_t stream) {
  void *memory = NULL;
  conform_succeed(cudaMalloc(&memory, BYTES));
  conform_succeed(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  launch_step(step, stream, memory, 1, 0);
  cudaGraphExec_t exec = end(stream);
  conform_succeed(cudaFree(memory));
  conform_expect(cudaErrorInvalidValue, cudaGraphLaunch(exec, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_succeed(cudaGraphExecDestroy(exec));
}
#endif

int main(void) {
  CUmodule module = conform_load(text);
  CUfunction step = conform_function(module, "step"), sum = conform_function(module, "sum");
  cudaStream_t stream, other;
  void *x = NULL, *y = NULL;
  conform_succeed(cudaMalloc(&x, BYTES));
  conform_succeed(cudaMalloc(&y, BYTES));
  conform_succeed(cudaStreamCreate(&stream));
  conform_succeed(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  a_loop_of_kernels(step, stream, x);
  branches(step, sum, stream, other, x, y);
  many_nodes(step, other, x);
  edges_keep_their_data(step, stream, x);
#ifndef ON_NVIDIA
  nodes_are_asked_and_changed(step, stream, x);
  what_was_freed_is_named(step, stream);
#endif
  conform_succeed(cudaStreamDestroy(stream));
  conform_succeed(cudaStreamDestroy(other));
  conform_succeed(cudaFree(x));
  conform_succeed(cudaFree(y));
  conform_true(cuModuleUnload(module) == CUDA_SUCCESS);
  return conform_done("conform_graph_kernel");
}
