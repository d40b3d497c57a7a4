/* SPDX-License-Identifier: MIT */
/*
 * array_shape - which kind of image an array of some extent and flags is, if CUDA has such arrays (array.h); and how
 * much linear memory a texture may have.
 *
 * What CUDA refuses is cudaErrorInvalidValue, also what is larger than the device's textures of the kind; what CUDA has
 * and OpenCL has not is cudaErrorNotSupported. No data but constants, no locks of its own. Called by array.c and
 * mipmap.c, when an array is made, and by programs for the width of linear memory. Nothing blocks but that question,
 * which looks for devices and asks for their properties (property.c).
 */
#include "base/error.h"
#include "cuda/array.h"
#include "cuda/channel.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/property.h"

#include <vptr/cuda/cuda_runtime_api.h>

cudaError_t vptr__cuda_array_refuse_shape(const char *call, const struct cudaExtent *extent, unsigned flags,
                                          const char *why) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: extent %zu, %zu, %zu, flags 0x%x: %s", call, extent->width,
              extent->height, extent->depth, flags, why);
  return cudaErrorInvalidValue;
}

/* A cube is an array of layers, six of them or a multiple. */
static cudaError_t check_cube(const char *call, const struct cudaExtent *extent, unsigned flags) {
  bool layered = (flags & cudaArrayLayered) != 0;
  if (extent->width == 0 || extent->width != extent->height)
    return vptr__cuda_array_refuse_shape(call, extent, flags, "the faces of a cube are square");
  if (layered ? extent->depth == 0 || extent->depth % 6 != 0 : extent->depth != 6)
    return vptr__cuda_array_refuse_shape(call, extent, flags, "a cube has six faces, and its depth counts them");
  return cudaSuccess;
}

static cudaError_t check_flags(const char *call, const struct cudaExtent *extent, unsigned flags) {
  const unsigned serves = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayTextureGather | cudaArrayCubemap;
  const unsigned known = serves | cudaArrayColorAttachment | cudaArraySparse | cudaArrayDeferredMapping;
  if ((flags & ~known) != 0)
    return vptr__cuda_array_refuse_shape(call, extent, flags, "a flag is none of cudaArray*");
  if ((flags & cudaArrayCubemap) != 0) {
    cudaError_t error = check_cube(call, extent, flags);
    if (error != cudaSuccess)
      return error;
  }
  if ((flags & ~serves) == 0)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: flags 0x%x: arrays are neither sparse nor shared with graphics", call,
              flags);
  return cudaErrorNotSupported;
}

/* The kind of image, by which of its extents are there. */
static cudaError_t choose_type(const char *call, const struct cudaExtent *extent, unsigned flags,
                               cl_mem_object_type *type_out) {
  bool layered = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
  if (extent->width == 0)
    return vptr__cuda_array_refuse_shape(call, extent, flags, "there is no width");
  if (layered && extent->depth == 0)
    return vptr__cuda_array_refuse_shape(call, extent, flags,
                                         "layers are counted by the depth, which cudaMalloc3DArray() has");
  if (!layered && extent->depth > 0 && extent->height == 0)
    return vptr__cuda_array_refuse_shape(call, extent, flags,
                                         "slices need a height; cudaArrayLayered makes layers of rows");
  if ((flags & cudaArrayTextureGather) != 0 && (extent->height == 0 || extent->depth > 0))
    return vptr__cuda_array_refuse_shape(call, extent, flags, "cudaArrayTextureGather is for two dimensions");
  if (layered)
    *type_out = extent->height == 0 ? CL_MEM_OBJECT_IMAGE1D_ARRAY : CL_MEM_OBJECT_IMAGE2D_ARRAY;
  else if (extent->depth > 0)
    *type_out = CL_MEM_OBJECT_IMAGE3D;
  else
    *type_out = extent->height == 0 ? CL_MEM_OBJECT_IMAGE1D : CL_MEM_OBJECT_IMAGE2D;
  return cudaSuccess;
}

/* ---- limits --------------------------------------------------------------------------------------------- */

/* The attributes that bound an extent; cudaDevAttrMax: the kind has no such dimension. */
typedef struct bounds {
  enum cudaDeviceAttr of[3];
} bounds;

static bounds bounds_of(cl_mem_object_type type) {
  const enum cudaDeviceAttr none = cudaDevAttrMax;
  switch (type) {
  case CL_MEM_OBJECT_IMAGE1D:
    return (bounds){ { cudaDevAttrMaxTexture1DWidth, none, none } };
  case CL_MEM_OBJECT_IMAGE2D:
    return (bounds){ { cudaDevAttrMaxTexture2DWidth, cudaDevAttrMaxTexture2DHeight, none } };
  case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    return (bounds){ { cudaDevAttrMaxTexture1DLayeredWidth, none, cudaDevAttrMaxTexture1DLayeredLayers } };
  case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    return (bounds){ { cudaDevAttrMaxTexture2DLayeredWidth, cudaDevAttrMaxTexture2DLayeredHeight,
                       cudaDevAttrMaxTexture2DLayeredLayers } };
  default:
    return (bounds){ { cudaDevAttrMaxTexture3DWidth, cudaDevAttrMaxTexture3DHeight, cudaDevAttrMaxTexture3DDepth } };
  }
}

static cudaError_t check_size(const char *call, int device, const struct cudaExtent *extent,
                              cl_mem_object_type type) {
  const bounds bounds = bounds_of(type);
  const size_t wanted[3] = { extent->width, extent->height, extent->depth };
  for (int i = 0; i < 3; i++) {
    int most = 0;
    if (bounds.of[i] == cudaDevAttrMax || cudaDeviceGetAttribute(&most, bounds.of[i], device) != cudaSuccess)
      continue;
    if (wanted[i] <= (size_t)most)
      continue;
    vptr__error(VPTR_ERROR_INVALID_SIZE, "%s: extent %zu, %zu, %zu: %s may be %d on this device", call, wanted[0],
                wanted[1], wanted[2],
                i == 0   ? "width"
                : i == 1 ? "height"
                         : "depth",
                most);
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaError_t vptr__cuda_array_shape(const char *call, int device, const struct cudaExtent *extent, unsigned flags,
                                   cl_mem_object_type *type_out) {
  cudaError_t error = check_flags(call, extent, flags);
  if (error == cudaSuccess)
    error = choose_type(call, extent, flags, type_out);
  return error == cudaSuccess ? check_size(call, device, extent, *type_out) : error;
}

/* ---- linear memory -------------------------------------------------------------------------------------- */

static cudaError_t get_linear_width(size_t *width_out, const struct cudaChannelFormatDesc *desc, int device) {
  static const char what[] = "cudaDeviceGetTexture1DLinearMaxWidth";
  vptr__cuda_subject subject;
  struct cudaDeviceProp prop;
  cl_image_format format;
  size_t element;
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  if (width_out == NULL)
    return vptr__cuda_null_output(what, "maxWidthInElements");
  if (desc == NULL) {
    vptr__error(VPTR_ERROR_NULL_POINTER, "%s: fmtDesc is NULL, and says what the elements are", what);
    return cudaErrorInvalidValue;
  }
  error = vptr__cuda_subject_of(what, device, &subject);
  if (error == cudaSuccess)
    error = vptr__cuda_channel_format(what, desc, false, &format, &element);
  if (error == cudaSuccess)
    error = vptr__cuda_get_properties(&prop, device);
  if (error != cudaSuccess)
    return error;
  size_t most = (size_t)prop.maxTexture1DLinear, room = prop.totalGlobalMem / element;
  *width_out = most < room ? most : room;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements,
                                                 const struct cudaChannelFormatDesc *fmtDesc, int device) {
  return vptr__cuda_record(get_linear_width(maxWidthInElements, fmtDesc, device));
}
