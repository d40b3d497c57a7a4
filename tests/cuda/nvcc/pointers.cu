/* SPDX-License-Identifier: MIT */
/* pointers - in device memory: a list, a table of pointers, a structure, pointers that kernels store and others follow. On
 * vptr it takes VPTR_ADDRESSES=device. */
#include "check.h"
#include <vector>

struct Node {
  Node *next;
  int value;
};

__global__ void sum_list(const Node *first, int *out) {
  int sum = 0;
  for (const Node *at = first; at != nullptr; at = at->next)
    sum += at->value;
  *out = sum;
}

__global__ void double_list(Node *first) {
  for (Node *at = first; at != nullptr; at = at->next)
    at->value *= 2;
}

/* Nodes of many sizes of allocations, each copied with the address of the one before. */
static void lists() {
  Node *first = nullptr;
  std::vector<Node *> nodes;
  int wanted = 0;
  for (int i = 1; i <= 40; i++) {
    Node *made;
    const Node content = { first, i };
    GOES(cudaMalloc(&made, i % 4 == 0 ? (size_t)i << 18 : sizeof(Node) * i));
    GOES(cudaMemcpy(made, &content, sizeof content, cudaMemcpyHostToDevice));
    nodes.push_back(first = made);
    wanted += i;
  }
  int zero = 0, *out = device_copy(&zero, 1);
  sum_list<<<1, 1>>>(first, out);
  CHECK(value_at(out, 0) == wanted);
  double_list<<<1, 1>>>(first);
  sum_list<<<1, 1>>>(first, out);
  CHECK(value_at(out, 0) == 2 * wanted);
  for (Node *node : nodes)
    GOES(cudaFree(node));
  GOES(cudaFree(out));
}

enum { ROWS = 64, COLUMNS = 1000 };

__global__ void fill_rows(float **rows, int columns) {
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    rows[blockIdx.x][i] = (float)(blockIdx.x * columns + i);
}

__global__ void sum_rows(const float *const *rows, int columns, double *out) {
  double sum = 0;
  for (int i = 0; i < columns; i++)
    sum += rows[threadIdx.x][i];
  out[threadIdx.x] = sum;
}

/* A table of pointers that is made on the host, copied within the device, and read back. */
static void tables() {
  float *rows[ROWS], *back[ROWS], **table, **copy;
  for (int i = 0; i < ROWS; i++)
    GOES(cudaMalloc(&rows[i], COLUMNS * sizeof(float) * (i % 8 == 0 ? 100 : 1)));
  table = device_copy(rows, ROWS);
  GOES(cudaMalloc(&copy, sizeof rows));
  GOES(cudaMemcpy(copy, table, sizeof rows, cudaMemcpyDeviceToDevice));
  fill_rows<<<ROWS, 128>>>(copy, COLUMNS);
  double *sums;
  GOES(cudaMalloc(&sums, ROWS * sizeof *sums));
  sum_rows<<<1, ROWS>>>(table, COLUMNS, sums);
  for (int i = 0; i < ROWS; i += 7)
    CHECK(value_at(sums, i) == 1.0 * i * COLUMNS * COLUMNS + 0.5 * COLUMNS * (COLUMNS - 1));
  GOES(cudaMemcpy(back, copy, sizeof back, cudaMemcpyDeviceToHost));
  for (int i = 0; i < ROWS; i++) {
    CHECK(back[i] == rows[i]);
    CHECK(value_at(back[i], 5) == (float)(i * COLUMNS + 5));
    GOES(cudaFree(back[i]));
  }
  GOES(cudaFree(table));
  GOES(cudaFree(copy));
  GOES(cudaFree(sums));
}

struct Matrix {
  int rows, columns;
  double *cells;
  const Matrix *next;
};

__global__ void trace(const Matrix *matrix, double *out) {
  double sum = 0;
  for (const Matrix *at = matrix; at != nullptr; at = at->next)
    for (int i = 0; i < at->rows; i++)
      sum += at->cells[i * at->columns + i];
  *out = sum;
}

static const Matrix *matrix_on_device(int size, const Matrix *next) {
  std::vector<double> cells(size * size, 1.0);
  for (int i = 0; i < size; i++)
    cells[i * size + i] = i + 1;
  const Matrix matrix = { size, size, device_copy(cells.data(), cells.size()), next };
  return device_copy(&matrix, 1);
}

static void structures() {
  double zero = 0, *out = device_copy(&zero, 1);
  trace<<<1, 1>>>(matrix_on_device(300, matrix_on_device(10, nullptr)), out);
  CHECK(value_at(out, 0) == 300 * 301 / 2 + 55);
}

__device__ int *kept[2];
__device__ int here = 41;

__global__ void store(int *memory) {
  kept[0] = memory;
  kept[1] = &here;
}

__global__ void follow() {
  *kept[0] += *kept[1];
  (*kept[1])++;
}

/* Pointers that a kernel stored, in variables, to an allocation and to a variable; and a launch without arguments. */
static void stored() {
  int one = 1, *memory = device_copy(&one, 1), *symbols[2], *variable;
  store<<<1, 1>>>(memory);
  follow<<<1, 1>>>();
  follow<<<1, 1>>>();
  CHECK(value_at(memory, 0) == 1 + 41 + 42);
  GOES(cudaMemcpyFromSymbol(symbols, kept, sizeof symbols));
  GOES(cudaGetSymbolAddress((void **)&variable, here));
  CHECK(symbols[0] == memory && symbols[1] == variable);
}

/* Work of two streams that meets in memory that only a table names, and memory that changes hands. */
static void streams() {
  enum { ROUNDS = 20, N = 1 << 16 };
  cudaStream_t first, second;
  cudaEvent_t written;
  GOES(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  GOES(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  GOES(cudaEventCreate(&written));
  for (int round = 0; round < ROUNDS; round++) {
    float *row, **table;
    double *sum;
    GOES(cudaMalloc(&row, (size_t)(N + round * 1000) * sizeof *row));
    GOES(cudaMalloc(&sum, sizeof *sum));
    table = device_copy(&row, 1);
    fill_rows<<<1, 256, 0, first>>>(table, N);
    GOES(cudaEventRecord(written, first));
    GOES(cudaStreamWaitEvent(second, written, 0));
    sum_rows<<<1, 1, 0, second>>>(table, N, sum);
    GOES(cudaStreamSynchronize(second));
    CHECK(value_at(sum, 0) == 0.5 * N * (N - 1.0));
    GOES(cudaFree(row));
    GOES(cudaFree(table));
    GOES(cudaFree(sum));
  }
  GOES(cudaStreamDestroy(first));
  GOES(cudaStreamDestroy(second));
}

/* Copies within the device, of lines and rectangles, between allocations that lie side by side. */
static void copies() {
  enum { SIDE = 1000 };
  std::vector<int> cells(SIDE * SIDE);
  for (int i = 0; i < SIDE * SIDE; i++)
    cells[i] = i;
  int *from = device_copy(cells.data(), cells.size()), *to = device_copy(cells.data(), cells.size());
  const size_t pitch = SIDE * sizeof *from, part = 100 * sizeof *from;
  GOES(cudaMemset(to, 0, SIDE * pitch));
  GOES(cudaMemcpy2D(to + 50, pitch, from + 7, pitch, part, 30, cudaMemcpyDeviceToDevice));
  CHECK(value_at(to, 50) == 7 && value_at(to, 29 * SIDE + 149) == 29 * SIDE + 106 && value_at(to, 150) == 0);
  GOES(cudaMemcpy2D(to, pitch, from, pitch, pitch, SIDE, cudaMemcpyDeviceToDevice));
  CHECK(value_at(to, SIDE * SIDE - 1) == SIDE * SIDE - 1);
  GOES(cudaMemset2D(to, pitch, 1, part, SIDE));
  CHECK(value_at(to, 999 * SIDE + 99) == 0x01010101 && value_at(to, 999 * SIDE + 100) == 999 * SIDE + 100);
  GOES(cudaFree(from));
  GOES(cudaFree(to));
}

/* Large memory comes and goes many times over: a full device has to find what was freed. */
static void turnover() {
  size_t free_bytes, total;
  GOES(cudaMemGetInfo(&free_bytes, &total));
  CHECK(free_bytes > 0 && free_bytes <= total);
  const size_t size = total / 5;
  for (int i = 0; i < 12; i++) {
    int *block, value = i;
    GOES(cudaMalloc(&block, size + (size_t)i * 1048576));
    GOES(cudaMemcpy(block + size / 4 - 1, &value, sizeof value, cudaMemcpyHostToDevice));
    int **table = device_copy(&block, 1);
    CHECK(value_at(block, size / 4 - 1) == i);
    GOES(cudaFree(table));
    GOES(cudaFree(block));
  }
  int *all;
  CHECK(cudaMalloc(&all, total * 2) == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
}

int main() {
  lists();
  tables();
  structures();
  stored();
  streams();
  copies();
  turnover();
  return 0;
}
