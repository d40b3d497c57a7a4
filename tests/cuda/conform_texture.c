/* SPDX-License-Identifier: MIT */
/* conform_texture - texture and surface objects: made, asked for what they were made with, destroyed. */
#include "conform.h"

#include <stddef.h>
#include <string.h>

static cudaArray_t array;

static struct cudaResourceDesc of_array(void) {
  struct cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

static struct cudaTextureDesc linear_wrap(void) {
  struct cudaTextureDesc desc;
  memset(&desc, 0, sizeof desc);
  desc.filterMode = cudaFilterModeLinear;
  desc.normalizedCoords = 1;
  return desc;
}

static void layouts(void) {
  conform_true(sizeof(struct cudaTextureDesc) == 72 && offsetof(struct cudaTextureDesc, borderColor) == 24);
  conform_true(offsetof(struct cudaTextureDesc, normalizedCoords) == 40);
  conform_true(sizeof(struct cudaResourceDesc) == 144 && offsetof(struct cudaResourceDesc, res) == 8);
  conform_true(sizeof(struct cudaResourceViewDesc) == 112 && sizeof(cudaTextureObject_t) == 8);
  conform_true(sizeof(struct cudaChannelFormatDesc) == 20 && sizeof(struct cudaMemcpy3DParms) == 160);
  conform_true(offsetof(struct cudaResourceDesc, res.pitch2D.pitchInBytes) == 56);
}

static void a_texture_says_what_it_was_made_with(void) {
  struct cudaResourceDesc resource = of_array(), told_resource;
  struct cudaTextureDesc desc = linear_wrap(), told;
  struct cudaResourceViewDesc view;
  cudaTextureObject_t texture = 0;
  memset(&told_resource, 0, sizeof told_resource);
  memset(&told, 0xee, sizeof told);
  conform_succeed(cudaCreateTextureObject(&texture, &resource, &desc, NULL));
  conform_true(texture != 0);
  conform_succeed(cudaGetTextureObjectResourceDesc(&told_resource, texture));
  conform_true(told_resource.resType == cudaResourceTypeArray && told_resource.res.array.array == array);
  conform_succeed(cudaGetTextureObjectTextureDesc(&told, texture));
  conform_true(told.filterMode == cudaFilterModeLinear && told.normalizedCoords == 1);
  conform_true(told.addressMode[0] == cudaAddressModeWrap && told.readMode == cudaReadModeElementType);
  conform_succeed(cudaGetTextureObjectResourceViewDesc(&view, texture)); /* what it says then is not defined */
  conform_succeed(cudaDestroyTextureObject(texture));
}

static void a_view_of_the_whole_is_told(void) {
  struct cudaResourceDesc resource = of_array();
  struct cudaTextureDesc desc = linear_wrap();
  struct cudaResourceViewDesc view, told;
  cudaTextureObject_t texture = 0;
  memset(&view, 0, sizeof view);
  memset(&told, 0, sizeof told);
  view.format = cudaResViewFormatFloat1;
  view.width = 16;
  view.height = 8;
  conform_succeed(cudaCreateTextureObject(&texture, &resource, &desc, &view));
  conform_succeed(cudaGetTextureObjectResourceViewDesc(&told, texture));
  conform_true(told.format == cudaResViewFormatFloat1 && told.width == 16 && told.height == 8 && told.depth == 0);
  conform_succeed(cudaDestroyTextureObject(texture));
}

static void a_surface_says_what_it_was_made_with(void) {
  struct cudaResourceDesc resource = of_array(), told;
  cudaSurfaceObject_t surface = 0;
  memset(&told, 0, sizeof told);
  conform_succeed(cudaCreateSurfaceObject(&surface, &resource));
  conform_succeed(cudaGetSurfaceObjectResourceDesc(&told, surface));
  conform_true(told.resType == cudaResourceTypeArray && told.res.array.array == array);
  conform_succeed(cudaDestroySurfaceObject(surface));
}

static void outputs_may_not_be_null(void) {
  struct cudaResourceDesc resource = of_array();
  struct cudaTextureDesc desc = linear_wrap();
  cudaTextureObject_t texture = 0;
  conform_expect(cudaErrorInvalidValue, cudaCreateTextureObject(NULL, &resource, &desc, NULL));
  conform_expect(cudaErrorInvalidValue, cudaCreateTextureObject(&texture, NULL, &desc, NULL));
  conform_expect(cudaErrorInvalidResourceHandle, cudaCreateTextureObject(&texture, &resource, NULL, NULL));
}

static void anisotropy_is_told_back(void) {
  struct cudaResourceDesc resource = of_array();
  struct cudaTextureDesc desc = linear_wrap(), told;
  cudaTextureObject_t texture = 0;
  memset(&told, 0, sizeof told);
  desc.maxAnisotropy = 8;
  conform_succeed(cudaCreateTextureObject(&texture, &resource, &desc, NULL));
  conform_succeed(cudaGetTextureObjectTextureDesc(&told, texture));
  printf("observed: maxAnisotropy 8 is told as %u\n", told.maxAnisotropy);
  conform_succeed(cudaDestroyTextureObject(texture));
}

static void rows_of_memory_lie_at_the_alignment(void) {
  struct cudaResourceDesc resource;
  struct cudaTextureDesc desc;
  cudaTextureObject_t texture = 0;
  size_t pitch = 0;
  int alignment = 0;
  memset(&resource, 0, sizeof resource);
  memset(&desc, 0, sizeof desc);
  conform_succeed(cudaDeviceGetAttribute(&alignment, cudaDevAttrTexturePitchAlignment, 0));
  conform_succeed(cudaMallocPitch(&resource.res.pitch2D.devPtr, &pitch, 16 * sizeof(float), 8));
  conform_true(alignment > 0 && pitch % (size_t)alignment == 0);
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  resource.res.pitch2D.width = 16;
  resource.res.pitch2D.height = 4;
  resource.res.pitch2D.pitchInBytes = pitch;
  conform_succeed(cudaCreateTextureObject(&texture, &resource, &desc, NULL));
  conform_succeed(cudaDestroyTextureObject(texture));
  resource.res.pitch2D.pitchInBytes = pitch + 4; /* a whole number of elements */
  conform_true(alignment <= 4 || cudaCreateTextureObject(&texture, &resource, &desc, NULL) == cudaErrorInvalidValue);
  cudaGetLastError();
  conform_succeed(cudaFree(resource.res.pitch2D.devPtr));
}

static void linear_memory_has_a_largest_width(void) {
  struct cudaChannelFormatDesc channel = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  size_t width = 0;
  conform_succeed(cudaDeviceGetTexture1DLinearMaxWidth(&width, &channel, 0));
  conform_true(width >= 65536);
  printf("observed: linear textures of floats have up to %zu elements\n", width);
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetTexture1DLinearMaxWidth(NULL, &channel, 0));
  conform_expect(cudaErrorInvalidValue, cudaDeviceGetTexture1DLinearMaxWidth(&width, NULL, 0));
}

static const char *name_of(cudaError_t error) {
  cudaGetLastError();
  return cudaGetErrorName(error);
}

static void observe(void) {
  struct cudaResourceDesc resource = of_array();
  struct cudaTextureDesc desc = linear_wrap();
  struct cudaChannelFormatDesc channel = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  cudaTextureObject_t texture = 0;
  cudaArray_t integers = NULL;
  conform_succeed(cudaDestroyTextureObject(0));
  conform_succeed(cudaDestroySurfaceObject(0));
  conform_succeed(cudaMallocArray(&integers, &channel, 16, 8, 0));
  resource.res.array.array = integers;
  channel.y = channel.z = 32;
  size_t width = 0;
  printf("observed: linear width of three channels: %s\n",
         name_of(cudaDeviceGetTexture1DLinearMaxWidth(&width, &channel, 0)));
  printf("observed: linear width of device 1000: %s\n",
         name_of(cudaDeviceGetTexture1DLinearMaxWidth(&width, &channel, 1000)));
  printf("observed: linear filter of integers: %s\n",
         name_of(cudaCreateTextureObject(&texture, &resource, &desc, NULL)));
  printf("observed: surface without cudaArraySurfaceLoadStore: %s\n",
         name_of(cudaCreateSurfaceObject(&texture, &resource)));
  conform_succeed(cudaFreeArray(integers));
}

int main(void) {
  struct cudaChannelFormatDesc channel = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  conform_succeed(cudaMallocArray(&array, &channel, 16, 8, cudaArraySurfaceLoadStore));
  layouts();
  a_texture_says_what_it_was_made_with();
  a_view_of_the_whole_is_told();
  a_surface_says_what_it_was_made_with();
  outputs_may_not_be_null();
  anisotropy_is_told_back();
  rows_of_memory_lie_at_the_alignment();
  linear_memory_has_a_largest_width();
  observe();
  conform_succeed(cudaFreeArray(array));
  return conform_done("conform_texture");
}
