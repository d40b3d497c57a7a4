/* SPDX-License-Identifier: MIT */
/*
 * process - what concerns other processes: cuIpc*(), which share nothing, and cuProfiler*(), to which none listens.
 *
 * OpenCL shares no memory or events between processes. Programs that look up every name before they start find these
 * all the same. No state, no locks. Called by programs, directly or by the table in entry.c.
 */
#include <vptr/cuda/cudaProfiler.h>

#include "base/error.h"
#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"

static CUresult refuse_sharing(const char *call) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: OpenCL shares no memory or events between processes", call);
  return vptr__driver_refuse(CUDA_ERROR_NOT_SUPPORTED);
}

CUresult cuIpcGetEventHandle(CUipcEventHandle *pHandle, CUevent event) {
  (void)pHandle, (void)event;
  return refuse_sharing("cuIpcGetEventHandle");
}

CUresult cuIpcOpenEventHandle(CUevent *phEvent, CUipcEventHandle handle) {
  (void)phEvent, (void)handle;
  return refuse_sharing("cuIpcOpenEventHandle");
}

CUresult cuIpcGetMemHandle(CUipcMemHandle *pHandle, CUdeviceptr dptr) {
  (void)pHandle, (void)dptr;
  return refuse_sharing("cuIpcGetMemHandle");
}

CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags) {
  (void)pdptr, (void)handle, (void)Flags;
  return refuse_sharing("cuIpcOpenMemHandle");
}

CUresult cuIpcCloseMemHandle(CUdeviceptr dptr) {
  (void)dptr;
  return refuse_sharing("cuIpcCloseMemHandle");
}

CUresult cuProfilerStart(void) {
  return vptr__driver_enter(NULL);
}

CUresult cuProfilerStop(void) {
  return vptr__driver_enter(NULL);
}
