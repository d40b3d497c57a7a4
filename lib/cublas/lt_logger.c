/* SPDX-License-Identifier: MIT */
/*
 * lt_logger - cublasLtLogger*(); see lt_logger.h.
 *
 * cuBLASLt's levels are five; here there is what the last of them tells, calls. Its data is the log,
 * `vptr__lt_log_state`, with a lock of its own. Called by programs; and by lt_algorithm.c, lt_descriptor.c,
 * lt_library.c, lt_task.c and lt_transform.c at the beginning of each call.
 */
#include "cublas/lt_logger.h"

#include "cublas/status.h"

#include <vptr/cuda/cublasLt.h>

vptr__library_log vptr__lt_log_state = VPTR__LIBRARY_LOG("cuBLASLt");

cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t callback) {
  return vptr__blas_status_of(vptr__library_log_set_callback(&vptr__lt_log_state, callback));
}

cublasStatus_t cublasLtLoggerSetFile(FILE *file) {
  return vptr__blas_status_of(vptr__library_log_set_file(&vptr__lt_log_state, file, false));
}

cublasStatus_t cublasLtLoggerOpenFile(const char *logFile) {
  FILE *file = logFile != NULL ? fopen(logFile, "a") : NULL;
  if (file == NULL)
    return vptr__blas_invalid("cublasLtLoggerOpenFile", "the file cannot be opened for writing");
  return vptr__blas_status_of(vptr__library_log_set_file(&vptr__lt_log_state, file, true));
}

/* A level and those below it. */
cublasStatus_t cublasLtLoggerSetLevel(int level) {
  if (level < 0 || level > VPTR__LIBRARY_LOG_CALLS)
    return vptr__blas_invalid("cublasLtLoggerSetLevel", "levels are 0 to 5");
  return vptr__blas_status_of(vptr__library_log_set_levels(&vptr__lt_log_state, (1 << level) - 1, false));
}

cublasStatus_t cublasLtLoggerSetMask(int mask) {
  return vptr__blas_status_of(vptr__library_log_set_levels(&vptr__lt_log_state, mask, false));
}

cublasStatus_t cublasLtLoggerForceDisable(void) {
  return vptr__blas_status_of(vptr__library_log_set_levels(&vptr__lt_log_state, 0, true));
}
