/* SPDX-License-Identifier: MIT */
/*
 * opencl - builds OpenCL C on the device under test and runs a kernel of it, by plain OpenCL calls: so that what the
 * translator writes is tried without any of what loads and launches it in programs.
 */
#ifndef VPTR_TESTS_TRANSLATE_OPENCL_H
#define VPTR_TESTS_TRANSLATE_OPENCL_H

#include <stddef.h>

/* A buffer's bytes are copied in, and out again; a kernel gets it as OpenCL has it, or its device address as a number.
 * Those that are packed come first, and are one argument: a struct of their addresses. */
typedef enum opencl_passing { OPENCL_BUFFER, OPENCL_VALUE, OPENCL_ADDRESS, OPENCL_PACKED } opencl_passing;

typedef struct opencl_argument {
  void *bytes; /* NULL: local memory */
  size_t size;
  opencl_passing passing;
} opencl_argument;

typedef struct opencl_program opencl_program;

/* Fails the test with the driver's log if the text does not build. */
opencl_program *opencl_build(const char *text, const char *options);
void opencl_run(opencl_program *program, const char *kernel, const opencl_argument *arguments, int count, size_t blocks,
                size_t threads);
/* Blocks of several rows of threads. */
void opencl_run_rows(opencl_program *program, const char *kernel, const opencl_argument *arguments, int count,
                     size_t blocks, size_t threads, size_t rows);
void opencl_free(opencl_program *program);

#endif
