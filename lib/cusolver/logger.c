/* SPDX-License-Identifier: MIT */
/*
 * logger - cusolverDnLogger*(); see logger.h.
 *
 * cuSOLVER's levels are five; here there is something to tell at the first, errors, in the words of vptr_last_error(),
 * and at the last, calls. Its data is the log, `vptr__solver_log`, with a lock of its own. Called by programs; by
 * handle.c, for each call with a handle; and by call.c, for what is wrong.
 */
#include "cusolver/logger.h"

#include "cusolver/status.h"

vptr__library_log vptr__solver_log = VPTR__LIBRARY_LOG("cuSOLVER");

cusolverStatus_t cusolverDnLoggerSetCallback(cusolverDnLoggerCallback_t callback) {
  return vptr__solver_status_of(vptr__library_log_set_callback(&vptr__solver_log, callback));
}

cusolverStatus_t cusolverDnLoggerSetFile(FILE *file) {
  return vptr__solver_status_of(vptr__library_log_set_file(&vptr__solver_log, file, false));
}

cusolverStatus_t cusolverDnLoggerOpenFile(const char *logFile) {
  FILE *file = logFile != NULL ? fopen(logFile, "a") : NULL;
  if (file == NULL)
    return vptr__solver_invalid("cusolverDnLoggerOpenFile", "the file cannot be opened for writing");
  return vptr__solver_status_of(vptr__library_log_set_file(&vptr__solver_log, file, true));
}

/* A level and those below it. */
cusolverStatus_t cusolverDnLoggerSetLevel(int level) {
  if (level < 0 || level > VPTR__LIBRARY_LOG_CALLS)
    return vptr__solver_invalid("cusolverDnLoggerSetLevel", "levels are 0 to 5");
  return vptr__solver_status_of(vptr__library_log_set_levels(&vptr__solver_log, (1 << level) - 1, false));
}

cusolverStatus_t cusolverDnLoggerSetMask(int mask) {
  return vptr__solver_status_of(vptr__library_log_set_levels(&vptr__solver_log, mask, false));
}

cusolverStatus_t cusolverDnLoggerForceDisable(void) {
  return vptr__solver_status_of(vptr__library_log_set_levels(&vptr__solver_log, 0, true));
}
