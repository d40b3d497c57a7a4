/* SPDX-License-Identifier: MIT */
/*
 * view - whether a resource view is one of an array, and what it sees (view.h).
 *
 * Arrays lie in memory, row by row, and a texture's entry says where and how (mapper/texel_table.h): so another format
 * of as many bytes, a level to begin with, and a layer to begin with are other numbers there. An image of OpenCL's has
 * one format and begins with its beginning; who makes one asks is_whole. No data, no locks. Called by texture.c.
 * Nothing blocks.
 */
#include "cuda/view.h"

#include "base/error.h"
#include "cuda/channel.h"

static cudaError_t refuse(const char *call, const char *why) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s", call, why);
  return cudaErrorInvalidValue;
}

static cudaError_t refuse_for_now(const char *call, const char *why) {
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: %s", call, why);
  return cudaErrorNotSupported;
}

static bool is_layered(const vptr__cuda_array *array) {
  return (array->flags & cudaArrayLayered) != 0;
}

/* Blocks that are compressed would be another size than the array's; others are not. */
static cudaError_t check_extent(const char *call, const struct cudaResourceViewDesc *view,
                                const vptr__cuda_array *array) {
  if (view->width != array->extent.width || view->height != array->extent.height ||
      (view->depth != array->extent.depth && (view->depth != 0 || !is_layered(array)))) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the view is %zu x %zu x %zu, and the array %zu x %zu x %zu", call,
                view->width, view->height, view->depth, array->extent.width, array->extent.height,
                array->extent.depth);
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

static cudaError_t look_at_format(const char *call, const struct cudaResourceViewDesc *view,
                                  const vptr__cuda_array *array, bool normalized, cl_image_format *format) {
  cl_image_format seen;
  size_t element;
  if (view->format == cudaResViewFormatNone || view->format == vptr__cuda_channel_view(&array->desc))
    return cudaSuccess;
  if (view->format >= cudaResViewFormatUnsignedBlockCompressed1 &&
      view->format <= cudaResViewFormatUnsignedBlockCompressed7)
    return refuse_for_now(call, "the view's format is of compressed blocks, and no array has any");
  if (!vptr__cuda_channel_of_view(view->format, normalized, &seen, &element))
    return refuse(call, "the view's format is none of cudaResViewFormat*");
  if (element != array->image.element) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: elements of the view's format have %zu bytes, and the array's %zu",
                call, element, array->image.element);
    return cudaErrorInvalidValue;
  }
  *format = seen;
  return cudaSuccess;
}

static cudaError_t look_at_levels(const char *call, const struct cudaResourceViewDesc *view, uint32_t levels,
                                  vptr__cuda_view *seen) {
  if (view->firstMipmapLevel > view->lastMipmapLevel || view->lastMipmapLevel >= levels) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: levels %u to %u of %u", call, view->firstMipmapLevel,
                view->lastMipmapLevel, levels);
    return cudaErrorInvalidValue;
  }
  seen->first_level = view->firstMipmapLevel;
  seen->levels = view->lastMipmapLevel - view->firstMipmapLevel + 1;
  return cudaSuccess;
}

static cudaError_t look_at_layers(const char *call, const struct cudaResourceViewDesc *view,
                                  const vptr__cuda_array *array, vptr__cuda_view *seen) {
  const bool is_cube = (array->flags & cudaArrayCubemap) != 0;
  const uint32_t layers = is_layered(array) || is_cube ? (uint32_t)array->extent.depth : 1;
  if (view->firstLayer > view->lastLayer || view->lastLayer >= layers) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: layers %u to %u of %u", call, view->firstLayer, view->lastLayer,
                layers);
    return cudaErrorInvalidValue;
  }
  if (layers == 1 || (is_cube && view->lastLayer == 0))
    return cudaSuccess;
  seen->first_layer = view->firstLayer;
  seen->layers = view->lastLayer - view->firstLayer + 1;
  if (seen->layers < layers && is_cube)
    return refuse_for_now(call, "the view is of some faces of a cube: see all of them");
  if (seen->layers < layers && seen->levels > 1)
    return refuse_for_now(call, "the view is of some layers of several levels: see one level, or all layers");
  return cudaSuccess;
}

cudaError_t vptr__cuda_view_look(const char *call, const struct cudaResourceViewDesc *view,
                                 const vptr__cuda_array *array, uint32_t levels, bool normalized,
                                 cl_image_format *format, vptr__cuda_view *seen_out) {
  const cl_image_format own = *format;
  cudaError_t error = check_extent(call, view, array);
  if (error == cudaSuccess)
    error = look_at_format(call, view, array, normalized, format);
  if (error == cudaSuccess)
    error = look_at_levels(call, view, levels, seen_out);
  if (error == cudaSuccess)
    error = look_at_layers(call, view, array, seen_out);
  seen_out->is_whole = format->image_channel_order == own.image_channel_order &&
                       format->image_channel_data_type == own.image_channel_data_type && seen_out->levels == levels &&
                       (seen_out->layers == 0 || seen_out->layers == array->extent.depth);
  return error;
}
