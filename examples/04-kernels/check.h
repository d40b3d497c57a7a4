/* SPDX-License-Identifier: MIT */
/* check - what every program here needs around its kernel: an end with words if a call fails, and a comparison. */
#ifndef CHECK_H
#define CHECK_H

#include <cuda_runtime.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call) check((call), #call, __FILE__, __LINE__)

static void check(cudaError_t error, const char *call, const char *file, int line) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
  exit(1);
}

/* How many of count values differ by more than a relative tolerance; says the first. */
static int differences(const float *expected, const float *seen, int count, float tolerance) {
  int wrong = 0;
  for (int i = 0; i < count; i++) {
    float scale = fabsf(expected[i]) > 1 ? fabsf(expected[i]) : 1;
    if (!(fabsf(expected[i] - seen[i]) <= tolerance * scale) && wrong++ == 0)
      fprintf(stderr, "element %d is %g, and %g on the host\n", i, seen[i], expected[i]);
  }
  return wrong;
}

static int verdict(const char *what, int wrong) {
  if (wrong == 0)
    printf("%s: the device agrees with the host\n", what);
  else
    printf("%s: %d values differ\n", what, wrong);
  return wrong == 0 ? 0 : 1;
}

#endif
