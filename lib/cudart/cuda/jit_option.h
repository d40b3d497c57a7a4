/* SPDX-License-Identifier: MIT */
/*
 * jit_option - the options of calls that load or link an image, of which the logs have a meaning here.
 *
 * Both interfaces number them alike. No data, no locks: the logs are the program's memory. A linker's state
 * (driver/link.c) keeps where they are, and later calls with it write there. Called by library.c, driver/module.c and
 * driver/link.c.
 */
#ifndef VPTR_CUDA_JIT_OPTION_H
#define VPTR_CUDA_JIT_OPTION_H

#include <stddef.h>

#include <vptr/cuda/driver_types.h>
#include <vptr/vptr.h>

/* Where the program wants to read what went wrong. */
typedef struct vptr__cuda_log_room {
  char *bytes;
  size_t size;
  void **size_place; /* in which the length is told */
} vptr__cuda_log_room;

typedef struct vptr__cuda_jit_logs {
  vptr__cuda_log_room info, error;
} vptr__cuda_jit_logs;

/* Pairs of an option, by its number, and its value, which is NULL or one of the program's places. Errors, said for
 * call: cudaErrorInvalidValue. */
VPTR_API cudaError_t vptr__cuda_jit_read(const char *call, unsigned count, const void *options, void **values,
                                         vptr__cuda_jit_logs *logs_out);

/* The log of errors gets the text, as far as there is room; the other one is empty. */
VPTR_API void vptr__cuda_jit_write(const vptr__cuda_jit_logs *logs, const char *error);

#endif
