/* SPDX-License-Identifier: MIT */
/*
 * surface - surface objects: an array's image, for kernels to write.
 *
 * The array must have been made for it (cudaArraySurfaceLoadStore), as CUDA wants it. Integers are written as they are,
 * so a surface object holds the array to that reading; see array.h. Nothing in an object changes while it lives. The
 * table is the static `surfaces` (handle.h), with a lock of rank LEAF; to begin and to end an object takes the array's
 * lock too, the static `lock` of array.c, of rank ARRAY. To begin one waits for the device where the array has to
 * change its image. Called by programs, and by reset.c, which ends all of a device's (array.h declares that).
 */
#include <vptr/cuda/vptr_texture.h>

#include "base/error.h"
#include "base/memory.h"
#include "cuda/array.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "image/image.h"

#include <vptr/cuda/cuda_runtime_api.h>

typedef struct surface {
  vptr__cuda_object object; /* first */
  vptr__cuda_array *array;
  cudaArray_t handle;
  vptr__image image; /* its memory is retained */
} surface;

static vptr__cuda_handles surfaces = VPTR__CUDA_HANDLES_INIT;

static const char call[] = "cudaCreateSurfaceObject";

static cudaError_t refuse_surface(const char *why) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s", call, why);
  return cudaErrorInvalidValue;
}

static void destroy_surface(vptr__cuda_object *object) {
  surface *ended = (surface *)object;
  vptr__image_release(ended->object.mapper, &ended->image);
  vptr__cuda_array_unview(ended->array);
  vptr__cuda_array_release(ended->array);
  vptr__memory_free(ended);
}

/* The array is retained, and is the surface's from a success on. */
static cudaError_t make_surface(vptr__cuda_array *array, cudaArray_t handle, cudaSurfaceObject_t *handle_out) {
  uint64_t number;
  if ((array->flags & cudaArraySurfaceLoadStore) == 0)
    return refuse_surface("the array was made without cudaArraySurfaceLoadStore");
  surface *made = vptr__memory_calloc(1, sizeof *made);
  if (made == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(sizeof *made));
  made->object.destroy = destroy_surface;
  made->object.mapper = array->object.mapper;
  atomic_store(&made->object.references, 1);
  made->array = array;
  made->handle = handle;
  cudaError_t error = vptr__cuda_array_view(array, false, &made->image);
  if (error != cudaSuccess)
    goto free_surface;
  error = vptr__cuda_from_status(vptr__cuda_handle_add(&surfaces, &made->object, &number));
  if (error != cudaSuccess)
    goto leave_image;
  *handle_out = number;
  return cudaSuccess;

leave_image:
  vptr__image_release(made->object.mapper, &made->image);
  vptr__cuda_array_unview(array);
free_surface:
  vptr__memory_free(made);
  return error;
}

static cudaError_t create_surface(cudaSurfaceObject_t *handle_out, const struct cudaResourceDesc *resource) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if (handle_out == NULL || resource == NULL)
    return refuse_surface("pSurfObject or pResDesc is NULL");
  if (resource->resType != cudaResourceTypeArray)
    return refuse_surface("a surface is of an array");
  vptr__cuda_array *array;
  error = vptr__cuda_array_get(call, resource->res.array.array, &array);
  if (error != cudaSuccess)
    return error;
  error = make_surface(array, resource->res.array.array, handle_out);
  if (error != cudaSuccess)
    vptr__cuda_array_release(array);
  return error;
}

static cudaError_t find_surface(const char *what, cudaSurfaceObject_t handle, surface **surface_out) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  vptr__cuda_object *object = vptr__cuda_handle_get(&surfaces, handle);
  if (object == NULL) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: 0x%llx is no surface object, or one that was destroyed", what,
                handle);
    return cudaErrorInvalidValue;
  }
  *surface_out = (surface *)object;
  return cudaSuccess;
}

static cudaError_t end_surface(cudaSurfaceObject_t handle) {
  surface *found;
  cudaError_t error = find_surface("cudaDestroySurfaceObject", handle, &found);
  if (error != cudaSuccess)
    return error;
  vptr__cuda_handle_end(&surfaces, handle);
  vptr__cuda_object_release(&found->object);
  return cudaSuccess;
}

void vptr__cuda_surfaces_end_all(const vptr_mapper *mapper) {
  vptr__cuda_handle_end_all(&surfaces, mapper);
}

static cudaError_t describe_surface(struct cudaResourceDesc *resource, cudaSurfaceObject_t handle) {
  surface *found;
  if (resource == NULL)
    return vptr__cuda_null_output("cudaGetSurfaceObjectResourceDesc", "pResDesc");
  cudaError_t error = find_surface("cudaGetSurfaceObjectResourceDesc", handle, &found);
  if (error != cudaSuccess)
    return error;
  resource->resType = cudaResourceTypeArray;
  resource->res.array.array = found->handle;
  vptr__cuda_object_release(&found->object);
  return cudaSuccess;
}

static cudaError_t set_arg(cl_kernel kernel, cl_uint index, cudaSurfaceObject_t handle) {
  surface *found;
  cudaError_t error = find_surface("vptr_cuda_set_surface_arg", handle, &found);
  if (error != cudaSuccess)
    return error;
  vptr__device *device = found->object.mapper->device;
  vptr_status status = device->ops->kernel.arg_buffer(device, kernel, index, found->image.memory);
  vptr__cuda_object_release(&found->object);
  return vptr__cuda_from_status(status);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *pSurfObject, const struct cudaResourceDesc *pResDesc) {
  return vptr__cuda_record(create_surface(pSurfObject, pResDesc));
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject) {
  return vptr__cuda_record(end_surface(surfObject));
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *pResDesc, cudaSurfaceObject_t surfObject) {
  return vptr__cuda_record(describe_surface(pResDesc, surfObject));
}

cudaError_t vptr_cuda_set_surface_arg(cl_kernel kernel, cl_uint index, cudaSurfaceObject_t surface) {
  return vptr__cuda_record(set_arg(kernel, index, surface));
}
