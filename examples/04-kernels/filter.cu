/* SPDX-License-Identifier: MIT */
/* filter - an image is filtered with coefficients in constant memory, which the host sets by the variable's name. */
#include "check.h"

enum { WIDTH = 317, HEIGHT = 203, REACH = 2, SIDE = 2 * REACH + 1 };

__constant__ float coefficients[SIDE][SIDE];
__constant__ float bias = 0.25f;

/* Outside of the image its border goes on. */
__device__ int inside(int at, int size) {
  return min(max(at, 0), size - 1);
}

__global__ void filter(const float *in, float *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float sum = bias;
  for (int dy = -REACH; dy <= REACH; dy++)
    for (int dx = -REACH; dx <= REACH; dx++)
      sum += coefficients[dy + REACH][dx + REACH] * in[inside(y + dy, height) * width + inside(x + dx, width)];
  out[y * width + x] = sum;
}

static float in[WIDTH * HEIGHT], out[WIDTH * HEIGHT], expected[WIDTH * HEIGHT];

static int clamp(int at, int size) {
  return at < 0 ? 0 : at >= size ? size - 1 : at;
}

static void filter_on_host(const float weights[SIDE][SIDE]) {
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      float sum = 0.25f;
      for (int dy = -REACH; dy <= REACH; dy++)
        for (int dx = -REACH; dx <= REACH; dx++)
          sum += weights[dy + REACH][dx + REACH] * in[clamp(y + dy, HEIGHT) * WIDTH + clamp(x + dx, WIDTH)];
      expected[y * WIDTH + x] = sum;
    }
}

int main(void) {
  float weights[SIDE][SIDE], *from, *to;
  for (int i = 0; i < SIDE * SIDE; i++)
    weights[i / SIDE][i % SIDE] = (float)(i % 7) / 16;
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    in[i] = (float)(i * 7 % 255);
  CHECK(cudaMemcpyToSymbol(coefficients, weights, sizeof weights));
  CHECK(cudaMalloc((void **)&from, sizeof in));
  CHECK(cudaMalloc((void **)&to, sizeof out));
  CHECK(cudaMemcpy(from, in, sizeof in, cudaMemcpyHostToDevice));
  dim3 block(32, 8);
  filter<<<dim3((WIDTH + 31) / 32, (HEIGHT + 7) / 8), block>>>(from, to, WIDTH, HEIGHT);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost));
  filter_on_host(weights);
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
  return verdict("filter", differences(expected, out, WIDTH * HEIGHT, 1e-4f));
}
