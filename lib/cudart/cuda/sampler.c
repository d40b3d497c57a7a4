/* SPDX-License-Identifier: MIT */
/*
 * sampler - from a texture's description to an OpenCL sampler's (sampler.h).
 *
 * There is no data but constants, and no lock. Called by texture.c for each texture, and by texture_object.c for those
 * that are an argument of the program's own kernels. Nothing blocks; what OpenCL cannot do is refused with a message.
 */
#include "cuda/sampler.h"

#include "base/error.h"
#include "mapper/texel_table.h"

static cudaError_t refuse_sampler(const char *call, cudaError_t error, const char *why) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s", call, why);
  return error;
}

static cudaError_t refuse_for_opencl(const char *why) {
  vptr__error(VPTR_ERROR_UNSUPPORTED, "vptr_cuda_set_texture_arg: %s", why);
  return cudaErrorNotSupported;
}

static cudaError_t check_values(const char *call, const struct cudaTextureDesc *desc, int dimensions) {
  for (int i = 0; i < dimensions; i++)
    if ((unsigned)desc->addressMode[i] > cudaAddressModeBorder)
      return refuse_sampler(call, cudaErrorInvalidValue, "an addressMode is none of wrap, clamp, mirror and border");
  if ((unsigned)desc->filterMode > cudaFilterModeLinear)
    return refuse_sampler(call, cudaErrorInvalidValue, "filterMode is neither point nor linear");
  if ((unsigned)desc->readMode > cudaReadModeNormalizedFloat)
    return refuse_sampler(call, cudaErrorInvalidValue, "readMode is neither element type nor normalized float");
  return cudaSuccess;
}

/* Without normalized coordinates there is nothing to wrap around: CUDA clamps then. */
static enum cudaTextureAddressMode mode_of(const struct cudaTextureDesc *desc, int dimension) {
  enum cudaTextureAddressMode mode = desc->addressMode[dimension];
  bool repeats = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
  return repeats && !desc->normalizedCoords ? cudaAddressModeClamp : mode;
}

static bool has_colour(const float border[4]) {
  return border[0] != 0 || border[1] != 0 || border[2] != 0 || border[3] != 0;
}

cudaError_t vptr__cuda_sampler_check(const char *call, const struct cudaTextureDesc *desc, int dimensions,
                                     bool is_float) {
  cudaError_t error = check_values(call, desc, dimensions);
  if (error == cudaSuccess && desc->filterMode == cudaFilterModeLinear && !is_float)
    return refuse_sampler(call, cudaErrorInvalidFilterSetting,
                          "integers are filtered only where they are read as floats: cudaReadModeNormalizedFloat");
  return error;
}

uint32_t vptr__cuda_sampler_how(const struct cudaTextureDesc *desc) {
  uint32_t how = desc->filterMode == cudaFilterModeLinear ? VPTR__TEXEL_LINEAR : 0;
  if (desc->normalizedCoords)
    how |= VPTR__TEXEL_NORMALIZED;
  for (int i = 0; i < 3; i++)
    how |= ((uint32_t)mode_of(desc, i) & 3u) << (VPTR__TEXEL_MODES + 2 * i);
  return how;
}

cudaError_t vptr__cuda_sampler_of(const struct cudaTextureDesc *desc, int dimensions, vptr__sampler *sampler_out) {
  static const cl_addressing_mode modes[] = { [cudaAddressModeWrap] = CL_ADDRESS_REPEAT,
                                              [cudaAddressModeClamp] = CL_ADDRESS_CLAMP_TO_EDGE,
                                              [cudaAddressModeMirror] = CL_ADDRESS_MIRRORED_REPEAT,
                                              [cudaAddressModeBorder] = CL_ADDRESS_CLAMP };
  enum cudaTextureAddressMode mode = mode_of(desc, 0);
  for (int i = 1; i < dimensions; i++)
    if (mode_of(desc, i) != mode)
      return refuse_for_opencl("an OpenCL sampler has one addressMode for all dimensions");
  if (mode == cudaAddressModeBorder && has_colour(desc->borderColor))
    return refuse_for_opencl("OpenCL has no border but one of zeros");
  if (desc->sRGB)
    return refuse_for_opencl("sRGB is not converted by OpenCL's images");
  sampler_out->normalized = desc->normalizedCoords != 0;
  sampler_out->addressing = modes[mode];
  sampler_out->filter = desc->filterMode == cudaFilterModeLinear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST;
  return cudaSuccess;
}
