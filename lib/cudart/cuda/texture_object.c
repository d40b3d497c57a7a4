/* SPDX-License-Identifier: MIT */
/*
 * texture_object - CUDA's calls on texture objects, and what of an object kernels in OpenCL get.
 *
 * The program's own kernels in OpenCL get an image and a sampler, made when they are first asked for: an array's own
 * (array.h), or one over memory, for linear memory an image1d_buffer, for pitched memory a 2D image, where the device
 * has these. Where it has not, or where OpenCL has no such sampler, that is refused then.
 *
 * An object is texture.c's vptr__cuda_texture, of which only `image` and `sampler` change while it lives: the sampler,
 * and an image over memory, under the static `making` of this file, of rank LEAF; an array's image under the static
 * `lock` of array.c, of rank ARRAY. To give an object to a kernel in OpenCL, and to end one that was, waits for the
 * device where an array changes its form. Called by programs, by driver/object.c, and by cuda/surface.c, which refuses
 * as textures do.
 */
#include <vptr/cuda/vptr_texture.h>

#include "base/error.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/sampler.h"
#include "cuda/texture.h"

#include <string.h>

typedef vptr__cuda_texture texture;

static vptr__lock making = VPTR__LOCK_INIT(VPTR__RANK_LEAF);

static bool reads_floats(const texture *made) {
  return made->desc.readMode == cudaReadModeNormalizedFloat;
}

/* ---- for OpenCL's kernels ------------------------------------------------------------------------------- */

cudaError_t vptr__cuda_refuse_own_kernel(const char *what, const vptr__device *device) {
  if (device->proxy == NULL)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_UNSUPPORTED,
              "%s: what is on %s can go to another device, and kernels of the program's own cannot: run without "
              "VPTR_MIGRATE",
              what, device->name);
  return cudaErrorNotSupported;
}

/* Of two threads that both make one the first's stays. */
static cudaError_t have_image_over_memory(texture *made) {
  vptr_mapper *mapper = made->object.mapper;
  vptr__lock_take(&making);
  vptr__image image = made->image;
  vptr__lock_give(&making);
  if (image.memory != NULL)
    return cudaSuccess;
  vptr_status status = vptr__image_make_over(mapper, &image);
  if (status != VPTR_SUCCESS)
    return vptr__cuda_from_status(status);
  vptr__lock_take(&making);
  bool is_first = made->image.memory == NULL;
  if (is_first)
    made->image.memory = image.memory;
  vptr__lock_give(&making);
  if (!is_first)
    vptr__image_release(mapper, &image);
  return cudaSuccess;
}

static cudaError_t have_sampler(texture *made) {
  vptr_mapper *mapper = made->object.mapper;
  vptr__sampler how;
  cl_sampler sampler;
  vptr__lock_take(&making);
  bool is_there = made->sampler != NULL;
  vptr__lock_give(&making);
  cudaError_t error =
      is_there ? cudaSuccess : vptr__cuda_sampler_of(&made->desc, vptr__cuda_texture_dimensions(&made->image), &how);
  if (error == cudaSuccess && !is_there)
    error = vptr__cuda_from_status(vptr__image_sampler_make(mapper, &how, &sampler));
  if (error != cudaSuccess || is_there)
    return error;
  vptr__lock_take(&making);
  bool is_first = made->sampler == NULL;
  if (is_first)
    made->sampler = sampler;
  vptr__lock_give(&making);
  if (!is_first)
    vptr__image_sampler_release(mapper, sampler);
  return cudaSuccess;
}

static cudaError_t have_image(texture *made) {
  return made->array != NULL ? vptr__cuda_array_view(made->array, reads_floats(made), &made->image)
                             : have_image_over_memory(made);
}

/* ---- making --------------------------------------------------------------------------------------------- */

static cudaError_t create_texture(cudaTextureObject_t *handle_out, const struct cudaResourceDesc *resource,
                                  const struct cudaTextureDesc *desc, const struct cudaResourceViewDesc *view) {
  static const char call[] = "cudaCreateTextureObject";
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if (handle_out == NULL || resource == NULL)
    return vptr__cuda_null_output(call, "pTexObject or pResDesc");
  if (desc == NULL) {
    vptr__error(VPTR_ERROR_NULL_POINTER, "%s: pTexDesc is NULL", call);
    return cudaErrorInvalidResourceHandle; /* CUDA's answer */
  }
  vptr_mapper *mapper;
  uint64_t handle;
  error = vptr__cuda_current_mapper(&mapper);
  if (error == cudaSuccess)
    error = vptr__cuda_texture_make(mapper, call, resource, desc, view, 0, &handle, NULL);
  if (error == cudaSuccess)
    *handle_out = handle;
  return error;
}

/* ---- questions ------------------------------------------------------------------------------------------ */

static cudaError_t find_texture(const char *what, cudaTextureObject_t handle, texture **texture_out) {
  cudaError_t error = vptr__cuda_device_exists();
  return error == cudaSuccess ? vptr__cuda_texture_get(what, handle, texture_out) : error;
}

/* 0 is nothing to do, as in CUDA. */
static cudaError_t end_texture(cudaTextureObject_t handle) {
  texture *found;
  if (handle == 0)
    return vptr__cuda_device_exists();
  cudaError_t error = find_texture("cudaDestroyTextureObject", handle, &found);
  if (error != cudaSuccess)
    return error;
  vptr__cuda_texture_end(handle);
  vptr__cuda_object_release(&found->object);
  return cudaSuccess;
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
  error = vptr__cuda_refuse_own_kernel(what, device);
  bool linear = found->resource.resType == cudaResourceTypeLinear;
  if (error == cudaSuccess && linear && sampler_index != VPTR_CUDA_NO_SAMPLER)
    error = vptr__cuda_from_status(vptr__error(
        VPTR_ERROR_INVALID_ARGUMENT, "%s: linear memory is read without a sampler; give VPTR_CUDA_NO_SAMPLER", what));
  if (error == cudaSuccess && found->mipmap != NULL) {
    vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: an OpenCL image has one level; make a texture of one", what);
    error = cudaErrorNotSupported;
  }
  if (error == cudaSuccess && found->array != NULL && !found->seen.is_whole) {
    vptr__error(VPTR_ERROR_UNSUPPORTED,
                "%s: an OpenCL image has one format and all layers; leave out the view of the texture", what);
    error = cudaErrorNotSupported;
  }
  if (error == cudaSuccess && sampler_index != VPTR_CUDA_NO_SAMPLER)
    error = have_sampler(found);
  if (error == cudaSuccess)
    error = have_image(found);
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(device->ops->kernel.arg_buffer(device, kernel, image_index, found->image.memory));
  if (error == cudaSuccess && sampler_index != VPTR_CUDA_NO_SAMPLER)
    error = vptr__cuda_from_status(
        device->ops->kernel.arg_value(device, kernel, sampler_index, &found->sampler, sizeof found->sampler));
  vptr__cuda_object_release(&found->object);
  return error;
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
                                            offsetof(texture, resource), VPTR__CUDA_RESOURCE_BYTES, pResDesc));
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *pTexDesc, cudaTextureObject_t texObject) {
  return vptr__cuda_record(describe_texture("cudaGetTextureObjectTextureDesc", texObject, offsetof(texture, desc),
                                            sizeof *pTexDesc, pTexDesc));
}

cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *pResViewDesc,
                                                 cudaTextureObject_t texObject) {
  return vptr__cuda_record(describe_texture("cudaGetTextureObjectResourceViewDesc", texObject,
                                            offsetof(texture, view), VPTR__CUDA_VIEW_BYTES, pResViewDesc));
}

cudaError_t vptr_cuda_set_texture_arg(cl_kernel kernel, cl_uint image_index, cl_uint sampler_index,
                                      cudaTextureObject_t texture) {
  return vptr__cuda_record(set_arg(kernel, image_index, sampler_index, texture));
}
