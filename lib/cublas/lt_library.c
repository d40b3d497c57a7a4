/* SPDX-License-Identifier: MIT */
/*
 * lt_library - handles of cuBLASLt, and its versions.
 *
 * A handle is one of cuBLAS's, whose stream and pointer mode are not looked at: programs cast one to the other, which
 * cuBLAS's document allows. No state, no locks. Called by programs. Creating a handle opens the device.
 */
#include "cublas/lt_logger.h"
#include "cublas/status.h"

#include <vptr/cuda/cublasLt.h>
#include <vptr/cuda/cuda_runtime_api.h>

cublasStatus_t cublasLtCreate(cublasLtHandle_t *lightHandle) {
  cublasHandle_t handle = NULL;
  vptr__lt_log("cublasLtCreate");
  cublasStatus_t status = cublasCreate_v2(lightHandle != NULL ? &handle : NULL);
  if (status == CUBLAS_STATUS_SUCCESS)
    *lightHandle = (cublasLtHandle_t)(void *)handle;
  return status;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t lightHandle) {
  vptr__lt_log("cublasLtDestroy");
  return cublasDestroy_v2((cublasHandle_t)(void *)lightHandle);
}

const char *cublasLtGetStatusName(cublasStatus_t status) {
  return cublasGetStatusName(status);
}

const char *cublasLtGetStatusString(cublasStatus_t status) {
  return cublasGetStatusString(status);
}

size_t cublasLtGetVersion(void) {
  return CUBLAS_VERSION;
}

size_t cublasLtGetCudartVersion(void) {
  return CUDART_VERSION;
}

cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int *value) {
  return cublasGetProperty(type, value);
}
