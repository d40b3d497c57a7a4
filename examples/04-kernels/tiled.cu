/* SPDX-License-Identifier: MIT */
/* tiled - C = A B through shared memory: each block stages square tiles of A and B, and every value is read from global
 * memory once a tile instead of once a thread. Borders are filled with zeros, so that all threads reach the barriers. */
#include "check.h"

enum { ROWS = 201, INNER = 157, COLUMNS = 183, TILE = 16 };

__global__ void __launch_bounds__(TILE *TILE)
    multiply(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int rows, int inner,
             int columns) {
  __shared__ float tile_of_a[TILE][TILE];
  __shared__ float tile_of_b[TILE][TILE + 1]; /* the extra column keeps a warp's reads in different banks */
  int row = blockIdx.y * TILE + threadIdx.y;
  int column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < inner; first += TILE) {
    int of_a = first + threadIdx.x, of_b = first + threadIdx.y;
    tile_of_a[threadIdx.y][threadIdx.x] = row < rows && of_a < inner ? a[row * inner + of_a] : 0.0f;
    tile_of_b[threadIdx.y][threadIdx.x] = column < columns && of_b < inner ? b[of_b * columns + column] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE; k++)
      sum += tile_of_a[threadIdx.y][k] * tile_of_b[k][threadIdx.x];
    __syncthreads();
  }
  if (row < rows && column < columns)
    c[row * columns + column] = sum;
}

static float a[ROWS * INNER], b[INNER * COLUMNS], c[ROWS * COLUMNS], expected[ROWS * COLUMNS];

static void multiply_on_host(void) {
  for (int row = 0; row < ROWS; row++)
    for (int column = 0; column < COLUMNS; column++)
      for (int k = 0; k < INNER; k++)
        expected[row * COLUMNS + column] += a[row * INNER + k] * b[k * COLUMNS + column];
}

int main(void) {
  float *da, *db, *dc;
  for (int i = 0; i < ROWS * INNER; i++)
    a[i] = (float)(i % 13) / 3 - 2;
  for (int i = 0; i < INNER * COLUMNS; i++)
    b[i] = (float)(i % 19) - 9;
  CHECK(cudaMalloc((void **)&da, sizeof a));
  CHECK(cudaMalloc((void **)&db, sizeof b));
  CHECK(cudaMalloc((void **)&dc, sizeof c));
  CHECK(cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice));
  multiply<<<dim3((COLUMNS + TILE - 1) / TILE, (ROWS + TILE - 1) / TILE), dim3(TILE, TILE)>>>(da, db, dc, ROWS, INNER,
                                                                                             COLUMNS);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost));
  multiply_on_host();
  CHECK(cudaFree(da));
  CHECK(cudaFree(db));
  CHECK(cudaFree(dc));
  return verdict("tiled", differences(expected, c, ROWS * COLUMNS, 1e-4f));
}
