/* SPDX-License-Identifier: MIT */
/*
 * textures_layered - layers of one and two dimensions, which are neither filtered nor normalized, and have ends; and the
 * forms with a level or gradients, which read the one level that an array has.
 */
#include "texel.h"

enum { WIDTH = 8, HEIGHT = 4, LAYERS = 5, COUNT = 64 };
#ifdef __VPTRCC__
enum { FIRST = -2, LAST = 6 }; /* a layer that is not there is the nearest one */
#else
enum { FIRST = 0, LAST = LAYERS - 1 }; /* which CUDA does not say */
#endif

__global__ void rows(cudaTextureObject_t t, float *out, float x) {
  int layer = (int)threadIdx.x - 2;
  out[threadIdx.x] = tex1DLayered<float>(t, x, layer);
}
__global__ void planes(cudaTextureObject_t t, float *out, float x, float y) {
  int layer = (int)threadIdx.x - 2;
  out[threadIdx.x] = tex2DLayered<float>(t, x, y, layer);
}
__global__ void levels_1d(cudaTextureObject_t t, cudaTextureObject_t layers, float *out) {
  out[0] = tex1DLod<float>(t, 2.25f, 0.0f) + 1000 * tex1DGrad<float>(t, 3.5f, 0.5f, 0.25f);
  out[1] = tex1DLayeredLod<float>(layers, 2.25f, 1, 0.0f) + 1000 * tex1DLayeredGrad<float>(layers, 3.5f, 3, 0.5f, 0.5f);
}
__global__ void levels_2d(cudaTextureObject_t t, cudaTextureObject_t layers, float *out) {
  const float2 step = make_float2(0.25f, 0.5f);
  out[2] = tex2DLod<float>(t, 2.25f, 1.5f, 0.0f) + 1000 * tex2DGrad<float>(t, 3.5f, 2.5f, step, step);
  out[3] = tex2DLayeredLod<float>(layers, 2.25f, 1.5f, 1, 0.0f) +
           1000 * tex2DLayeredGrad<float>(layers, 3.5f, 2.5f, 3, step, step);
}
__global__ void levels_3d(cudaTextureObject_t t, float *out) {
  const float4 step = make_float4(0.25f, 0.5f, 0.5f, 0.0f);
  out[4] = tex3DLod<float>(t, 2.25f, 1.5f, 2.5f, 0.0f) + 1000 * tex3DGrad<float>(t, 3.5f, 2.5f, 1.5f, step, step);
}

static float texels[LAYERS][HEIGHT][WIDTH], lines[LAYERS][WIDTH];

static float of_line(int layer, double x) {
  static const int size[1] = { WIDTH };
  layer = layer < 0 ? 0 : layer >= LAYERS ? LAYERS - 1 : layer;
  return (float)model([layer](int a, int, int) { return lines[layer][a]; }, size, 1, &x,
                      how_of(cudaAddressModeClamp, cudaFilterModeLinear));
}
static float of_plane(int layer, double x, double y) {
  static const int size[2] = { WIDTH, HEIGHT };
  const double at[2] = { x, y };
  layer = layer < 0 ? 0 : layer >= LAYERS ? LAYERS - 1 : layer;
  return (float)model([layer](int a, int b, int) { return texels[layer][b][a]; }, size, 2, at,
                      how_of(cudaAddressModeClamp, cudaFilterModeLinear));
}
static float of_space(double x, double y, double z) {
  static const int size[3] = { WIDTH, HEIGHT, LAYERS };
  const double at[3] = { x, y, z };
  return (float)model([](int a, int b, int c) { return texels[c][b][a]; }, size, 3, at,
                      how_of(cudaAddressModeClamp, cudaFilterModeLinear));
}

int main() {
  items<float, 9> out;
  const cudaTextureDesc how = how_of(cudaAddressModeClamp, cudaFilterModeLinear);
  for (int i = 0; i < LAYERS * HEIGHT * WIDTH; i++)
    (&texels[0][0][0])[i] = (float)((i * 23) % 97);
  for (int i = 0; i < LAYERS * WIDTH; i++)
    (&lines[0][0])[i] = (float)((i * 31) % 89);
  /* a layer of rows has no height: its layers are copied as slices of one row */
  cudaArray_t of_rows = array_of((const float *)lines, WIDTH, 0, LAYERS, cudaArrayLayered);
  cudaArray_t of_planes = array_of(&texels[0][0][0], WIDTH, HEIGHT, LAYERS, cudaArrayLayered);
  cudaArray_t row = array_of(&lines[0][0], WIDTH), plane = array_of(&texels[0][0][0], WIDTH, HEIGHT);
  cudaArray_t space = array_of(&texels[0][0][0], WIDTH, HEIGHT, LAYERS);
  cudaTextureObject_t t_rows = texture_of(of_rows, how), t_planes = texture_of(of_planes, how);
  cudaTextureObject_t t_row = texture_of(row, how), t_plane = texture_of(plane, how), t_space = texture_of(space, how);
  for (int i = 0; i < 8; i++) {
    float x = (float)i * 1.53125f - 1, y = (float)i * 0.71875f - 0.5f;
    rows<<<1, 9>>>(t_rows, out.device, x);
    out.fetch();
    for (int layer = FIRST; layer <= LAST; layer++)
      check_item(is_near(out[layer + 2], of_line(layer, x), 100), layer, "a row", __FILE__, __LINE__);
    planes<<<1, 9>>>(t_planes, out.device, x, y);
    out.fetch();
    for (int layer = FIRST; layer <= LAST; layer++)
      if (!is_mixed(out[layer + 2], of_plane(layer, x, y)) && failures++ < 10)
        fprintf(stderr, "layer %d at %g, %g: %g, and not %g\n", layer, x, y, out[layer + 2], of_plane(layer, x, y));
  }
  levels_1d<<<1, 1>>>(t_row, t_rows, out.device);
  levels_2d<<<1, 1>>>(t_plane, t_planes, out.device);
  levels_3d<<<1, 1>>>(t_space, out.device);
  out.fetch();
  EXPECT(is_near(out[0], of_line(0, 2.25) + 1000 * of_line(0, 3.5), 1000));
  EXPECT(is_near(out[1], of_line(1, 2.25) + 1000 * of_line(3, 3.5), 1000));
  EXPECT(is_near(out[2], of_plane(0, 2.25, 1.5) + 1000 * of_plane(0, 3.5, 2.5), 1000));
  EXPECT(is_near(out[3], of_plane(1, 2.25, 1.5) + 1000 * of_plane(3, 3.5, 2.5), 1000));
  EXPECT(is_near(out[4], of_space(2.25, 1.5, 2.5) + 1000 * of_space(3.5, 2.5, 1.5), 1000));
  return result();
}
