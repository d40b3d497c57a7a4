/* SPDX-License-Identifier: MIT */
/* kernels_struct_union - a struct by value that has a pointer or a number in one place, and which it is. */
#include "check.h"

struct start {
  bool is_pointer;
  union {
    const int *from;
    int value;
  };
  __host__ __device__ operator int() const { return is_pointer ? *from : value; }
};

__global__ void run(start first, int *out) {
  out[threadIdx.x] = first + (int)threadIdx.x;
}

int main() {
  items<int, 32> in, out;
  in.host[5] = 1000;
  in.send();
  start first = { true, { in.device + 5 } };
  run<<<1, 32>>>(first, out.device);
  out.fetch();
  EXPECT_EACH(32, out[i] == 1000 + i);
  first.is_pointer = false;
  first.value = 10;
  run<<<1, 32>>>(first, out.device);
  out.fetch();
  EXPECT_EACH(32, out[i] == 10 + i);
  return result();
}
