/* SPDX-License-Identifier: MIT */
/* entry_array - rows of the runtime: arrays, copies from and to them, textures and surfaces. */
#include "entry.h"

#include <vptr/vptr_usm.h>
#include <vptr_texture.h>

enum { WIDTH = 16, HEIGHT = 4, SIZE = WIDTH * HEIGHT };

static const struct cudaChannelFormatDesc bytes = { 8, 0, 0, 0, cudaChannelFormatKindUnsigned };
static cudaArray_t array, other;
static unsigned char host[SIZE];

static const unsigned char *host_of(int value) {
  return memset(host, value, sizeof host);
}

/* What the whole array holds. */
static int array_holds(cudaArray_t from, int value) {
  unsigned char seen[SIZE];
  return cudaDeviceSynchronize() == cudaSuccess &&
         cudaMemcpy2DFromArray(seen, WIDTH, from, 0, 0, WIDTH, HEIGHT, cudaMemcpyDeviceToHost) == cudaSuccess &&
         entry_host_holds(seen, value, SIZE);
}

static int host_arrived(int value) {
  return cudaDeviceSynchronize() == cudaSuccess && entry_host_holds(host, value, SIZE);
}

static void made(void) {
  struct cudaChannelFormatDesc desc = { .f = cudaChannelFormatKindNone };
  struct cudaExtent extent = { 0, 0, 0 };
  unsigned flags = 99;
  cudaArray_t refused = NULL;
  ENTRY_HOLDS(cudaCreateChannelDesc, cudaCreateChannelDesc(8, 16, 0, 0, cudaChannelFormatKindSigned).y == 16);
  ENTRY(cudaMallocArray, (&array, &bytes, WIDTH, HEIGHT, cudaArraySurfaceLoadStore), cudaSuccess, array != NULL,
        (&refused, NULL, WIDTH, HEIGHT, 0), cudaErrorInvalidValue);
  ENTRY(cudaMalloc3DArray, (&other, &bytes, make_cudaExtent(WIDTH, HEIGHT, 0), 0), cudaSuccess, other != NULL,
        (&refused, &bytes, make_cudaExtent(0, HEIGHT, 0), 0), cudaErrorInvalidValue);
  ENTRY(cudaArrayGetInfo, (&desc, &extent, &flags, array), cudaSuccess,
        desc.x == 8 && extent.width == WIDTH && extent.height == HEIGHT && flags == cudaArraySurfaceLoadStore,
        (&desc, &extent, &flags, NULL), cudaErrorInvalidResourceHandle);
  desc.x = 0;
  ENTRY(cudaGetChannelDesc, (&desc, array), cudaSuccess, desc.x == 8, (NULL, array), cudaErrorInvalidValue);
}

static void copied_in(void) {
  const enum cudaMemcpyKind in = cudaMemcpyHostToDevice;
  ENTRY(cudaMemcpy2DToArray, (array, 0, 0, host_of(1), WIDTH, WIDTH, HEIGHT, in), cudaSuccess, array_holds(array, 1),
        (array, 0, 0, host, WIDTH, WIDTH + 1, HEIGHT, in), cudaErrorInvalidPitchValue);
  ENTRY(cudaMemcpy2DToArrayAsync, (array, 0, 0, host_of(2), WIDTH, WIDTH, HEIGHT, in, NULL), cudaSuccess,
        array_holds(array, 2), (array, 0, 1, host, WIDTH, WIDTH, HEIGHT, in, NULL), cudaErrorInvalidValue);
  ENTRY(cudaMemcpyToArray, (array, 0, 0, host_of(3), SIZE, in), cudaSuccess, array_holds(array, 3),
        (array, 0, 0, host, SIZE + 1, in), cudaErrorInvalidValue);
  ENTRY(cudaMemcpyToArrayAsync, (array, 0, 0, host_of(4), SIZE, in, NULL), cudaSuccess, array_holds(array, 4),
        (array, 0, 0, host, SIZE + 1, in, NULL), cudaErrorInvalidValue);
}

static void copied_out(void) {
  const enum cudaMemcpyKind out = cudaMemcpyDeviceToHost;
  host_of(0);
  ENTRY(cudaMemcpy2DFromArray, (host, WIDTH, array, 0, 0, WIDTH, HEIGHT, out), cudaSuccess, host_arrived(4),
        (host, WIDTH, array, 1, 0, WIDTH, HEIGHT, out), cudaErrorInvalidValue);
  host_of(0);
  ENTRY(cudaMemcpy2DFromArrayAsync, (host, WIDTH, array, 0, 0, WIDTH, HEIGHT, out, NULL), cudaSuccess,
        host_arrived(4), (host, WIDTH, array, 1, 0, WIDTH, HEIGHT, out, NULL), cudaErrorInvalidValue);
  host_of(0);
  ENTRY(cudaMemcpyFromArray, (host, array, 0, 0, SIZE, out), cudaSuccess, host_arrived(4),
        (host, array, 0, 0, SIZE + 1, out), cudaErrorInvalidValue);
  host_of(0);
  ENTRY(cudaMemcpyFromArrayAsync, (host, array, 0, 0, SIZE, out, NULL), cudaSuccess, host_arrived(4),
        (host, array, 0, 0, SIZE + 1, out, NULL), cudaErrorInvalidValue);
  ENTRY(cudaMemcpy2DArrayToArray, (other, 0, 0, array, 0, 0, WIDTH, HEIGHT, cudaMemcpyDeviceToDevice), cudaSuccess,
        array_holds(other, 4), (other, 1, 0, array, 0, 0, WIDTH, HEIGHT, cudaMemcpyDeviceToDevice),
        cudaErrorInvalidValue);
  NEED(cudaMemcpyToArray(array, 0, 0, host_of(5), SIZE, cudaMemcpyHostToDevice) == cudaSuccess);
  ENTRY(cudaMemcpyArrayToArray, (other, 0, 0, array, 0, 0, SIZE, cudaMemcpyDeviceToDevice), cudaSuccess,
        array_holds(other, 5), (other, 0, 0, array, 0, 0, SIZE + 1, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
}

/* NULL on the fake device, where no call with one gets so far. The caller releases it. */
static cl_kernel image_kernel(void) {
  vptr_mapper *mapper = NULL;
  NEED(vptr_usm_mapper(0, &mapper) == VPTR_SUCCESS);
  return entry_kernel_of(mapper,
                         "__kernel void k(__read_only image2d_t i, sampler_t s, __write_only image2d_t o) {}");
}

static void textures(void) {
  struct cudaResourceDesc resource = { .resType = cudaResourceTypeArray },
                          seen = { .resType = cudaResourceTypeLinear };
  struct cudaTextureDesc how = { .readMode = cudaReadModeElementType }, how_seen = { .normalizedCoords = 99 };
  struct cudaResourceViewDesc view = { .format = cudaResViewFormatUnsignedChar1 }, view_seen = { .width = 0 };
  cl_kernel kernel = image_kernel();
  const cudaError_t set = kernel != NULL ? cudaSuccess : cudaErrorInvalidValue;
  cudaTextureObject_t texture = 0;
  size_t width = 0;
  resource.res.array.array = array;
  view.width = WIDTH;
  view.height = HEIGHT;
  ENTRY(cudaCreateTextureObject, (&texture, &resource, &how, &view), cudaSuccess, texture != 0,
        (NULL, &resource, &how, NULL), cudaErrorInvalidValue);
  ENTRY(cudaGetTextureObjectResourceDesc, (&seen, texture), cudaSuccess, seen.res.array.array == array, (&seen, 0),
        cudaErrorInvalidValue);
  ENTRY(cudaGetTextureObjectTextureDesc, (&how_seen, texture), cudaSuccess, how_seen.normalizedCoords == 0,
        (&how_seen, 0), cudaErrorInvalidValue);
  ENTRY(cudaGetTextureObjectResourceViewDesc, (&view_seen, texture), cudaSuccess, view_seen.width == WIDTH,
        (&view_seen, 0), cudaErrorInvalidValue);
  ENTRY(vptr_cuda_set_texture_arg, (kernel, 0, 1, kernel != NULL ? texture : 0), set, 1, (kernel, 0, 1, 0),
        cudaErrorInvalidValue);
  ENTRY(cudaDestroyTextureObject, (texture), cudaSuccess, 1, (texture), cudaErrorInvalidValue);
  NEED(kernel == NULL || clReleaseKernel(kernel) == CL_SUCCESS);
  ENTRY(cudaDeviceGetTexture1DLinearMaxWidth, (&width, &bytes, 0), cudaSuccess, width > 0, (&width, NULL, 0),
        cudaErrorInvalidValue);
}

static void mipmaps(void) {
  cudaMipmappedArray_t mipmap = NULL;
  cudaArray_t level = NULL;
  cl_kernel kernel = image_kernel();
  const int tells = kernel != NULL; /* addresses: the fake device tells none */
  NEED(kernel == NULL || clReleaseKernel(kernel) == CL_SUCCESS);
  const cudaError_t made = tells ? cudaSuccess : cudaErrorNotSupported;
  const cudaError_t found = tells ? cudaSuccess : cudaErrorInvalidResourceHandle;
  ENTRY(cudaMallocMipmappedArray, (&mipmap, &bytes, make_cudaExtent(WIDTH, HEIGHT, 0), 2, 0), made,
        (mipmap != NULL) == tells, (NULL, &bytes, make_cudaExtent(WIDTH, HEIGHT, 0), 2, 0), cudaErrorInvalidValue);
  ENTRY(cudaGetMipmappedArrayLevel, (&level, mipmap, 1), found, (level != NULL) == tells, (NULL, mipmap, 1),
        cudaErrorInvalidValue);
  ENTRY(cudaFreeMipmappedArray, (mipmap), cudaSuccess, 1, ((cudaMipmappedArray_t)(void *)&mipmap),
        cudaErrorInvalidResourceHandle);
}

static void surfaces(void) {
  struct cudaResourceDesc resource = { .resType = cudaResourceTypeArray },
                          seen = { .resType = cudaResourceTypeLinear };
  cudaSurfaceObject_t surface = 0;
  cl_kernel kernel = image_kernel();
  const cudaError_t set = kernel != NULL ? cudaSuccess : cudaErrorInvalidValue;
  resource.res.array.array = array;
  ENTRY(cudaCreateSurfaceObject, (&surface, &resource), cudaSuccess, surface != 0, (NULL, &resource),
        cudaErrorInvalidValue);
  ENTRY(cudaGetSurfaceObjectResourceDesc, (&seen, surface), cudaSuccess, seen.res.array.array == array, (&seen, 0),
        cudaErrorInvalidValue);
  ENTRY(vptr_cuda_set_surface_arg, (kernel, 2, kernel != NULL ? surface : 0), set, 1, (kernel, 2, 0),
        cudaErrorInvalidValue);
  ENTRY(cudaDestroySurfaceObject, (surface), cudaSuccess, 1, (surface), cudaErrorInvalidValue);
  NEED(kernel == NULL || clReleaseKernel(kernel) == CL_SUCCESS);
}

void entry_runtime_array(void) {
  made();
  copied_in();
  copied_out();
  mipmaps();
  textures();
  surfaces();
  ENTRY(cudaFreeArray, (array), cudaSuccess, cudaFreeArray(other) == cudaSuccess, ((cudaArray_t)(void *)host),
        cudaErrorInvalidResourceHandle);
}
