/* SPDX-License-Identifier: MIT */
/*
 * lt_logger - cublasLtLogger*(); see lt_logger.h.
 *
 * cuBLASLt's levels are five; here there is what the last of them tells, calls. Lock: `lock`, of rank LEAF. Called by
 * programs; and by lt_algorithm.c, lt_descriptor.c, lt_library.c, lt_task.c and lt_transform.c at the beginning of each
 * call.
 */
#include "cublas/lt_logger.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/lock.h"
#include "cublas/status.h"

#include <vptr/cuda/cublasLt.h>

enum { CALLS_LEVEL = 5, CALLS_BIT = 16 };

atomic_bool vptr__lt_log_is_on;

static struct {
  vptr__lock lock;
  bool tells_calls, is_disabled, owns_file;
  FILE *file;
  cublasLtLoggerCallback_t callback;
} logger = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF) };

static void update_switch(void) {
  atomic_store(&vptr__lt_log_is_on, logger.tells_calls && !logger.is_disabled);
}

void vptr__lt_log_line(const char *call) {
  vptr__lock_take(&logger.lock);
  cublasLtLoggerCallback_t callback = logger.callback;
  if (logger.file != NULL && fprintf(logger.file, "cuBLASLt: %s\n", call) > 0)
    fflush(logger.file);
  vptr__lock_give(&logger.lock);
  if (callback != NULL)
    callback(CALLS_LEVEL, call, "called");
}

cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t callback) {
  vptr__lock_take(&logger.lock);
  logger.callback = callback;
  vptr__lock_give(&logger.lock);
  return CUBLAS_STATUS_SUCCESS;
}

/* A file that the library opened is closed; the program's is the program's. */
static void set_file(FILE *file, bool owns_file) {
  vptr__lock_take(&logger.lock);
  FILE *before = logger.owns_file ? logger.file : NULL;
  logger.file = file;
  logger.owns_file = owns_file;
  vptr__lock_give(&logger.lock);
  if (before != NULL)
    fclose(before);
}

cublasStatus_t cublasLtLoggerSetFile(FILE *file) {
  set_file(file, false);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtLoggerOpenFile(const char *logFile) {
  FILE *file = logFile != NULL ? fopen(logFile, "a") : NULL;
  if (file == NULL)
    return vptr__blas_invalid("cublasLtLoggerOpenFile", "the file cannot be opened for writing");
  set_file(file, true);
  return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t set_calls(bool tells_calls) {
  vptr__lock_take(&logger.lock);
  logger.tells_calls = tells_calls;
  update_switch();
  vptr__lock_give(&logger.lock);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtLoggerSetLevel(int level) {
  if (level < 0 || level > CALLS_LEVEL)
    return vptr__blas_invalid("cublasLtLoggerSetLevel", "levels are 0 to 5");
  return set_calls(level == CALLS_LEVEL);
}

cublasStatus_t cublasLtLoggerSetMask(int mask) {
  return set_calls((mask & CALLS_BIT) != 0);
}

cublasStatus_t cublasLtLoggerForceDisable(void) {
  vptr__lock_take(&logger.lock);
  logger.is_disabled = true;
  update_switch();
  vptr__lock_give(&logger.lock);
  return CUBLAS_STATUS_SUCCESS;
}
