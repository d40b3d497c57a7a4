/* SPDX-License-Identifier: MIT */
/* conform_array - cudaMallocArray(), cudaMalloc3DArray(), what they tell of themselves, and copies in and out. */
#include "conform.h"

#include <string.h>

enum { WIDTH = 16, HEIGHT = 6, DEPTH = 3 };

static float numbers[DEPTH][HEIGHT][WIDTH], seen[DEPTH][HEIGHT][WIDTH];

static struct cudaChannelFormatDesc float_desc(void) {
  return cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
}

static void a_channel_says_what_it_was_made_of(void) {
  struct cudaChannelFormatDesc desc = cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
  conform_true(desc.x == 8 && desc.y == 8 && desc.z == 8 && desc.w == 8);
  conform_true(desc.f == cudaChannelFormatKindUnsigned);
}

static void an_array_says_what_it_is(void) {
  struct cudaChannelFormatDesc desc = float_desc(), told;
  struct cudaExtent extent;
  unsigned flags = 99;
  cudaArray_t array = NULL;
  conform_succeed(cudaMallocArray(&array, &desc, WIDTH, HEIGHT, cudaArraySurfaceLoadStore));
  conform_succeed(cudaArrayGetInfo(&told, &extent, &flags, array));
  conform_true(told.x == 32 && told.y == 0 && told.z == 0 && told.w == 0 && told.f == cudaChannelFormatKindFloat);
  conform_true(extent.width == WIDTH && extent.height == HEIGHT && extent.depth == 0);
  conform_true(flags == cudaArraySurfaceLoadStore);
  memset(&told, 0, sizeof told);
  conform_succeed(cudaGetChannelDesc(&told, array));
  conform_true(told.x == 32 && told.f == cudaChannelFormatKindFloat);
  conform_succeed(cudaFreeArray(array));
  conform_succeed(cudaMalloc3DArray(&array, &desc, make_cudaExtent(WIDTH, HEIGHT, DEPTH), cudaArrayLayered));
  conform_succeed(cudaArrayGetInfo(&told, &extent, &flags, array));
  conform_true(extent.width == WIDTH && extent.height == HEIGHT && extent.depth == DEPTH);
  conform_true((flags & cudaArrayLayered) != 0);
  conform_succeed(cudaFreeArray(array));
}

static void rects_arrive(void) {
  struct cudaChannelFormatDesc desc = float_desc();
  cudaArray_t array = NULL, other = NULL;
  float *device = NULL;
  size_t row = sizeof numbers[0][0];
  conform_succeed(cudaMallocArray(&array, &desc, WIDTH, HEIGHT, 0));
  conform_succeed(cudaMallocArray(&other, &desc, WIDTH, HEIGHT, 0));
  conform_succeed(cudaMalloc((void **)&device, sizeof numbers[0]));
  conform_succeed(cudaMemcpy2DToArray(array, 0, 0, numbers[0], row, row, HEIGHT, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemcpy2DArrayToArray(other, 0, 0, array, 0, 0, row, HEIGHT, cudaMemcpyDeviceToDevice));
  conform_succeed(cudaMemcpy2DFromArray(device, row, other, 0, 0, row, HEIGHT, cudaMemcpyDeviceToDevice));
  memset(seen, 0, sizeof seen);
  conform_succeed(cudaMemcpy(seen[0], device, sizeof seen[0], cudaMemcpyDeviceToHost));
  conform_true(memcmp(seen[0], numbers[0], sizeof seen[0]) == 0);
  memset(seen, 0, sizeof seen);
  conform_succeed(cudaMemcpy2DFromArray(seen[0], row, array, 8, 2, 20, 3, cudaMemcpyDeviceToHost));
  for (int y = 0; y < 3; y++)
    conform_true(memcmp(seen[0][y], &numbers[0][y + 2][2], 20) == 0 && seen[0][y][5] == 0);
  conform_succeed(cudaFree(device));
  conform_succeed(cudaFreeArray(array));
  conform_succeed(cudaFreeArray(other));
}

static void three_dimensions_arrive(unsigned flags) {
  struct cudaChannelFormatDesc desc = float_desc();
  struct cudaMemcpy3DParms in, out;
  cudaArray_t array = NULL;
  size_t row = sizeof numbers[0][0];
  memset(&in, 0, sizeof in);
  conform_succeed(cudaMalloc3DArray(&array, &desc, make_cudaExtent(WIDTH, HEIGHT, DEPTH), flags));
  in.extent = make_cudaExtent(WIDTH, HEIGHT, DEPTH);
  out = in;
  in.dstArray = array;
  in.srcPtr = make_cudaPitchedPtr(numbers, row, WIDTH, HEIGHT);
  in.kind = cudaMemcpyHostToDevice;
  out.srcArray = array;
  out.dstPtr = make_cudaPitchedPtr(seen, row, WIDTH, HEIGHT);
  out.kind = cudaMemcpyDeviceToHost;
  memset(seen, 0, sizeof seen);
  conform_succeed(cudaMemcpy3D(&in));
  conform_succeed(cudaMemcpy3D(&out));
  conform_true(memcmp(seen, numbers, sizeof seen) == 0);
  out.srcPos = make_cudaPos(3, 1, 2);
  out.dstPos = make_cudaPos(0, 0, 0);
  out.extent = make_cudaExtent(4, 2, 1);
  conform_succeed(cudaMemcpy3D(&out));
  conform_true(memcmp(seen[0][0], &numbers[2][1][3], 16) == 0 && memcmp(seen[0][1], &numbers[2][2][3], 16) == 0);
  out.extent = make_cudaExtent(WIDTH, 2, 1);
  conform_expect(cudaErrorInvalidValue, cudaMemcpy3D(&out));
  conform_succeed(cudaFreeArray(array));
}

static void what_leaves_the_array_is_refused(void) {
  struct cudaChannelFormatDesc desc = float_desc();
  cudaArray_t array = NULL;
  size_t row = sizeof numbers[0][0];
  conform_succeed(cudaMallocArray(&array, &desc, WIDTH, HEIGHT, 0));
  conform_expect(cudaErrorInvalidValue,
                 cudaMemcpy2DToArray(array, 4, 0, numbers[0], row, row, HEIGHT, cudaMemcpyHostToDevice));
  conform_expect(cudaErrorInvalidValue,
                 cudaMemcpy2DToArray(array, 0, 1, numbers[0], row, row, HEIGHT, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemcpy2DToArray(array, 0, 0, numbers[0], row, 0, HEIGHT, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemcpy2DToArray(array, 1000, 1000, numbers[0], row, 0, HEIGHT, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemcpy2DToArray(NULL, 0, 0, numbers[0], row, row, 0, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemcpy2DToArray(array, 0, 0, numbers[0], row, 0, 1, (enum cudaMemcpyKind)9));
  conform_succeed(cudaMemcpy2DArrayToArray(array, 0, 0, array, 0, 0, 0, 1, (enum cudaMemcpyKind)9));
  conform_succeed(cudaMemcpy2DToArray(array, 0, 0, numbers[0], 0, row, 1, cudaMemcpyHostToDevice));
  conform_expect(cudaErrorInvalidValue,
                 cudaMemcpy2DToArray(array, 0, 0, numbers[0], row - 4, row, 1, cudaMemcpyHostToDevice));
  conform_expect(cudaErrorInvalidPitchValue,
                 cudaMemcpy2DToArray(array, 0, 0, numbers[0], row - 4, row, HEIGHT, cudaMemcpyHostToDevice));
  conform_succeed(cudaFreeArray(array));
}

/* In three dimensions what the kind says of an array that is written does not matter. */
static void kinds_are_corrected(void) {
  struct cudaChannelFormatDesc desc = float_desc();
  struct cudaMemcpy3DParms in, out;
  cudaArray_t array = NULL;
  float got[HEIGHT][WIDTH];
  conform_succeed(cudaMallocArray(&array, &desc, WIDTH, HEIGHT, 0));
  memset(&in, 0, sizeof in);
  in.srcPtr = make_cudaPitchedPtr(numbers[0], sizeof got[0], sizeof got[0], HEIGHT);
  in.dstArray = array;
  in.extent = make_cudaExtent(WIDTH, HEIGHT, 1);
  in.kind = cudaMemcpyHostToHost;
  conform_succeed(cudaMemcpy3D(&in));
  memset(&out, 0, sizeof out);
  memset(got, 0, sizeof got);
  out.srcArray = array;
  out.dstPtr = make_cudaPitchedPtr(got, sizeof got[0], sizeof got[0], HEIGHT);
  out.extent = in.extent;
  out.kind = cudaMemcpyHostToHost;
  conform_expect(cudaErrorInvalidValue, cudaMemcpy3D(&out));
  out.kind = cudaMemcpyDeviceToHost;
  conform_succeed(cudaMemcpy3D(&out));
  conform_true(memcmp(got, numbers[0], sizeof got) == 0);
  out.kind = (enum cudaMemcpyKind)5;
  conform_expect(cudaErrorInvalidMemcpyDirection, cudaMemcpy3D(&out));
  conform_expect(cudaErrorInvalidMemcpyDirection,
                 cudaMemcpy2DToArray(array, 0, 0, numbers[0], sizeof got[0], sizeof got[0], 1, cudaMemcpyHostToHost));
  conform_succeed(cudaFreeArray(array));
}

static void what_makes_no_array_is_refused(void) {
  struct cudaChannelFormatDesc desc = float_desc();
  cudaArray_t array = NULL;
  conform_expect(cudaErrorInvalidValue, cudaMallocArray(NULL, &desc, WIDTH, HEIGHT, 0));
  conform_expect(cudaErrorInvalidValue, cudaMallocArray(&array, NULL, WIDTH, HEIGHT, 0));
  static const struct cudaChannelFormatDesc none[] = {
    { 0, 0, 0, 0, cudaChannelFormatKindSigned },    { 8, 8, 8, 0, cudaChannelFormatKindUnsigned },
    { 8, 16, 0, 0, cudaChannelFormatKindUnsigned }, { 0, 8, 0, 0, cudaChannelFormatKindUnsigned },
    { 12, 0, 0, 0, cudaChannelFormatKindUnsigned }, { 64, 0, 0, 0, cudaChannelFormatKindUnsigned },
    { 8, 0, 0, 0, cudaChannelFormatKindFloat },     { 8, 0, 0, 0, cudaChannelFormatKindNone },
    { -8, 0, 0, 0, cudaChannelFormatKindSigned },   { 32, 32, 32, 0, cudaChannelFormatKindFloat }
  };
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    conform_expect(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &none[i], WIDTH, HEIGHT, 0));
  array = (cudaArray_t)&array;
  conform_expect(cudaErrorInvalidValue, cudaMallocArray(&array, &desc, 0, HEIGHT, 0));
  conform_true(array == NULL);
  array = (cudaArray_t)&array;
  conform_expect(cudaErrorInvalidValue, cudaMallocArray(&array, &desc, WIDTH, HEIGHT, cudaArrayLayered));
  conform_true(array == NULL);
  conform_succeed(cudaFreeArray(NULL));
}

static int attribute_of(enum cudaDeviceAttr attribute) {
  int value = 0;
  conform_succeed(cudaDeviceGetAttribute(&value, attribute, 0));
  return value;
}

static void refuse_extent(size_t width, size_t height, size_t depth, unsigned flags) {
  struct cudaChannelFormatDesc desc = float_desc();
  cudaArray_t array = NULL;
  conform_expect(cudaErrorInvalidValue,
                 cudaMalloc3DArray(&array, &desc, make_cudaExtent(width, height, depth), flags));
  if (depth == 0 && flags == 0)
    conform_expect(cudaErrorInvalidValue, cudaMallocArray(&array, &desc, width, height, flags));
  conform_true(array == NULL);
}

/* Beyond a limit by one, in each dimension of each kind; and what is no array at all. */
static void extents_have_limits(void) {
  refuse_extent(0, 0, 0, 0);
  refuse_extent(0, HEIGHT, 0, 0);
  refuse_extent((size_t)attribute_of(cudaDevAttrMaxTexture1DWidth) + 1, 0, 0, 0);
  refuse_extent((size_t)attribute_of(cudaDevAttrMaxTexture2DWidth) + 1, 1, 0, 0);
  refuse_extent(1, (size_t)attribute_of(cudaDevAttrMaxTexture2DHeight) + 1, 0, 0);
  refuse_extent((size_t)attribute_of(cudaDevAttrMaxTexture3DWidth) * 4 + 1, 1, 1, 0);
  refuse_extent(1, (size_t)attribute_of(cudaDevAttrMaxTexture3DHeight) * 4 + 1, 1, 0);
  refuse_extent(1, 1, (size_t)attribute_of(cudaDevAttrMaxTexture3DDepth) * 4 + 1, 0);
  refuse_extent((size_t)attribute_of(cudaDevAttrMaxTexture1DLayeredWidth) + 1, 0, 1, cudaArrayLayered);
  refuse_extent(1, 0, (size_t)attribute_of(cudaDevAttrMaxTexture1DLayeredLayers) + 1, cudaArrayLayered);
  refuse_extent(1, 1, (size_t)attribute_of(cudaDevAttrMaxTexture2DLayeredLayers) + 1, cudaArrayLayered);
  refuse_extent(WIDTH, HEIGHT, 0, cudaArrayLayered);
  refuse_extent(WIDTH, 0, DEPTH, 0);
  refuse_extent(WIDTH, HEIGHT, 6, cudaArrayCubemap);
  refuse_extent(WIDTH, WIDTH, 5, cudaArrayCubemap);
  refuse_extent(WIDTH, WIDTH, 7, cudaArrayCubemap | cudaArrayLayered);
  refuse_extent(WIDTH, WIDTH, 9, cudaArrayCubemap | cudaArrayLayered);
  refuse_extent(WIDTH, HEIGHT, 0, 0x8000);
}

static unsigned char sent[DEPTH * HEIGHT * WIDTH * 8], got[sizeof sent];

/* There and back through memory of the device, in a rect, and from array to array. */
static void two_channels_arrive(int bits, enum cudaChannelFormatKind kind, size_t height, size_t depth,
                                unsigned flags) {
  struct cudaChannelFormatDesc desc = cudaCreateChannelDesc(bits, bits, 0, 0, kind);
  size_t row = (size_t)bits / 4 * WIDTH, rows = height > 0 ? height : 1, slices = depth > 0 ? depth : 1;
  struct cudaMemcpy3DParms in, between, out;
  cudaArray_t array = NULL, other = NULL;
  memset(&in, 0, sizeof in);
  memset(got, 0, sizeof got);
  for (size_t i = 0; i < sizeof sent; i++)
    sent[i] = (unsigned char)(i * 7 + 1);
  conform_succeed(cudaMalloc3DArray(&array, &desc, make_cudaExtent(WIDTH, height, depth), flags));
  conform_succeed(cudaMalloc3DArray(&other, &desc, make_cudaExtent(WIDTH, height, depth), flags));
  in.extent = make_cudaExtent(WIDTH, rows, slices);
  between = out = in;
  in.srcPtr = make_cudaPitchedPtr(sent, row, WIDTH, rows);
  between.srcArray = in.dstArray = array;
  out.srcArray = between.dstArray = other;
  out.dstPtr = make_cudaPitchedPtr(got, row, WIDTH, rows);
  in.kind = cudaMemcpyHostToDevice;
  between.kind = cudaMemcpyDeviceToDevice;
  out.kind = cudaMemcpyDeviceToHost;
  conform_succeed(cudaMemcpy3D(&in));
  conform_succeed(cudaMemcpy3D(&between));
  conform_succeed(cudaMemcpy3D(&out));
  conform_true(memcmp(got, sent, row * rows * slices) == 0);
  /* the elements from 3 on of the last row of the last slice */
  memset(got, 0, sizeof got);
  out.srcPos = make_cudaPos(3, rows - 1, slices - 1);
  out.extent = make_cudaExtent(4, 1, 1);
  conform_succeed(cudaMemcpy3D(&out));
  conform_true(memcmp(got, &sent[(rows * slices - 1) * row + 3 * row / WIDTH], 4 * row / WIDTH) == 0);
  conform_succeed(cudaArrayGetInfo(&desc, NULL, NULL, array));
  conform_true(desc.x == bits && desc.y == bits && desc.z == 0 && desc.f == kind);
  conform_succeed(cudaFreeArray(array));
  conform_succeed(cudaFreeArray(other));
}

static void arrays_of_two_channels_exist(void) {
  for (int bits = 8; bits <= 32; bits *= 2) {
    enum cudaChannelFormatKind kind = bits == 32 ? cudaChannelFormatKindFloat : cudaChannelFormatKindUnsigned;
    two_channels_arrive(bits, kind, 0, 0, 0);
    two_channels_arrive(bits, kind, HEIGHT, 0, 0);
    two_channels_arrive(bits, kind, HEIGHT, DEPTH, 0);
    two_channels_arrive(bits, kind, 0, DEPTH, cudaArrayLayered);
    two_channels_arrive(bits, kind, HEIGHT, DEPTH, cudaArrayLayered);
  }
}

static const char *name_of(cudaError_t error) {
  cudaGetLastError();
  return cudaGetErrorName(error);
}

static void observe(void) {
  struct cudaChannelFormatDesc desc = float_desc();
  cudaArray_t array = NULL;
  size_t row = sizeof numbers[0][0];
  printf("observed: unknown flag: %s\n", name_of(cudaMallocArray(&array, &desc, WIDTH, HEIGHT, 0x8000)));
  conform_succeed(cudaMallocArray(&array, &desc, WIDTH, HEIGHT, 0));
  printf("observed: DeviceToHost to an array: %s\n",
         name_of(cudaMemcpy2DToArray(array, 0, 0, numbers[0], row, row, HEIGHT, cudaMemcpyDeviceToHost)));
  printf("observed: half an element: %s\n",
         name_of(cudaMemcpy2DToArray(array, 2, 0, numbers[0], row, 6, 1, cudaMemcpyHostToDevice)));
  printf("observed: NULL array: %s\n",
         name_of(cudaMemcpy2DToArray(NULL, 0, 0, numbers[0], row, row, 1, cudaMemcpyHostToDevice)));
  printf("observed: NULL channel: %s\n", name_of(cudaGetChannelDesc(NULL, array)));
  conform_succeed(cudaFreeArray(array));
}

/* The process's last: a reset takes arrays along. */
static void a_reset_ends_arrays(void) {
  struct cudaChannelFormatDesc desc = float_desc();
  cudaArray_t array = NULL;
  conform_succeed(cudaMallocArray(&array, &desc, WIDTH, HEIGHT, 0));
  conform_succeed(cudaDeviceReset());
  conform_succeed(cudaFree(NULL));
  conform_succeed(cudaMallocArray(&array, &desc, WIDTH, HEIGHT, 0));
  conform_succeed(cudaFreeArray(array));
}

int main(void) {
  for (int i = 0; i < DEPTH * HEIGHT * WIDTH; i++)
    (&numbers[0][0][0])[i] = (float)i + 1;
  a_channel_says_what_it_was_made_of();
  an_array_says_what_it_is();
  rects_arrive();
  three_dimensions_arrive(0);
  three_dimensions_arrive(cudaArrayLayered);
  what_leaves_the_array_is_refused();
  kinds_are_corrected();
  what_makes_no_array_is_refused();
  extents_have_limits();
  arrays_of_two_channels_exist();
  observe();
  a_reset_ends_arrays();
  return conform_done("conform_array");
}
