/* SPDX-License-Identifier: MIT */
/*
 * sampler - how CUDA's textures read, in OpenCL's words.
 *
 *     CUDA      OpenCL                  and
 *     wrap      REPEAT                  normalized coordinates; without, CUDA takes clamp
 *     mirror    MIRRORED_REPEAT         the same
 *     clamp     CLAMP_TO_EDGE
 *     border    CLAMP                   a border of zeros, the only one that OpenCL has
 *     point     NEAREST
 *     linear    LINEAR                  elements that are read as floats
 *
 * An OpenCL sampler has one mode for all dimensions. What cannot be said is refused, never approximated. Kernels in
 * CUDA have all of it: they compute what a sampler does (lib/translate/emit/prelude/texture.cl). No data, no locks.
 * Called by texture.c and texture_object.c.
 */
#ifndef VPTR_CUDA_SAMPLER_H
#define VPTR_CUDA_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include <vptr/cuda/texture_types.h>

#include "device/device.h"

/* Whether CUDA has such textures; said of `call`. dimensions: 1 to 3, of coordinates that are addressed, layers not
 * counted. is_float: kernels read floats. Errors: cudaErrorInvalidValue (no such mode), cudaErrorInvalidFilterSetting
 * (linear, of integers). */
cudaError_t vptr__cuda_sampler_check(const char *call, const struct cudaTextureDesc *desc, int dimensions,
                                     bool is_float);

/* What vptr__texel_entry.how says of it (mapper/texel_table.h). */
uint32_t vptr__cuda_sampler_how(const struct cudaTextureDesc *desc);

/* The OpenCL sampler of a description that was checked. Errors: cudaErrorNotSupported (modes that differ, a coloured
 * border, sRGB). */
cudaError_t vptr__cuda_sampler_of(const struct cudaTextureDesc *desc, int dimensions, vptr__sampler *sampler_out);

#endif
