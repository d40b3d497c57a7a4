/* SPDX-License-Identifier: MIT */
/*
 * reference_call - CUDA's calls on texture and surface references (vptr_reference.h).
 *
 * What a reference is, and what is bound to it, is reference.c's. No data, no locks here: reference.c takes its static
 * `binding`, of rank REFERENCE, and unit.c the lock of rank UNIT where a reference is not known yet. Called by
 * programs. To bind waits for other calls that bind, opens the device if it is not open yet, waits while one is
 * exchanged (vptr_migrate()), and asks for the memory's address, for which the driver may compile a kernel; to unbind
 * waits for the device's streams where what was bound goes with it, being freed already.
 */
#include "base/error.h"
#include "cuda/array.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/reference.h"
#include "mapper/registry.h"

#include <vptr/cuda/cuda_runtime_api.h>

#include <limits.h>
#include <string.h>

/* ---- binding -------------------------------------------------------------------------------------------- */

static cudaError_t check_desc(const char *call, const struct cudaChannelFormatDesc *desc) {
  return desc == NULL ? vptr__cuda_null_output(call, "desc") : cudaSuccess;
}

/* What is left of the allocation behind devPtr, in whole elements; a program need not know. */
static size_t bytes_behind(const void *ptr, const struct cudaChannelFormatDesc *desc) {
  const size_t element = (size_t)(desc->x + desc->y + desc->z + desc->w) / CHAR_BIT;
  vptr_mapper *mapper = vptr__mapper_owning(ptr);
  vptr_location location;
  if (mapper == NULL || element == 0 || vptr__mapper_locate(mapper, ptr, 1, &location) != VPTR_SUCCESS)
    return 0;
  return (location.size - location.offset) / element * element;
}

static cudaError_t bind_linear(size_t *offset, const struct textureReference *texref, const void *ptr,
                               const struct cudaChannelFormatDesc *desc, size_t size) {
  static const char call[] = "cudaBindTexture";
  vptr__cuda_reference *to;
  cudaError_t error = vptr__cuda_reference_find(call, texref, false, &to);
  if (error == cudaSuccess)
    error = check_desc(call, desc);
  if (error != cudaSuccess)
    return error;
  struct cudaResourceDesc resource = { .resType = cudaResourceTypeLinear };
  resource.res.linear.devPtr = (void *)(uintptr_t)ptr;
  resource.res.linear.desc = *desc;
  resource.res.linear.sizeInBytes = size >= UINT_MAX ? bytes_behind(ptr, desc) : size;
  error = vptr__cuda_reference_bind(call, to, &resource);
  if (error == cudaSuccess && offset != NULL)
    *offset = 0;
  return error;
}

static cudaError_t bind_rows(size_t *offset, const struct textureReference *texref, const void *ptr,
                             const struct cudaChannelFormatDesc *desc, const size_t extent[2], size_t pitch) {
  static const char call[] = "cudaBindTexture2D";
  vptr__cuda_reference *to;
  cudaError_t error = vptr__cuda_reference_find(call, texref, false, &to);
  if (error == cudaSuccess)
    error = check_desc(call, desc);
  if (error != cudaSuccess)
    return error;
  struct cudaResourceDesc resource = { .resType = cudaResourceTypePitch2D };
  resource.res.pitch2D.devPtr = (void *)(uintptr_t)ptr;
  resource.res.pitch2D.desc = *desc;
  resource.res.pitch2D.width = extent[0];
  resource.res.pitch2D.height = extent[1];
  resource.res.pitch2D.pitchInBytes = pitch;
  error = vptr__cuda_reference_bind(call, to, &resource);
  if (error == cudaSuccess && offset != NULL)
    *offset = 0;
  return error;
}

/* Whether it is the array's; which is in an array of one level, or the first of more. */
static cudaError_t check_array(const char *call, cudaArray_const_t handle, const struct cudaChannelFormatDesc *desc) {
  vptr__cuda_array *array;
  cudaError_t error = check_desc(call, desc);
  if (error == cudaSuccess)
    error = vptr__cuda_array_get(call, handle, &array);
  if (error != cudaSuccess)
    return error;
  if (memcmp(&array->desc, desc, sizeof *desc) != 0) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: desc is not the array's; cudaGetChannelDesc() tells that", call);
    error = cudaErrorInvalidValue;
  }
  vptr__cuda_array_release(array);
  return error;
}

static cudaError_t bind_array(const struct textureReference *texref, cudaArray_const_t array,
                              const struct cudaChannelFormatDesc *desc) {
  static const char call[] = "cudaBindTextureToArray";
  vptr__cuda_reference *to;
  cudaError_t error = vptr__cuda_reference_find(call, texref, false, &to);
  if (error == cudaSuccess)
    error = check_array(call, array, desc);
  if (error != cudaSuccess)
    return error;
  struct cudaResourceDesc resource = { .resType = cudaResourceTypeArray };
  resource.res.array.array = (cudaArray_t)(uintptr_t)array;
  return vptr__cuda_reference_bind(call, to, &resource);
}

static cudaError_t bind_mipmap(const struct textureReference *texref, cudaMipmappedArray_const_t mipmap,
                               const struct cudaChannelFormatDesc *desc) {
  static const char call[] = "cudaBindTextureToMipmappedArray";
  vptr__cuda_reference *to;
  cudaError_t error = vptr__cuda_reference_find(call, texref, false, &to);
  if (error == cudaSuccess)
    error = check_desc(call, desc);
  if (error != cudaSuccess)
    return error;
  struct cudaResourceDesc resource = { .resType = cudaResourceTypeMipmappedArray };
  resource.res.mipmap.mipmap = (cudaMipmappedArray_t)(uintptr_t)mipmap;
  return vptr__cuda_reference_bind(call, to, &resource);
}

static cudaError_t bind_surface(const struct surfaceReference *surfref, cudaArray_const_t array,
                                const struct cudaChannelFormatDesc *desc) {
  static const char call[] = "cudaBindSurfaceToArray";
  vptr__cuda_reference *to;
  cudaError_t error = vptr__cuda_reference_find(call, surfref, true, &to);
  if (error == cudaSuccess)
    error = check_array(call, array, desc);
  return error == cudaSuccess ? vptr__cuda_reference_bind_surface(call, to, (cudaArray_t)(uintptr_t)array) : error;
}

/* ---- questions ------------------------------------------------------------------------------------------ */

static cudaError_t unbind_texture(const struct textureReference *texref) {
  vptr__cuda_reference *from;
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_reference_find("cudaUnbindTexture", texref, false, &from);
  if (error == cudaSuccess)
    error = vptr__cuda_current_mapper(&mapper);
  if (error == cudaSuccess)
    vptr__cuda_reference_unbind(from, mapper);
  return error;
}

static cudaError_t tell_offset(size_t *offset, const struct textureReference *texref) {
  static const char call[] = "cudaGetTextureAlignmentOffset";
  vptr__cuda_reference *seen;
  vptr_mapper *mapper;
  if (offset == NULL)
    return vptr__cuda_null_output(call, "offset");
  cudaError_t error = vptr__cuda_reference_find(call, texref, false, &seen);
  if (error == cudaSuccess)
    error = vptr__cuda_current_mapper(&mapper);
  if (error != cudaSuccess)
    return error;
  if (!vptr__cuda_reference_is_bound(seen, mapper)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: nothing is bound to the reference; cudaBindTexture() does that",
                call);
    return cudaErrorInvalidTextureBinding;
  }
  *offset = 0;
  return cudaSuccess;
}

static cudaError_t tell_reference(const char *call, const void **reference_out, const void *symbol, bool is_surface) {
  vptr__cuda_reference *seen;
  if (reference_out == NULL)
    return vptr__cuda_null_output(call, "the reference");
  cudaError_t error = vptr__cuda_reference_find(call, symbol, is_surface, &seen);
  if (error == cudaSuccess)
    *reference_out = symbol; /* the shadow is the reference */
  return error;
}

/* ---- CUDA's calls --------------------------------------------------------------------------------------- */

cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *texref, const void *devPtr,
                            const struct cudaChannelFormatDesc *desc, size_t size) {
  return vptr__cuda_record(bind_linear(offset, texref, devPtr, desc, size));
}

cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *texref, const void *devPtr,
                              const struct cudaChannelFormatDesc *desc, size_t width, size_t height, size_t pitch) {
  const size_t extent[2] = { width, height };
  return vptr__cuda_record(bind_rows(offset, texref, devPtr, desc, extent, pitch));
}

cudaError_t cudaBindTextureToArray(const struct textureReference *texref, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc) {
  return vptr__cuda_record(bind_array(texref, array, desc));
}

cudaError_t cudaBindTextureToMipmappedArray(const struct textureReference *texref,
                                            cudaMipmappedArray_const_t mipmappedArray,
                                            const struct cudaChannelFormatDesc *desc) {
  return vptr__cuda_record(bind_mipmap(texref, mipmappedArray, desc));
}

cudaError_t cudaUnbindTexture(const struct textureReference *texref) {
  return vptr__cuda_record(unbind_texture(texref));
}

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *texref) {
  return vptr__cuda_record(tell_offset(offset, texref));
}

cudaError_t cudaGetTextureReference(const struct textureReference **texref, const void *symbol) {
  return vptr__cuda_record(tell_reference("cudaGetTextureReference", (const void **)texref, symbol, false));
}

cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *surfref, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc) {
  return vptr__cuda_record(bind_surface(surfref, array, desc));
}

cudaError_t cudaGetSurfaceReference(const struct surfaceReference **surfref, const void *symbol) {
  return vptr__cuda_record(tell_reference("cudaGetSurfaceReference", (const void **)surfref, symbol, true));
}
