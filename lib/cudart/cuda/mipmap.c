/* SPDX-License-Identifier: MIT */
/*
 * mipmap - making and freeing mipmapped arrays (mipmap.h).
 *
 * The memory of all levels is that of an array of one row, which has no handle; each level, an array of array.c's,
 * holds it. A vptr__cuda_mipmap is counted (handle.h): its handle has a reference, and so has each texture over it; it
 * is freed with the last, and its levels' handles end then. The static table `mipmaps` finds it by handle, under that
 * table's `lock`, of rank LEAF. Called by programs; by driver/array.c, by driver/object.c and by
 * driver/reference_call.c, which gets a level; by cuda/texture.c, for textures over all levels; by cuda/lacking.c,
 * which looks at one; by cuda/array_saved.c, for checkpoints; and by reset.c, which ends all of a device's. To free
 * one waits for work of its device, as to free an array does.
 */
#include "cuda/mipmap.h"

#include "base/error.h"
#include "base/memory.h"
#include "cuda/channel.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/stream.h"
#include "graph/capture.h"

#include <string.h>

#include <vptr/cuda/cuda_runtime_api.h>

static vptr__cuda_handles mipmaps = VPTR__CUDA_HANDLES_INIT;

static const char call[] = "cudaMallocMipmappedArray";

cudaError_t vptr__cuda_mipmap_get(const char *what, cudaMipmappedArray_const_t handle,
                                  vptr__cuda_mipmap **mipmap_out) {
  vptr__cuda_object *object = vptr__cuda_handle_get(&mipmaps, (uint64_t)(uintptr_t)handle);
  if (object == NULL) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no mipmapped array, or one that was freed", what,
                (const void *)handle);
    return cudaErrorInvalidResourceHandle;
  }
  *mipmap_out = (vptr__cuda_mipmap *)object;
  return cudaSuccess;
}

/* ---- levels --------------------------------------------------------------------------------------------- */

static bool is_layered(unsigned flags) {
  return (flags & cudaArrayLayered) != 0;
}

static size_t halved(size_t extent) {
  return extent > 1 ? extent / 2 : extent;
}

static struct cudaExtent next_extent(struct cudaExtent extent, unsigned flags) {
  return (struct cudaExtent){ halved(extent.width), halved(extent.height),
                              is_layered(flags) ? extent.depth : halved(extent.depth) };
}

static unsigned most_levels(struct cudaExtent extent, unsigned flags) {
  unsigned count = 1;
  for (; extent.width > 1 || extent.height > 1 || (!is_layered(flags) && extent.depth > 1); count++)
    extent = next_extent(extent, flags);
  return count;
}

static size_t elements_of(const struct cudaExtent *extent) {
  return extent->width * (extent->height > 0 ? extent->height : 1) * (extent->depth > 0 ? extent->depth : 1);
}

/* Of all levels together. */
static size_t elements_of_all(struct cudaExtent extent, unsigned flags, unsigned count) {
  size_t elements = 0;
  for (unsigned i = 0; i < count; i++, extent = next_extent(extent, flags))
    elements += elements_of(&extent);
  return elements;
}

/* ---- making --------------------------------------------------------------------------------------------- */

static void destroy_mipmap(vptr__cuda_object *object) {
  vptr__cuda_mipmap *mipmap = (vptr__cuda_mipmap *)object;
  for (unsigned i = 0; i < mipmap->count; i++)
    vptr__cuda_array_end(mipmap->levels[i]);
  vptr__memory_free(mipmap);
}

static cudaError_t make_levels(vptr__cuda_mipmap *made, const struct cudaChannelFormatDesc *desc,
                               struct cudaExtent extent, unsigned count, unsigned flags) {
  vptr__cuda_array *whole;
  size_t element = (size_t)(desc->x + desc->y + desc->z + desc->w) / 8, offset = 0;
  cudaError_t error = vptr__cuda_array_of_memory(call, made->object.mapper, desc,
                                                 elements_of_all(extent, flags, count) * element, &whole);
  for (; error == cudaSuccess && made->count < count; extent = next_extent(extent, flags)) {
    error = vptr__cuda_array_level(call, whole, desc, &extent, flags, offset, &made->levels[made->count]);
    offset += elements_of(&extent) * element;
    made->count += error == cudaSuccess;
  }
  if (whole != NULL)
    vptr__cuda_array_release(whole);
  return error;
}

static vptr_status add_mipmap(vptr__cuda_mipmap *made, uint64_t *handle) {
  return *handle != 0 ? vptr__cuda_handle_add_at(&mipmaps, &made->object, *handle)
                      : vptr__cuda_handle_add(&mipmaps, &made->object, handle);
}

/* What is asked for beyond the last level, of one element, is left out, as in CUDA. like: whose handles the levels are
 * to have; NULL: handles of their own. */
static cudaError_t make_mipmap(vptr_mapper *mapper, uint64_t *handle, const struct cudaChannelFormatDesc *desc,
                               struct cudaExtent extent, unsigned levels, unsigned flags,
                               const vptr__cuda_mipmap *like) {
  unsigned most = most_levels(extent, flags);
  vptr__cuda_mipmap *made = vptr__memory_calloc(1, sizeof *made);
  if (made == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(sizeof *made));
  if (like != NULL)
    memcpy(made->levels, like->levels, sizeof made->levels);
  made->object.destroy = destroy_mipmap;
  made->object.mapper = mapper;
  atomic_store(&made->object.references, 1);
  levels = levels > 0 ? levels : 1;
  cudaError_t error = make_levels(made, desc, extent, levels < most ? levels : most, flags);
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(add_mipmap(made, handle));
  if (error != cudaSuccess)
    destroy_mipmap(&made->object);
  return error;
}

cudaError_t vptr__cuda_mipmap_again(vptr_mapper *mapper, const struct cudaChannelFormatDesc *desc,
                                    const struct cudaExtent *extent, unsigned flags, uint64_t handle,
                                    const vptr__cuda_mipmap *like) {
  return make_mipmap(mapper, &handle, desc, *extent, like->count, flags, like);
}

vptr__cuda_mipmap *vptr__cuda_mipmap_next(const vptr_mapper *mapper, uint32_t *index, uint64_t *handle_out) {
  return (vptr__cuda_mipmap *)vptr__cuda_handle_next(&mipmaps, mapper, index, handle_out);
}

/* Of the whole, as if it had one level. */
static cudaError_t check_mipmap(const vptr_mapper *mapper, const struct cudaChannelFormatDesc *desc,
                                const struct cudaExtent *extent, unsigned flags) {
  cl_mem_object_type type;
  cl_image_format format;
  size_t element;
  cudaError_t error = vptr__cuda_array_shape(call, mapper->device->ordinal, extent, flags, &type);
  if (error == cudaSuccess)
    error = vptr__cuda_channel_format(call, desc, false, &format, &element);
  if (error != cudaSuccess || (flags & cudaArrayCubemap) == 0)
    return error;
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: cubes have one level: use cudaMalloc3DArray()", call);
  return cudaErrorNotSupported;
}

static cudaError_t allocate_mipmap(cudaMipmappedArray_t *handle_out, const struct cudaChannelFormatDesc *desc,
                                   struct cudaExtent extent, unsigned levels, unsigned flags) {
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  if (error != cudaSuccess)
    return error;
  if (handle_out == NULL)
    return vptr__cuda_null_output(call, "mipmappedArray");
  if (desc == NULL) {
    vptr__error(VPTR_ERROR_NULL_POINTER, "%s: desc is NULL, and says what the elements are", call);
    return cudaErrorInvalidValue;
  }
  *handle_out = NULL;
  if (vptr__captures_any())
    error = vptr__capture_unsafe(call);
  if (error == cudaSuccess)
    error = check_mipmap(mapper, desc, &extent, flags);
  uint64_t handle = 0;
  if (error == cudaSuccess)
    error = make_mipmap(mapper, &handle, desc, extent, levels, flags, NULL);
  if (error == cudaSuccess)
    *handle_out = (cudaMipmappedArray_t)(uintptr_t)handle;
  return error;
}

/* ---- the rest ------------------------------------------------------------------------------------------- */

static cudaError_t get_level(cudaArray_t *array_out, cudaMipmappedArray_const_t handle, unsigned level) {
  static const char what[] = "cudaGetMipmappedArrayLevel";
  vptr__cuda_mipmap *mipmap;
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess && array_out == NULL)
    error = vptr__cuda_null_output(what, "levelArray");
  if (error == cudaSuccess)
    error = vptr__cuda_mipmap_get(what, handle, &mipmap);
  if (error != cudaSuccess)
    return error;
  if (level < mipmap->count) {
    *array_out = mipmap->levels[level];
  } else {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: level %u of %u", what, level, mipmap->count);
    error = cudaErrorInvalidValue;
  }
  vptr__cuda_object_release(&mipmap->object);
  return error;
}

static cudaError_t free_mipmap(cudaMipmappedArray_t handle) {
  vptr__cuda_mipmap *mipmap;
  cudaError_t error = vptr__cuda_permitted();
  if (error == cudaSuccess)
    error = vptr__cuda_device_exists();
  if (error != cudaSuccess || handle == NULL)
    return error;
  if (vptr__captures_any())
    error = vptr__capture_unsafe("cudaFreeMipmappedArray");
  if (error == cudaSuccess)
    error = vptr__cuda_mipmap_get("cudaFreeMipmappedArray", handle, &mipmap);
  if (error != cudaSuccess)
    return error;
  vptr__cuda_handle_end(&mipmaps, (uint64_t)(uintptr_t)handle);
  vptr__cuda_object_release(&mipmap->object);
  return cudaSuccess;
}

void vptr__cuda_mipmaps_end_all(const vptr_mapper *mapper) {
  vptr__cuda_handle_end_all(&mipmaps, mapper);
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmappedArray, const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent, unsigned int numLevels, unsigned int flags) {
  return vptr__cuda_record(allocate_mipmap(mipmappedArray, desc, extent, numLevels, flags));
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *levelArray, cudaMipmappedArray_const_t mipmappedArray,
                                       unsigned int level) {
  return vptr__cuda_record(get_level(levelArray, mipmappedArray, level));
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmappedArray) {
  return vptr__cuda_record(free_mipmap(mipmappedArray));
}
