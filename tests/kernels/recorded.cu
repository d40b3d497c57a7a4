/* SPDX-License-Identifier: MIT */
/*
 * recorded - launches for recorded.sh, of each kind that a recorder meets: plain arguments, a pointer into the middle,
 * pointers in memory, shared memory, variables, pinned and managed memory, and one that is left out. By itself it
 * checks that they compute what they shall.
 *
 *     recorded clock       has a kernel write what differs each time, too
 */
#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  node *next;
  int value;
};

__device__ int counter;
__constant__ float factors[4];

__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += a * x[i];
}

__global__ void walk(node *first) {
  for (node *it = first; it != NULL; it = it->next)
    it->value += atomicAdd(&counter, 1);
}

__global__ void reverse(float *data) {
  __shared__ float tile[64];
  tile[threadIdx.x] = data[blockIdx.x * 64 + threadIdx.x] * factors[threadIdx.x % 4];
  __syncthreads();
  data[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void add_one(int n, int *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i]++;
}

__global__ void stamp(unsigned long long *data) {
  data[3] = clock64();
}

static const int N = 10000;

static void check(bool is_so, const char *what) {
  if (is_so)
    return;
  printf("wrong: %s\n", what);
  exit(1);
}

static void run_saxpy(void) {
  float *x, *y, *host = (float *)malloc(N * sizeof(float));
  cudaMalloc(&x, N * sizeof *x);
  cudaMalloc(&y, (N + 16) * sizeof *y);
  for (int i = 0; i < N; i++)
    host[i] = (float)i;
  cudaMemcpy(x, host, N * sizeof *x, cudaMemcpyHostToDevice);
  cudaMemset(y, 0, (N + 16) * sizeof *y);
  for (int i = 0; i < 3; i++)
    saxpy<<<(N + 127) / 128, 128>>>(N, 2, x, y + 16);
  cudaMemcpy(host, y + 16, N * sizeof *y, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++)
    check(host[i] == 6.0f * (float)i, "saxpy");
  cudaFree(x);
  cudaFree(y);
  free(host);
}

static void run_walk(void) {
  node *nodes[5], held = { NULL, 0 };
  for (int i = 0; i < 5; i++)
    cudaMalloc(&nodes[i], i == 3 ? 1 << 20 : sizeof(node));
  for (int i = 0; i < 5; i++) {
    held.next = i < 4 ? nodes[i + 1] : NULL;
    held.value = 10 * i;
    cudaMemcpy(nodes[i], &held, sizeof held, cudaMemcpyHostToDevice);
  }
  walk<<<1, 1>>>(nodes[0]);
  walk<<<1, 1>>>(nodes[0]);
  for (int i = 0; i < 5; i++) {
    cudaMemcpy(&held, nodes[i], sizeof held, cudaMemcpyDeviceToHost);
    check(held.value == 10 * i + i + (i + 5), "walk");
  }
}

static void run_reverse(void) {
  static const float written[4] = { 1, 2, 3, 4 };
  float *data, host[256];
  for (int i = 0; i < 256; i++)
    host[i] = (float)i;
  cudaMemcpyToSymbol(factors, written, sizeof written);
  cudaMalloc(&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  reverse<<<4, 64>>>(data);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; i++) {
    int from = i / 64 * 64 + 63 - i % 64;
    check(host[i] == (float)from * written[from % 4], "reverse");
  }
}

static void run_host_memory(void) {
  int *pinned, *managed;
  cudaMallocHost(&pinned, 100 * sizeof *pinned);
  cudaMallocManaged(&managed, 100 * sizeof *managed);
  for (int i = 0; i < 100; i++)
    pinned[i] = managed[i] = i;
  add_one<<<1, 100>>>(100, pinned);
  add_one<<<1, 100>>>(100, managed);
  cudaDeviceSynchronize();
  for (int i = 0; i < 100; i++)
    check(pinned[i] == i + 1 && managed[i] == i + 1, "host memory");
}

static void run_graph(void) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  int *data, host = 7;
  cudaMalloc(&data, sizeof *data);
  cudaMemcpy(data, &host, sizeof host, cudaMemcpyHostToDevice);
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  add_one<<<1, 1, 0, stream>>>(1, data);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(&host, data, sizeof host, cudaMemcpyDeviceToHost);
  check(host == 8, "graph");
}

static void run_clock(void) {
  unsigned long long *data;
  cudaMalloc(&data, 10 * sizeof *data);
  cudaMemset(data, 0, 10 * sizeof *data);
  stamp<<<1, 1>>>(data);
}

int main(int argc, char **argv) {
  run_saxpy();
  run_walk();
  run_reverse();
  run_host_memory();
  run_graph();
  if (argc > 1 && strcmp(argv[1], "clock") == 0)
    run_clock();
  check(cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaSuccess, "the end");
  puts("right");
  return 0;
}
