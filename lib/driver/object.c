/* SPDX-License-Identifier: MIT */
/*
 * object - cuTexObject*(), cuSurfObject*(): the runtime's texture and surface objects, whose handles are the driver's.
 *
 * Elements are format.c's business. How small integers are read is a flag here and a word of its own there, which means
 * nothing for other elements; so what an object is made over is asked for its elements first. No state, no locks.
 * Called by programs, directly or by the table in entry.c. Calls wait for what the runtime's wait for.
 */
#include <string.h>

#include "base/error.h"
#include "driver/context.h"
#include "driver/format.h"
#include "driver/result.h"

#include <vptr/cuda/cuda_runtime_api.h>

_Static_assert(sizeof(CUDA_RESOURCE_VIEW_DESC) == sizeof(struct cudaResourceViewDesc) &&
                   (int)CU_RES_VIEW_FORMAT_UNSIGNED_BC7 == (int)cudaResViewFormatUnsignedBlockCompressed7 &&
                   (int)CU_RESOURCE_TYPE_PITCH2D == (int)cudaResourceTypePitch2D &&
                   (int)CU_TR_ADDRESS_MODE_BORDER == (int)cudaAddressModeBorder &&
                   (int)CU_TR_FILTER_MODE_LINEAR == (int)cudaFilterModeLinear,
               "the runtime's, by other names");

enum {
  KNOWN_FLAGS = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | CU_TRSF_SEAMLESS_CUBEMAP
};

/* ---- what they are made over ---------------------------------------------------------------------------- */

static CUresult to_resource(const char *call, const CUDA_RESOURCE_DESC *from, struct cudaResourceDesc *to) {
  memset(to, 0, sizeof *to);
  to->resType = (enum cudaResourceType)from->resType;
  if (from->flags != 0)
    return vptr__driver_invalid(call, "the resource's flags are 0");
  switch (from->resType) {
  case CU_RESOURCE_TYPE_ARRAY:
    to->res.array.array = (cudaArray_t)from->res.array.hArray;
    return CUDA_SUCCESS;
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
    to->res.mipmap.mipmap = (cudaMipmappedArray_t)from->res.mipmap.hMipmappedArray;
    return CUDA_SUCCESS;
  case CU_RESOURCE_TYPE_LINEAR:
    to->res.linear.devPtr = (void *)(uintptr_t)from->res.linear.devPtr;
    to->res.linear.sizeInBytes = from->res.linear.sizeInBytes;
    return vptr__driver_to_channels(call, from->res.linear.format, from->res.linear.numChannels,
                                    &to->res.linear.desc);
  case CU_RESOURCE_TYPE_PITCH2D:
    to->res.pitch2D.devPtr = (void *)(uintptr_t)from->res.pitch2D.devPtr;
    to->res.pitch2D.width = from->res.pitch2D.width;
    to->res.pitch2D.height = from->res.pitch2D.height;
    to->res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
    return vptr__driver_to_channels(call, from->res.pitch2D.format, from->res.pitch2D.numChannels,
                                    &to->res.pitch2D.desc);
  default:
    return vptr__driver_invalid(call, "the resource's type is none of CU_RESOURCE_TYPE_*");
  }
}

static void from_resource(const struct cudaResourceDesc *from, CUDA_RESOURCE_DESC *to) {
  memset(to, 0, sizeof *to);
  to->resType = (CUresourcetype)from->resType;
  switch (from->resType) {
  case cudaResourceTypeArray:
    to->res.array.hArray = (CUarray)from->res.array.array;
    break;
  case cudaResourceTypeMipmappedArray:
    to->res.mipmap.hMipmappedArray = (CUmipmappedArray)from->res.mipmap.mipmap;
    break;
  case cudaResourceTypeLinear:
    to->res.linear.devPtr = (CUdeviceptr)(uintptr_t)from->res.linear.devPtr;
    to->res.linear.sizeInBytes = from->res.linear.sizeInBytes;
    vptr__driver_from_channels(&from->res.linear.desc, &to->res.linear.format, &to->res.linear.numChannels);
    break;
  default:
    to->res.pitch2D.devPtr = (CUdeviceptr)(uintptr_t)from->res.pitch2D.devPtr;
    to->res.pitch2D.width = from->res.pitch2D.width;
    to->res.pitch2D.height = from->res.pitch2D.height;
    to->res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
    vptr__driver_from_channels(&from->res.pitch2D.desc, &to->res.pitch2D.format, &to->res.pitch2D.numChannels);
  }
}

/* Its elements: of an array that there is none of it is said. */
static CUresult elements_of(const struct cudaResourceDesc *resource, struct cudaChannelFormatDesc *desc_out) {
  cudaArray_t array = resource->resType == cudaResourceTypeArray ? resource->res.array.array : NULL;
  CUresult result = CUDA_SUCCESS;
  if (resource->resType == cudaResourceTypeLinear)
    *desc_out = resource->res.linear.desc;
  else if (resource->resType == cudaResourceTypePitch2D)
    *desc_out = resource->res.pitch2D.desc;
  if (resource->resType == cudaResourceTypeMipmappedArray)
    result = vptr__driver_result(cudaGetMipmappedArrayLevel(&array, resource->res.mipmap.mipmap, 0));
  if (result == CUDA_SUCCESS && resource->resType <= cudaResourceTypeMipmappedArray)
    result = vptr__driver_result(cudaGetChannelDesc(desc_out, array));
  return result;
}

static bool has_small_integers(const struct cudaChannelFormatDesc *desc) {
  return desc->f != cudaChannelFormatKindFloat && desc->x <= 16;
}

/* ---- how they are read ---------------------------------------------------------------------------------- */

static CUresult to_texture(const char *call, const CUDA_TEXTURE_DESC *from, const struct cudaResourceDesc *resource,
                           struct cudaTextureDesc *to) {
  struct cudaChannelFormatDesc elements = { .x = 0 };
  const bool as_integer = (from->flags & CU_TRSF_READ_AS_INTEGER) != 0;
  if ((from->flags & ~(unsigned)KNOWN_FLAGS) != 0)
    return vptr__driver_invalid(call, "the texture's flags are CU_TRSF_*");
  CUresult result = elements_of(resource, &elements);
  if (result != CUDA_SUCCESS)
    return result;
  memset(to, 0, sizeof *to);
  for (int i = 0; i < 3; i++)
    to->addressMode[i] = (enum cudaTextureAddressMode)from->addressMode[i];
  to->filterMode = (enum cudaTextureFilterMode)from->filterMode;
  to->readMode = has_small_integers(&elements) && !as_integer ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  to->sRGB = (from->flags & CU_TRSF_SRGB) != 0;
  memcpy(to->borderColor, from->borderColor, sizeof to->borderColor);
  to->normalizedCoords = (from->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  to->maxAnisotropy = from->maxAnisotropy;
  to->mipmapFilterMode = (enum cudaTextureFilterMode)from->mipmapFilterMode;
  to->mipmapLevelBias = from->mipmapLevelBias;
  to->minMipmapLevelClamp = from->minMipmapLevelClamp;
  to->maxMipmapLevelClamp = from->maxMipmapLevelClamp;
  to->disableTrilinearOptimization = (from->flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
  to->seamlessCubemap = (from->flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
  return CUDA_SUCCESS;
}

static void from_texture(const struct cudaTextureDesc *from, bool reads_integers, CUDA_TEXTURE_DESC *to) {
  memset(to, 0, sizeof *to);
  for (int i = 0; i < 3; i++)
    to->addressMode[i] = (CUaddress_mode)from->addressMode[i];
  to->filterMode = (CUfilter_mode)from->filterMode;
  to->flags = (reads_integers ? (unsigned)CU_TRSF_READ_AS_INTEGER : 0) |
              (from->normalizedCoords != 0 ? (unsigned)CU_TRSF_NORMALIZED_COORDINATES : 0) |
              (from->sRGB != 0 ? (unsigned)CU_TRSF_SRGB : 0) |
              (from->disableTrilinearOptimization != 0 ? (unsigned)CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0) |
              (from->seamlessCubemap != 0 ? (unsigned)CU_TRSF_SEAMLESS_CUBEMAP : 0);
  to->maxAnisotropy = from->maxAnisotropy;
  to->mipmapFilterMode = (CUfilter_mode)from->mipmapFilterMode;
  to->mipmapLevelBias = from->mipmapLevelBias;
  to->minMipmapLevelClamp = from->minMipmapLevelClamp;
  to->maxMipmapLevelClamp = from->maxMipmapLevelClamp;
  memcpy(to->borderColor, from->borderColor, sizeof to->borderColor);
}

/* ---- textures ------------------------------------------------------------------------------------------- */

CUresult cuTexObjectCreate(CUtexObject *pTexObject, const CUDA_RESOURCE_DESC *pResDesc,
                           const CUDA_TEXTURE_DESC *pTexDesc, const CUDA_RESOURCE_VIEW_DESC *pResViewDesc) {
  static const char call[] = "cuTexObjectCreate";
  struct cudaResourceDesc resource;
  struct cudaTextureDesc texture;
  cudaTextureObject_t made = 0;
  CUresult result = vptr__driver_check_pointer(vptr__driver_enter(NULL), call, pTexObject, "pTexObject");
  result = vptr__driver_check_pointer(result, call, pResDesc, "pResDesc");
  result = vptr__driver_check_pointer(result, call, pTexDesc, "pTexDesc");
  if (result == CUDA_SUCCESS)
    result = to_resource(call, pResDesc, &resource);
  if (result == CUDA_SUCCESS)
    result = to_texture(call, pTexDesc, &resource, &texture);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(cudaCreateTextureObject(&made, &resource, &texture, (const void *)pResViewDesc));
  if (result == CUDA_SUCCESS)
    *pTexObject = made;
  return result;
}

CUresult cuTexObjectDestroy(CUtexObject texObject) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaDestroyTextureObject(texObject)) : result;
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc, CUtexObject texObject) {
  struct cudaResourceDesc resource;
  CUresult result =
      vptr__driver_check_pointer(vptr__driver_enter(NULL), "cuTexObjectGetResourceDesc", pResDesc, "pResDesc");
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(cudaGetTextureObjectResourceDesc(&resource, texObject));
  if (result == CUDA_SUCCESS)
    from_resource(&resource, pResDesc);
  return result;
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *pTexDesc, CUtexObject texObject) {
  struct cudaResourceDesc resource;
  struct cudaTextureDesc texture;
  struct cudaChannelFormatDesc elements = { .x = 0 };
  CUresult result =
      vptr__driver_check_pointer(vptr__driver_enter(NULL), "cuTexObjectGetTextureDesc", pTexDesc, "pTexDesc");
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(cudaGetTextureObjectResourceDesc(&resource, texObject));
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(cudaGetTextureObjectTextureDesc(&texture, texObject));
  if (result == CUDA_SUCCESS)
    result = elements_of(&resource, &elements);
  if (result == CUDA_SUCCESS)
    from_texture(&texture, has_small_integers(&elements) && texture.readMode == cudaReadModeElementType, pTexDesc);
  return result;
}

/* The runtime's has as many bytes as CUDA 12's, which had none in reserve. */
CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *pResViewDesc, CUtexObject texObject) {
  struct cudaResourceViewDesc view;
  CUresult result = vptr__driver_check_pointer(vptr__driver_enter(NULL), "cuTexObjectGetResourceViewDesc",
                                               pResViewDesc, "pResViewDesc");
  memset(&view, 0, sizeof view);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(cudaGetTextureObjectResourceViewDesc(&view, texObject));
  if (result == CUDA_SUCCESS)
    memcpy(pResViewDesc, &view, sizeof view);
  return result;
}

/* ---- surfaces ------------------------------------------------------------------------------------------- */

CUresult cuSurfObjectCreate(CUsurfObject *pSurfObject, const CUDA_RESOURCE_DESC *pResDesc) {
  static const char call[] = "cuSurfObjectCreate";
  struct cudaResourceDesc resource;
  cudaSurfaceObject_t made = 0;
  CUresult result = vptr__driver_check_pointer(vptr__driver_enter(NULL), call, pSurfObject, "pSurfObject");
  result = vptr__driver_check_pointer(result, call, pResDesc, "pResDesc");
  if (result == CUDA_SUCCESS)
    result = to_resource(call, pResDesc, &resource);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(cudaCreateSurfaceObject(&made, &resource));
  if (result == CUDA_SUCCESS)
    *pSurfObject = made;
  return result;
}

CUresult cuSurfObjectDestroy(CUsurfObject surfObject) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaDestroySurfaceObject(surfObject)) : result;
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc, CUsurfObject surfObject) {
  struct cudaResourceDesc resource;
  CUresult result =
      vptr__driver_check_pointer(vptr__driver_enter(NULL), "cuSurfObjectGetResourceDesc", pResDesc, "pResDesc");
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(cudaGetSurfaceObjectResourceDesc(&resource, surfObject));
  if (result == CUDA_SUCCESS)
    from_resource(&resource, pResDesc);
  return result;
}
