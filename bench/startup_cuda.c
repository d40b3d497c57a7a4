/* SPDX-License-Identifier: MIT */
/* startup_cuda - a program that makes CUDA's device ready, as cudaFree(0) has always done, and tells when it was. */
#include <cuda_runtime_api.h>

#include "startup_child.h"

int main(void) {
  unsigned long long entered = startup_clock(CLOCK_MONOTONIC);
  cudaError_t error = cudaFree(NULL);
  unsigned long long ready = startup_clock(CLOCK_MONOTONIC), used = startup_clock(CLOCK_PROCESS_CPUTIME_ID);
  if (error == cudaSuccess)
    return startup_report(entered, ready, used);
  fprintf(stderr, "vptr-bench: cudaFree(0): %s\n", cudaGetErrorString(error));
  return 1;
}
