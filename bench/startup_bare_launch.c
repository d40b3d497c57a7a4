/* SPDX-License-Identifier: MIT */
/*
 * startup_bare_launch - a program that gets to the end of its first kernel by OpenCL's calls alone, and tells when it
 * was there: startup_bare_launch PLATFORM DEVICE FILE.
 *
 * The kernel is the driver's own binary in FILE. Where there is no FILE it is compiled and FILE written, for the next
 * one. Whether the kernel did anything is looked at behind the clock.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue: its successor is missing before 2.0 */
#include <CL/cl.h>

#include "startup_bare.h"
#include "startup_child.h"
#include "startup_kernel.h"

#include <stdbool.h>
#include <stdlib.h>

static unsigned char *read_binary(const char *path, size_t *size_out) {
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return NULL;
  unsigned char *binary = NULL;
  long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  rewind(file);
  if (size > 0 && (binary = malloc((size_t)size)) != NULL && fread(binary, 1, (size_t)size, file) == (size_t)size)
    *size_out = (size_t)size;
  else {
    free(binary);
    binary = NULL;
  }
  fclose(file);
  return binary;
}

static cl_int write_binary(const char *path, cl_program program) {
  size_t size = 0;
  cl_int code = clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
  unsigned char *binary = code == CL_SUCCESS ? malloc(size + 1) : NULL;
  if (binary == NULL)
    return code != CL_SUCCESS ? code : CL_OUT_OF_HOST_MEMORY;
  code = clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL);
  FILE *file = code == CL_SUCCESS ? fopen(path, "wb") : NULL;
  bool whole = file != NULL && fwrite(binary, 1, size, file) == size;
  whole = file != NULL && fclose(file) == 0 && whole;
  free(binary);
  return code != CL_SUCCESS || whole ? code : CL_INVALID_BINARY;
}

static cl_int build(const startup_bare *bare, const char *path, cl_program *program_out) {
  const char *text = STARTUP_KERNEL_BY_HAND;
  size_t size;
  cl_int code;
  unsigned char *binary = read_binary(path, &size);
  *program_out = binary != NULL ? clCreateProgramWithBinary(bare->context, 1, &bare->device, &size,
                                                            (const unsigned char *[]){ binary }, NULL, &code)
                                : clCreateProgramWithSource(bare->context, 1, &text, NULL, &code);
  if (code == CL_SUCCESS)
    code = clBuildProgram(*program_out, 1, &bare->device, "", NULL, NULL);
  if (code == CL_SUCCESS && binary == NULL)
    code = write_binary(path, *program_out);
  free(binary);
  return code;
}

static cl_int launch(const startup_bare *bare, const char *path) {
  const size_t one = 1;
  cl_program program;
  cl_int code = build(bare, path, &program);
  if (code != CL_SUCCESS)
    return code;
  cl_kernel kernel = clCreateKernel(program, "answer", &code);
  if (code == CL_SUCCESS)
    code = clSetKernelArg(kernel, 0, sizeof bare->buffer, &bare->buffer);
  if (code == CL_SUCCESS)
    code = clEnqueueNDRangeKernel(bare->queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL);
  return code == CL_SUCCESS ? clFinish(bare->queue) : code;
}

static cl_int check(const startup_bare *bare) {
  cl_int found = 0;
  cl_int code = clEnqueueReadBuffer(bare->queue, bare->buffer, CL_TRUE, 0, sizeof found, &found, 0, NULL, NULL);
  return code != CL_SUCCESS || found == STARTUP_ANSWER ? code : CL_INVALID_VALUE;
}

int main(int argc, char **argv) {
  unsigned long long entered = startup_clock(CLOCK_MONOTONIC);
  startup_bare bare;
  cl_int code = argc == 4 ? startup_bare_begin(argv[1], argv[2], &bare) : CL_INVALID_VALUE;
  if (code == CL_SUCCESS)
    code = launch(&bare, argv[3]);
  unsigned long long ready = startup_clock(CLOCK_MONOTONIC), used = startup_clock(CLOCK_PROCESS_CPUTIME_ID);
  if (code == CL_SUCCESS)
    code = check(&bare);
  if (code == CL_SUCCESS)
    return startup_report(entered, ready, used);
  fprintf(stderr, "vptr-bench: the first kernel without vptr: error %d\n", (int)code);
  return 1;
}
