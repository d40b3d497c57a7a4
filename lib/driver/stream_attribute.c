/* SPDX-License-Identifier: MIT */
/*
 * stream_attribute - cuStreamSetAttribute() and its kin, and cuLogs*(): the runtime's by other names.
 *
 * No state, no locks. Called by programs, directly or by the table in entry.c. Calls wait for what the runtime's wait
 * for.
 */
#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"

#include <vptr/cuda/cuda_runtime_api.h>

_Static_assert(sizeof(CUstreamAttrValue) == sizeof(cudaStreamAttrValue), "the runtime's, by another name");

CUresult cuStreamCopyAttributes(CUstream dst, CUstream src) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaStreamCopyAttributes(dst, src)) : result;
}

CUresult cuStreamCopyAttributes_ptsz(CUstream dst, CUstream src) {
  return cuStreamCopyAttributes(vptr__driver_own_default(dst), vptr__driver_own_default(src));
}

CUresult cuStreamGetAttribute(CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue *value_out) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaStreamGetAttribute(hStream, (cudaStreamAttrID)attr, (void *)value_out));
}

CUresult cuStreamGetAttribute_ptsz(CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue *value_out) {
  return cuStreamGetAttribute(vptr__driver_own_default(hStream), attr, value_out);
}

CUresult cuStreamSetAttribute(CUstream hStream, CUstreamAttrID attr, const CUstreamAttrValue *value) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaStreamSetAttribute(hStream, (cudaStreamAttrID)attr, (const void *)value));
}

CUresult cuStreamSetAttribute_ptsz(CUstream hStream, CUstreamAttrID attr, const CUstreamAttrValue *value) {
  return cuStreamSetAttribute(vptr__driver_own_default(hStream), attr, value);
}

CUresult cuCtxResetPersistingL2Cache(void) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaCtxResetPersistingL2Cache()) : result;
}

/* ---- messages, which need no context -------------------------------------------------------------------- */

_Static_assert(sizeof(CUlogLevel) == sizeof(cudaLogLevel), "a function of either interface takes the same");

CUresult cuLogsRegisterCallback(CUlogsCallback callbackFunc, void *userData, CUlogsCallbackHandle *callback_out) {
  return vptr__driver_result(cudaLogsRegisterCallback((cudaLogsCallback_t)callbackFunc, userData, callback_out));
}

CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle callback) {
  return vptr__driver_result(cudaLogsUnregisterCallback(callback));
}

CUresult cuLogsCurrent(CUlogIterator *iterator_out, unsigned int flags) {
  return vptr__driver_result(cudaLogsCurrent(iterator_out, flags));
}

CUresult cuLogsDumpToFile(CUlogIterator *iterator, const char *pathToFile, unsigned int flags) {
  return vptr__driver_result(cudaLogsDumpToFile(iterator, pathToFile, flags));
}

CUresult cuLogsDumpToMemory(CUlogIterator *iterator, char *buffer, size_t *size, unsigned int flags) {
  return vptr__driver_result(cudaLogsDumpToMemory(iterator, buffer, size, flags));
}
