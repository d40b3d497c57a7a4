/* SPDX-License-Identifier: MIT */
/*
 * array - making and freeing arrays, and which image each has (array.h).
 *
 * A vptr__cuda_array is counted: its handle has a reference, and so has each texture or surface object over it; it is
 * freed with the last. The static table `arrays` finds it by handle (handle.h), under that table's lock, of rank LEAF.
 * The static `taken`, atomic, has the bytes of each device's arrays. The static `lock`, of rank ARRAY, guards which
 * image each array has (`address`, `image`, `normalized`, `views`); array_copy.c holds it while it queues commands, and
 * it is held here while an array changes its form, which waits for all streams of the device before and after, and on a
 * full device for who makes room. What never changes (extent, bytes of an element, flags) is read without it.
 *
 * Called by programs, driver/array.c, driver/reference_call.c and cuda/channel.c for cudaMallocArray() and its kin; by
 * cuda/mipmap.c, whose levels are arrays; by cuda/texture.c, texture_object.c and surface.c, which view an array; by
 * cuda/array_copy.c, array_transfer.c, batch.c, capture_work.c, lacking.c, copy_rect.c and reference_call.c and
 * driver/copy_rect.c, which look arrays up; by array_saved.c, which tells checkpoints of them, and array_content.c;
 * by cuda/memory.c, for cudaMemGetInfo(); by cuda/reset.c, which ends the handles of a device's arrays; and by the
 * loader, which runs the constructor. To free an array, and to give it another image, waits for work of its device; so
 * does making one, if the device is full.
 */
#include "cuda/array.h"

#include "base/error.h"
#include "base/limit.h"
#include "base/memory.h"
#include "cuda/array_saved.h"
#include "cuda/channel.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/stream.h"
#include "graph/capture.h"
#include "image/image.h"
#include "stream/stream.h"

#include <vptr/cuda/cuda_runtime_api.h>

static vptr__cuda_handles arrays = VPTR__CUDA_HANDLES_INIT;
static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_ARRAY);
static atomic_size_t taken[VPTR__MOST_DEVICES];

void vptr__cuda_array_lock(void) {
  vptr__lock_take(&lock);
}

void vptr__cuda_array_unlock(void) {
  vptr__lock_give(&lock);
}

/* ---- handles -------------------------------------------------------------------------------------------- */

cudaError_t vptr__cuda_array_get(const char *what, cudaArray_const_t handle, vptr__cuda_array **array_out) {
  vptr__cuda_object *object = vptr__cuda_handle_get(&arrays, (uint64_t)(uintptr_t)handle);
  if (object == NULL) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no array, or one that was freed", what, (const void *)handle);
    return cudaErrorInvalidResourceHandle;
  }
  *array_out = (vptr__cuda_array *)object;
  return cudaSuccess;
}

void vptr__cuda_array_release(vptr__cuda_array *array) {
  vptr__cuda_object_release(&array->object);
}

static void count_bytes(const vptr__cuda_array *array, bool is_made) {
  atomic_fetch_add_explicit(&taken[array->object.mapper->device->ordinal], is_made ? array->bytes : -array->bytes,
                            memory_order_relaxed);
}

size_t vptr__cuda_array_bytes(const vptr__device *device) {
  return atomic_load_explicit(&taken[device->ordinal], memory_order_relaxed);
}

static void destroy_array(vptr__cuda_object *object) {
  vptr__cuda_array *array = (vptr__cuda_array *)object;
  vptr_mapper *mapper = array->object.mapper;
  if (array->elements != NULL && vptr__mapper_holds_frees(mapper)) /* kernels use it by its address: none holds it */
    (void)vptr__streams_drain(mapper);
  if (array->elements != NULL)
    mapper->device->ops->memory.release(mapper->device, array->elements);
  vptr__image_release(mapper, &array->image);
  count_bytes(array, false);
  vptr__memory_free(array);
}

/* ---- making --------------------------------------------------------------------------------------------- */

static cudaError_t describe_image(const char *call, int device, const struct cudaChannelFormatDesc *desc,
                                  const struct cudaExtent *extent, unsigned flags, vptr__image *image_out) {
  vptr__image image = { .extent = { extent->width, extent->height > 0 ? extent->height : 1,
                                    extent->depth > 0 ? extent->depth : 1 } };
  cudaError_t error = vptr__cuda_array_shape(call, device, extent, flags, &image.type);
  if (error == cudaSuccess)
    error = vptr__cuda_channel_format(call, desc, false, &image.format, &image.element);
  if (error == cudaSuccess)
    *image_out = image;
  return error;
}

/* Plain memory has two references: that of its form, and the array's. */
static vptr_status make_elements(vptr_mapper *mapper, vptr__cuda_array *array) {
  bool takes = false;
  vptr_status status = mapper->device->ops->memory.takes_addresses(mapper->device, &takes);
  array->image.plain = takes;
  if (status == VPTR_SUCCESS)
    status = vptr__image_make(mapper, &array->image);
  if (status != VPTR_SUCCESS)
    return status;
  const size_t *extent = array->image.extent;
  array->bytes = extent[0] * extent[1] * extent[2] * array->image.element;
  count_bytes(array, true);
  if (!takes)
    return VPTR_SUCCESS;
  array->elements = array->image.memory;
  vptr__image_retain(mapper, &array->image);
  return VPTR_SUCCESS;
}

static void begin_array(vptr_mapper *mapper, vptr__cuda_array *array) {
  array->object.mapper = mapper;
  array->object.destroy = destroy_array;
  atomic_store(&array->object.references, 1);
}

/* Under this handle; 0: under one of its own. */
static vptr_status add_array(vptr__cuda_array *array, uint64_t *handle) {
  return *handle != 0 ? vptr__cuda_handle_add_at(&arrays, &array->object, *handle)
                      : vptr__cuda_handle_add(&arrays, &array->object, handle);
}

static cudaError_t make_array(vptr_mapper *mapper, const vptr__cuda_array *like, uint64_t handle,
                              cudaArray_t *handle_out) {
  vptr__cuda_array *array = vptr__memory_calloc(1, sizeof *array);
  if (array == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(sizeof *array));
  *array = *like;
  begin_array(mapper, array);
  vptr_status status = make_elements(mapper, array);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(array);
    return vptr__cuda_from_status(status);
  }
  status = add_array(array, &handle);
  if (status != VPTR_SUCCESS) {
    destroy_array(&array->object);
    return vptr__cuda_from_status(status);
  }
  *handle_out = (cudaArray_t)(uintptr_t)handle;
  return cudaSuccess;
}

cudaError_t vptr__cuda_array_of_memory(const char *call, vptr_mapper *mapper,
                                       const struct cudaChannelFormatDesc *desc, size_t bytes,
                                       vptr__cuda_array **array_out) {
  *array_out = NULL;
  vptr__cuda_array *array = vptr__memory_calloc(1, sizeof *array);
  if (array == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(sizeof *array));
  array->desc = *desc;
  array->image = (vptr__image){ .type = CL_MEM_OBJECT_IMAGE1D, .element = 1, .extent = { bytes, 1, 1 } };
  array->image.format = (cl_image_format){ CL_R, CL_UNSIGNED_INT8 };
  begin_array(mapper, array);
  vptr_status status = make_elements(mapper, array);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(array);
    return vptr__cuda_from_status(status);
  }
  if (array->elements != NULL) {
    *array_out = array;
    return cudaSuccess;
  }
  destroy_array(&array->object);
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: %s tells no addresses, and OpenCL's images have one level", call,
              mapper->device->name);
  return cudaErrorNotSupported;
}

cudaError_t vptr__cuda_array_level(const char *call, vptr__cuda_array *memory,
                                   const struct cudaChannelFormatDesc *desc, const struct cudaExtent *extent,
                                   unsigned flags, size_t offset, cudaArray_t *handle_io) {
  vptr_mapper *mapper = memory->object.mapper;
  uint64_t handle = (uintptr_t)*handle_io;
  vptr__cuda_array like = { .desc = *desc, .extent = *extent, .flags = flags };
  cudaError_t error = describe_image(call, mapper->device->ordinal, desc, extent, flags, &like.image);
  if (error != cudaSuccess)
    return error;
  vptr__cuda_array *array = vptr__memory_calloc(1, sizeof *array);
  if (array == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(sizeof *array));
  *array = like;
  begin_array(mapper, array);
  array->image.plain = true;
  array->image.offset = offset;
  array->image.memory = array->elements = memory->elements;
  vptr__image_retain(mapper, &array->image);
  vptr__image_retain(mapper, &array->image);
  vptr_status status = add_array(array, &handle);
  if (status == VPTR_SUCCESS)
    *handle_io = (cudaArray_t)(uintptr_t)handle;
  else
    destroy_array(&array->object);
  return vptr__cuda_from_status(status);
}

cudaError_t vptr__cuda_array_again(vptr_mapper *mapper, const struct cudaChannelFormatDesc *desc,
                                   const struct cudaExtent *extent, unsigned flags, uint64_t handle) {
  cudaArray_t made;
  vptr__cuda_array like = { .desc = *desc, .extent = *extent, .flags = flags };
  cudaError_t error = describe_image("vptr_restore", mapper->device->ordinal, desc, extent, flags, &like.image);
  return error == cudaSuccess ? make_array(mapper, &like, handle, &made) : error;
}

vptr__cuda_array *vptr__cuda_array_next(const vptr_mapper *mapper, uint32_t *index, uint64_t *handle_out) {
  return (vptr__cuda_array *)vptr__cuda_handle_next(&arrays, mapper, index, handle_out);
}

void vptr__cuda_array_end(cudaArray_t handle) {
  vptr__cuda_handle_end(&arrays, (uint64_t)(uintptr_t)handle);
}

/* As in CUDA, NULL is stored where there is a description and no array comes of it. */
static cudaError_t allocate_array(const char *call, cudaArray_t *handle_out, const struct cudaChannelFormatDesc *desc,
                                  const struct cudaExtent *extent, unsigned flags) {
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  if (error != cudaSuccess)
    return error;
  if (handle_out == NULL)
    return vptr__cuda_null_output(call, "array");
  if (desc == NULL) {
    vptr__error(VPTR_ERROR_NULL_POINTER, "%s: desc is NULL, and says what the elements are", call);
    return cudaErrorInvalidValue;
  }
  *handle_out = NULL;
  if (vptr__captures_any())
    error = vptr__capture_unsafe(call);
  vptr__cuda_array like = { .desc = *desc, .extent = *extent, .flags = flags };
  if (error == cudaSuccess)
    error = describe_image(call, mapper->device->ordinal, desc, extent, flags, &like.image);
  return error == cudaSuccess ? make_array(mapper, &like, 0, handle_out) : error;
}

static cudaError_t allocate_plain(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width,
                                  size_t height, unsigned flags) {
  const struct cudaExtent extent = { width, height, 0 };
  return allocate_array("cudaMallocArray", array, desc, &extent, flags);
}

/* Where there is no such array, there is nothing to wait for. */
static cudaError_t await_work(cudaArray_t handle) {
  vptr__cuda_object *array = vptr__cuda_handle_get(&arrays, (uint64_t)(uintptr_t)handle);
  vptr_status status = VPTR_SUCCESS;
  if (array != NULL && vptr__mapper_holds_frees(array->mapper))
    status = vptr__streams_drain(array->mapper);
  vptr__cuda_object_release(array);
  return vptr__cuda_from_status(status);
}

/* NULL is nothing to do. A texture object keeps the image; the handle ends all the same. */
static cudaError_t free_array_handle(cudaArray_t handle) {
  cudaError_t error = vptr__cuda_permitted();
  if (error == cudaSuccess)
    error = vptr__cuda_device_exists();
  if (error != cudaSuccess || handle == NULL)
    return error;
  if (vptr__captures_any())
    error = vptr__capture_unsafe("cudaFreeArray");
  if (error == cudaSuccess)
    error = await_work(handle);
  if (error != cudaSuccess)
    return error;
  if (vptr__cuda_handle_end(&arrays, (uint64_t)(uintptr_t)handle))
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cudaFreeArray: %p is no array, or one that was freed", (void *)handle);
  return cudaErrorInvalidResourceHandle;
}

void vptr__cuda_arrays_end_all(const vptr_mapper *mapper) {
  vptr__cuda_handle_end_all(&arrays, mapper);
}

/* ---- images --------------------------------------------------------------------------------------------- */

static vptr_status move_through(const vptr__cuda_array *array, const vptr__image *to, cl_mem stage) {
  const size_t origin[3] = { 0, 0, 0 };
  vptr__stream *stream;
  cl_command_queue queue;
  cl_event event = NULL;
  vptr_status status = vptr__stream_synchronize_all(array->object.mapper);
  if (status == VPTR_SUCCESS)
    status = vptr__stream_legacy(array->object.mapper, &stream);
  if (status == VPTR_SUCCESS)
    status = vptr__stream_begin(stream, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__image_move(stream, queue, &array->image, origin, to, origin, array->image.extent, stage, &event);
  vptr__stream_note(stream, event);
  vptr__stream_end(stream);
  return status == VPTR_SUCCESS ? vptr__stream_synchronize(stream) : status;
}

static vptr_status move_all(const vptr__cuda_array *array, const vptr__image *to) {
  const size_t *extent = array->image.extent;
  vptr_mapper *mapper = array->object.mapper;
  cl_mem stage;
  vptr_status status =
      vptr__image_stage_make(mapper, extent[0] * extent[1] * extent[2] * array->image.element, &stage);
  if (status != VPTR_SUCCESS)
    return status;
  status = move_through(array, to, stage);
  vptr__image_stage_release(mapper, stage);
  return status;
}

static cudaError_t refuse_plain(const vptr__cuda_array *array) {
  vptr__error(VPTR_ERROR_UNSUPPORTED,
              "%s has no images of two channels: the array can be copied, but no kernel reads it; use four channels",
              array->object.mapper->device->name);
  return cudaErrorNotSupported;
}

/* The content moves to another form, which takes the place of the one that it had. All streams are waited for, before
 * and after: which of them will use the array next is not known. Under the lock. */
static vptr_status take_form(vptr__cuda_array *array, const vptr__image *other) {
  vptr_status status = move_all(array, other);
  if (status != VPTR_SUCCESS) {
    vptr__image_release(array->object.mapper, other);
    return status;
  }
  int more = (array->image.plain ? 1 : 0) - (other->plain ? 1 : 0);
  if (array->elements != NULL && more != 0)
    vptr__texel_table_away(array->object.mapper, more);
  vptr__image_release(array->object.mapper, &array->image);
  array->image = *other;
  return VPTR_SUCCESS;
}

/* Under the lock. */
static cudaError_t become_image(vptr__cuda_array *array, bool normalized) {
  vptr__image other = array->image;
  cudaError_t error =
      vptr__cuda_channel_format("cudaCreateTextureObject", &array->desc, normalized, &other.format, &other.element);
  if (error != cudaSuccess)
    return error;
  other.plain = false;
  vptr_status status = vptr__image_make(array->object.mapper, &other);
  if (status != VPTR_SUCCESS)
    return vptr__cuda_from_status(status);
  if (other.plain) {
    vptr__image_release(array->object.mapper, &other);
    return refuse_plain(array);
  }
  return vptr__cuda_from_status(take_form(array, &other));
}

/* The memory is there, so that only a move can fail: then the array stays an image, and says so to launches. Under the
 * lock. */
static void become_memory(vptr__cuda_array *array) {
  vptr__image memory = array->image;
  if (vptr__cuda_channel_format("cudaDestroyTextureObject", &array->desc, false, &memory.format, &memory.element) !=
      cudaSuccess)
    return;
  memory.plain = true;
  memory.memory = array->elements;
  vptr__image_retain(array->object.mapper, &memory);
  if (take_form(array, &memory) == VPTR_SUCCESS)
    array->normalized = false;
}

/* Whether reading integers as floats makes a difference for the array's elements. */
static bool can_normalize(const vptr__cuda_array *array) {
  return array->desc.f <= cudaChannelFormatKindUnsigned && array->desc.x < 32;
}

/* Under the lock. */
static cudaError_t have_image(vptr__cuda_array *array, bool normalized) {
  bool differs = can_normalize(array) && array->normalized != normalized;
  if (array->image.plain && array->elements == NULL)
    return refuse_plain(array);
  if (!array->image.plain && !differs)
    return cudaSuccess;
  if (array->views == 0)
    return become_image(array, normalized);
  vptr__error(VPTR_ERROR_UNSUPPORTED,
              "another texture or surface object reads this array's integers %s; an OpenCL image is read in one way "
              "at a time: destroy that object first, or make a second array",
              array->normalized ? "as floats" : "as they are");
  return cudaErrorNotSupported;
}

cudaError_t vptr__cuda_array_view(vptr__cuda_array *array, bool normalized, vptr__image *image) {
  cudaError_t error = cudaSuccess;
  vptr__lock_take(&lock);
  if (image->memory == NULL) {
    error = have_image(array, normalized);
    if (error == cudaSuccess) {
      array->normalized = normalized && can_normalize(array);
      array->views++;
      vptr__image_retain(array->object.mapper, &array->image);
      *image = array->image;
    }
  }
  vptr__lock_give(&lock);
  return error;
}

void vptr__cuda_array_unview(vptr__cuda_array *array, vptr__image *image) {
  if (image->memory == NULL)
    return;
  vptr__lock_take(&lock);
  vptr__image_release(array->object.mapper, image);
  image->memory = NULL;
  if (--array->views == 0 && array->elements != NULL)
    become_memory(array);
  vptr__lock_give(&lock);
}

cudaError_t vptr__cuda_array_texels(vptr__cuda_array *array, vptr__texel_entry *entry_out, bool *is_there_out) {
  vptr__device *device = array->object.mapper->device;
  const vptr__image *image = &array->image; /* of which only the memory and the format may change */
  vptr_status status = VPTR_SUCCESS;
  cl_image_format format;
  size_t element;
  *is_there_out = array->elements != NULL;
  if (array->elements == NULL)
    return cudaSuccess;
  cudaError_t error = vptr__cuda_channel_format("cudaCreateTextureObject", &array->desc, false, &format, &element);
  if (error != cudaSuccess)
    return error;
  vptr__lock_take(&lock);
  if (array->address == 0 || device->proxy != NULL) /* which may be another device now */
    status = device->ops->memory.address(device, array->elements, &array->address);
  uint64_t address = array->address;
  vptr__lock_give(&lock);
  if (status != VPTR_SUCCESS)
    return vptr__cuda_from_status(status);
  *entry_out = (vptr__texel_entry){ .address = address + image->offset,
                                    .slice = image->extent[0] * image->extent[1] * element,
                                    .row = (uint32_t)(image->extent[0] * element),
                                    .width = (uint32_t)image->extent[0],
                                    .height = (uint32_t)image->extent[1],
                                    .depth = (uint32_t)image->extent[2],
                                    .how = vptr__cuda_channel_how(&format),
                                    .element = (uint32_t)element };
  return cudaSuccess;
}

/* ---- questions ------------------------------------------------------------------------------------------ */

cudaError_t vptr__cuda_array_element(const char *what, cudaArray_const_t handle, size_t *bytes_out) {
  vptr__cuda_array *array;
  cudaError_t error = vptr__cuda_array_get(what, handle, &array);
  if (error != cudaSuccess)
    return error;
  *bytes_out = array->image.element; /* the same in all forms */
  vptr__cuda_array_release(array);
  return cudaSuccess;
}

static cudaError_t get_info(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned *flags,
                            cudaArray_const_t handle) {
  vptr__cuda_array *array;
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess)
    error = vptr__cuda_array_get("cudaArrayGetInfo", handle, &array);
  if (error != cudaSuccess)
    return error;
  if (desc != NULL)
    *desc = array->desc;
  if (extent != NULL)
    *extent = array->extent;
  if (flags != NULL)
    *flags = array->flags;
  vptr__cuda_array_release(array);
  return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width, size_t height,
                            unsigned int flags) {
  return vptr__cuda_record(allocate_plain(array, desc, width, height, flags));
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
                              unsigned int flags) {
  return vptr__cuda_record(allocate_array("cudaMalloc3DArray", array, desc, &extent, flags));
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return vptr__cuda_record(free_array_handle(array));
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned int *flags,
                             cudaArray_t array) {
  return vptr__cuda_record(get_info(desc, extent, flags, array));
}

__attribute__((constructor)) static void enter_subsystem(void) {
  vptr__subsystem_enter(VPTR__SUBSYSTEM_ARRAY, &vptr__cuda_arrays_subsystem);
}
