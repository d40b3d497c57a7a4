/* SPDX-License-Identifier: MIT */
/*
 * logger - which calls a program makes, told to a file, a stream, or a function of the program's.
 *
 * Off at first. `on` is read without a lock; `lock` of logger.c, of rank LEAF, guards what else is configured, and is
 * not held while a function of the program's runs.
 */
#ifndef VPTR_CUBLAS_LOGGER_H
#define VPTR_CUBLAS_LOGGER_H

#include <stdatomic.h>

extern atomic_bool vptr__blas_log_is_on;
void vptr__blas_log_line(const char *call);

/* At the beginning of a call. */
static inline void vptr__blas_log(const char *call) {
  if (atomic_load_explicit(&vptr__blas_log_is_on, memory_order_relaxed))
    vptr__blas_log_line(call);
}

#endif
