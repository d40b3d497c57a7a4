/* SPDX-License-Identifier: MIT */
/*
 * startup_bare - a program that makes an OpenCL device ready by the calls that nobody can do without, and tells when
 * it was: startup_bare PLATFORM DEVICE, both ordinals.
 *
 * A buffer is among them, since drivers put off work until the first; bytes in it are not, as cudaFree(0) has none.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue: its successor is missing before 2.0 */
#include <CL/cl.h>

#include "startup_child.h"

#include <stdlib.h>

enum { MOST = 64, BUFFER_BYTES = 4096 };

static cl_int make_ready(unsigned long platform, unsigned long device) {
  cl_platform_id platforms[MOST];
  cl_device_id devices[MOST];
  cl_uint platform_count = 0, device_count = 0;
  cl_int code = clGetPlatformIDs(MOST, platforms, &platform_count);
  if (code != CL_SUCCESS || platform >= platform_count)
    return code != CL_SUCCESS ? code : CL_INVALID_PLATFORM;
  code = clGetDeviceIDs(platforms[platform], CL_DEVICE_TYPE_ALL, MOST, devices, &device_count);
  if (code != CL_SUCCESS || device >= device_count)
    return code != CL_SUCCESS ? code : CL_INVALID_DEVICE;
  cl_context context = clCreateContext(NULL, 1, &devices[device], NULL, NULL, &code);
  if (code == CL_SUCCESS)
    clCreateCommandQueue(context, devices[device], 0, &code);
  if (code == CL_SUCCESS)
    clCreateBuffer(context, CL_MEM_READ_WRITE, BUFFER_BYTES, NULL, &code);
  return code;
}

int main(int argc, char **argv) {
  unsigned long long entered = startup_clock(CLOCK_MONOTONIC);
  cl_int code = argc == 3 ? make_ready(strtoul(argv[1], NULL, 10), strtoul(argv[2], NULL, 10)) : CL_INVALID_VALUE;
  unsigned long long ready = startup_clock(CLOCK_MONOTONIC);
  if (code == CL_SUCCESS)
    return startup_tell(entered, ready);
  fprintf(stderr, "vptr-bench: OpenCL without vptr: error %d\n", (int)code);
  return 1;
}
