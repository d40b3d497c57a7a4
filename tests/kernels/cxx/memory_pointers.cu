/* SPDX-License-Identifier: MIT */
/* memory_pointers - pointers in memory: lists and trees that kernels link, tables of rows, pointers by atomics. */
#include "check.h"

struct node {
  int value;
  node *left, *right;
};

__global__ void link(node *pool, int count) {
  int i = (int)threadIdx.x;
  if (i >= count)
    return;
  pool[i].value = i * i;
  pool[i].left = 2 * i + 1 < count ? pool + 2 * i + 1 : nullptr;
  pool[i].right = 2 * i + 2 < count ? &pool[2 * i + 2] : nullptr;
}
__global__ void sum_paths(const node *root, int *out, int *const *rows) {
  unsigned path = threadIdx.x;
  int all = 0;
  for (const node *at = root; at; at = path & 1 ? at->right : at->left, path >>= 1)
    all += at->value;
  out[threadIdx.x] = all + rows[threadIdx.x % 3][1];
}
__global__ void push(node *pool, node **head) {
  node *mine = pool + threadIdx.x, *before;
  before = (node *)atomicExch((unsigned long long *)head, (unsigned long long)mine);
  mine->right = before;
}

int main() {
  items<node, 15> pool;
  items<int, 8> out;
  items<int, 9> cells;
  items<int *, 3> rows;
  for (int i = 0; i < 9; i++)
    cells.host[i] = i * 1000;
  for (int i = 0; i < 3; i++)
    rows.host[i] = cells.device + 3 * i;
  cells.send(), rows.send();
  link<<<1, 32>>>(pool.device, 15);
  sum_paths<<<1, 8>>>(pool.device, out.device, rows.device);
  out.fetch();
  for (int i = 0; i < 8; i++) {
    int all = 0, path = i;
    for (int at = 0; at < 15; at = 2 * at + 1 + (path & 1), path >>= 1)
      all += at * at;
    check_item(out[i] == all + (i % 3 * 3 + 1) * 1000, i, "a path's sum", __FILE__, __LINE__);
  }
  items<node *, 1> head;
  push<<<1, 15>>>(pool.device, head.device);
  head.fetch();
  pool.fetch();
  int length = 0;
  for (node *at = head[0]; at != nullptr && length < 20; at = pool[(int)(at - pool.device)].right)
    length++;
  EXPECT(length == 15);
  return result();
}
