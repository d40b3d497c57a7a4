/* SPDX-License-Identifier: MIT */
/*
 * conform - what a conformance program needs: expectations, observations, an exit status.
 *
 * The programs conform_*.c are plain C that uses nothing but the CUDA runtime's own API. They are compiled twice:
 * against vptr's headers and library, and against NVIDIA's on a machine with a GPU. The second run is the oracle:
 * an expectation that fails there is a wrong expectation. So they ask only what CUDA promises or was seen to do;
 * where vptr is stricter than CUDA can be (CUDA lets a copy run into a neighbour), test_cuda_memory.c asks.
 *
 *     cc -I$prefix/include/vptr/cuda conform_memory.c -lvptr-cudart -pthread      as vptr
 *     cc -I/usr/local/cuda/include conform_memory.c -L/usr/local/cuda/lib64 -lcudart -pthread      as CUDA
 *
 * What differs by design between the two, or by machine, is printed as "observed" and expected of neither. Output
 * arguments are cast to `void **` because NVIDIA's header wants it so in C; test_header.c does without.
 */
#ifndef VPTR_TESTS_CONFORM_H
#define VPTR_TESTS_CONFORM_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef ON_NVIDIA
#include "support/crash.h" /* where a program of NVIDIA's crashed */
#else
#define CRASH_NOTE(file, line) ((void)0)
#endif

static int conform_checks, conform_failures;

static inline void conform_classify(int fine, const char *file, int line, const char *what) {
  CRASH_NOTE(file, line);
  conform_checks++;
  if (fine)
    return;
  conform_failures++;
  printf("%s:%d: FAILED: %s\n", file, line, what);
}

static inline void conform_classify_error(cudaError_t expected, cudaError_t got, const char *file, int line,
                                       const char *what) {
  conform_classify(expected == got, file, line, what);
  if (expected != got)
    printf("    got %d (%s), expected %d (%s)\n", (int)got, cudaGetErrorName(got), (int)expected,
           cudaGetErrorName(expected));
}

/* The call returns expected. A failure is also the last error then, and is reset; a success leaves none. */
#define conform_expect(expected, call)                                                                      \
  do {                                                                                                      \
    conform_classify_error((expected), (call), __FILE__, __LINE__, #call);                                     \
    conform_classify_error((expected), cudaGetLastError(), __FILE__, __LINE__, "last error after " #call);     \
  } while (0)

#define conform_succeed(call) conform_expect(cudaSuccess, call)

/* The call says that work is under way. That is an answer and no failure: the last error stays what it was. */
#define conform_not_ready(call)                                                                             \
  do {                                                                                                      \
    cudaError_t conform_before = cudaPeekAtLastError();                                                     \
    conform_classify_error(cudaErrorNotReady, (call), __FILE__, __LINE__, #call);                              \
    conform_classify_error(conform_before, cudaPeekAtLastError(), __FILE__, __LINE__, "last error after " #call); \
  } while (0)

#define conform_true(condition) conform_classify((condition) != 0, __FILE__, __LINE__, #condition)

static inline int conform_done(const char *name) {
  printf("%s: %d checks, %d failed\n", name, conform_checks, conform_failures);
  return conform_failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
