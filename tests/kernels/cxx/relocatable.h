/* SPDX-License-Identifier: MIT */
/* relocatable - what the files of the relocatable program know of each other. */
#ifndef RELOCATABLE_H
#define RELOCATABLE_H

struct amount {
  float weight;
  int value;
};

extern __device__ __managed__ int launches;
extern __constant__ float factors[4];
__device__ float plain_add(float x, float y);
__device__ float cxx_twice(float x);
extern "C" __device__ int cxx_largest(const int *x, int n);

namespace plain {
__global__ void fill(int *x, amount a);
}
__global__ void from_cxx(int *x, amount a);

void plain_starts_cxx(int *x);
void plain_changes(int *x, int by);
void plain_sums(int *x);

#endif
