/* SPDX-License-Identifier: MIT */
/* nvToolsExtCudaRt - names for devices, streams and events of the CUDA runtime; see nvToolsExt.h. */
#ifndef VPTR_CUDA_NVTOOLSEXTCUDART_H
#define VPTR_CUDA_NVTOOLSEXTCUDART_H

#include "driver_types.h"
#include "nvToolsExt.h"

#define NVTX_RESOURCE_CLASS_CUDART 5

#ifdef __cplusplus
extern "C" {
#endif

typedef enum nvtxResourceCUDARTType_t {
  NVTX_RESOURCE_TYPE_CUDART_DEVICE = NVTX_RESOURCE_MAKE_TYPE(CUDART, 0),
  NVTX_RESOURCE_TYPE_CUDART_STREAM = NVTX_RESOURCE_MAKE_TYPE(CUDART, 1),
  NVTX_RESOURCE_TYPE_CUDART_EVENT = NVTX_RESOURCE_MAKE_TYPE(CUDART, 2)
} nvtxResourceCUDARTType_t;

NVTX_DECLSPEC void nvtxNameCudaDeviceA(int device, const char *name);
NVTX_DECLSPEC void nvtxNameCudaDeviceW(int device, const wchar_t *name);
NVTX_DECLSPEC void nvtxNameCudaStreamA(cudaStream_t stream, const char *name);
NVTX_DECLSPEC void nvtxNameCudaStreamW(cudaStream_t stream, const wchar_t *name);
NVTX_DECLSPEC void nvtxNameCudaEventA(cudaEvent_t event, const char *name);
NVTX_DECLSPEC void nvtxNameCudaEventW(cudaEvent_t event, const wchar_t *name);

#ifdef UNICODE
#define nvtxNameCudaDevice nvtxNameCudaDeviceW
#define nvtxNameCudaStream nvtxNameCudaStreamW
#define nvtxNameCudaEvent nvtxNameCudaEventW
#else
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#endif

#ifndef NVTX_NO_IMPL
/* clang-format off */
VPTR_NVTX_TELL(nvtxNameCudaDeviceA, CUDART, 1, (int device, const char *name), (device, name))
VPTR_NVTX_TELL(nvtxNameCudaDeviceW, CUDART, 2, (int device, const wchar_t *name), (device, name))
VPTR_NVTX_TELL(nvtxNameCudaStreamA, CUDART, 3, (cudaStream_t stream, const char *name), (stream, name))
VPTR_NVTX_TELL(nvtxNameCudaStreamW, CUDART, 4, (cudaStream_t stream, const wchar_t *name), (stream, name))
VPTR_NVTX_TELL(nvtxNameCudaEventA, CUDART, 5, (cudaEvent_t event, const char *name), (event, name))
VPTR_NVTX_TELL(nvtxNameCudaEventW, CUDART, 6, (cudaEvent_t event, const wchar_t *name), (event, name))
/* clang-format on */
#endif

#ifdef __cplusplus
}
#endif

#endif
