/* SPDX-License-Identifier: MIT */
/*
 * startup_bare - a program that makes an OpenCL device ready by the calls that nobody can do without, and tells when
 * it was: startup_bare PLATFORM DEVICE, both ordinals.
 *
 * Bytes in the buffer are not among the calls, as cudaFree(0) has none.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue: its successor is missing before 2.0 */
#include <CL/cl.h>

#include "startup_bare.h"
#include "startup_child.h"

int main(int argc, char **argv) {
  unsigned long long entered = startup_clock(CLOCK_MONOTONIC);
  startup_bare bare;
  cl_int code = argc == 3 ? startup_bare_begin(argv[1], argv[2], &bare) : CL_INVALID_VALUE;
  unsigned long long ready = startup_clock(CLOCK_MONOTONIC), used = startup_clock(CLOCK_PROCESS_CPUTIME_ID);
  if (code == CL_SUCCESS)
    return startup_report(entered, ready, used);
  fprintf(stderr, "vptr-bench: OpenCL without vptr: error %d\n", (int)code);
  return 1;
}
