/* SPDX-License-Identifier: MIT */
/*
 * texture - textures: where elements lie, how they are read, and the descriptions they were made with (texture.h).
 *
 * CUDA's kernels read an array's memory, or the program's, which they find by the texture's entry in the mapper's
 * table (mapper/texel_table.h). Of an object for the program's own kernels in OpenCL texture_object.c makes an image.
 *
 * A texture is counted (handle.h), and freed with its last reference. It holds its array or its memory, so that both
 * may be freed before it. cudaResourceDesc and cudaResourceViewDesc are longer in CUDA 13 than they were; what was
 * added is neither read nor written, and so one symbol serves the objects of both.
 *
 * The table of handles is the static `textures` (handle.h), with a lock of rank LEAF. How a reference's texture is read
 * (`desc`), and whether kernels find it (`handle`), change under the static `binding` of reference.c, of rank
 * REFERENCE; the mapper's table has a lock of rank MAPPING. To end one that was given to a kernel in OpenCL waits for
 * the device where an array changes its form. Called by texture_object.c, by reference.c, by array_saved.c, for
 * checkpoints, and by reset.c, which ends all objects of a device's (array.h declares that).
 */
#include "cuda/texture.h"

#include "base/error.h"
#include "base/memory.h"
#include "cuda/channel.h"
#include "cuda/error.h"
#include "cuda/sampler.h"

#include <assert.h>
#include <string.h>

static_assert(offsetof(struct cudaResourceDesc, res.pitch2D.pitchInBytes) + sizeof(size_t) ==
                  VPTR__CUDA_RESOURCE_BYTES,
              "all that is looked at lies in the part that every version has");
static_assert(offsetof(struct cudaResourceViewDesc, reserved) == VPTR__CUDA_VIEW_BYTES,
              "what CUDA 13 added comes last");

typedef vptr__cuda_texture texture;

static vptr__cuda_handles textures = VPTR__CUDA_HANDLES_INIT;

static cudaError_t refuse_texture(const char *call, const char *why) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s", call, why);
  return cudaErrorInvalidValue;
}

/* ---- over arrays ---------------------------------------------------------------------------------------- */

/* Coordinates that a sampler addresses. */
int vptr__cuda_texture_dimensions(const vptr__image *image) {
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

static void let_go(texture *made) {
  vptr_mapper *mapper = made->object.mapper;
  if (made->handle != 0 && made->is_of_reference)
    vptr__texel_table_revoke(mapper, made->handle, false);
  else if (made->handle != 0)
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

static cudaError_t check_seams(const char *call, const struct cudaTextureDesc *desc, const vptr__cuda_array *array) {
  if (desc->seamlessCubemap == 0 || desc->filterMode != cudaFilterModeLinear || array == NULL ||
      (array->flags & cudaArrayCubemap) == 0)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_UNSUPPORTED,
              "%s: linear filters end at the edges of a cube's face: leave seamlessCubemap 0, or "
              "CU_TRSF_SEAMLESS_CUBEMAP out",
              call);
  return cudaErrorNotSupported;
}

/* The image itself is made when it is asked for. */
static cudaError_t take_array(texture *made, cudaArray_t array, uint32_t levels) {
  cudaError_t error = vptr__cuda_array_get(made->call, array, &made->array);
  if (error != cudaSuccess)
    return error;
  made->object.mapper = made->array->object.mapper;
  made->seen = (vptr__cuda_view){ .levels = levels, .is_whole = true };
  error = check_seams(made->call, &made->desc, made->array);
  made->image.type = made->array->image.type;
  if (error == cudaSuccess)
    error = vptr__cuda_channel_format(made->call, &made->array->desc, reads_floats(made), &made->image.format,
                                      &made->image.element);
  if (error == cudaSuccess && made->has_view)
    error = vptr__cuda_view_look(made->call, &made->view, made->array, levels, reads_floats(made),
                                 &made->image.format, &made->seen);
  return error;
}

/* The first level that is seen, which its mipmapped array keeps. */
static cudaError_t go_to_level(texture *made) {
  vptr__cuda_array *first;
  if (made->seen.first_level == 0)
    return cudaSuccess;
  cudaError_t error = vptr__cuda_array_get(made->call, made->mipmap->levels[made->seen.first_level], &first);
  if (error != cudaSuccess)
    return error;
  vptr__cuda_array_release(made->array);
  made->array = first;
  return cudaSuccess;
}

static cudaError_t take_mipmap(texture *made) {
  cudaError_t error = vptr__cuda_mipmap_get(made->call, made->resource.res.mipmap.mipmap, &made->mipmap);
  if (error != cudaSuccess)
    return error;
  error = take_array(made, made->mipmap->levels[0], made->mipmap->count);
  if (error == cudaSuccess)
    error = go_to_level(made);
  if (made->array == NULL) { /* let_go() looks at the array first */
    vptr__cuda_object_release(&made->mipmap->object);
    made->mipmap = NULL;
  }
  return error;
}

/* ---- over memory ---------------------------------------------------------------------------------------- */

/* What a description of memory asks for: how many bytes, and an image without its buffer. */
static cudaError_t describe_memory(const char *call, const struct cudaResourceDesc *resource, bool normalized,
                                   vptr__image *image, size_t *bytes_out) {
  bool linear = resource->resType == cudaResourceTypeLinear;
  const struct cudaChannelFormatDesc *desc = linear ? &resource->res.linear.desc : &resource->res.pitch2D.desc;
  cudaError_t error = vptr__cuda_channel_format(call, desc, normalized, &image->format, &image->element);
  if (error != cudaSuccess)
    return error;
  size_t width = linear ? resource->res.linear.sizeInBytes / image->element : resource->res.pitch2D.width;
  size_t height = linear ? 1 : resource->res.pitch2D.height, pitch = linear ? 0 : resource->res.pitch2D.pitchInBytes;
  size_t row, bytes = 0;
  if (width == 0 || height == 0)
    return refuse_texture(call, "the memory has no elements");
  if (__builtin_mul_overflow(width, image->element, &row) || (!linear && pitch < row))
    return refuse_texture(call, "pitchInBytes is less than a row takes");
  if (__builtin_mul_overflow(height - 1, pitch, &bytes) || __builtin_add_overflow(bytes, row, &bytes))
    return refuse_texture(call, "the memory is larger than there can be");
  image->type = linear ? CL_MEM_OBJECT_IMAGE1D_BUFFER : CL_MEM_OBJECT_IMAGE2D;
  image->extent[0] = width;
  image->extent[1] = height;
  image->extent[2] = 1;
  image->row = pitch;
  *bytes_out = bytes;
  return cudaSuccess;
}

/* Of an object, as CUDA has it, and as cudaMallocPitch() gives it. A single row has no next one. */
static cudaError_t check_alignment(const texture *made, int device) {
  const vptr__image *image = &made->image;
  int alignment = 1;
  cudaError_t error = image->extent[1] > 1 && !made->is_of_reference
                          ? cudaDeviceGetAttribute(&alignment, cudaDevAttrTexturePitchAlignment, device)
                          : cudaSuccess;
  if (error != cudaSuccess || alignment <= 1 || image->row % (size_t)alignment == 0)
    return error;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
              "%s: a pitch of %zu bytes; it must be a multiple of %d (cudaDevAttrTexturePitchAlignment), as that of "
              "cudaMallocPitch() is",
              made->call, image->row, alignment);
  return cudaErrorInvalidValue;
}

static cudaError_t take_memory(texture *made) {
  const struct cudaResourceDesc *resource = &made->resource;
  const void *ptr =
      resource->resType == cudaResourceTypeLinear ? resource->res.linear.devPtr : resource->res.pitch2D.devPtr;
  size_t bytes = 0;
  if (made->has_view)
    return refuse_texture(made->call, "a view is of an array, not of memory");
  cudaError_t error = describe_memory(made->call, resource, reads_floats(made), &made->image, &bytes);
  if (error != cudaSuccess)
    return error;
  vptr_mapper *owner = vptr__mapper_owning(ptr);
  if (owner == NULL)
    return refuse_texture(made->call, "devPtr is no device memory");
  error = check_alignment(made, owner->device->ordinal);
  if (error != cudaSuccess)
    return error;
  made->object.mapper = owner;
  vptr_status status = made->is_of_reference ? vptr__image_keep_memory(owner, made->call, ptr, bytes, &made->image)
                                             : vptr__image_hold_memory(owner, made->call, ptr, bytes, &made->image);
  return vptr__cuda_from_status(status);
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
    return refuse_texture(made->call,
                          "a texture has less than 2^31 elements along an axis, and rows of less than 4 GiB");
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
  entry->levels = made->seen.levels;
  entry->bias = made->desc.mipmapLevelBias;
  entry->least = made->desc.minMipmapLevelClamp;
  entry->most = made->desc.maxMipmapLevelClamp;
  if ((made->array->flags & cudaArrayLayered) != 0)
    entry->how |= VPTR__TEXEL_LAYERED;
  if (made->desc.mipmapFilterMode == cudaFilterModeLinear)
    entry->how |= VPTR__TEXEL_BETWEEN_LEVELS;
}

static cudaError_t enter_held_texture(texture *made) {
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
  if (made->array != NULL && made->seen.layers > 0) {
    entry.address += made->seen.first_layer * entry.slice;
    entry.depth = made->seen.layers;
  }
  memcpy(entry.border, made->desc.borderColor, sizeof entry.border);
  return vptr__cuda_from_status(vptr__texel_table_put(made->object.mapper, made->handle, false, &entry));
}

/* From here on kernels find it, if there are any that may. The address is of one device. */
static cudaError_t enter_texture(texture *made) {
  const vptr__device *device = made->object.mapper->device;
  vptr__device_hold(device);
  cudaError_t error = enter_held_texture(made);
  vptr__device_let_go(device);
  return error;
}

/* ---- making --------------------------------------------------------------------------------------------- */

static void destroy_texture(vptr__cuda_object *object) {
  let_go((texture *)object);
  vptr__memory_free(object);
}

static cudaError_t take_resource(texture *made) {
  switch (made->resource.resType) {
  case cudaResourceTypeArray:
    return take_array(made, made->resource.res.array.array, 1);
  case cudaResourceTypeLinear:
  case cudaResourceTypePitch2D:
    return take_memory(made);
  case cudaResourceTypeMipmappedArray:
    return take_mipmap(made);
  }
  return refuse_texture(made->call, "resType is none of cudaResourceType*");
}

/* What it is of, and whether that can be read so. */
static cudaError_t set_up_texture(texture *made) {
  cudaError_t error = take_resource(made);
  if (error == cudaSuccess)
    error = vptr__cuda_sampler_check(made->call, &made->desc, vptr__cuda_texture_dimensions(&made->image),
                                     vptr__cuda_channel_is_float(&made->image.format));
  return error;
}

/* Under this handle; 0: under one of its own. */
static vptr_status add_texture(texture *made, uint64_t wish) {
  if (wish == 0)
    return vptr__cuda_handle_add(&textures, &made->object, &made->handle);
  const vptr_status status = vptr__cuda_handle_add_at(&textures, &made->object, wish);
  made->handle = status == VPTR_SUCCESS ? wish : 0;
  return status;
}

/* Once it has a handle of its own, it is the table's. */
static cudaError_t enter_as_object(texture *made, uint64_t wish, uint64_t *handle_out) {
  cudaError_t error = vptr__cuda_from_status(add_texture(made, wish));
  if (error != cudaSuccess) {
    vptr__cuda_object_release(&made->object);
    return error;
  }
  *handle_out = made->handle;
  error = enter_texture(made);
  if (error != cudaSuccess)
    vptr__cuda_handle_end(&textures, *handle_out);
  return error;
}

/* What its handle has until then stays there if this fails. */
static cudaError_t enter_for_reference(texture *made, uint64_t reference) {
  made->handle = reference;
  cudaError_t error = enter_texture(made);
  if (error == cudaSuccess)
    return error;
  made->handle = 0;
  vptr__cuda_object_release(&made->object);
  return error;
}

static void fill_texture(texture *made, const struct cudaResourceDesc *resource, const struct cudaTextureDesc *desc,
                         const struct cudaResourceViewDesc *view) {
  made->object.destroy = destroy_texture;
  atomic_store(&made->object.references, 1);
  memcpy(&made->resource, resource, VPTR__CUDA_RESOURCE_BYTES);
  made->desc = *desc;
  made->has_view = says_something(view);
  if (made->has_view)
    memcpy(&made->view, view, VPTR__CUDA_VIEW_BYTES);
}

static cudaError_t make_texture(vptr_mapper *mapper, const char *call, const struct cudaResourceDesc *resource,
                                const struct cudaTextureDesc *desc, const struct cudaResourceViewDesc *view,
                                bool is_of_reference, texture **made_out) {
  texture *made = vptr__memory_calloc(1, sizeof *made);
  if (made == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(sizeof *made));
  made->call = call;
  made->object.mapper = mapper;
  made->is_of_reference = is_of_reference;
  fill_texture(made, resource, desc, view);
  cudaError_t error = set_up_texture(made);
  if (error != cudaSuccess)
    destroy_texture(&made->object);
  else
    *made_out = made;
  return error;
}

cudaError_t vptr__cuda_texture_make(vptr_mapper *mapper, const char *call, const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *desc, const struct cudaResourceViewDesc *view,
                                    uint64_t reference, uint64_t *handle_out, vptr__cuda_texture **made_out) {
  texture *made = NULL;
  cudaError_t error = make_texture(mapper, call, resource, desc, view, reference != 0, &made);
  if (error != cudaSuccess)
    return error;
  if (reference == 0)
    return enter_as_object(made, 0, handle_out);
  error = enter_for_reference(made, reference);
  if (error == cudaSuccess)
    *made_out = made;
  return error;
}

cudaError_t vptr__cuda_texture_again(vptr_mapper *mapper, const struct cudaResourceDesc *resource,
                                     const struct cudaTextureDesc *desc, const struct cudaResourceViewDesc *view,
                                     uint64_t handle) {
  texture *made = NULL;
  uint64_t same;
  cudaError_t error = make_texture(mapper, "vptr_restore", resource, desc, view, false, &made);
  return error == cudaSuccess ? enter_as_object(made, handle, &same) : error;
}

cudaError_t vptr__cuda_texture_change(vptr__cuda_texture *made, const struct cudaTextureDesc *desc) {
  const struct cudaTextureDesc before = made->desc;
  cudaError_t error = vptr__cuda_sampler_check(made->call, desc, vptr__cuda_texture_dimensions(&made->image),
                                               vptr__cuda_channel_is_float(&made->image.format));
  if (error == cudaSuccess)
    error = check_seams(made->call, desc, made->array);
  if (error != cudaSuccess)
    return error;
  made->desc = *desc;
  error = enter_texture(made);
  if (error != cudaSuccess)
    made->desc = before;
  return error;
}

/* ---- handles -------------------------------------------------------------------------------------------- */

cudaError_t vptr__cuda_texture_get(const char *what, cudaTextureObject_t handle, vptr__cuda_texture **texture_out) {
  vptr__cuda_object *object = vptr__cuda_handle_get(&textures, handle);
  if (object != NULL && object->destroy == destroy_texture) {
    *texture_out = (texture *)object;
    return cudaSuccess;
  }
  vptr__cuda_object_release(object);
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: 0x%llx is no texture object, or one that was destroyed", what,
              handle);
  return cudaErrorInvalidValue;
}

/* A reference's place in the table is of no mapper. */
vptr__cuda_texture *vptr__cuda_texture_next(const vptr_mapper *mapper, uint32_t *index, uint64_t *handle_out) {
  return (texture *)vptr__cuda_handle_next(&textures, mapper, index, handle_out);
}

void vptr__cuda_texture_end(cudaTextureObject_t handle) {
  vptr__cuda_handle_end(&textures, handle);
}

void vptr__cuda_textures_end_all(const vptr_mapper *mapper) {
  vptr__cuda_handle_end_all(&textures, mapper);
}

vptr_status vptr__cuda_texture_reserve(vptr__cuda_object *object, uint64_t *handle_out) {
  return vptr__cuda_handle_add(&textures, object, handle_out);
}

void vptr__cuda_texture_give_up(uint64_t handle) {
  vptr__cuda_handle_end(&textures, handle);
}
