/* SPDX-License-Identifier: MIT */
/*
 * legacy - the functions of cublas.h: one handle for the process, letters, scalars and results by value.
 *
 * Each is the function of today with the process's handle, whose scalars are on the host; a letter that means nothing
 * becomes a value that is none, and is refused with the others. The last error is kept until it is asked for.
 *
 * No locks: the handle and the error are atomic. Called by programs (legacy_calls.h has the functions with a type in
 * their names). Waits where a result is a value.
 */
#include "cublas/handle.h"
#include "cublas/status.h"
#include "cublas/types.h"
#include "cuda/error.h"

#include <stdatomic.h>
#include <string.h>

#include <vptr/cuda/cublas.h>

static struct {
  _Atomic(cublasHandle_t) handle; /* NULL: not begun */
  _Atomic cublasStatus_t error;   /* the last one, since it was asked for */
} legacy;

/* NULL is refused by who gets it. */
static cublasHandle_t process_handle(void) {
  return atomic_load_explicit(&legacy.handle, memory_order_acquire);
}

static cublasStatus_t keep_error(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS)
    atomic_store(&legacy.error, status);
  return status;
}

/* ---- life ------------------------------------------------------------------------------------------------------ */

/* Of threads that begin at once, whose handle is kept: the others destroy theirs again. */
cublasStatus_t cublasInit(void) {
  cublasHandle_t none = NULL, handle = NULL;
  if (process_handle() != NULL)
    return CUBLAS_STATUS_SUCCESS;
  cublasStatus_t status = cublasCreate_v2(&handle);
  if (status == CUBLAS_STATUS_SUCCESS && !atomic_compare_exchange_strong(&legacy.handle, &none, handle))
    cublasDestroy_v2(handle);
  return status;
}

cublasStatus_t cublasShutdown(void) {
  cublasHandle_t handle = atomic_exchange(&legacy.handle, NULL);
  return handle != NULL ? cublasDestroy_v2(handle) : vptr__blas_handle_check("cublasShutdown", NULL);
}

cublasStatus_t cublasGetError(void) {
  return atomic_exchange(&legacy.error, CUBLAS_STATUS_SUCCESS);
}

cublasStatus_t cublasGetVersion(int *version) {
  return cublasGetVersion_v2(NULL, version);
}

cublasStatus_t cublasSetKernelStream(cudaStream_t stream) {
  return cublasSetStream_v2(process_handle(), stream);
}

cublasStatus_t cublasAlloc(int n, int elemSize, void **devicePtr) {
  cublasStatus_t status = vptr__blas_handle_check("cublasAlloc", process_handle());
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (n <= 0 || elemSize <= 0 || devicePtr == NULL)
    return vptr__blas_invalid("cublasAlloc", "n and elemSize must be above 0, and devicePtr not NULL");
  if (cudaMalloc(devicePtr, (size_t)n * (size_t)elemSize) == cudaSuccess)
    return CUBLAS_STATUS_SUCCESS;
  vptr__cuda_unrecord();
  return CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus_t cublasFree(void *devicePtr) {
  cublasStatus_t status = vptr__blas_handle_check("cublasFree", process_handle());
  if (status != CUBLAS_STATUS_SUCCESS || cudaFree(devicePtr) == cudaSuccess)
    return status;
  vptr__cuda_unrecord();
  return CUBLAS_STATUS_INTERNAL_ERROR;
}

/* ---- letters --------------------------------------------------------------------------------------------------- */

/* Which of the letters it is, in either case; -1: none. */
static int place_of_letter(char letter, const char *letters) {
  char small = letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
  const char *found = small != '\0' ? strchr(letters, small) : NULL;
  return found != NULL ? (int)(found - letters) : -1;
}

static cublasOperation_t operation_of(char letter) {
  return (cublasOperation_t)place_of_letter(letter, "ntc");
}
static cublasFillMode_t fill_of(char letter) {
  return (cublasFillMode_t)place_of_letter(letter, "lu");
}
static cublasSideMode_t side_of(char letter) {
  return (cublasSideMode_t)place_of_letter(letter, "lr");
}
static cublasDiagType_t diagonal_of(char letter) {
  return (cublasDiagType_t)place_of_letter(letter, "nu");
}

#include "cublas/legacy_calls.h"
