/* SPDX-License-Identifier: MIT */
/*
 * log - writing a line to a library's log, and setting where lines go (log.h).
 *
 * The file has no data: a log is a variable of its library's. The log's `lock`, of rank LEAF, guards its file, its
 * callback and its settings; `levels` is atomic, and read without it. A line goes to the file under the lock, and to
 * the program's function without it. A file that the log owns is closed here, when another one takes its place.
 *
 * Called by the files of lib/cublas and lib/cusolver: by the loggers there, and where a call begins or fails.
 */
#include "library/log.h"

#include "mapper/registry.h"

void vptr__library_log_line(vptr__library_log *log, int level, const char *call, const char *message) {
  if (vptr__registry_is_forked())
    return;
  vptr__lock_take(&log->lock);
  vptr__library_log_callback *callback = log->callback;
  if (log->file != NULL && fprintf(log->file, "%s: %s: %s\n", log->noun, call, message) > 0)
    fflush(log->file);
  vptr__lock_give(&log->lock);
  if (callback != NULL)
    callback(level, call, message);
}

vptr_status vptr__library_log_set_callback(vptr__library_log *log, vptr__library_log_callback *callback) {
  vptr_status status = vptr__registry_check_process();
  if (status != VPTR_SUCCESS)
    return status;
  vptr__lock_take(&log->lock);
  log->callback = callback;
  vptr__lock_give(&log->lock);
  return VPTR_SUCCESS;
}

static FILE *exchange_file(vptr__library_log *log, FILE *file, bool owns_file) {
  vptr__lock_take(&log->lock);
  FILE *before = log->owns_file ? log->file : NULL;
  log->file = file;
  log->owns_file = owns_file;
  vptr__lock_give(&log->lock);
  return before;
}

vptr_status vptr__library_log_set_file(vptr__library_log *log, FILE *file, bool owns_file) {
  vptr_status status = vptr__registry_check_process();
  FILE *closed = status != VPTR_SUCCESS ? (owns_file ? file : NULL) : exchange_file(log, file, owns_file);
  if (closed != NULL)
    fclose(closed);
  return status;
}

vptr_status vptr__library_log_set_levels(vptr__library_log *log, int levels, bool is_disabled) {
  vptr_status status = vptr__registry_check_process();
  if (status != VPTR_SUCCESS)
    return status;
  vptr__lock_take(&log->lock);
  log->is_disabled |= is_disabled;
  atomic_store(&log->levels, log->is_disabled ? 0 : levels);
  vptr__lock_give(&log->lock);
  return VPTR_SUCCESS;
}
