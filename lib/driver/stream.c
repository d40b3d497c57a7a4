/* SPDX-License-Identifier: MIT */
/*
 * stream - cuStream*() and cuLaunchHostFunc(): the runtime's streams.
 *
 * A callback is told a CUresult where the runtime's is told a cudaError_t; a small block carries it over. No state, no
 * locks. Called by programs, directly or by the table in entry.c. Calls wait for what the runtime's wait for.
 */
#include "base/error.h"
#include "base/memory.h"
#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"

#include <vptr/cuda/cuda_runtime_api.h>

CUresult cuStreamCreate(CUstream *phStream, unsigned int Flags) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaStreamCreateWithFlags(phStream, Flags)) : result;
}

CUresult cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags, int priority) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaStreamCreateWithPriority(phStream, flags, priority))
                                : result;
}

CUresult cuStreamDestroy_v2(CUstream hStream) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaStreamDestroy(hStream)) : result;
}

CUresult cuStreamDestroy(CUstream hStream) {
  return cuStreamDestroy_v2(hStream);
}

/* ---- what it is ----------------------------------------------------------------------------------------- */

CUresult cuStreamGetPriority(CUstream hStream, int *priority) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaStreamGetPriority(hStream, priority)) : result;
}

CUresult cuStreamGetPriority_ptsz(CUstream hStream, int *priority) {
  return cuStreamGetPriority(vptr__driver_own_default(hStream), priority);
}

CUresult cuStreamGetDevice(CUstream hStream, CUdevice *device) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaStreamGetDevice(hStream, device)) : result;
}

CUresult cuStreamGetDevice_ptsz(CUstream hStream, CUdevice *device) {
  return cuStreamGetDevice(vptr__driver_own_default(hStream), device);
}

CUresult cuStreamGetFlags(CUstream hStream, unsigned int *flags) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaStreamGetFlags(hStream, flags)) : result;
}

CUresult cuStreamGetFlags_ptsz(CUstream hStream, unsigned int *flags) {
  return cuStreamGetFlags(vptr__driver_own_default(hStream), flags);
}

CUresult cuStreamGetId(CUstream hStream, unsigned long long *streamId) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaStreamGetId(hStream, streamId)) : result;
}

CUresult cuStreamGetId_ptsz(CUstream hStream, unsigned long long *streamId) {
  return cuStreamGetId(vptr__driver_own_default(hStream), streamId);
}

/* Streams are of devices, not of contexts: the current one if its device is the stream's, else the primary one. */
CUresult cuStreamGetCtx(CUstream hStream, CUcontext *pctx) {
  CUcontext current;
  int device;
  CUresult result = vptr__driver_check_pointer(vptr__driver_enter(&current), "cuStreamGetCtx", pctx, "pctx");
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(cudaStreamGetDevice(hStream, &device));
  if (result == CUDA_SUCCESS)
    *pctx = device == current->device ? current : vptr__driver_primary(device);
  return result;
}

CUresult cuStreamGetCtx_ptsz(CUstream hStream, CUcontext *pctx) {
  return cuStreamGetCtx(vptr__driver_own_default(hStream), pctx);
}

CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus *captureStatus) {
  enum cudaStreamCaptureStatus status;
  CUresult result = vptr__driver_enter(NULL);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(cudaStreamIsCapturing(hStream, captureStatus != NULL ? &status : NULL));
  if (result == CUDA_SUCCESS)
    *captureStatus = (CUstreamCaptureStatus)status;
  return result;
}

CUresult cuStreamIsCapturing_ptsz(CUstream hStream, CUstreamCaptureStatus *captureStatus) {
  return cuStreamIsCapturing(vptr__driver_own_default(hStream), captureStatus);
}

/* ---- waiting -------------------------------------------------------------------------------------------- */

CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaStreamWaitEvent(hStream, hEvent, Flags)) : result;
}

CUresult cuStreamWaitEvent_ptsz(CUstream hStream, CUevent hEvent, unsigned int Flags) {
  return cuStreamWaitEvent(vptr__driver_own_default(hStream), hEvent, Flags);
}

CUresult cuStreamQuery(CUstream hStream) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaStreamQuery(hStream)) : result;
}

CUresult cuStreamQuery_ptsz(CUstream hStream) {
  return cuStreamQuery(vptr__driver_own_default(hStream));
}

CUresult cuStreamSynchronize(CUstream hStream) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaStreamSynchronize(hStream)) : result;
}

CUresult cuStreamSynchronize_ptsz(CUstream hStream) {
  return cuStreamSynchronize(vptr__driver_own_default(hStream));
}

/* ---- the host in a stream's order ----------------------------------------------------------------------- */

typedef struct host_call {
  CUstreamCallback callback;
  void *context;
} host_call;

static void CUDART_CB make_call(cudaStream_t stream, cudaError_t status, void *context) {
  host_call call = *(host_call *)context;
  vptr__memory_free(context);
  call.callback(stream, vptr__driver_result_of(status), call.context);
}

CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void *userData, unsigned int flags) {
  CUresult result = vptr__driver_enter(NULL);
  if (result == CUDA_SUCCESS && callback == NULL)
    result = vptr__driver_invalid("cuStreamAddCallback", "there is no function to call");
  if (result != CUDA_SUCCESS)
    return result;
  host_call *call = vptr__memory_calloc(1, sizeof *call);
  if (call == NULL)
    return vptr__driver_status(vptr__error_host_memory(sizeof *call));
  *call = (host_call){ callback, userData };
  result = vptr__driver_result(cudaStreamAddCallback(hStream, make_call, call, flags));
  if (result != CUDA_SUCCESS)
    vptr__memory_free(call);
  return result;
}

CUresult cuStreamAddCallback_ptsz(CUstream hStream, CUstreamCallback callback, void *userData, unsigned int flags) {
  return cuStreamAddCallback(vptr__driver_own_default(hStream), callback, userData, flags);
}

CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void *userData) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaLaunchHostFunc(hStream, fn, userData)) : result;
}

CUresult cuLaunchHostFunc_ptsz(CUstream hStream, CUhostFn fn, void *userData) {
  return cuLaunchHostFunc(vptr__driver_own_default(hStream), fn, userData);
}
