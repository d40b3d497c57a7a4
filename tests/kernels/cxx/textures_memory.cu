/* SPDX-License-Identifier: MIT */
/*
 * textures_memory - textures of linear memory, by tex1Dfetch(), and of pitched memory, by tex2D(): what kernels write to
 * the memory is read by the next, and outside there are zeros.
 */
#include "texel.h"

enum { COUNT = 1000, WIDTH = 30, HEIGHT = 7 };

template <class T> __global__ void fetch(cudaTextureObject_t t, T *out, int from) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < COUNT)
    out[i] = tex1Dfetch<T>(t, i + from);
}
template <class T> __global__ void reverse(T *texels) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < COUNT / 2) {
    T kept = texels[i];
    texels[i] = texels[COUNT - 1 - i];
    texels[COUNT - 1 - i] = kept;
  }
}
__global__ void read_pitched(cudaTextureObject_t t, float *out, float dx, float dy) {
  int x = (int)threadIdx.x, y = (int)blockIdx.x;
  out[y * WIDTH + x] = tex2D<float>(t, (float)x + dx, (float)y + dy);
}

template <class T> cudaTextureObject_t texture_of_memory(T *memory, size_t bytes, cudaTextureReadMode read) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<T>();
  resource.res.linear.sizeInBytes = bytes;
  return texture_of(resource, how_of(cudaAddressModeClamp, cudaFilterModePoint, false, read));
}

template <class T> void check_linear(int seed) {
  items<T, COUNT> texels, out;
  for (size_t i = 0; i < sizeof texels.host; i++)
    ((unsigned char *)texels.host)[i] = (unsigned char)(i * seed + 1) & (i % 4 == 3 ? 0x3f : 0xff);
  texels.send();
  cudaTextureObject_t t = texture_of_memory(texels.device, sizeof texels.host, cudaReadModeElementType);
  fetch<T><<<8, 128>>>(t, out.device, 0);
  out.fetch();
  EXPECT(memcmp(out.host, texels.host, sizeof out.host) == 0);
  reverse<T><<<8, 128>>>(texels.device);
  fetch<T><<<8, 128>>>(t, out.device, 0);
  out.fetch();
  for (int i = 0; i < COUNT; i++)
    check_item(memcmp(&out.host[i], &texels.host[COUNT - 1 - i], sizeof(T)) == 0, i, "reversed", __FILE__, __LINE__);
  const T zero = T();
  for (int from = -2 * COUNT; from <= COUNT; from += 3 * COUNT) {
    fetch<T><<<8, 128>>>(t, out.device, from);
    out.fetch();
    for (int i = 0; i < COUNT; i++)
      check_item(memcmp(&out.host[i], &zero, sizeof(T)) == 0, i, "outside", __FILE__, __LINE__);
  }
  CALL(cudaDestroyTextureObject(t));
}

static void check_normalized() {
  items<unsigned char, COUNT> texels;
  items<float, COUNT> out;
  for (int i = 0; i < COUNT; i++)
    texels.host[i] = (unsigned char)(i * 7);
  texels.send();
  cudaTextureObject_t t = texture_of_memory(texels.device, COUNT, cudaReadModeNormalizedFloat);
  fetch<float><<<8, 128>>>(t, out.device, 0);
  out.fetch();
  EXPECT_EACH(COUNT, is_near(out[i], texels[i] / 255.0, 0.01));
  CALL(cudaDestroyTextureObject(t));
}

static void check_pitched() {
  static float texels[HEIGHT][WIDTH];
  static const int size[2] = { WIDTH, HEIGHT };
  items<float, WIDTH * HEIGHT> out;
  float *memory;
  cudaResourceDesc resource = {};
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    (&texels[0][0])[i] = (float)((i * 29) % 83);
  CALL(cudaMallocPitch(&memory, &resource.res.pitch2D.pitchInBytes, sizeof texels[0], HEIGHT));
  CALL(cudaMemcpy2D(memory, resource.res.pitch2D.pitchInBytes, texels, sizeof texels[0], sizeof texels[0], HEIGHT,
                    cudaMemcpyHostToDevice));
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = WIDTH;
  resource.res.pitch2D.height = HEIGHT;
  for (int filter = 0; filter < 2; filter++) {
    cudaTextureDesc how = how_of(cudaAddressModeBorder, (cudaTextureFilterMode)filter);
    cudaTextureObject_t t = texture_of(resource, how);
    const float dx = -3.4375f, dy = 2.8125f;
    read_pitched<<<HEIGHT, WIDTH>>>(t, out.device, dx, dy);
    out.fetch();
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
      const double x[2] = { i % WIDTH + dx, i / WIDTH + dy };
      double wanted = model([](int a, int b, int) { return texels[b][a]; }, size, 2, x, how);
      check_item(is_near(out[i], wanted, 100), i, "of pitched memory", __FILE__, __LINE__);
    }
    CALL(cudaDestroyTextureObject(t));
  }
  CALL(cudaFree(memory));
}

int main() {
  check_linear<float>(89), check_linear<float4>(57), check_linear<int2>(31), check_linear<short>(13);
  check_linear<uchar4>(11), check_linear<signed char>(7);
  check_normalized();
  check_pitched();
  return result();
}
