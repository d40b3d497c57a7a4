/* SPDX-License-Identifier: MIT */
/*
 * channel - the table of CUDA's channel formats and OpenCL's (channel.h).
 *
 * There is no data but constant tables (`types`, `normalized_kinds`), and no lock. Called by programs, for
 * cudaCreateChannelDesc() and cudaGetChannelDesc(), and by driver/object.c, for the latter; by cuda/array.c and
 * mipmap.c, for an array's elements; by texture.c and view.c, for what a texture reads; and by array_shape.c, for how
 * many elements linear memory may have. Nothing blocks; a format that OpenCL has not is refused with a message.
 */
#include "cuda/channel.h"

#include "base/error.h"
#include "cuda/error.h"
#include "mapper/texel_table.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* One row for each kind and width that both sides have. */
typedef struct channel_type {
  enum cudaChannelFormatKind kind;
  int bits;
  cl_channel_type plain, normalized;
  enum cudaResourceViewFormat view; /* of one channel; two and four channels come next */
} channel_type;

static const channel_type types[] = {
  { cudaChannelFormatKindUnsigned, 8, CL_UNSIGNED_INT8, CL_UNORM_INT8, cudaResViewFormatUnsignedChar1 },
  { cudaChannelFormatKindSigned, 8, CL_SIGNED_INT8, CL_SNORM_INT8, cudaResViewFormatSignedChar1 },
  { cudaChannelFormatKindUnsigned, 16, CL_UNSIGNED_INT16, CL_UNORM_INT16, cudaResViewFormatUnsignedShort1 },
  { cudaChannelFormatKindSigned, 16, CL_SIGNED_INT16, CL_SNORM_INT16, cudaResViewFormatSignedShort1 },
  { cudaChannelFormatKindUnsigned, 32, CL_UNSIGNED_INT32, CL_UNSIGNED_INT32, cudaResViewFormatUnsignedInt1 },
  { cudaChannelFormatKindSigned, 32, CL_SIGNED_INT32, CL_SIGNED_INT32, cudaResViewFormatSignedInt1 },
  { cudaChannelFormatKindFloat, 16, CL_HALF_FLOAT, CL_HALF_FLOAT, cudaResViewFormatHalf1 },
  { cudaChannelFormatKindFloat, 32, CL_FLOAT, CL_FLOAT, cudaResViewFormatFloat1 },
};

/* Kinds that name bits and count themselves: integers that are always read as floats. */
typedef struct normalized_kind {
  enum cudaChannelFormatKind first; /* of one channel; two and four channels come next */
  int bits;
  cl_channel_type type;
} normalized_kind;

static const normalized_kind normalized_kinds[] = {
  { cudaChannelFormatKindUnsignedNormalized8X1, 8, CL_UNORM_INT8 },
  { cudaChannelFormatKindUnsignedNormalized16X1, 16, CL_UNORM_INT16 },
  { cudaChannelFormatKindSignedNormalized8X1, 8, CL_SNORM_INT8 },
  { cudaChannelFormatKindSignedNormalized16X1, 16, CL_SNORM_INT16 },
};

/* How many channels there are: 1, 2 or 4, all as wide as the first; 0 for anything else. */
static int count_of(const struct cudaChannelFormatDesc *desc) {
  int x = desc->x, y = desc->y, z = desc->z, w = desc->w;
  if (x <= 0 || (y != 0 && y != x) || (z != 0 && z != x) || (w != 0 && w != x))
    return 0;
  if (y == 0)
    return z == 0 && w == 0 ? 1 : 0;
  if (z == 0)
    return w == 0 ? 2 : 0;
  return w != 0 ? 4 : 0;
}

static const channel_type *find_type(const struct cudaChannelFormatDesc *desc) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].kind == desc->f && types[i].bits == desc->x)
      return &types[i];
  return NULL;
}

static bool find_normalized(const struct cudaChannelFormatDesc *desc, int count, cl_channel_type *type_out) {
  for (size_t i = 0; i < sizeof normalized_kinds / sizeof *normalized_kinds; i++) {
    const normalized_kind *kind = &normalized_kinds[i];
    if ((int)desc->f == (int)kind->first + count / 2 && desc->x == kind->bits) {
      *type_out = kind->type;
      return true;
    }
  }
  return false;
}

static bool is_foreign(enum cudaChannelFormatKind kind) {
  return kind == cudaChannelFormatKindNV12 || (kind >= cudaChannelFormatKindUnsignedBlockCompressed1 &&
                                               kind <= cudaChannelFormatKindUnsignedNormalized1010102);
}

cudaError_t vptr__cuda_channel_format(const char *call, const struct cudaChannelFormatDesc *desc, bool normalized,
                                      cl_image_format *format_out, size_t *element_out) {
  int count = count_of(desc);
  const channel_type *found = find_type(desc);
  cl_channel_type type = found == NULL ? 0 : normalized ? found->normalized : found->plain;
  if (is_foreign(desc->f)) {
    vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: OpenCL has no compressed, planar or packed elements (kind %d)", call,
                (int)desc->f);
    return cudaErrorNotSupported;
  }
  if (count == 0 || (found == NULL && !find_normalized(desc, count, &type))) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                "%s: no element has channels of %d, %d, %d, %d bits of kind %d; there are 1, 2 or 4 of equal width",
                call, desc->x, desc->y, desc->z, desc->w, (int)desc->f);
    return cudaErrorInvalidChannelDescriptor;
  }
  format_out->image_channel_order = count == 1 ? CL_R : count == 2 ? CL_RG : CL_RGBA;
  format_out->image_channel_data_type = type;
  *element_out = (size_t)(count * desc->x / 8);
  return cudaSuccess;
}

bool vptr__cuda_channel_is_float(const cl_image_format *format) {
  switch (format->image_channel_data_type) {
  case CL_UNSIGNED_INT8:
  case CL_UNSIGNED_INT16:
  case CL_UNSIGNED_INT32:
  case CL_SIGNED_INT8:
  case CL_SIGNED_INT16:
  case CL_SIGNED_INT32:
    return false;
  default:
    return true;
  }
}

uint32_t vptr__cuda_channel_how(const cl_image_format *format) {
  static const struct {
    cl_channel_type type;
    uint32_t how;
  } rows[] = {
    { CL_UNSIGNED_INT8, 0 },
    { CL_UNSIGNED_INT16, 1 },
    { CL_UNSIGNED_INT32, 2 },
    { CL_SIGNED_INT8, 0 | VPTR__TEXEL_SIGNED },
    { CL_SIGNED_INT16, 1 | VPTR__TEXEL_SIGNED },
    { CL_SIGNED_INT32, 2 | VPTR__TEXEL_SIGNED },
    { CL_UNORM_INT8, 0 | VPTR__TEXEL_AS_FLOAT },
    { CL_UNORM_INT16, 1 | VPTR__TEXEL_AS_FLOAT },
    { CL_SNORM_INT8, 0 | VPTR__TEXEL_SIGNED | VPTR__TEXEL_AS_FLOAT },
    { CL_SNORM_INT16, 1 | VPTR__TEXEL_SIGNED | VPTR__TEXEL_AS_FLOAT },
    { CL_HALF_FLOAT, 1 | VPTR__TEXEL_FLOAT },
    { CL_FLOAT, 2 | VPTR__TEXEL_FLOAT },
  };
  uint32_t channels = format->image_channel_order == CL_R ? 0 : format->image_channel_order == CL_RG ? 1 : 3;
  uint32_t how = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].type == format->image_channel_data_type)
      how = rows[i].how;
  return how | channels << VPTR__TEXEL_CHANNELS;
}

enum cudaResourceViewFormat vptr__cuda_channel_view(const struct cudaChannelFormatDesc *desc) {
  int count = count_of(desc);
  const channel_type *found = find_type(desc);
  return count > 0 && found != NULL ? (enum cudaResourceViewFormat)((int)found->view + count / 2)
                                    : cudaResViewFormatNone;
}

bool vptr__cuda_channel_of_view(enum cudaResourceViewFormat view, bool normalized, cl_image_format *format_out,
                                size_t *element_out) {
  static const cl_channel_order orders[] = { CL_R, CL_RG, CL_RGBA };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    const int at = (int)view - (int)types[i].view;
    if (at < 0 || at > 2)
      continue;
    format_out->image_channel_order = orders[at];
    format_out->image_channel_data_type = normalized ? types[i].normalized : types[i].plain;
    *element_out = ((size_t)types[i].bits / 8) << at;
    return true;
  }
  return false;
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f) {
  return (struct cudaChannelFormatDesc){ x, y, z, w, f };
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array) {
  if (desc == NULL)
    return vptr__cuda_record(vptr__cuda_null_output("cudaGetChannelDesc", "desc"));
  return cudaArrayGetInfo(desc, NULL, NULL, (cudaArray_t)(uintptr_t)array);
}
