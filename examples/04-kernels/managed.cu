/* SPDX-License-Identifier: MIT */
/* managed - vectors are added into a variable that host and device both know by its name: no copies in sight. */
#include "check.h"

enum { LENGTH = 10000, BLOCK = 256 };

__managed__ float total[LENGTH];
__managed__ int additions = 0;

__global__ void add(const float *x, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < LENGTH)
    total[i] += factor * x[i];
  if (i == 0)
    additions++;
}

int main(void) {
  static float x[LENGTH], expected[LENGTH];
  float *on_device;
  for (int i = 0; i < LENGTH; i++) {
    x[i] = (float)i;
    total[i] = 1;
    expected[i] = 1;
  }
  CHECK(cudaMalloc((void **)&on_device, sizeof x));
  CHECK(cudaMemcpy(on_device, x, sizeof x, cudaMemcpyHostToDevice));
  for (int round = 1; round <= 3; round++) {
    add<<<(LENGTH + BLOCK - 1) / BLOCK, BLOCK>>>(on_device, (float)round);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    total[0] += 1; /* the host writes between two kernels */
    expected[0] += 1;
    for (int i = 0; i < LENGTH; i++)
      expected[i] += (float)round * x[i];
  }
  int wrong = differences(expected, total, LENGTH, 0) + (additions != 3);
  CHECK(cudaFree(on_device));
  return verdict("managed", wrong);
}
