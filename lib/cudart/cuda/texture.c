/* SPDX-License-Identifier: MIT */
/*
 * texture - texture objects: an image, a sampler, and the words they were made with.
 *
 * The image is an array's own, or made over memory: linear memory is an image1d_buffer, pitched memory a 2D image,
 * where the device has these. Where it has not, the call is refused: a copy would not see what kernels write to the
 * memory later.
 *
 * An object holds its array and its image, so that both may be freed before it. cudaResourceDesc and
 * cudaResourceViewDesc are longer in CUDA 13 than they were; what was added is neither read nor written, and so one
 * symbol serves the objects of both.
 *
 * Nothing in an object changes while it lives. The table is the static `textures` (handle.h), with a lock of rank LEAF;
 * to begin and to end an object over an array takes the array's lock too, the static `lock` of array.c, of rank ARRAY.
 * To begin one waits for the device where the array has to change its image. Called by programs, and by reset.c, which
 * ends all of a device's (array.h declares that).
 */
#include <vptr/cuda/vptr_texture.h>

#include "base/error.h"
#include "base/memory.h"
#include "cuda/array.h"
#include "cuda/channel.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/property.h"
#include "cuda/sampler.h"
#include "image/image.h"

#include <vptr/cuda/cuda_runtime_api.h>

#include <assert.h>
#include <string.h>

enum { RESOURCE_BYTES = 64, VIEW_BYTES = 48 }; /* of cudaResourceDesc and cudaResourceViewDesc in CUDA 11 and 12 */

static_assert(offsetof(struct cudaResourceDesc, res.pitch2D.pitchInBytes) + sizeof(size_t) == RESOURCE_BYTES,
              "all that is looked at lies in the part that every version has");
static_assert(offsetof(struct cudaResourceViewDesc, reserved) == VIEW_BYTES, "what CUDA 13 added comes last");

typedef struct texture {
  vptr__cuda_object object; /* first */
  vptr__cuda_array *array;  /* NULL: over memory */
  vptr__image image;        /* its memory is retained */
  cl_sampler sampler;       /* NULL: linear memory, which is read without */
  struct cudaResourceDesc resource;
  struct cudaTextureDesc desc;
  struct cudaResourceViewDesc view;
  bool has_view;
} texture;

static vptr__cuda_handles textures = VPTR__CUDA_HANDLES_INIT;

static const char call[] = "cudaCreateTextureObject";

static cudaError_t refuse_texture(const char *why) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s", call, why);
  return cudaErrorInvalidValue;
}

/* ---- over arrays ---------------------------------------------------------------------------------------- */

/* Coordinates that a sampler addresses. */
static int dimensions_of(const vptr__image *image) {
  switch (image->type) {
  case CL_MEM_OBJECT_IMAGE3D:
    return 3;
  case CL_MEM_OBJECT_IMAGE2D:
  case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    return 2;
  default:
    return 1;
  }
}

/* All zeros: the array as it is. */
static bool says_something(const struct cudaResourceViewDesc *view) {
  return view != NULL &&
         (view->format != cudaResViewFormatNone || view->width != 0 || view->height != 0 || view->depth != 0 ||
          view->firstMipmapLevel != 0 || view->lastMipmapLevel != 0 || view->firstLayer != 0 || view->lastLayer != 0);
}

/* A view that sees the array as it is changes nothing; OpenCL has no other. */
static cudaError_t check_view(const struct cudaResourceViewDesc *view, const vptr__cuda_array *array) {
  unsigned layers = (array->flags & cudaArrayLayered) != 0 ? (unsigned)array->extent.depth : 1;
  bool in_format = view->format == cudaResViewFormatNone || view->format == vptr__cuda_channel_view(&array->desc);
  bool same = in_format && view->width == array->extent.width && view->height == array->extent.height &&
              view->firstMipmapLevel == 0 && view->lastMipmapLevel == 0 && view->firstLayer == 0 &&
              (view->lastLayer == 0 || view->lastLayer == layers - 1) &&
              (view->depth == array->extent.depth || (layers > 1 && view->depth == 0));
  if (same)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_UNSUPPORTED,
              "%s: OpenCL sees an array in one way, the one it was made in; leave out the view", call);
  return cudaErrorNotSupported;
}

static void let_go(texture *made) {
  if (made->sampler != NULL)
    vptr__image_sampler_release(made->object.mapper, made->sampler);
  if (made->image.memory != NULL)
    vptr__image_release(made->object.mapper, &made->image);
  if (made->array != NULL && made->image.memory != NULL)
    vptr__cuda_array_unview(made->array);
  if (made->array != NULL)
    vptr__cuda_array_release(made->array);
}

static cudaError_t take_array(texture *made) {
  cudaError_t error = vptr__cuda_array_get(call, made->resource.res.array.array, &made->array);
  if (error != cudaSuccess)
    return error;
  made->object.mapper = made->array->object.mapper;
  if (made->has_view)
    error = check_view(&made->view, made->array);
  if (error == cudaSuccess)
    error = vptr__cuda_array_view(made->array, made->desc.readMode == cudaReadModeNormalizedFloat, &made->image);
  return error;
}

/* ---- over memory ---------------------------------------------------------------------------------------- */

/* What a description of memory asks for: how many bytes, and an image without its buffer. */
static cudaError_t describe_memory(const struct cudaResourceDesc *resource, bool normalized, vptr__image *image,
                                   size_t *bytes_out) {
  bool linear = resource->resType == cudaResourceTypeLinear;
  const struct cudaChannelFormatDesc *desc = linear ? &resource->res.linear.desc : &resource->res.pitch2D.desc;
  cudaError_t error = vptr__cuda_channel_format(call, desc, normalized, &image->format, &image->element);
  if (error != cudaSuccess)
    return error;
  size_t width = linear ? resource->res.linear.sizeInBytes / image->element : resource->res.pitch2D.width;
  size_t height = linear ? 1 : resource->res.pitch2D.height, pitch = linear ? 0 : resource->res.pitch2D.pitchInBytes;
  size_t row, bytes = 0;
  if (width == 0 || height == 0)
    return refuse_texture("the memory has no elements");
  if (__builtin_mul_overflow(width, image->element, &row) || (!linear && pitch < row))
    return refuse_texture("pitchInBytes is less than a row takes");
  if (__builtin_mul_overflow(height - 1, pitch, &bytes) || __builtin_add_overflow(bytes, row, &bytes))
    return refuse_texture("the memory is larger than there can be");
  image->type = linear ? CL_MEM_OBJECT_IMAGE1D_BUFFER : CL_MEM_OBJECT_IMAGE2D;
  image->extent[0] = width;
  image->extent[1] = height;
  image->extent[2] = 1;
  image->row = pitch;
  *bytes_out = bytes;
  return cudaSuccess;
}

static cudaError_t take_memory(texture *made) {
  const struct cudaResourceDesc *resource = &made->resource;
  const void *ptr =
      resource->resType == cudaResourceTypeLinear ? resource->res.linear.devPtr : resource->res.pitch2D.devPtr;
  size_t bytes = 0;
  if (made->has_view)
    return refuse_texture("a view is of an array, not of memory");
  cudaError_t error =
      describe_memory(resource, made->desc.readMode == cudaReadModeNormalizedFloat, &made->image, &bytes);
  if (error != cudaSuccess)
    return error;
  vptr_mapper *owner = vptr__mapper_owning(ptr);
  if (owner == NULL)
    return refuse_texture("devPtr is no device memory");
  made->object.mapper = owner;
  return vptr__cuda_from_status(vptr__image_make_over(owner, call, ptr, bytes, &made->image));
}

/* ---- making --------------------------------------------------------------------------------------------- */

static void destroy_texture(vptr__cuda_object *object) {
  let_go((texture *)object);
  vptr__memory_free(object);
}

static cudaError_t take_resource(texture *made) {
  switch (made->resource.resType) {
  case cudaResourceTypeArray:
    return take_array(made);
  case cudaResourceTypeLinear:
  case cudaResourceTypePitch2D:
    return take_memory(made);
  case cudaResourceTypeMipmappedArray:
    vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: there are no mipmapped arrays", call);
    return cudaErrorNotSupported;
  }
  return refuse_texture("resType is none of cudaResourceType*");
}

static cudaError_t take_sampler(texture *made) {
  vptr__sampler sampler;
  cudaError_t error = vptr__cuda_sampler_of(&made->desc, dimensions_of(&made->image),
                                            vptr__cuda_channel_is_float(&made->image.format), &sampler);
  if (error != cudaSuccess || made->resource.resType == cudaResourceTypeLinear)
    return error;
  return vptr__cuda_from_status(vptr__image_sampler_make(made->object.mapper, &sampler, &made->sampler));
}

static cudaError_t set_up_texture(texture *made, cudaTextureObject_t *handle_out) {
  uint64_t handle;
  cudaError_t error = take_resource(made);
  if (error == cudaSuccess)
    error = take_sampler(made);
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(vptr__cuda_handle_add(&textures, &made->object, &handle));
  if (error == cudaSuccess)
    *handle_out = handle;
  return error;
}

static cudaError_t create_texture(cudaTextureObject_t *handle_out, const struct cudaResourceDesc *resource,
                                  const struct cudaTextureDesc *desc, const struct cudaResourceViewDesc *view) {
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  if (error != cudaSuccess)
    return error;
  if (handle_out == NULL || resource == NULL)
    return refuse_texture("pTexObject or pResDesc is NULL");
  if (desc == NULL) {
    vptr__error(VPTR_ERROR_NULL_POINTER, "%s: pTexDesc is NULL", call);
    return cudaErrorInvalidResourceHandle; /* CUDA's answer */
  }
  texture *made = vptr__memory_calloc(1, sizeof *made);
  if (made == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(sizeof *made));
  made->object.destroy = destroy_texture;
  atomic_store(&made->object.references, 1);
  made->object.mapper = mapper;
  memcpy(&made->resource, resource, RESOURCE_BYTES);
  made->desc = *desc;
  made->has_view = says_something(view);
  if (made->has_view)
    memcpy(&made->view, view, VIEW_BYTES);
  error = set_up_texture(made, handle_out);
  if (error != cudaSuccess)
    destroy_texture(&made->object);
  return error;
}

/* ---- questions ------------------------------------------------------------------------------------------ */

static cudaError_t find_texture(const char *what, cudaTextureObject_t handle, texture **texture_out) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  vptr__cuda_object *object = vptr__cuda_handle_get(&textures, handle);
  if (object == NULL) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: 0x%llx is no texture object, or one that was destroyed", what,
                handle);
    return cudaErrorInvalidValue;
  }
  *texture_out = (texture *)object;
  return cudaSuccess;
}

static cudaError_t end_texture(cudaTextureObject_t handle) {
  texture *found;
  cudaError_t error = find_texture("cudaDestroyTextureObject", handle, &found);
  if (error != cudaSuccess)
    return error;
  vptr__cuda_handle_end(&textures, handle);
  vptr__cuda_object_release(&found->object);
  return cudaSuccess;
}

void vptr__cuda_textures_end_all(const vptr_mapper *mapper) {
  vptr__cuda_handle_end_all(&textures, mapper);
}

/* Hands out one of the descriptions. */
static cudaError_t describe_texture(const char *what, cudaTextureObject_t handle, size_t offset, size_t bytes,
                                    void *out) {
  texture *found;
  if (out == NULL)
    return vptr__cuda_null_output(what, "the description");
  cudaError_t error = find_texture(what, handle, &found);
  if (error != cudaSuccess)
    return error;
  memcpy(out, (const char *)found + offset, bytes); /* a texture without a view has one of zeros */
  vptr__cuda_object_release(&found->object);
  return cudaSuccess;
}

static cudaError_t set_arg(cl_kernel kernel, cl_uint image_index, cl_uint sampler_index, cudaTextureObject_t handle) {
  static const char what[] = "vptr_cuda_set_texture_arg";
  texture *found;
  cudaError_t error = find_texture(what, handle, &found);
  if (error != cudaSuccess)
    return error;
  vptr__device *device = found->object.mapper->device;
  vptr_status status = VPTR_SUCCESS;
  if (found->sampler == NULL && sampler_index != VPTR_CUDA_NO_SAMPLER)
    status = vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                         "%s: linear memory is read without a sampler; give VPTR_CUDA_NO_SAMPLER", what);
  if (status == VPTR_SUCCESS)
    status = device->ops->kernel.arg_buffer(device, kernel, image_index, found->image.memory);
  if (status == VPTR_SUCCESS && sampler_index != VPTR_CUDA_NO_SAMPLER)
    status = device->ops->kernel.arg_value(device, kernel, sampler_index, &found->sampler, sizeof found->sampler);
  vptr__cuda_object_release(&found->object);
  return vptr__cuda_from_status(status);
}

static cudaError_t get_linear_width(size_t *width_out, const struct cudaChannelFormatDesc *desc, int device) {
  static const char what[] = "cudaDeviceGetTexture1DLinearMaxWidth";
  vptr__cuda_subject subject;
  struct cudaDeviceProp prop;
  cl_image_format format;
  size_t element;
  cudaError_t error = vptr__cuda_subject_of(what, device, &subject);
  if (error != cudaSuccess)
    return error;
  if (width_out == NULL)
    return vptr__cuda_null_output(what, "maxWidthInElements");
  if (desc == NULL) {
    vptr__error(VPTR_ERROR_NULL_POINTER, "%s: fmtDesc is NULL, and says what the elements are", what);
    return cudaErrorInvalidValue;
  }
  error = vptr__cuda_channel_format(what, desc, false, &format, &element);
  if (error == cudaSuccess)
    error = vptr__cuda_get_properties(&prop, device);
  if (error != cudaSuccess)
    return error;
  size_t most = (size_t)prop.maxTexture1DLinear, room = prop.totalGlobalMem / element;
  *width_out = most < room ? most : room;
  return cudaSuccess;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *pTexObject, const struct cudaResourceDesc *pResDesc,
                                    const struct cudaTextureDesc *pTexDesc,
                                    const struct cudaResourceViewDesc *pResViewDesc) {
  return vptr__cuda_record(create_texture(pTexObject, pResDesc, pTexDesc, pResViewDesc));
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject) {
  return vptr__cuda_record(end_texture(texObject));
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *pResDesc, cudaTextureObject_t texObject) {
  return vptr__cuda_record(describe_texture("cudaGetTextureObjectResourceDesc", texObject,
                                            offsetof(texture, resource), RESOURCE_BYTES, pResDesc));
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *pTexDesc, cudaTextureObject_t texObject) {
  return vptr__cuda_record(describe_texture("cudaGetTextureObjectTextureDesc", texObject, offsetof(texture, desc),
                                            sizeof *pTexDesc, pTexDesc));
}

cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *pResViewDesc,
                                                 cudaTextureObject_t texObject) {
  return vptr__cuda_record(describe_texture("cudaGetTextureObjectResourceViewDesc", texObject,
                                            offsetof(texture, view), VIEW_BYTES, pResViewDesc));
}

cudaError_t vptr_cuda_set_texture_arg(cl_kernel kernel, cl_uint image_index, cl_uint sampler_index,
                                      cudaTextureObject_t texture) {
  return vptr__cuda_record(set_arg(kernel, image_index, sampler_index, texture));
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements,
                                                 const struct cudaChannelFormatDesc *fmtDesc, int device) {
  return vptr__cuda_record(get_linear_width(maxWidthInElements, fmtDesc, device));
}
