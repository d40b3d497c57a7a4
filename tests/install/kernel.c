/* SPDX-License-Identifier: MIT */
/* kernel - a program in CUDA's style whose kernel is OpenCL C: it doubles 1000 numbers from an interior pointer. The
 * numbers come from pinned memory, so that whatever that memory is made with is at work too. C, and C++. */
#include <cuda_runtime.h>
#include <vptr/vptr.h>

#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1000, SKIP = 7 };

static const char *const source = "__kernel void twice(__global int *x) { x[get_global_id(0)] *= 2; }";

static void fail(const char *what) {
  fprintf(stderr, "kernel.c: %s: %s\n", what, vptr_last_error());
  exit(EXIT_FAILURE);
}

static void twice(int *device, size_t count) {
  cl_device_id id = vptr_get_device(NULL);
  cl_program program = clCreateProgramWithSource(vptr_get_context(NULL), 1, (const char **)&source, NULL, NULL);
  if (clBuildProgram(program, 1, &id, "", NULL, NULL) != CL_SUCCESS)
    fail("clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "twice", NULL);
  if (vptr_set_kernel_arg(NULL, kernel, 0, device) != VPTR_SUCCESS)
    fail("vptr_set_kernel_arg");
  if (clEnqueueNDRangeKernel(vptr_get_queue(NULL), kernel, 1, NULL, &count, NULL, 0, NULL, NULL) != CL_SUCCESS)
    fail("clEnqueueNDRangeKernel");
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

int main(void) {
  int *numbers;
  const size_t bytes = COUNT * sizeof *numbers;
  if (cudaMallocHost((void **)&numbers, bytes) != cudaSuccess)
    fail("pinned memory");
  for (int i = 0; i < COUNT; i++)
    numbers[i] = i;
  int *device;
  if (cudaMalloc((void **)&device, bytes) != cudaSuccess ||
      cudaMemcpy(device, numbers, bytes, cudaMemcpyHostToDevice) != cudaSuccess)
    fail("to the device");
  twice(device + SKIP, COUNT - SKIP);
  if (cudaMemcpy(numbers, device, bytes, cudaMemcpyDeviceToHost) != cudaSuccess || cudaFree(device) != cudaSuccess)
    fail("from the device");
  for (int i = 0; i < COUNT; i++)
    if (numbers[i] != (i < SKIP ? i : 2 * i))
      fail("a wrong number");
  return cudaFreeHost(numbers) == cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
