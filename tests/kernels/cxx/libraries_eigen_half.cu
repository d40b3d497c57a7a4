/* SPDX-License-Identifier: MIT */
/* needs: eigen3/unsupported/Eigen/CXX11/Tensor */
/* options: -I/usr/include/eigen3 -w */
/* libraries_eigen_half - sums and greatest of halves on the device: packets that are written and read as several types. */
#define EIGEN_USE_GPU
#include "check.h"

#include <unsupported/Eigen/CXX11/Tensor>

typedef Eigen::half number;

int main() {
  enum { COUNT = 1000 };
  static number numbers[COUNT];
  float sum = 0, most = -100;
  number *device, *out, seen;
  for (int i = 0; i < COUNT; i++) {
    numbers[i] = number((float)(i * 5 % 7) * 0.5f - 1 + (i == 901));
    sum += (float)numbers[i];
    most = fmaxf(most, (float)numbers[i]);
  }
  CALL(cudaMalloc(&device, sizeof numbers));
  CALL(cudaMalloc(&out, sizeof *out));
  CALL(cudaMemcpy(device, numbers, sizeof numbers, cudaMemcpyHostToDevice));
  Eigen::GpuStreamDevice stream;
  Eigen::GpuDevice gpu(&stream);
  Eigen::TensorMap<Eigen::Tensor<number, 1>> all(device, COUNT);
  Eigen::TensorMap<Eigen::Tensor<number, 0>> one(out);
  one.device(gpu) = all.sum();
  gpu.synchronize();
  CALL(cudaMemcpy(&seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  EXPECT((float)seen == sum);
  one.device(gpu) = all.maximum();
  gpu.synchronize();
  CALL(cudaMemcpy(&seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  EXPECT((float)seen == most);
  return result();
}
