/* SPDX-License-Identifier: MIT */
/*
 * logger - cusolverDnLogger*(); see logger.h.
 *
 * cuSOLVER's levels are five; here there is something to tell at the first, errors, in the words of vptr_last_error(),
 * and at the last, calls. Lock: `lock`, of rank LEAF. Called by programs; by handle.c, for each call with a handle, and
 * by call.c, for what is wrong.
 */
#include "cusolver/logger.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/lock.h"
#include "cusolver/status.h"

enum { MOST_LEVEL = 5 };

atomic_int vptr__solver_log_levels;

static struct {
  vptr__lock lock;
  int levels;
  bool is_disabled, owns_file;
  FILE *file;
  cusolverDnLoggerCallback_t callback;
} logger = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF) };

void vptr__solver_log_line(int level, const char *call, const char *message) {
  vptr__lock_take(&logger.lock);
  cusolverDnLoggerCallback_t callback = logger.callback;
  if (logger.file != NULL && fprintf(logger.file, "cuSOLVER: %s: %s\n", call, message) > 0)
    fflush(logger.file);
  vptr__lock_give(&logger.lock);
  if (callback != NULL)
    callback(level, call, message);
}

cusolverStatus_t cusolverDnLoggerSetCallback(cusolverDnLoggerCallback_t callback) {
  vptr__lock_take(&logger.lock);
  logger.callback = callback;
  vptr__lock_give(&logger.lock);
  return CUSOLVER_STATUS_SUCCESS;
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

cusolverStatus_t cusolverDnLoggerSetFile(FILE *file) {
  set_file(file, false);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnLoggerOpenFile(const char *logFile) {
  FILE *file = logFile != NULL ? fopen(logFile, "a") : NULL;
  if (file == NULL)
    return vptr__solver_invalid("cusolverDnLoggerOpenFile", "the file cannot be opened for writing");
  set_file(file, true);
  return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t set_levels(int levels) {
  vptr__lock_take(&logger.lock);
  logger.levels = levels;
  atomic_store(&vptr__solver_log_levels, logger.is_disabled ? 0 : levels);
  vptr__lock_give(&logger.lock);
  return CUSOLVER_STATUS_SUCCESS;
}

/* A level and those below it. */
cusolverStatus_t cusolverDnLoggerSetLevel(int level) {
  if (level < 0 || level > MOST_LEVEL)
    return vptr__solver_invalid("cusolverDnLoggerSetLevel", "levels are 0 to 5");
  return set_levels((1 << level) - 1);
}

cusolverStatus_t cusolverDnLoggerSetMask(int mask) {
  return set_levels(mask);
}

cusolverStatus_t cusolverDnLoggerForceDisable(void) {
  vptr__lock_take(&logger.lock);
  logger.is_disabled = true;
  atomic_store(&vptr__solver_log_levels, 0);
  vptr__lock_give(&logger.lock);
  return CUSOLVER_STATUS_SUCCESS;
}
