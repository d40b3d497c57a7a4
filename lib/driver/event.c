/* SPDX-License-Identifier: MIT */
/*
 * event - cuEvent*(): the runtime's events. No state, no locks.
 *
 * Called by programs, directly or by the table in entry.c. Calls wait for what the runtime's wait for.
 */
#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"

#include <vptr/cuda/cuda_runtime_api.h>

CUresult cuEventCreate(CUevent *phEvent, unsigned int Flags) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaEventCreateWithFlags(phEvent, Flags)) : result;
}

CUresult cuEventRecord(CUevent hEvent, CUstream hStream) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaEventRecord(hEvent, hStream)) : result;
}

CUresult cuEventRecord_ptsz(CUevent hEvent, CUstream hStream) {
  return cuEventRecord(hEvent, vptr__driver_own_default(hStream));
}

CUresult cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaEventRecordWithFlags(hEvent, hStream, flags)) : result;
}

CUresult cuEventRecordWithFlags_ptsz(CUevent hEvent, CUstream hStream, unsigned int flags) {
  return cuEventRecordWithFlags(hEvent, vptr__driver_own_default(hStream), flags);
}

/* An event knows its device: the rest needs no current context. */
CUresult cuEventQuery(CUevent hEvent) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaEventQuery(hEvent)) : result;
}

CUresult cuEventSynchronize(CUevent hEvent) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaEventSynchronize(hEvent)) : result;
}

CUresult cuEventDestroy_v2(CUevent hEvent) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaEventDestroy(hEvent)) : result;
}

CUresult cuEventDestroy(CUevent hEvent) {
  return cuEventDestroy_v2(hEvent);
}

CUresult cuEventElapsedTime_v2(float *pMilliseconds, CUevent hStart, CUevent hEnd) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaEventElapsedTime(pMilliseconds, hStart, hEnd)) : result;
}

CUresult cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd) {
  return cuEventElapsedTime_v2(pMilliseconds, hStart, hEnd);
}
