/* SPDX-License-Identifier: MIT */
/* managed_kernels - see managed.h: its kernels from a text, as programs in C have them. */
#include "managed.h"

/* In front of CUDA's headers, for which __global__ is nothing in C. */
#define TEXT(...) #__VA_ARGS__
#define TEXT_OF(...) TEXT(__VA_ARGS__)
static const char text[] = TEXT_OF(MANAGED_KERNELS);

#include <vptr/vptr.h>
#include <vptr_kernel.h>

#include <stdio.h>

static const char stubs[3];

static const dim3 one = { 1, 1, 1 }, blocks = { MANAGED_BLOCKS, 1, 1 }, threads = { MANAGED_THREADS, 1, 1 };

static bool fill(unsigned *x, size_t count, unsigned value) {
  return VPTR_CUDA_LAUNCH(&stubs[0], blocks, threads, 0, NULL, &x, &count, &value) == cudaSuccess;
}

static bool add_up(const unsigned *x, size_t count, unsigned *total) {
  return VPTR_CUDA_LAUNCH(&stubs[1], blocks, threads, 0, NULL, &x, &count, &total) == cudaSuccess;
}

static bool increment(unsigned *x) {
  return VPTR_CUDA_LAUNCH(&stubs[2], one, one, 0, NULL, &x) == cudaSuccess;
}

bool managed_with_kernels(const struct options *wanted,
                          bool (*measure)(const struct options *wanted, const managed_kernels *kernels)) {
  static const managed_kernels ours = { fill, add_up, increment };
  const vptr_cuda_kernel kernels[] = { { &stubs[0], "fill" }, { &stubs[1], "add_up" }, { &stubs[2], "increment" } };
  const vptr_cuda_module module = { sizeof module, text, sizeof text - 1, kernels, 3, NULL, 0 };
  void *handle = NULL;
  if (cudaFree(NULL) == cudaSuccess && vptr_get_device(NULL) == NULL) {
    fputs("vptr-bench: this needs a device that runs kernels, and the fake one does not: leave VPTR_PLATFORM unset, "
          "or name a platform\n",
          stderr);
    return false;
  }
  if (vptr_cuda_register_module(&module, &handle) != cudaSuccess) {
    fprintf(stderr, "vptr-bench: the kernels cannot be built: %s\n", vptr_last_error());
    return false;
  }
  bool good = measure(wanted, &ours);
  vptr_cuda_unregister_module(handle);
  return good;
}

bool managed_run(const struct options *wanted) {
  return managed_with_kernels(wanted, managed_measure);
}
