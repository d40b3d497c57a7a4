/* SPDX-License-Identifier: MIT */
/* conditions - graphs whose parts depend on what kernels say: if, if with else, while and switch, one in another, by
 * nodes and by capture into a body, launched again and again. */
#include "kernels.h"

#include <string.h>

static void expect(const char *what, int seen, int wanted) {
  if (seen != wanted && failures++ < 20)
    printf("%s: %d, not %d\n", what, seen, wanted);
}

__global__ void set_if_odd(cudaGraphConditionalHandle handle, const int *x) {
  cudaGraphSetConditional(handle, *x % 2);
}

__global__ void set_value(cudaGraphConditionalHandle handle, const int *x) {
  if (threadIdx.x == 0)
    cudaGraphSetConditional(handle, *x);
}

/* A round of a loop that ends when *x has come down to 0. */
__global__ void count_down(cudaGraphConditionalHandle handle, int *x, int *rounds) {
  *rounds += 1;
  *x -= 1;
  cudaGraphSetConditional(handle, *x > 0);
}

__global__ void add(int *x, int by) {
  *x += by;
}

/* The inner loop's condition is what the outer loop has at hand. */
__global__ void begin_inner(cudaGraphConditionalHandle inner, const int *outer, int *left) {
  *left = *outer;
  cudaGraphSetConditional(inner, *left > 0);
}

static int *x, *y, *z;

static void put(int *where, int value) {
  CHECK(cudaMemcpy(where, &value, sizeof value, cudaMemcpyHostToDevice));
}

static int get(const int *where) {
  int value = -1;
  CHECK(cudaMemcpy(&value, where, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

static cudaGraphNode_t add_kernel(cudaGraph_t graph, const cudaGraphNode_t *from, const void *function, void **arguments) {
  struct cudaKernelNodeParams params;
  cudaGraphNode_t node = NULL;
  memset(&params, 0, sizeof params);
  params.func = (void *)function;
  params.gridDim = params.blockDim = dim3(1, 1, 1);
  params.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&node, graph, from, from != NULL, &params));
  return node;
}

static cudaGraph_t *add_branch(cudaGraph_t graph, const cudaGraphNode_t *from, cudaGraphConditionalHandle handle,
                               enum cudaGraphConditionalNodeType type, unsigned size, cudaGraphNode_t *node) {
  struct cudaGraphNodeParams params = { cudaGraphNodeTypeConditional };
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = size;
  CHECK(cudaGraphAddNode(node, graph, from, NULL, from != NULL, &params));
  return params.conditional.phGraph_out;
}

static cudaGraphConditionalHandle make_handle(cudaGraph_t graph, unsigned value, unsigned flags) {
  cudaGraphConditionalHandle handle = 0;
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, value, flags));
  return handle;
}

static void launch(cudaGraphExec_t exec) {
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaDeviceSynchronize());
}

static void test_if(void) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t branch;
  int by[] = { 100, 1000, 10 };
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle handle = make_handle(graph, 0, 0);
  void *set_arguments[] = { &handle, &x };
  cudaGraphNode_t set = add_kernel(graph, NULL, (const void *)set_if_odd, set_arguments);
  cudaGraph_t *bodies = add_branch(graph, &set, handle, cudaGraphCondTypeIf, 2, &branch);
  for (int i = 0; i < 2; i++) {
    void *arguments[] = { &y, &by[i] };
    add_kernel(bodies[i], NULL, (const void *)add, arguments);
  }
  void *arguments[] = { &y, &by[2] };
  add_kernel(graph, &branch, (const void *)add, arguments);
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  put(y, 0);
  for (int i = 0; i < 5; i++) {
    put(x, i);
    launch(exec);
  }
  expect("if and else", get(y), 2 * 100 + 3 * 1000 + 5 * 10);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

/* The condition begins as 1 at each launch. */
static void test_while(void) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t branch;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle handle = make_handle(graph, 1, cudaGraphCondAssignDefault);
  cudaGraph_t *bodies = add_branch(graph, NULL, handle, cudaGraphCondTypeWhile, 1, &branch);
  void *arguments[] = { &handle, &x, &y };
  add_kernel(bodies[0], NULL, (const void *)count_down, arguments);
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  put(y, 0);
  for (int i = 1; i < 6; i++) {
    put(x, i);
    launch(exec);
    expect("what is left of a loop", get(x), 0);
  }
  expect("rounds of loops", get(y), 15);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

static void test_switch(void) {
  enum { BODIES = 3 };
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t branch;
  int by[BODIES] = { 1, 10, 100 };
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle handle = make_handle(graph, 0, 0);
  void *set_arguments[] = { &handle, &x };
  cudaGraphNode_t set = add_kernel(graph, NULL, (const void *)set_value, set_arguments);
  cudaGraph_t *bodies = add_branch(graph, &set, handle, cudaGraphCondTypeSwitch, BODIES, &branch);
  for (int i = 0; i < BODIES; i++) {
    void *arguments[] = { &y, &by[i] };
    add_kernel(bodies[i], NULL, (const void *)add, arguments);
  }
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  put(y, 0);
  for (int i = 0; i < BODIES + 2; i++) {
    put(x, i);
    launch(exec);
  }
  expect("each body once", get(y), 111);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

/* For x = n: n + (n - 1) + ... + 1 rounds of the inner loop. Bodies are captured. */
static void test_nested(void) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t branch, inner_branch;
  cudaStream_t stream;
  int *rounds;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMalloc(&rounds, sizeof *rounds));
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle outer = make_handle(graph, 1, cudaGraphCondAssignDefault);
  cudaGraphConditionalHandle inner = make_handle(graph, 0, 0);
  cudaGraph_t body = add_branch(graph, NULL, outer, cudaGraphCondTypeWhile, 1, &branch)[0], captured;
  void *begin_arguments[] = { &inner, &x, &z }, *end_arguments[] = { &outer, &x, &rounds };
  cudaGraphNode_t begin = add_kernel(body, NULL, (const void *)begin_inner, begin_arguments);
  cudaGraph_t inner_body = add_branch(body, &begin, inner, cudaGraphCondTypeWhile, 1, &inner_branch)[0];
  add_kernel(body, &inner_branch, (const void *)count_down, end_arguments);
  CHECK(cudaStreamBeginCaptureToGraph(stream, inner_body, NULL, NULL, 0, cudaStreamCaptureModeRelaxed));
  count_down<<<1, 1, 0, stream>>>(inner, z, y);
  CHECK(cudaStreamEndCapture(stream, &captured));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  put(x, 4);
  put(y, 0);
  put(rounds, 0);
  launch(exec);
  expect("rounds of the outer loop", get(rounds), 4);
  expect("rounds of the inner loop", get(y), 10);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(rounds));
  CHECK(cudaStreamDestroy(stream));
}

int main(void) {
  CHECK(cudaMalloc(&x, sizeof *x));
  CHECK(cudaMalloc(&y, sizeof *y));
  CHECK(cudaMalloc(&z, sizeof *z));
  test_if();
  test_while();
  test_switch();
  test_nested();
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  CHECK(cudaFree(z));
  printf("conditions: %d failures\n", failures);
  return failures != 0;
}
