/* SPDX-License-Identifier: MIT */
/* callables_function_table - pointers to device functions that are chosen at run time: from tables, by conditions. */
#include "check.h"

typedef int (*operation)(int, int);
__host__ __device__ int add(int a, int b) {
  return a + b;
}
__host__ __device__ int subtract(int a, int b) {
  return a - b;
}
template <int By> __host__ __device__ int scaled(int a, int b) {
  return a * By + b;
}
__device__ operation table[4] = { add, subtract, scaled<3>, scaled<-7> };
__device__ operation chosen;

__global__ void run(int *out, int first) {
  int i = (int)threadIdx.x;
  out[i] = table[(i + first) % 4](i, 7);
}
__global__ void choose(int which) {
  chosen = which == 1 ? subtract : which == 2 ? scaled<3> : add;
}
__global__ void run_chosen(int *out) {
  out[threadIdx.x] = chosen ? chosen((int)threadIdx.x, 5) : -1;
}

struct body {
  __host__ __device__ int operator()(int i) const {
    operation f = i % 3 == 0 ? add : i % 3 == 1 ? subtract : scaled<2>;
    int all = 0;
    for (int k = 0; k < 4; k++)
      all += f(all, k), f = k == i % 4 ? scaled<5> : f;
    return all;
  }
};

int main() {
  items<int, 32> out;
  run<<<1, 32>>>(out.device, 1);
  out.fetch();
  const operation same[4] = { add, subtract, scaled<3>, scaled<-7> };
  EXPECT_EACH(32, out[i] == same[(i + 1) % 4](i, 7));
  run_chosen<<<1, 32>>>(out.device);
  out.fetch();
  EXPECT_EACH(32, out[i] == -1);
  for (int which = 0; which < 3; which++) {
    choose<<<1, 1>>>(which);
    run_chosen<<<1, 32>>>(out.device);
    out.fetch();
    EXPECT_EACH(32, out[i] == (which == 1 ? i - 5 : which == 2 ? i * 3 + 5 : i + 5));
  }
  same_on_both<int>(body{});
  return result();
}
