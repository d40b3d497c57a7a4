/* SPDX-License-Identifier: MIT */
/*
 * textures_levels - mipmapped arrays of one to three dimensions and of layers: levels that are copied to, and written by
 * a kernel; reads of a level, between two, with a bias and ends, and by gradients.
 */
#include "texel.h"

enum { WIDTH = 16, HEIGHT = 8, DEPTH = 4, LEVELS = 5, COUNT = 24 };

__host__ __device__ inline float level_of(int i) { return (float)i * 0.25f - 0.625f; }

__global__ void by_level(cudaTextureObject_t line, cudaTextureObject_t plane, cudaTextureObject_t space,
                         cudaTextureObject_t layers, float *out) {
  int i = (int)threadIdx.x;
  float level = level_of(i);
  out[i] = tex1DLod<float>(line, 0.3125f, level);
  out[COUNT + i] = tex2DLod<float>(plane, 0.3125f, 0.6875f, level);
  out[2 * COUNT + i] = tex3DLod<float>(space, 0.3125f, 0.6875f, 0.4375f, level);
  out[3 * COUNT + i] = tex2DLayeredLod<float>(layers, 0.3125f, 0.6875f, 2, level);
}
__global__ void by_gradient(cudaTextureObject_t plane, float *out) {
  int i = (int)threadIdx.x;
  float step = exp2f((float)i) / WIDTH; /* that of a level, along the longer side */
  out[i] = tex2DGrad<float>(plane, 0.3125f, 0.6875f, make_float2(step, 0), make_float2(0, step / 4));
  out[8 + i] = tex2D<float>(plane, 0.3125f, 0.6875f);
}
__global__ void plane_alone(cudaTextureObject_t plane, float *out) {
  int i = (int)threadIdx.x;
  out[i] = tex2DLod<float>(plane, 0.3125f, 0.6875f, level_of(i));
}
__global__ void write_level(cudaSurfaceObject_t s, float value) {
  surf2Dwrite<float>(value + (float)threadIdx.x, s, (int)(threadIdx.x * sizeof(float)), (int)threadIdx.y);
}

static float texel(int level, int x, int y, int z) { return (float)((level * 97 + x * 31 + y * 17 + z * 53) % 101); }

static int halved(int size, int levels) { return size >> levels > 1 ? size >> levels : 1; }

/* height 0: a line; depth 0: a plane */
static cudaMipmappedArray_t make(int height, int depth, unsigned int flags) {
  cudaMipmappedArray_t mipmap;
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  CALL(cudaMallocMipmappedArray(&mipmap, &desc, make_cudaExtent(WIDTH, height, depth), LEVELS, flags));
  for (int level = 0; level < LEVELS; level++) {
    static float texels[WIDTH * HEIGHT * DEPTH];
    int w = halved(WIDTH, level), h = halved(height, level);
    int d = (flags & cudaArrayLayered) != 0 ? depth : halved(depth, level);
    cudaArray_t array;
    for (int i = 0; i < w * h * d; i++)
      texels[i] = texel(level, i % w, i / w % h, i / w / h);
    CALL(cudaGetMipmappedArrayLevel(&array, mipmap, (unsigned int)level));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(texels, w * sizeof(float), w, h);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(w, h, d);
    copy.kind = cudaMemcpyHostToDevice;
    CALL(cudaMemcpy3D(&copy));
  }
  return mipmap;
}

static cudaTextureObject_t texture_of_levels(cudaMipmappedArray_t mipmap, const cudaTextureDesc &how) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmap;
  return texture_of(resource, how);
}

static double of_level(int level, int axes, int layer, const cudaTextureDesc &how) {
  static const double at[3] = { 0.3125, 0.6875, 0.4375 };
  const int size[3] = { halved(WIDTH, level), halved(HEIGHT, level), halved(DEPTH, level) };
  return model([=](int x, int y, int z) { return texel(level, x, y, axes < 3 ? layer : z); }, size, axes, at, how);
}

static double wanted(float level, int axes, int layer, const cudaTextureDesc &how) {
  double chosen = fmax((double)level + how.mipmapLevelBias, how.minMipmapLevelClamp);
  chosen = fmax(fmin(fmin(chosen, how.maxMipmapLevelClamp), LEVELS - 1), 0);
  if (how.mipmapFilterMode == cudaFilterModePoint)
    return of_level((int)floor(chosen + 0.5), axes, layer, how);
  int first = (int)floor(chosen), second = first + 1 < LEVELS ? first + 1 : first;
  return of_level(first, axes, layer, how) * (1 - (chosen - first)) + of_level(second, axes, layer, how) * (chosen - first);
}

int main() {
  items<float, 4 * COUNT> out;
  cudaMipmappedArray_t arrays[4] = { make(0, 0, 0), make(HEIGHT, 0, cudaArraySurfaceLoadStore), make(HEIGHT, DEPTH, 0),
                                     make(HEIGHT, DEPTH, cudaArrayLayered) };
  static const int axes[4] = { 1, 2, 3, 2 };
  for (int i = 0; i < 8; i++) {
    cudaTextureDesc how = how_of(cudaAddressModeClamp, i & 1 ? cudaFilterModeLinear : cudaFilterModePoint, true);
    how.mipmapFilterMode = i & 2 ? cudaFilterModeLinear : cudaFilterModePoint;
    how.mipmapLevelBias = i & 4 ? 0.5f : 0; /* levels end in eighths, so that none is rounded either way */
    how.minMipmapLevelClamp = i & 4 ? 0.75f : 0;
    how.maxMipmapLevelClamp = i & 4 ? 3.25f : 10;
    cudaTextureObject_t t[4];
    for (int j = 0; j < 4; j++)
      t[j] = texture_of_levels(arrays[j], how);
    by_level<<<1, COUNT>>>(t[0], t[1], t[2], t[3], out.device);
    out.fetch();
    for (int j = 0; j < 4 * COUNT; j++)
      check_item(is_near(out[j], wanted(level_of(j % COUNT), axes[j / COUNT], j / COUNT == 3 ? 2 : 0, how), 100), j,
                 "of a level", __FILE__, __LINE__);
    for (int j = 0; j < 4; j++)
      CALL(cudaDestroyTextureObject(t[j]));
  }
  cudaTextureDesc how = how_of(cudaAddressModeClamp, cudaFilterModePoint, true);
  how.maxMipmapLevelClamp = LEVELS;
  cudaTextureObject_t plane = texture_of_levels(arrays[1], how);
  by_gradient<<<1, 8>>>(plane, out.device);
  out.fetch();
  for (int i = 0; i < 8; i++)
    EXPECT(is_near(out[i], wanted((float)i, 2, 0, how), 100) && is_near(out[8 + i], wanted(0, 2, 0, how), 100));
  cudaArray_t second, none;
  CALL(cudaGetMipmappedArrayLevel(&second, arrays[1], 2)); /* 4 x 2 */
  cudaSurfaceObject_t s = surface_of(second);
  write_level<<<1, dim3(4, 2)>>>(s, 1000);
  plane_alone<<<1, COUNT>>>(plane, out.device);
  out.fetch();
  for (int i = 0; i < COUNT; i++) {
    int level = (int)floor(fmax(level_of(i), 0) + 0.5);
    EXPECT(out[i] == (level == 2 ? 1001 : (float)wanted(level_of(i), 2, 0, how)));
  }
  EXPECT(cudaGetMipmappedArrayLevel(&none, arrays[1], LEVELS) == cudaErrorInvalidValue);
  cudaGetLastError();
  CALL(cudaDestroySurfaceObject(s));
  CALL(cudaDestroyTextureObject(plane));
  for (int i = 0; i < 4; i++)
    CALL(cudaFreeMipmappedArray(arrays[i]));
  return result();
}
