/* SPDX-License-Identifier: MIT */
/*
 * array_saved - arrays, mipmapped arrays, texture objects and surface objects in checkpoints: under the handles that
 * they had, with the same content.
 *
 * An array's content is an item of the file, one element behind the other, whichever form the array has now. It lies
 * nowhere that the process could name, so each array gets a place among numbers that are no addresses, once for its
 * life, by which later checkpoints know it again. The levels of a mipmapped array are arrays like others, which come
 * with it. Textures and surfaces are descriptions, made again behind what they are of. What they need must have a
 * handle, or be live: an array or memory that was freed while an object reads it cannot be told.
 *
 * What is bound to texture and surface references is the program's to bind again.
 *
 * The static `next_place`, and the static `restoring`, the mapper for which objects are made now, are guarded by the
 * lock of checkpoint/kept.c, of rank CHECKPOINT, which all callers hold, as is vptr__cuda_array.place. Called by
 * array.c, which enters the subsystem's table, and through base/subsystem.h by checkpoint/checkpoint.c, restore.c
 * and taker.c. Copies wait until the bytes are there.
 */
#include "cuda/array_saved.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/saved.h"
#include "base/subsystem.h"
#include "cuda/array.h"
#include "cuda/surface.h"
#include "cuda/texture.h"

#include <stdio.h>
#include <string.h>

typedef unsigned long long ull;

enum { STEP = 1 << 20 /* places begin at multiples of it */ };

static uint64_t next_place = VPTR__SAVED_NOWHERE;
static vptr_mapper *restoring;

/* As the file has them, behind the names. */
typedef struct saved_array {
  uint64_t handle, extent[3];
  struct cudaChannelFormatDesc desc;
  uint32_t flags;
  uint32_t is_level; /* it comes with its mipmapped array */
  uint32_t unused;
} saved_array;

typedef struct saved_mipmap {
  uint64_t count, levels[VPTR__CUDA_MOST_LEVELS];
} saved_mipmap;

typedef struct saved_texture {
  unsigned char resource[VPTR__CUDA_RESOURCE_BYTES], view[VPTR__CUDA_VIEW_BYTES];
  struct cudaTextureDesc desc;
} saved_texture;

typedef struct saved_surface {
  uint64_t array;
} saved_surface;

/* The words have been said. */
static vptr_status status_of(cudaError_t error) {
  return error == cudaSuccess                 ? VPTR_SUCCESS
         : error == cudaErrorMemoryAllocation ? VPTR_ERROR_OUT_OF_DEVICE_MEMORY
         : error == cudaErrorNotSupported     ? VPTR_ERROR_UNSUPPORTED
                                              : VPTR_ERROR_INVALID_ARGUMENT;
}

/* ---- saving ---------------------------------------------------------------------------------------------- */

static size_t bytes_of(const vptr__cuda_array *array) {
  const size_t *extent = array->image.extent;
  return extent[0] * extent[1] * extent[2] * array->image.element;
}

static void pass_places(uint64_t end) {
  next_place = vptr__larger(next_place, vptr__align_up(end, STEP));
}

/* Whether it lies in the memory of a mipmapped array: it has none of its own. */
static bool is_level(const vptr__cuda_array *array) {
  return array->bytes == 0;
}

static vptr_status save_array(vptr__saved_list *list, vptr__cuda_array *array, uint64_t handle) {
  char name[96];
  const saved_array is = { .handle = handle,
                           .extent = { array->extent.width, array->extent.height, array->extent.depth },
                           .desc = array->desc,
                           .flags = array->flags,
                           .is_level = is_level(array) };
  if (array->place == 0) {
    array->place = next_place;
    pass_places(next_place + bytes_of(array));
  }
  const vptr__saved item = { .kind = VPTR__SAVED_ARRAY,
                             .address = array->place,
                             .size = bytes_of(array),
                             .serial = handle,
                             .bytes = bytes_of(array) };
  const size_t *extent = array->image.extent;
  snprintf(name, sizeof name, "%zu x %zu x %zu", extent[0], extent[1], extent[2]);
  return vptr__saved_add(list, &item, name, &is, sizeof is);
}

static vptr_status save_arrays(const vptr_mapper *mapper, vptr__saved_list *list) {
  vptr_status status = VPTR_SUCCESS;
  uint32_t index = 0;
  uint64_t handle;
  vptr__cuda_array *array;
  while (status == VPTR_SUCCESS && (array = vptr__cuda_array_next(mapper, &index, &handle)) != NULL) {
    status = save_array(list, array, handle);
    vptr__cuda_array_release(array);
  }
  return status;
}

static vptr_status save_mipmaps(const vptr_mapper *mapper, vptr__saved_list *list) {
  vptr_status status = VPTR_SUCCESS;
  uint32_t index = 0;
  uint64_t handle;
  vptr__cuda_mipmap *mipmap;
  while (status == VPTR_SUCCESS && (mipmap = vptr__cuda_mipmap_next(mapper, &index, &handle)) != NULL) {
    const vptr__saved item = { .kind = VPTR__SAVED_MIPMAP, .address = handle };
    saved_mipmap is = { .count = mipmap->count };
    for (unsigned i = 0; i < mipmap->count; i++)
      is.levels[i] = (uintptr_t)mipmap->levels[i];
    status = vptr__saved_add(list, &item, "", &is, sizeof is);
    vptr__cuda_object_release(&mipmap->object);
  }
  return status;
}

static bool has_item(const vptr__saved_list *list, uint32_t kind, uint64_t handle) {
  bool has = false;
  for (size_t i = 0; i < list->count && !has; i++)
    has = list->items[i].kind == kind &&
          (kind == VPTR__SAVED_ARRAY ? list->items[i].serial : list->items[i].address) == handle;
  return has;
}

/* Memory that is freed stays as long as a texture is over it, but has no address that could be told. */
static bool has_memory(vptr_mapper *mapper, const struct cudaResourceDesc *resource) {
  const bool is_linear = resource->resType == cudaResourceTypeLinear;
  const void *ptr = is_linear ? resource->res.linear.devPtr : resource->res.pitch2D.devPtr;
  vptr_location location;
  return vptr__mapper_locate(mapper, ptr, 1, &location) == VPTR_SUCCESS;
}

static bool has_resource(vptr_mapper *mapper, const vptr__saved_list *list, const struct cudaResourceDesc *resource) {
  if (resource->resType == cudaResourceTypeArray)
    return has_item(list, VPTR__SAVED_ARRAY, (uintptr_t)resource->res.array.array);
  if (resource->resType == cudaResourceTypeMipmappedArray)
    return has_item(list, VPTR__SAVED_MIPMAP, (uintptr_t)resource->res.mipmap.mipmap);
  return has_memory(mapper, resource);
}

static vptr_status refuse_object(const char *what, uint64_t handle) {
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "vptr_checkpoint: the %s object %#llx is over an array or memory that was freed, which has no "
                     "handle or address any more: destroy the object before",
                     what, (ull)handle);
}

static vptr_status save_texture(vptr_mapper *mapper, vptr__saved_list *list, const vptr__cuda_texture *texture,
                                uint64_t handle) {
  const vptr__saved item = { .kind = VPTR__SAVED_TEXTURE, .address = handle };
  saved_texture is = { .desc = texture->desc };
  if (!has_resource(mapper, list, &texture->resource))
    return refuse_object("texture", handle);
  memcpy(is.resource, &texture->resource, sizeof is.resource);
  memcpy(is.view, &texture->view, sizeof is.view);
  return vptr__saved_add(list, &item, "", &is, sizeof is);
}

static vptr_status save_textures(vptr_mapper *mapper, vptr__saved_list *list) {
  vptr_status status = VPTR_SUCCESS;
  uint32_t index = 0;
  uint64_t handle;
  vptr__cuda_texture *texture;
  while (status == VPTR_SUCCESS && (texture = vptr__cuda_texture_next(mapper, &index, &handle)) != NULL) {
    status = save_texture(mapper, list, texture, handle);
    vptr__cuda_object_release(&texture->object);
  }
  return status;
}

static vptr_status save_surfaces(const vptr_mapper *mapper, vptr__saved_list *list) {
  vptr_status status = VPTR_SUCCESS;
  uint32_t index = 0;
  uint64_t handle;
  cudaArray_t array;
  vptr__cuda_object *surface;
  while (status == VPTR_SUCCESS && (surface = vptr__cuda_surface_next(mapper, &index, &handle, &array)) != NULL) {
    const vptr__saved item = { .kind = VPTR__SAVED_SURFACE, .address = handle };
    const saved_surface is = { (uintptr_t)array };
    status = has_item(list, VPTR__SAVED_ARRAY, is.array) ? vptr__saved_add(list, &item, "", &is, sizeof is)
                                                         : refuse_object("surface", handle);
    vptr__cuda_object_release(surface);
  }
  return status;
}

static vptr_status save_all(vptr_mapper *mapper, vptr__saved_list *list) {
  vptr_status status = save_arrays(mapper, list);
  if (status == VPTR_SUCCESS)
    status = save_mipmaps(mapper, list);
  if (status == VPTR_SUCCESS)
    status = save_textures(mapper, list);
  return status == VPTR_SUCCESS ? save_surfaces(mapper, list) : status;
}

/* ---- content --------------------------------------------------------------------------------------------- */

/* With a reference; NULL: it was freed. */
static vptr__cuda_array *array_at(const vptr_mapper *mapper, uint64_t place) {
  uint32_t index = 0;
  uint64_t handle;
  vptr__cuda_array *array;
  while ((array = vptr__cuda_array_next(mapper, &index, &handle)) != NULL && array->place != place)
    vptr__cuda_array_release(array);
  return array;
}

static vptr_status copy_array(vptr_mapper *mapper, const vptr__saved *item, size_t offset, void *host, size_t size,
                              bool to_host) {
  vptr__cuda_array *array = array_at(mapper, item->address);
  if (array == NULL)
    return VPTR_ERROR_FREED;
  const vptr_status status = vptr__cuda_array_copy_content(array, offset, host, size, to_host);
  vptr__cuda_array_release(array);
  return status;
}

/* ---- restoring ------------------------------------------------------------------------------------------- */

static const void *detail_of(const vptr__saved_list *list, const vptr__saved *item) {
  return vptr__saved_detail(list, item);
}

static size_t detail_bytes(uint32_t kind) {
  return kind == VPTR__SAVED_ARRAY     ? sizeof(saved_array)
         : kind == VPTR__SAVED_MIPMAP  ? sizeof(saved_mipmap)
         : kind == VPTR__SAVED_TEXTURE ? sizeof(saved_texture)
         : kind == VPTR__SAVED_SURFACE ? sizeof(saved_surface)
                                       : 0;
}

/* Counts what is ours, and checks how much is said of it. */
static vptr_status check_items(const vptr__saved_list *list, size_t *count_out) {
  *count_out = 0;
  for (size_t i = 0; i < list->count; i++) {
    const vptr__saved *item = &list->items[i];
    const size_t bytes = detail_bytes(item->kind);
    const bool is_placed = item->kind != VPTR__SAVED_ARRAY || item->address >= VPTR__SAVED_NOWHERE;
    if (bytes == 0)
      continue;
    if (item->detail_bytes != bytes || !is_placed || item->bytes != item->size)
      return vptr__error(VPTR_ERROR_FILE, "vptr_restore: what the checkpoint says of the %s %#llx has a wrong size",
                         vptr__saved_word(item->kind), (ull)item->address);
    ++*count_out;
  }
  return VPTR_SUCCESS;
}

static vptr_status check_none(const vptr_mapper *mapper) {
  uint32_t indices[4] = { 0, 0, 0, 0 };
  uint64_t handle = 0;
  cudaArray_t of;
  vptr__cuda_array *array = vptr__cuda_array_next(mapper, &indices[0], &handle);
  vptr__cuda_texture *texture = vptr__cuda_texture_next(mapper, &indices[1], &handle);
  vptr__cuda_object *surface = vptr__cuda_surface_next(mapper, &indices[2], &handle, &of);
  const bool has_any = array != NULL || texture != NULL || surface != NULL;
  vptr__cuda_object_release(array != NULL ? &array->object : NULL);
  vptr__cuda_object_release(texture != NULL ? &texture->object : NULL);
  vptr__cuda_object_release(surface);
  return has_any
             ? vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                           "vptr_restore: the array, texture or surface %#llx is live; restore before any is made, "
                           "or free them",
                           (ull)handle)
             : VPTR_SUCCESS;
}

/* What the file has no bytes of is zero. */
static vptr_status clear_array(vptr__cuda_array *array) {
  enum { BLOCK = 256 << 10 };
  const size_t bytes = bytes_of(array);
  void *zeros = vptr__memory_calloc(1, BLOCK);
  vptr_status status = zeros != NULL ? VPTR_SUCCESS : vptr__error_host_memory(BLOCK);
  for (size_t at = 0; at < bytes && status == VPTR_SUCCESS; at += BLOCK)
    status = vptr__cuda_array_copy_content(array, at, zeros, vptr__smaller(BLOCK, bytes - at), false);
  vptr__memory_free(zeros);
  return status;
}

/* Whose handle is given; its content comes to the item's place. Nobody else has it yet. */
static vptr_status place_array(const vptr__saved *item, uint64_t handle) {
  vptr__cuda_array *array;
  cudaError_t error = vptr__cuda_array_get("vptr_restore", (cudaArray_const_t)(uintptr_t)handle, &array);
  if (error != cudaSuccess)
    return status_of(error);
  array->place = item->address;
  pass_places(item->address + item->bytes);
  const vptr_status status =
      bytes_of(array) == item->bytes
          ? clear_array(array)
          : vptr__error(VPTR_ERROR_FILE, "vptr_restore: the array %#llx has another size than its content",
                        (ull)handle);
  vptr__cuda_array_release(array);
  return status;
}

static vptr_status restore_array(vptr_mapper *mapper, const saved_array *is) {
  const struct cudaExtent extent = { is->extent[0], is->extent[1], is->extent[2] };
  return is->is_level ? VPTR_SUCCESS
                      : status_of(vptr__cuda_array_again(mapper, &is->desc, &extent, is->flags, is->handle));
}

static const saved_array *level_of(const vptr__saved_list *list, uint64_t handle) {
  const saved_array *found = NULL;
  for (size_t i = 0; i < list->count && found == NULL; i++)
    if (list->items[i].kind == VPTR__SAVED_ARRAY && list->items[i].serial == handle)
      found = detail_of(list, &list->items[i]);
  return found;
}

static vptr_status restore_mipmap(vptr_mapper *mapper, const vptr__saved_list *list, const vptr__saved *item) {
  const saved_mipmap *is = detail_of(list, item);
  const saved_array *first = level_of(list, is->levels[0]);
  if (is->count == 0 || is->count > VPTR__CUDA_MOST_LEVELS || first == NULL)
    return vptr__error(VPTR_ERROR_FILE, "vptr_restore: the mipmapped array %#llx has no levels", (ull)item->address);
  vptr__cuda_mipmap like = { .count = (unsigned)is->count };
  for (unsigned i = 0; i < like.count; i++)
    like.levels[i] = (cudaArray_t)(uintptr_t)is->levels[i];
  const struct cudaExtent extent = { first->extent[0], first->extent[1], first->extent[2] };
  return status_of(vptr__cuda_mipmap_again(mapper, &first->desc, &extent, first->flags, item->address, &like));
}

static vptr_status restore_texture(vptr_mapper *mapper, const vptr__saved *item, const saved_texture *is) {
  struct cudaResourceDesc resource;
  struct cudaResourceViewDesc view;
  memset(&resource, 0, sizeof resource);
  memset(&view, 0, sizeof view);
  memcpy(&resource, is->resource, sizeof is->resource);
  memcpy(&view, is->view, sizeof is->view);
  return status_of(vptr__cuda_texture_again(mapper, &resource, &is->desc, &view, item->address));
}

/* What is of one kind, in the order in which one kind needs another; levels get their places once they are there. */
static vptr_status restore_item(vptr_mapper *mapper, const vptr__saved_list *list, const vptr__saved *item) {
  const void *is = detail_of(list, item);
  switch (item->kind) {
  case VPTR__SAVED_ARRAY:
    return restore_array(mapper, is);
  case VPTR__SAVED_MIPMAP:
    return restore_mipmap(mapper, list, item);
  case VPTR__SAVED_TEXTURE:
    return restore_texture(mapper, item, is);
  default:
    return status_of(
        vptr__cuda_surface_again((cudaArray_t)(uintptr_t)((const saved_surface *)is)->array, item->address));
  }
}

static vptr_status restore_items(vptr_mapper *mapper, const vptr__saved_list *list) {
  vptr_status status = VPTR_SUCCESS;
  for (uint32_t kind = VPTR__SAVED_ARRAY; kind <= VPTR__SAVED_SURFACE; kind++)
    for (size_t i = 0; i < list->count && status == VPTR_SUCCESS; i++)
      if (list->items[i].kind == kind)
        status = restore_item(mapper, list, &list->items[i]);
  for (size_t i = 0; i < list->count && status == VPTR_SUCCESS; i++)
    if (list->items[i].kind == VPTR__SAVED_ARRAY)
      status = place_array(&list->items[i], ((const saved_array *)detail_of(list, &list->items[i]))->handle);
  return status;
}

static vptr_status restore_all(vptr_mapper *mapper, const vptr__saved_list *list) {
  size_t count;
  vptr_status status = check_items(list, &count);
  if (status != VPTR_SUCCESS || count == 0)
    return status;
  if (mapper->device->ordinal < 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "vptr_restore: arrays, textures and surfaces are of the process's own mappers: pass NULL");
  status = check_none(mapper);
  if (status != VPTR_SUCCESS)
    return status;
  restoring = mapper;
  return restore_items(mapper, list);
}

static void undo_restore(vptr_mapper *mapper) {
  if (restoring == mapper) {
    vptr__cuda_textures_end_all(mapper);
    vptr__cuda_surfaces_end_all(mapper);
    vptr__cuda_mipmaps_end_all(mapper);
    vptr__cuda_arrays_end_all(mapper);
  }
  restoring = NULL;
}

static void settle_restore(vptr_mapper *mapper) {
  (void)mapper;
  restoring = NULL;
}

const vptr__subsystem vptr__cuda_arrays_subsystem = { .saved_kinds =
                                                          (1u << VPTR__SAVED_ARRAY | 1u << VPTR__SAVED_MIPMAP |
                                                           1u << VPTR__SAVED_TEXTURE | 1u << VPTR__SAVED_SURFACE),
                                                      .save = save_all,
                                                      .restore = restore_all,
                                                      .undo_restore = undo_restore,
                                                      .settle_restore = settle_restore,
                                                      .copy_saved = copy_array };
