/* SPDX-License-Identifier: MIT */
/*
 * kernels_struct_unused - structs by value with pointers that the kernel does not use: they are no affair of the launch.
 * Eigen's expressions have references to objects of the host in them.
 */
#include "check.h"

struct device { int number; };

struct view {
  const device &where;
  int *items;
  int count;
  const int *gone;
};

struct expression {
  view left, right;
  int factor;
};

__global__ void sum(expression e, int *out) {
  int i = threadIdx.x;
  if (i < e.left.count)
    out[i] = e.left.items[i] + e.factor * e.right.items[i];
}

__global__ void sum_where_it_is(expression e, int *out, bool is_used) {
  int i = threadIdx.x;
  if (i < e.left.count)
    out[i] = e.left.items[i] + (is_used ? e.right.gone[i] : e.right.items[i]);
}

int main() {
  device there = { 1 };
  items<int, 64> left, right, out;
  int *gone;
  CALL(cudaMalloc(&gone, sizeof *gone));
  CALL(cudaFree(gone));
  for (int i = 0; i < 64; i++)
    left.host[i] = i, right.host[i] = 100 * i;
  left.send(), right.send();
  expression e = { { there, left.device, 64, gone }, { there, right.device, 64, gone }, 3 };
  sum<<<1, 64>>>(e, out.device);
  out.fetch();
  EXPECT_EACH(64, out[i] == 301 * i);
  expression used = { { there, left.device, 64, gone }, { there, right.device, 64, left.device }, 3 };
  sum_where_it_is<<<1, 64>>>(used, out.device, true);
  out.fetch();
  EXPECT_EACH(64, out[i] == 2 * i);
  return result();
}
