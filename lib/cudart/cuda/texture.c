/* SPDX-License-Identifier: MIT */
/*
 * texture - texture objects: where elements lie, how they are read, and the words they were made with.
 *
 * CUDA's kernels read an array's memory, or the program's, which they find by the object's entry in the mapper's
 * table (mapper/texel_table.h). The program's own kernels in OpenCL get an image and a sampler, made when they are
 * first asked for: an array's own (array.h), or one over memory, for linear memory an image1d_buffer, for pitched
 * memory a 2D image, where the device has these. Where it has not, or where OpenCL has no such sampler, that is
 * refused then.
 *
 * An object holds its array or its memory, so that both may be freed before it. cudaResourceDesc and
 * cudaResourceViewDesc are longer in CUDA 13 than they were; what was added is neither read nor written, and so one
 * symbol serves the objects of both.
 *
 * Of an object only the image and the sampler change while it lives: those over memory under the static `making`, of
 * rank LEAF, an array's under its lock, the static `lock` of array.c, of rank ARRAY. The table of handles is the static
 * `textures` (handle.h), with a lock of rank LEAF. To give an object to a kernel in OpenCL, and to end one that was,
 * waits for the device where an array changes its form. Called by programs, and by reset.c, which ends all of a
 * device's (array.h declares that).
 */
#include <vptr/cuda/vptr_texture.h>

#include "base/error.h"
#include "base/memory.h"
#include "cuda/array.h"
#include "cuda/channel.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/mipmap.h"
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
  vptr__cuda_object object;  /* first */
  uint64_t handle;           /* its own; 0: not yet */
  vptr__cuda_mipmap *mipmap; /* NULL: of one level */
  vptr__cuda_array *array;   /* NULL: over memory; of a mipmapped one the first level */
  vptr__image image;  /* its format is that of the reading, its buffer the memory; its memory NULL until it is made */
  cl_sampler sampler; /* NULL: not made yet, or linear memory, which is read without */
  struct cudaResourceDesc resource;
  struct cudaTextureDesc desc;
  struct cudaResourceViewDesc view;
  bool has_view;
} texture;

static vptr__cuda_handles textures = VPTR__CUDA_HANDLES_INIT;

static vptr__lock making = VPTR__LOCK_INIT(VPTR__RANK_LEAF);

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
  vptr_mapper *mapper = made->object.mapper;
  if (made->handle != 0)
    vptr__texel_table_drop(mapper, made->handle, false);
  if (made->sampler != NULL)
    vptr__image_sampler_release(mapper, made->sampler);
  if (made->array != NULL) {
    vptr__cuda_array_unview(made->array, &made->image);
    vptr__cuda_array_release(made->array);
    if (made->mipmap != NULL)
      vptr__cuda_object_release(&made->mipmap->object);
    return;
  }
  if (made->image.memory != NULL)
    vptr__image_release(mapper, &made->image);
  if (made->image.buffer != NULL)
    vptr__image_let_go_of_memory(mapper, &made->image);
}

static bool reads_floats(const texture *made) {
  return made->desc.readMode == cudaReadModeNormalizedFloat;
}

static bool filters_across_seams(const texture *made) {
  return made->desc.seamlessCubemap != 0 && made->desc.filterMode == cudaFilterModeLinear &&
         (made->array->flags & cudaArrayCubemap) != 0;
}

/* The image itself is made when it is asked for. */
static cudaError_t take_array(texture *made, cudaArray_t array) {
  cudaError_t error = vptr__cuda_array_get(call, array, &made->array);
  if (error != cudaSuccess)
    return error;
  made->object.mapper = made->array->object.mapper;
  if (made->has_view)
    error = check_view(&made->view, made->array);
  if (error == cudaSuccess && filters_across_seams(made)) {
    vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: filters end at the edges of a cube's face: leave seamlessCubemap 0",
                call);
    error = cudaErrorNotSupported;
  }
  made->image.type = made->array->image.type;
  if (error == cudaSuccess)
    error = vptr__cuda_channel_format(call, &made->array->desc, reads_floats(made), &made->image.format,
                                      &made->image.element);
  return error;
}

static cudaError_t take_mipmap(texture *made) {
  cudaError_t error = vptr__cuda_mipmap_get(call, made->resource.res.mipmap.mipmap, &made->mipmap);
  if (error != cudaSuccess)
    return error;
  error = take_array(made, made->mipmap->levels[0]);
  if (made->array == NULL) { /* let_go() looks at the array first */
    vptr__cuda_object_release(&made->mipmap->object);
    made->mipmap = NULL;
  }
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
  cudaError_t error = describe_memory(resource, reads_floats(made), &made->image, &bytes);
  if (error != cudaSuccess)
    return error;
  vptr_mapper *owner = vptr__mapper_owning(ptr);
  if (owner == NULL)
    return refuse_texture("devPtr is no device memory");
  made->object.mapper = owner;
  return vptr__cuda_from_status(vptr__image_hold_memory(owner, call, ptr, bytes, &made->image));
}

static cudaError_t memory_texels(const texture *made, vptr__texel_entry *entry_out, bool *is_there_out) {
  const vptr__image *image = &made->image;
  bool linear = made->resource.resType == cudaResourceTypeLinear;
  const void *ptr = linear ? made->resource.res.linear.devPtr : made->resource.res.pitch2D.devPtr;
  vptr_mapper *mapper = made->object.mapper;
  uint64_t address = 0;
  vptr_status status = mapper->device->ops->memory.takes_addresses(mapper->device, is_there_out);
  if (status == VPTR_SUCCESS && *is_there_out)
    status = vptr__heap_device_address(mapper->heap, ptr, &address);
  if (status != VPTR_SUCCESS)
    return vptr__cuda_from_status(status);
  if (image->extent[0] > INT32_MAX || image->extent[1] > INT32_MAX || image->row > UINT32_MAX)
    return refuse_texture("a texture has less than 2^31 elements along an axis, and rows of less than 4 GiB");
  *entry_out = (vptr__texel_entry){ .address = address,
                                    .row = (uint32_t)image->row,
                                    .width = (uint32_t)image->extent[0],
                                    .height = (uint32_t)image->extent[1],
                                    .depth = 1,
                                    .element = (uint32_t)image->element };
  return cudaSuccess;
}

/* ---- for CUDA's kernels --------------------------------------------------------------------------------- */

static void enter_levels(const texture *made, vptr__texel_entry *entry) {
  entry->levels = made->mipmap->count;
  entry->bias = made->desc.mipmapLevelBias;
  entry->least = made->desc.minMipmapLevelClamp;
  entry->most = made->desc.maxMipmapLevelClamp;
  if ((made->array->flags & cudaArrayLayered) != 0)
    entry->how |= VPTR__TEXEL_LAYERED;
  if (made->desc.mipmapFilterMode == cudaFilterModeLinear)
    entry->how |= VPTR__TEXEL_BETWEEN_LEVELS;
}

/* From here on kernels find it, if there are any that may. */
static cudaError_t enter_texture(texture *made) {
  vptr__texel_entry entry = { .address = 0 };
  bool is_there = false;
  cudaError_t error = made->array != NULL ? vptr__cuda_array_texels(made->array, &entry, &is_there)
                                          : memory_texels(made, &entry, &is_there);
  if (error != cudaSuccess || !is_there)
    return error;
  entry.how = vptr__cuda_channel_how(&made->image.format) | vptr__cuda_sampler_how(&made->desc);
  if (made->desc.sRGB && made->image.format.image_channel_data_type == CL_UNORM_INT8)
    entry.how |= VPTR__TEXEL_SRGB;
  if (made->mipmap != NULL)
    enter_levels(made, &entry);
  memcpy(entry.border, made->desc.borderColor, sizeof entry.border);
  return vptr__cuda_from_status(vptr__texel_table_put(made->object.mapper, made->handle, false, &entry));
}

/* ---- for OpenCL's kernels ------------------------------------------------------------------------------- */

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
  cudaError_t error = is_there ? cudaSuccess : vptr__cuda_sampler_of(&made->desc, dimensions_of(&made->image), &how);
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

static void destroy_texture(vptr__cuda_object *object) {
  let_go((texture *)object);
  vptr__memory_free(object);
}

static cudaError_t take_resource(texture *made) {
  switch (made->resource.resType) {
  case cudaResourceTypeArray:
    return take_array(made, made->resource.res.array.array);
  case cudaResourceTypeLinear:
  case cudaResourceTypePitch2D:
    return take_memory(made);
  case cudaResourceTypeMipmappedArray:
    return take_mipmap(made);
  }
  return refuse_texture("resType is none of cudaResourceType*");
}

/* The object is the table's from the moment it has a handle. */
static cudaError_t set_up_texture(texture *made, cudaTextureObject_t *handle_out) {
  cudaError_t error = take_resource(made);
  if (error == cudaSuccess)
    error = vptr__cuda_sampler_check(&made->desc, dimensions_of(&made->image),
                                     vptr__cuda_channel_is_float(&made->image.format));
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(vptr__cuda_handle_add(&textures, &made->object, &made->handle));
  if (error != cudaSuccess) {
    destroy_texture(&made->object);
    return error;
  }
  uint64_t handle = made->handle;
  error = enter_texture(made);
  if (error == cudaSuccess)
    *handle_out = handle;
  else
    vptr__cuda_handle_end(&textures, handle);
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
  return set_up_texture(made, handle_out);
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
  bool linear = found->resource.resType == cudaResourceTypeLinear;
  if (linear && sampler_index != VPTR_CUDA_NO_SAMPLER)
    error = vptr__cuda_from_status(vptr__error(
        VPTR_ERROR_INVALID_ARGUMENT, "%s: linear memory is read without a sampler; give VPTR_CUDA_NO_SAMPLER", what));
  if (error == cudaSuccess && found->mipmap != NULL) {
    vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: an OpenCL image has one level; make a texture of one", what);
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
