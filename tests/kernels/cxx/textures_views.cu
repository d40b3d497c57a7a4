/* SPDX-License-Identifier: MIT */
/*
 * textures_views - textures that see an array by a resource view: in another format of as many bytes, some of its
 * layers, some of its levels.
 */
#include "texel.h"

enum { WIDTH = 8, HEIGHT = 4, LAYERS = 5, LEVELS = 4, COUNT = WIDTH * HEIGHT };

__global__ void as_words(cudaTextureObject_t t, unsigned int *out) {
  int x = (int)threadIdx.x, y = (int)threadIdx.y;
  out[y * WIDTH + x] = tex2D<unsigned int>(t, (float)x + 0.5f, (float)y + 0.5f);
}
__global__ void as_fractions(cudaTextureObject_t t, float *out) {
  int x = (int)threadIdx.x, y = (int)threadIdx.y;
  float4 texel = tex2D<float4>(t, (float)x + 0.5f, (float)y + 0.5f);
  out[y * WIDTH + x] = texel.x + 2 * texel.y + 4 * texel.z + 8 * texel.w;
}
__global__ void of_layers(cudaTextureObject_t t, float *out) {
  int layer = (int)threadIdx.x;
  out[layer] = tex2DLayered<float>(t, 2.5f, 1.5f, layer);
}
__global__ void of_levels(cudaTextureObject_t t, float *out) {
  int level = (int)threadIdx.x;
  out[level] = tex2DLod<float>(t, 0.3f, 0.3f, (float)level);
}

static cudaResourceViewDesc view_of(cudaResourceViewFormat format, size_t depth = 0) {
  cudaResourceViewDesc view = {};
  view.format = format;
  view.width = WIDTH;
  view.height = HEIGHT;
  view.depth = depth;
  return view;
}

static cudaTextureObject_t texture_by(const cudaResourceDesc &resource, const cudaResourceViewDesc &view,
                                      const cudaTextureDesc &how) {
  cudaTextureObject_t texture = 0;
  CALL(cudaCreateTextureObject(&texture, &resource, &how, &view));
  return texture;
}

static void check_formats() {
  float numbers[COUNT];
  unsigned int words[COUNT];
  items<unsigned int, COUNT> seen;
  items<float, COUNT> fractions;
  for (int i = 0; i < COUNT; i++) {
    numbers[i] = (float)i * 0.75f - 7;
    words[i] = (unsigned int)i * 0x01030507u;
  }
  cudaArray_t array = array_of(numbers, WIDTH, HEIGHT), integers = array_of(words, WIDTH, HEIGHT);
  cudaTextureObject_t t = texture_by(resource_of(array), view_of(cudaResViewFormatUnsignedInt1), how_of());
  as_words<<<1, dim3(WIDTH, HEIGHT)>>>(t, seen.device);
  seen.fetch();
  for (int i = 0; i < COUNT; i++)
    EXPECT(memcmp(&seen[i], &numbers[i], 4) == 0);
  CALL(cudaDestroyTextureObject(t));
  t = texture_by(resource_of(integers), view_of(cudaResViewFormatSignedChar4),
                 how_of(cudaAddressModeClamp, cudaFilterModePoint, false, cudaReadModeNormalizedFloat));
  as_fractions<<<1, dim3(WIDTH, HEIGHT)>>>(t, fractions.device);
  fractions.fetch();
  for (int i = 0; i < COUNT; i++) {
    double sum = 0;
    for (int c = 0; c < 4; c++)
      sum += (1 << c) * fmax((double)(signed char)(words[i] >> 8 * c) / 127, -1);
    EXPECT(is_near(fractions[i], sum, 100));
  }
  CALL(cudaDestroyTextureObject(t));
  CALL(cudaFreeArray(array));
  CALL(cudaFreeArray(integers));
}

static void check_layers() {
  float numbers[COUNT * LAYERS];
  items<float, LAYERS> seen;
  for (int i = 0; i < COUNT * LAYERS; i++)
    numbers[i] = (float)i;
  cudaArray_t array = array_of(numbers, WIDTH, HEIGHT, LAYERS, cudaArrayLayered);
  cudaResourceViewDesc view = view_of(cudaResViewFormatFloat1, LAYERS);
  view.firstLayer = 1;
  view.lastLayer = 3;
  cudaTextureObject_t t = texture_by(resource_of(array), view, how_of());
  of_layers<<<1, 3>>>(t, seen.device);
  seen.fetch();
  for (int i = 0; i < 3; i++)
    EXPECT(seen[i] == numbers[(i + 1) * COUNT + 1 * WIDTH + 2]);
  CALL(cudaDestroyTextureObject(t));
  view.lastLayer = LAYERS;
  const cudaResourceDesc resource = resource_of(array);
  const cudaTextureDesc how = how_of();
  EXPECT(cudaCreateTextureObject(&t, &resource, &how, &view) == cudaErrorInvalidValue);
  cudaGetLastError();
  CALL(cudaFreeArray(array));
}

/* Each level has its number in all its elements. */
static void check_levels() {
  items<float, LEVELS> seen;
  cudaMipmappedArray_t mipmap;
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaResourceDesc resource = {};
  CALL(cudaMallocMipmappedArray(&mipmap, &desc, make_cudaExtent(WIDTH, HEIGHT, 0), LEVELS));
  for (int level = 0; level < LEVELS; level++) {
    float numbers[COUNT];
    cudaArray_t array;
    int width = WIDTH >> level, height = HEIGHT >> level > 0 ? HEIGHT >> level : 1;
    for (int i = 0; i < COUNT; i++)
      numbers[i] = (float)level + 1;
    CALL(cudaGetMipmappedArrayLevel(&array, mipmap, (unsigned int)level));
    CALL(cudaMemcpy2DToArray(array, 0, 0, numbers, width * sizeof(float), width * sizeof(float), height,
                             cudaMemcpyHostToDevice));
  }
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmap;
  cudaTextureDesc how = how_of(cudaAddressModeClamp, cudaFilterModePoint, true);
  how.maxMipmapLevelClamp = LEVELS;
  cudaResourceViewDesc view = view_of(cudaResViewFormatFloat1);
  view.firstMipmapLevel = 1;
  view.lastMipmapLevel = 2;
  cudaTextureObject_t t = texture_by(resource, view, how);
  of_levels<<<1, LEVELS>>>(t, seen.device);
  seen.fetch();
  EXPECT(seen[0] == 2 && seen[1] == 3 && seen[2] == 3 && seen[3] == 3);
  CALL(cudaDestroyTextureObject(t));
  view.firstMipmapLevel = view.lastMipmapLevel = 0;
  t = texture_by(resource, view, how);
  of_levels<<<1, LEVELS>>>(t, seen.device);
  seen.fetch();
  EXPECT(seen[0] == 1 && seen[3] == 1);
  CALL(cudaDestroyTextureObject(t));
  CALL(cudaFreeMipmappedArray(mipmap));
}

int main() {
  check_formats();
  check_layers();
  check_levels();
  return result();
}
