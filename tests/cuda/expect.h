/* SPDX-License-Identifier: MIT */
/* expect - what the tests of lib/cudart/cuda share: expectations that show the library's sentence when they fail. */
#ifndef VPTR_TESTS_CUDA_EXPECT_H
#define VPTR_TESTS_CUDA_EXPECT_H

#include <stddef.h>

#include <vptr/cuda/cuda_runtime_api.h>
#include <vptr/vptr.h>

#include "support/support.h"

/* Of small allocations: no multiple of anything. */
enum { SIZE = 1000 };

static inline void expect_cuda(cudaError_t expected, cudaError_t got, const char *call, int line) {
  ck_assert_msg(expected == got, "line %d: %s: got %d (%s), expected %d (%s): %s", line, call, (int)got,
                cudaGetErrorName(got), (int)expected, cudaGetErrorName(expected), vptr_last_error());
}

#define expect(expected, call) expect_cuda((expected), (call), #call, __LINE__)
#define succeed(call) expect(cudaSuccess, call)

static inline char *device_memory(size_t size) {
  void *p = NULL;
  succeed(cudaMalloc(&p, size));
  return p;
}

#endif
