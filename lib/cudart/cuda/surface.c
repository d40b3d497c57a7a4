/* SPDX-License-Identifier: MIT */
/*
 * surface - surface objects: an array, for kernels to write.
 *
 * The array must have been made for it (cudaArraySurfaceLoadStore), as CUDA wants it. CUDA's kernels write its memory,
 * which they find by the object's entry in the mapper's table (mapper/texel_table.h, with a lock of rank MAPPING); the
 * program's own in OpenCL get its image, in which integers are written as they are, so that the object holds the array
 * to that reading from then on; see array.h. That image is all that changes in an object, under the static `lock` of
 * array.c, of rank ARRAY; of a reference's surface its `number` does, under the static `binding` of reference.c, of
 * rank REFERENCE. The table of handles is the static `surfaces` (handle.h), with a lock of rank LEAF; a surface is
 * counted, and freed with its last reference. To give an object to a kernel in OpenCL, and to end one that was, waits
 * for the device. Called by programs, by driver/object.c, by cuda/reference.c, by array_saved.c, for checkpoints,
 * and by reset.c, which ends all of a device's (array.h declares that).
 */
#include <vptr/cuda/vptr_texture.h>

#include "cuda/surface.h"

#include "base/error.h"
#include "base/memory.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "image/image.h"

#include <vptr/cuda/cuda_runtime_api.h>

typedef struct surface {
  vptr__cuda_object object; /* first */
  vptr__cuda_array *array;
  cudaArray_t handle;
  uint64_t number; /* the handle under which kernels find it, its own or a reference's; 0: none */
  bool is_of_reference;
  vptr__image image; /* for OpenCL: its memory is retained; NULL: none was asked for */
} surface;

static vptr__cuda_handles surfaces = VPTR__CUDA_HANDLES_INIT;

static cudaError_t refuse_surface(const char *call, const char *why) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s", call, why);
  return cudaErrorInvalidValue;
}

static void destroy_surface(vptr__cuda_object *object) {
  surface *ended = (surface *)object;
  if (ended->number != 0 && ended->is_of_reference)
    vptr__texel_table_revoke(ended->object.mapper, ended->number, true);
  else if (ended->number != 0)
    vptr__texel_table_drop(ended->object.mapper, ended->number, true);
  vptr__cuda_array_unview(ended->array, &ended->image);
  vptr__cuda_array_release(ended->array);
  vptr__memory_free(ended);
}

/* From here on kernels find it, if there are any that may. */
static cudaError_t enter_surface(surface *made) {
  const vptr__device *device = made->object.mapper->device;
  vptr__texel_entry entry;
  bool is_there;
  vptr__device_hold(device);
  cudaError_t error = vptr__cuda_array_texels(made->array, &entry, &is_there);
  if (error == cudaSuccess && is_there)
    error = vptr__cuda_from_status(vptr__texel_table_put(made->object.mapper, made->number, true, &entry));
  vptr__device_let_go(device);
  return error;
}

/* The array is retained, and is the surface's, also if this fails. */
static cudaError_t make_surface(vptr__cuda_array *array, cudaArray_t handle, surface **made_out) {
  surface *made = vptr__memory_calloc(1, sizeof *made);
  if (made == NULL) {
    vptr__cuda_array_release(array);
    return vptr__cuda_from_status(vptr__error_host_memory(sizeof *made));
  }
  made->object.destroy = destroy_surface;
  made->object.mapper = array->object.mapper;
  atomic_store(&made->object.references, 1);
  made->array = array;
  made->handle = handle;
  *made_out = made;
  return cudaSuccess;
}

static cudaError_t surface_of(const char *call, cudaArray_t handle, surface **made_out) {
  vptr__cuda_array *array;
  cudaError_t error = vptr__cuda_array_get(call, handle, &array);
  if (error != cudaSuccess)
    return error;
  if ((array->flags & cudaArraySurfaceLoadStore) != 0)
    return make_surface(array, handle, made_out);
  vptr__cuda_array_release(array);
  return refuse_surface(call, "the array was made without cudaArraySurfaceLoadStore");
}

/* ---- under a handle of its own -------------------------------------------------------------------------- */

/* Under this handle; 0: under one of its own. */
static vptr_status add_surface(surface *made, uint64_t wish) {
  if (wish == 0)
    return vptr__cuda_handle_add(&surfaces, &made->object, &made->number);
  const vptr_status status = vptr__cuda_handle_add_at(&surfaces, &made->object, wish);
  made->number = status == VPTR_SUCCESS ? wish : 0;
  return status;
}

/* The table has it from the moment it has a handle. */
static cudaError_t enter_as_object(surface *made, uint64_t wish, cudaSurfaceObject_t *handle_out) {
  cudaError_t error = vptr__cuda_from_status(add_surface(made, wish));
  if (error != cudaSuccess) {
    destroy_surface(&made->object);
    return error;
  }
  uint64_t number = made->number;
  error = enter_surface(made);
  if (error == cudaSuccess)
    *handle_out = number;
  else
    vptr__cuda_handle_end(&surfaces, number);
  return error;
}

static cudaError_t create_surface(cudaSurfaceObject_t *handle_out, const struct cudaResourceDesc *resource) {
  static const char call[] = "cudaCreateSurfaceObject";
  surface *made = NULL;
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if (handle_out == NULL || resource == NULL)
    return refuse_surface(call, "pSurfObject or pResDesc is NULL");
  if (resource->resType != cudaResourceTypeArray)
    return refuse_surface(call, "a surface is of an array");
  error = surface_of(call, resource->res.array.array, &made);
  return error == cudaSuccess ? enter_as_object(made, 0, handle_out) : error;
}

cudaError_t vptr__cuda_surface_again(cudaArray_t array, uint64_t handle) {
  surface *made = NULL;
  cudaSurfaceObject_t same;
  cudaError_t error = surface_of("vptr_restore", array, &made);
  return error == cudaSuccess ? enter_as_object(made, handle, &same) : error;
}

/* A reference's place in the table is of no mapper. */
vptr__cuda_object *vptr__cuda_surface_next(const vptr_mapper *mapper, uint32_t *index, uint64_t *handle_out,
                                           cudaArray_t *array_out) {
  vptr__cuda_object *next = vptr__cuda_handle_next(&surfaces, mapper, index, handle_out);
  if (next != NULL)
    *array_out = ((const surface *)next)->handle;
  return next;
}

/* ---- under a reference's -------------------------------------------------------------------------------- */

cudaError_t vptr__cuda_surface_make(const char *call, cudaArray_t array, uint64_t reference,
                                    vptr__cuda_object **made_out) {
  surface *made = NULL;
  cudaError_t error = surface_of(call, array, &made);
  if (error != cudaSuccess)
    return error;
  made->is_of_reference = true;
  made->number = reference;
  error = enter_surface(made);
  if (error != cudaSuccess) {
    made->number = 0; /* what the reference has so far stays */
    destroy_surface(&made->object);
    return error;
  }
  *made_out = &made->object;
  return cudaSuccess;
}

void vptr__cuda_surface_replaced(vptr__cuda_object *surface_object) {
  ((surface *)surface_object)->number = 0;
}

vptr_status vptr__cuda_surface_reserve(vptr__cuda_object *object, uint64_t *handle_out) {
  return vptr__cuda_handle_add(&surfaces, object, handle_out);
}

void vptr__cuda_surface_give_up(uint64_t handle) {
  vptr__cuda_handle_end(&surfaces, handle);
}

/* ---- questions ------------------------------------------------------------------------------------------ */

static cudaError_t find_surface(const char *what, cudaSurfaceObject_t handle, surface **surface_out) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  vptr__cuda_object *object = vptr__cuda_handle_get(&surfaces, handle);
  if (object == NULL || object->destroy != destroy_surface) {
    vptr__cuda_object_release(object);
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: 0x%llx is no surface object, or one that was destroyed", what,
                handle);
    return cudaErrorInvalidValue;
  }
  *surface_out = (surface *)object;
  return cudaSuccess;
}

/* 0 is nothing to do, as in CUDA. */
static cudaError_t end_surface(cudaSurfaceObject_t handle) {
  surface *found;
  if (handle == 0)
    return vptr__cuda_device_exists();
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
  error = vptr__cuda_refuse_own_kernel("vptr_cuda_set_surface_arg", device);
  if (error == cudaSuccess)
    error = vptr__cuda_array_view(found->array, false, &found->image);
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(device->ops->kernel.arg_buffer(device, kernel, index, found->image.memory));
  vptr__cuda_object_release(&found->object);
  return error;
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
