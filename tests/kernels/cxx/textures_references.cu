/* SPDX-License-Identifier: MIT */
/*
 * textures_references - texture references, which CUDA had up to version 11: memory, rows and arrays bound to them, bound
 * anew between launches that are in flight, and unbound. CUDA 12 and later have none: nvcc 11 takes this, nvcc 13 not.
 */
#include "texel.h"

enum { COUNT = 200, WIDTH = 20, HEIGHT = 10, DEPTH = 4 };

texture<float> line; /* of one dimension, elements as they are */
static texture<int4, cudaTextureType1D, cudaReadModeElementType> wide;
static texture<unsigned char, 1, cudaReadModeNormalizedFloat> parts;
texture<uchar4, 2, cudaReadModeNormalizedFloat> colours;
texture<float, cudaTextureType2D> plane;
texture<short2, cudaTextureType3D> space;
namespace inside {
texture<float, cudaTextureType2DLayered> layers;
}
texture<float, 2> unused;

__global__ void read_line(float *out, int from) {
  int i = (int)threadIdx.x;
  out[i] = tex1Dfetch(line, i + from);
}
__global__ void read_wide(int4 *out) { out[threadIdx.x] = tex1Dfetch(wide, (int)threadIdx.x); }
__global__ void read_parts(float *out) { out[threadIdx.x] = tex1Dfetch(parts, (int)threadIdx.x); }
__global__ void read_colours(float4 *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = tex2D(colours, (float)threadIdx.x, (float)blockIdx.x);
}
static __device__ float plane_at(float x, float y) { return tex2D(plane, x, y); }
__global__ void read_plane(float *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = plane_at((float)threadIdx.x + 0.5f, (float)blockIdx.x + 0.5f);
}
__global__ void read_space(short2 *out, int z) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = tex3D(space, (float)threadIdx.x, (float)blockIdx.x, (float)z);
}
__global__ void read_layers(float *out, int layer) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = tex2DLayered(inside::layers, (float)threadIdx.x, (float)blockIdx.x, layer);
}

static void check_memory() {
  items<float, COUNT> texels, out;
  size_t offset = 77;
  for (int i = 0; i < COUNT; i++)
    texels.host[i] = (float)i * 1.5f;
  texels.send();
  read_line<<<1, COUNT>>>(out.device, 0); /* nothing is bound */
  out.fetch();
  EXPECT_EACH(COUNT, out[i] == 0);
  CALL(cudaBindTexture(&offset, line, texels.device, COUNT * sizeof(float)));
  EXPECT(offset == 0);
  read_line<<<1, COUNT>>>(out.device, 10);
  out.fetch();
  EXPECT_EACH(COUNT, out[i] == (i + 10 < COUNT ? texels[i + 10] : 0));
  CALL(cudaBindTexture(nullptr, line, texels.device + 100, cudaCreateChannelDesc<float>())); /* to its end */
  read_line<<<1, COUNT>>>(out.device, 0);
  out.fetch();
  EXPECT_EACH(COUNT, out[i] == (i < COUNT - 100 ? texels[i + 100] : 0));
  CALL(cudaUnbindTexture(line));
  read_line<<<1, COUNT>>>(out.device, 0);
  out.fetch();
  EXPECT_EACH(COUNT, out[i] == 0);
}

static void check_types() {
  items<int4, COUNT> texels, out;
  items<unsigned char, COUNT> bytes;
  items<float, COUNT> reals;
  for (int i = 0; i < COUNT; i++) {
    texels.host[i] = make_int4(i, -i, i * 1000, ~i);
    bytes.host[i] = (unsigned char)(i * 7);
  }
  texels.send();
  bytes.send();
  CALL(cudaBindTexture(0, wide, texels.device));
  CALL(cudaBindTexture(0, parts, bytes.device, COUNT));
  read_wide<<<1, COUNT>>>(out.device);
  read_parts<<<1, COUNT>>>(reals.device);
  out.fetch();
  reals.fetch();
  EXPECT(memcmp(out.host, texels.host, sizeof out.host) == 0);
  EXPECT_EACH(COUNT, is_near(reals[i], bytes[i] / 255.0, 0.01));
}

static void check_rows() {
  static uchar4 texels[HEIGHT][WIDTH];
  items<float4, WIDTH * HEIGHT> out;
  uchar4 *memory;
  size_t pitch, offset = 1;
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    (&texels[0][0])[i] = make_uchar4((unsigned char)i, 255, 0, (unsigned char)(3 * i));
  CALL(cudaMallocPitch(&memory, &pitch, sizeof texels[0], HEIGHT));
  CALL(cudaMemcpy2D(memory, pitch, texels, sizeof texels[0], sizeof texels[0], HEIGHT, cudaMemcpyHostToDevice));
  CALL(cudaBindTexture2D(&offset, colours, memory, WIDTH, HEIGHT, pitch));
  EXPECT(offset == 0);
  read_colours<<<HEIGHT, WIDTH>>>(out.device);
  out.fetch();
  EXPECT_EACH(WIDTH *HEIGHT, is_near(out[i].x, (&texels[0][0])[i].x / 255.0) && out[i].y == 1 && out[i].z == 0 &&
                                 is_near(out[i].w, (&texels[0][0])[i].w / 255.0));
  CALL(cudaFree(memory));
}

/* Each launch has what was bound when it was launched, also where it runs later. */
static void check_in_flight() {
  enum { ROUNDS = 20 };
  static float texels[2][HEIGHT][WIDTH];
  static items<float, WIDTH * HEIGHT> out[ROUNDS];
  cudaArray_t arrays[2];
  cudaStream_t stream;
  for (int i = 0; i < 2 * WIDTH * HEIGHT; i++)
    (&texels[0][0][0])[i] = (float)i;
  for (int i = 0; i < 2; i++)
    arrays[i] = array_of(&texels[i][0][0], WIDTH, HEIGHT);
  CALL(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int round = 0; round < ROUNDS; round++) {
    CALL(cudaBindTextureToArray(plane, arrays[round % 2]));
    read_plane<<<HEIGHT, WIDTH, 0, stream>>>(out[round].device);
  }
  CALL(cudaStreamSynchronize(stream));
  for (int round = 0; round < ROUNDS; round++) {
    out[round].fetch();
    EXPECT_EACH(WIDTH *HEIGHT, out[round][i] == (&texels[round % 2][0][0])[i]);
  }
  CALL(cudaStreamDestroy(stream));
  CALL(cudaFreeArray(arrays[0]));
  CALL(cudaFreeArray(arrays[1])); /* what is bound stays */
  read_plane<<<HEIGHT, WIDTH>>>(out[0].device);
  out[0].fetch();
  EXPECT_EACH(WIDTH *HEIGHT, out[0][i] == (&texels[1][0][0])[i]);
}

static void check_slices() {
  static short2 texels[DEPTH][HEIGHT][WIDTH];
  static float floats[DEPTH][HEIGHT][WIDTH];
  items<short2, WIDTH * HEIGHT> out;
  items<float, WIDTH * HEIGHT> reals;
  for (int i = 0; i < DEPTH * WIDTH * HEIGHT; i++) {
    (&texels[0][0][0])[i] = make_short2((short)i, (short)-i);
    (&floats[0][0][0])[i] = (float)i / 4;
  }
  cudaArray_t volume = array_of(&texels[0][0][0], WIDTH, HEIGHT, DEPTH);
  cudaArray_t layers = array_of(&floats[0][0][0], WIDTH, HEIGHT, DEPTH, cudaArrayLayered);
  CALL(cudaBindTextureToArray(space, volume, cudaCreateChannelDesc<short2>()));
  CALL(cudaBindTextureToArray(inside::layers, layers));
  for (int z = 0; z < DEPTH; z++) {
    read_space<<<HEIGHT, WIDTH>>>(out.device, z);
    read_layers<<<HEIGHT, WIDTH>>>(reals.device, z);
    out.fetch();
    reals.fetch();
    EXPECT(memcmp(out.host, texels[z], sizeof out.host) == 0);
    EXPECT(memcmp(reals.host, floats[z], sizeof reals.host) == 0);
  }
}

/* A reference that no kernel reads is bound as others are. */
static void check_unused() {
  static float texels[HEIGHT][WIDTH];
  const textureReference *found = nullptr;
  size_t offset = 5;
  CALL(cudaBindTextureToArray(unused, array_of(&texels[0][0], WIDTH, HEIGHT)));
  CALL(cudaGetTextureReference(&found, &unused));
  EXPECT(found == &unused);
  CALL(cudaGetTextureAlignmentOffset(&offset, unused));
  EXPECT(offset == 0);
  CALL(cudaUnbindTexture(unused));
  EXPECT(cudaGetTextureAlignmentOffset(&offset, unused) == cudaErrorInvalidTextureBinding);
  EXPECT(cudaGetLastError() == cudaErrorInvalidTextureBinding);
}

int main() {
  check_memory();
  check_types();
  check_rows();
  check_in_flight();
  check_slices();
  check_unused();
  return result();
}
