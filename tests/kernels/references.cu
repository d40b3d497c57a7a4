/* SPDX-License-Identifier: MIT */
/*
 * references - texture and surface references, which CUDA had up to version 11, in a program that is C but for them:
 * vptrcc's own front end reads it. Every way to read and write, elements of all types, and what is bound anew.
 */
#include "kernels.h"

enum { WIDTH = 16, HEIGHT = 12, DEPTH = 4, PLANE = WIDTH * HEIGHT };

texture<float> line, other(1, cudaFilterModeLinear, cudaAddressModeClamp);
texture<float, cudaTextureType2D, cudaReadModeElementType> plane;
static texture<uchar4, 2, cudaReadModeNormalizedFloat> colours(0, cudaFilterModePoint);
texture<short2, cudaTextureType3D> space;
texture<float, cudaTextureType1DLayered> rows;
namespace inside {
texture<float, cudaTextureType2DLayered> layers;
}
texture<int, cudaTextureTypeCubemap> cube;
texture<float, 0xFC> cubes;
typedef unsigned char byte;
texture<byte, 1, cudaReadModeNormalizedFloat> parts;
surface<void, cudaSurfaceType2D> sheet;
static surface<void, 3> block;
surface<void> strip;
surface<void, cudaSurfaceType2DLayered> sheets;
texture<float, 2> unused;

/* ---- every type of elements ------------------------------------------------------------------------------ */

#define TYPES(x)                                                                                             \
  x(char) x(uchar4) x(short2) x(ushort1) x(int4) x(uint2) x(float) x(float2)

#define TYPE(T)                                                                                              \
  texture<T, 1, cudaReadModeElementType> texture_of_##T;                                                     \
  __global__ void copy_##T(T *out) {                                                                         \
    T v = tex1Dfetch(texture_of_##T, (int)threadIdx.x), w;                                                   \
    out[threadIdx.x] = v;                                                                                    \
    surf2Dwrite(v, sheet, (int)(threadIdx.x * sizeof(T)), 0);                                                \
    surf2Dread(&w, sheet, (int)(threadIdx.x * sizeof(T)), 0);                                                \
    out[WIDTH + threadIdx.x] = w;                                                                            \
    out[2 * WIDTH + threadIdx.x] = surf2Dread<T>(sheet, (int)(threadIdx.x * sizeof(T)), 0, cudaBoundaryModeClamp); \
  }                                                                                                          \
  static void check_##T(void) {                                                                              \
    static T seen[4 * WIDTH];                                                                                \
    unsigned char *texels = (unsigned char *)(seen + 3 * WIDTH);                                             \
    T *memory, *out;                                                                                         \
    cudaArray_t array;                                                                                       \
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>();                                                 \
    for (int i = 0; i < (int)(WIDTH * sizeof(T)); i++)                                                       \
      texels[i] = (unsigned char)(i * 29 + 1) & 127;                                                         \
    CHECK(cudaMalloc((void **)&memory, WIDTH * sizeof(T)));                                                  \
    CHECK(cudaMalloc((void **)&out, 3 * WIDTH * sizeof(T)));                                                 \
    CHECK(cudaMallocArray(&array, &desc, WIDTH, 2, cudaArraySurfaceLoadStore));                              \
    CHECK(cudaMemcpy(memory, texels, WIDTH * sizeof(T), cudaMemcpyHostToDevice));                            \
    CHECK(cudaBindTexture(NULL, texture_of_##T, memory, WIDTH * sizeof(T)));                                 \
    CHECK(cudaBindSurfaceToArray(sheet, array));                                                             \
    copy_##T<<<1, WIDTH>>>(out);                                                                             \
    CHECK(cudaMemcpy(seen, out, 3 * WIDTH * sizeof(T), cudaMemcpyDeviceToHost));                             \
    for (int i = 0; i < 3; i++)                                                                              \
      EXPECT(memcmp(seen + i * WIDTH, texels, WIDTH * sizeof(T)), 0);                                        \
    CHECK(cudaUnbindTexture(texture_of_##T));                                                                \
    CHECK(cudaFree(memory));                                                                                 \
    CHECK(cudaFree(out));                                                                                    \
    CHECK(cudaFreeArray(array));                                                                             \
  }
TYPES(TYPE)

/* ---- memory ---------------------------------------------------------------------------------------------- */

__global__ void read_line(float *out, int from) { out[threadIdx.x] = tex1Dfetch(line, (int)threadIdx.x + from); }
__global__ void read_parts(float *out) { out[threadIdx.x] = tex1Dfetch(parts, (int)threadIdx.x); }
__global__ void read_colours(float4 *out) {
  out[blockIdx.x * WIDTH + threadIdx.x] = tex2D(colours, (float)threadIdx.x, (float)blockIdx.x);
}

static void check_memory(void) {
  static float texels[PLANE], seen[PLANE];
  static float4 colour[PLANE];
  unsigned char bytes[PLANE * 4], *memory;
  float *from, *out;
  float4 *wide;
  size_t offset = 9, pitch;
  for (int i = 0; i < PLANE; i++)
    texels[i] = 1.5f * i;
  for (int i = 0; i < 4 * PLANE; i++)
    bytes[i] = (unsigned char)(7 * i);
  CHECK(cudaMalloc((void **)&from, sizeof texels));
  CHECK(cudaMalloc((void **)&out, sizeof texels));
  CHECK(cudaMalloc((void **)&wide, sizeof colour));
  CHECK(cudaMemcpy(from, texels, sizeof texels, cudaMemcpyHostToDevice));
  read_line<<<1, PLANE>>>(out, 0); /* nothing is bound */
  CHECK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  for (int i = 0; i < PLANE; i++)
    EXPECT(seen[i] == 0, 1);
  CHECK(cudaBindTexture(&offset, line, from, sizeof texels));
  EXPECT(offset, 0);
  read_line<<<1, PLANE>>>(out, 10);
  CHECK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  for (int i = 0; i < PLANE; i++)
    EXPECT(seen[i] == (i + 10 < PLANE ? texels[i + 10] : 0), 1);
  CHECK(cudaMallocPitch((void **)&memory, &pitch, 4 * WIDTH, HEIGHT));
  CHECK(cudaMemcpy2D(memory, pitch, bytes, 4 * WIDTH, 4 * WIDTH, HEIGHT, cudaMemcpyHostToDevice));
  CHECK(cudaBindTexture2D(&offset, colours, memory, WIDTH, HEIGHT, pitch));
  CHECK(cudaBindTexture(NULL, parts, memory, WIDTH));
  read_colours<<<HEIGHT, WIDTH>>>(wide);
  read_parts<<<1, WIDTH>>>(out);
  CHECK(cudaMemcpy(colour, wide, sizeof colour, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(seen, out, WIDTH * sizeof *out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < PLANE; i++)
    EXPECT(fabsf(colour[i].x - bytes[4 * i] / 255.0f) < 1e-6f && fabsf(colour[i].w - bytes[4 * i + 3] / 255.0f) < 1e-6f,
           1);
  for (int i = 0; i < WIDTH; i++)
    EXPECT(fabsf(seen[i] - bytes[i] / 255.0f) < 1e-6f, 1);
}

/* ---- arrays ---------------------------------------------------------------------------------------------- */

static cudaArray_t array_of(const void *texels, cudaChannelFormatDesc desc, int element, int height, int depth,
                            unsigned flags) {
  cudaArray_t array;
  cudaMemcpy3DParms copy;
  memset(&copy, 0, sizeof copy);
  CHECK(cudaMalloc3DArray(&array, &desc, make_cudaExtent(WIDTH, height, depth), flags));
  copy.srcPtr = make_cudaPitchedPtr((void *)texels, WIDTH * element, WIDTH, height > 0 ? height : 1);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(WIDTH, height > 0 ? height : 1, depth > 0 ? depth : 1);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  return array;
}

static __device__ float plane_at(float x, float y) { return tex2D(plane, x, y); }

/* Neighbours by shared memory: with blocks as loops, a barrier stands between what is read and what is used. */
__global__ void smooth(float *out) {
  __shared__ float tile[WIDTH + 2];
  int t = threadIdx.x, y = blockIdx.x;
  tile[t + 1] = plane_at(t + 0.5f, y + 0.5f);
  if (t == 0)
    tile[0] = tex2D(plane, -0.5f, y + 0.5f);
  if (t == WIDTH - 1)
    tile[WIDTH + 1] = tex2D(plane, WIDTH + 0.5f, y + 0.5f);
  __syncthreads();
  out[y * WIDTH + t] = tile[t] + tile[t + 1] + tile[t + 2];
}

/* Ways to read that are one at a whole element, and the four around a corner. */
__global__ void read_plane(float *out, float4 *four) {
  int i = blockIdx.x * WIDTH + threadIdx.x;
  float x = threadIdx.x + 0.5f, y = blockIdx.x + 0.5f;
  float2 step = make_float2(1, 0), other_step = make_float2(0, 1);
  out[i] = tex2D(plane, x, y) + tex2DLod(plane, x, y, 0.0f) + tex2DGrad(plane, x, y, step, other_step);
  four[i] = tex2Dgather(plane, (float)threadIdx.x, (float)blockIdx.x);
}

__global__ void read_many(float *out, short2 *pair, int z) {
  int i = blockIdx.x * WIDTH + threadIdx.x;
  float x = threadIdx.x + 0.5f, y = blockIdx.x + 0.5f;
  pair[i] = tex3D(space, x, y, z + 0.5f);
  out[i] = tex2DLayered(inside::layers, x, y, z) + 1000 * tex1DLayered(rows, x, z);
}

__global__ void read_cubes(int *out, float *more, int layer) {
  float x = (int)(threadIdx.x % 3) - 1, y = (int)(threadIdx.x / 3 % 3) - 1, z = (int)(threadIdx.x / 9) - 1;
  out[threadIdx.x] = texCubemap(cube, x, y, z + 0.01f);
  more[threadIdx.x] = texCubemapLayered(cubes, x, y, z + 0.01f, layer);
}

__global__ void read_other(float *out) { out[threadIdx.x] = tex1D(other, threadIdx.x / (float)(2 * WIDTH)); }

static void check_planes(void) {
  static float texels[PLANE], seen[PLANE];
  static float4 gathered[PLANE];
  float *out;
  float4 *four;
  for (int i = 0; i < PLANE; i++)
    texels[i] = (float)(i * i % 97);
  cudaArray_t array = array_of(texels, cudaCreateChannelDesc<float>(), 4, HEIGHT, 0, cudaArrayTextureGather);
  CHECK(cudaMalloc((void **)&out, sizeof seen));
  CHECK(cudaMalloc((void **)&four, sizeof gathered));
  CHECK(cudaBindTextureToArray(plane, array));
  smooth<<<HEIGHT, WIDTH>>>(out);
  CHECK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  for (int i = 0; i < PLANE; i++) {
    int x = i % WIDTH;
    EXPECT(seen[i] == texels[i] + texels[x > 0 ? i - 1 : i] + texels[x < WIDTH - 1 ? i + 1 : i], 1);
  }
  read_plane<<<HEIGHT, WIDTH>>>(out, four);
  CHECK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(gathered, four, sizeof gathered, cudaMemcpyDeviceToHost));
  for (int i = WIDTH; i < PLANE; i++) {
    EXPECT(seen[i] == 3 * texels[i], 1);
    if (i % WIDTH > 0)
      EXPECT(gathered[i].z == texels[i - WIDTH] && gathered[i].w == texels[i - WIDTH - 1] &&
                 gathered[i].x == texels[i - 1] && gathered[i].y == texels[i],
             1);
  }
  plane.filterMode = cudaFilterModeLinear; /* a field says so from the next launch on */
  plane.addressMode[0] = cudaAddressModeBorder;
  smooth<<<HEIGHT, WIDTH>>>(out);
  CHECK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  EXPECT(seen[0] == texels[0] + texels[1], 1);
  CHECK(cudaFree(out));
  CHECK(cudaFree(four));
}

static void check_slices(void) {
  static short2 pairs[DEPTH * PLANE], seen_pairs[PLANE];
  static float texels[DEPTH * PLANE], seen[PLANE];
  static int faces[6 * WIDTH * WIDTH];
  float *out;
  short2 *pair;
  for (int i = 0; i < DEPTH * PLANE; i++) {
    pairs[i] = make_short2((short)i, (short)-i);
    texels[i] = (float)i;
  }
  CHECK(cudaMalloc((void **)&out, sizeof seen));
  CHECK(cudaMalloc((void **)&pair, sizeof seen_pairs));
  CHECK(cudaBindTextureToArray(space, array_of(pairs, cudaCreateChannelDesc<short2>(), 4, HEIGHT, DEPTH, 0)));
  CHECK(cudaBindTextureToArray(inside::layers, array_of(texels, cudaCreateChannelDesc<float>(), 4, HEIGHT, DEPTH,
                                                        cudaArrayLayered)));
  CHECK(cudaBindTextureToArray(rows, array_of(texels, cudaCreateChannelDesc<float>(), 4, 0, DEPTH, cudaArrayLayered)));
  for (int z = 0; z < DEPTH; z++) {
    read_many<<<HEIGHT, WIDTH>>>(out, pair, z);
    CHECK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(seen_pairs, pair, sizeof seen_pairs, cudaMemcpyDeviceToHost));
    EXPECT(memcmp(seen_pairs, pairs + z * PLANE, sizeof seen_pairs), 0);
    for (int i = 0; i < PLANE; i++)
      EXPECT(seen[i] == texels[z * PLANE + i] + 1000 * texels[z * WIDTH + i % WIDTH], 1);
  }
  static float layered[2 * 6 * WIDTH * WIDTH];
  int seen_faces[27];
  for (int i = 0; i < 6 * WIDTH * WIDTH; i++) {
    faces[i] = i / (WIDTH * WIDTH);
    layered[i] = (float)faces[i];
    layered[6 * WIDTH * WIDTH + i] = 10.0f + faces[i];
  }
  CHECK(cudaBindTextureToArray(cube, array_of(faces, cudaCreateChannelDesc<int>(), 4, WIDTH, 6, cudaArrayCubemap)));
  CHECK(cudaBindTextureToArray(cubes, array_of(layered, cudaCreateChannelDesc<float>(), 4, WIDTH, 12,
                                               cudaArrayCubemap | cudaArrayLayered)));
  read_cubes<<<1, 27>>>((int *)pair, out, 1);
  CHECK(cudaMemcpy(seen_faces, pair, sizeof seen_faces, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(seen, out, 27 * sizeof *out, cudaMemcpyDeviceToHost));
  EXPECT(seen_faces[4], 5);
  EXPECT(seen_faces[22], 4);
  EXPECT(seen_faces[12], 1);
  EXPECT(seen_faces[14], 0);
  EXPECT(seen_faces[10], 3);
  EXPECT(seen_faces[16], 2);
  for (int i = 0; i < 27; i++)
    EXPECT(seen[i] == 10 + seen_faces[i], 1);
  CHECK(cudaBindTextureToArray(other, array_of(texels, cudaCreateChannelDesc<float>(), 4, 0, 0, 0)));
  read_other<<<1, 2 * WIDTH>>>(out);
  CHECK(cudaMemcpy(seen, out, 2 * WIDTH * sizeof *out, cudaMemcpyDeviceToHost));
  for (int i = 1; i < 2 * WIDTH; i++) /* linear, by what stands in its declaration */
    EXPECT(seen[i] == i / 2.0f - 0.5f, 1);
}

/* ---- surfaces -------------------------------------------------------------------------------------------- */

__global__ void write_block(int z) {
  int x = threadIdx.x, y = blockIdx.x;
  surf3Dwrite((float)(x + 100 * y + 10000 * z), block, 4 * x, y, z);
  surf1Dwrite<int>(x * 2.0f, strip, 4 * x);
  surf2DLayeredwrite((short)(x - y), sheets, 2 * x, y, z);
}
__global__ void read_block(float *out, int z) {
  int x = threadIdx.x, y = blockIdx.x;
  int v = -1, outside = 7;
  surf1Dread(&v, strip, 4 * x, cudaBoundaryModeZero);
  surf1Dread(&outside, strip, 4 * (x + WIDTH), cudaBoundaryModeZero);
  surf3Dwrite(99.0f, block, 4 * (x + WIDTH), y, z, cudaBoundaryModeZero); /* outside: nothing */
  out[y * WIDTH + x] = surf3Dread<float>(block, 4 * x, y, z) + v + outside +
                       surf2DLayeredread<short>(sheets, 2 * x, y, z, cudaBoundaryModeClamp);
}
__global__ void write_outside(void) { surf1Dwrite(1, strip, 4 * WIDTH); }

static void check_surfaces(void) {
  static float seen[PLANE];
  static int zeros[DEPTH * PLANE];
  float *out;
  const unsigned store = cudaArraySurfaceLoadStore;
  CHECK(cudaMalloc((void **)&out, sizeof seen));
  CHECK(cudaBindSurfaceToArray(block, array_of(zeros, cudaCreateChannelDesc<float>(), 4, HEIGHT, DEPTH, store)));
  CHECK(cudaBindSurfaceToArray(strip, array_of(zeros, cudaCreateChannelDesc<int>(), 4, 0, 0, store)));
  CHECK(cudaBindSurfaceToArray(sheets, array_of(zeros, cudaCreateChannelDesc<short>(), 2, HEIGHT, DEPTH,
                                                store | cudaArrayLayered)));
  for (int z = 0; z < DEPTH; z++)
    write_block<<<HEIGHT, WIDTH>>>(z);
  for (int z = 0; z < DEPTH; z++) {
    read_block<<<HEIGHT, WIDTH>>>(out, z);
    CHECK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
    for (int i = 0; i < PLANE; i++) {
      int x = i % WIDTH, y = i / WIDTH;
      EXPECT(seen[i] == (float)(x + 100 * y + 10000 * z) + 2 * x + (x - y), 1);
    }
  }
}

/* ---- bindings -------------------------------------------------------------------------------------------- */

/* Each launch has what was bound when it was launched, also where it runs later. */
static void check_in_flight(void) {
  enum { ROUNDS = 8 };
  static float texels[2][PLANE], seen[PLANE];
  float *out[ROUNDS], *from[2];
  cudaStream_t stream;
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < PLANE; j++)
      texels[i][j] = (float)(j + 1000 * i);
    CHECK(cudaMalloc((void **)&from[i], sizeof seen));
    CHECK(cudaMemcpy(from[i], texels[i], sizeof seen, cudaMemcpyHostToDevice));
  }
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int i = 0; i < ROUNDS; i++) {
    CHECK(cudaMalloc((void **)&out[i], sizeof seen));
    CHECK(cudaBindTexture(NULL, line, from[i % 2], sizeof seen));
    read_line<<<1, PLANE, 0, stream>>>(out[i], 0);
  }
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < ROUNDS; i++) {
    CHECK(cudaMemcpy(seen, out[i], sizeof seen, cudaMemcpyDeviceToHost));
    EXPECT(memcmp(seen, texels[i % 2], sizeof seen), 0);
  }
  CHECK(cudaStreamDestroy(stream));
}

/* A reference that no kernel reads is bound as others are. */
static void check_unused(void) {
  static float texels[PLANE];
  const textureReference *found = NULL;
  size_t offset = 5;
  CHECK(cudaBindTextureToArray(unused, array_of(texels, cudaCreateChannelDesc<float>(), 4, HEIGHT, 0, 0)));
  CHECK(cudaGetTextureReference(&found, &unused));
  EXPECT(found == &unused, 1);
  CHECK(cudaGetTextureAlignmentOffset(&offset, unused));
  EXPECT(offset, 0);
  CHECK(cudaUnbindTexture(unused));
  EXPECT(cudaGetTextureAlignmentOffset(&offset, unused), cudaErrorInvalidTextureBinding);
  EXPECT(cudaGetLastError(), cudaErrorInvalidTextureBinding);
}

/* The last: it ends what the device can do. */
static void check_outside(void) {
  write_outside<<<1, 1>>>();
  EXPECT(cudaDeviceSynchronize() != cudaSuccess, 1);
}

#define CHECK_TYPE(T) check_##T();

int main() {
  TYPES(CHECK_TYPE)
  check_memory();
  check_planes();
  check_slices();
  check_surfaces();
  check_in_flight();
  check_unused();
  check_outside();
  return verdict("references");
}
