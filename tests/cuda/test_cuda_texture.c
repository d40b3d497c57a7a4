/* SPDX-License-Identifier: MIT */
/*
 * test_cuda_texture - texture and surface objects, read and written by kernels, against the same reading on the host.
 *
 * The kernels need OpenCL with images; what is refused, and what becomes of arrays whose reading changes, is tried on
 * every backend.
 */
#include <vptr/cuda/vptr_texture.h>

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <vptr/cuda/cuda_runtime.h>

#include "base/memory.h"
#include "device/fake.h"
#include "device/fake_image.h"
#include "expect.h"
#include "mapper/mapper.h"

enum { WIDTH = 8, HEIGHT = 6, DEPTH = 3, SAMPLES = 21 };

static const struct cudaChannelFormatDesc float_desc = { 32, 0, 0, 0, cudaChannelFormatKindFloat };
static const struct cudaChannelFormatDesc uchar4_desc = { 8, 8, 8, 8, cudaChannelFormatKindUnsigned };
static const struct cudaChannelFormatDesc int_desc = { 32, 0, 0, 0, cudaChannelFormatKindSigned };

static const char source[] =
    "kernel void read_2d(read_only image2d_t image, sampler_t how, global const float2 *at, global float4 *out) {\n"
    "  out[get_global_id(0)] = read_imagef(image, how, at[get_global_id(0)]);\n"
    "}\n"
    "kernel void read_3d(read_only image3d_t image, sampler_t how, global float4 *out) {\n"
    "  int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);\n"
    "  out[(at.z * get_global_size(1) + at.y) * get_global_size(0) + at.x] =\n"
    "      read_imagef(image, how, convert_float4(at) + 0.5f);\n"
    "}\n"
    "kernel void read_layers(read_only image2d_array_t image, sampler_t how, global float4 *out) {\n"
    "  int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);\n"
    "  out[(at.z * get_global_size(1) + at.y) * get_global_size(0) + at.x] =\n"
    "      read_imagef(image, how, (float4)(at.x + 0.5f, at.y + 0.5f, at.z, 0));\n"
    "}\n"
    "kernel void read_linear(read_only image1d_buffer_t image, global int4 *out) {\n"
    "  out[get_global_id(0)] = read_imagei(image, (int)get_global_id(0));\n"
    "}\n"
    "kernel void write_2d(write_only image2d_t image) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imagef(image, at, (float4)(at.x + 10 * at.y, 0, 0, 0));\n"
    "}\n";

static cl_program program;

static void setup(void) {
  cudaGetLastError();
  if (!support_has_opencl())
    return;
  cl_int code;
  const char *text = source;
  program = clCreateProgramWithSource(vptr_get_context(NULL), 1, &text, NULL, &code);
  ck_assert_int_eq(code, CL_SUCCESS);
  cl_device_id device = vptr_get_device(NULL);
  ck_assert_int_eq(clBuildProgram(program, 1, &device, "", NULL, NULL), CL_SUCCESS);
}

static void teardown(void) {
  if (program != NULL)
    clReleaseProgram(program);
  program = NULL;
  ck_assert_uint_eq(vptr__fake_samplers(), 0);
}

static cl_kernel kernel_named(const char *name) {
  cl_int code;
  cl_kernel kernel = clCreateKernel(program, name, &code);
  ck_assert_int_eq(code, CL_SUCCESS);
  return kernel;
}

static void launch(cl_kernel kernel, size_t x, size_t y, size_t z) {
  const size_t global[3] = { x, y, z };
  ck_assert_int_eq(clEnqueueNDRangeKernel(vptr_get_queue(NULL), kernel, 3, NULL, global, NULL, 0, NULL, NULL),
                   CL_SUCCESS);
  support_succeed(vptr_finish(NULL));
  clReleaseKernel(kernel);
}

static struct cudaTextureDesc plain(enum cudaTextureAddressMode mode, enum cudaTextureFilterMode filter) {
  return (struct cudaTextureDesc){ .addressMode = { mode, mode, mode }, .filterMode = filter };
}

static struct cudaResourceDesc of_array(cudaArray_t array) {
  struct cudaResourceDesc resource = { .resType = cudaResourceTypeArray };
  resource.res.array.array = array;
  return resource;
}

static cudaTextureObject_t texture_of(cudaArray_t array, struct cudaTextureDesc desc) {
  cudaTextureObject_t texture = 0;
  const struct cudaResourceDesc resource = of_array(array);
  succeed(cudaCreateTextureObject(&texture, &resource, &desc, NULL));
  ck_assert(texture != 0);
  return texture;
}

/* ---- sampling, on the host ------------------------------------------------------------------------------ */

static float elements[HEIGHT][WIDTH];

/* One dimension: the two elements that a coordinate lies between (one, twice, of the point filter), and how far. -1:
 * the border. */
typedef struct between {
  int at[2];
  float share;
} between;

static int bring_in(int i, int size, enum cudaTextureAddressMode mode) {
  if (mode == cudaAddressModeBorder)
    return i < 0 || i >= size ? -1 : i;
  if (mode == cudaAddressModeWrap)
    return (i % size + size) % size;
  return i < 0 ? 0 : i >= size ? size - 1 : i;
}

static between place(float x, int size, const struct cudaTextureDesc *desc) {
  enum cudaTextureAddressMode mode = desc->addressMode[0];
  if (!desc->normalizedCoords && (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror))
    mode = cudaAddressModeClamp;
  if (desc->normalizedCoords && mode == cudaAddressModeMirror)
    x = fabsf(x - 2 * rintf(0.5f * x));
  if (desc->normalizedCoords)
    x *= (float)size;
  if (desc->filterMode == cudaFilterModePoint) {
    int i = bring_in((int)floorf(x), size, mode);
    return (between){ { i, i }, 0 };
  }
  int low = (int)floorf(x - 0.5f);
  return (between){ { bring_in(low, size, mode), bring_in(low + 1, size, mode) }, x - 0.5f - floorf(x - 0.5f) };
}

static float element_at(int x, int y) {
  return x < 0 || y < 0 ? 0 : elements[y][x];
}

static float sample(float x, float y, const struct cudaTextureDesc *desc) {
  between h = place(x, WIDTH, desc), v = place(y, HEIGHT, desc);
  float above = element_at(h.at[0], v.at[0]) * (1 - h.share) + element_at(h.at[1], v.at[0]) * h.share;
  float below = element_at(h.at[0], v.at[1]) * (1 - h.share) + element_at(h.at[1], v.at[1]) * h.share;
  return above * (1 - v.share) + below * v.share;
}

/* ---- sampling, on the device ---------------------------------------------------------------------------- */

/* From far left of the array to far right, never on the edge between two elements. */
static float coordinate(int i, int size, int normalized) {
  float x = ((float)i - 6.37f) * 1.217f;
  return normalized ? x / (float)size : x;
}

static void check_mode(cudaArray_t array, struct cudaTextureDesc desc, float scale) {
  float at[SAMPLES * SAMPLES][2], out[SAMPLES * SAMPLES][4];
  for (int i = 0; i < SAMPLES * SAMPLES; i++) {
    at[i][0] = coordinate(i % SAMPLES, WIDTH, desc.normalizedCoords);
    at[i][1] = coordinate(i / SAMPLES, HEIGHT, desc.normalizedCoords);
  }
  char *device_at = device_memory(sizeof at), *device_out = device_memory(sizeof out);
  succeed(cudaMemcpy(device_at, at, sizeof at, cudaMemcpyHostToDevice));
  cudaTextureObject_t texture = texture_of(array, desc);
  cl_kernel kernel = kernel_named("read_2d");
  succeed(vptr_cuda_set_texture_arg(kernel, 0, 1, texture));
  support_succeed(vptr_set_kernel_arg(NULL, kernel, 2, device_at));
  support_succeed(vptr_set_kernel_arg(NULL, kernel, 3, device_out));
  launch(kernel, SAMPLES * SAMPLES, 1, 1);
  succeed(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < SAMPLES * SAMPLES; i++) {
    float wanted = sample(at[i][0], at[i][1], &desc) * scale;
    if (fabsf(out[i][0] - wanted) > 0.5f * scale) /* GPUs have 8 bits of share: of a range of 76, that is 0.3 */
      ck_abort_msg("mode %d, filter %d, normalized %d at (%g, %g): got %g, wanted %g", (int)desc.addressMode[0],
                   (int)desc.filterMode, desc.normalizedCoords, at[i][0], at[i][1], out[i][0], wanted);
  }
  succeed(cudaDestroyTextureObject(texture));
  succeed(cudaFree(device_at));
  succeed(cudaFree(device_out));
}

static void set_elements(void) {
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      elements[y][x] = (float)(1 + (x * 29 + y * 47) % 76);
}

static void check_all_modes(cudaArray_t array, enum cudaTextureReadMode read, float scale) {
  for (int mode = cudaAddressModeWrap; mode <= cudaAddressModeBorder; mode++)
    for (int filter = cudaFilterModePoint; filter <= cudaFilterModeLinear; filter++)
      for (int normalized = 0; normalized <= 1; normalized++) {
        struct cudaTextureDesc desc = plain((enum cudaTextureAddressMode)mode, (enum cudaTextureFilterMode)filter);
        desc.normalizedCoords = normalized;
        desc.readMode = read;
        check_mode(array, desc, scale);
      }
}

START_TEST(every_addressing_and_filter_reads_as_cuda_does) {
  cudaArray_t array;
  if (!support_has_opencl())
    return;
  set_elements();
  succeed(cudaMallocArray(&array, &float_desc, WIDTH, HEIGHT, 0));
  succeed(cudaMemcpy2DToArray(array, 0, 0, elements, sizeof elements[0], sizeof elements[0], HEIGHT,
                              cudaMemcpyHostToDevice));
  check_all_modes(array, cudaReadModeElementType, 1);
  succeed(cudaFreeArray(array));
}
END_TEST

START_TEST(integers_are_read_as_normalized_floats) {
  cudaArray_t array;
  unsigned char bytes[HEIGHT][WIDTH][4];
  if (!support_has_opencl())
    return;
  set_elements();
  for (int i = 0; i < WIDTH * HEIGHT * 4; i++)
    bytes[i / 4 / WIDTH][i / 4 % WIDTH][i % 4] = (unsigned char)elements[i / 4 / WIDTH][i / 4 % WIDTH];
  succeed(cudaMallocArray(&array, &uchar4_desc, WIDTH, HEIGHT, 0));
  succeed(cudaMemcpyToArray(array, 0, 0, bytes, sizeof bytes, cudaMemcpyHostToDevice));
  check_all_modes(array, cudaReadModeNormalizedFloat, 1.0f / 255);
  succeed(cudaFreeArray(array));
}
END_TEST

static void check_slices(const char *name, unsigned flags) {
  float in[DEPTH][HEIGHT][WIDTH], out[DEPTH][HEIGHT][WIDTH][4];
  cudaArray_t array;
  for (int i = 0; i < DEPTH * HEIGHT * WIDTH; i++)
    (&in[0][0][0])[i] = (float)i;
  succeed(cudaMalloc3DArray(&array, &float_desc, make_cudaExtent(WIDTH, HEIGHT, DEPTH), flags));
  struct cudaMemcpy3DParms p = { .dstArray = array, .kind = cudaMemcpyHostToDevice };
  p.srcPtr = make_cudaPitchedPtr(in, sizeof in[0][0], sizeof in[0][0], HEIGHT);
  p.extent = make_cudaExtent(WIDTH, HEIGHT, DEPTH);
  succeed(cudaMemcpy3D(&p));
  char *device_out = device_memory(sizeof out);
  cudaTextureObject_t texture = texture_of(array, plain(cudaAddressModeClamp, cudaFilterModePoint));
  cl_kernel kernel = kernel_named(name);
  succeed(vptr_cuda_set_texture_arg(kernel, 0, 1, texture));
  support_succeed(vptr_set_kernel_arg(NULL, kernel, 2, device_out));
  launch(kernel, WIDTH, HEIGHT, DEPTH);
  succeed(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < DEPTH * HEIGHT * WIDTH; i++)
    ck_assert((&out[0][0][0][0])[4 * i] == (float)i);
  succeed(cudaDestroyTextureObject(texture));
  succeed(cudaFreeArray(array));
  succeed(cudaFree(device_out));
}

START_TEST(slices_and_layers_are_found) {
  if (!support_has_opencl())
    return;
  check_slices("read_3d", 0);
  check_slices("read_layers", cudaArrayLayered);
}
END_TEST

static struct cudaResourceDesc of_memory(void *ptr, size_t bytes) {
  struct cudaResourceDesc resource = { .resType = cudaResourceTypeLinear };
  resource.res.linear.devPtr = ptr;
  resource.res.linear.desc = int_desc;
  resource.res.linear.sizeInBytes = bytes;
  return resource;
}

/* No copy: what is written to the memory afterwards is read. */
START_TEST(linear_memory_is_read_in_place) {
  int in[100], out[100][4];
  if (!support_has_opencl())
    return;
  for (int i = 0; i < 100; i++)
    in[i] = 1000 - i;
  char *p = device_memory((size_t)8 << 20), *device_out = device_memory(sizeof out); /* a buffer of its own */
  const struct cudaResourceDesc resource = of_memory(p, sizeof in);
  const struct cudaTextureDesc desc = plain(cudaAddressModeClamp, cudaFilterModePoint);
  cudaTextureObject_t texture;
  succeed(cudaCreateTextureObject(&texture, &resource, &desc, NULL));
  succeed(cudaMemcpy(p, in, sizeof in, cudaMemcpyHostToDevice));
  cl_kernel kernel = kernel_named("read_linear");
  expect(cudaErrorInvalidValue, vptr_cuda_set_texture_arg(kernel, 0, 1, texture));
  succeed(vptr_cuda_set_texture_arg(kernel, 0, VPTR_CUDA_NO_SAMPLER, texture));
  support_succeed(vptr_set_kernel_arg(NULL, kernel, 1, device_out));
  launch(kernel, 100, 1, 1);
  succeed(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 100; i++)
    ck_assert_int_eq(out[i][0], 1000 - i);
  succeed(cudaDestroyTextureObject(texture));
  succeed(cudaFree(p));
  succeed(cudaFree(device_out));
}
END_TEST

/* In the middle of a buffer it is read in place too, or refused where the driver has no such images. */
START_TEST(linear_memory_anywhere_is_read_or_refused) {
  char *p = device_memory(2 * 4096);
  const struct cudaResourceDesc resource = of_memory(p + 4096, 400);
  const struct cudaTextureDesc desc = plain(cudaAddressModeClamp, cudaFilterModePoint);
  cudaTextureObject_t texture = 0;
  cudaError_t error = cudaCreateTextureObject(&texture, &resource, &desc, NULL);
  ck_assert(error == cudaSuccess || error == cudaErrorNotSupported);
  ck_assert((error == cudaSuccess) == (texture != 0));
  if (texture != 0)
    succeed(cudaDestroyTextureObject(texture));
  cudaGetLastError();
  succeed(cudaFree(p));
}
END_TEST

/* Where there are no images of two channels, arrays of them are buffers: an object over one is refused in words, and
 * leaves the array as it is. */
START_TEST(two_channels_are_read_or_refused) {
  const struct cudaChannelFormatDesc pairs = { 32, 32, 0, 0, cudaChannelFormatKindFloat };
  const struct cudaTextureDesc desc = plain(cudaAddressModeClamp, cudaFilterModePoint);
  const float sent[4] = { 1, 2, 3, 4 };
  float seen[4] = { 0 };
  cudaArray_t array = NULL;
  cudaTextureObject_t texture = 0;
  succeed(cudaMallocArray(&array, &pairs, 2, 1, 0));
  succeed(cudaMemcpy2DToArray(array, 0, 0, sent, sizeof sent, sizeof sent, 1, cudaMemcpyHostToDevice));
  const struct cudaResourceDesc resource = of_array(array);
  cudaError_t error = cudaCreateTextureObject(&texture, &resource, &desc, NULL);
  if (error == cudaSuccess) {
    succeed(cudaDestroyTextureObject(texture));
  } else {
    ck_assert_int_eq(error, cudaErrorNotSupported);
    ck_assert_ptr_nonnull(strstr(vptr_last_error(), "no images of two channels"));
    ck_assert_uint_eq(texture, 0);
  }
  succeed(cudaMemcpy2DFromArray(seen, sizeof seen, array, 0, 0, sizeof seen, 1, cudaMemcpyDeviceToHost));
  ck_assert_mem_eq(seen, sent, sizeof sent);
  succeed(cudaFreeArray(array));
}
END_TEST

START_TEST(surfaces_are_written) {
  cudaArray_t array;
  cudaSurfaceObject_t surface;
  if (!support_has_opencl())
    return;
  succeed(cudaMallocArray(&array, &float_desc, WIDTH, HEIGHT, cudaArraySurfaceLoadStore));
  const struct cudaResourceDesc resource = of_array(array);
  succeed(cudaCreateSurfaceObject(&surface, &resource));
  cl_kernel kernel = kernel_named("write_2d");
  succeed(vptr_cuda_set_surface_arg(kernel, 0, surface));
  launch(kernel, WIDTH, HEIGHT, 1);
  succeed(cudaMemcpyFromArray(elements, array, 0, 0, sizeof elements, cudaMemcpyDeviceToHost));
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      ck_assert(elements[y][x] == (float)(x + 10 * y));
  succeed(cudaDestroySurfaceObject(surface));
  succeed(cudaFreeArray(array));
}
END_TEST

/* ---- objects -------------------------------------------------------------------------------------------- */

/* Whether a kernel in CUDA may read textures now. */
static bool may_launch(void) {
  cl_mem table = NULL;
  vptr_mapper *mapper;
  support_succeed(vptr__mapper_for_device(0, &mapper));
  vptr_status status = vptr__texel_table_take(mapper, "k", &table);
  if (status == VPTR_SUCCESS)
    mapper->device->ops->memory.release(mapper->device, table);
  else
    ck_assert_ptr_nonnull(strstr(vptr_last_error(), "OpenCL images"));
  return status == VPTR_SUCCESS;
}

static void must_have(cudaArray_t array, const void *in, size_t bytes) {
  unsigned char out[HEIGHT * WIDTH * 4];
  ck_assert_uint_eq(bytes, sizeof out);
  succeed(cudaMemcpyFromArray(out, array, 0, 0, sizeof out, cudaMemcpyDeviceToHost));
  ck_assert_mem_eq(in, out, sizeof out);
}

/* An array is memory, and an image as long as an object lives that a kernel in OpenCL was given. */
START_TEST(an_array_keeps_its_content_when_its_form_changes) {
  cudaArray_t array;
  unsigned char in[HEIGHT][WIDTH][4];
  struct cudaTextureDesc as_float = plain(cudaAddressModeClamp, cudaFilterModeLinear);
  as_float.readMode = cudaReadModeNormalizedFloat;
  for (size_t i = 0; i < sizeof in; i++)
    (&in[0][0][0])[i] = (unsigned char)(i * 7);
  succeed(cudaMallocArray(&array, &uchar4_desc, WIDTH, HEIGHT, 0));
  succeed(cudaMemcpyToArray(array, 0, 0, in, sizeof in, cudaMemcpyHostToDevice));
  cudaTextureObject_t texture = texture_of(array, as_float);
  must_have(array, in, sizeof in);
  cudaTextureObject_t other = texture_of(array, plain(cudaAddressModeClamp, cudaFilterModePoint));
  ck_assert(may_launch());
  if (support_has_opencl()) {
    cl_kernel kernel = kernel_named("read_2d");
    succeed(vptr_cuda_set_texture_arg(kernel, 0, 1, texture));
    succeed(vptr_cuda_set_texture_arg(kernel, 0, 1, texture));
    must_have(array, in, sizeof in);
    ck_assert(!may_launch());
    expect(cudaErrorNotSupported, vptr_cuda_set_texture_arg(kernel, 0, 1, other));
    succeed(cudaDestroyTextureObject(texture));
    ck_assert(may_launch());
    must_have(array, in, sizeof in);
    succeed(vptr_cuda_set_texture_arg(kernel, 0, 1, other));
    must_have(array, in, sizeof in);
    clReleaseKernel(kernel);
  } else {
    succeed(cudaDestroyTextureObject(texture));
  }
  succeed(cudaFreeArray(array)); /* the texture keeps it */
  succeed(cudaDestroyTextureObject(other));
  ck_assert(may_launch());
}
END_TEST

/* CUDA's kernels read all of it; those in OpenCL have a sampler. */
static void refuse_sampler(cudaArray_t array, struct cudaTextureDesc desc, const char *words) {
  cudaTextureObject_t texture = texture_of(array, desc);
  expect(cudaErrorNotSupported, vptr_cuda_set_texture_arg(NULL, 0, 1, texture));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), words));
  succeed(cudaDestroyTextureObject(texture));
}

START_TEST(what_opencl_cannot_say_is_refused) {
  cudaArray_t array, integers;
  cudaTextureObject_t texture;
  succeed(cudaMallocArray(&array, &float_desc, WIDTH, HEIGHT, 0));
  succeed(cudaMallocArray(&integers, &int_desc, WIDTH, HEIGHT, 0));
  const struct cudaResourceDesc resource = of_array(array), of_integers = of_array(integers);
  struct cudaTextureDesc desc = plain(cudaAddressModeClamp, cudaFilterModeLinear);
  expect(cudaErrorInvalidFilterSetting, cudaCreateTextureObject(&texture, &of_integers, &desc, NULL));
  desc.addressMode[1] = cudaAddressModeBorder;
  refuse_sampler(array, desc, "one addressMode");
  desc = plain(cudaAddressModeBorder, cudaFilterModePoint);
  desc.borderColor[0] = 1;
  refuse_sampler(array, desc, "no border but one of zeros");
  desc = plain(cudaAddressModeClamp, cudaFilterModePoint);
  desc.sRGB = 1;
  refuse_sampler(array, desc, "sRGB");
  desc.sRGB = 0;
  desc.addressMode[1] = (enum cudaTextureAddressMode)9;
  expect(cudaErrorInvalidValue, cudaCreateTextureObject(&texture, &resource, &desc, NULL));
  succeed(cudaFreeArray(array));
  succeed(cudaFreeArray(integers));
}
END_TEST

START_TEST(views_are_of_what_the_array_has) {
  cudaArray_t array;
  cudaTextureObject_t texture = 7;
  succeed(cudaMallocArray(&array, &float_desc, WIDTH, HEIGHT, 0));
  const struct cudaResourceDesc resource = of_array(array);
  const struct cudaTextureDesc desc = plain(cudaAddressModeClamp, cudaFilterModePoint);
  struct cudaResourceViewDesc view = { .format = cudaResViewFormatUnsignedInt1, .width = WIDTH, .height = HEIGHT };
  const struct cudaResourceViewDesc good = view;
  succeed(cudaCreateTextureObject(&texture, &resource, &desc, &view));
  expect(cudaErrorNotSupported, vptr_cuda_set_texture_arg(NULL, 0, VPTR_CUDA_NO_SAMPLER, texture));
  succeed(cudaDestroyTextureObject(texture));
  view.format = cudaResViewFormatNone; /* the array's own */
  succeed(cudaCreateTextureObject(&texture, &resource, &desc, &view));
  succeed(cudaDestroyTextureObject(texture));
  view.format = cudaResViewFormatUnsignedInt2; /* of 8 bytes */
  expect(cudaErrorInvalidValue, cudaCreateTextureObject(&texture, &resource, &desc, &view));
  view.format = cudaResViewFormatUnsignedBlockCompressed1;
  expect(cudaErrorNotSupported, cudaCreateTextureObject(&texture, &resource, &desc, &view));
  view.format = (enum cudaResourceViewFormat)99;
  expect(cudaErrorInvalidValue, cudaCreateTextureObject(&texture, &resource, &desc, &view));
  view = good;
  view.width = WIDTH / 2;
  expect(cudaErrorInvalidValue, cudaCreateTextureObject(&texture, &resource, &desc, &view));
  view = good;
  view.lastLayer = 1;
  expect(cudaErrorInvalidValue, cudaCreateTextureObject(&texture, &resource, &desc, &view));
  view = good;
  view.lastMipmapLevel = 1;
  expect(cudaErrorInvalidValue, cudaCreateTextureObject(&texture, &resource, &desc, &view));
  succeed(cudaFreeArray(array));
}
END_TEST

START_TEST(cubes_are_arrays_whose_seams_are_not_filtered) {
  cudaArray_t array;
  cudaTextureObject_t texture = 7;
  succeed(cudaMalloc3DArray(&array, &float_desc, make_cudaExtent(WIDTH, WIDTH, 6), cudaArrayCubemap));
  const struct cudaResourceDesc resource = of_array(array);
  struct cudaTextureDesc desc = plain(cudaAddressModeClamp, cudaFilterModeLinear);
  desc.seamlessCubemap = 1;
  expect(cudaErrorNotSupported, cudaCreateTextureObject(&texture, &resource, &desc, NULL));
  ck_assert_uint_eq(texture, 7);
  desc.filterMode = cudaFilterModePoint;
  succeed(cudaDestroyTextureObject(texture_of(array, desc)));
  desc.filterMode = cudaFilterModeLinear;
  desc.seamlessCubemap = 0;
  succeed(cudaDestroyTextureObject(texture_of(array, desc)));
  succeed(cudaFreeArray(array));
}
END_TEST

/* Each in turn until none is met; nothing is left behind, and the next call goes through. */
static int failures_of(void (*fail_nth)(long n), vptr_mapper *mapper) {
  int failures = 0;
  for (long n = 1, unharmed = 0; unharmed < 20; n++) {
    cudaArray_t array = NULL;
    cudaTextureObject_t texture = 0, linear = 0;
    cudaSurfaceObject_t surface = 0;
    struct cudaTextureDesc desc = plain(cudaAddressModeClamp, cudaFilterModePoint);
    char *p = device_memory(4096);
    const struct cudaResourceDesc of_p = of_memory(p, 400);
    vptr__fake_counts before, after;
    vptr__fake_get_counts(&before);
    fail_nth(n);
    cudaError_t error = cudaMallocArray(&array, &float_desc, WIDTH, HEIGHT, cudaArraySurfaceLoadStore);
    const struct cudaResourceDesc resource = of_array(array);
    if (error == cudaSuccess)
      error = cudaCreateTextureObject(&texture, &resource, &desc, NULL);
    if (error == cudaSuccess)
      error = cudaCreateSurfaceObject(&surface, &resource);
    cudaMipmappedArray_t mipmap = NULL;
    if (error == cudaSuccess)
      error = cudaMallocMipmappedArray(&mipmap, &float_desc, make_cudaExtent(WIDTH, HEIGHT, 0), 3, 0);
    if (error == cudaSuccess)
      error = cudaCreateTextureObject(&linear, &of_p, &desc, NULL);
    fail_nth(0);
    if (mipmap != NULL)
      succeed(cudaFreeMipmappedArray(mipmap));
    failures += error != cudaSuccess;
    unharmed = error != cudaSuccess ? 0 : unharmed + 1;
    ck_assert_int_eq(error == cudaSuccess, linear != 0);
    if (linear != 0)
      succeed(cudaDestroyTextureObject(linear));
    if (surface != 0)
      succeed(cudaDestroySurfaceObject(surface));
    if (texture != 0)
      succeed(cudaDestroyTextureObject(texture));
    if (array != NULL)
      succeed(cudaFreeArray(array));
    vptr__fake_get_counts(&after);
    ck_assert_uint_eq(before.buffers, after.buffers);
    succeed(cudaFree(p));
    support_succeed(vptr_trim(mapper, 0));
    cudaGetLastError();
  }
  return failures;
}

static void no_device_memory(long n) {
  vptr__fake_fail_nth(n, CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

static void must_lie_at(cudaMipmappedArray_t mipmap, unsigned level, size_t width, size_t height) {
  cudaArray_t array;
  struct cudaExtent extent;
  unsigned char in[WIDTH * HEIGHT], out[WIDTH * HEIGHT];
  succeed(cudaGetMipmappedArrayLevel(&array, mipmap, level));
  succeed(cudaArrayGetInfo(NULL, &extent, NULL, array));
  ck_assert(extent.width == width && extent.height == height);
  memset(in, (int)level + 1, sizeof in);
  succeed(cudaMemcpy2DToArray(array, 0, 0, in, width, width, height, cudaMemcpyHostToDevice));
  succeed(cudaMemcpy2DFromArray(out, width, array, 0, 0, width, height, cudaMemcpyDeviceToHost));
  ck_assert_mem_eq(in, out, width * height);
}

/* Levels lie one behind the other: what is written to one is in no other. */
START_TEST(a_mipmapped_array_has_levels) {
  static const struct cudaChannelFormatDesc byte = { 8, 0, 0, 0, cudaChannelFormatKindUnsigned };
  cudaMipmappedArray_t mipmap;
  cudaArray_t array;
  unsigned char out[WIDTH * HEIGHT];
  vptr__fake_report_addresses(true);
  succeed(cudaMallocMipmappedArray(&mipmap, &byte, make_cudaExtent(WIDTH, HEIGHT, 0), 99, 0));
  must_lie_at(mipmap, 0, WIDTH, HEIGHT);
  must_lie_at(mipmap, 1, WIDTH / 2, HEIGHT / 2);
  must_lie_at(mipmap, 2, WIDTH / 4, 1);
  must_lie_at(mipmap, 3, 1, 1);
  expect(cudaErrorInvalidValue, cudaGetMipmappedArrayLevel(&array, mipmap, 4));
  succeed(cudaGetMipmappedArrayLevel(&array, mipmap, 0));
  succeed(cudaMemcpy2DFromArray(out, WIDTH, array, 0, 0, WIDTH, HEIGHT, cudaMemcpyDeviceToHost));
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    ck_assert_int_eq(out[i], 1);

  struct cudaResourceDesc resource = { .resType = cudaResourceTypeMipmappedArray };
  struct cudaTextureDesc desc = plain(cudaAddressModeClamp, cudaFilterModePoint);
  cudaTextureObject_t texture;
  resource.res.mipmap.mipmap = mipmap;
  succeed(cudaCreateTextureObject(&texture, &resource, &desc, NULL));
  expect(cudaErrorNotSupported, vptr_cuda_set_texture_arg(NULL, 0, 1, texture));
  succeed(cudaFreeMipmappedArray(mipmap)); /* the texture keeps it */
  expect(cudaErrorInvalidResourceHandle, cudaFreeMipmappedArray(mipmap));
  expect(cudaErrorInvalidResourceHandle, cudaCreateTextureObject(&texture, &resource, &desc, NULL));
  succeed(cudaDestroyTextureObject(texture));
  expect(cudaErrorInvalidResourceHandle, cudaFreeArray(array));
  expect(cudaErrorNotSupported,
         cudaMallocMipmappedArray(&mipmap, &byte, make_cudaExtent(WIDTH, WIDTH, 6), 2, cudaArrayCubemap));
  vptr__fake_report_addresses(false);
}
END_TEST

START_TEST(every_step_of_an_object_may_fail) {
  vptr_mapper *mapper;
  if (support_has_opencl())
    return;
  vptr__fake_report_addresses(true);
  support_succeed(vptr__mapper_for_device(0, &mapper));
  ck_assert_int_ge(failures_of(vptr__memory_fail_nth, mapper), 8);
  ck_assert_int_ge(failures_of(no_device_memory, mapper), 2);
  vptr__fake_report_addresses(false);
}
END_TEST

/* Neither mipmaps nor reads with gradients: there is nothing for it to act on. */
START_TEST(anisotropy_and_levels_may_be_anything) {
  cudaArray_t array;
  set_elements();
  succeed(cudaMallocArray(&array, &float_desc, WIDTH, HEIGHT, 0));
  succeed(cudaMemcpyToArray(array, 0, 0, elements, sizeof elements, cudaMemcpyHostToDevice));
  struct cudaTextureDesc desc = plain(cudaAddressModeClamp, cudaFilterModeLinear), told;
  desc.maxAnisotropy = 16;
  desc.mipmapFilterMode = cudaFilterModeLinear;
  desc.mipmapLevelBias = 0.5f;
  desc.maxMipmapLevelClamp = 3;
  cudaTextureObject_t texture = texture_of(array, desc);
  succeed(cudaGetTextureObjectTextureDesc(&told, texture));
  ck_assert_uint_eq(told.maxAnisotropy, 16);
  succeed(cudaDestroyTextureObject(texture));
  if (support_has_opencl())
    check_mode(array, desc, 1);
  succeed(cudaFreeArray(array));
}
END_TEST

/* cudaResourceDesc has 64 bytes before CUDA 13, cudaResourceViewDesc 48. The sanitizers would see a read behind
   them. */
START_TEST(descriptions_have_the_length_of_cuda_12) {
  enum { RESOURCE = 64, VIEW = 48, CANARY = 0x5a };
  cudaArray_t array;
  set_elements();
  succeed(cudaMallocArray(&array, &float_desc, WIDTH, HEIGHT, 0));
  const struct cudaResourceDesc whole_resource = of_array(array);
  const struct cudaResourceViewDesc whole_view = { .format = cudaResViewFormatFloat1,
                                                   .width = WIDTH,
                                                   .height = HEIGHT };
  void *resource = malloc(RESOURCE), *view = malloc(VIEW);
  memcpy(resource, &whole_resource, RESOURCE);
  memcpy(view, &whole_view, VIEW);
  struct cudaTextureDesc desc = plain(cudaAddressModeClamp, cudaFilterModeLinear);
  cudaTextureObject_t texture;
  succeed(cudaCreateTextureObject(&texture, resource, &desc, view));
  unsigned char told[2 * sizeof whole_resource];
  memset(told, CANARY, sizeof told);
  succeed(cudaGetTextureObjectResourceDesc((struct cudaResourceDesc *)told, texture));
  ck_assert_int_eq(memcmp(told, resource, offsetof(struct cudaResourceDesc, res)), 0);
  ck_assert_uint_eq(told[RESOURCE], CANARY);
  memset(told, CANARY, sizeof told);
  succeed(cudaGetTextureObjectResourceViewDesc((struct cudaResourceViewDesc *)told, texture));
  ck_assert_int_eq(memcmp(told, view, VIEW), 0);
  ck_assert_uint_eq(told[VIEW], CANARY);
  succeed(cudaDestroyTextureObject(texture));
  free(view);
  free(resource);
  succeed(cudaFreeArray(array));
}
END_TEST

START_TEST(linear_memory_has_a_largest_width) {
  size_t width = 0, wide = 0;
  succeed(cudaDeviceGetTexture1DLinearMaxWidth(&width, &int_desc, 0));
  ck_assert_uint_ge(width, 1 << 16); /* OpenCL's least */
  const struct cudaChannelFormatDesc int4_desc = { 32, 32, 32, 32, cudaChannelFormatKindSigned };
  succeed(cudaDeviceGetTexture1DLinearMaxWidth(&wide, &int4_desc, 0));
  ck_assert_uint_le(wide, width);
  expect(cudaErrorInvalidValue, cudaDeviceGetTexture1DLinearMaxWidth(NULL, &int_desc, 0));
  expect(cudaErrorInvalidValue, cudaDeviceGetTexture1DLinearMaxWidth(&width, NULL, 0));
  expect(cudaErrorInvalidDevice, cudaDeviceGetTexture1DLinearMaxWidth(&width, &int_desc, 1000));
  const struct cudaChannelFormatDesc three = { 32, 32, 32, 0, cudaChannelFormatKindSigned };
  expect(cudaErrorInvalidChannelDescriptor, cudaDeviceGetTexture1DLinearMaxWidth(&width, &three, 0));
}
END_TEST

START_TEST(memory_under_a_texture_is_checked) {
  cudaTextureObject_t texture;
  int host[8];
  const struct cudaTextureDesc desc = plain(cudaAddressModeClamp, cudaFilterModePoint);
  char *p = device_memory(4000);
  struct cudaResourceDesc resource = of_memory(p, 4004);
  expect(cudaErrorInvalidValue, cudaCreateTextureObject(&texture, &resource, &desc, NULL));
  resource = of_memory(p + 4, 400);
  expect(cudaErrorInvalidValue, cudaCreateTextureObject(&texture, &resource, &desc, NULL));
  resource = of_memory(host, sizeof host);
  expect(cudaErrorInvalidValue, cudaCreateTextureObject(&texture, &resource, &desc, NULL));
  resource = of_memory(p, 0);
  expect(cudaErrorInvalidValue, cudaCreateTextureObject(&texture, &resource, &desc, NULL));
  succeed(cudaFree(p));
  resource = of_memory(p, 400);
  expect(cudaErrorInvalidValue, cudaCreateTextureObject(&texture, &resource, &desc, NULL));
}
END_TEST

static Suite *cuda_texture_suite(void) {
  Suite *suite = suite_create("cuda_texture");
  TCase *kernels = tcase_create("kernels");
  tcase_add_checked_fixture(kernels, setup, teardown);
  tcase_add_test(kernels, every_addressing_and_filter_reads_as_cuda_does);
  tcase_add_test(kernels, integers_are_read_as_normalized_floats);
  tcase_add_test(kernels, slices_and_layers_are_found);
  tcase_add_test(kernels, linear_memory_is_read_in_place);
  tcase_add_test(kernels, linear_memory_anywhere_is_read_or_refused);
  tcase_add_test(kernels, two_channels_are_read_or_refused);
  tcase_add_test(kernels, surfaces_are_written);
  suite_add_tcase(suite, kernels);
  TCase *objects = tcase_create("objects");
  tcase_add_checked_fixture(objects, setup, teardown);
  tcase_add_test(objects, an_array_keeps_its_content_when_its_form_changes);
  tcase_add_test(objects, what_opencl_cannot_say_is_refused);
  tcase_add_test(objects, memory_under_a_texture_is_checked);
  tcase_add_test(objects, views_are_of_what_the_array_has);
  tcase_add_test(objects, cubes_are_arrays_whose_seams_are_not_filtered);
  tcase_add_test(objects, a_mipmapped_array_has_levels);
  tcase_add_test(objects, every_step_of_an_object_may_fail);
  tcase_add_test(objects, anisotropy_and_levels_may_be_anything);
  tcase_add_test(objects, descriptions_have_the_length_of_cuda_12);
  tcase_add_test(objects, linear_memory_has_a_largest_width);
  suite_add_tcase(suite, objects);
  return suite;
}

int main(void) {
  return support_run(cuda_texture_suite());
}
