/* SPDX-License-Identifier: MIT */
/* needs: eigen3/unsupported/Eigen/CXX11/Tensor */
/* options: -I/usr/include/eigen3 -w */
/* libraries_eigen - Eigen as Debian has it: tensors on the device, and matrices of a fixed size within kernels. */
#define EIGEN_USE_GPU
#include "check.h"

#include <Eigen/Dense>
#include <unsupported/Eigen/CXX11/Tensor>

enum { ROWS = 40, COLUMNS = 70 };
typedef Eigen::Tensor<float, 2> table;
typedef Eigen::Tensor<float, 1> list;

static bool is_near(float a, float b) { return fabsf(a - b) <= 1e-4f * (1 + fabsf(b)); }

/* The device's tensor, made by the body, beside the CPU's. */
template <class Tensor, class Body> void same(const Tensor &expected, const char *what, Body body) {
  Tensor out(expected.dimensions());
  typename Tensor::Scalar *device;
  Eigen::GpuStreamDevice stream;
  Eigen::GpuDevice gpu(&stream);
  CALL(cudaMalloc(&device, expected.size() * sizeof *device));
  Eigen::TensorMap<Tensor> map(device, expected.dimensions());
  body(gpu, map);
  gpu.synchronize();
  CALL(cudaMemcpy(out.data(), device, expected.size() * sizeof *device, cudaMemcpyDeviceToHost));
  for (int i = 0; i < expected.size(); i++)
    check_item(is_near((float)out.data()[i], (float)expected.data()[i]), i, what, __FILE__, __LINE__);
  CALL(cudaFree(device));
}

static void tensors() {
  table a(ROWS, COLUMNS), b(ROWS, COLUMNS);
  items<float, ROWS * COLUMNS> da, db;
  a.setRandom();
  b.setRandom();
  memcpy(da.host, a.data(), sizeof da.host), memcpy(db.host, b.data(), sizeof db.host);
  da.send(), db.send();
  Eigen::TensorMap<table> ga(da.device, ROWS, COLUMNS), gb(db.device, ROWS, COLUMNS);
  table sums = a * b + a.exp() - b.abs().sqrt();
  same(sums, "elementwise", [&](auto &gpu, auto &out) { out.device(gpu) = ga * gb + ga.exp() - gb.abs().sqrt(); });
  Eigen::array<int, 2> twice = { 2, 1 };
  table wide = a.broadcast(twice);
  same(wide, "broadcast", [&](auto &gpu, auto &out) { out.device(gpu) = ga.broadcast(twice); });
  Eigen::Tensor<float, 0> sum = a.sum();
  same(sum, "sum", [&](auto &gpu, auto &out) { out.device(gpu) = ga.sum(); });
  Eigen::array<int, 1> inner = { 0 }, outer = { 1 };
  list columns = a.mean(inner), rows = a.sum(outer);
  same(columns, "inner mean", [&](auto &gpu, auto &out) { out.device(gpu) = ga.mean(inner); });
  same(rows, "outer sum", [&](auto &gpu, auto &out) { out.device(gpu) = ga.sum(outer); });
  table running = a.cumsum(1);
  same(running, "scan", [&](auto &gpu, auto &out) { out.device(gpu) = ga.cumsum(1); });
  Eigen::Tensor<Eigen::DenseIndex, 1> most = a.argmax(1);
  same(most, "argmax", [&](auto &gpu, auto &out) { out.device(gpu) = ga.argmax(1); });
}

struct system_of_three {
  Eigen::Matrix3f a;
  Eigen::Vector3f b, x;
  float determinant;
};
__host__ __device__ void solve(system_of_three &s) {
  s.determinant = s.a.determinant();
  s.x = s.a.inverse() * s.b + s.a.transpose() * s.b.cross(s.x).normalized();
}
__global__ void solve_all(system_of_three *all) { solve(all[threadIdx.x]); }

static void matrices() {
  items<system_of_three, 32> all;
  system_of_three before[32];
  for (int i = 0; i < 32; i++) {
    all.host[i].a = Eigen::Matrix3f::Random() + 3 * Eigen::Matrix3f::Identity();
    all.host[i].b = Eigen::Vector3f::Random();
    all.host[i].x = Eigen::Vector3f::Random();
    before[i] = all.host[i];
  }
  all.send();
  solve_all<<<1, 32>>>(all.device);
  all.fetch();
  for (system_of_three &each : before)
    solve(each);
  EXPECT_EACH(32, (all[i].x - before[i].x).norm() <= 1e-5f * (1 + before[i].x.norm()));
  EXPECT_EACH(32, is_near(all[i].determinant, before[i].determinant));
}

int main() {
  tensors();
  matrices();
  return result();
}
