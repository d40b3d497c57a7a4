/* SPDX-License-Identifier: MIT */
/*
 * textures_reference_fields - how a texture reference reads is what its fields say: before it is bound, and when they are
 * changed between two launches. What they say wrongly is an error. CUDA 12 and later have no references.
 */
#include "texel.h"

enum { WIDTH = 16, HEIGHT = 8, COUNT = 300 };

static texture<float, cudaTextureType2D, cudaReadModeElementType> image;
texture<float, 2> made(1, cudaFilterModeLinear, cudaAddressModeMirror);
static texture<int, 2> numbers;

__host__ __device__ inline float2 place(int i, float scale) {
  return make_float2(((float)(i % 20) * 1.125f - 3.0625f) * scale, ((float)(i / 20) * 0.875f - 2.8125f) * scale);
}
__global__ void read(float *out, float scale) {
  float2 p = place((int)threadIdx.x, scale);
  out[threadIdx.x] = tex2D(image, p.x, p.y);
}
__global__ void read_made(float *out, float scale) {
  float2 p = place((int)threadIdx.x, scale);
  out[threadIdx.x] = tex2D(made, p.x, p.y);
}
__global__ void read_numbers(int *out) { out[threadIdx.x] = tex2D(numbers, (float)threadIdx.x, 0.0f); }

static float texels[HEIGHT][WIDTH];
static const int size[2] = { WIDTH, HEIGHT };

static double at(int x, int y, int) { return texels[y][x]; }

static void check(const items<float, COUNT> &out, const cudaTextureDesc &how, float scale) {
  for (int i = 0; i < COUNT; i++) {
    float2 p = place(i, scale);
    const double x[2] = { p.x, p.y };
    check_item(is_near(out.host[i], model(at, size, 2, x, how), WIDTH * HEIGHT), i, "read", __FILE__, __LINE__);
  }
}

static void set(const cudaTextureDesc &how) {
  image.filterMode = how.filterMode;
  image.normalized = how.normalizedCoords;
  for (int i = 0; i < 3; i++)
    image.addressMode[i] = how.addressMode[i];
}

static void check_modes(cudaArray_t array, bool binds) {
  static const cudaTextureAddressMode modes[] = { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror,
                                                  cudaAddressModeBorder };
  items<float, COUNT> out;
  for (int i = 0; i < 4; i++)
    for (int linear = 0; linear < 2; linear++)
      for (int normalized = 0; normalized < 2; normalized++) {
        cudaTextureDesc how = how_of(modes[i], linear ? cudaFilterModeLinear : cudaFilterModePoint, normalized != 0);
        how.addressMode[1] = modes[3 - i];
        set(how);
        if (binds)
          CALL(cudaBindTextureToArray(image, array));
        float scale = normalized ? 0.125f : 1;
        read<<<1, COUNT>>>(out.device, scale);
        out.fetch();
        check(out, how, scale);
      }
}

static void check_wrong(cudaArray_t array) {
  static int whole[HEIGHT][WIDTH];
  items<float, COUNT> out;
  items<int, WIDTH> read_whole;
  set(how_of());
  CALL(cudaBindTextureToArray(image, array));
  image.filterMode = (cudaTextureFilterMode)17;
  read<<<1, COUNT>>>(out.device, 1);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  EXPECT(cudaBindTextureToArray(image, array) == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  set(how_of()); /* what was bound is bound still */
  read<<<1, COUNT>>>(out.device, 1);
  out.fetch();
  check(out, how_of(), 1);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    (&whole[0][0])[i] = i - 5;
  cudaArray_t of_numbers = array_of(&whole[0][0], WIDTH, HEIGHT);
  numbers.filterMode = cudaFilterModeLinear;
  EXPECT(cudaBindTextureToArray(numbers, of_numbers) == cudaErrorInvalidFilterSetting);
  EXPECT(cudaGetLastError() == cudaErrorInvalidFilterSetting);
  numbers.filterMode = cudaFilterModePoint;
  CALL(cudaBindTextureToArray(numbers, of_numbers));
  read_numbers<<<1, WIDTH>>>(read_whole.device);
  read_whole.fetch();
  EXPECT(memcmp(read_whole.host, whole, sizeof read_whole.host) == 0);
}

int main() {
  items<float, COUNT> out;
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    (&texels[0][0])[i] = (float)(i * 37 % 101);
  cudaArray_t array = array_of(&texels[0][0], WIDTH, HEIGHT);
  EXPECT(image.normalized == 0 && image.filterMode == cudaFilterModePoint && image.channelDesc.x == 32);
  EXPECT(image.addressMode[0] == cudaAddressModeClamp && image.channelDesc.f == cudaChannelFormatKindFloat);
  CALL(cudaBindTextureToArray(made, array));
  read_made<<<1, COUNT>>>(out.device, 0.125f);
  out.fetch();
  check(out, how_of(cudaAddressModeMirror, cudaFilterModeLinear, true), 0.125f);
  check_modes(array, true);
  check_modes(array, false);
  check_wrong(array);
  return result();
}
