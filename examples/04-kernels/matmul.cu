/* SPDX-License-Identifier: MIT */
/* matmul - C = A B, a thread for each element of C; sizes are no multiples of the block's. */
#include "check.h"

enum { ROWS = 173, INNER = 211, COLUMNS = 149, SIDE = 16 };

__global__ void multiply(const float *a, const float *b, float *c, int rows, int inner, int columns) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || column >= columns)
    return;
  float sum = 0;
  for (int k = 0; k < inner; k++)
    sum += a[row * inner + k] * b[k * columns + column];
  c[row * columns + column] = sum;
}

static float a[ROWS * INNER], b[INNER * COLUMNS], c[ROWS * COLUMNS], expected[ROWS * COLUMNS];

static void multiply_on_host(void) {
  for (int row = 0; row < ROWS; row++)
    for (int column = 0; column < COLUMNS; column++) {
      float sum = 0;
      for (int k = 0; k < INNER; k++)
        sum += a[row * INNER + k] * b[k * COLUMNS + column];
      expected[row * COLUMNS + column] = sum;
    }
}

int main(void) {
  float *on_device[3];
  for (int i = 0; i < ROWS * INNER; i++)
    a[i] = (float)(i % 17) - 8;
  for (int i = 0; i < INNER * COLUMNS; i++)
    b[i] = (float)(i % 23) / 7 - 1;
  CHECK(cudaMalloc((void **)&on_device[0], sizeof a));
  CHECK(cudaMalloc((void **)&on_device[1], sizeof b));
  CHECK(cudaMalloc((void **)&on_device[2], sizeof c));
  CHECK(cudaMemcpy(on_device[0], a, sizeof a, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(on_device[1], b, sizeof b, cudaMemcpyHostToDevice));

  dim3 block(SIDE, SIDE);
  dim3 grid((COLUMNS + SIDE - 1) / SIDE, (ROWS + SIDE - 1) / SIDE);
  multiply<<<grid, block>>>(on_device[0], on_device[1], on_device[2], ROWS, INNER, COLUMNS);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(c, on_device[2], sizeof c, cudaMemcpyDeviceToHost));

  multiply_on_host();
  for (int i = 0; i < 3; i++)
    CHECK(cudaFree(on_device[i]));
  return verdict("matmul", differences(expected, c, ROWS * COLUMNS, 1e-4f));
}
