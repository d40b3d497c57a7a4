/* SPDX-License-Identifier: MIT */
/*
 * startup_cuda_launch - a program that gets to the end of its first kernel by CUDA's calls, and tells when it was
 * there. The kernel is registered as vptrcc's programs do it; what was built for it is in VPTR_CACHE's folder.
 *
 * Whether the kernel did anything is looked at behind the clock.
 */
#include <cuda_runtime_api.h>
#include <vptr_kernel.h>

#include "startup_child.h"
#include "startup_kernel.h"

static const char text[] = STARTUP_KERNEL_TRANSLATED;
static const char stub;

static cudaError_t launch(int **x_out) {
  static const vptr_cuda_kernel kernel = { &stub, "answer" };
  static const vptr_cuda_module module = { sizeof module, text, sizeof text - 1, &kernel, 1, NULL, 0 };
  const dim3 one = { 1, 1, 1 };
  void *handle;
  cudaError_t error = vptr_cuda_register_module(&module, &handle);
  if (error == cudaSuccess)
    error = cudaMalloc((void **)x_out, STARTUP_BUFFER_BYTES);
  if (error == cudaSuccess)
    error = VPTR_CUDA_LAUNCH(&stub, one, one, 0, NULL, x_out);
  return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

int main(void) {
  unsigned long long entered = startup_clock(CLOCK_MONOTONIC);
  int *x, found = 0;
  cudaError_t error = launch(&x);
  unsigned long long ready = startup_clock(CLOCK_MONOTONIC), used = startup_clock(CLOCK_PROCESS_CPUTIME_ID);
  if (error == cudaSuccess)
    error = cudaMemcpy(&found, x, sizeof found, cudaMemcpyDeviceToHost);
  if (error == cudaSuccess && found == STARTUP_ANSWER)
    return startup_report(entered, ready, used);
  fprintf(stderr, "vptr-bench: the first kernel by vptr wrote %d: %s\n", found, cudaGetErrorString(error));
  return 1;
}
