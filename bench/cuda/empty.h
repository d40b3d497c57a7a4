/* SPDX-License-Identifier: MIT */
/* empty - kernels that do nothing with the pointers they are given, for what sending them costs. */
#ifndef BENCH_CUDA_EMPTY_H
#define BENCH_CUDA_EMPTY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { EMPTY_KERNELS = 4, MOST_POINTERS = 32 };

typedef struct empty_kernel {
  size_t pointers;
  const void *function; /* for cudaLaunchKernel() */
} empty_kernel;

/* EMPTY_KERNELS of them, by rising number of pointers. */
void empty_kernels(empty_kernel *kernels_out);

#ifdef __cplusplus
}
#endif

#endif
