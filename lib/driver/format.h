/* SPDX-License-Identifier: MIT */
/* format - elements of arrays and textures, by the driver's words and the runtime's; see format.c. */
#ifndef VPTR_DRIVER_FORMAT_H
#define VPTR_DRIVER_FORMAT_H

#include <vptr/cuda/cuda.h>
#include <vptr/cuda/driver_types.h>

/* INVALID_VALUE: not 1, 2 or 4 channels, or no format. NOT_SUPPORTED: one of textures or video. */
CUresult vptr__driver_to_channels(const char *call, CUarray_format format, unsigned channels,
                                  struct cudaChannelFormatDesc *desc_out);

void vptr__driver_from_channels(const struct cudaChannelFormatDesc *desc, CUarray_format *format_out,
                                unsigned *channels_out);

#endif
