/* SPDX-License-Identifier: MIT */
/*
 * opencl - builds OpenCL C on the device under test and runs a kernel of it, by plain OpenCL calls: so that what the translator
 * writes is tried without any of what loads and launches it in programs.
 */
#ifndef VPTR_TESTS_TRANSLATE_OPENCL_H
#define VPTR_TESTS_TRANSLATE_OPENCL_H

#include <stddef.h>

typedef struct opencl_argument {
  void *bytes;   /* of a buffer: copied in, and out again; of a value: as it is; NULL: local memory */
  size_t size;
  int is_value;
} opencl_argument;

typedef struct opencl_program opencl_program;

/* Fails the test with the driver's log if the text does not build. */
opencl_program *opencl_build(const char *text, const char *options);
void opencl_run(opencl_program *program, const char *kernel, const opencl_argument *arguments, int count, size_t blocks,
                size_t threads);
void opencl_free(opencl_program *program);

#endif
