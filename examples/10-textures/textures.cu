/* SPDX-License-Identifier: MIT */
/*
 * textures - a picture is turned and enlarged by reading it through a texture, which filters between its elements and
 * mirrors its edges; the result, a second array, is written as a surface, and softened as a texture again. The CPU does
 * the same, with the filter that CUDA's programming guide describes.
 */
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { SIZE = 64, WIDTH = 320, HEIGHT = 240 };

static void must(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

/* Where a pixel of the result lies in the picture, whose sides are 1. */
__host__ __device__ inline float2 place_of(int x, int y) {
  const float angle_cosine = 0.8660254f, angle_sine = 0.5f, scale = 1.5f / HEIGHT;
  float u = ((float)x + 0.5f - WIDTH / 2) * scale, v = ((float)y + 0.5f - HEIGHT / 2) * scale;
  return make_float2(0.5f + u * angle_cosine - v * angle_sine, 0.5f + u * angle_sine + v * angle_cosine);
}

__global__ void turn(cudaTextureObject_t picture, cudaSurfaceObject_t out) {
  int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= WIDTH || y >= HEIGHT)
    return;
  float2 at = place_of(x, y);
  surf2Dwrite(tex2D<float4>(picture, at.x, at.y), out, x * (int)sizeof(float4), y);
}

__global__ void soften(cudaTextureObject_t in, uchar4 *out) {
  int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= WIDTH || y >= HEIGHT)
    return;
  /* four reads between four elements each: nine elements with the weights 1 2 1, 2 4 2, 1 2 1 */
  float4 sum = make_float4(0, 0, 0, 0);
  for (int i = 0; i < 4; i++) {
    float4 v = tex2D<float4>(in, (float)(x + (i & 1)), (float)(y + (i >> 1)));
    sum = make_float4(sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w);
  }
  out[y * WIDTH + x] = make_uchar4((unsigned char)(sum.x * 63.75f + 0.5f), (unsigned char)(sum.y * 63.75f + 0.5f),
                                   (unsigned char)(sum.z * 63.75f + 0.5f), 255);
}

/* ---- the CPU ----------------------------------------------------------------------------------------------- */

static std::vector<uchar4> paint() {
  std::vector<uchar4> picture(SIZE * SIZE);
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++) {
      float r = std::hypot((float)x - SIZE / 2, (float)y - SIZE / 2);
      bool is_field = ((x / 8 + y / 8) & 1) != 0;
      picture[y * SIZE + x] = make_uchar4((unsigned char)(4 * x), (unsigned char)(r < 20 ? 230 - 6 * r : 40),
                                          (unsigned char)(is_field ? 200 : 4 * y), 255);
    }
  return picture;
}

static int mirrored(int i) {
  i = ((i % (2 * SIZE)) + 2 * SIZE) % (2 * SIZE);
  return i < SIZE ? i : 2 * SIZE - 1 - i;
}

static float channel_of(const std::vector<uchar4> &picture, int x, int y, int channel) {
  return (float)(&picture[mirrored(y) * SIZE + mirrored(x)].x)[channel] / 255.0f;
}

static float filtered(const std::vector<uchar4> &picture, float u, float v, int channel) {
  float x = u * SIZE - 0.5f, y = v * SIZE - 0.5f, left = std::floor(x), top = std::floor(y);
  float a = std::floor((x - left) * 256 + 0.5f) / 256, b = std::floor((y - top) * 256 + 0.5f) / 256;
  int i = (int)left, j = (int)top;
  return (1 - a) * (1 - b) * channel_of(picture, i, j, channel) + a * (1 - b) * channel_of(picture, i + 1, j, channel) +
         (1 - a) * b * channel_of(picture, i, j + 1, channel) + a * b * channel_of(picture, i + 1, j + 1, channel);
}

static int clamped(int i, int size) { return i < 0 ? 0 : i >= size ? size - 1 : i; }

static int worst_of(const std::vector<uchar4> &picture, const std::vector<uchar4> &device) {
  std::vector<float> turned(WIDTH * HEIGHT);
  int worst = 0;
  for (int channel = 0; channel < 3; channel++) {
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
      float2 at = place_of(i % WIDTH, i / WIDTH);
      turned[i] = filtered(picture, at.x, at.y, channel);
    }
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
      float sum = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          sum += turned[clamped(i / WIDTH + dy, HEIGHT) * WIDTH + clamped(i % WIDTH + dx, WIDTH)] *
                 (float)((2 - abs(dx)) * (2 - abs(dy))) / 16;
      int differs = abs((int)(sum * 255 + 0.5f) - (int)(&device[i].x)[channel]);
      worst = differs > worst ? differs : worst;
    }
  }
  return worst;
}

/* ---- the device -------------------------------------------------------------------------------------------- */

static cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureAddressMode mode, bool normalized) {
  cudaResourceDesc resource = {};
  cudaTextureDesc how = {};
  cudaTextureObject_t texture = 0;
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  how.addressMode[0] = how.addressMode[1] = mode;
  how.filterMode = cudaFilterModeLinear;
  how.readMode = normalized ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  how.normalizedCoords = normalized;
  must(cudaCreateTextureObject(&texture, &resource, &how, nullptr), "a texture object");
  return texture;
}

static void write_picture(const char *name, const std::vector<uchar4> &pixels) {
  FILE *file = fopen(name, "wb");
  if (file == nullptr) {
    perror(name);
    exit(1);
  }
  fprintf(file, "P6\n%d %d\n255\n", WIDTH, HEIGHT);
  for (const uchar4 &pixel : pixels)
    fwrite(&pixel, 1, 3, file);
  fclose(file);
}

int main(int argc, char **argv) {
  const dim3 block(32, 8), grid((WIDTH + 31) / 32, (HEIGHT + 7) / 8);
  const std::vector<uchar4> picture = paint();
  std::vector<uchar4> result(WIDTH * HEIGHT);
  const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<uchar4>(), floats = cudaCreateChannelDesc<float4>();
  cudaArray_t in, turned;
  uchar4 *out;
  must(cudaMallocArray(&in, &bytes, SIZE, SIZE), "an array");
  must(cudaMallocArray(&turned, &floats, WIDTH, HEIGHT, cudaArraySurfaceLoadStore), "an array for a surface");
  must(cudaMalloc(&out, result.size() * sizeof result[0]), "memory");
  must(cudaMemcpy2DToArray(in, 0, 0, picture.data(), SIZE * sizeof(uchar4), SIZE * sizeof(uchar4), SIZE,
                           cudaMemcpyHostToDevice),
       "copying the picture");
  cudaResourceDesc resource = {};
  cudaSurfaceObject_t surface = 0;
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = turned;
  must(cudaCreateSurfaceObject(&surface, &resource), "a surface object");
  cudaTextureObject_t from = texture_of(in, cudaAddressModeMirror, true);
  cudaTextureObject_t between = texture_of(turned, cudaAddressModeClamp, false);

  turn<<<grid, block>>>(from, surface);
  soften<<<grid, block>>>(between, out);
  must(cudaMemcpy(result.data(), out, result.size() * sizeof result[0], cudaMemcpyDeviceToHost), "the kernels");

  int worst = worst_of(picture, result);
  printf("%d x %d pixels, the worst channel is %d of 255 from the CPU's\n", WIDTH, HEIGHT, worst);
  if (argc > 1)
    write_picture(argv[1], result);
  must(cudaDestroyTextureObject(from), "the end");
  must(cudaDestroyTextureObject(between), "the end");
  must(cudaDestroySurfaceObject(surface), "the end");
  must(cudaFreeArray(in), "the end");
  must(cudaFreeArray(turned), "the end");
  must(cudaFree(out), "the end");
  return worst > 1;
}
