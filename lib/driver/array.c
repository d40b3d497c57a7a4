/* SPDX-License-Identifier: MIT */
/*
 * array - cuArray*(), cuMipmappedArray*(): the runtime's arrays, whose handles are the driver's too.
 *
 * What elements are is format.c's. Flags have the same values in both. No state, no locks. Called by programs, directly
 * or by the table in entry.c.
 * Calls wait for what the runtime's wait for.
 */
#include "base/error.h"
#include "driver/context.h"
#include "driver/format.h"
#include "driver/result.h"
#include "driver/variant.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* ---- life ----------------------------------------------------------------------------------------------- */

static CUresult check_flags(const char *call, unsigned flags) {
  const unsigned elsewhere = CUDA_ARRAY3D_DEPTH_TEXTURE | CUDA_ARRAY3D_VIDEO_ENCODE_DECODE;
  if ((flags & elsewhere) == 0)
    return CUDA_SUCCESS;
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: flags 0x%x: OpenCL images are not shared with graphics or video", call,
              flags);
  return vptr__driver_refuse(CUDA_ERROR_NOT_SUPPORTED);
}

static CUresult create_array(const char *call, CUarray *handle_out, const CUDA_ARRAY3D_DESCRIPTOR *wanted) {
  struct cudaChannelFormatDesc desc;
  cudaArray_t array;
  CUresult result = check_flags(call, wanted->Flags);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_to_channels(call, wanted->Format, wanted->NumChannels, &desc);
  if (result != CUDA_SUCCESS)
    return result;
  const struct cudaExtent extent = { wanted->Width, wanted->Height, wanted->Depth };
  result = vptr__driver_result(cudaMalloc3DArray(&array, &desc, extent, wanted->Flags));
  if (result == CUDA_SUCCESS)
    *handle_out = (CUarray)array;
  return result;
}

CUresult cuArrayCreate_v2(CUarray *pHandle, const CUDA_ARRAY_DESCRIPTOR *pAllocateArray) {
  CUresult result = vptr__driver_enter(NULL);
  if (result == CUDA_SUCCESS && (pHandle == NULL || pAllocateArray == NULL))
    result = vptr__driver_invalid("cuArrayCreate", "the output or the descriptor is NULL");
  if (result != CUDA_SUCCESS)
    return result;
  const CUDA_ARRAY3D_DESCRIPTOR wanted = { .Width = pAllocateArray->Width,
                                           .Height = pAllocateArray->Height,
                                           .Format = pAllocateArray->Format,
                                           .NumChannels = pAllocateArray->NumChannels };
  return create_array("cuArrayCreate", pHandle, &wanted);
}

CUresult cuArray3DCreate_v2(CUarray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pAllocateArray) {
  CUresult result = vptr__driver_enter(NULL);
  if (result == CUDA_SUCCESS && (pHandle == NULL || pAllocateArray == NULL))
    result = vptr__driver_invalid("cuArray3DCreate", "the output or the descriptor is NULL");
  return result == CUDA_SUCCESS ? create_array("cuArray3DCreate", pHandle, pAllocateArray) : result;
}

static CUresult refuse_null(const char *call) {
  vptr__error(VPTR_ERROR_NULL_POINTER, "%s: the array is NULL", call);
  return vptr__driver_refuse(CUDA_ERROR_INVALID_HANDLE);
}

CUresult cuArrayDestroy(CUarray hArray) {
  CUresult result = vptr__driver_enter(NULL);
  if (result == CUDA_SUCCESS && hArray == NULL)
    result = refuse_null("cuArrayDestroy");
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaFreeArray((cudaArray_t)hArray)) : result;
}

/* ---- levels --------------------------------------------------------------------------------------------- */

CUresult cuMipmappedArrayCreate(CUmipmappedArray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pMipmappedArrayDesc,
                                unsigned int numMipmapLevels) {
  static const char call[] = "cuMipmappedArrayCreate";
  const CUDA_ARRAY3D_DESCRIPTOR *wanted = pMipmappedArrayDesc;
  struct cudaChannelFormatDesc desc;
  cudaMipmappedArray_t made;
  CUresult result = vptr__driver_check_pointer(vptr__driver_enter(NULL), call, pHandle, "pHandle");
  result = vptr__driver_check_pointer(result, call, wanted, "pMipmappedArrayDesc");
  if (result == CUDA_SUCCESS)
    result = check_flags(call, wanted->Flags);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_to_channels(call, wanted->Format, wanted->NumChannels, &desc);
  if (result != CUDA_SUCCESS)
    return result;
  const struct cudaExtent extent = { wanted->Width, wanted->Height, wanted->Depth };
  result = vptr__driver_result(cudaMallocMipmappedArray(&made, &desc, extent, numMipmapLevels, wanted->Flags));
  if (result == CUDA_SUCCESS)
    *pHandle = (CUmipmappedArray)made;
  return result;
}

CUresult cuMipmappedArrayGetLevel(CUarray *pLevelArray, CUmipmappedArray hMipmappedArray, unsigned int level) {
  cudaArray_t found;
  CUresult result =
      vptr__driver_check_pointer(vptr__driver_enter(NULL), "cuMipmappedArrayGetLevel", pLevelArray, "pLevelArray");
  if (result == CUDA_SUCCESS)
    result =
        vptr__driver_result(cudaGetMipmappedArrayLevel(&found, (cudaMipmappedArray_const_t)hMipmappedArray, level));
  if (result == CUDA_SUCCESS)
    *pLevelArray = (CUarray)found;
  return result;
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray hMipmappedArray) {
  CUresult result = vptr__driver_enter(NULL);
  if (result == CUDA_SUCCESS && hMipmappedArray == NULL)
    result = refuse_null("cuMipmappedArrayDestroy");
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaFreeMipmappedArray((cudaMipmappedArray_t)hMipmappedArray))
                                : result;
}

/* ---- what it is ----------------------------------------------------------------------------------------- */

static CUresult describe_array(const char *call, CUarray array, const void *output,
                               CUDA_ARRAY3D_DESCRIPTOR *found_out) {
  struct cudaChannelFormatDesc desc;
  struct cudaExtent extent;
  unsigned flags;
  CUresult result = vptr__driver_check_pointer(vptr__driver_enter(NULL), call, output, "the descriptor");
  if (result == CUDA_SUCCESS && array == NULL)
    result = refuse_null(call);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(cudaArrayGetInfo(&desc, &extent, &flags, (cudaArray_t)array));
  if (result != CUDA_SUCCESS)
    return result;
  *found_out = (CUDA_ARRAY3D_DESCRIPTOR){
    .Width = extent.width, .Height = extent.height, .Depth = extent.depth, .Flags = flags
  };
  vptr__driver_from_channels(&desc, &found_out->Format, &found_out->NumChannels);
  return CUDA_SUCCESS;
}

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *pArrayDescriptor, CUarray hArray) {
  CUDA_ARRAY3D_DESCRIPTOR found;
  CUresult result = describe_array("cuArrayGetDescriptor", hArray, pArrayDescriptor, &found);
  if (result == CUDA_SUCCESS)
    *pArrayDescriptor = (CUDA_ARRAY_DESCRIPTOR){ found.Width, found.Height, found.Format, found.NumChannels };
  return result;
}

CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *pArrayDescriptor, CUarray hArray) {
  return describe_array("cuArray3DGetDescriptor", hArray, pArrayDescriptor, pArrayDescriptor);
}
