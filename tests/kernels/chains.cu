/* SPDX-License-Identifier: MIT */
/* chains - graphs of many small kernels, one behind the other, beside the same calls one by one: blocks of several
 * sizes, shared memory, barriers and loops, structs with pointers, several blocks; changed, switched off, and in the
 * body of a condition. Each is uploaded first, which may prepare it in any way. */
#include "kernels.h"

#include <string.h>

enum { WORDS = 256, ROUNDS = 16, LAUNCHES = 3 };

typedef struct view {
  int *words;
  int from, to;
} view;

static void expect(const char *what, int seen, int wanted) {
  if (seen != wanted && failures++ < 20)
    printf("%s: %d, not %d\n", what, seen, wanted);
}

__global__ void scale(int *x, int n, short by, unsigned char plus) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  x[i] = x[i] * by + plus;
}

/* Each takes what its neighbour had: what a launch reads, those before it have written. */
__global__ void turn(const int *from, int *to) {
  to[threadIdx.x] = from[(threadIdx.x + 1) % blockDim.x] + (int)gridDim.x;
}

__global__ void touch(int *x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

__global__ void add_view(view v, const int *other) {
  for (int i = v.from + (int)threadIdx.x; i < v.to; i += (int)blockDim.x)
    v.words[i] += other[i];
}

/* Barriers, and memory of the block's. */
__global__ void sum_up(const int *x, int *y) {
  __shared__ int s[WORDS];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d > 0; d /= 2) {
    if (threadIdx.x < d)
      s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    y[blockIdx.x] += s[0] % 1000;
}

__global__ void nothing() {
}

__device__ int counted;

__global__ void count_call() {
  counted++;
}

static int *x, *y, now[2 * WORDS], wanted[2 * WORDS];

static void fill(void) {
  int words[WORDS];
  for (int i = 0; i < WORDS; i++)
    words[i] = 3 * i - 100;
  CHECK(cudaMemcpy(x, words, sizeof words, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(y, words, sizeof words, cudaMemcpyHostToDevice));
}

static void read(int *words) {
  CHECK(cudaMemcpy(words, x, WORDS * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(words + WORDS, y, WORDS * sizeof(int), cudaMemcpyDeviceToHost));
}

typedef void sending(cudaStream_t stream);

/* One size of block. */
static void send_one_size(cudaStream_t stream) {
  for (int i = 0; i < ROUNDS; i++) {
    turn<<<1, 64, 0, stream>>>(i % 2 ? y : x, i % 2 ? x : y);
    scale<<<1, 64, 0, stream>>>(x, 50 + i, 3, 7);
    touch<<<1, 64, 0, stream>>>(y);
    nothing<<<1, 64, 0, stream>>>();
  }
}

/* Of one thread, and of many in three dimensions. */
static void send_threads(cudaStream_t stream) {
  for (int i = 0; i < ROUNDS; i++)
    touch<<<1, 1, 0, stream>>>(x + i);
  for (int i = 0; i < ROUNDS; i++)
    touch<<<1, dim3(4, 2, 2), 0, stream>>>(y + i);
}

static void send_sums(cudaStream_t stream) {
  for (int i = 0; i < ROUNDS; i++) {
    sum_up<<<1, WORDS, 0, stream>>>(x, y + i);
    sum_up<<<4, 64, 0, stream>>>(y, x + 2 * i);
  }
}

static void send_views(cudaStream_t stream) {
  for (int i = 0; i < ROUNDS; i++) {
    const view one = { x, i, WORDS - i }, other = { y, 2 * i, WORDS };
    add_view<<<1, 32, 0, stream>>>(one, y);
    add_view<<<1, 32, 0, stream>>>(other, x);
  }
}

/* Blocks of several sizes, grids of several blocks, and a kernel that has a variable. */
static void send_mixture(cudaStream_t stream) {
  for (int i = 0; i < ROUNDS; i++) {
    scale<<<4, 64, 0, stream>>>(x, WORDS - i, 5, 1);
    touch<<<1, WORDS, 0, stream>>>(x);
    touch<<<1, WORDS, 0, stream>>>(y);
    sum_up<<<1, 128, 0, stream>>>(x, y + i);
    if (i % 8 == 0)
      count_call<<<1, 1, 0, stream>>>();
    turn<<<1, WORDS, 0, stream>>>(x, y);
    touch<<<1, WORDS, 0, stream>>>(x);
    turn<<<1, WORDS, 0, stream>>>(y, x);
  }
}

static void begin(cudaStream_t stream) {
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
}

static cudaGraphExec_t end(cudaStream_t stream, cudaGraph_t *graph) {
  cudaGraphExec_t exec = NULL;
  CHECK(cudaStreamEndCapture(stream, graph));
  CHECK(cudaGraphInstantiate(&exec, *graph, 0));
  CHECK(cudaGraphUpload(exec, stream));
  return exec;
}

static void compare(const char *what) {
  read(now);
  for (int i = 0; i < 2 * WORDS; i++)
    expect(what, now[i], wanted[i]);
}

static void hold_beside(const char *what, sending *send, cudaStream_t stream) {
  cudaGraph_t graph;
  begin(stream);
  send(stream);
  cudaGraphExec_t exec = end(stream, &graph);
  fill();
  for (int i = 0; i < LAUNCHES; i++)
    send(stream);
  CHECK(cudaStreamSynchronize(stream));
  read(wanted);
  fill();
  for (int i = 0; i < LAUNCHES; i++)
    CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  compare(what);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

/* One node of many gets other arguments, another size, is switched off and on. */
static void change_nodes(cudaStream_t stream) {
  enum { CALLS = 12 };
  cudaGraph_t graph;
  cudaGraphNode_t nodes[CALLS];
  size_t count = CALLS;
  begin(stream);
  for (int i = 0; i < CALLS; i++)
    touch<<<1, 64, 0, stream>>>(x);
  cudaGraphExec_t exec = end(stream, &graph);
  CHECK(cudaGraphGetNodes(graph, nodes, &count));
  expect("nodes", (int)count, CALLS);
  struct cudaKernelNodeParams params;
  CHECK(cudaGraphKernelNodeGetParams(nodes[5], &params));
  const int shift = 10;
  int *moved = x + shift;
  void *arguments[] = { &moved };
  params.kernelParams = arguments;
  for (int step = 0; step < 5; step++) {
    fill();
    if (step == 1)
      CHECK(cudaGraphExecKernelNodeSetParams(exec, nodes[5], &params));
    if (step == 2) {
      params.blockDim = dim3(32, 1, 1);
      CHECK(cudaGraphExecKernelNodeSetParams(exec, nodes[5], &params));
    }
    if (step == 3 || step == 4)
      CHECK(cudaGraphNodeSetEnabled(exec, nodes[5], step == 4));
    if (step == 4)
      CHECK(cudaGraphUpload(exec, stream));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    read(now);
    const int begins = step == 0 ? 0 : shift, size = step < 2 ? 64 : 32;
    for (int i = 0; i < WORDS; i++)
      expect("changed", now[i],
             3 * i - 100 + (i < 64 ? CALLS - 1 : 0) + (step != 3 && i >= begins && i < begins + size));
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

__global__ void count_down(cudaGraphConditionalHandle handle, int *left) {
  if (threadIdx.x == 0)
    cudaGraphSetConditional(handle, --*left > 0);
}

/* A loop's body. */
static void loop(cudaStream_t stream) {
  enum { TURNS = 7, CALLS = 6 };
  cudaGraph_t graph;
  cudaGraphConditionalHandle handle;
  cudaGraphNode_t node;
  struct cudaGraphNodeParams params = { cudaGraphNodeTypeConditional };
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  params.conditional.handle = handle;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
  CHECK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &params));
  CHECK(cudaStreamBeginCaptureToGraph(stream, params.conditional.phGraph_out[0], NULL, NULL, 0,
                                      cudaStreamCaptureModeGlobal));
  for (int i = 0; i < CALLS; i++)
    touch<<<1, 32, 0, stream>>>(x);
  count_down<<<1, 32, 0, stream>>>(handle, y);
  cudaGraph_t body;
  CHECK(cudaStreamEndCapture(stream, &body));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphUpload(exec, stream));
  for (int i = 1; i <= 2; i++) {
    const int turns = TURNS;
    fill();
    CHECK(cudaMemcpy(y, &turns, sizeof turns, cudaMemcpyHostToDevice));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    read(now);
    for (int k = 0; k < 32; k++)
      expect("loop", now[k], 3 * k - 100 + TURNS * CALLS);
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMalloc(&x, 2 * WORDS * sizeof(int)));
  CHECK(cudaMalloc(&y, 2 * WORDS * sizeof(int)));
  hold_beside("one size", send_one_size, stream);
  hold_beside("threads", send_threads, stream);
  hold_beside("sums", send_sums, stream);
  hold_beside("views", send_views, stream);
  hold_beside("mixture", send_mixture, stream);
  int calls = 0;
  CHECK(cudaMemcpyFromSymbol(&calls, counted, sizeof calls));
  expect("calls", calls, 2 * LAUNCHES * (ROUNDS / 8));
  change_nodes(stream);
  loop(stream);
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  CHECK(cudaStreamDestroy(stream));
  printf("chains: %d failures\n", failures);
  return failures != 0;
}
