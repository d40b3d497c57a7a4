/* SPDX-License-Identifier: MIT */
/*
 * error_log - the messages of calls that failed, and which functions of the program's are told of them (cudaLogs*()).
 *
 * error_log.c has the data, guarded by its static `lock`, of rank LEAF. Called by error.c and driver/result.c, for each
 * failure; programs call what vptr_error_log.h declares.
 */
#ifndef VPTR_CUDA_ERROR_LOG_H
#define VPTR_CUDA_ERROR_LOG_H

#include <vptr/vptr.h>

/* That a call fails with an error of that name, and the thread's last words. The caller holds no lock: functions of the
 * program's may be called. */
VPTR_API void vptr__cuda_log_error(const char *name);

#endif
