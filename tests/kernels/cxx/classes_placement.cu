/* SPDX-License-Identifier: MIT */
/* classes_placement - objects made in memory that is there: by placement new in local, shared and global bytes. */
#include "check.h"

#include <new>

struct node {
  int value;
  double weight;
  __device__ node(int v, double w) : value(v), weight(w) {}
  __device__ ~node() { value = -1; }
};

__global__ void build(unsigned char *heap, double *out, int *ended) {
  alignas(16) __shared__ unsigned char room[32 * sizeof(node)];
  alignas(node) unsigned char own[sizeof(node)];
  int i = (int)threadIdx.x;
  node *a = new (own) node(i, 0.5);
  node *b = new (room + i * sizeof(node)) node(i * 2, 0.25);
  node *c = new (heap + i * sizeof(node)) node(i * 3, 0.125);
  __syncthreads();
  const node *other = reinterpret_cast<const node *>(room) + (i + 1) % 32;
  out[i] = a->value * a->weight + other->value * other->weight + c->value * c->weight;
  int *list = new (heap + 32 * sizeof(node) + i * 4 * sizeof(int)) int[2]{ i, 7 };
  out[i] += list[0] + list[1];
  c->~node();
  ended[i] = c->value;
  __syncthreads();
  b->~node();
}

int main() {
  items<unsigned char, 2048> heap;
  items<double, 32> out;
  items<int, 32> ended;
  build<<<1, 32>>>(heap.device, out.device, ended.device);
  out.fetch();
  ended.fetch();
  EXPECT_EACH(32, out[i] == i * 0.5 + (i + 1) % 32 * 2 * 0.25 + i * 3 * 0.125 + i + 7);
  EXPECT_EACH(32, ended[i] == -1);
  return result();
}
