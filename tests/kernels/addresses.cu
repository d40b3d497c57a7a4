/* SPDX-License-Identifier: MIT */
/* addresses - variables of the device that begin with the addresses of others, in circles too, and what a reset does. */
#include "kernels.h"

struct node {
  int value;
  node *next;
};
__device__ int numbers[4] = { 1, 2, 3, 4 };
__constant__ float factor = 2.5f;
__device__ int *second = &numbers[1];
__device__ int *ends[2] = { numbers, numbers + 4 };
__constant__ const float *at_factor = &factor;
extern __device__ node ring_b;
__device__ node ring_a = { 10, &ring_b };
__device__ node ring_b = { 20, &ring_a };
struct tagged {
  short tag;
  const node *first[2];
};
__constant__ tagged table = { 7, { &ring_b, nullptr } };

__global__ void follow(double *out) {
  int n = 0;
  out[n++] = *second;
  out[n++] = ends[1] - ends[0];
  out[n++] = ends[1][-1];
  out[n++] = *at_factor;
  out[n++] = ring_a.next->value;
  out[n++] = ring_a.next->next->value;
  out[n++] = table.first[0]->next->value + table.tag;
  out[n++] = table.first[1] == nullptr;
  *second = 50;
  second = ends[0] + 3;
  ring_a.next = &ring_a;
}

static const double begin[] = { 2, 4, 4, 2.5, 20, 10, 17, 1 }, changed[] = { 4, 4, 4, 2.5, 10, 10, 17, 1 };

static void expect_all(const double *expected) {
  enum { COUNT = sizeof begin / sizeof *begin };
  double *out, seen[COUNT];
  CHECK(cudaMalloc(&out, sizeof seen));
  follow<<<1, 1>>>(out);
  CHECK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  for (int i = 0; i < COUNT; i++)
    EXPECT(seen[i], expected[i]);
  CHECK(cudaFree(out));
}

int main() {
  int *there, *stored, row[4];
  CHECK(cudaGetSymbolAddress((void **)&there, numbers));
  CHECK(cudaMemcpyFromSymbol(&stored, second, sizeof stored));
  EXPECT(stored - there, 1);
  expect_all(begin);
  expect_all(changed);
  CHECK(cudaMemcpyFromSymbol(row, numbers, sizeof row));
  EXPECT(row[1], 50);
  CHECK(cudaDeviceReset());
  expect_all(begin);
  return verdict("addresses");
}
