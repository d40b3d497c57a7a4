/* SPDX-License-Identifier: MIT */
/* empty - see empty.h. */
#include "empty.h"

#include <cuda_runtime.h>

#define FOUR(p) char *p##0, char *p##1, char *p##2, char *p##3
#define SIXTEEN(p) FOUR(p##0), FOUR(p##1), FOUR(p##2), FOUR(p##3)

__global__ void no_pointer() {
}

__global__ void one_pointer(char *p) {
}

__global__ void eight_pointers(FOUR(p), FOUR(q)) {
}

__global__ void many_pointers(SIXTEEN(p), SIXTEEN(q)) {
}

void empty_kernels(empty_kernel *kernels_out) {
  kernels_out[0] = { 0, (const void *)no_pointer };
  kernels_out[1] = { 1, (const void *)one_pointer };
  kernels_out[2] = { 8, (const void *)eight_pointers };
  kernels_out[3] = { MOST_POINTERS, (const void *)many_pointers };
}
