/* SPDX-License-Identifier: MIT */
/* children_two_files_other - the other file of children_two_files.cu. */
static __global__ void own(int *sum) { atomicAdd(sum, 1000); }

__global__ void there(int *sum, int by) {
  atomicAdd(sum, 100 * by);
  own<<<1, 1>>>(sum);
}

__global__ void there_by_lambda(int *sum) {
  auto launch = [=](int count) { own<<<1, count>>>(sum); };
  launch(3);
}
