/* SPDX-License-Identifier: MIT */
/* kernels_two_files - the same names for static kernels, variables and types in two files, and templates of both. */
/* with: kernels_two_files_other.cu */
#include "check.h"
#include "two_files.h"

static __device__ int counter = 100;
static __global__ void change(int *x) {
  x[threadIdx.x] += counter;
}
namespace {
struct amount {
  int value;
};
__global__ void set(int *x, amount a) {
  x[threadIdx.x] = a.value;
}
}

int main() {
  items<int, 8> x;
  set<<<1, 8>>>(x.device, amount{ 5 });
  change<<<1, 8>>>(x.device);
  shared_template<int><<<1, 8>>>(x.device, 1);
  x.fetch();
  EXPECT_EACH(8, x[i] == 5 + 100 + 1);
  change_there(x.device);
  x.fetch();
  EXPECT_EACH(8, x[i] == 10 + 2000 + 2);
  return result();
}
