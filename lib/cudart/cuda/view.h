/* SPDX-License-Identifier: MIT */
/*
 * view - what a texture sees of an array by a resource view: in which format, and which levels and layers of it.
 *
 * No data, no locks. Called by texture.c.
 */
#ifndef VPTR_CUDA_VIEW_H
#define VPTR_CUDA_VIEW_H

#include "cuda/array.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct vptr__cuda_view {
  uint32_t first_level, levels; /* of a mipmapped array; else 0 and 1 */
  uint32_t first_layer, layers; /* slices of a layered array; layers 0: all there are */
  bool is_whole;                /* all of it, in its own format */
} vptr__cuda_view;

/* What is seen of an array, of one level or the first of several; *format, which is the array's own for this reading,
 * becomes that of the view. Errors, which are said: cudaErrorInvalidValue (another size than the array's, levels or
 * layers that are not there, elements of another size), cudaErrorNotSupported (compressed formats, some faces of cubes,
 * some layers of several levels). */
cudaError_t vptr__cuda_view_look(const char *call, const struct cudaResourceViewDesc *view,
                                 const vptr__cuda_array *array, uint32_t levels, bool normalized,
                                 cl_image_format *format, vptr__cuda_view *seen_out);

#endif
