/* SPDX-License-Identifier: MIT */
/*
 * handle - cublasCreate(), cublasDestroy(), and the settings of a handle; see handle.h.
 *
 * The math modes, the number of multiprocessors and the mode of atomics are kept and told: they allow what is not done
 * here, since all is computed in the type that was asked for, and in one order, so that results are the same each time.
 * A workspace is checked and not used: what a call needs for itself comes from the device's pool, in the stream's
 * order.
 *
 * The table of handles has its own lock (library/handle.h). Called by programs; and by call.c, gemm.c, gemm_ex.c,
 * legacy.c, level1_ex.c, lt_algorithm.c, lt_library.c, lt_task.c and lt_transform.c, for whether a handle lives, and by
 * cusolver/handle.c, for one of its own. Creating one opens the device; nothing else here waits.
 */
#include "cublas/handle.h"

#include "base/error.h"
#include "cublas/logger.h"
#include "cublas/status.h"
#include "cuda/device.h"

#include <stdint.h>

static vptr__library_handles handles = VPTR__LIBRARY_HANDLES("handle", struct cublasContext);

cublasStatus_t vptr__blas_handle_check(const char *call, const struct cublasContext *handle) {
  return vptr__library_handle_check(&handles, call, handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

/* ---- life ------------------------------------------------------------------------------------------------- */

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
  vptr__blas_log("cublasCreate");
  if (handle == NULL) {
    vptr__error(VPTR_ERROR_NULL_POINTER, "cublasCreate: there is no place for the handle");
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  vptr_mapper *mapper;
  if (vptr__cuda_current_mapper(&mapper) != cudaSuccess)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  const struct cublasContext fresh = { .mapper = mapper,
                                       .pointer_mode = CUBLAS_POINTER_MODE_HOST,
                                       .atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED,
                                       .math_mode = CUBLAS_DEFAULT_MATH };
  struct cublasContext *created = vptr__library_handle_create(&handles, "cublasCreate", &fresh);
  if (created == NULL)
    return CUBLAS_STATUS_ALLOC_FAILED;
  *handle = created;
  return CUBLAS_STATUS_SUCCESS;
}

/* What was sent goes on. */
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  vptr__blas_log("cublasDestroy");
  return vptr__library_handle_end(&handles, "cublasDestroy", handle) ? CUBLAS_STATUS_SUCCESS
                                                                     : CUBLAS_STATUS_NOT_INITIALIZED;
}

/* ---- settings --------------------------------------------------------------------------------------------- */

/* The handle lives, and there is a place for what is asked. */
static cublasStatus_t check_question(const char *call, cublasHandle_t handle, const void *output) {
  vptr__blas_log(call);
  cublasStatus_t status = vptr__blas_handle_check(call, handle);
  return status == CUBLAS_STATUS_SUCCESS && output == NULL ? vptr__blas_invalid(call, "the output is NULL") : status;
}

/* The handle lives, and the value is one that the setting has. */
static cublasStatus_t check_setting(const char *call, cublasHandle_t handle, bool is_allowed, long value) {
  vptr__blas_log(call);
  cublasStatus_t status = vptr__blas_handle_check(call, handle);
  if (status != CUBLAS_STATUS_SUCCESS || is_allowed)
    return status;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %ld is no value that this setting may have", call, value);
  return CUBLAS_STATUS_INVALID_VALUE;
}

static bool is_math_mode(cublasMath_t mode) {
  unsigned kind = (unsigned)mode & ~(unsigned)CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
  return kind <= CUBLAS_FP32_EMULATED_BF16X9_MATH || kind == CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH;
}

/* Which numbers a setting may have is said of `value`. */
#define SETTING(noun, version, T, member, is_allowed)                                                                \
  cublasStatus_t cublasGet##noun##version(cublasHandle_t handle, T *output) {                                        \
    cublasStatus_t status = check_question("cublasGet" #noun, handle, output);                                       \
    if (status == CUBLAS_STATUS_SUCCESS)                                                                             \
      *output = handle->member;                                                                                      \
    return status;                                                                                                   \
  }                                                                                                                  \
  cublasStatus_t cublasSet##noun##version(cublasHandle_t handle, T value) {                                          \
    cublasStatus_t status = check_setting("cublasSet" #noun, handle, is_allowed, (long)value);                       \
    if (status == CUBLAS_STATUS_SUCCESS)                                                                             \
      handle->member = value;                                                                                        \
    return status;                                                                                                   \
  }
SETTING(Stream, _v2, cudaStream_t, stream, true)
SETTING(PointerMode, _v2, cublasPointerMode_t, pointer_mode,
        value == CUBLAS_POINTER_MODE_HOST || value == CUBLAS_POINTER_MODE_DEVICE)
SETTING(AtomicsMode, , cublasAtomicsMode_t, atomics_mode,
        value == CUBLAS_ATOMICS_NOT_ALLOWED || value == CUBLAS_ATOMICS_ALLOWED)
SETTING(MathMode, , cublasMath_t, math_mode, is_math_mode(value))
SETTING(SmCountTarget, , int, sm_count, value >= 0)

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t workspaceSizeInBytes) {
  static const char call[] = "cublasSetWorkspace";
  cublasStatus_t status = check_setting(call, handle, true, 0);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (workspace == NULL && workspaceSizeInBytes > 0)
    return vptr__blas_invalid(call, "the workspace is NULL, and its size is not 0");
  if ((uintptr_t)workspace % 256 != 0)
    return vptr__blas_invalid(call, "the workspace must begin at a multiple of 256 bytes");
  return CUBLAS_STATUS_SUCCESS;
}
