/* SPDX-License-Identifier: MIT */
/*
 * surfaces_turns - two arrays that take turns: a kernel reads one as a texture and writes the other as a surface, and the
 * next kernel reads that; in the order of a stream, and of two streams with an event between them.
 */
#include "texel.h"

enum { WIDTH = 40, HEIGHT = 24, TURNS = 6 };

__global__ void soften(cudaTextureObject_t from, cudaSurfaceObject_t to) {
  int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= WIDTH || y >= HEIGHT)
    return;
  float fx = (float)x + 0.5f, fy = (float)y + 0.5f;
  float sum = tex2D<float>(from, fx - 1, fy) + tex2D<float>(from, fx + 1, fy) + tex2D<float>(from, fx, fy - 1) +
              tex2D<float>(from, fx, fy + 1);
  surf2Dwrite<float>(sum * 0.25f, to, x * (int)sizeof(float), y);
}

static float image[2][HEIGHT][WIDTH], seen[HEIGHT][WIDTH];

static float at(int which, int x, int y) {
  return image[which][y < 0 ? 0 : y >= HEIGHT ? HEIGHT - 1 : y][x < 0 ? 0 : x >= WIDTH ? WIDTH - 1 : x];
}

int main() {
  const dim3 block(16, 8), grid((WIDTH + 15) / 16, (HEIGHT + 7) / 8);
  cudaArray_t arrays[2];
  cudaTextureObject_t textures[2];
  cudaSurfaceObject_t surfaces[2];
  cudaStream_t streams[2];
  cudaEvent_t event;
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    (&image[0][0][0])[i] = (float)((i * 71) % 256);
  for (int i = 0; i < 2; i++) {
    arrays[i] = array_of(i == 0 ? &image[0][0][0] : nullptr, WIDTH, HEIGHT, 0, cudaArraySurfaceLoadStore);
    textures[i] = texture_of(arrays[i], how_of());
    surfaces[i] = surface_of(arrays[i]);
    CALL(cudaStreamCreate(&streams[i]));
  }
  CALL(cudaEventCreate(&event));
  CALL(cudaDeviceSynchronize());
  for (int turn = 0; turn < TURNS; turn++) {
    int from = turn & 1, to = 1 - from;
    cudaStream_t stream = turn < TURNS / 2 ? nullptr : streams[turn & 1];
    soften<<<grid, block, 0, stream>>>(textures[from], surfaces[to]);
    CALL(cudaEventRecord(event, stream));
    CALL(cudaStreamWaitEvent(streams[0], event, 0));
    CALL(cudaStreamWaitEvent(streams[1], event, 0));
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++)
        image[to][y][x] = (at(from, x - 1, y) + at(from, x + 1, y) + at(from, x, y - 1) + at(from, x, y + 1)) * 0.25f;
  }
  LAUNCHED();
  bring_back(seen, arrays[TURNS & 1], 4, WIDTH, HEIGHT, 1);
  EXPECT_EACH(WIDTH * HEIGHT, is_near((&seen[0][0])[i], (&image[TURNS & 1][0][0])[i], 10));
  for (int i = 0; i < 2; i++) {
    CALL(cudaDestroyTextureObject(textures[i]));
    CALL(cudaDestroySurfaceObject(surfaces[i]));
    CALL(cudaFreeArray(arrays[i]));
    CALL(cudaStreamDestroy(streams[i]));
  }
  CALL(cudaEventDestroy(event));
  return result();
}
