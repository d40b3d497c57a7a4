/* SPDX-License-Identifier: MIT */
/*
 * startup_bare - what the startup benchmark's programs without vptr make ready, by the calls that nobody can do
 * without. A header and no source, as startup_child.h is; it comes behind <CL/cl.h>.
 *
 * A buffer is among them, since drivers put off work until the first.
 */
#ifndef BENCH_STARTUP_BARE_H
#define BENCH_STARTUP_BARE_H

#include "startup_kernel.h"

#include <stdlib.h>

typedef struct startup_bare {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_mem buffer;
} startup_bare;

/* Both are ordinals. Nothing is released: the process ends soon. */
static inline cl_int startup_bare_begin(const char *platform_text, const char *device_text, startup_bare *bare_out) {
  enum { MOST = 64 };
  unsigned long platform = strtoul(platform_text, NULL, 10), device = strtoul(device_text, NULL, 10);
  cl_platform_id platforms[MOST];
  cl_device_id devices[MOST];
  cl_uint platform_count = 0, device_count = 0;
  cl_int code = clGetPlatformIDs(MOST, platforms, &platform_count);
  if (code != CL_SUCCESS || platform >= platform_count)
    return code != CL_SUCCESS ? code : CL_INVALID_PLATFORM;
  code = clGetDeviceIDs(platforms[platform], CL_DEVICE_TYPE_ALL, MOST, devices, &device_count);
  if (code != CL_SUCCESS || device >= device_count)
    return code != CL_SUCCESS ? code : CL_INVALID_DEVICE;
  bare_out->device = devices[device];
  bare_out->context = clCreateContext(NULL, 1, &devices[device], NULL, NULL, &code);
  if (code == CL_SUCCESS)
    bare_out->queue = clCreateCommandQueue(bare_out->context, devices[device], 0, &code);
  if (code == CL_SUCCESS)
    bare_out->buffer = clCreateBuffer(bare_out->context, CL_MEM_READ_WRITE, STARTUP_BUFFER_BYTES, NULL, &code);
  return code;
}

#endif
