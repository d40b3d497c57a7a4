/* SPDX-License-Identifier: MIT */
/* nvToolsExtCuda - names for devices, contexts, streams and events of CUDA's driver interface; see nvToolsExt.h. */
#ifndef VPTR_CUDA_NVTOOLSEXTCUDA_H
#define VPTR_CUDA_NVTOOLSEXTCUDA_H

#include "cuda.h"
#include "nvToolsExt.h"

#define NVTX_RESOURCE_CLASS_CUDA 4

#ifdef __cplusplus
extern "C" {
#endif

typedef enum nvtxResourceCUDAType_t {
  NVTX_RESOURCE_TYPE_CUDA_DEVICE = NVTX_RESOURCE_MAKE_TYPE(CUDA, 1),
  NVTX_RESOURCE_TYPE_CUDA_CONTEXT = NVTX_RESOURCE_MAKE_TYPE(CUDA, 2),
  NVTX_RESOURCE_TYPE_CUDA_STREAM = NVTX_RESOURCE_MAKE_TYPE(CUDA, 3),
  NVTX_RESOURCE_TYPE_CUDA_EVENT = NVTX_RESOURCE_MAKE_TYPE(CUDA, 4)
} nvtxResourceCUDAType_t;

NVTX_DECLSPEC void nvtxNameCuDeviceA(CUdevice device, const char *name);
NVTX_DECLSPEC void nvtxNameCuDeviceW(CUdevice device, const wchar_t *name);
NVTX_DECLSPEC void nvtxNameCuContextA(CUcontext context, const char *name);
NVTX_DECLSPEC void nvtxNameCuContextW(CUcontext context, const wchar_t *name);
NVTX_DECLSPEC void nvtxNameCuStreamA(CUstream stream, const char *name);
NVTX_DECLSPEC void nvtxNameCuStreamW(CUstream stream, const wchar_t *name);
NVTX_DECLSPEC void nvtxNameCuEventA(CUevent event, const char *name);
NVTX_DECLSPEC void nvtxNameCuEventW(CUevent event, const wchar_t *name);

#ifdef UNICODE
#define nvtxNameCuDevice nvtxNameCuDeviceW
#define nvtxNameCuContext nvtxNameCuContextW
#define nvtxNameCuStream nvtxNameCuStreamW
#define nvtxNameCuEvent nvtxNameCuEventW
#else
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA
#endif

#ifndef NVTX_NO_IMPL
/* clang-format off */
VPTR_NVTX_TELL(nvtxNameCuDeviceA, CUDA, 1, (CUdevice device, const char *name), (device, name))
VPTR_NVTX_TELL(nvtxNameCuDeviceW, CUDA, 2, (CUdevice device, const wchar_t *name), (device, name))
VPTR_NVTX_TELL(nvtxNameCuContextA, CUDA, 3, (CUcontext context, const char *name), (context, name))
VPTR_NVTX_TELL(nvtxNameCuContextW, CUDA, 4, (CUcontext context, const wchar_t *name), (context, name))
VPTR_NVTX_TELL(nvtxNameCuStreamA, CUDA, 5, (CUstream stream, const char *name), (stream, name))
VPTR_NVTX_TELL(nvtxNameCuStreamW, CUDA, 6, (CUstream stream, const wchar_t *name), (stream, name))
VPTR_NVTX_TELL(nvtxNameCuEventA, CUDA, 7, (CUevent event, const char *name), (event, name))
VPTR_NVTX_TELL(nvtxNameCuEventW, CUDA, 8, (CUevent event, const wchar_t *name), (event, name))
/* clang-format on */
#endif

#ifdef __cplusplus
}
#endif

#endif
