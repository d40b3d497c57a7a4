/* SPDX-License-Identifier: MIT */
/* locked - atomic operations on 16 bytes at once, in global and shared memory, by many blocks: no half is another's. */
#include "kernels.h"

enum { BLOCK = 64, BLOCKS = 16, THREADS = BLOCK * BLOCKS };

struct node {
  int number;
  struct node *next;
};

struct __align__(16) node_at { /* a pointer, and how often it was changed */
  struct node *top;
  unsigned long long changes;
};

__device__ ulonglong2 of_module;

__device__ void count(ulonglong2 *at, unsigned long long number) {
  ulonglong2 seen = *at, old;
  do {
    old = seen;
    seen = atomicCAS(at, old, make_ulonglong2(old.x + 1, old.y + number));
  } while (seen.x != old.x || seen.y != old.y);
}

__global__ void count_all(ulonglong2 *at) {
  __shared__ ulonglong2 here;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    here = make_ulonglong2(0, 0);
  __syncthreads();
  count(at, i);
  count(&of_module, i);
  count(&here, i);
  __syncthreads();
  if (threadIdx.x == 0)
    at[1 + blockIdx.x] = here;
}

/* Whoever comes takes what the one before has left. */
__global__ void exchange_all(uint4 *at, uint4 *seen) {
  __shared__ uint4 here;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    here = make_uint4(0, 0, 0, 0);
  __syncthreads();
  seen[i] = atomicExch(at, make_uint4(i, i + 1, i + 2, i + 3));
  seen[i + THREADS] = atomicExch_block(&here, make_uint4(i, i + 1, i + 2, i + 3));
  __syncthreads();
  if (threadIdx.x == 0)
    seen[2 * THREADS + blockIdx.x] = here;
}

__global__ void push_all(node_at *head, node *nodes) {
  node *own = nodes + blockIdx.x * blockDim.x + threadIdx.x;
  own->number = blockIdx.x * blockDim.x + threadIdx.x;
  node_at seen = *head, old, made;
  do {
    old = seen;
    own->next = old.top;
    made.top = own;
    made.changes = old.changes + 1;
    seen = atomicCAS_system(head, old, made);
  } while (seen.top != old.top || seen.changes != old.changes);
}

/* Each half in turn is another than what is expected, then both are it. */
__global__ void compare_halves(ulonglong2 *at, ulonglong2 *seen) {
  seen[0] = atomicCAS(at, make_ulonglong2(1, 7), make_ulonglong2(10, 20));
  seen[1] = atomicCAS(at, make_ulonglong2(7, 2), make_ulonglong2(10, 20));
  seen[2] = atomicCAS(at, make_ulonglong2(1, 2), make_ulonglong2(30, 40));
}

__global__ void a_child(ulonglong2 *at) { atomicExch_system(at, make_ulonglong2(3, 4)); }
__global__ void a_parent(ulonglong2 *at) { a_child<<<1, 1>>>(at); }

/* First of all: the locks are not there yet when the child begins. */
static void children_have_locks(void) {
  ulonglong2 *at, seen;
  CHECK(cudaMalloc((void **)&at, sizeof *at));
  a_parent<<<1, 1>>>(at);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&seen, at, sizeof seen, cudaMemcpyDeviceToHost));
  EXPECT(seen.x, 3);
  EXPECT(seen.y, 4);
  CHECK(cudaFree(at));
}

static void both_halves_are_compared(void) {
  ulonglong2 *at, seen[4], begin = make_ulonglong2(1, 2);
  CHECK(cudaMalloc((void **)&at, sizeof seen));
  CHECK(cudaMemcpy(at, &begin, sizeof begin, cudaMemcpyHostToDevice));
  compare_halves<<<1, 1>>>(at, at + 1);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(seen, at, sizeof seen, cudaMemcpyDeviceToHost));
  EXPECT(seen[0].x, 30);
  EXPECT(seen[0].y, 40);
  for (int i = 1; i < 4; i++) {
    EXPECT(seen[i].x, 1);
    EXPECT(seen[i].y, 2);
  }
  CHECK(cudaFree(at));
}

static void numbers_are_counted(void) {
  ulonglong2 *at, seen[1 + BLOCKS], begin = make_ulonglong2(0, 0);
  unsigned long long sum = 0;
  CHECK(cudaMalloc((void **)&at, sizeof seen));
  CHECK(cudaMemcpy(at, &begin, sizeof begin, cudaMemcpyHostToDevice));
  count_all<<<BLOCKS, BLOCK>>>(at);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(seen, at, sizeof seen, cudaMemcpyDeviceToHost));
  for (int i = 0; i < THREADS; i++)
    sum += i;
  EXPECT(seen[0].x, THREADS);
  EXPECT(seen[0].y, sum);
  for (int block = 0; block < BLOCKS; block++) {
    EXPECT(seen[1 + block].x, BLOCK);
    EXPECT(seen[1 + block].y, BLOCK * BLOCK * block + BLOCK * (BLOCK - 1) / 2);
  }
  CHECK(cudaMemcpyFromSymbol(seen, of_module, sizeof *seen));
  EXPECT(seen[0].x, THREADS);
  EXPECT(seen[0].y, sum);
  CHECK(cudaFree(at));
}

/* Each number is seen once, or is there at the end; and whole. */
static void look_at(const uint4 *seen, int *times) {
  EXPECT(seen->y == seen->x + 1 && seen->z == seen->x + 2 && seen->w == seen->x + 3, seen->y != 0);
  if (seen->y != 0)
    times[seen->x]++;
}

static void words_are_exchanged(void) {
  static uint4 seen[2 * THREADS + BLOCKS];
  static int times[2][THREADS];
  uint4 *at, *device, last, begin = make_uint4(0, 0, 0, 0);
  CHECK(cudaMalloc((void **)&at, sizeof *at));
  CHECK(cudaMalloc((void **)&device, sizeof seen));
  CHECK(cudaMemcpy(at, &begin, sizeof begin, cudaMemcpyHostToDevice));
  exchange_all<<<BLOCKS, BLOCK>>>(at, device);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&last, at, sizeof last, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(seen, device, sizeof seen, cudaMemcpyDeviceToHost));
  look_at(&last, times[0]);
  for (int i = 0; i < 2 * THREADS + BLOCKS; i++)
    look_at(&seen[i], times[i >= THREADS]);
  for (int i = 0; i < THREADS; i++) {
    EXPECT(times[0][i], 1);
    EXPECT(times[1][i], 1);
  }
  CHECK(cudaFree(at));
  CHECK(cudaFree(device));
}

static void nodes_are_pushed(void) {
  static node nodes[THREADS];
  static int times[THREADS];
  node_at *head, last = { NULL, 0 };
  node *device;
  int count = 0;
  CHECK(cudaMalloc((void **)&head, sizeof *head));
  CHECK(cudaMalloc((void **)&device, sizeof nodes));
  CHECK(cudaMemcpy(head, &last, sizeof last, cudaMemcpyHostToDevice));
  push_all<<<BLOCKS, BLOCK>>>(head, device);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&last, head, sizeof last, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(nodes, device, sizeof nodes, cudaMemcpyDeviceToHost));
  EXPECT(last.changes, THREADS);
  for (const node *at = last.top; at != NULL && count < THREADS; at = nodes[at - device].next, count++)
    times[nodes[at - device].number]++;
  EXPECT(count, THREADS);
  for (int i = 0; i < THREADS; i++)
    EXPECT(times[i], 1);
  CHECK(cudaFree(head));
  CHECK(cudaFree(device));
}

int main(void) {
  children_have_locks();
  both_halves_are_compared();
  numbers_are_counted();
  words_are_exchanged();
  nodes_are_pushed();
  return verdict("locked");
}
