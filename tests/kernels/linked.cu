/* SPDX-License-Identifier: MIT */
/* linked - pointers that lie in memory: lists and trees, arrays of pointers, structs of pointers in device, managed,
 * pinned and constant memory, read and written by kernels and by the host. What a kernel stores must be what the host
 * would have stored. */
#include "kernels.h"

enum { COUNT = 300, BLOCK = 64, BLOCKS = (COUNT + BLOCK - 1) / BLOCK };

static cudaStream_t streams[2];

static int *result; /* pinned, so that kernels and the host both reach it */

static void wait(void) {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
}

/* ---- a list ---------------------------------------------------------------------------------------------- */

struct node {
  struct node *next;
  int value;
  struct node *previous;
};

__device__ static struct node *nth(struct node *at, int n) {
  while (n-- > 0 && at != nullptr)
    at = at->next;
  return at;
}

__global__ void sum_list(const struct node *head, int *out) {
  int sum = 0;
  for (const struct node *at = head; at; at = at->next)
    sum += at->value;
  out[0] = sum;
  out[1] = nth(const_cast<struct node *>(head), 3)->previous->value;
  out[2] = head->previous == nullptr && nth(const_cast<struct node *>(head), COUNT) == nullptr;
}

__global__ void link_list(struct node *nodes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  struct node made = { i + 1 < n ? &nodes[i + 1] : nullptr, 3 * i, nullptr };
  if (i > 0)
    made.previous = nodes + (i - 1);
  nodes[i] = made;
}

static int expected_sum(void) {
  return 3 * (COUNT - 1) * COUNT / 2;
}

static void check_list_of_kernel(struct node *nodes) {
  int i = 0;
  for (struct node *at = nodes; at != NULL; at = at->next, i++) {
    EXPECT(at->value, 3 * i);
    EXPECT(at->previous == (i > 0 ? &nodes[i - 1] : NULL), true);
  }
  EXPECT(i, COUNT);
}

static void sum_and_check(struct node *nodes, cudaStream_t stream) {
  sum_list<<<1, 1, 0, stream>>>(nodes, result);
  wait();
  EXPECT(result[0], expected_sum());
  EXPECT(result[1], 6);
  EXPECT(result[2], true);
}

/* In memory that the host sees: built by the host and walked by a kernel, and the other way round. */
static void lists_of_both(struct node *nodes) {
  for (int i = 0; i < COUNT; i++)
    nodes[i] = (struct node){ i + 1 < COUNT ? &nodes[i + 1] : NULL, 3 * i, i > 0 ? &nodes[i - 1] : NULL };
  sum_and_check(nodes, 0);
  memset(nodes, 0xff, COUNT * sizeof *nodes);
  link_list<<<BLOCKS, BLOCK>>>(nodes, COUNT);
  wait();
  check_list_of_kernel(nodes);
  sum_and_check(nodes, streams[0]);
}

/* In device memory: what a kernel stored are the pointers that the host knows. */
static void lists_of_the_device(void) {
  static struct node copy[COUNT];
  struct node *nodes;
  CHECK(cudaMalloc((void **)&nodes, sizeof copy));
  link_list<<<BLOCKS, BLOCK, 0, streams[1]>>>(nodes, COUNT);
  wait();
  CHECK(cudaMemcpy(copy, nodes, sizeof copy, cudaMemcpyDeviceToHost));
  for (int i = 0; i < COUNT; i++) {
    EXPECT(copy[i].next == (i + 1 < COUNT ? nodes + i + 1 : NULL), true);
    EXPECT(copy[i].previous == (i > 0 ? nodes + i - 1 : NULL), true);
  }
  sum_and_check(nodes, streams[1]);
  CHECK(cudaFree(nodes));
}

/* ---- a tree ---------------------------------------------------------------------------------------------- */

struct branch {
  int key, depth;
  struct branch *sides[2];
};

__global__ void grow(struct branch *pool, struct branch **root, int n) {
  *root = nullptr;
  for (int i = 0; i < n; i++) {
    struct branch **at = root, *made = pool + i;
    made->key = i * 37 % 101;
    made->sides[0] = made->sides[1] = nullptr;
    made->depth = 0;
    while (*at) {
      made->depth++;
      at = &(*at)->sides[made->key > (*at)->key];
    }
    *at = made;
  }
}

__global__ void find_keys(struct branch *const *root, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const struct branch *at = *root;
  while (at != nullptr && at->key != i)
    at = at->sides[i > at->key ? 1 : 0];
  out[i] = at != nullptr ? at->depth : -1;
}

static int depth_of(const struct branch *at, int key) {
  while (at != NULL && at->key != key)
    at = at->sides[key > at->key];
  return at != NULL ? at->depth : -1;
}

static void trees_of_both(void) {
  enum { KEYS = 60, ASKED = 120 };
  struct branch *pool, **root;
  int *depths;
  CHECK(cudaMallocManaged(&pool, KEYS * sizeof *pool));
  CHECK(cudaMallocManaged(&root, sizeof *root));
  CHECK(cudaMallocManaged(&depths, ASKED * sizeof *depths));
  grow<<<1, 1>>>(pool, root, KEYS);
  find_keys<<<2, BLOCK>>>(root, depths, ASKED);
  wait();
  EXPECT(*root == pool, true);
  int found = 0;
  for (int i = 0; i < ASKED; i++) {
    EXPECT(depths[i], depth_of(*root, i));
    found += depths[i] >= 0;
  }
  EXPECT(found, KEYS);
  CHECK(cudaFree(pool));
  CHECK(cudaFree(root));
  CHECK(cudaFree(depths));
}

/* ---- arrays of pointers ---------------------------------------------------------------------------------- */

__global__ void axpy_batched(float a, const float *const *x, float *const *y, int n) {
  int i = threadIdx.x;
  if (i < n)
    y[blockIdx.x][i] += a * x[blockIdx.x][i];
}

__global__ void shuffle_rows(float **rows, int n) {
  float *first = rows[0];
  for (int i = 0; i + 1 < n; i++)
    rows[i] = rows[i + 1];
  rows[n - 1] = first;
  rows[0]++;
  rows[0] += 2;
  --rows[1];
  rows[2] = rows[3]++ + 5;
}

/* Rows of odd sizes at odd places: what small buffers, large ones, and places inside of them look like. */
static void batches(void) {
  enum { ROWS = 9, LENGTH = 50 };
  float *x[ROWS], *y[ROWS], **device_x, **device_y, seen[LENGTH], begin[LENGTH], *back[ROWS];
  for (int i = 0; i < ROWS; i++) {
    size_t bytes = i % 3 == 0 ? 1 << 20 : (i % 3 == 1 ? 100 : 5000) + sizeof seen;
    CHECK(cudaMalloc((void **)&x[i], bytes));
    CHECK(cudaMalloc((void **)&y[i], bytes));
    x[i] += 4 + i;
    y[i] += 13 - i;
    for (int k = 0; k < LENGTH; k++)
      begin[k] = (float)(i + k);
    CHECK(cudaMemcpy(x[i], begin, sizeof begin, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(y[i], begin, sizeof begin, cudaMemcpyHostToDevice));
  }
  CHECK(cudaMalloc((void **)&device_x, sizeof x));
  CHECK(cudaMalloc((void **)&device_y, sizeof y));
  CHECK(cudaMemcpy(device_x, x, sizeof x, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_y, y, sizeof y, cudaMemcpyHostToDevice));
  axpy_batched<<<ROWS, BLOCK, 0, streams[0]>>>(2, device_x, device_y, LENGTH);
  wait();
  for (int i = 0; i < ROWS; i++) {
    CHECK(cudaMemcpy(seen, y[i], sizeof seen, cudaMemcpyDeviceToHost));
    for (int k = 0; k < LENGTH; k++)
      EXPECT((long long)seen[k], 3 * (i + k));
  }
  shuffle_rows<<<1, 1>>>(device_x, ROWS);
  wait();
  CHECK(cudaMemcpy(back, device_x, sizeof back, cudaMemcpyDeviceToHost));
  EXPECT(back[0] == x[1] + 3, true);
  EXPECT(back[1] == x[2] - 1, true);
  EXPECT(back[2] == x[4] + 5, true);
  EXPECT(back[3] == x[4] + 1, true);
  for (int i = 4; i < ROWS; i++)
    EXPECT(back[i] == x[(i + 1) % ROWS], true);
  for (int i = 0; i < ROWS; i++) {
    CHECK(cudaFree(x[i] - 4 - i));
    CHECK(cudaFree(y[i] - 13 + i));
  }
  CHECK(cudaFree(device_x));
  CHECK(cudaFree(device_y));
}

/* ---- structs and variables ------------------------------------------------------------------------------- */

struct view {
  const int *from;
  int count;
  int *parts[2];
  struct {
    int *deep;
  };
};

__constant__ struct view fixed;
__device__ int *single;
__device__ int *several[4];
__device__ struct view changing;

__device__ static struct view view_of(const int *from, int *to) {
  struct view made = { from, 7, { to, to + 1 }, { to + 2 } };
  return made;
}

__global__ void use_struct(const struct view *it) {
  struct view own = *it;
  for (int i = 0; i < own.count; i++)
    *it->parts[0] += own.from[i];
  *own.parts[1] = it->from[0];
  *own.deep = view_of(own.from + 1, own.deep).from[0];
}

__global__ void use_value(struct view it, int by) {
  struct view *own = &it;
  own->parts[0]++;
  *it.parts[0] = it.from[2] + by;
  *own->deep += by;
}

__global__ void use_variables(int n) {
  *single += fixed.from[n] + *several[n];
  *fixed.parts[0] = 11;
  several[0] = single + 2;
  single++;
  changing = view_of(fixed.from, several[n]);
  changing.count += *changing.parts[1];
}

__global__ void share_pointers(struct view *views, int *out) {
  __shared__ struct view block;
  __shared__ const int *begin;
  if (threadIdx.x == 0) {
    block = views[blockIdx.x];
    begin = block.from;
  }
  __syncthreads();
  const int *mine = threadIdx.x < 4 ? block.from : begin;
  if (mine != begin)
    out[0] = -1;
  __syncthreads();
  if (block.count > 3)
    __syncthreads();
  atomicAdd(out, mine[threadIdx.x]);
}

static void structs(void) {
  const int numbers[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
  int *from, *to, seen[8], zeros[8] = { 0 };
  struct view it, *device;
  CHECK(cudaMalloc((void **)&from, sizeof numbers));
  CHECK(cudaMalloc((void **)&to, sizeof seen));
  CHECK(cudaMalloc((void **)&device, sizeof it));
  CHECK(cudaMemcpy(from, numbers, sizeof numbers, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(to, zeros, sizeof zeros, cudaMemcpyHostToDevice));
  it.from = from;
  it.count = 4;
  it.parts[0] = to;
  it.parts[1] = to + 1;
  it.deep = to + 5;
  CHECK(cudaMemcpy(device, &it, sizeof it, cudaMemcpyHostToDevice));
  use_struct<<<1, 1>>>(device);
  use_value<<<1, 1>>>(it, 40);
  wait();
  CHECK(cudaMemcpy(seen, to, sizeof seen, cudaMemcpyDeviceToHost));
  EXPECT(seen[0], 10);
  EXPECT(seen[1], 43);
  EXPECT(seen[5], 42);
  CHECK(cudaMemset(to, 0, sizeof seen));
  share_pointers<<<1, 8>>>(device, to);
  wait();
  CHECK(cudaMemcpy(seen, to, sizeof seen, cudaMemcpyDeviceToHost));
  EXPECT(seen[0], 36);
  CHECK(cudaFree(device));
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
}

static void variables(void) {
  const int numbers[8] = { 10, 20, 30, 40, 50, 60, 70, 80 };
  int *memory, *pointers[4], seen[8];
  struct view it = { NULL }, back;
  CHECK(cudaMalloc((void **)&memory, sizeof numbers));
  CHECK(cudaMemcpy(memory, numbers, sizeof numbers, cudaMemcpyHostToDevice));
  it.from = memory;
  it.parts[0] = memory + 7;
  for (int i = 0; i < 4; i++)
    pointers[i] = memory + i + 2;
  int *at = memory + 1;
  CHECK(cudaMemcpyToSymbol(fixed, &it, sizeof it));
  CHECK(cudaMemcpyToSymbol(single, &at, sizeof at));
  CHECK(cudaMemcpyToSymbol(several, pointers, sizeof pointers));
  use_variables<<<1, 1>>>(3);
  wait();
  CHECK(cudaMemcpyFromSymbol(&at, single, sizeof at));
  CHECK(cudaMemcpyFromSymbol(pointers, several, sizeof pointers));
  CHECK(cudaMemcpyFromSymbol(&back, changing, sizeof back));
  CHECK(cudaMemcpy(seen, memory, sizeof seen, cudaMemcpyDeviceToHost));
  EXPECT(seen[1], 20 + 40 + 60);
  EXPECT(seen[7], 11);
  EXPECT(at == memory + 2, true);
  EXPECT(pointers[0] == memory + 3, true);
  EXPECT(pointers[3] == memory + 5, true);
  EXPECT(back.from == memory && back.parts[0] == memory + 5 && back.deep == memory + 7, true);
  EXPECT(back.count, 7 + 70);
  CHECK(cudaFree(memory));
}

/* ---- memory that comes and goes -------------------------------------------------------------------------- */

/* The table of addresses follows: each round other buffers are there, small and large. */
static void changes(void) {
  int *rows[2], value;
  for (int round = 0; round < 12; round++) {
    size_t bytes = round % 2 ? 64 : (size_t)(round + 1) << 19;
    int *before = NULL;
    if (round % 3 == 0)
      CHECK(cudaMalloc((void **)&before, 3 << 20));
    CHECK(cudaMalloc((void **)&rows[0], bytes));
    CHECK(cudaMallocManaged(&rows[1], bytes));
    value = 100 + round;
    CHECK(cudaMemcpy(rows[0], &value, sizeof value, cudaMemcpyHostToDevice));
    *rows[1] = 1000 * round;
    struct view view = { rows[0], 1, { rows[1], rows[1] + 1 }, { rows[1] + 2 } }, *views;
    CHECK(cudaMalloc((void **)&views, sizeof view));
    CHECK(cudaMemcpyAsync(views, &view, sizeof view, cudaMemcpyHostToDevice, streams[round % 2]));
    CHECK(cudaStreamSynchronize(streams[round % 2]));
    use_struct<<<1, 1, 0, streams[round % 2]>>>(views);
    CHECK(cudaGetLastError());
    CHECK(cudaStreamSynchronize(streams[round % 2]));
    EXPECT(rows[1][0], 1000 * round + 100 + round);
    EXPECT(rows[1][1], 100 + round);
    CHECK(cudaFree(rows[0]));
    CHECK(cudaFree(rows[1]));
    CHECK(cudaFree(views));
    if (before != NULL)
      CHECK(cudaFree(before));
  }
}

/* ---- pools of bytes -------------------------------------------------------------------------------------- */

__global__ void carve(void *memory, unsigned char *bytes, int n) {
  struct node *nodes = (struct node *)memory, **places = (struct node **)(bytes + 16);
  for (int i = 0; i < n; i++) {
    nodes[i].value = i;
    nodes[i].next = i + 1 < n ? nodes + i + 1 : 0;
    places[n - 1 - i] = &nodes[i];
  }
}

static void pools(void) {
  enum { NODES = 5 };
  unsigned char *bytes;
  struct node *nodes;
  CHECK(cudaMallocManaged(&bytes, 16 + NODES * sizeof(void *)));
  CHECK(cudaMallocManaged(&nodes, NODES * sizeof *nodes));
  carve<<<1, 1>>>(nodes, bytes, NODES);
  wait();
  for (int i = 0; i < NODES; i++) {
    EXPECT(nodes[i].next == (i + 1 < NODES ? nodes + i + 1 : NULL), true);
    EXPECT(((struct node **)(bytes + 16))[i] == nodes + NODES - 1 - i, true);
  }
  CHECK(cudaFree(bytes));
  CHECK(cudaFree(nodes));
}

int main(void) {
  struct node *nodes;
  CHECK(cudaStreamCreate(&streams[0]));
  CHECK(cudaStreamCreate(&streams[1]));
  CHECK(cudaMallocHost((void **)&result, 8 * sizeof *result));
  CHECK(cudaMallocManaged(&nodes, COUNT * sizeof *nodes));
  lists_of_both(nodes);
  CHECK(cudaFree(nodes));
  CHECK(cudaMallocHost((void **)&nodes, COUNT * sizeof *nodes));
  lists_of_both(nodes);
  CHECK(cudaFreeHost(nodes));
  lists_of_the_device();
  trees_of_both();
  batches();
  structs();
  variables();
  changes();
  pools();
  CHECK(cudaFreeHost(result));
  CHECK(cudaStreamDestroy(streams[0]));
  CHECK(cudaStreamDestroy(streams[1]));
  return verdict("linked");
}
