/* SPDX-License-Identifier: MIT */
/*
 * surfaces_boundary - what lies outside of a surface: zeros and nothing, the nearest element, or the end of the kernel,
 * which is what CUDA does if nothing is said.
 */
#include "texel.h"

enum { WIDTH = 8, HEIGHT = 4, ROOM = 16 };

__global__ void read_zero(cudaSurfaceObject_t s, float *out) {
  int x = (int)threadIdx.x - 4, y = (int)blockIdx.x - 4;
  out[blockIdx.x * ROOM + threadIdx.x] = surf2Dread<float>(s, x * 4, y, cudaBoundaryModeZero);
}
__global__ void read_clamp(cudaSurfaceObject_t s, float *out) {
  int x = (int)threadIdx.x - 4, y = (int)blockIdx.x - 4;
  out[blockIdx.x * ROOM + threadIdx.x] = surf2Dread<float>(s, x * 4, y, cudaBoundaryModeClamp);
}
__global__ void write_zero(cudaSurfaceObject_t s) {
  int x = (int)threadIdx.x - 4, y = (int)blockIdx.x - 4;
  surf2Dwrite<float>((float)(x + 10 * y), s, x * 4, y, cudaBoundaryModeZero);
}
__global__ void write_clamp(cudaSurfaceObject_t s, float value) {
  surf2Dwrite<float>(value, s, 4 * (WIDTH + 3), -5, cudaBoundaryModeClamp);
}
__global__ void read_or_trap(cudaSurfaceObject_t s, float *out, int limit) {
  int x = (int)threadIdx.x;
  __shared__ float row[ROOM];
  row[x] = x < limit ? surf2Dread<float>(s, x * 4, 1) : 0.0f;
  __syncthreads();
  out[x] = row[ROOM - 1 - x];
}

static float texels[HEIGHT][WIDTH];

static float at(int x, int y) {
  return texels[y < 0 ? 0 : y >= HEIGHT ? HEIGHT - 1 : y][x < 0 ? 0 : x >= WIDTH ? WIDTH - 1 : x];
}

int main() {
  float *device, out[ROOM * ROOM];
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    (&texels[0][0])[i] = (float)(i + 1);
  CALL(cudaMalloc(&device, sizeof out));
  cudaArray_t array = array_of(&texels[0][0], WIDTH, HEIGHT, 0, cudaArraySurfaceLoadStore);
  cudaSurfaceObject_t s = surface_of(array);
  read_zero<<<ROOM, ROOM>>>(s, device);
  LAUNCHED();
  CALL(cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < ROOM * ROOM; i++) {
    int x = i % ROOM - 4, y = i / ROOM - 4;
    check_item(out[i] == (x < 0 || x >= WIDTH || y < 0 || y >= HEIGHT ? 0 : at(x, y)), i, "zero", __FILE__, __LINE__);
  }
  read_clamp<<<ROOM, ROOM>>>(s, device);
  LAUNCHED();
  CALL(cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost));
  EXPECT_EACH(ROOM *ROOM, out[i] == at(i % ROOM - 4, i / ROOM - 4));
  write_zero<<<ROOM, ROOM>>>(s);
  write_clamp<<<1, 1>>>(s, 99);
  LAUNCHED();
  bring_back(texels, array, 4, WIDTH, HEIGHT, 1);
  EXPECT_EACH(WIDTH * HEIGHT, (&texels[0][0])[i] == (i == WIDTH - 1 ? 99 : (float)(i % WIDTH + 10 * (i / WIDTH))));
  read_or_trap<<<1, ROOM>>>(s, device, WIDTH);
  LAUNCHED();
  CALL(cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost));
  EXPECT_EACH(ROOM, out[i] == (i < ROOM - WIDTH ? 0 : at(ROOM - 1 - i, 1)));
  read_or_trap<<<1, ROOM>>>(s, device, ROOM);
  EXPECT(cudaDeviceSynchronize() != cudaSuccess); /* the device is lost from here on */
  return result();
}
