/* SPDX-License-Identifier: MIT */
/*
 * lt_logger - cuBLASLt's lines: one for each call, where a program wants them.
 *
 * Lock: that of `vptr__lt_log_state` (library/log.h).
 */
#ifndef VPTR_CUBLAS_LT_LOGGER_H
#define VPTR_CUBLAS_LT_LOGGER_H

#include "library/log.h"

extern vptr__library_log vptr__lt_log_state;

static inline void vptr__lt_log(const char *call) {
  vptr__library_log_tell(&vptr__lt_log_state, VPTR__LIBRARY_LOG_CALLS, call, "called");
}

#endif
