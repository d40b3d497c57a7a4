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
 * An OpenCL sampler has one mode for all dimensions. What cannot be said is refused, never approximated. No state.
 */
#ifndef VPTR_CUDA_SAMPLER_H
#define VPTR_CUDA_SAMPLER_H

#include <stdbool.h>

#include <vptr/cuda/texture_types.h>

#include "device/device.h"

/* dimensions: 1 to 3, of coordinates that are addressed, layers not counted. is_float: kernels read floats.
 * Errors: cudaErrorInvalidValue (no such mode), cudaErrorInvalidFilterSetting (linear, of integers),
 * cudaErrorNotSupported (modes that differ, a coloured border, sRGB). */
cudaError_t vptr__cuda_sampler_of(const struct cudaTextureDesc *desc, int dimensions, bool is_float,
                                  vptr__sampler *sampler_out);

#endif
