/* SPDX-License-Identifier: MIT */
/*
 * textures_formats - every kind of element: one, two and four channels of 8, 16 and 32 bits, signed, unsigned and
 * floats, halves among them, read as they are and as floats from 0 or -1 to 1.
 */
#include "texel.h"

#include <cuda_fp16.h>

enum { WIDTH = 8, HEIGHT = 8, COUNT = WIDTH * HEIGHT };

template <class T> __global__ void read_elements(cudaTextureObject_t t, T *out) {
  int i = (int)threadIdx.x;
  out[i] = tex2D<T>(t, (float)(i % WIDTH) + 0.5f, (float)(i / WIDTH) + 0.5f);
}
template <class T> __global__ void read_by_pointer(cudaTextureObject_t t, T *out) {
  int i = (int)threadIdx.x;
  tex2D(&out[i], t, (float)(i % WIDTH) + 0.5f, (float)(i / WIDTH) + 0.5f);
}

template <class T> void check_elements(bool by_pointer = false) {
  static T texels[COUNT], out[COUNT];
  T *device;
  for (size_t i = 0; i < sizeof texels; i++)
    ((unsigned char *)texels)[i] = (unsigned char)(i * 89 + 3) & (sizeof(T) % 4 == 0 && i % 4 == 3 ? 0x3f : 0xff);
  CALL(cudaMalloc(&device, sizeof texels));
  cudaArray_t array = array_of(texels, WIDTH, HEIGHT);
  cudaTextureObject_t t = texture_of(array, how_of());
  read_elements<T><<<1, COUNT>>>(t, device);
  LAUNCHED();
  CALL(cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost));
  EXPECT(memcmp(out, texels, sizeof out) == 0);
  CALL(cudaMemset(device, 0, sizeof out));
  if (by_pointer)
    read_by_pointer<T><<<1, COUNT>>>(t, device);
  else
    read_elements<T><<<1, COUNT>>>(t, device);
  LAUNCHED();
  CALL(cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost));
  EXPECT(memcmp(out, texels, sizeof out) == 0);
  CALL(cudaDestroyTextureObject(t));
  CALL(cudaFreeArray(array));
  CALL(cudaFree(device));
}

/* Part is the type of a channel; F is float, float2 or float4. */
template <class T, class Part, class F> void check_normalized(double most) {
  enum { CHANNELS = sizeof(T) / sizeof(Part) };
  static T texels[COUNT];
  static float out[COUNT * CHANNELS];
  F *device;
  for (size_t i = 0; i < sizeof texels; i++)
    ((unsigned char *)texels)[i] = (unsigned char)(i * 57 + i / 7);
  CALL(cudaMalloc(&device, sizeof out));
  cudaArray_t array = array_of(texels, WIDTH, HEIGHT);
  cudaTextureDesc how =
      how_of(cudaAddressModeClamp, cudaFilterModePoint, false, cudaReadModeNormalizedFloat);
  cudaTextureObject_t t = texture_of(array, how);
  read_elements<F><<<1, COUNT>>>(t, device);
  LAUNCHED();
  CALL(cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < COUNT * CHANNELS; i++) {
    double wanted = fmax((double)((const Part *)texels)[i] / most, -1.0);
    check_item(is_near(out[i], wanted, 0.01), i, "a normalized channel", __FILE__, __LINE__);
  }
  CALL(cudaDestroyTextureObject(t));
  CALL(cudaFreeArray(array));
  CALL(cudaFree(device));
}

/* Halves are read as floats. */
template <class F, int CHANNELS> void check_halves() {
  static __half texels[COUNT * CHANNELS];
  static float out[COUNT * CHANNELS];
  F *device;
  for (int i = 0; i < COUNT * CHANNELS; i++)
    texels[i] = __float2half((float)(i - 100) * 0.37f);
  texels[1] = __float2half(6e-8f); /* the least */
  CALL(cudaMalloc(&device, sizeof out));
  cudaChannelFormatDesc desc = cudaCreateChannelDesc(16, CHANNELS > 1 ? 16 : 0, CHANNELS > 2 ? 16 : 0,
                                                     CHANNELS > 2 ? 16 : 0, cudaChannelFormatKindFloat);
  cudaArray_t array = array_of(desc, texels, CHANNELS * 2, WIDTH, HEIGHT, 0);
  cudaTextureObject_t t = texture_of(array, how_of());
  read_elements<F><<<1, COUNT>>>(t, device);
  LAUNCHED();
  CALL(cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost));
  EXPECT_EACH(COUNT * CHANNELS, out[i] == __half2float(texels[i]));
  CALL(cudaDestroyTextureObject(t));
  CALL(cudaFreeArray(array));
  CALL(cudaFree(device));
}

/* A linear filter on bytes; and sRGB, of which the fourth channel is none. */
static void check_bytes() {
  static uchar4 texels[COUNT];
  items<float4, COUNT> out;
  for (int i = 0; i < COUNT; i++)
    texels[i] = make_uchar4((unsigned char)(i * 4), 0, (unsigned char)(255 - i), (unsigned char)(i * 4));
  cudaArray_t array = array_of(texels, WIDTH, HEIGHT);
  cudaTextureDesc how = how_of(cudaAddressModeClamp, cudaFilterModePoint, false, cudaReadModeNormalizedFloat);
  how.sRGB = 1;
  cudaTextureObject_t t = texture_of(array, how);
  read_elements<float4><<<1, COUNT>>>(t, out.device);
  out.fetch();
  for (int i = 0; i < COUNT; i++) {
    double c = texels[i].x / 255.0, light = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
    check_item(is_near(out[i].x, light, 40) && is_near(out[i].w, c, 10), i, "sRGB", __FILE__, __LINE__);
  }
  CALL(cudaDestroyTextureObject(t));
  CALL(cudaFreeArray(array));
}

#define VECTORS_OF(name) (check_elements<name##2>(), check_elements<name##4>())

int main() {
  VECTORS_OF(char), VECTORS_OF(uchar), VECTORS_OF(short), VECTORS_OF(ushort), VECTORS_OF(int), VECTORS_OF(uint);
  VECTORS_OF(float), check_elements<float1>(), check_elements<uchar1>();
  check_elements<char>(), check_elements<signed char>(), check_elements<unsigned char>(), check_elements<short>();
  check_elements<unsigned short>(), check_elements<int>(), check_elements<unsigned int>(), check_elements<float>(true);
  check_normalized<unsigned char, unsigned char, float>(255), check_normalized<uchar2, unsigned char, float2>(255);
  check_normalized<uchar4, unsigned char, float4>(255), check_normalized<signed char, signed char, float>(127);
  check_normalized<char2, signed char, float2>(127), check_normalized<char4, signed char, float4>(127);
  check_normalized<unsigned short, unsigned short, float>(65535), check_normalized<ushort4, unsigned short, float4>(65535);
  check_normalized<short, short, float>(32767), check_normalized<short2, short, float2>(32767);
  check_normalized<short4, short, float4>(32767);
  check_halves<float, 1>(), check_halves<float2, 2>(), check_halves<float4, 4>();
  check_bytes();
  return result();
}
