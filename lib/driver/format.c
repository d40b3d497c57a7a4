/* SPDX-License-Identifier: MIT */
/*
 * format - what elements of arrays and textures are: the driver says it by a format and a number of channels, the
 * runtime by the bits of each channel.
 *
 * Constant; no locks. Called by array.c, object.c and reference_call.c.
 */
#include "driver/format.h"

#include "base/error.h"
#include "driver/result.h"

/* What both call the same: elements of one channel. */
static const struct {
  CUarray_format format;
  enum cudaChannelFormatKind kind;
  int bits;
} formats[] = {
  { CU_AD_FORMAT_UNSIGNED_INT8, cudaChannelFormatKindUnsigned, 8 },
  { CU_AD_FORMAT_UNSIGNED_INT16, cudaChannelFormatKindUnsigned, 16 },
  { CU_AD_FORMAT_UNSIGNED_INT32, cudaChannelFormatKindUnsigned, 32 },
  { CU_AD_FORMAT_SIGNED_INT8, cudaChannelFormatKindSigned, 8 },
  { CU_AD_FORMAT_SIGNED_INT16, cudaChannelFormatKindSigned, 16 },
  { CU_AD_FORMAT_SIGNED_INT32, cudaChannelFormatKindSigned, 32 },
  { CU_AD_FORMAT_HALF, cudaChannelFormatKindFloat, 16 },
  { CU_AD_FORMAT_FLOAT, cudaChannelFormatKindFloat, 32 },
};

enum { FORMATS = sizeof formats / sizeof *formats, PACKED_FORMAT = 0x50 /* the first of a texture's or a video's */ };

static CUresult refuse_format(const char *call, CUarray_format format) {
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: format 0x%x: arrays hold integers of 8, 16 and 32 bits, half and float",
              call, (unsigned)format);
  return (unsigned)format >= PACKED_FORMAT && (unsigned)format <= 0xff ? CUDA_ERROR_NOT_SUPPORTED
                                                                       : CUDA_ERROR_INVALID_VALUE;
}

CUresult vptr__driver_to_channels(const char *call, CUarray_format format, unsigned channels,
                                  struct cudaChannelFormatDesc *desc_out) {
  int i = 0;
  while (i < FORMATS && formats[i].format != format)
    i++;
  if (i == FORMATS)
    return refuse_format(call, format);
  if (channels != 1 && channels != 2 && channels != 4) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %u channels; an element has 1, 2 or 4", call, channels);
    return vptr__driver_refuse(CUDA_ERROR_INVALID_VALUE);
  }
  int bits = formats[i].bits, second = channels > 1 ? bits : 0, others = channels > 2 ? bits : 0;
  *desc_out = (struct cudaChannelFormatDesc){ bits, second, others, others, formats[i].kind };
  return CUDA_SUCCESS;
}

/* Arrays of the runtime have no other elements either. */
void vptr__driver_from_channels(const struct cudaChannelFormatDesc *desc, CUarray_format *format_out,
                                unsigned *channels_out) {
  *channels_out = desc->w > 0 ? 4 : desc->y > 0 ? 2 : 1;
  for (int i = 0; i < FORMATS; i++)
    if (formats[i].kind == desc->f && formats[i].bits == desc->x)
      *format_out = formats[i].format;
}
