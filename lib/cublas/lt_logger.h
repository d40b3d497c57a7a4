/* SPDX-License-Identifier: MIT */
/*
 * lt_logger - cuBLASLt's lines: one for each call, where a program wants them.
 *
 * Lock: `lock` of lt_logger.c, of rank LEAF, which is not held while the program's function is called.
 */
#ifndef VPTR_CUBLAS_LT_LOGGER_H
#define VPTR_CUBLAS_LT_LOGGER_H

#include <stdatomic.h>

extern atomic_bool vptr__lt_log_is_on;

void vptr__lt_log_line(const char *call);

static inline void vptr__lt_log(const char *call) {
  if (atomic_load_explicit(&vptr__lt_log_is_on, memory_order_relaxed))
    vptr__lt_log_line(call);
}

#endif
