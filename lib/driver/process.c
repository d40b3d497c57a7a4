/* SPDX-License-Identifier: MIT */
/*
 * process - what concerns other processes: cuIpc*(), the runtime's by other names, and cuProfiler*(), to which none
 * listens.
 *
 * Events are not shared; programs that look up every name before they start find these calls all the same. No state, no
 * locks. Called by programs, directly or by the table in entry.c. Calls wait for what the runtime's wait for.
 */
#include <stdint.h>
#include <string.h>

#include <vptr/cuda/cudaProfiler.h>
#include <vptr/cuda/cuda_runtime_api.h>

#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"

_Static_assert(sizeof(CUipcMemHandle) == sizeof(cudaIpcMemHandle_t) &&
                   sizeof(CUipcEventHandle) == sizeof(cudaIpcEventHandle_t),
               "the runtime's, by other names");

CUresult cuIpcGetEventHandle(CUipcEventHandle *pHandle, CUevent event) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaIpcGetEventHandle((void *)pHandle, event)) : result;
}

CUresult cuIpcOpenEventHandle(CUevent *phEvent, CUipcEventHandle handle) {
  cudaIpcEventHandle_t same;
  CUresult result = vptr__driver_enter(NULL);
  memcpy(&same, &handle, sizeof same);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaIpcOpenEventHandle(phEvent, same)) : result;
}

CUresult cuIpcGetMemHandle(CUipcMemHandle *pHandle, CUdeviceptr dptr) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaIpcGetMemHandle((void *)pHandle, (void *)(uintptr_t)dptr))
                                : result;
}

CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags) {
  cudaIpcMemHandle_t same;
  void *ptr = NULL;
  CUresult result = vptr__driver_check_pointer(vptr__driver_enter(NULL), "cuIpcOpenMemHandle", pdptr, "pdptr");
  memcpy(&same, &handle, sizeof same);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(cudaIpcOpenMemHandle(&ptr, same, Flags));
  if (result == CUDA_SUCCESS)
    *pdptr = (CUdeviceptr)(uintptr_t)ptr;
  return result;
}

CUresult cuIpcCloseMemHandle(CUdeviceptr dptr) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaIpcCloseMemHandle((void *)(uintptr_t)dptr)) : result;
}

CUresult cuProfilerStart(void) {
  return vptr__driver_enter(NULL);
}

CUresult cuProfilerStop(void) {
  return vptr__driver_enter(NULL);
}
