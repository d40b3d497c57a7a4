/* SPDX-License-Identifier: MIT */
/*
 * logger - cublasLoggerConfigure() and the calls beside it; see logger.h.
 *
 * cuBLAS begins with what the environment says (CUBLAS_LOGINFO_DBG and others); here only the calls count. A forked
 * child tells nothing, and its settings are refused: who has the lock may not be there.
 *
 * Lock: `lock`, of rank LEAF. Called by programs; and by handle.c, call.c and transfer.c at the beginning of each call.
 */
#include "cublas/logger.h"

#include "base/lock.h"
#include "cublas/status.h"
#include "mapper/registry.h"

#include <stdbool.h>
#include <stdio.h>

atomic_bool vptr__blas_log_is_on;

static struct {
  vptr__lock lock;
  bool is_on, to_stdout, to_stderr;
  FILE *file;
  cublasLogCallback callback;
} logger = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF) };

static void update_switch(void) {
  atomic_store(&vptr__blas_log_is_on, logger.is_on || logger.callback != NULL);
}

void vptr__blas_log_line(const char *call) {
  char line[128];
  if (vptr__registry_is_forked())
    return;
  snprintf(line, sizeof line, "cuBLAS: %s", call);
  vptr__lock_take(&logger.lock);
  cublasLogCallback callback = logger.callback;
  FILE *outputs[] = { logger.is_on && logger.to_stdout ? stdout : NULL,
                      logger.is_on && logger.to_stderr ? stderr : NULL, logger.is_on ? logger.file : NULL };
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
    if (outputs[i] != NULL && fprintf(outputs[i], "%s\n", line) > 0)
      fflush(outputs[i]);
  vptr__lock_give(&logger.lock);
  if (callback != NULL)
    callback(line);
}

cublasStatus_t cublasLoggerConfigure(int logIsOn, int logToStdOut, int logToStdErr, const char *logFileName) {
  vptr_status status = vptr__registry_check_process();
  if (status != VPTR_SUCCESS)
    return vptr__blas_status_of(status);
  FILE *file = logFileName != NULL ? fopen(logFileName, "a") : NULL;
  if (logFileName != NULL && file == NULL)
    return vptr__blas_invalid("cublasLoggerConfigure", "the file cannot be opened for writing");
  vptr__lock_take(&logger.lock);
  FILE *before = logger.file;
  logger.is_on = logIsOn != 0;
  logger.to_stdout = logToStdOut != 0;
  logger.to_stderr = logToStdErr != 0;
  logger.file = file;
  update_switch();
  vptr__lock_give(&logger.lock);
  if (before != NULL)
    fclose(before);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetLoggerCallback(cublasLogCallback userCallback) {
  vptr_status status = vptr__registry_check_process();
  if (status != VPTR_SUCCESS)
    return vptr__blas_status_of(status);
  vptr__lock_take(&logger.lock);
  logger.callback = userCallback;
  update_switch();
  vptr__lock_give(&logger.lock);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *userCallback) {
  if (userCallback == NULL)
    return vptr__blas_invalid("cublasGetLoggerCallback", "the output is NULL");
  vptr_status status = vptr__registry_check_process();
  if (status != VPTR_SUCCESS)
    return vptr__blas_status_of(status);
  vptr__lock_take(&logger.lock);
  *userCallback = logger.callback;
  vptr__lock_give(&logger.lock);
  return CUBLAS_STATUS_SUCCESS;
}
