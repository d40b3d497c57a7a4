/* SPDX-License-Identifier: MIT */
/* graphs - random graphs of all kinds of nodes beside a model (random_graph.h), with kernels that say what runs. */
#include "kernels.h"

static int failed_at;

#define succeed(call) CHECK(call)

#define require(condition) ((condition) ? (void)0 : fail(__LINE__))

static void fail(int line) {
  if (failures++ == 0)
    failed_at = line;
}

__global__ void add(int *word, int by) {
  *word += by;
}

__global__ void store(cudaGraphConditionalHandle handle, const int *word) {
  cudaGraphSetConditional(handle, *word);
}

static void *const random_graph_add = (void *)add;

static cudaGraphNode_t random_graph_store(cudaGraph_t graph, const cudaGraphNode_t *from, size_t count,
                                          cudaGraphConditionalHandle handle, const void *word) {
  void *arguments[] = { &handle, &word };
  struct cudaKernelNodeParams params;
  cudaGraphNode_t node = NULL;
  memset(&params, 0, sizeof params);
  params.func = (void *)store;
  params.gridDim = params.blockDim = dim3(1, 1, 1);
  params.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&node, graph, from, count, &params));
  return node;
}

#include "random_graph.h"

int main(void) {
  static random_graph it;
  for (unsigned seed = 1; seed <= 10; seed++)
    run_random_graphs(&it, seed, 10);
  if (failures > 0)
    printf("the first at line %d\n", failed_at);
  printf("graphs: %d failures\n", failures);
  return failures != 0;
}
