/* SPDX-License-Identifier: MIT */
/* files_other - see files.cu. */
#include "files.h"

static __device__ int own = 2;

static __global__ void work(int *out) {
  out[0] = own + *out;
}

void other_work(int *out) {
  shared_template<<<1, 1>>>(out, 40);
  work<<<1, 1>>>(out);
}
