/* SPDX-License-Identifier: MIT */
/* kernels_two_files_other - the other file of kernels_two_files. */
#include "check.h"
#include "two_files.h"

static __device__ int counter = 2000;
static __global__ void change(int *x) {
  x[threadIdx.x] += counter;
}
namespace {
struct amount {
  double value;
};
__global__ void set(int *x, amount a) {
  x[threadIdx.x] = (int)a.value;
}
}

void change_there(int *x) {
  set<<<1, 8>>>(x, amount{ 10.5 });
  change<<<1, 8>>>(x);
  shared_template<int><<<1, 8>>>(x, 2);
}
