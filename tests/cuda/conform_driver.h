/* SPDX-License-Identifier: MIT */
/* conform_driver - as conform.h, for programs of the driver's interface. */
#ifndef VPTR_TESTS_CONFORM_DRIVER_H
#define VPTR_TESTS_CONFORM_DRIVER_H

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef ON_NVIDIA
#include "support/crash.h" /* where a program of NVIDIA's crashed */
#else
#define CRASH_NOTE(file, line) ((void)0)
#endif

static int driver_checks, driver_failures;

static inline const char *driver_name(CUresult result) {
  const char *name = NULL;
  return cuGetErrorName(result, &name) == CUDA_SUCCESS ? name : "unknown";
}

static inline void driver_classify(int fine, const char *file, int line, const char *what) {
  CRASH_NOTE(file, line);
  driver_checks++;
  if (fine)
    return;
  driver_failures++;
  printf("%s:%d: FAILED: %s\n", file, line, what);
}

static inline void driver_classify_result(CUresult expected, CUresult got, const char *file, int line,
                                          const char *what) {
  driver_classify(expected == got, file, line, what);
  if (expected != got)
    printf("    got %d (%s), expected %d (%s)\n", (int)got, driver_name(got), (int)expected, driver_name(expected));
}

#define driver_expect(expected, call) driver_classify_result((expected), (call), __FILE__, __LINE__, #call)
#define driver_succeed(call) driver_expect(CUDA_SUCCESS, call)
#define driver_true(condition) driver_classify((condition) != 0, __FILE__, __LINE__, #condition)

static inline void driver_observe(const char *what, CUresult result) {
  printf("observed: %s: %s\n", what, driver_name(result));
}

/* Whether texts in C++ can be compiled: as in the folder of the build, where nothing is installed. */
static inline int driver_finds_clang(void) {
#ifdef ON_NVIDIA
  return 1;
#else
  char here[4096], path[sizeof here + 64];
  if (getcwd(here, sizeof here) == NULL)
    return 0;
  snprintf(path, sizeof path, "%s/tests/kernels/vptrcc", here);
  setenv("VPTRCC", path, 1);
  snprintf(path, sizeof path, "%s/tools/kernelc/vptr-kernelc", here);
  setenv("VPTRCC_TEST_KERNELC", path, 1);
  return access(path, X_OK) == 0 &&
         system("tests/kernels/vptrcc --front-end=clang --dump=text -x cu /dev/null >/dev/null 2>&1") == 0;
#endif
}

static inline int driver_done(const char *name) {
  printf("%s: %d checks, %d failed\n", name, driver_checks, driver_failures);
  return driver_failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
