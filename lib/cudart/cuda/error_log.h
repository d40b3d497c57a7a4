/* SPDX-License-Identifier: MIT */
/*
 * error_log - the messages of calls that failed, and who is told of them (cudaLogs*()). See error_log.c.
 */
#ifndef VPTR_CUDA_ERROR_LOG_H
#define VPTR_CUDA_ERROR_LOG_H

#include <vptr/vptr.h>

/* That a call fails with an error of that name, and the thread's last words. The caller holds no lock: functions of the
 * program's may be called. */
VPTR_API void vptr__cuda_log_error(const char *name);

#endif
