/* SPDX-License-Identifier: MIT */
/*
 * has_platform NAME - exit status 0 if an OpenCL platform with NAME in its name has a device, else 1.
 *
 * It asks the ICD loader and not vptr, since the tests that it lets through are tests of vptr. No locks.
 */
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLATFORMS_MAX = 32 };

static bool matches(cl_platform_id platform, const char *wanted) {
  char name[256] = "";
  cl_uint devices = 0;
  return clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL) == CL_SUCCESS &&
         strcasestr(name, wanted) != NULL &&
         clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &devices) == CL_SUCCESS && devices > 0;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: has_platform NAME\n");
    return 2;
  }
  cl_platform_id platforms[PLATFORMS_MAX];
  cl_uint count = 0;
  if (clGetPlatformIDs(PLATFORMS_MAX, platforms, &count) != CL_SUCCESS)
    return EXIT_FAILURE;
  for (cl_uint i = 0; i < count && i < PLATFORMS_MAX; i++)
    if (matches(platforms[i], argv[1]))
      return EXIT_SUCCESS;
  return EXIT_FAILURE;
}
