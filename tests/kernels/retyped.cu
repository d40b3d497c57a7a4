/* SPDX-License-Identifier: MIT */
/* retyped - bytes that are written as one type of number and read as another, through casts of pointers. */
#include "kernels.h"

struct quad {
  int x, y, z, w;
};

__device__ float root(float x) {
  int bits = *(int *)&x;
  bits = 0x5f3759df - (bits >> 1);
  float y = *(float *)&bits;
  return y * (1.5f - 0.5f * x * y * y);
}

/* Both lead to one place. */
__device__ void store_both(float *real, int *number, float *seen) {
  *real = 1;
  *number = 2;
  *seen = *real;
}

__device__ double add_to(double *sum, double x) {
  unsigned long long *bits = (unsigned long long *)sum, old = *bits, before;
  do {
    before = old;
    old = atomicCAS(bits, before, (unsigned long long)__double_as_longlong(x + __longlong_as_double((long long)before)));
  } while (before != old);
  return *sum;
}

__global__ void run(float *numbers, double *out, double *sum) {
  __shared__ float room[32];
  int n = 0;
  store_both(numbers, (int *)numbers, numbers + 1);
  out[n++] = *(int *)(numbers + 1);
  out[n++] = root(4) > 0.499f && root(4) < 0.501f;
  for (int i = 0; i < 32; i++)
    room[i] = (float)i;
  quad *four = (quad *)room;
  four[2].y = four[1].x ^ 1 << 31;
  out[n++] = room[9];
  out[n++] = *(short *)&room[9] + ((unsigned short *)room)[19];
  float sign = room[5];
  *(unsigned *)&sign |= 0x80000000u;
  out[n++] = sign;
  *sum = 0.5;
  out[n++] = add_to(sum, 2) + add_to(sum, 4);
}

int main() {
  enum { COUNT = 6 };
  const double expected[COUNT] = { 2, 1, -4, 0xc080, -5, 2.5 + 6.5 };
  float *numbers;
  double *out, *sum, seen[COUNT];
  CHECK(cudaMalloc(&numbers, 2 * sizeof *numbers));
  CHECK(cudaMalloc(&out, sizeof seen));
  CHECK(cudaMalloc(&sum, sizeof *sum));
  run<<<1, 1>>>(numbers, out, sum);
  CHECK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  for (int i = 0; i < COUNT; i++)
    EXPECT(seen[i], expected[i]);
  CHECK(cudaFree(numbers));
  CHECK(cudaFree(out));
  CHECK(cudaFree(sum));
  return verdict("retyped");
}
