/* SPDX-License-Identifier: MIT */
/* children_two_files - children of another file of a relocatable program, and static ones of each. */
/* with: children_two_files_other.cu */
/* options: -rdc=true */
#include "check.h"

extern __global__ void there(int *sum, int by);
extern __global__ void there_by_lambda(int *sum);

static __global__ void own(int *sum) { atomicAdd(sum, 1); }
template <class T> __global__ void own_of(T *sum) { atomicAdd(sum, 10); }

__global__ void here(int *sum) {
  there<<<1, 1>>>(sum, 5);
  own<<<1, 2>>>(sum);
  own_of<<<1, 1>>>(sum);
}

int main() {
  items<int, 1> sum;
  here<<<1, 1>>>(sum.device);
  own<<<1, 1>>>(sum.device);
  there_by_lambda<<<1, 1>>>(sum.device);
  sum.fetch();
  EXPECT(sum[0] == 5 * 100 + 1000 + 2 + 10 + 1 + 3 * 1000);
  return result();
}
