/* SPDX-License-Identifier: MIT */
/*
 * jit_option - the options of calls that load or link an image, of which the logs have a meaning here.
 *
 * No state, no locks: the logs are the program's memory. A linker's state keeps where they are, and later calls with it
 * write there.
 */
#ifndef VPTR_DRIVER_JIT_OPTION_H
#define VPTR_DRIVER_JIT_OPTION_H

#include <vptr/cuda/cuda.h>

/* Where the program wants to read what went wrong. */
typedef struct vptr__driver_log_room {
  char *bytes;
  size_t size;
  void **size_place; /* in which the length is told */
} vptr__driver_log_room;

typedef struct vptr__driver_logs {
  vptr__driver_log_room info, error;
} vptr__driver_logs;

/* Pairs of an option and its value, which is NULL or one of the program's places. Errors, said for call:
 * INVALID_VALUE. */
CUresult vptr__driver_read_options(const char *call, unsigned count, const CUjit_option *options, void **values,
                                   vptr__driver_logs *logs_out);

/* The log of errors gets the text, as far as there is room; the other one is empty. */
void vptr__driver_write_logs(const vptr__driver_logs *logs, const char *error);

#endif
