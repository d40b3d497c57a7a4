/* SPDX-License-Identifier: MIT */
/*
 * channel - what the elements of arrays and textures are: CUDA's words for it, and OpenCL's.
 *
 * CUDA says how many bits each channel has, and only a texture says whether integers are read as they are or as
 * normalized floats. OpenCL says both in one format. No data, no locks. Called by array.c, array_shape.c, mipmap.c,
 * texture.c and view.c.
 */
#ifndef VPTR_CUDA_CHANNEL_H
#define VPTR_CUDA_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include <vptr/cuda/driver_types.h>
#include <vptr/vptr.h>

/* OpenCL's format and the bytes of one element. normalized: 8- and 16-bit integers shall be read as floats; nothing
 * else minds. Errors, said for call: cudaErrorInvalidChannelDescriptor (CUDA has no such elements either),
 * cudaErrorNotSupported (CUDA has them: compressed, planar, packed). */
cudaError_t vptr__cuda_channel_format(const char *call, const struct cudaChannelFormatDesc *desc, bool normalized,
                                      cl_image_format *format_out, size_t *element_out);

/* What vptr__texel_entry.how says of such an element (mapper/texel_table.h). The format is one that there is. */
uint32_t vptr__cuda_channel_how(const cl_image_format *format);

/* Whether kernels read elements of a format as floats. */
bool vptr__cuda_channel_is_float(const cl_image_format *format);

/* The view format of CUDA's that says the same, or cudaResViewFormatNone. */
enum cudaResourceViewFormat vptr__cuda_channel_view(const struct cudaChannelFormatDesc *desc);

/* The other way round; false: it is none, or of compressed blocks. */
bool vptr__cuda_channel_of_view(enum cudaResourceViewFormat view, bool normalized, cl_image_format *format_out,
                                size_t *element_out);

#endif
