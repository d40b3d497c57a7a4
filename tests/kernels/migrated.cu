/* SPDX-License-Identifier: MIT */
/*
 * migrated - a CUDA program whose device is exchanged in the middle: variables of the module, lists whose nodes lie in
 * device memory and point to each other, managed and pinned memory, a pool, streams, events and a graph are there
 * afterwards as before, at the same addresses.
 *
 *     migrated [PLATFORM...]        goes to a device of each in turn, and without names three times to its own
 */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vptr/vptr.h>

#define CHECK(call)                                                                                       \
  do {                                                                                                    \
    cudaError_t error_ = (call);                                                                          \
    if (error_ != cudaSuccess) {                                                                          \
      printf("%d: %s: %s (%s)\n", __LINE__, #call, cudaGetErrorString(error_), vptr_last_error());        \
      exit(1);                                                                                            \
    }                                                                                                     \
  } while (0)
#define EXPECT(what)                                                                                      \
  do {                                                                                                    \
    if (!(what)) {                                                                                        \
      printf("%d: not so: %s\n", __LINE__, #what);                                                        \
      exit(1);                                                                                            \
    }                                                                                                     \
  } while (0)

struct node {
  struct node *next;
  int value;
};

__device__ int total = 5;
__constant__ int step = 3;

__global__ void link(struct node *nodes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    nodes[i].next = i + 1 < n ? &nodes[i + 1] : NULL;
    nodes[i].value = i;
  }
}

__global__ void walk(const struct node *first, int *out) {
  int sum = 0;
  for (const struct node *at = first; at != NULL; at = at->next)
    sum += at->value * step;
  *out = sum + total;
}

__global__ void count(void) {
  total += 1;
}

__global__ void add(int *data, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += by;
}

enum { N = 1000 };

static int sum_of(const struct node *nodes, int *out) {
  int sum;
  walk<<<1, 1>>>(nodes, out);
  CHECK(cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost));
  return sum;
}

static void go(const char *platform) {
  if (platform != NULL)
    setenv("VPTR_PLATFORM", platform, 1);
  vptr_status status = vptr_migrate(NULL, NULL);
  if (status != VPTR_SUCCESS) {
    printf("vptr_migrate: %s\n", vptr_last_error());
    exit(1);
  }
}

int main(int argc, char **argv) {
  setenv("VPTR_MIGRATE", "1", 1);
  struct node *nodes;
  int *out, *managed, *pinned, *pooled, value;
  cudaStream_t stream;
  cudaEvent_t began, ended;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  const int expected = 3 * (N * (N - 1) / 2) + 5;

  CHECK(cudaMalloc(&nodes, N * sizeof *nodes));
  CHECK(cudaMalloc(&out, sizeof *out));
  CHECK(cudaMallocManaged(&managed, N * sizeof *managed));
  CHECK(cudaMallocHost(&pinned, N * sizeof *pinned));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocAsync(&pooled, N * sizeof *pooled, stream));
  CHECK(cudaEventCreate(&began));
  CHECK(cudaEventCreate(&ended));
  for (int i = 0; i < N; i++)
    managed[i] = pinned[i] = i;
  CHECK(cudaMemcpyAsync(pooled, pinned, N * sizeof *pooled, cudaMemcpyHostToDevice, stream));
  link<<<(N + 63) / 64, 64>>>(nodes, N);
  add<<<(N + 63) / 64, 64>>>(managed, N, 1);
  CHECK(cudaEventRecord(began, stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<(N + 63) / 64, 64, 0, stream>>>(pooled, N, 10);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  EXPECT(sum_of(nodes, out) == expected);
  count<<<1, 1>>>();

  for (int round = 1; round <= (argc > 1 ? argc - 1 : 3); round++) {
    float ms = -1;
    go(argc > 1 ? argv[round] : NULL);
    EXPECT(sum_of(nodes, out) == expected + round);
    count<<<1, 1>>>();
    CHECK(cudaMemcpyFromSymbol(&value, total, sizeof value));
    EXPECT(value == 5 + round + 1);
    add<<<(N + 63) / 64, 64>>>(managed, N, 1);
    CHECK(cudaDeviceSynchronize());
    EXPECT(managed[7] == 7 + 1 + round);
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaMemcpyAsync(pinned, pooled, N * sizeof *pooled, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaEventRecord(ended, stream));
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(pinned[9] == 9 + 10 * (round + 1));
    CHECK(cudaEventElapsedTime(&ms, began, ended));
    EXPECT(ms > -1 && ms < 600000);
    add<<<(N + 63) / 64, 64>>>(pinned, N, 1);
    CHECK(cudaDeviceSynchronize());
    EXPECT(pinned[9] == 10 + 10 * (round + 1));
  }
  CHECK(cudaFreeAsync(pooled, stream));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(nodes));
  printf("migrated: ok\n");
}
