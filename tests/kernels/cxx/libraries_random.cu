/* SPDX-License-Identifier: MIT */
/* needs: eigen3/unsupported/Eigen/CXX11/Tensor */
/* options: -I/usr/include/eigen3 -w */
/* libraries_random - Eigen's generator of random numbers gives a kernel's threads what it gives the CPU from the same seeds. */
#define EIGEN_USE_GPU
#include "check.h"

#include <unsupported/Eigen/CXX11/Tensor>

enum { COUNT = 1000 };

template <class T> __host__ __device__ T drawn(int seed) {
  Eigen::internal::UniformRandomGenerator<T> generator(seed);
  return generator(seed) + generator(seed) + generator(seed);
}
template <class T> __global__ void draw(T *out) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < COUNT)
    out[i] = drawn<T>(i + 1);
}

template <class T> static void compare() {
  static items<T, COUNT> all;
  draw<<<(COUNT + 63) / 64, 64>>>(all.device);
  all.fetch();
  EXPECT_EACH(COUNT, all[i] == drawn<T>(i + 1));
  EXPECT_EACH(COUNT - 1, all[i] != all[i + 1]);
}

int main() {
  compare<float>();
  compare<double>();
  return result();
}
