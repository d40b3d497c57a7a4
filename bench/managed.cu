/* SPDX-License-Identifier: MIT */
/*
 * managed - what `vptr-bench managed` measures, as a program for any CUDA compiler: the same rows, to be compared.
 *
 *     nvcc -O2 -o managed managed.cu managed.c clock.c options.c progress.c report.c && ./managed --csv
 *     vptrcc -O2 -o managed managed.cu managed.c clock.c options.c progress.c report.c && ./managed --csv
 */
#include "managed.h"

#include <cuda_runtime.h>

MANAGED_KERNELS

static bool send_fill(unsigned *x, size_t count, unsigned value) {
  fill<<<MANAGED_BLOCKS, MANAGED_THREADS>>>(x, count, value);
  return cudaPeekAtLastError() == cudaSuccess;
}

static bool send_add_up(const unsigned *x, size_t count, unsigned *total) {
  add_up<<<MANAGED_BLOCKS, MANAGED_THREADS>>>(x, count, total);
  return cudaPeekAtLastError() == cudaSuccess;
}

static bool send_increment(unsigned *x) {
  increment<<<1, 1>>>(x);
  return cudaPeekAtLastError() == cudaSuccess;
}

int main(int argc, char **argv) {
  static const managed_kernels kernels = { send_fill, send_add_up, send_increment };
  return managed_main(argc, argv, &kernels);
}
