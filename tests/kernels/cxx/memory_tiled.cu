/* SPDX-License-Identifier: MIT */
/* memory_tiled - a transposition and a matrix product through tiles of shared memory, sizes by template. */
#include "check.h"

template <class T, int Tile> __global__ void transpose(T *out, const T *in, int rows, int columns) {
  __shared__ T tile[Tile][Tile + 1];
  int x = (int)(blockIdx.x * Tile + threadIdx.x), y = (int)(blockIdx.y * Tile + threadIdx.y);
  if (x < columns && y < rows)
    tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
  __syncthreads();
  x = (int)(blockIdx.y * Tile + threadIdx.x), y = (int)(blockIdx.x * Tile + threadIdx.y);
  if (x < rows && y < columns)
    out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}
template <class T, int Tile> __global__ void multiply(T *c, const T *a, const T *b, int n) {
  __shared__ T left[Tile][Tile], right[Tile][Tile];
  int x = (int)threadIdx.x, y = (int)threadIdx.y, row = (int)blockIdx.y * Tile + y, column = (int)blockIdx.x * Tile + x;
  T sum = T(0);
  for (int first = 0; first < n; first += Tile) {
    left[y][x] = a[row * n + first + x];
    right[y][x] = b[(first + y) * n + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Tile; k++)
      sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

int main() {
  items<float, 30 * 17> in, out;
  for (int i = 0; i < 30 * 17; i++)
    in.host[i] = (float)i;
  in.send();
  transpose<float, 8><<<dim3(3, 4), dim3(8, 8)>>>(out.device, in.device, 30, 17);
  out.fetch();
  EXPECT_EACH(30 * 17, out[i] == in[i % 30 * 17 + i / 30]);
  items<int, 256> a, b, c;
  for (int i = 0; i < 256; i++)
    a.host[i] = i % 7, b.host[i] = i % 5 - 2;
  a.send(), b.send();
  multiply<int, 4><<<dim3(4, 4), dim3(4, 4)>>>(c.device, a.device, b.device, 16);
  c.fetch();
  for (int i = 0; i < 256; i++) {
    int sum = 0;
    for (int k = 0; k < 16; k++)
      sum += a[i / 16 * 16 + k] * b[k * 16 + i % 16];
    check_item(c[i] == sum, i, "a product's item", __FILE__, __LINE__);
  }
  return result();
}
