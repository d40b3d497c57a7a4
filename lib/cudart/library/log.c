/* SPDX-License-Identifier: MIT */
/*
 * log - see log.h. The file has no data: a log is its library's.
 *
 * Called by the files of lib/cublas and lib/cusolver: by the loggers there, and where a call begins or fails.
 */
#include "library/log.h"

void vptr__library_log_line(vptr__library_log *log, int level, const char *call, const char *message) {
  vptr__lock_take(&log->lock);
  vptr__library_log_callback *callback = log->callback;
  if (log->file != NULL && fprintf(log->file, "%s: %s: %s\n", log->noun, call, message) > 0)
    fflush(log->file);
  vptr__lock_give(&log->lock);
  if (callback != NULL)
    callback(level, call, message);
}

void vptr__library_log_set_callback(vptr__library_log *log, vptr__library_log_callback *callback) {
  vptr__lock_take(&log->lock);
  log->callback = callback;
  vptr__lock_give(&log->lock);
}

void vptr__library_log_set_file(vptr__library_log *log, FILE *file, bool owns_file) {
  vptr__lock_take(&log->lock);
  FILE *before = log->owns_file ? log->file : NULL;
  log->file = file;
  log->owns_file = owns_file;
  vptr__lock_give(&log->lock);
  if (before != NULL)
    fclose(before);
}

void vptr__library_log_set_levels(vptr__library_log *log, int levels, bool is_disabled) {
  vptr__lock_take(&log->lock);
  log->is_disabled |= is_disabled;
  atomic_store(&log->levels, log->is_disabled ? 0 : levels);
  vptr__lock_give(&log->lock);
}
