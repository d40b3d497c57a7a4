/* SPDX-License-Identifier: MIT */
/*
 * managed - what memory of cudaMallocManaged() costs beside cudaMalloc() and copies that the program makes itself.
 *
 * The measurements (managed.c) use nothing but CUDA's runtime, so that they are the same on vptr and on NVIDIA's
 * library: vptr-bench has them with kernels from a text (managed_kernels.c), and managed.cu is a program for any CUDA
 * compiler.
 */
#ifndef BENCH_MANAGED_H
#define BENCH_MANAGED_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct options;

/* Sends a kernel into the default stream; false if that failed. */
typedef struct managed_kernels {
  bool (*fill)(unsigned *x, size_t count, unsigned value);
  bool (*add_up)(const unsigned *x, size_t count, unsigned *total); /* to what *total was */
  bool (*increment)(unsigned *x);                                   /* the first */
} managed_kernels;

/* Their code: where the compiler reads this it is code, and in a C program a text. */
#define MANAGED_KERNELS                                                                                       \
  extern "C" __global__ void fill(unsigned *x, size_t count, unsigned value) {                                \
    size_t threads = (size_t)gridDim.x * blockDim.x;                                                          \
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads)                   \
      x[i] = value;                                                                                           \
  }                                                                                                           \
  extern "C" __global__ void add_up(const unsigned *x, size_t count, unsigned *total) {                       \
    size_t threads = (size_t)gridDim.x * blockDim.x;                                                          \
    unsigned sum = 0;                                                                                         \
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads)                   \
      sum += x[i];                                                                                            \
    atomicAdd(total, sum);                                                                                    \
  }                                                                                                           \
  extern "C" __global__ void increment(unsigned *x) {                                                         \
    x[0] += 1;                                                                                                \
  }
enum { MANAGED_BLOCKS = 1024, MANAGED_THREADS = 256 }; /* of the first two; the third has one thread */

/* False if something failed or a sum was wrong, which has been said on stderr. */
bool managed_measure(const struct options *wanted, const managed_kernels *kernels);

/* main() of a program that measures this alone: --csv, --json, --repetitions N. */
int managed_main(int argc, char **argv, const managed_kernels *kernels);

/* vptr-bench's: managed_measure(), or another measurement, with the kernels as a text. */
bool managed_run(const struct options *wanted);
bool managed_with_kernels(const struct options *wanted,
                          bool (*measure)(const struct options *wanted, const managed_kernels *kernels));

#ifdef __cplusplus
}
#endif

#endif
