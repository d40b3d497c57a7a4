/* SPDX-License-Identifier: MIT */
/* files - a program of two files with kernels and variables of the same names, which are static; files_other.cu is the
 * second. */
#include "check.h"
#include "files.h"

static __device__ int own = 1;

static __global__ void work(int *out) {
  out[0] = own;
}

int main() {
  int *out;
  GOES(cudaMalloc(&out, 2 * sizeof *out));
  work<<<1, 1>>>(out);
  other_work(out + 1);
  GOES(cudaDeviceSynchronize());
  CHECK(value_at(out, 0) == 1 && value_at(out, 1) == 2 + 40);
  shared_template<<<1, 1>>>(out, 5);
  CHECK(value_at(out, 0) == 5);
  return 0;
}
