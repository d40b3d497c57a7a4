/* SPDX-License-Identifier: MIT */
#define CL_TARGET_OPENCL_VERSION 120
#include "translate/opencl.h"

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/pocl.h"
#include "support/support.h"

struct opencl_program {
  cl_context context;
  cl_device_id device;
  cl_command_queue queue;
  cl_program program;
};

enum { MOST_PLATFORMS = 16, MOST_ARGUMENTS = 16, LOG_BYTES = 1 << 16 };

/* The platform that VPTR_PLATFORM names, as support_run() set it. */
static cl_device_id first_device(void) {
  cl_platform_id platforms[MOST_PLATFORMS];
  cl_uint count = 0;
  ck_assert_int_eq(clGetPlatformIDs(MOST_PLATFORMS, platforms, &count), CL_SUCCESS);
  const char *wanted = getenv("VPTR_PLATFORM");
  for (cl_uint i = 0; i < count && i < MOST_PLATFORMS; i++) {
    char name[256] = "";
    cl_device_id device;
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
    if (wanted != NULL && strstr(name, wanted) == NULL)
      continue;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS)
      return device;
  }
  ck_abort_msg("no OpenCL device on the platform %s", wanted);
  return NULL;
}

/* As the library tells the text where it is built: 900 for compute capability 9.0. */
static unsigned ptx_of(cl_device_id device) {
  enum { MAJOR = 0x4000, MINOR = 0x4001 };
  char vendor[256] = "";
  cl_uint major = 0, minor = 0;
  clGetDeviceInfo(device, CL_DEVICE_VENDOR, sizeof vendor, vendor, NULL);
  if (strstr(vendor, "NVIDIA") == NULL || clGetDeviceInfo(device, MAJOR, sizeof major, &major, NULL) != CL_SUCCESS ||
      clGetDeviceInfo(device, MINOR, sizeof minor, &minor, NULL) != CL_SUCCESS)
    return 0;
  return 100 * major + 10 * minor;
}

static bool loses_threads(cl_device_id device) {
  cl_platform_id platform = NULL;
  char name[256] = "", driver[256] = "";
  clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
  clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL);
  clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof driver, driver, NULL);
  unsigned pocl = vptr__pocl_version(name, driver);
  return pocl > 0 && vptr__pocl_choose_method(pocl);
}

static void build(opencl_program *program, const char *text, const char *asked) {
  char options[512];
  cl_int status;
  snprintf(options, sizeof options, "%s -DVPTR_PTX=%u -DVPTR_MEETS=%d", asked, ptx_of(program->device),
           loses_threads(program->device));
  program->program = clCreateProgramWithSource(program->context, 1, &text, NULL, &status);
  ck_assert_int_eq(status, CL_SUCCESS);
  status = clBuildProgram(program->program, 1, &program->device, options, NULL, NULL);
  if (status == CL_SUCCESS)
    return;
  char *log = calloc(1, LOG_BYTES);
  clGetProgramBuildInfo(program->program, program->device, CL_PROGRAM_BUILD_LOG, LOG_BYTES - 1, log, NULL);
  fprintf(stderr, "%s\n%s\n", text, log);
  free(log);
  ck_abort_msg("the text does not build with %s (%d)", options, status);
}

opencl_program *opencl_build(const char *text, const char *options) {
  opencl_program *program = calloc(1, sizeof *program);
  cl_int status;
  ck_assert_ptr_nonnull(program);
  program->device = first_device();
  program->context = clCreateContext(NULL, 1, &program->device, NULL, NULL, &status);
  ck_assert_int_eq(status, CL_SUCCESS);
  program->queue = clCreateCommandQueue(program->context, program->device, 0, &status);
  ck_assert_int_eq(status, CL_SUCCESS);
  build(program, text, options);
  return program;
}

static cl_mem make_buffer(const opencl_program *program, size_t size, void *bytes) {
  cl_int status;
  cl_mem buffer = clCreateBuffer(program->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, bytes, &status);
  ck_assert_int_eq(status, CL_SUCCESS);
  return buffer;
}

/* Where the device has a buffer: a kernel tells. */
static cl_ulong address_of(const opencl_program *program, cl_mem buffer) {
  static const char *const text = "__kernel void tell(__global uchar *at, __global ulong *out) { *out = (ulong)at; }";
  opencl_program teller = *program;
  cl_ulong address = 0;
  size_t one = 1;
  build(&teller, text, "");
  cl_kernel kernel = clCreateKernel(teller.program, "tell", NULL);
  cl_mem out = make_buffer(program, sizeof address, &address);
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  clSetKernelArg(kernel, 1, sizeof out, &out);
  clEnqueueNDRangeKernel(program->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
  clEnqueueReadBuffer(program->queue, out, CL_TRUE, 0, sizeof address, &address, 0, NULL, NULL);
  clReleaseMemObject(out);
  clReleaseKernel(kernel);
  clReleaseProgram(teller.program);
  ck_assert(address != 0);
  return address;
}

static void set(cl_kernel kernel, int index, size_t size, const void *value) {
  ck_assert_int_eq(clSetKernelArg(kernel, (cl_uint)index, size, value), CL_SUCCESS);
}

static void set_one(opencl_program *program, cl_kernel kernel, int index, const opencl_argument *argument,
                    cl_mem buffer) {
  if (argument->passing == OPENCL_ADDRESS) {
    cl_ulong address = address_of(program, buffer);
    set(kernel, index, sizeof address, &address);
  } else if (buffer != NULL) {
    set(kernel, index, sizeof buffer, &buffer);
  } else {
    set(kernel, index, argument->size, argument->bytes);
  }
}

static void set_all(opencl_program *program, cl_kernel kernel, const opencl_argument *arguments, int count,
                    const cl_mem *buffers) {
  cl_ulong addresses[MOST_ARGUMENTS];
  int packed = 0;
  while (packed < count && arguments[packed].passing == OPENCL_PACKED) {
    addresses[packed] = address_of(program, buffers[packed]);
    packed++;
  }
  if (packed > 0)
    set(kernel, 0, (size_t)packed * sizeof *addresses, addresses);
  for (int i = packed; i < count; i++)
    set_one(program, kernel, packed > 0 ? i - packed + 1 : i, &arguments[i], buffers[i]);
}

void opencl_run(opencl_program *program, const char *name, const opencl_argument *arguments, int count, size_t blocks,
                size_t threads) {
  opencl_run_rows(program, name, arguments, count, blocks, threads, 1);
}

void opencl_run_rows(opencl_program *program, const char *name, const opencl_argument *arguments, int count,
                     size_t blocks, size_t threads, size_t rows) {
  cl_mem buffers[MOST_ARGUMENTS];
  cl_int status;
  cl_kernel kernel = clCreateKernel(program->program, name, &status);
  ck_assert_msg(status == CL_SUCCESS, "no kernel %s (%d)", name, status);
  for (int i = 0; i < count; i++)
    buffers[i] = arguments[i].passing != OPENCL_VALUE && arguments[i].bytes != NULL
                     ? make_buffer(program, arguments[i].size, arguments[i].bytes)
                     : NULL;
  set_all(program, kernel, arguments, count, buffers);
  const size_t global[] = { blocks * threads, rows }, local[] = { threads, rows };
  status = clEnqueueNDRangeKernel(program->queue, kernel, 2, NULL, global, local, 0, NULL, NULL);
  ck_assert_int_eq(status, CL_SUCCESS);
  ck_assert_int_eq(clFinish(program->queue), CL_SUCCESS);
  for (int i = 0; i < count; i++)
    if (buffers[i] != NULL) {
      clEnqueueReadBuffer(program->queue, buffers[i], CL_TRUE, 0, arguments[i].size, arguments[i].bytes, 0, NULL,
                          NULL);
      clReleaseMemObject(buffers[i]);
    }
  clReleaseKernel(kernel);
}

void opencl_free(opencl_program *program) {
  clReleaseProgram(program->program);
  clReleaseCommandQueue(program->queue);
  clReleaseContext(program->context);
  free(program);
}
