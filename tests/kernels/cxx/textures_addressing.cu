/* SPDX-License-Identifier: MIT */
/*
 * textures_addressing - every address mode with every filter, with coordinates that are normalized and not, along one,
 * two and three axes, far beyond both ends.
 */
#include "texel.h"

enum { WIDTH = 8, HEIGHT = 4, DEPTH = 4, SAMPLES = 192 };

__host__ __device__ inline float coordinate(int i, int size, bool normalized, int step) {
  float x = (float)((i * step) % SAMPLES - 70) * 0.140625f + 0.0078125f; /* 256ths, and never between two elements */
  return normalized ? x / (float)size : x;
}
__global__ void read_1d(cudaTextureObject_t t, float *out, bool normalized) {
  int i = threadIdx.x;
  out[i] = tex1D<float>(t, coordinate(i, WIDTH, normalized, 1));
}
__global__ void read_2d(cudaTextureObject_t t, float *out, bool normalized) {
  int i = threadIdx.x;
  out[i] = tex2D<float>(t, coordinate(i, WIDTH, normalized, 1), coordinate(i, HEIGHT, normalized, 5));
}
__global__ void read_3d(cudaTextureObject_t t, float *out, bool normalized) {
  int i = threadIdx.x;
  out[i] = tex3D<float>(t, coordinate(i, WIDTH, normalized, 1), coordinate(i, HEIGHT, normalized, 5),
                        coordinate(i, DEPTH, normalized, 11));
}

static float texels[DEPTH][HEIGHT][WIDTH];

static void check(cudaArray_t array, int axes, const cudaTextureDesc &how, items<float, SAMPLES> &out) {
  static const int size[3] = { WIDTH, HEIGHT, DEPTH }, step[3] = { 1, 5, 11 };
  cudaTextureObject_t t = texture_of(array, how);
  (axes == 1 ? read_1d : axes == 2 ? read_2d : read_3d)<<<1, SAMPLES>>>(t, out.device, how.normalizedCoords != 0);
  out.fetch();
  for (int i = 0; i < SAMPLES; i++) {
    double x[3];
    for (int axis = 0; axis < 3; axis++)
      x[axis] = coordinate(i, size[axis], how.normalizedCoords != 0, step[axis]);
    double wanted = model([](int a, int b, int c) { return texels[c][b][a]; }, size, axes, x, how, how.borderColor[0]);
    if (!is_mixed(out[i], wanted) && failures++ < 10)
      fprintf(stderr, "%d axes, modes %d %d %d, filter %d, normalized %d, at %g %g %g: %g, and not %g\n", axes,
              how.addressMode[0], how.addressMode[1], how.addressMode[2], how.filterMode, how.normalizedCoords, x[0],
              x[1], x[2], out[i], wanted);
  }
  CALL(cudaDestroyTextureObject(t));
}

int main() {
  items<float, SAMPLES> out;
  for (int i = 0; i < WIDTH * HEIGHT * DEPTH; i++)
    (&texels[0][0][0])[i] = (float)((i * 37 + 11) % 101);
  cudaArray_t arrays[3] = { array_of(&texels[0][0][0], WIDTH), array_of(&texels[0][0][0], WIDTH, HEIGHT),
                            array_of(&texels[0][0][0], WIDTH, HEIGHT, DEPTH) };
  for (int axes = 1; axes <= 3; axes++)
    for (int mode = 0; mode < 4; mode++)
      for (int filter = 0; filter < 2; filter++)
        for (int normalized = 0; normalized < 2; normalized++) {
          cudaTextureDesc how =
              how_of((cudaTextureAddressMode)mode, (cudaTextureFilterMode)filter, normalized != 0);
          how.borderColor[0] = 50;
#ifndef __VPTRCC__ /* a GPU mixes in the border of an axis that an array has not; here it plays no part */
          for (int axis = axes; axis < 3 && mode == cudaAddressModeBorder; axis++)
            how.addressMode[axis] = cudaAddressModeClamp;
#endif
          check(arrays[axes - 1], axes, how, out);
        }
  /* each axis has a mode of its own */
  for (int i = 0; i < 64; i++) {
    cudaTextureDesc how = how_of(cudaAddressModeWrap, cudaFilterModeLinear, true);
    for (int axis = 0; axis < 3; axis++)
      how.addressMode[axis] = (cudaTextureAddressMode)(i >> 2 * axis & 3);
    check(arrays[2], 3, how, out);
  }
  for (int i = 0; i < 3; i++)
    CALL(cudaFreeArray(arrays[i]));
  return result();
}
